// SPDX-License-Identifier: Apache-2.0
//
// A block's tile in shared memory (bulk.cuh): a warp's chunks, rows and lanes lie there as in the
// input, but for the last rows of each chunk, HK_REGISTER_ROWS of them, which stay in registers.
// Where no bulk copy brings it, every lane brings its own elements, and no barrier is needed.
#pragma once
#include "device/bulk.cuh"
#include "device/chunk.cuh"

#define HK_WARPS       (HK_THREADS / HK_WARP)
#define HK_TILE        ((int64_t)HK_WARPS * HK_CHUNK)
#define HK_SHARED_ROWS (HK_ROWS - HK_REGISTER_ROWS) // rows of a chunk in shared memory

// The rows of a chunk that are registers.
struct hk_register_tile {
    hk_element e[HK_REGISTER_ROWS > 0 ? HK_REGISTER_ROWS : 1][HK_K];
};

// Elements past the end repeat the last one: no output depends on them. The loop of the last tile
// runs once; hk_opaque keeps it a branch, so that full tiles do not execute the predicated loads.
HK_FN void hk_load_register_tile(const hk_inputs *in, int64_t first, int64_t n,
                                 hk_register_tile *registers)
{
    const int64_t at = first + HK_SHARED_ROWS * HK_ROW + hk_lane() * HK_K;
    if (first + HK_CHUNK <= n) {
#pragma unroll
        for (int r = 0; r < HK_REGISTER_ROWS; r++) hk_items(in, at + r * HK_ROW, registers->e[r]);
        return;
    }
#pragma unroll 1
    for (int64_t once = hk_opaque(0); once == 0; once++)
#pragma unroll
        for (int r = 0; r < HK_REGISTER_ROWS; r++)
#pragma unroll
            for (int j = 0; j < HK_K; j++) {
                const int64_t i = at + r * HK_ROW + j;
                registers->e[r][j] = hk_item(in, i < n ? i : n - 1);
            }
}

// Rows of a chunk that ends early, loaded at once.
#define HK_SOME_ROWS (HK_SHARED_ROWS < 4 ? 1 : 4)

// The other rows of a warp's chunk.
HK_FN void hk_bring_chunk(const hk_inputs *in, int64_t first, int64_t n, char *tile, int position)
{
    position += hk_lane() * HK_K;
    if (first + HK_CHUNK <= n) {
        hk_element e[HK_SHARED_ROWS][HK_K];
#pragma unroll
        for (int r = 0; r < HK_SHARED_ROWS; r++)
            hk_items(in, first + r * HK_ROW + hk_lane() * HK_K, e[r]);
#pragma unroll
        for (int r = 0; r < HK_SHARED_ROWS; r++)
            hk_set_tile_items(tile, position + r * HK_ROW, e[r]);
        return;
    }
    first += hk_lane() * HK_K;
#pragma unroll 1
    for (int r = (int)hk_opaque(0); r < HK_SHARED_ROWS; r += HK_SOME_ROWS) {
        hk_element e[HK_SOME_ROWS][HK_K];
#pragma unroll
        for (int q = 0; q < HK_SOME_ROWS; q++)
#pragma unroll
            for (int j = 0; j < HK_K; j++) {
                const int64_t i = first + (r + q) * HK_ROW + j;
                e[q][j] = hk_item(in, i < n ? i : n - 1);
            }
#pragma unroll
        for (int q = 0; q < HK_SOME_ROWS; q++)
            if (r + q < HK_SHARED_ROWS) hk_set_tile_items(tile, position + (r + q) * HK_ROW, e[q]);
    }
}

// The node of each row of a warp's chunk, in the lanes whose number mod HK_ROWS is the row's. Up to
// eight rows are transposed at once.
HK_FN hk_node hk_tile_rows(const char *tile, int position, const hk_register_tile *registers,
                           int64_t index, uint32_t heads)
{
    const int parts = HK_ROWS > 8 ? HK_ROWS / 8 : 1, rows = HK_ROWS / parts;
    hk_node of[parts];
    index += hk_lane() * HK_K;
#pragma unroll
    for (int part = 0; part < parts; part++) {
        hk_node t[rows];
#pragma unroll
        for (int k = 0; k < rows; k++) {
            const int r = part * rows + k;
            hk_element e[HK_K];
            if (r < HK_SHARED_ROWS) {
                hk_tile_items(tile, position + r * HK_ROW + hk_lane() * HK_K, e);
            } else {
#pragma unroll
                for (int j = 0; j < HK_K; j++)
                    e[j] = registers->e[HK_REGISTER_ROWS > 0 ? r - HK_SHARED_ROWS : 0][j];
            }
            t[k] = hk_lane_node(e, index + r * HK_ROW, hk_heads_of_row(heads, r));
        }
        of[part] = hk_transpose_reduce(t, rows, 1);
    }
    return hk_rows_up(hk_transpose_reduce(of, parts, rows));
}
