// SPDX-License-Identifier: Apache-2.0
// The two ways of a reduction on a GPU.
#ifndef HEDDLE_GPU_REDUCE_REDUCE_H
#define HEDDLE_GPU_REDUCE_REDUCE_H

#include "gpu/gpu.h"
#include "patterns/reduce/reduce.h"

// Everything into one element, of views on the device: one launch. n > 0. With an address, it is
// the node that is written, there.
hd_status hd__gpu_reduce_tiles(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                               hd__gpu_address node);

// Rows or segments, of any views.
hd_status hd__gpu_reduce_slices(hd_context *ctx, const hd__reduce_job *job);

// Runs of equal keys, of any views.
hd_status hd__gpu_reduce_runs(hd_context *ctx, const hd__reduce_job *job);

// The same of keys that are equal by a comparison.
hd_status hd__gpu_reduce_runs_by(hd_context *ctx, const hd__reduce_job *job, const char **why);

// Those elements that a filter lets in, of any views.
hd_status hd__gpu_reduce_filtered(hd_context *ctx, const hd__reduce_job *job, const char **why);

// Segments by views on the device. Where only the device knows how many there are (count -1),
// count_at has their number, `part` the first that begins in each tile of hd__gpu_segment_items
// elements and then the number of all, and none is empty.
typedef struct hd__gpu_segments {
    hd_view offsets;
    int64_t count, room; // room: of the outputs
    hd__gpu_address part, count_at;
} hd__gpu_segments;

hd_status hd__gpu_reduce_segments(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                                  const hd__gpu_segments *segments);
// The two for exact sums, to which they hand over.
hd_status hd__gpu_exact_all(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                            hd__gpu_address node);
hd_status hd__gpu_exact_slices(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                               const hd__gpu_segments *segments);
// Segments, each of which is added to the output that is there; one without elements adds nothing.
hd_status hd__gpu_exact_add(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                            const hd__gpu_segments *segments);

int32_t hd__gpu_segment_items(const hd__gpu *gpu, const hd__fold *fold);

// Writes one result, and its value, to the outputs' first elements, on the host or on the device.
hd_status hd__gpu_give(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job, const void *out,
                       const void *value);

#endif
