// SPDX-License-Identifier: Apache-2.0
//
// sort_pass (onesweep, Adinets and Merrill 2022): keys, and values with them, in the stable order
// of one digit, by decoupled look-back for each digit. A warp ranks its rows; a block publishes how
// many it has of each digit, brings its elements into order in shared memory, looks back, and
// writes each digit's elements to consecutive addresses.
#include "device/kernel.cuh"
#include "sort/rank.cuh"

#define HK_CHUNK (HK_ROWS * HK_WARP)
#define HK_TILE  (HK_WARPS * HK_CHUNK)
#define HK_STEPS HK_ITEMS // tiles that are asked for at once

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

HK_FN hk_sides hk_sides_of(const hk_sort_how *how, hk_sort_pass pass)
{
    hk_sides s;
    s.key = pass.from == HK_FROM_IN  ? how->key_in
            : pass.from == HK_IN_OUT ? how->key_out
                                     : how->key_spare;
    s.value = pass.from == HK_FROM_IN  ? how->value_in
              : pass.from == HK_IN_OUT ? how->value_out
                                       : how->value_spare;
    s.key_to = pass.to == HK_IN_OUT ? how->key_out : how->key_spare;
    s.value_to = pass.to == HK_IN_OUT ? how->value_out : how->value_spare;
    if (pass.last && !how->keeps_keys) s.key_to = 0;
    s.iota = pass.from == HK_FROM_IN && how->value_in == 0;
    return s;
}

HK_FN hk_value hk_value_at(const hk_sides *s, int64_t i)
{
#if HK_VALUE_BYTES == 4 || HK_VALUE_BYTES == 8
    if (s->iota) return (hk_value)i;
#endif
    return s->value[i];
}

// A whole tile has all its loads under way at once.
HK_FN void hk_copy_whole_tile(const hk_sides *s, int64_t first)
{
    first += threadIdx.x;
    if (s->key_to != 0) {
        hk_bits key[HK_ROWS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) key[r] = s->key[first + r * HK_THREADS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) s->key_to[first + r * HK_THREADS] = hk_key_from(key[r]);
    }
#if HK_VALUE_BYTES > 0
    hk_value value[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) value[r] = hk_value_at(s, first + r * HK_THREADS);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) s->value_to[first + r * HK_THREADS] = value[r];
#endif
}

HK_FN void hk_copy_tile(const hk_sides *s, int64_t first, int valid)
{
    if (valid == HK_TILE) {
        hk_copy_whole_tile(s, first);
        return;
    }
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < valid; k += HK_THREADS) {
        if (s->key_to != 0) s->key_to[first + k] = hk_key_from(s->key[first + k]);
        if (HK_VALUE_BYTES > 0) s->value_to[first + k] = hk_value_at(s, first + k);
    }
}

// Asks for the words of digit threadIdx.x of HK_STEPS tiles, from `at` down, to be looked at later.
HK_FN void hk_ask(const uint64_t *word, int at, uint64_t tag, uint64_t *w)
{
#pragma unroll
    for (int q = 0; q < HK_STEPS; q++) // before the first tile there is nothing
        w[q] = at >= q ? hk_load_relaxed_64(word + (int64_t)(at - q) * HK_RADIX + threadIdx.x)
                       : tag | HK_UP_TO;
}

