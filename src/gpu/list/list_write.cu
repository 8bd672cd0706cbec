// SPDX-License-Identifier: Apache-2.0
//
// list_write: every node adds its offset in its sublist to what the sublist gets (HK_INVERT), or
// takes it away.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_write(const uint64_t *words, const int32_t *bases, int64_t n,
               const __grid_constant__ hk_view out)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * HK_ROWS * HK_THREADS + threadIdx.x;
    uint64_t word[HK_ROWS];
    int32_t base[HK_ROWS]; // all are requested before the first is written
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        word[r] = i < n ? words[i] : HK_NO_NODE;
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        base[r] = word[r] != HK_NO_NODE ? bases[hk_high(word[r])] : -1;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        const int32_t offset = (int32_t)(uint32_t)word[r];
        const int64_t x = word[r] == HK_NO_NODE ? -1
                          : HK_INVERT           ? base[r] + offset
                                                : base[r] - offset;
        if (i < n) hk_put_index(&out, i, x);
    }
}
