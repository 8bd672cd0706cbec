// SPDX-License-Identifier: Apache-2.0
// Sorting arrays of the device that have no gaps: keys, and what goes with them.
#ifndef HEDDLE_GPU_SORT_SORT_ARRAYS_H
#define HEDDLE_GPU_SORT_SORT_ARRAYS_H

#include "gpu/codegen/emit_kernel.h"

typedef struct hd__gpu_sort_arrays {
    hd_type type; // of keys
    bool descending;
    bool keeps_keys; // otherwise keys_out is scratch
    int64_t n;       // 1 at least
    hd__gpu_address keys, keys_out;
    size_t value_bytes;                 // 1, 2, 4, 8 or 16; 0: nothing goes with the keys
    hd__gpu_address values, values_out; // values 0: indices of 4 or 8 bytes go with the keys
} hd__gpu_sort_arrays;

// What the kernels of sorts depend on; the tiles of sort_pass, and the shared memory of one.
void hd__gpu_sort_config(const hd__gpu_sort_arrays *a, const char *kernel, int32_t threads,
                         hd__gpu_kernel_config *config);
void hd__gpu_sort_tiles(const hd__gpu *gpu, const hd__gpu_sort_arrays *a,
                        hd__gpu_kernel_config *config);
int64_t hd__gpu_sort_tile_bytes(const hd__gpu_sort_arrays *a, const hd__gpu_kernel_config *config);

// Stable, in the order of hd_sort. Outputs may be their inputs.
hd_status hd__gpu_sort_arrays_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_arrays *a);

// Rows of a->n keys, one after another, each sorted by one block: the first `keep` of each row are
// written, one row of these after another. Indices count from the start of a row.
enum { HD__GPU_SORT_ROW_MAX = 4096 }; // keys of a row
hd_status hd__gpu_sort_rows_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_arrays *a,
                                int64_t rows, int64_t keep);

#endif
