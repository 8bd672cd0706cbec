// SPDX-License-Identifier: Apache-2.0
//
// radix_pass (onesweep, Adinets and Merrill 2022): elements in the stable order of a digit of their
// keys, in one pass by decoupled look-back for each digit. A block counts its digits and publishes
// the counts; lanes of a row with the same digit find each other by ballots; elements lie in order
// in shared memory before the block looks back and writes them. Where a word says so, elements are
// scattered to the destinations that are their keys instead: HK_AT_ONCE is 1 where no key comes
// twice, 2 where destinations are test-and-set (move/destination_bitmap.cuh).
#include "device/kernel.cuh"
#include "device/lookback.cuh"
#include "move/destination_bitmap.cuh"
#include "sort/digits.cuh"

#define HK_CHUNK (HK_ROWS * HK_WARP)
#define HK_TILE  (HK_WARPS * HK_CHUNK)
// Whether keys lie beside elements in shared memory, else they take their place. 2^28 i32 on an
// H200, two passes of 7 bits took 0.45 ms less with keys beside, of 8 bits 0.75 more; both written
// at the same time took a sixth longer.
#define HK_BESIDE (HK_KEYS && HK_BITS < 8)

struct hk_radix_out {
    hk_view out, indices, keys;
    hk_view destination; // from here on for HK_AT_ONCE
    const uint32_t *at_once;
    uint64_t *bad; // receives ~i of the first key out of range; 0: nobody asks
    hk_destination_bitmap bitmap;
};

struct hk_radix_block {
    uint64_t ticket[3];
    uint32_t of_warp[HK_WARPS][HK_DIGITS]; // counts; then where a warp's begin in the block
    int64_t base[HK_DIGITS];               // where rank 0 of the block would be, by the digit there
    uint32_t count[HK_DIGITS], begin[HK_DIGITS], sums[HK_WARPS];
    uint8_t digit[HK_TILE]; // by rank
};

// The lanes with the same digit, of those that have an element.
HK_FN uint32_t hk_same_digit(uint32_t digit, bool valid)
{
    uint32_t same = hk_ballot(valid);
#pragma unroll
    for (int b = 0; b < HK_BITS; b++)
        asm volatile("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, %2; setp.ne.u32 p, t, 0;"
                     " vote.sync.ballot.b32 t, p, 0xffffffff; @!p not.b32 t, t;"
                     " and.b32 %0, %0, t; }"
                     : "+r"(same)
                     : "r"(digit), "r"(1u << b));
    return same;
}

HK_FN void hk_clear_digits(hk_radix_block *b)
{
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < HK_WARPS * HK_DIGITS; k += HK_THREADS)
        (&b->of_warp[0][0])[k] = 0;
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < HK_DIGITS; k += HK_THREADS) b->count[k] = 0;
    hk_block_barrier();
}

// Counts the digits of a tile, and tells the blocks behind. `valid` elements of the warp are there.
HK_FN hk_ticket hk_publish_digits(hk_radix_block *b, const hk_state *state, hk_epoch epoch,
                                  const uint32_t *digit, int valid)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (r * HK_WARP + hk_lane() < valid) hk_add_in_block(b->count + digit[r], 1);
    if (threadIdx.x == 0) hk_broadcast_ticket(epoch, blockIdx.x, b->ticket);
    hk_block_barrier();
    const hk_ticket ticket = hk_ticket_of(state, b->ticket);
#pragma unroll 1
    for (int d = (int)threadIdx.x; d < HK_DIGITS; d += HK_THREADS)
        hk_store_relaxed_64(ticket.word + ticket.tile * HK_DIGITS + d,
                            (ticket.tile > 0 ? HK_AGGREGATE : HK_PREFIX) | b->count[d]);
    return ticket;
}

