// SPDX-License-Identifier: Apache-2.0
//
// A tile of a radix pass by onesweep (Adinets and Merrill 2022): keys, and values with them, in the
// stable order of one digit, by decoupled look-back for each digit. A warp ranks its rows; a block
// publishes how many it has of each digit, brings its elements into order in shared memory, looks
// back, and writes each digit's elements to consecutive addresses. Counts are those of the ranking,
// or (HK_EARLY_COUNTS) atomics count first, so that words are published, and asked for, before keys
// are ranked.
#pragma once
#include "sort/rank.cuh"

#define HK_CHUNK (HK_ROWS * HK_WARP)
#define HK_TILE  (HK_WARPS * HK_CHUNK)
#define HK_STEPS HK_ITEMS // tiles that are asked for at once

#define HK_EARLY_COUNTS HK_DIRECT

#if HK_WIDE
typedef int64_t hk_position;
#else
typedef uint32_t hk_position;
#endif

extern __shared__ __align__(16) char hk_tile_memory[];

struct hk_sort_tile {
    uint32_t counts[HK_WARPS * HK_RADIX]; // of each warp's digits; then where they begin
    hk_position base[HK_RADIX];           // what is added to an index within the tile, by digit
    uint32_t of_warp[HK_RADIX / HK_WARP];
    uint32_t ticket;
};

HK_FN hk_bits *hk_staged_keys(void)
{
    return (hk_bits *)(hk_tile_memory + (sizeof(hk_sort_tile) + 15) / 16 * 16);
}

HK_FN hk_value *hk_staged_values(void)
{
    return (hk_value *)((char *)hk_staged_keys() + (HK_TILE * sizeof(hk_bits) + 15) / 16 * 16);
}

struct hk_sides {
    const hk_bits *key;
    hk_bits *key_to;
    const hk_value *value;
    hk_value *value_to;
    bool iota; // values are indices
};

HK_FN hk_value hk_value_at(const hk_sides *s, int64_t i)
{
#if HK_VALUE_BYTES == 4 || HK_VALUE_BYTES == 8
    if (s->iota) return (hk_value)i;
#endif
    return s->value[i];
}

// The address of shared memory, of 32 bits.
HK_FN uint32_t hk_shared_address(const void *p)
{
    uint32_t at;
    asm("{ .reg .u64 q; cvta.to.shared.u64 q, %1; cvt.u32.u64 %0, q; }" : "=r"(at) : "l"(p));
    return at;
}

HK_FN void hk_count_at(uint32_t address)
{
    asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;" : : "r"(address) : "memory");
}

// Asks for the words of digit threadIdx.x of HK_STEPS tiles, from `at` down, to be looked at later.
HK_FN void hk_poll(const uint64_t *word, int at, uint64_t tag, uint64_t *w)
{
#pragma unroll
    for (int q = 0; q < HK_STEPS; q++) // before the first tile there is nothing
        w[q] = at >= q ? hk_load_relaxed_64(word + (int64_t)(at - q) * HK_RADIX + threadIdx.x)
                       : tag | HK_COUNT_PREFIX;
}

// What the tiles before have of the digit; w: what was asked for of those next to this.
HK_FN uint64_t hk_look_back(const uint64_t *word, int at, uint64_t tag, uint64_t *w)
{
    uint64_t before = 0;
    for (bool looking = true;;) {
        bool here = true; // so far
#pragma unroll
        for (int q = 0; q < HK_STEPS; q++) {
            here = here && looking && w[q] >= (tag | HK_COUNT_AGGREGATE);
            if (!here) continue;
            before += w[q] & (HK_COUNT_AGGREGATE - 1);
            looking = w[q] < (tag | HK_COUNT_PREFIX);
            at--;
        }
        if (!looking) return before;
        hk_poll(word, at, tag, w);
    }
}

// A tile of a sequence, from element `first` on; `begin` is where digit threadIdx.x begins, which
// the sequence's first tile alone needs to know: it publishes that with its own counts.
struct hk_tile_at {
    int64_t first;
    int valid;
    int number; // of its words
    bool is_first;
};

// Tile `number` of n elements.
HK_FN hk_tile_at hk_tile_of(int64_t n, int64_t number)
{
    const int64_t first = number * HK_TILE, left = n - first;
    const int valid = left < HK_TILE ? (int)left : HK_TILE;
    const hk_tile_at at = {first, valid, (int)number, number == 0};
    return at;
}

