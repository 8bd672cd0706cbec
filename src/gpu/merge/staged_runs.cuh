// SPDX-License-Identifier: Apache-2.0
//
// A tile's elements of two runs come to shared memory through registers.
#pragma once
#include "merge/merge_tile.cuh"

// Some element behind the tile's, which threads read there.
HK_FN void hk_stage_end(const hk_merge_tile *t, hk_in_0 some, hk_in_0 *x)
{
#pragma unroll 1
    for (int k = t->count + (int)threadIdx.x; k < HK_STAGED; k += HK_THREADS) x[k] = some;
}

// The tile's elements of a and of b, one after the other in shared memory: all are requested before
// the first is stored. As keys, unless they are to be as they are; whether one is a NaN. `words`:
// the arrays are aligned to these.
HK_FN bool hk_stage_runs(const hk_in_0 *a, const hk_in_0 *b, const hk_merge_tile *t, bool words,
                         hk_in_0 *x)
{
    const int mine = (int)threadIdx.x;
    const hk_in_0 *const from_a = a + mine, *const from_b = b - t->count_a + mine;
    const bool as_keys = HK_FLOATS && t->as != HK_AS_IS;
    bool nan = false;
    hk_in_0 own[HK_ROWS];
    if (t->count == HK_TILE) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            own[r] = hk_load_as(
                (r * HK_THREADS + mine < t->count_a ? from_a : from_b) + r * HK_THREADS, words);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            nan = nan || (as_keys && hk_is_nan(own[r]));
            hk_store_as(x + r * HK_THREADS + mine, as_keys ? hk_flip(own[r]) : own[r], true);
        }
        if (mine < HK_STAGED - HK_TILE) x[HK_TILE + mine] = own[0];
        return nan;
    }
#pragma unroll 1
    for (int k = mine; k < t->count; k += HK_THREADS) {
        const hk_in_0 one = (k < t->count_a ? from_a : from_b)[k - mine];
        nan = nan || (as_keys && hk_is_nan(one));
        x[k] = as_keys ? hk_flip(one) : one;
    }
    hk_stage_end(t, t->count_a > 0 ? *a : *b, x);
    return nan;
}
