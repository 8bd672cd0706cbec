// SPDX-License-Identifier: Apache-2.0
//
// A tile of elements of which some are selected, for compact_tiles, partition_tiles and run_tiles:
// it is brought to shared memory (device/bulk.cuh), each warp selects from its chunk, moves what it
// selected side by side where it lies, and writes it out together.
#pragma once
#include "device/bulk.cuh"
#include "select/selection.cuh"
#include "select/select_chunk.cuh"

struct hk_select_how {
    int64_t n, tiles;
    int64_t ahead; // tiles ahead of its own that a block asks the L2 for; 0: none
    int64_t room, index_room, length_room; // elements that outputs take
};

struct hk_select_out {
    hk_view out, indices, lengths, counts, begins;
};

// A warp's chunk.
struct hk_chunk {
    char *at;         // in shared memory
    int position;     // of its first element in the tile
    bool whole, bulk; // its tile is; and comes by a bulk copy
    int64_t first;    // its first element
    int64_t selected; // how many are selected before it
    int64_t last;     // 1 + the last head before it
    int valid, count; // its elements; those that are selected
};

// ---- Bringing it --------------------------------------------------------------------------------

// Elements of a tile that ends early which a lane asks for at once: 64 bytes, at most all of its
// own.
#define HK_BATCH_OF(bytes) ((int)((bytes) / sizeof(hk_element)))
#define HK_BATCH                                                                                   \
    (HK_BATCH_OF(64) < 1 ? 1 : HK_BATCH_OF(64) < HK_ROWS * HK_K ? HK_BATCH_OF(64) : HK_ROWS * HK_K)

// Brings a warp's chunk, each lane its own elements; what is past the end is the last element
// again.
HK_FN void hk_bring_elements(const hk_inputs *in, int64_t first, int64_t n, bool whole, char *chunk)
{
    if (whole) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int i = r * HK_ROW + hk_lane() * HK_K;
            hk_element e[HK_K];
            hk_run_0(in, first + i, e);
            hk_set_tile_items(chunk, i, e);
        }
        return;
    }
#pragma unroll 1
    for (int i = hk_lane(); i < HK_CHUNK; i += HK_BATCH * HK_WARP) {
        hk_element e[HK_BATCH];
#pragma unroll
        for (int b = 0; b < HK_BATCH; b++) {
            const int64_t at = first + i + b * HK_WARP;
            e[b] = hk_one_0(in, at < n ? at : n - 1);
        }
#pragma unroll
        for (int b = 0; b < HK_BATCH; b++)
            if (i + b * HK_WARP < HK_CHUNK) ((hk_element *)chunk)[i + b * HK_WARP] = e[b];
    }
}

// The chunk of a warp of a block's tile, which is on its way when this returns, or here.
HK_FN hk_chunk hk_begin_tile(const hk_inputs *in, const hk_select_how *how, char *tile,
                             uint64_t *arrival)
{
    hk_chunk p;
    const int64_t which = blockIdx.x;
    p.position = (int)threadIdx.x / HK_WARP * HK_CHUNK;
    p.first = which * HK_TILE + p.position;
    p.whole = (which + 1) * HK_TILE <= how->n;
    p.at = tile + p.position * sizeof(hk_element);
    p.bulk = HK_BULK && p.whole;
    if (p.bulk && threadIdx.x == 0) {
        const uint32_t bytes = HK_TILE * sizeof(hk_element);
        const char *from = in->view[0].data + which * bytes;
        hk_begin_bulk(tile, from, bytes, arrival);
        // The tile of a block that begins in a while.
        if (how->ahead > 0 && which + how->ahead < how->n / HK_TILE)
            hk_fetch_bulk(from + how->ahead * bytes, bytes);
    }
    if (!p.bulk) hk_bring_elements(in, p.first, how->n, p.whole, p.at);
    return p;
}

// ---- Selecting from it --------------------------------------------------------------------------

// Flags that say nothing of elements (HK_EARLY) are looked at before these are here; the caller
// awaits the tile then.
HK_FN void hk_select_from(const hk_inputs *in, const hk_select_how *how, const char *tile,
                          uint64_t *arrival, hk_chunk *p, hk_selection *c)
{
    hk_element before = {};
    if (HK_HEADS && p->position == 0) before = hk_one_0(in, p->first > 0 ? p->first - 1 : 0);
    if (!HK_EARLY) {
        hk_block_barrier(); // the mbarrier is made, the tile here
        if (p->bulk) hk_await_bulk(arrival);
    }
    if (HK_HEADS && p->position > 0) before = ((const hk_element *)tile)[p->position - 1];
    const hk_element *elements = HK_EARLY ? 0 : (const hk_element *)p->at;
    p->count = (int)hk_select_chunk(in, elements, p->first, how->n, p->whole, before, c);
    const int64_t left = how->n - p->first;
    p->valid = left >= HK_CHUNK ? HK_CHUNK : left > 0 ? (int)left : 0;
}

