// SPDX-License-Identifier: Apache-2.0
// The first k of many numbers of the device, by a bound from a sample or by a radix select; and
// elements of some ranks.
#ifndef HEDDLE_GPU_SORT_TOP_SELECT_H
#define HEDDLE_GPU_SORT_TOP_SELECT_H

#include "gpu/gpu.h"

// How candidates are looked for. room 0: not at all.
typedef struct hd__gpu_top_plan {
    int64_t sample; // keys of the sample
    int32_t keys;   // of it that a lane of top_sample reads
    int64_t bound;  // which key of the sorted sample bounds the candidates
    int64_t room;   // for candidates
    bool no_sample; // a radix select at once
} hd__gpu_top_plan;

typedef struct hd__gpu_top {
    hd_type type;
    bool descending;
    int64_t n, k; // 1 <= k <= n
    hd__gpu_address keys;
    hd__gpu_address out; // where k keys without gaps are welcome; 0: nowhere
    bool wants_indices;
    hd__gpu_address sorted, indices; // results, k elements each, until the next selection; indices
                                     // of 4 bytes, of 8 where n needs them
    hd__gpu_block memory;            // theirs, perhaps none: the caller releases it
} hd__gpu_top;

// Whether a selection is thought to be faster than a sort of everything; and by what.
bool hd__gpu_top_plan_of(const hd__gpu *gpu, const hd__gpu_top *top, hd__gpu_top_plan *plan);

// Several launches; waits for nothing.
hd_status hd__gpu_top_select(hd_context *ctx, hd__gpu *gpu, hd__gpu_top *top,
                             const hd__gpu_top_plan *plan);

// The bits of the elements of some ranks, by a radix select of each: waits. *any_nan: one of these
// is NaN, of which it does not know the bits.
hd_status hd__gpu_rank_select(hd_context *ctx, hd__gpu *gpu, hd__gpu_top *top, const int64_t *ranks,
                              int64_t count, uint64_t *bits, bool *any_nan);

// How many elements of a float type are NaN: waits.
hd_status hd__gpu_count_nan(hd_context *ctx, hd__gpu *gpu, hd__gpu_top *top, int64_t *nans);

#endif
