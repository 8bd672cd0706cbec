// SPDX-License-Identifier: Apache-2.0
//
// maximum_groups: a round of hd_maximum whose groups have a processor each, which goes through its
// players one after another; pairs are groups of two.
#include "device/kernel.cuh"
#include "list/maximum.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    maximum_groups(const __grid_constant__ hk_maximum_round round)
{
    hk_begin();
    const int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    uint64_t work = 0;
    if (k < round.groups) {
        const int64_t begin = k * round.group;
        const int64_t end = round.m - begin < round.group ? round.m : begin + round.group;
        uint64_t most = round.key[begin];
        int64_t best = begin;
        for (int64_t i = begin + 1; i < end; i++, work++) {
            const uint64_t key = round.key[i];
            if (key > most) most = key, best = i;
        }
        hk_enter(&round, k, best);
    }
    hk_count_work(&round, work);
}
