// SPDX-License-Identifier: Apache-2.0
//
// sort_block: a few keys by one block, LSD radix sort in shared memory; of many rows each by a
// block of its own, which writes the first of them. Where values go with the keys, their indices
// do, and the values are gathered at the end. Digits that are the same in all keys are passed over.
#include "device/kernel.cuh"
#include "sort/rank.cuh"

#define HK_TILE (HK_ROWS * HK_THREADS)

extern __shared__ __align__(16) char hk_tile_memory[];

struct hk_small_tile {
    uint32_t counts[HK_WARPS * HK_RADIX]; // of each warp's digits; then where they begin
    uint32_t of_warp[HK_RADIX / HK_WARP];
    uint32_t differs[2]; // bits that are not the same in all keys, low and high
    hk_bits keys[HK_TILE];
    uint16_t indices[HK_VALUE_BYTES > 0 ? HK_TILE : 1];
};

HK_FN void hk_or_in_block(uint32_t *p, uint32_t x)
{
    asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0; red.relaxed.cta.shared.or.b32 [q], %1; }"
                 :
                 : "l"(p), "r"(x)
                 : "memory");
}

HK_FN uint64_t hk_bits_that_differ(hk_small_tile *tile, const hk_bits *key, hk_bits first, int mine,
                                   int valid)
{
    uint64_t bits = 0;
    if (threadIdx.x < 2) tile->differs[threadIdx.x] = 0;
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (mine + r * HK_WARP < valid) bits |= (uint64_t)(hk_order(key[r]) ^ hk_order(first));
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) bits |= hk_long_from_xor(bits, d);
    if (hk_lane() == 0) {
        hk_or_in_block(&tile->differs[0], (uint32_t)bits);
        hk_or_in_block(&tile->differs[1], (uint32_t)(bits >> 32));
    }
    hk_block_barrier();
    return (uint64_t)tile->differs[1] << 32 | tile->differs[0];
}

// Brings keys and indices into the order of a digit: by way of shared memory.
HK_FN void hk_sort_digit(hk_small_tile *tile, hk_bits *key, uint32_t *index, int mine, int shift)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    const uint32_t below = hk_lanes_below();
    uint32_t rank[HK_ROWS];
#pragma unroll
    for (int k = 0; k < HK_RADIX / HK_WARP; k++)
        tile->counts[warp * HK_RADIX + k * HK_WARP + hk_lane()] = 0;
    hk_warp_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        rank[r] = hk_rank_of(tile->counts + warp * HK_RADIX, hk_digit(key[r], shift), below);
    hk_block_barrier();
    hk_begin_digits(tile->counts, hk_sum_of_warps(tile->counts), tile->of_warp);
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const uint32_t to = rank[r] + tile->counts[warp * HK_RADIX + hk_digit(key[r], shift)];
        tile->keys[to] = key[r];
        if (HK_VALUE_BYTES > 0) tile->indices[to] = (uint16_t)index[r];
    }
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        key[r] = tile->keys[mine + r * HK_WARP];
        if (HK_VALUE_BYTES > 0) index[r] = tile->indices[mine + r * HK_WARP];
    }
}

// All are read before the first is written, for out may be in.
HK_FN void hk_move_values(const hk_sort_how *how, const uint32_t *index, int mine, int valid)
{
#if HK_VALUE_BYTES > 0
    const hk_value *const from = how->value_in + blockIdx.x * how->n;
    hk_value *const to = how->value_out + blockIdx.x * how->keep;
    hk_value value[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        if (mine + r * HK_WARP >= valid) continue;
#if HK_VALUE_BYTES == 4 || HK_VALUE_BYTES == 8
        value[r] = how->value_in != 0 ? from[index[r]] : (hk_value)index[r];
#else
        value[r] = from[index[r]];
#endif
    }
    hk_block_barrier(); // value_out may be value_in
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (mine + r * HK_WARP < how->keep) to[mine + r * HK_WARP] = value[r];
#endif
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_block(const __grid_constant__ hk_sort_how how)
{
    hk_begin();
    hk_small_tile *const tile = (hk_small_tile *)hk_tile_memory;
    const int valid = (int)how.n;
    const hk_bits *const from = how.key_in + blockIdx.x * how.n;
    hk_bits *const to = how.key_out + blockIdx.x * how.keep;
    const int mine = (int)threadIdx.x / HK_WARP * HK_ROWS * HK_WARP + hk_lane();
    hk_bits key[HK_ROWS];
    uint32_t index[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        index[r] = (uint32_t)(mine + r * HK_WARP);
        key[r] = hk_last_key();
        if ((int)index[r] < valid) key[r] = hk_key_from(from[index[r]]);
    }
    const hk_bits first = hk_key_from(from[0]);
    const uint64_t differs = hk_bits_that_differ(tile, key, first, mine, valid);
#pragma unroll 1
    for (int shift = 0; shift < 8 * (int)sizeof(hk_bits); shift += HK_DIGIT_BITS)
        if ((differs >> shift & (HK_RADIX - 1)) != 0) hk_sort_digit(tile, key, index, mine, shift);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (how.keeps_keys && mine + r * HK_WARP < how.keep) to[mine + r * HK_WARP] = key[r];
    hk_move_values(&how, index, mine, valid);
}
