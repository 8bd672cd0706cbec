// SPDX-License-Identifier: Apache-2.0
//
// A block's tile in shared memory (bulk.h): a warp's chunks, rows and lanes lie there as in the input. Where
// no bulk copy brings it, every lane brings its own elements, and no barrier is needed.
#define HD_WARPS (HD_THREADS / HD_WARP)
#define HD_TILE  ((int64_t)HD_WARPS * HD_CHUNK)

// A warp's chunk, of which elements past the end are those before it again: no output depends on them.
HD_FN void hd_bring_chunk(const hd_inputs *in, int64_t first, int64_t n, char *tile, int place)
{
    place += hd_lane() * HD_K;
    if (first + HD_CHUNK <= n) {
        hd_element e[HD_ROWS][HD_K];
        hd_read_chunk(in, first, e);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) hd_set_tile_items(tile, place + r * HD_ROW, e[r]);
        return;
    }
    first += hd_lane() * HD_K;
#pragma unroll 1
    for (int r = 0; r < HD_ROWS; r++)
#pragma unroll 1
        for (int j = 0; j < HD_K; j++) {
            const int64_t i = first + r * HD_ROW + j;
            ((hd_element *)tile)[place + r * HD_ROW + j] = hd_item(in, i < n ? i : n - 1);
        }
}

// The node of each row of a warp's chunk, in the lanes whose number mod HD_ROWS is the row's.
HD_FN hd_node hd_tile_rows(const char *tile, int place, int64_t index, uint32_t heads)
{
    hd_node t[HD_ROWS];
    index += hd_lane() * HD_K;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        hd_element e[HD_K];
        hd_tile_items(tile, place + r * HD_ROW + hd_lane() * HD_K, e);
        t[r] = hd_lane_node(e, index + r * HD_ROW, hd_heads_of_row(heads, r));
    }
    return hd_rows_of(t);
}
