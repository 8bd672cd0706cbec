// SPDX-License-Identifier: Apache-2.0
//
// top_count: a pass of a radix select, for elements by rank: counts one digit of the keys whose
// higher digits are known to be those of the wanted one, in shared memory in HK_COPIES copies, each
// for some lanes of every warp. The last block finds the digit of the wanted rank.
#include "device/kernel.cuh"
#include "top/top.cuh"

#define HK_COPIES HK_ITEMS

// As hk_is_last_block. A block that has no key with a digit leaves its counter alone, so atomics do
// not order it with the block that clears it.
HK_FN bool hk_is_last(uint32_t *done, uint32_t *shared)
{
    hk_fence();
    hk_block_barrier();
    if (threadIdx.x == 0) *shared = hk_add_to(done, 1) == gridDim.x - 1;
    hk_block_barrier();
    if (*shared != 0) hk_fence(); // unseen: atomics order what is read
    return *shared != 0;
}

// The digit whose elements have the rank; what is known then.
HK_FN void hk_find_digit(hk_top_control *c, uint64_t prefix, uint64_t *of_warp)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    const uint64_t rank = c->rank;
    uint64_t own = 0;
    if (threadIdx.x < HK_RADIX) {
        own = hk_load_relaxed_64(c->digits + threadIdx.x);
        c->digits[threadIdx.x] = 0;
    }
    const uint64_t to = hk_long_sum_to_lane(own);
    if (hk_lane() == 31) of_warp[warp] = to;
    hk_block_barrier(); // and all have read the rank
    uint64_t before = to - own;
    for (int w = 0; w < warp; w++) before += of_warp[w];
    if (threadIdx.x < HK_RADIX && before <= rank && rank < before + own) {
        c->prefix = prefix << HK_DIGIT_BITS | threadIdx.x;
        c->rank = rank - before;
    }
    if (threadIdx.x == 0) c->done = 0;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_count(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    __shared__ uint32_t digits[HK_RADIX * HK_COPIES], is_last;
    __shared__ uint64_t of_warp[HK_WARPS];
    hk_top_control *const c = how.control;
    if (c->exact == 0) return;
    for (int k = (int)threadIdx.x; k < HK_RADIX * HK_COPIES; k += HK_THREADS) digits[k] = 0;
    hk_block_barrier();
    const int shift = ((int)sizeof(hk_bits) - 1 - how.pass) * HK_DIGIT_BITS;
    const uint64_t prefix = c->prefix;
#pragma unroll 1
    for (int64_t t = blockIdx.x; t < how.tiles; t += gridDim.x) {
        hk_unit x[HK_ROWS];
        const uint32_t there = hk_load_keys(&how, t, x);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) {
                const uint64_t y = (uint64_t)hk_order_of(x[r].x[j]) >> shift;
                if (y >> HK_DIGIT_BITS != prefix) continue;
                if ((there >> (r * HK_UNIT_KEYS + j) & 1) == 0) continue;
                hk_add_in_block(
                    digits + (y & (HK_RADIX - 1)) * HK_COPIES + (threadIdx.x & (HK_COPIES - 1)), 1);
            }
    }
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < HK_RADIX; k += HK_THREADS) {
        uint32_t sum = 0;
#pragma unroll
        for (int j = 0; j < HK_COPIES; j++)
            sum += digits[k * HK_COPIES + ((j + (int)threadIdx.x) & (HK_COPIES - 1))];
        if (sum != 0) hk_add_to_long(c->digits + k, sum);
    }
    if (hk_is_last(&c->done, &is_last)) hk_find_digit(c, prefix, of_warp);
}
