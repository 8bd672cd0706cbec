// SPDX-License-Identifier: Apache-2.0
//
// maximum_losers: a round of hd_maximum in which every player of a group meets every other (Valiant
// 1975): each that another beats is marked, by as many as beat it: a common concurrent write. A
// thread plays for one player against HK_ITEMS of its group; nothing is left out.
#include "device/kernel.cuh"
#include "list/maximum.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    maximum_losers(const __grid_constant__ hk_maximum_round round, int64_t blocks)
{
    hk_begin();
    const int64_t chunk = blockIdx.x / blocks, block = blockIdx.x - chunk * blocks;
    const int64_t i = block * HK_THREADS + threadIdx.x;
    uint64_t work = 0;
    if (i < round.m) {
        const int64_t begin = i / round.group * round.group;
        const int64_t end = round.m - begin < round.group ? round.m : begin + round.group;
        const int64_t from = begin + chunk * HK_ITEMS;
        const int64_t to = end - from < HK_ITEMS ? end : from + HK_ITEMS;
        const uint64_t own = round.key[i];
        bool loses = false;
        for (int64_t j = from; j < to && end - begin > 1; j++, work++) {
            const uint64_t key = round.key[j];
            loses |= key > own || (key == own && j < i);
        }
        if (loses) hk_store_relaxed(&round.lost[i], 1);
    }
    hk_count_work(&round, work);
}
