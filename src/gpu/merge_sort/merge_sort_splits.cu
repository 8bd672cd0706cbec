// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_splits: how many elements of a pair's first run come before each tile, found by a
// group of 2^bits lanes.
#include "device/kernel.cuh"
#include "merge_sort/runs.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_splits(const __grid_constant__ hk_runs_how how, int32_t bits)
{
    hk_begin();
    if (hk_is_over(how.state, how.pass)) return;
    const int64_t tile = ((int64_t)blockIdx.x * HK_THREADS + threadIdx.x) >> bits;
    const int64_t mine = tile < how.tiles ? tile : 0;
    const hk_pair pair = hk_pair_of(&how, mine);
    const int64_t d = mine * how.items - pair.first, split = hk_split_of(&how, &pair, d, bits);
    if (tile < how.tiles && (threadIdx.x & ((1u << bits) - 1)) == 0) how.split[tile] = split;
}