// Behind the digits of a warp's elements, eight bits each: their ranks among those before them in
// the warp with the same digit. The first lane of a digit counts for all.
HK_FN void hk_rank(uint32_t *of_warp, uint32_t *rank, int valid)
{
    const uint32_t below = (1u << hk_lane()) - 1;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const uint32_t same = hk_same_digit(rank[r], r * HK_WARP + hk_lane() < valid);
        uint32_t before = 0;
        if (r * HK_WARP + hk_lane() < valid && (same & below) == 0)
            before = hk_add_in_block(of_warp + rank[r], (uint32_t)hk_popc((int)same));
        const int leader = 31 - hk_clz(same & (0u - same));
        const uint32_t in_warp =
            hk_word_from(before, leader) + (uint32_t)hk_popc((int)(same & below));
        rank[r] |= in_warp << 8;
    }
}

#define HK_STEPS 4 // tiles that are requested at once

// What the tiles before have of digit d, of which this one has told.
HK_FN uint64_t hk_look_back_digit(uint64_t *word, int64_t tile, int d, uint64_t mine)
{
    uint64_t before = 0;
    bool far = tile > 0;
#pragma unroll 1
    for (int64_t at = tile - 1; far;) {
        uint64_t w[HK_STEPS];
        bool here = true; // so far
#pragma unroll
        for (int q = 0; q < HK_STEPS; q++) // before the first tile there is nothing
            w[q] = at >= q ? hk_load_relaxed_64(word + (at - q) * HK_DIGITS + d) : HK_PREFIX;
#pragma unroll
        for (int q = 0; q < HK_STEPS; q++) {
            here = here && far && w[q] >= HK_AGGREGATE;
            if (!here) continue;
            before += w[q] & (HK_AGGREGATE - 1);
            far = w[q] < HK_PREFIX;
            at--;
        }
    }
    if (tile > 0) hk_store_relaxed_64(word + tile * HK_DIGITS + d, HK_PREFIX | (before + mine));
    return before;
}

// Where each digit begins in the block, and where that of each warp does.
HK_FN void hk_digit_begins(hk_radix_block *b)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    uint32_t before = 0; // of the digits before
#pragma unroll 1
    for (int first = 0; first < HK_DIGITS; first += HK_THREADS) {
        const int d = first + (int)threadIdx.x;
        const uint32_t own = d < HK_DIGITS ? b->count[d] : 0, to = hk_sum_to_lane(own);
        if (hk_lane() == 31) b->sums[warp] = to;
        hk_block_barrier();
        uint32_t at = before + to - own;
        for (int w = 0; w < HK_WARPS; w++) {
            if (w < warp) at += b->sums[w];
            before += b->sums[w];
        }
        if (d < HK_DIGITS) {
            b->begin[d] = at;
            for (int w = 0; w < HK_WARPS; w++) {
                const uint32_t count = b->of_warp[w][d];
                b->of_warp[w][d] = at;
                at += count;
            }
        }
        hk_block_barrier();
    }
}

// Where they begin in the output, which has digits from `begin` on.
HK_FN void hk_poll_digits(hk_radix_block *b, const hk_ticket *ticket, const uint64_t *begin)
{
#pragma unroll 1
    for (int d = (int)threadIdx.x; d < HK_DIGITS; d += HK_THREADS) {
        const uint64_t sum = hk_look_back_digit(ticket->word, ticket->tile, d, b->count[d]);
        b->base[d] = (int64_t)(begin[d] + sum) - b->begin[d];
    }
}

// Of the last lane: where the next element's key is the same that one is written, not this. `rest`
// elements are there from the first one on.
HK_FN void hk_drop_last(const hk_inputs *in, const hk_radix_how *how, int64_t first, int rest,
                        const hk_element *e, hk_destination *at)
{
    hk_destination next[HK_BITMAP_ROWS];
    if (hk_lane() < HK_WARP - 1) rest = 0;
#pragma unroll
    for (int r = 0; r < HK_BITMAP_ROWS; r++) {
        const int64_t i = first + r * HK_WARP + 1;
        next[r] = HK_NONE;
        if (r * HK_WARP + 1 < rest)
            next[r] = hk_destination_of((int64_t)hk_flag_one(in, i, e[r]), how->ways);
    }
#pragma unroll
    for (int r = 0; r < HK_BITMAP_ROWS; r++)
        if (next[r] == at[r]) at[r] = HK_NONE;
}

