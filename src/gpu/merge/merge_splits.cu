// SPDX-License-Identifier: Apache-2.0
//
// merge_splits: how many of a's elements come before each tile, found by a group of 2^bits lanes.
#include "device/kernel.cuh"
#include "merge/row_splits.cuh"

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
    const int64_t split = hk_split_of(&in, &how, row, tile * items, bits);
    if (wanted && (threadIdx.x & ((1u << bits) - 1)) == 0) how.split[k] = split;
}
