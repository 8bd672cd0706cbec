// SPDX-License-Identifier: Apache-2.0
//
// sweep_tiles: elements in the order of a digit of their keys, equal ones as they were, in one pass. A block counts its
// digits and tells other blocks; lanes of a row with the same digit find each other by ballots; elements lie in order
// in shared memory before the block looks back for each digit and writes them. Where a word says so, elements go to
// the places that are their keys instead: HD_AT_ONCE is 1 where no key comes twice, 2 where places are to be claimed.
#include "device/kernel.cuh"
#include "device/lookback.cuh"
#include "move/claims.cuh"
#include "sort/digits.cuh"

#define HD_CHUNK (HD_ROWS * HD_WARP)
#define HD_TILE  (HD_WARPS * HD_CHUNK)
// Whether keys lie beside elements in shared memory, else they take their place. 2^28 i32 on an H200, two sweeps of 7
// bits took 0.45 ms less with keys beside, of 8 bits 0.75 more; both written at the same time took a sixth longer.
#define HD_BESIDE (HD_KEYS && HD_BITS < 8)

struct hd_sweep_out {
    hd_view out, indices, keys;
    hd_view place; // from here on for HD_AT_ONCE
    const uint32_t *at_once;
    uint64_t *bad; // receives ~i of the first key out of range; 0: nobody asks
    hd_claims claims;
};

struct hd_sweep_block {
    uint64_t turn[3];
    uint32_t of_warp[HD_WARPS][HD_DIGITS]; // counts; then where a warp's begin in the block
    int64_t base[HD_DIGITS]; // where place 0 of the block would be, by the digit there
    uint32_t count[HD_DIGITS], begin[HD_DIGITS], sums[HD_WARPS];
    uint8_t digit[HD_TILE]; // by place
};

// The lanes with the same digit, of those that have an element.
HD_FN uint32_t hd_same_digit(uint32_t digit, bool valid)
{
    uint32_t same = hd_ballot(valid);
#pragma unroll
    for (int b = 0; b < HD_BITS; b++)
        asm volatile("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, %2; setp.ne.u32 p, t, 0;"
                     " vote.sync.ballot.b32 t, p, 0xffffffff; @!p not.b32 t, t;"
                     " and.b32 %0, %0, t; }"
                     : "+r"(same)
                     : "r"(digit), "r"(1u << b));
    return same;
}

HD_FN void hd_clear_digits(hd_sweep_block *b)
{
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < HD_WARPS * HD_DIGITS; k += HD_THREADS)
        (&b->of_warp[0][0])[k] = 0;
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < HD_DIGITS; k += HD_THREADS) b->count[k] = 0;
    hd_block_barrier();
}

// Counts the digits of a tile, and tells the blocks behind. `valid` elements of the warp are there.
HD_FN hd_turn hd_tell_digits(hd_sweep_block *b, const hd_state *state, hd_asked asked,
                             const uint32_t *digit, int valid)
{
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (r * HD_WARP + hd_lane() < valid) hd_add_in_block(b->count + digit[r], 1);
    if (threadIdx.x == 0) hd_tell_turn(asked, blockIdx.x, b->turn);
    hd_block_barrier();
    const hd_turn turn = hd_turn_of(state, b->turn);
#pragma unroll 1
    for (int d = (int)threadIdx.x; d < HD_DIGITS; d += HD_THREADS)
        hd_store_relaxed_64(turn.word + turn.tile * HD_DIGITS + d,
                            (turn.tile > 0 ? HD_PART : HD_WHOLE) | b->count[d]);
    return turn;
}