// The elements of a tile to their destinations.
HK_FN void hk_write_tile(const hk_inputs *in, const hk_radix_how *how, int64_t tile,
                         const hk_radix_out *to)
{
    const int64_t chunk = tile * HK_TILE + (int64_t)(threadIdx.x / HK_WARP) * HK_CHUNK;
#pragma unroll 1
    for (int some = 0; some < HK_ROWS; some += HK_BITMAP_ROWS) {
        const int64_t first = chunk + some * HK_WARP + hk_lane();
        const int rest = how->n - first < HK_TILE ? (int)(how->n - first) : HK_TILE;
        hk_element e[HK_BITMAP_ROWS];
        int64_t given[HK_BITMAP_ROWS];
        hk_destination at[HK_BITMAP_ROWS];
#pragma unroll
        for (int r = 0; r < HK_BITMAP_ROWS; r++) {
            given[r] = -1;
            if (r * HK_WARP >= rest) continue;
            e[r] = hk_one_0(in, first + r * HK_WARP);
            given[r] = (int64_t)hk_flag_one(in, first + r * HK_WARP, e[r]);
        }
#pragma unroll
        for (int r = 0; r < HK_BITMAP_ROWS; r++) at[r] = hk_destination_of(given[r], how->ways);
        if (to->bad != 0) {
#pragma unroll
            for (int r = 0; r < HK_BITMAP_ROWS; r++)
                if (at[r] == HK_NONE && r * HK_WARP < rest)
                    hk_most_to_long(to->bad, ~(uint64_t)(first + r * HK_WARP));
        }
        if (HK_AT_ONCE == 2) {
            hk_drop_last(in, how, first, rest, e, at);
            hk_test_and_set(&to->bitmap, at);
        }
#pragma unroll
        for (int r = 0; r < HK_BITMAP_ROWS; r++)
            if (at[r] != HK_NONE) hk_put_destination(&to->destination, at[r], e[r]);
    }
}

// ---- A tile in the order of its digits ----------------------------------------------------------

// A warp's elements: their keys, and their digits, above which hk_rank puts their ranks in the
// warp; then their ranks in the tile.
struct hk_radix_chunk {
    hk_element e[HK_ROWS];
    hk_key key[HK_ROWS];
    uint32_t rank[HK_ROWS];
    int count; // may be less than none, or more than all
};

HK_FN bool hk_is_there(const hk_radix_chunk *c, int r)
{
    return r * HK_WARP + hk_lane() < c->count;
}

// Nothing is made of elements and buckets before all are requested.
HK_FN void hk_read_chunk(const hk_inputs *in, const hk_radix_how *how, int64_t first,
                         hk_radix_chunk *c)
{
    const int64_t mine = hk_opaque(first + hk_lane());
    hk_flag bucket[HK_ROWS] = {};
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (hk_is_there(c, r)) {
            c->e[r] = hk_one_0(in, mine + r * HK_WARP);
            bucket[r] = hk_flag_one(in, mine + r * HK_WARP, c->e[r]);
        }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        c->key[r] = hk_key_of((int64_t)bucket[r], how->ways);
        c->rank[r] = (uint32_t)(c->key[r] >> how->shift) & (HK_DIGITS - 1);
    }
}

HK_FN hk_key *hk_staged_keys(char *stage)
{
    return (hk_key *)(stage + (HK_BESIDE ? (HK_TILE * sizeof(hk_element) + 7) / 8 * 8 : 0));
}

