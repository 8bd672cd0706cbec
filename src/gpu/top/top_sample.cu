// SPDX-License-Identifier: Apache-2.0
//
// top_sample: a sample of the keys, of which it leaves the first one in order of each group of
// HK_GROUP lanes with HK_ROWS keys: of groups that have few of the wanted keys, these minima tell
// as much as all of the sample. One key is taken of each range of how.stride keys, at a place that
// a hash chooses. The ranges of a group are far apart, so that keys in order are sampled as well.
// And it clears the counters of the launches that follow.
#include "device/kernel.cuh"
#include "top/top.cuh"

#define HK_GROUP 8

HK_FN int64_t hk_place_in_range(int64_t range, int64_t stride)
{
    const uint64_t hash = ((uint64_t)range + 1) * 0x9e3779b97f4a7c15ull;
    return range * stride + (int64_t)(((hash >> 32) * (uint64_t)stride) >> 32);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_sample(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    const int64_t groups = (int64_t)gridDim.x * (HK_THREADS / HK_GROUP);
    const int64_t mine = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x, group = mine / HK_GROUP;
    uint64_t *const counters = (uint64_t *)how.control;
    for (int64_t i = mine; i < how.counters; i += (int64_t)gridDim.x * HK_THREADS) counters[i] = 0;
    hk_bits x[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t range = (mine % HK_GROUP * HK_ROWS + r) * groups + group;
        x[r] = how.key[hk_place_in_range(range, how.stride)];
    }
    hk_bits first = x[0];
#pragma unroll
    for (int r = 1; r < HK_ROWS; r++)
        if (hk_order_of(x[r]) < hk_order_of(first)) first = x[r];
#pragma unroll
    for (int d = 1; d < HK_GROUP; d *= 2) {
        const hk_bits other = (hk_bits)hk_long_from_xor((uint64_t)first, d);
        if (hk_order_of(other) < hk_order_of(first)) first = other;
    }
    if (mine % HK_GROUP == 0) how.sample[group] = first;
}
