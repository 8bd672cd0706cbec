// SPDX-License-Identifier: Apache-2.0
//
// A tile of elements of which some are selected, for compact_tiles, partition_tiles and run_tiles: it is brought to
// shared memory (device/bulk.cuh), each warp selects from its chunk, moves what it selected side by side where it
// lies, and writes it out together.
#pragma once
#include "device/bulk.cuh"
#include "select/choice.cuh"
#include "select/choose_chunk.cuh"

struct hd_select_how {
    int64_t n, tiles;
    int64_t ahead; // tiles ahead of its own that a block asks the L2 for; 0: none
    int64_t room, index_room, length_room; // elements that outputs take
};

struct hd_select_out {
    hd_view out, indices, lengths, counts, begins;
};

// A warp's chunk.
struct hd_chunk {
    char *at;         // in shared memory
    int place;        // of its first element in the tile
    bool whole, bulk; // its tile is; and comes by a bulk copy
    int64_t first;    // its first element
    int64_t chosen;   // how many are selected before it
    int64_t last;     // 1 + the last head before it
    int valid, count; // its elements; those that are selected
};

// ---- Bringing it ---------------------------------------------------------------------------------

// Elements of a tile that ends early which a lane asks for at once: 64 bytes, at most all of its own.
#define HD_BATCH_OF(bytes) ((int)((bytes) / sizeof(hd_element)))
#define HD_BATCH                                                                                   \
    (HD_BATCH_OF(64) < 1 ? 1 : HD_BATCH_OF(64) < HD_ROWS * HD_K ? HD_BATCH_OF(64) : HD_ROWS * HD_K)

// Brings a warp's chunk, each lane its own elements; what is past the end is the last element again.
HD_FN void hd_bring_elements(const hd_inputs *in, int64_t first, int64_t n, bool whole, char *chunk)
{
    if (whole) {
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) {
            const int i = r * HD_ROW + hd_lane() * HD_K;
            hd_element e[HD_K];
            hd_run_0(in, first + i, e);
            hd_set_tile_items(chunk, i, e);
        }
        return;
    }
#pragma unroll 1
    for (int i = hd_lane(); i < HD_CHUNK; i += HD_BATCH * HD_WARP) {
        hd_element e[HD_BATCH];
#pragma unroll
        for (int b = 0; b < HD_BATCH; b++) {
            const int64_t at = first + i + b * HD_WARP;
            e[b] = hd_one_0(in, at < n ? at : n - 1);
        }
#pragma unroll
        for (int b = 0; b < HD_BATCH; b++)
            if (i + b * HD_WARP < HD_CHUNK) ((hd_element *)chunk)[i + b * HD_WARP] = e[b];
    }
}

// The chunk of a warp of a block's tile, which is on its way when this returns, or here.
HD_FN hd_chunk hd_begin_tile(const hd_inputs *in, const hd_select_how *how, char *tile,
                             uint64_t *arrival)
{
    hd_chunk p;
    const int64_t which = blockIdx.x;
    p.place = (int)threadIdx.x / HD_WARP * HD_CHUNK;
    p.first = which * HD_TILE + p.place;
    p.whole = (which + 1) * HD_TILE <= how->n;
    p.at = tile + p.place * sizeof(hd_element);
    p.bulk = HD_BULK && p.whole;
    if (p.bulk && threadIdx.x == 0) {
        const uint32_t bytes = HD_TILE * sizeof(hd_element);
        const char *from = in->view[0].data + which * bytes;
        hd_begin_bulk(tile, from, bytes, arrival);
        // The tile of a block that begins in a while.
        if (how->ahead > 0 && which + how->ahead < how->n / HD_TILE)
            hd_fetch_bulk(from + how->ahead * bytes, bytes);
    }
    if (!p.bulk) hd_bring_elements(in, p.first, how->n, p.whole, p.at);
    return p;
}

// ---- Selecting from it ---------------------------------------------------------------------------

// Labels that say nothing of elements (HD_EARLY) are looked at before these are here; the caller awaits the tile then.
HD_FN void hd_select_from(const hd_inputs *in, const hd_select_how *how, const char *tile,
                          uint64_t *arrival, hd_chunk *p, hd_choice *c)
{
    hd_element before = {};
    if (HD_HEADS && p->place == 0) before = hd_one_0(in, p->first > 0 ? p->first - 1 : 0);
    if (!HD_EARLY) {
        hd_block_barrier(); // the mbarrier is made, the tile here
        if (p->bulk) hd_await_bulk(arrival);
    }
    if (HD_HEADS && p->place > 0) before = ((const hd_element *)tile)[p->place - 1];
    const hd_element *elements = HD_EARLY ? 0 : (const hd_element *)p->at;
    p->count = (int)hd_choose(in, elements, p->first, how->n, p->whole, before, c);
    const int64_t left = how->n - p->first;
    p->valid = left >= HD_CHUNK ? HD_CHUNK : left > 0 ? (int)left : 0;
}

// ---- Side by side --------------------------------------------------------------------------------