// Behind the digits of a warp's elements, eight bits each: their ranks among those before them in the warp
// with the same digit. The first lane of a digit counts for all.
HD_FN void hd_rank(uint32_t *of_warp, uint32_t *place, int valid)
{
    const uint32_t below = (1u << hd_lane()) - 1;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const uint32_t same = hd_same_digit(place[r], r * HD_WARP + hd_lane() < valid);
        uint32_t before = 0;
        if (r * HD_WARP + hd_lane() < valid && (same & below) == 0)
            before = hd_add_in_block(of_warp + place[r], (uint32_t)hd_popc((int)same));
        const int leader = 31 - hd_clz(same & (0u - same));
        const uint32_t rank = hd_word_from(before, leader) + (uint32_t)hd_popc((int)(same & below));
        place[r] |= rank << 8;
    }
}

#define HD_STEPS 4 // tiles that are asked for at once

// What the tiles before have of digit d, of which this one has told.
HD_FN uint64_t hd_look_back_digit(uint64_t *word, int64_t tile, int d, uint64_t mine)
{
    uint64_t before = 0;
    bool far = tile > 0;
#pragma unroll 1
    for (int64_t at = tile - 1; far;) {
        uint64_t w[HD_STEPS];
        bool here = true; // so far
#pragma unroll
        for (int q = 0; q < HD_STEPS; q++) // before the first tile there is nothing
            w[q] = at >= q ? hd_load_relaxed_64(word + (at - q) * HD_DIGITS + d) : HD_WHOLE;
#pragma unroll
        for (int q = 0; q < HD_STEPS; q++) {
            here = here && far && w[q] >= HD_PART;
            if (!here) continue;
            before += w[q] & (HD_PART - 1);
            far = w[q] < HD_WHOLE;
            at--;
        }
    }
    if (tile > 0) hd_store_relaxed_64(word + tile * HD_DIGITS + d, HD_WHOLE | (before + mine));
    return before;
}

// Where each digit begins in the block, and where that of each warp does.
HD_FN void hd_place_digits(hd_sweep_block *b)
{
    const int warp = (int)threadIdx.x / HD_WARP;
    uint32_t before = 0; // of the digits before
#pragma unroll 1
    for (int first = 0; first < HD_DIGITS; first += HD_THREADS) {
        const int d = first + (int)threadIdx.x;
        const uint32_t own = d < HD_DIGITS ? b->count[d] : 0, to = hd_sum_to_lane(own);
        if (hd_lane() == 31) b->sums[warp] = to;
        hd_block_barrier();
        uint32_t at = before + to - own;
        for (int w = 0; w < HD_WARPS; w++) {
            if (w < warp) at += b->sums[w];
            before += b->sums[w];
        }
        if (d < HD_DIGITS) {
            b->begin[d] = at;
            for (int w = 0; w < HD_WARPS; w++) {
                const uint32_t count = b->of_warp[w][d];
                b->of_warp[w][d] = at;
                at += count;
            }
        }
        hd_block_barrier();
    }
}

// Where they begin in the output, which has digits from `begin` on.
HD_FN void hd_ask_digits(hd_sweep_block *b, const hd_turn *turn, const uint64_t *begin)
{
#pragma unroll 1
    for (int d = (int)threadIdx.x; d < HD_DIGITS; d += HD_THREADS) {
        const uint64_t sum = hd_look_back_digit(turn->word, turn->tile, d, b->count[d]);
        b->base[d] = (int64_t)(begin[d] + sum) - b->begin[d];
    }
}

// Of the last lane: where the next element's key is the same that one is written, not this. `rest` elements are
// there from the first one on.
HD_FN void hd_drop_last(const hd_inputs *in, const hd_sweep_how *how, int64_t first, int rest,
                        const hd_element *e, hd_memory_space *at)
{
    hd_memory_space next[HD_CLAIMS];
    if (hd_lane() < HD_WARP - 1) rest = 0;
#pragma unroll
    for (int r = 0; r < HD_CLAIMS; r++) {
        const int64_t i = first + r * HD_WARP + 1;
        next[r] = HD_NONE;
        if (r * HD_WARP + 1 < rest)
            next[r] = hd_place_of((int64_t)hd_label_one(in, i, e[r]), how->ways);
    }
#pragma unroll
    for (int r = 0; r < HD_CLAIMS; r++)
        if (next[r] == at[r]) at[r] = HD_NONE;
}