// What the tiles before have of the digit; w: what was asked for of those next to this.
HK_FN uint64_t hk_look_back(const uint64_t *word, int at, uint64_t tag, uint64_t *w)
{
    uint64_t before = 0;
    for (bool looking = true;;) {
        bool here = true; // so far
#pragma unroll
        for (int q = 0; q < HK_STEPS; q++) {
            here = here && looking && w[q] >= (tag | HK_OWN);
            if (!here) continue;
            before += w[q] & (HK_OWN - 1);
            looking = w[q] < (tag | HK_UP_TO);
            at--;
        }
        if (!looking) return before;
        hk_ask(word, at, tag, w);
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    sort_pass(const __grid_constant__ hk_sort_how how)
{
    hk_begin();
    hk_sort_tile *const tile = (hk_sort_tile *)hk_tile_memory;
    hk_sort_control *const control = how.control;
    const hk_sort_pass pass = control->pass[how.pass];
    const uint32_t epoch = control->epoch + (uint32_t)how.pass;
    if (pass.does == HK_PASS_SKIPPED) return;
    const hk_sides sides = hk_sides_of(&how, pass);
    const int64_t first = blockIdx.x * (int64_t)HK_TILE;
    const int valid = how.n - first < HK_TILE ? (int)(how.n - first) : HK_TILE;
    if (pass.does == HK_PASS_COPIES) {
        hk_copy_tile(&sides, first, valid);
        return;
    }
    const int warp = (int)threadIdx.x / HK_WARP, mine = warp * HK_CHUNK + hk_lane();
    const int shift = how.pass * HK_DIGIT_BITS;
    hk_position digit_begin = 0;
    if (threadIdx.x < HK_RADIX)
        digit_begin = (hk_position)control->begin[how.pass * HK_RADIX + threadIdx.x];
    // A tile that is not full has keys behind the last, which come behind all others.
    hk_bits key[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        key[r] = hk_last_key();
        if (mine + r * HK_WARP < valid) key[r] = hk_key_from(sides.key[first + mine + r * HK_WARP]);
    }
#pragma unroll
    for (int k = 0; k < HK_RADIX / HK_WARP; k++)
        tile->counts[warp * HK_RADIX + k * HK_WARP + hk_lane()] = 0;
    hk_warp_barrier();
    uint32_t rank[HK_ROWS];
    const uint32_t below = hk_lanes_below();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        rank[r] = hk_rank_of(tile->counts + warp * HK_RADIX, hk_digit(key[r], shift), below);
    hk_block_barrier();
    const uint64_t tag = hk_tag_of(epoch);
    const uint32_t all = hk_sum_of_warps(tile->counts);
    const uint32_t own = threadIdx.x == HK_RADIX - 1 ? all - (uint32_t)(HK_TILE - valid) : all;
    uint64_t w[HK_STEPS];
    if (threadIdx.x < HK_RADIX) {
        hk_store_relaxed_64(how.word + blockIdx.x * (int64_t)HK_RADIX + threadIdx.x,
                            tag | (blockIdx.x > 0 ? HK_OWN : HK_UP_TO) | own);
        hk_ask(how.word, (int)blockIdx.x - 1, tag, w); // answers come while the tile is ordered
    }
    const uint32_t begin = hk_begin_digits(tile->counts, all, tile->of_warp);
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        rank[r] += tile->counts[warp * HK_RADIX + hk_digit(key[r], shift)];
        hk_staged_keys()[rank[r]] = key[r];
    }
#if HK_VALUE_BYTES > 0
    hk_value value[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (mine + r * HK_WARP < valid) value[r] = hk_value_at(&sides, first + mine + r * HK_WARP);
#endif
    if (threadIdx.x < HK_RADIX) {
        const uint64_t before = hk_look_back(how.word, (int)blockIdx.x - 1, tag, w);
        if (blockIdx.x > 0)
            hk_store_relaxed_64(how.word + blockIdx.x * (int64_t)HK_RADIX + threadIdx.x,
                                tag | HK_UP_TO | (before + own));
        tile->base[threadIdx.x] = digit_begin + (hk_position)before - (hk_position)begin;
    }
#if HK_VALUE_BYTES > 0
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (mine + r * HK_WARP < valid) hk_staged_values()[rank[r]] = value[r];
#endif
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int k = r * HK_THREADS + (int)threadIdx.x;
        if (k >= valid) continue;
        const hk_bits x = hk_staged_keys()[k];
        const hk_position to = tile->base[hk_digit(x, shift)] + (hk_position)k;
        if (sides.key_to != 0) sides.key_to[to] = x;
#if HK_VALUE_BYTES > 0
        sides.value_to[to] = hk_staged_values()[k];
#endif
    }
}
