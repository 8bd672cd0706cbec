// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of top k and of elements by rank share: their memory, the keys of a tile in
// registers, and marked keys on their way to memory in the order of their indices.
#pragma once
#include "device/lanes.cuh"
#include "sort/order.cuh"

#define HK_UNIT_KEYS ((int)(16 / sizeof(hk_bits)))
#define HK_WARP_KEYS (HK_ROWS * HK_WARP * HK_UNIT_KEYS)
#define HK_TILE      ((int64_t)HK_WARPS * HK_WARP_KEYS)

// In device memory, zero when a call begins.
struct hk_top_control {
    uint32_t done;             // blocks of a launch: zero between those of top_count
    uint32_t exact;            // the candidates are none: a radix select has the word
    uint64_t count;            // candidates
    uint64_t prefix;           // of the element of the wanted rank: the digits that are known
    uint64_t rank;             // of it, among the elements with this prefix
    uint64_t digits[HK_RADIX]; // of these: zero between launches
};

// Of top_exact, zero when a call begins.
#define HK_PHASES_MAX 12
struct hk_top_exact {
    uint32_t ticket;
    uint32_t finished[HK_PHASES_MAX]; // tasks of each phase
    uint64_t digits[8][HK_RADIX];     // of the keys that have the rank: those of each pass
};

// What a tile has: candidates and where they are; in a radix select elements that come before the
// one of the wanted rank, and elements that equal it.
struct hk_top_tile {
    uint32_t count, ties;
    uint64_t base;             // in the pool
    uint64_t begin, tie_begin; // of those in all tiles before it
};

struct hk_top_how {
    int64_t n, tiles;
    int64_t k;        // elements that are wanted
    int64_t room;     // of the pool, and for candidates
    int64_t stride;   // top_sample: keys of which it takes one
    int64_t bound;    // which key of the sample bounds the candidates
    int64_t counters; // words of control and exact
    int32_t pass;     // of top_count: the digit, the highest first
    int32_t known;    // no candidates were looked for: a radix select
    const hk_bits *key;
    hk_top_control *control;
    hk_top_exact *exact;
    hk_top_tile *tile;
    hk_bits *sample;
    hk_bits *pool_key, *candidate;
    hk_value *pool_index, *index;
};

union hk_unit {
    uint32_t w[4];
    hk_bits x[HK_UNIT_KEYS];
};

// Keys are read by 16 bytes at multiples of these: so many keys of the first unit are not there.
HK_FN int hk_keys_missing(const hk_top_how *how)
{
    return (int)(((uint64_t)how->key & 15) / sizeof(hk_bits));
}

// The index of the first key of this thread in a tile. Those of a warp are together, row by row.
HK_FN int64_t hk_first_key(const hk_top_how *how, int64_t tile)
{
    return tile * HK_TILE - hk_keys_missing(how) + (int64_t)(threadIdx.x / HK_WARP) * HK_WARP_KEYS +
           hk_lane() * HK_UNIT_KEYS;
}

// The keys of this thread: bit r * HK_UNIT_KEYS + j of the result says that key j of row r is
// there.
HK_FN uint32_t hk_load_keys(const hk_top_how *how, int64_t tile, hk_unit *x)
{
    const int64_t first = hk_first_key(how, tile), begin = tile * HK_TILE - hk_keys_missing(how);
    if (begin >= 0 && begin + HK_TILE <= how->n) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            hk_read_16(how->key + first + r * HK_WARP * HK_UNIT_KEYS, x[r].w);
        return HK_ROWS * HK_UNIT_KEYS == 32 ? HK_ALL : (1u << (HK_ROWS * HK_UNIT_KEYS % 32)) - 1;
    }
    uint32_t there = 0;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_UNIT_KEYS; j++) {
            const int64_t i = first + r * HK_WARP * HK_UNIT_KEYS + j;
            const bool is_there = i >= 0 && i < how->n;
            x[r].x[j] = is_there ? how->key[i] : hk_last_key();
            if (is_there) there |= 1u << (r * HK_UNIT_KEYS + j);
        }
    return there;
}

HK_FN hk_bits hk_order_of(hk_bits x)
{
    return hk_order(hk_key_from(x));
}

// Marked keys of a warp and their indices, from `to` on, as far as `end`.
HK_FN void hk_put_marked(const hk_unit *x, uint32_t marks, int64_t first, hk_bits *key,
                         hk_value *index, int64_t to, int64_t end)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const uint32_t row = marks >> (r * HK_UNIT_KEYS) & (uint32_t)((1ull << HK_UNIT_KEYS) - 1);
        if (hk_ballot(row != 0) == 0) continue;
        const uint32_t own = (uint32_t)hk_popc((int)row), up_to = hk_sum_to_lane(own);
        int64_t at = to + up_to - own;
        to += hk_word_from(up_to, HK_WARP - 1);
#pragma unroll
        for (int j = 0; j < HK_UNIT_KEYS; j++) {
            if ((row >> j & 1) == 0) continue;
            if (at < end) {
                key[at] = x[r].x[j];
                index[at] = (hk_value)(first + r * HK_WARP * HK_UNIT_KEYS + j);
            }
            at++;
        }
    }
}