// ---- Side by side -------------------------------------------------------------------------------

// Offsets of the selected elements in the chunk, those of the others behind them in a partition.
HK_FN void hk_gather_offsets(const hk_selection *c, const hk_chunk *p, uint16_t *stage)
{
    int row = 0; // selected in the rows before
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int at = r * HK_ROW + hk_lane() * HK_K;
        uint16_t *to = stage + row + hk_field(c->before, r);
        uint16_t *other = stage + p->count + (at - (int)(to - stage));
#pragma unroll
        for (int j = 0; j < HK_K; j++) {
            if (hk_is_in(c, r, j))
                *to++ = (uint16_t)(at + j);
            else if (HK_BOTH && at + j < p->valid)
                *other++ = (uint16_t)(at + j);
        }
        row += (int)hk_field(c->in_row, r);
    }
    hk_warp_barrier();
}

// Where offsets lie: they take two bytes, so those of elements that have one lie behind the tile.
HK_FN uint16_t *hk_staged_offsets(const hk_chunk *p, char *tile)
{
    return (uint16_t *)(sizeof(hk_element) > 1 ? p->at : tile + HK_TILE + 2 * (int64_t)p->position);
}

// ---- Writing ------------------------------------------------------------------------------------

// Elements of less than a word, one after another: whole words, but for the ends.
HK_FN void hk_write_bytes(const hk_view *out, const char *stage, int from, int m, int64_t at)
{
    const int size = HK_OUT_BYTES > 0 ? HK_OUT_BYTES : 1, bytes = m * size;
    const hk_element *staged = (const hk_element *)stage + from;
    char *to = out->data + at * size;
    int head = (int)(-(uint64_t)to & 3);
    if (head > bytes) head = bytes;
    const int skew = from * size + head, words = (bytes - head) / 4, shift = 8 * (skew & 3);
    const uint32_t *word = (const uint32_t *)stage + (skew >> 2);
    for (int k = hk_lane(); k < words; k += HK_WARP) {
        uint32_t w = word[k];
        if (shift != 0) w = w >> shift | word[k + 1] << (32 - shift);
        *(uint32_t *)(to + head + 4 * k) = w;
    }
    const int first = head / size, last = (head + 4 * words) / size + hk_lane();
    if (hk_lane() < first) hk_put(out, at + hk_lane(), staged[hk_lane()]);
    if (last < m) hk_put(out, at + last, staged[last]);
}

// Lane 0 writes where a line of the cache begins.
HK_FN void hk_write_lines(const hk_view *out, const hk_element *staged, int m, int64_t at)
{
    hk_element *to = (hk_element *)out->data + at;
    int k = hk_lane() - (int)((uint64_t)to & 127) / (int)sizeof(hk_element) % HK_WARP;
    if (k >= 0 && k < m) to[k] = staged[k];
#pragma unroll 4
    for (k += HK_WARP; k < m; k += HK_WARP) to[k] = staged[k];
}

// m elements of the chunk from number `from` on, to the positions from `at` on as far as there is
// room.
HK_FN void hk_write_staged(const hk_view *out, const char *stage, int from, int m, int64_t at,
                           int64_t room)
{
    const hk_element *staged = (const hk_element *)stage + from;
    if (at + m > room) m = at < room ? (int)(room - at) : 0;
    if (HK_OUT_BYTES) {
        hk_write_bytes(out, stage, from, m, at);
    } else if (HK_OUT_CONTIGUOUS) {
        hk_write_lines(out, staged, m, at);
    } else {
        for (int k = hk_lane(); k < m; k += HK_WARP) hk_put(out, at + k, staged[k]);
    }
}

// The indices of selected elements, and from `rest` on those of the others of a partition.
HK_FN void hk_write_indices(const hk_view *indices, const hk_chunk *p, int64_t rest, int64_t room,
                            const uint16_t *offset)
{
    for (int k = hk_lane(); k < (HK_BOTH ? p->valid : p->count); k += HK_WARP) {
        const int64_t at = k < p->count ? p->selected + k : rest + k - p->count;
        if (at < room) hk_put_index(indices, at, p->first + offset[k]);
    }
}

// ---- Selected in the warps before ---------------------------------------------------------------

// Where all tiles are counted before (select_tally): of the warps before in the block.
HK_FN uint32_t hk_sum_before_warp(const uint32_t *of_warp)
{
    const uint32_t own = hk_lane() < HK_WARPS ? of_warp[hk_lane()] : 0;
    return hk_word_from(hk_sum_to_lane(own) - own, (int)threadIdx.x / HK_WARP);
}