// The elements of a tile to their places.
HD_FN void hd_write_tile(const hd_inputs *in, const hd_sweep_how *how, int64_t tile,
                         const hd_sweep_out *to)
{
    const int64_t chunk = tile * HD_TILE + (int64_t)(threadIdx.x / HD_WARP) * HD_CHUNK;
#pragma unroll 1
    for (int some = 0; some < HD_ROWS; some += HD_CLAIMS) {
        const int64_t first = chunk + some * HD_WARP + hd_lane();
        const int rest = how->n - first < HD_TILE ? (int)(how->n - first) : HD_TILE;
        hd_element e[HD_CLAIMS];
        int64_t given[HD_CLAIMS];
        hd_memory_space at[HD_CLAIMS];
#pragma unroll
        for (int r = 0; r < HD_CLAIMS; r++) {
            given[r] = -1;
            if (r * HD_WARP >= rest) continue;
            e[r] = hd_one_0(in, first + r * HD_WARP);
            given[r] = (int64_t)hd_label_one(in, first + r * HD_WARP, e[r]);
        }
#pragma unroll
        for (int r = 0; r < HD_CLAIMS; r++) at[r] = hd_place_of(given[r], how->ways);
        if (to->bad != 0) {
#pragma unroll
            for (int r = 0; r < HD_CLAIMS; r++)
                if (at[r] == HD_NONE && r * HD_WARP < rest)
                    hd_most_to_long(to->bad, ~(uint64_t)(first + r * HD_WARP));
        }
        if (HD_AT_ONCE == 2) {
            hd_drop_last(in, how, first, rest, e, at);
            hd_claim(&to->claims, at);
        }
#pragma unroll
        for (int r = 0; r < HD_CLAIMS; r++)
            if (at[r] != HD_NONE) hd_put_place(&to->place, at[r], e[r]);
    }
}

// ---- A tile in the order of its digits ------------------------------------------------------------

// A warp's elements: their keys, and their digits, behind which hd_rank puts their ranks; then their places.
struct hd_sweep_chunk {
    hd_element e[HD_ROWS];
    hd_key key[HD_ROWS];
    uint32_t place[HD_ROWS];
    int count; // may be less than none, or more than all
};

HD_FN bool hd_is_there(const hd_sweep_chunk *c, int r)
{
    return r * HD_WARP + hd_lane() < c->count;
}

// Nothing is made of elements and labels before all are asked for.
HD_FN void hd_read_chunk(const hd_inputs *in, const hd_sweep_how *how, int64_t first,
                         hd_sweep_chunk *c)
{
    const int64_t mine = hd_opaque(first + hd_lane());
    hd_label label[HD_ROWS] = {};
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (hd_is_there(c, r)) {
            c->e[r] = hd_one_0(in, mine + r * HD_WARP);
            label[r] = hd_label_one(in, mine + r * HD_WARP, c->e[r]);
        }
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        c->key[r] = hd_key_of((int64_t)label[r], how->ways);
        c->place[r] = (uint32_t)(c->key[r] >> how->shift) & (HD_DIGITS - 1);
    }
}

HD_FN hd_key *hd_staged_keys(char *stage)
{
    return (hd_key *)(stage + (HD_BESIDE ? (HD_TILE * sizeof(hd_element) + 7) / 8 * 8 : 0));
}

// Puts elements, and keys where they lie beside them, where they belong in the tile.
HD_FN void hd_stage_chunk(hd_sweep_block *b, hd_sweep_chunk *c, char *stage)
{
    const int warp = (int)threadIdx.x / HD_WARP;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const uint32_t digit = c->place[r] & 255;
        c->place[r] = (c->place[r] >> 8) + b->of_warp[warp][digit];
        if (!hd_is_there(c, r)) continue;
        ((hd_element *)stage)[c->place[r]] = c->e[r];
        b->digit[c->place[r]] = (uint8_t)digit;
        if (HD_BESIDE) hd_staged_keys(stage)[c->place[r]] = c->key[r];
    }
}

