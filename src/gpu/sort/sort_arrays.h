// SPDX-License-Identifier: Apache-2.0
// Sorting arrays of the device that have no gaps: keys, and what goes with them.
#ifndef HEDDLE_GPU_SORT_SORT_ARRAYS_H
#define HEDDLE_GPU_SORT_SORT_ARRAYS_H

#include "gpu/gpu.h"

typedef struct hd__gpu_sort_arrays {
    hd_type type; // of keys
    bool descending;
    bool keeps_keys; // otherwise keys_out is scratch
    int64_t n;       // 1 at least
    hd__gpu_address keys, keys_out;
    size_t value_bytes;                 // 1, 2, 4, 8 or 16; 0: nothing goes with the keys
    hd__gpu_address values, values_out; // values 0: indices of 4 or 8 bytes go with the keys
} hd__gpu_sort_arrays;

// Stable, in the order of hd_sort. Outputs may be their inputs.
hd_status hd__gpu_sort_arrays_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_arrays *a);

#endif
