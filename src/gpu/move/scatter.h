// SPDX-License-Identifier: Apache-2.0
// What the ways to scatter share.
#ifndef HEDDLE_GPU_MOVE_SCATTER_H
#define HEDDLE_GPU_MOVE_SCATTER_H

#include "patterns/move/scatter.h"
#include "gpu/sort/radix_pass.h"

// Writing elements of a view of the device.
typedef struct hd__scatter_writes {
    int64_t n, limit;
    hd_view in, index, out;
    bool unique;     // no index comes twice
    hd__address bad; // receives ~i of the first bad index; 0: nobody asks
} hd__scatter_writes;

// HD__CHOICE: the hd_judgement of locality_probe, in bytes, and the clock of scatter_last.
enum { HD__AT_CHOICE = 8, HD__AT_CALL = 64, HD__CHOICE_BYTES = 128 };

// ---- Launches -----------------------------------------------------------------------------------

// hk_scatter_how of sources.cuh: nothing is done unless `word` is `wanted`; few blocks take tiles
// by `ticket`. 0: always; each block has a tile.
typedef struct hd__scatter_how {
    int64_t n, limit;
    hd__address word, ticket;
    uint32_t wanted, unused;
} hd__scatter_how;

// What the texts of all kernels that write depend on.
void hd__scatter_shape(const hd__gpu *gpu, const hd__scatter_writes *job, const char *name,
                       int32_t threads, hd__shape *s);
hd_status hd__scatter_kernel(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                             const char *name, hd__kernel **kernel);
hd_status hd__scatter_launch(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                             hd__kernel *kernel, const hd__scatter_how *how,
                             const void *const *arguments, int32_t argument_count);

// ---- Ways ---------------------------------------------------------------------------------------

// Where no index comes twice.
hd_status hd__scatter_unique(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job);
// Where one may.
hd_status hd__scatter_last(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job);

// Either; into a large output perhaps bucketed by destination first.
hd_status hd__scatter_parted(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job);

// Combining; views are of the device.
hd_status hd__gpu_scatter_combine(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                                  hd__address bad);

// ---- Claims -------------------------------------------------------------------------------------

size_t hd__claims_bytes(const hd__scatter_writes *job);
hd_status hd__claims_begin(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                           hd__address memory, hd__claims *claims);

// Where places were claimed twice: writes their last sources.
hd_status hd__claims_settle(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                            const hd__claims *claims);

#endif
