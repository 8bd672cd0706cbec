// SPDX-License-Identifier: Apache-2.0
// Grids on their way to kernels of neighbourhoods, what convolution, blur and stencil share: views
// staged, axes as kernels get them, weights on the device, and launches of stencil_points, which
// takes everything.
#ifndef HEDDLE_GPU_STENCIL_GRID_H
#define HEDDLE_GPU_STENCIL_GRID_H

#include "gpu/codegen/emit_kernel.h"
#include "patterns/stencil/blur.h"
#include "patterns/stencil/grid.h"

// hk_axis and hk_grid of grid.cuh; of the batch axes a kernel has those that it uses.
typedef struct hd__gpu_axis {
    int64_t n, in, out;
} hd__gpu_axis;

typedef struct hd__gpu_grid {
    uint64_t in, out;
    hd__gpu_axis z, y, x;
    uint64_t beyond;
    hd__gpu_axis batch[HD_MAX_DIMS + 1];
} hd__gpu_grid;

// A pass over a grid, and what of its kernel's configuration depends on that.
typedef struct hd__gpu_grid_pass {
    hd__gpu_grid grid;
    hd__gpu_neighbourhood is;
    int64_t batches, points; // of all batches
} hd__gpu_grid_pass;

// Stages in and out.
hd_status hd__gpu_stage_grid(hd__gpu_stage *s, hd__grid *g);

// The pass over a staged grid. flat: channels that lie together become part of x.
hd__gpu_grid_pass hd__gpu_grid_pass_of(const hd__grid *g, bool flat);

// Whether channels are 1, or lie together in in and out.
bool hd__gpu_is_flat(const hd__grid *g);

// Makes a pass read or write a dense array of a type: batches, z, y, x one after another.
void hd__gpu_grid_pass_from(hd__gpu_grid_pass *p, hd_type type, hd__gpu_address at);
void hd__gpu_grid_pass_to(hd__gpu_grid_pass *p, hd_type type, hd__gpu_address at);

// Sets which of in and out have vectors of k elements at multiples of k, and are contiguous.
void hd__gpu_grid_find_vectors(const hd__gpu_grid_pass *p, hd__gpu_kernel_config *config,
                               int32_t k);

// ---- stencil_points -----------------------------------------------------------------------------

typedef struct hd__gpu_mask_offsets {
    int64_t count;
    const int64_t (*offset)[3];
    const void *weight;          // of type is.sum; or
    const hd_function *function; // of the neighbours
    int64_t least[3], most[3];   // of the offsets, for border keep
    hd__rounding rounding;       // is.rounds
    hd__gpu_address sum;         // is.mends: sums to begin with
} hd__gpu_mask_offsets;

hd_status hd__gpu_stencil_points(hd_context *ctx, hd__gpu *gpu, const hd__gpu_grid_pass *p,
                                 const hd__gpu_mask_offsets *mask);

// Bytes of the host to new memory of the device. Fails where the stream records a graph, which
// would copy them again when it is played.
hd_status hd__gpu_send_weights(hd_context *ctx, hd__gpu *gpu, const void *from, size_t bytes,
                               hd__gpu_address *at);

// The configuration of a kernel, but for its own numbers.
void hd__gpu_stencil_config(hd__gpu_kernel_config *config, const char *kernel,
                            const hd__gpu_neighbourhood *is);

#endif
