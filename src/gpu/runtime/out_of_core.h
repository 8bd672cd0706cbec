// SPDX-License-Identifier: Apache-2.0
// Out-of-core reductions and scans of everything: host views go through the device in chunks.
#ifndef HEDDLE_GPU_RUNTIME_OUT_OF_CORE_H
#define HEDDLE_GPU_RUNTIME_OUT_OF_CORE_H

#include "gpu/gpu.h"
#include "patterns/reduce/reduce.h"
#include "patterns/scan/scan.h"

// Whether host views are more than is to be on the device at once (stage_bytes of tuning.def).
bool hd__gpu_needs_out_of_core(const hd__gpu *gpu, const hd__reader *in, const hd_view *out);

// Whether views can be cut: each of one dimension, which they are made where that can be.
bool hd__gpu_can_chunk(hd__reader *in, hd_view *out, hd_view *values);

// Elements at .. at + n - 1 of a view of at most one dimension, and of the views of a reader.
hd_view hd__gpu_chunk_of(const hd_view *v, int64_t at, int64_t n);
hd__reader hd__gpu_reader_chunk(const hd__reader *in, int64_t at, int64_t n);

// After the carry job->tree, or, without one, from the beginning. Declines views that cannot be
// cut.
hd_status hd__gpu_reduce_chunks(hd_context *ctx, const hd__reduce_job *job, const char **why);
hd_status hd__gpu_scan_chunks(hd_context *ctx, const hd__scan_job *job, const char **why);

#endif
