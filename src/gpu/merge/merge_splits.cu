// SPDX-License-Identifier: Apache-2.0
//
// merge_splits: how many of a's elements come before each tile, found by a group of 2^bits lanes.
#include "device/kernel.cuh"
#include "merge/merge_path.cuh"
#include "merge/split_search.cuh"

struct hk_path {
    const hk_inputs *in;
    int64_t a, b; // where the rows begin
};

HK_FN bool hk_crosses(const hk_path *p, int64_t d, int64_t i)
{
    return hk_before(hk_one_1(p->in, p->b + d - 1 - i), hk_one_0(p->in, p->a + i));
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_splits(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_merge_how how,
                 int32_t items, int32_t bits)
{
    hk_begin();
    const int64_t k = ((int64_t)blockIdx.x * HK_THREADS + threadIdx.x) >> bits;
    if (blockIdx.x == 0 && threadIdx.x == 0) *how.unsorted = 0;
    const bool wanted = k < how.rows * (how.tiles + 1);
    const int64_t row = wanted ? k / (how.tiles + 1) : 0;
    const int64_t tile = wanted ? k - row * (how.tiles + 1) : 0;
    const int64_t all = how.na + how.nb, d = tile * items < all ? tile * items : all;
    const hk_path path = {&in, row * how.na, row * how.nb};
    const int64_t split =
        hk_search_path(&path, d, d > how.nb ? d - how.nb : 0, d < how.na ? d : how.na, bits);
    if (wanted && (threadIdx.x & ((1u << bits) - 1)) == 0) how.split[k] = split;
}
