// SPDX-License-Identifier: Apache-2.0
//
// maximum_winners: the end of a round of hd_maximum in which all of a group meet: whoever is not
// marked goes on. Of each player the mark was set to zero, and is looked at: two operations.
#include "device/kernel.cuh"
#include "list/maximum.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    maximum_winners(const __grid_constant__ hk_maximum_round round)
{
    hk_begin();
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    uint64_t work = 0;
    if (i < round.m) {
        const int64_t k = i / round.group;
        const bool alone = round.m - k * round.group == 1;
        if (round.lost[i] == 0) hk_enter(&round, k, i);
        work = alone ? 0 : 2;
    }
    hk_count_work(&round, work);
}
