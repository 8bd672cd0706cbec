// SPDX-License-Identifier: Apache-2.0
// The cpu backend from inside: one file a pattern, over tree_block.h and OpenMP threads.
#ifndef HEDDLE_CPU_RUNTIME_CPU_H
#define HEDDLE_CPU_RUNTIME_CPU_H

#include "core/backend.h"
#include "cpu/runtime/tuning.h"
#include "cpu/tree/tree_block.h"
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

// One thread's tools for slices of a reader: its loops, a reader of its own, scratch.
typedef struct hd__cpu_worker {
    hd__cpu_tree_kernels k;
    hd__reader in;
    int64_t block;           // elements read at a time
    unsigned char *elements; // of them on their way in
    unsigned char *levels;   // above a block
    unsigned char *waiting;  // pending partials of a tree
} hd__cpu_worker;

size_t hd__cpu_worker_bytes(const hd__cpu_tree_kernels *k, const hd__reader *in);
void hd__cpu_worker_init(hd__cpu_worker *w, const hd__cpu_tree_kernels *k, const hd__reader *in,
                         void *memory);

// *node = R(n) of elements start .. start + n - 1, n >= 1, as a slice of its own.
void hd__cpu_worker_reduce(hd__cpu_worker *w, int64_t start, int64_t n, void *node);

// Result `slot` of a reduction: the node over `count` elements with init, finalized, stored. Fails
// only where count is 0 and the operator has no empty value.
hd_status hd__cpu_store_result(hd_context *ctx, const hd__reduce_job *job, void *node,
                               int64_t count, int64_t slot);

// *node = R(n) of the elements of a reader with all threads of the context; carries on `tree` if
// it is not NULL. n >= 1.
hd_status hd__cpu_reduce_parallel(hd_context *ctx, const hd__fold *fold, const hd__reader *in,
                                  hd__tree *tree, void *node);

// The grain size: how many threads n elements of a size are worth; and the size that stands for the
// cost of one element, more than its bytes where it is converted, mapped or combined by a user's
// code.
int hd__cpu_threads_for(const hd_context *ctx, int64_t n, size_t size);
size_t hd__cpu_element_cost(const hd__reader *in);

#endif
