// SPDX-License-Identifier: Apache-2.0
// What the ways to scatter share.
#ifndef HEDDLE_GPU_MOVE_SCATTER_H
#define HEDDLE_GPU_MOVE_SCATTER_H

#include "patterns/move/scatter.h"
#include "gpu/sort/radix_pass.h"

// Writing elements of a view of the device.
typedef struct hd__gpu_scatter_writes {
    int64_t n, limit;
    hd_view in, index, out;
    bool unique;         // no index comes twice
    hd__gpu_address bad; // receives ~i of the first bad index; 0: nobody asks
} hd__gpu_scatter_writes;

// HD__GPU_LOCALITY, in bytes: at_once of hk_locality (locality_probe.cu), the epoch of
// scatter_last.
enum { HD__GPU_LOCALITY_BUCKETED = 8, HD__GPU_LOCALITY_EPOCH = 64, HD__GPU_LOCALITY_BYTES = 128 };

// ---- Launches -----------------------------------------------------------------------------------

// hk_scatter_how of sources.cuh: nothing is done unless `word` is `wanted`; few blocks take tiles
// by `ticket`. 0: always; each block has a tile.
typedef struct hd__gpu_scatter_how {
    int64_t n, limit;
    hd__gpu_address word, ticket;
    uint32_t wanted, unused;
} hd__gpu_scatter_how;

// What the texts of all kernels that write depend on.
void hd__gpu_scatter_config(const hd__gpu *gpu, const hd__gpu_scatter_writes *job, const char *name,
                            int32_t threads, hd__gpu_kernel_config *config);
hd_status hd__gpu_scatter_kernel(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                                 const char *name, hd__gpu_kernel **kernel);
hd_status hd__gpu_scatter_launch(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                                 hd__gpu_kernel *kernel, const hd__gpu_scatter_how *how,
                                 const void *const *arguments, int32_t argument_count);

// ---- Ways ---------------------------------------------------------------------------------------

// Where no index comes twice.
hd_status hd__gpu_scatter_unique(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job);
// Where one may.
hd_status hd__gpu_scatter_last_writer(hd_context *ctx, hd__gpu *gpu,
                                      const hd__gpu_scatter_writes *job);

// Either; into a large output perhaps bucketed by destination first.
hd_status hd__gpu_scatter_bucketed(hd_context *ctx, hd__gpu *gpu,
                                   const hd__gpu_scatter_writes *job);

// Combining; views are of the device. fresh: out is all zero, and what is combined does not come
// behind it but in its stead.
hd_status hd__gpu_scatter_combine(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                                  hd__gpu_address bad, bool fresh);

// ---- The destination bitmap ---------------------------------------------------------------------

size_t hd__gpu_destination_bitmap_bytes(const hd__gpu_scatter_writes *job);
hd_status hd__gpu_destination_bitmap_begin(hd_context *ctx, hd__gpu *gpu,
                                           const hd__gpu_scatter_writes *job,
                                           hd__gpu_address memory,
                                           hd__gpu_destination_bitmap *bitmap);

// Writes the last sources of destinations that have several.
hd_status hd__gpu_destination_bitmap_settle(hd_context *ctx, hd__gpu *gpu,
                                            const hd__gpu_scatter_writes *job,
                                            const hd__gpu_destination_bitmap *bitmap);

#endif
