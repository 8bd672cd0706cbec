// SPDX-License-Identifier: Apache-2.0
// The cpu backend from inside: one file a pattern, over the tree (cpu/tree/) and OpenMP threads.
#ifndef HEDDLE_CPU_RUNTIME_CPU_H
#define HEDDLE_CPU_RUNTIME_CPU_H

#include "core/backend.h"
#include "cpu/runtime/tuning.h"
#include "patterns/reduce/reduce.h"
#include "patterns/scan/scan.h"

extern const hd__backend hd__cpu_backend;

// hd__cpu_NAME, one a pattern.
#define PATTERN(name, NAME) hd__run hd__cpu_##name;
#include "core/patterns.def"
#undef PATTERN
bool hd__cpu_reduce_row(hd_context *ctx, const hd__fold *fold, const void *in, int64_t n,
                        void *out);
bool hd__cpu_scan_row(hd_context *ctx, const hd__fold *fold, const void *in, int64_t n, void *out);
bool hd__cpu_sort_row(hd_context *ctx, hd_type type, const void *in, int64_t n, void *out);
bool hd__cpu_compact_row(size_t size, const void *in, const unsigned char *flags, int64_t n,
                         void *out, int64_t *count);
bool hd__cpu_partition_row(size_t size, const void *in, const unsigned char *flags, int64_t n,
                           void *out, int64_t *counts);
bool hd__cpu_scatter_row(size_t size, const void *in, hd_type index_type, const void *index,
                         int64_t n, void *out, int64_t room);
bool hd__cpu_gather_row(size_t size, const void *in, int64_t room, hd_type index_type,
                        const void *index, int64_t n, void *out);
bool hd__cpu_histogram_row(hd_type type, const void *in, int64_t n, size_t size, void *out,
                           int64_t bins);

// Forms of the two patterns that have files of their own.
hd_status hd__cpu_reduce_segments(hd_context *ctx, const hd__reduce_job *job);
hd_status hd__cpu_reduce_by_key(hd_context *ctx, const hd__reduce_job *job);
hd_status hd__cpu_reduce_filtered(hd_context *ctx, const hd__reduce_job *job);
hd_status hd__cpu_reduce_rows(hd_context *ctx, const hd__reduce_job *job);
hd_status hd__cpu_scan_rows(hd_context *ctx, const hd__scan_job *job);
hd_status hd__cpu_segmented_scan(hd_context *ctx, const hd__scan_job *job);
// The same of numbers in contiguous memory.
bool hd__cpu_has_segmented_simd(const hd_context *ctx, const hd__scan_job *job);
hd_status hd__cpu_segmented_simd(hd_context *ctx, const hd__scan_job *job);

// Whether rows along an axis are strided and many of them go side by side; and the patterns that do
// so (strided_rows.c).
bool hd__cpu_has_strided_rows(const hd__reader *in, int32_t axis);
hd_status hd__cpu_reduce_strided_rows(hd_context *ctx, const hd__reduce_job *job);
hd_status hd__cpu_scan_strided_rows(hd_context *ctx, const hd__scan_job *job);

// The grain size: how many threads n elements of a size are worth; and the size that stands for the
// cost of one element, more than its bytes where it is converted, mapped or combined by a user's
// code.
int hd__cpu_threads_for(const hd_context *ctx, int64_t n, size_t size);
size_t hd__cpu_element_cost(const hd__reader *in);

#endif
