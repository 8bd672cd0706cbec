// SPDX-License-Identifier: Apache-2.0
//
// exact_all: the exact sum of everything in one launch. Blocks stay and take tiles in turn; each
// adds its digits, carried, to those of all. The last one rounds, and leaves zeros for the next
// launch.
#include "device/kernel.cuh"
#include "reduce/exact_bins.cuh"

struct hk_exact_how {
    int64_t n, tiles; // of HK_ROWS * HK_THREADS * HK_K elements
};

struct hk_exact_state {
    uint64_t *digit; // HK_DIGITS, then four flags and how many blocks are done
};

HK_FN void hk_add_all(uint64_t *p, uint64_t x)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}

HK_FN uint64_t hk_count_all(uint64_t *p)
{
    uint64_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], 1;" : "=l"(old) : "l"(p) : "memory");
    return old;
}

// One thread: digits of the block into those of all. A number below zero borrows from the digit
// above all.
HK_FN void hk_give_digits(const hk_digits *d, hk_exact_state state)
{
    int64_t carry = 0;
    for (int k = 0; k < 2 * HK_LIMBS; k++) {
        const int64_t x = hk_digit_of(d, k) + carry;
        carry = x >> 32;
        const uint64_t y = k + 1 < 2 * HK_LIMBS ? (uint32_t)x : (uint64_t)x;
        if (y != 0) hk_add_all(state.digit + k, y);
    }
    for (int f = 0; f < 4; f++) // how many blocks have a flag, a word each
        if (d->flags >> f & 1) hk_add_all(state.digit + HK_DIGITS + f, 1);
}

HK_FN hk_node hk_take_digits(hk_exact_state state)
{
    hk_node n;
    int64_t carry = 0;
#pragma unroll 1
    for (int k = 0; k < HK_LIMBS; k++) {
        const int64_t low = (int64_t)hk_load_relaxed_64(state.digit + 2 * k) + carry;
        const int64_t high = (int64_t)hk_load_relaxed_64(state.digit + 2 * k + 1) + (low >> 32);
        n.limb[k] = (uint64_t)high << 32 | (uint32_t)low;
        carry = high >> 32;
    }
    n.flags = 0;
    for (int f = 0; f < 4; f++)
        if (hk_load_relaxed_64(state.digit + HK_DIGITS + f) != 0) n.flags |= 1 << f;
    for (int k = 0; k < HK_DIGITS + 5; k++) hk_store_relaxed_64(state.digit + k, 0);
    return n;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    exact_all(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_exact_how how,
              hk_exact_state state, const __grid_constant__ hk_node init,
              const __grid_constant__ hk_view out, const __grid_constant__ hk_view values)
{
    hk_begin();
    __shared__ hk_digits shared;
    __shared__ hk_bins bins;
    for (int k = (int)threadIdx.x; k < (int)(sizeof(hk_digits) / 4); k += HK_THREADS)
        ((uint32_t *)&shared)[k] = 0;
    hk_bins_clear(&bins);
    hk_block_barrier();
    hk_lane_sum sum;
    hk_lane_begin(&sum);
    const int64_t tile = (int64_t)HK_ROWS * HK_THREADS * HK_K;
#pragma unroll 1
    for (int64_t t = blockIdx.x; t < how.tiles; t += gridDim.x) {
        hk_element e[HK_ROWS][HK_K];
        hk_bins_make_room(&sum, &bins, HK_ROWS * HK_K);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            hk_items(&in, t * tile + ((int64_t)r * HK_THREADS + threadIdx.x) * HK_K, e[r]);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
            for (int j = 0; j < HK_K; j++) hk_warp_add(&sum, e[r][j], &bins, &shared);
    }
    if (blockIdx.x == 0)
        for (int64_t i = how.tiles * tile + threadIdx.x; i < how.n; i += HK_THREADS)
            hk_lane_add(&sum, hk_item(&in, i), &shared);
    hk_warp_end(&sum, &bins, &shared);
    hk_block_barrier();
    hk_bins_collect(&bins, &shared, HK_THREADS);
    hk_block_barrier();
    if (threadIdx.x != 0) return;
    hk_give_digits(&shared, state);
    hk_fence();
    if (hk_count_all(state.digit + HK_DIGITS + 4) != gridDim.x - 1) return;
    hk_fence();
    const hk_node n = hk_take_digits(state);
    hk_give(&out, &values, 0, HK_HAS_INIT ? hk_combine(init, n) : n, how.n);
}
