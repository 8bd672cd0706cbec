// SPDX-License-Identifier: Apache-2.0
//
// exact_all: the exact sum of everything in one launch. Blocks stay and take tiles in turn; each adds its digits,
// carried, to those of all. The last one rounds, and leaves zeros for the next launch.
#include "device/kernel.cuh"
#include "reduce/exact_bins.cuh"

struct hd_exact_how {
    int64_t n, tiles; // of HD_ROWS * HD_THREADS * HD_K elements
};

struct hd_exact_state {
    uint64_t *digit; // HD_DIGITS, then four flags and how many blocks are done
};

HD_FN void hd_add_all(uint64_t *p, uint64_t x)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}

HD_FN uint64_t hd_count_all(uint64_t *p)
{
    uint64_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], 1;" : "=l"(old) : "l"(p) : "memory");
    return old;
}

// One thread: digits of the block into those of all. A number below zero borrows from the digit above all.
HD_FN void hd_give_digits(const hd_digits *d, hd_exact_state state)
{
    int64_t carry = 0;
    for (int k = 0; k < 2 * HD_LIMBS; k++) {
        const int64_t x = hd_digit_of(d, k) + carry;
        carry = x >> 32;
        const uint64_t y = k + 1 < 2 * HD_LIMBS ? (uint32_t)x : (uint64_t)x;
        if (y != 0) hd_add_all(state.digit + k, y);
    }
    for (int f = 0; f < 4; f++) // how many blocks have a flag, a word each
        if (d->flags >> f & 1) hd_add_all(state.digit + HD_DIGITS + f, 1);
}

HD_FN hd_node hd_take_digits(hd_exact_state state)
{
    hd_node n;
    int64_t carry = 0;
#pragma unroll 1
    for (int k = 0; k < HD_LIMBS; k++) {
        const int64_t low = (int64_t)hd_load_relaxed_64(state.digit + 2 * k) + carry;
        const int64_t high = (int64_t)hd_load_relaxed_64(state.digit + 2 * k + 1) + (low >> 32);
        n.limb[k] = (uint64_t)high << 32 | (uint32_t)low;
        carry = high >> 32;
    }
    n.flags = 0;
    for (int f = 0; f < 4; f++)
        if (hd_load_relaxed_64(state.digit + HD_DIGITS + f) != 0) n.flags |= 1 << f;
    for (int k = 0; k < HD_DIGITS + 5; k++) hd_store_relaxed_64(state.digit + k, 0);
    return n;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    exact_all(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_exact_how how,
              hd_exact_state state, const __grid_constant__ hd_node init,
              const __grid_constant__ hd_view out, const __grid_constant__ hd_view values)
{
    hd_begin();
    __shared__ hd_digits shared;
    __shared__ hd_bins bins;
    for (int k = (int)threadIdx.x; k < (int)(sizeof(hd_digits) / 4); k += HD_THREADS)
        ((uint32_t *)&shared)[k] = 0;
    hd_bins_clear(&bins);
    hd_block_barrier();
    hd_lane_sum sum;
    hd_lane_begin(&sum);
    const int64_t tile = (int64_t)HD_ROWS * HD_THREADS * HD_K;
#pragma unroll 1
    for (int64_t t = blockIdx.x; t < how.tiles; t += gridDim.x) {
        hd_element e[HD_ROWS][HD_K];
        hd_bins_make_room(&sum, &bins, HD_ROWS * HD_K);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            hd_items(&in, t * tile + ((int64_t)r * HD_THREADS + threadIdx.x) * HD_K, e[r]);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
#pragma unroll
            for (int j = 0; j < HD_K; j++) hd_warp_add(&sum, e[r][j], &bins, &shared);
    }
    if (blockIdx.x == 0)
        for (int64_t i = how.tiles * tile + threadIdx.x; i < how.n; i += HD_THREADS)
            hd_lane_add(&sum, hd_item(&in, i), &shared);
    hd_warp_end(&sum, &bins, &shared);
    hd_block_barrier();
    hd_bins_collect(&bins, &shared, HD_THREADS);
    hd_block_barrier();
    if (threadIdx.x != 0) return;
    hd_give_digits(&shared, state);
    hd_fence();
    if (hd_count_all(state.digit + HD_DIGITS + 4) != gridDim.x - 1) return;
    hd_fence();
    const hd_node n = hd_take_digits(state);
    hd_give(&out, &values, 0, HD_HAS_INIT ? hd_combine(init, n) : n, how.n);
}