// Puts elements, and keys where they lie beside them, where they belong in the tile.
HK_FN void hk_stage_chunk(hk_radix_block *b, hk_radix_chunk *c, char *stage)
{
    const int warp = (int)threadIdx.x / HK_WARP;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const uint32_t digit = c->rank[r] & 255;
        c->rank[r] = (c->rank[r] >> 8) + b->of_warp[warp][digit];
        if (!hk_is_there(c, r)) continue;
        ((hk_element *)stage)[c->rank[r]] = c->e[r];
        b->digit[c->rank[r]] = (uint8_t)digit;
        if (HK_BESIDE) hk_staged_keys(stage)[c->rank[r]] = c->key[r];
    }
}

HK_FN void hk_write_elements(const hk_radix_block *b, const hk_view *out, const char *stage,
                             int valid)
{
    const hk_element *elements = (const hk_element *)stage;
#pragma unroll 4
    for (int k = (int)threadIdx.x; k < valid; k += HK_THREADS)
        hk_put(out, b->base[b->digit[k]] + k, elements[k]);
}

HK_FN void hk_write_indices(const hk_radix_block *b, const hk_radix_chunk *c, const hk_view *out,
                            char *stage, int64_t tile, int valid)
{
    const int first = (int)threadIdx.x / HK_WARP * HK_CHUNK;
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (hk_is_there(c, r))
            ((uint16_t *)stage)[c->rank[r]] = (uint16_t)(first + r * HK_WARP + hk_lane());
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < valid; k += HK_THREADS)
        hk_put_index(out, b->base[b->digit[k]] + k, tile + ((const uint16_t *)stage)[k]);
}

HK_FN void hk_write_keys(const hk_radix_block *b, const hk_radix_chunk *c, const hk_view *out,
                         char *stage, int valid)
{
    hk_key *const keys = hk_staged_keys(stage);
    if (!HK_BESIDE) {
        hk_block_barrier();
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (hk_is_there(c, r)) keys[c->rank[r]] = c->key[r];
        hk_block_barrier();
    }
#pragma unroll 4
    for (int k = (int)threadIdx.x; k < valid; k += HK_THREADS)
        hk_put_key(out, b->base[b->digit[k]] + k, keys[k]);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    radix_pass(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_radix_how how,
               hk_state state, const uint64_t *begin, const uint64_t *stop,
               const __grid_constant__ hk_radix_out to)
{
    hk_begin();
    __shared__ hk_radix_block block;
    __shared__ __align__(16) char stage[HK_STAGE_BYTES];
    if (HK_AT_ONCE && *to.at_once != 0) {
        hk_write_tile(&in, &how, blockIdx.x, &to);
        return;
    }
    if (stop != 0 && *stop != 0) return;
    const int warp = (int)threadIdx.x / HK_WARP;
    const int64_t tile = blockIdx.x * (int64_t)HK_TILE, first = tile + (int64_t)warp * HK_CHUNK;
    const int valid = how.n - tile < HK_TILE ? (int)(how.n - tile) : HK_TILE;
    hk_epoch epoch = {};
    if (threadIdx.x == 0) epoch = hk_read_epoch(&state);
    hk_clear_digits(&block);
    hk_radix_chunk chunk = {};
    chunk.count = valid - warp * HK_CHUNK;
    hk_read_chunk(&in, &how, first, &chunk);
    const hk_ticket ticket = hk_publish_digits(&block, &state, epoch, chunk.rank, chunk.count);
    uint32_t left_before = 0; // blocks
    if (threadIdx.x == 0) left_before = hk_retire_block(&state);
    hk_rank(block.of_warp[warp], chunk.rank, chunk.count);
    hk_digit_begins(&block);
    hk_stage_chunk(&block, &chunk, stage);
    hk_poll_digits(&block, &ticket, begin);
    hk_block_barrier();
    hk_write_elements(&block, &to.out, stage, valid);
    if (HK_INDICES) hk_write_indices(&block, &chunk, &to.indices, stage, tile, valid);
    if (HK_KEYS) hk_write_keys(&block, &chunk, &to.keys, stage, valid);
    if (threadIdx.x == 0) hk_end_launch(&state, left_before, how.tiles * HK_DIGITS);
}
