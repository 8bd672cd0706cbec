// SPDX-License-Identifier: Apache-2.0
// Merge sort of an array of the device that has no gaps, by a comparison.
#ifndef HEDDLE_GPU_SORT_MERGE_SORT_H
#define HEDDLE_GPU_SORT_MERGE_SORT_H

#include "gpu/gpu.h"
#include "patterns/sort/comparisons.h"

typedef struct hd__gpu_merge_sort {
    const hd_comparison *order;
    bool backwards; // turned round
    hd_type type;
    int64_t n;                      // 1 at least
    hd__gpu_address keys, keys_out; // may be one
    size_t index_bytes;             // of indices, 4 or 8; 0: none
    hd__gpu_address indices;
} hd__gpu_merge_sort;

// Stable. Where the comparison contradicts itself the result is some permutation.
hd_status hd__gpu_merge_sort_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_merge_sort *a,
                                 const char **why);

#endif
