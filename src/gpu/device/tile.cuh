// SPDX-License-Identifier: Apache-2.0
//
// A block's tile in shared memory (bulk.cuh): a warp's chunks, rows and lanes lie there as in the input, but for the
// last rows of each chunk, HD_HELD of them, which stay in registers. Where no bulk copy brings it, every lane
// brings its own elements, and no barrier is needed.
#pragma once
#include "device/bulk.cuh"
#include "device/chunk.cuh"

#define HD_WARPS (HD_THREADS / HD_WARP)
#define HD_TILE  ((int64_t)HD_WARPS * HD_CHUNK)
#define HD_LAIN  (HD_ROWS - HD_HELD) // rows of a chunk in shared memory

// The rows of a chunk that are held.
struct hd_held {
    hd_element e[HD_HELD > 0 ? HD_HELD : 1][HD_K];
};

// Elements past the end are those before it again: no output depends on them. A loop of one turn stays a branch: those
// loads one by one, each under a condition, would be a part of every warp's way, and the others would wait for them.
HD_FN void hd_hold_rows(const hd_inputs *in, int64_t first, int64_t n, hd_held *held)
{
    const int64_t at = first + HD_LAIN * HD_ROW + hd_lane() * HD_K;
    if (first + HD_CHUNK <= n) {
#pragma unroll
        for (int r = 0; r < HD_HELD; r++) hd_items(in, at + r * HD_ROW, held->e[r]);
        return;
    }
#pragma unroll 1
    for (int64_t turn = hd_opaque(0); turn == 0; turn++)
#pragma unroll
        for (int r = 0; r < HD_HELD; r++)
#pragma unroll
            for (int j = 0; j < HD_K; j++) {
                const int64_t i = at + r * HD_ROW + j;
                held->e[r][j] = hd_item(in, i < n ? i : n - 1);
            }
}

// Rows of a chunk that ends early which are asked for at once.
#define HD_SOME_ROWS (HD_LAIN < 4 ? 1 : 4)

// The other rows of a warp's chunk.
HD_FN void hd_bring_chunk(const hd_inputs *in, int64_t first, int64_t n, char *tile, int place)
{
    place += hd_lane() * HD_K;
    if (first + HD_CHUNK <= n) {
        hd_element e[HD_LAIN][HD_K];
#pragma unroll
        for (int r = 0; r < HD_LAIN; r++) hd_items(in, first + r * HD_ROW + hd_lane() * HD_K, e[r]);
#pragma unroll
        for (int r = 0; r < HD_LAIN; r++) hd_set_tile_items(tile, place + r * HD_ROW, e[r]);
        return;
    }
    first += hd_lane() * HD_K;
#pragma unroll 1
    for (int r = (int)hd_opaque(0); r < HD_LAIN; r += HD_SOME_ROWS) {
        hd_element e[HD_SOME_ROWS][HD_K];
#pragma unroll
        for (int q = 0; q < HD_SOME_ROWS; q++)
#pragma unroll
            for (int j = 0; j < HD_K; j++) {
                const int64_t i = first + (r + q) * HD_ROW + j;
                e[q][j] = hd_item(in, i < n ? i : n - 1);
            }
#pragma unroll
        for (int q = 0; q < HD_SOME_ROWS; q++)
            if (r + q < HD_LAIN) hd_set_tile_items(tile, place + (r + q) * HD_ROW, e[q]);
    }
}

// The node of each row of a warp's chunk, in the lanes whose number mod HD_ROWS is the row's. Up to eight rows are
// turned at once.
HD_FN hd_node hd_tile_rows(const char *tile, int place, const hd_held *held, int64_t index,
                           uint32_t heads)
{
    const int parts = HD_ROWS > 8 ? HD_ROWS / 8 : 1, rows = HD_ROWS / parts;
    hd_node of[parts];
    index += hd_lane() * HD_K;
#pragma unroll
    for (int part = 0; part < parts; part++) {
        hd_node t[rows];
#pragma unroll
        for (int k = 0; k < rows; k++) {
            const int r = part * rows + k;
            hd_element e[HD_K];
            if (r < HD_LAIN) {
                hd_tile_items(tile, place + r * HD_ROW + hd_lane() * HD_K, e);
            } else {
#pragma unroll
                for (int j = 0; j < HD_K; j++) e[j] = held->e[HD_HELD > 0 ? r - HD_LAIN : 0][j];
            }
            t[k] = hd_lane_node(e, index + r * HD_ROW, hd_heads_of_row(heads, r));
        }
        of[part] = hd_turn_rows(t, rows, 1);
    }
    return hd_rows_up(hd_turn_rows(of, parts, rows));
}