HD_FN void hd_write_elements(const hd_sweep_block *b, const hd_view *out, const char *stage,
                             int valid)
{
    const hd_element *elements = (const hd_element *)stage;
#pragma unroll 4
    for (int k = (int)threadIdx.x; k < valid; k += HD_THREADS)
        hd_put(out, b->base[b->digit[k]] + k, elements[k]);
}

HD_FN void hd_write_indices(const hd_sweep_block *b, const hd_sweep_chunk *c, const hd_view *out,
                            char *stage, int64_t tile, int valid)
{
    const int first = (int)threadIdx.x / HD_WARP * HD_CHUNK;
    hd_block_barrier();
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (hd_is_there(c, r))
            ((uint16_t *)stage)[c->place[r]] = (uint16_t)(first + r * HD_WARP + hd_lane());
    hd_block_barrier();
    for (int k = (int)threadIdx.x; k < valid; k += HD_THREADS)
        hd_put_index(out, b->base[b->digit[k]] + k, tile + ((const uint16_t *)stage)[k]);
}

HD_FN void hd_write_keys(const hd_sweep_block *b, const hd_sweep_chunk *c, const hd_view *out,
                         char *stage, int valid)
{
    hd_key *const keys = hd_staged_keys(stage);
    if (!HD_BESIDE) {
        hd_block_barrier();
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            if (hd_is_there(c, r)) keys[c->place[r]] = c->key[r];
        hd_block_barrier();
    }
#pragma unroll 4
    for (int k = (int)threadIdx.x; k < valid; k += HD_THREADS)
        hd_put_key(out, b->base[b->digit[k]] + k, keys[k]);
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    sweep_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_sweep_how how,
                hd_state state, const uint64_t *begin, const uint64_t *stop,
                const __grid_constant__ hd_sweep_out to)
{
    hd_begin();
    __shared__ hd_sweep_block block;
    __shared__ __align__(16) char stage[HD_STAGE_BYTES];
    if (HD_AT_ONCE && *to.at_once != 0) {
        hd_write_tile(&in, &how, blockIdx.x, &to);
        return;
    }
    if (stop != 0 && *stop != 0) return;
    const int warp = (int)threadIdx.x / HD_WARP;
    const int64_t tile = blockIdx.x * (int64_t)HD_TILE, first = tile + (int64_t)warp * HD_CHUNK;
    const int valid = how.n - tile < HD_TILE ? (int)(how.n - tile) : HD_TILE;
    hd_asked asked = {};
    if (threadIdx.x == 0) asked = hd_ask_turn(&state);
    hd_clear_digits(&block);
    hd_sweep_chunk chunk = {};
    chunk.count = valid - warp * HD_CHUNK;
    hd_read_chunk(&in, &how, first, &chunk);
    const hd_turn turn = hd_tell_digits(&block, &state, asked, chunk.place, chunk.count);
    uint32_t left_before = 0; // blocks
    if (threadIdx.x == 0) left_before = hd_leave_turn(&state);
    hd_rank(block.of_warp[warp], chunk.place, chunk.count);
    hd_place_digits(&block);
    hd_stage_chunk(&block, &chunk, stage);
    hd_ask_digits(&block, &turn, begin);
    hd_block_barrier();
    hd_write_elements(&block, &to.out, stage, valid);
    if (HD_INDICES) hd_write_indices(&block, &chunk, &to.indices, stage, tile, valid);
    if (HD_KEYS) hd_write_keys(&block, &chunk, &to.keys, stage, valid);
    if (threadIdx.x == 0) hd_end_turn(&state, left_before, how.tiles * HD_DIGITS);
}