// The selected elements to the front of the chunk, row by row: they move to the left, onto rows that all lanes have
// read.
HD_FN void hd_gather_selected(const hd_choice *c, char *chunk)
{
    hd_element *row = (hd_element *)chunk;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        hd_lane_words u;
        hd_tile_items(chunk, r * HD_ROW + hd_lane() * HD_K, u.e);
        hd_warp_barrier();
        hd_element *to = row + hd_field(c->before, r);
#pragma unroll
        for (int j = 0; j < HD_K; j++)
            if (hd_is_in(c, r, j)) *to++ = u.e[j];
        row += hd_field(c->in_row, r);
    }
}

// The same of their offsets in the chunk; of a partition those of the others follow.
HD_FN void hd_gather_offsets(const hd_choice *c, const hd_chunk *p, uint16_t *stage)
{
    int row = 0; // selected in the rows before
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int at = r * HD_ROW + hd_lane() * HD_K;
        uint16_t *to = stage + row + hd_field(c->before, r);
        uint16_t *other = stage + p->count + (at - (int)(to - stage));
#pragma unroll
        for (int j = 0; j < HD_K; j++) {
            if (hd_is_in(c, r, j))
                *to++ = (uint16_t)(at + j);
            else if (HD_BOTH && at + j < p->valid)
                *other++ = (uint16_t)(at + j);
        }
        row += (int)hd_field(c->in_row, r);
    }
    hd_warp_barrier();
}

// Where offsets lie: they take two bytes, so those of elements that have one lie behind the tile.
HD_FN uint16_t *hd_staged_offsets(const hd_chunk *p, char *tile)
{
    return (uint16_t *)(sizeof(hd_element) > 1 ? p->at : tile + HD_TILE + 2 * (int64_t)p->place);
}

// ---- Writing -------------------------------------------------------------------------------------

// Elements of less than a word, one after another: whole words, but for the ends.
HD_FN void hd_write_bytes(const hd_view *out, const char *stage, int from, int m, int64_t at)
{
    const int size = HD_OUT_BYTES > 0 ? HD_OUT_BYTES : 1, bytes = m * size;
    const hd_element *staged = (const hd_element *)stage + from;
    char *to = out->data + at * size;
    int head = (int)(-(uint64_t)to & 3);
    if (head > bytes) head = bytes;
    const int skew = from * size + head, words = (bytes - head) / 4, shift = 8 * (skew & 3);
    const uint32_t *word = (const uint32_t *)stage + (skew >> 2);
    for (int k = hd_lane(); k < words; k += HD_WARP) {
        uint32_t w = word[k];
        if (shift != 0) w = w >> shift | word[k + 1] << (32 - shift);
        *(uint32_t *)(to + head + 4 * k) = w;
    }
    const int first = head / size, last = (head + 4 * words) / size + hd_lane();
    if (hd_lane() < first) hd_put(out, at + hd_lane(), staged[hd_lane()]);
    if (last < m) hd_put(out, at + last, staged[last]);
}

// Lane 0 writes where a line of the cache begins.
HD_FN void hd_write_lines(const hd_view *out, const hd_element *staged, int m, int64_t at)
{
    hd_element *to = (hd_element *)out->data + at;
    int k = hd_lane() - (int)((uint64_t)to & 127) / (int)sizeof(hd_element) % HD_WARP;
    if (k >= 0 && k < m) to[k] = staged[k];
#pragma unroll 4
    for (k += HD_WARP; k < m; k += HD_WARP) to[k] = staged[k];
}

// m elements of the chunk from number `from` on, to the places from `at` on as far as there is room.
HD_FN void hd_write_staged(const hd_view *out, const char *stage, int from, int m, int64_t at,
                           int64_t room)
{
    const hd_element *staged = (const hd_element *)stage + from;
    if (at + m > room) m = at < room ? (int)(room - at) : 0;
    if (HD_OUT_BYTES) {
        hd_write_bytes(out, stage, from, m, at);
    } else if (HD_OUT_DENSE) {
        hd_write_lines(out, staged, m, at);
    } else {
        for (int k = hd_lane(); k < m; k += HD_WARP) hd_put(out, at + k, staged[k]);
    }
}

// The indices of selected elements, and from `rest` on those of the others of a partition.
HD_FN void hd_write_indices(const hd_view *indices, const hd_chunk *p, int64_t rest, int64_t room,
                            const uint16_t *offset)
{
    for (int k = hd_lane(); k < (HD_BOTH ? p->valid : p->count); k += HD_WARP) {
        const int64_t at = k < p->count ? p->chosen + k : rest + k - p->count;
        if (at < room) hd_put_index(indices, at, p->first + offset[k]);
    }
}

// ---- Selected in the warps before ----------------------------------------------------------------

// Where all tiles are counted before (select_tally): of the warps before in the block.
HD_FN uint32_t hd_sum_before_warp(const uint32_t *of_warp)
{
    const uint32_t own = hd_lane() < HD_WARPS ? of_warp[hd_lane()] : 0;
    return hd_word_from(hd_sum_to_lane(own) - own, (int)threadIdx.x / HD_WARP);
}