// A tile that is not full has keys behind the last, which come behind all others.
HK_FN void hk_load_keys(const hk_sides *sides, const hk_tile_at *at, hk_bits *key)
{
    const int mine = (int)threadIdx.x / HK_WARP * HK_CHUNK + hk_lane();
    const hk_bits *const from = sides->key + at->first + mine;
    if (at->valid == HK_TILE) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) key[r] = hk_key_from(from[r * HK_WARP]);
        return;
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        key[r] = hk_last_key();
        if (mine + r * HK_WARP < at->valid) key[r] = hk_key_from(from[r * HK_WARP]);
    }
}

// The staged elements of a tile in the order of their digits: neighbouring lanes write neighbours.
HK_FN void hk_write_tile(const hk_sort_tile *tile, const hk_sides *sides, int valid, int shift)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int k = r * HK_THREADS + (int)threadIdx.x;
        if (k >= valid) continue;
        const hk_bits x = hk_staged_keys()[k];
        const hk_position to = tile->base[hk_digit(x, shift)] + (hk_position)k;
        if (sides->key_to != 0) sides->key_to[to] = x;
#if HK_VALUE_BYTES > 0
        sides->value_to[to] = hk_staged_values()[k];
#endif
    }
}

HK_FN void hk_pass_tile(hk_sort_tile *tile, const hk_sides *sides, hk_tile_at at, uint64_t *word,
                        uint64_t begin, int shift, uint64_t tag)
{
    const int64_t first = at.first;
    const int valid = at.valid, number = at.number;
    const bool is_first = at.is_first;
    hk_bits key[HK_ROWS];
    hk_load_keys(sides, &at, key);
    const int warp = (int)threadIdx.x / HK_WARP, mine = warp * HK_CHUNK + hk_lane();
#pragma unroll
    for (int k = 0; k < HK_RADIX / HK_WARP; k++)
        tile->counts[warp * HK_RADIX + k * HK_WARP + hk_lane()] = 0;
    hk_warp_barrier();
    uint32_t rank[HK_ROWS];
    const uint32_t below = hk_lanes_below();
    uint32_t *const counts = tile->counts + warp * HK_RADIX;
#if HK_EARLY_COUNTS
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        hk_count_at(hk_shared_address(counts) + hk_digit(key[r], shift) * 4);
#else
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) rank[r] = hk_rank_of(counts, hk_digit(key[r], shift), below);
#endif
    hk_block_barrier();
    const uint32_t all = hk_sum_of_warps(tile->counts);
    const uint32_t own = threadIdx.x == HK_RADIX - 1 ? all - (uint32_t)(HK_TILE - valid) : all;
    uint64_t w[HK_STEPS];
    if (threadIdx.x < HK_RADIX) {
        hk_store_relaxed_64(
            word + number * (int64_t)HK_RADIX + threadIdx.x,
            tag | (is_first ? HK_COUNT_PREFIX | (begin + own) : HK_COUNT_AGGREGATE | own));
        if (!HK_EARLY_COUNTS && !is_first) hk_poll(word, number - 1, tag, w);
    }
    const uint32_t begin_here = hk_begin_digits(tile->counts, all, tile->of_warp);
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) { // answers come meanwhile
#if HK_EARLY_COUNTS
        if (r == HK_ROWS * 3 / 4 && threadIdx.x < HK_RADIX && !is_first)
            hk_poll(word, number - 1, tag, w);
        rank[r] = hk_rank_of(counts, hk_digit(key[r], shift), below);
#else
        rank[r] += counts[hk_digit(key[r], shift)];
#endif
        hk_staged_keys()[rank[r]] = key[r];
    }
#if HK_VALUE_BYTES > 0
    hk_value value[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (mine + r * HK_WARP < valid) value[r] = hk_value_at(sides, first + mine + r * HK_WARP);
#endif
    if (threadIdx.x < HK_RADIX) {
        uint64_t before = begin;
        if (!is_first) {
            before = hk_look_back(word, number - 1, tag, w);
            hk_store_relaxed_64(word + number * (int64_t)HK_RADIX + threadIdx.x,
                                tag | HK_COUNT_PREFIX | (before + own));
        }
        tile->base[threadIdx.x] = (hk_position)before - (hk_position)begin_here;
    }
#if HK_VALUE_BYTES > 0
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (mine + r * HK_WARP < valid) hk_staged_values()[rank[r]] = value[r];
#endif
    hk_block_barrier();
    hk_write_tile(tile, sides, valid, shift);
}
