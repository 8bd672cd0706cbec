// SPDX-License-Identifier: Apache-2.0
//
// A chunk: HK_ROWS rows of 32 x HK_K elements that a warp reads at once, each lane HK_K elements of
// each row that lie together; and its node.
#pragma once
#include "device/warp.cuh"

#define HK_ROW   (HK_WARP * HK_K)
#define HK_CHUNK (HK_ROWS * HK_ROW)

// The node over m <= HK_K elements' nodes, m a power of two.
HK_FN hk_node hk_node_of(const hk_node *x, int m)
{
    hk_node t[HK_K];
#pragma unroll
    for (int j = 0; j < HK_K; j++) t[j] = x[j];
#pragma unroll
    for (int d = 1; d < HK_K; d *= 2)
        if (d < m) {
#pragma unroll
            for (int j = 0; j < HK_K; j += 2 * d)
                if (j + d < m) t[j] = hk_combine(t[j], t[j + d]);
        }
    return t[0];
}

// Element j after the load transform; bit j of heads: a segment begins there.
HK_FN hk_node hk_transform_flagged(hk_element e, int64_t index, uint32_t heads, int j)
{
    return hk_transform_head(e, index + j, heads >> j & 1);
}

// The heads of row r.
HK_FN uint32_t hk_heads_of_row(uint32_t heads, int r)
{
    return HK_PAIRS ? heads >> (r * HK_K & 31) : 0;
}

HK_FN hk_node hk_lane_node(const hk_element *e, int64_t index, uint32_t heads)
{
    hk_node x[HK_K];
#pragma unroll
    for (int j = 0; j < HK_K; j++) x[j] = hk_transform_flagged(e[j], index, heads, j);
    return hk_node_of(x, HK_K);
}

HK_FN void hk_read_chunk(const hk_inputs *in, int64_t first, hk_element e[HK_ROWS][HK_K])
{
    const int64_t at = first + hk_lane() * HK_K;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) hk_items(in, at + r * HK_ROW, e[r]);
}

// Of nodes over HK_ROWS lanes around each, in row (lane mod HK_ROWS): the node of each row, in the
// lanes whose number mod HK_ROWS is the row's.
HK_FN hk_node hk_rows_up(hk_node n)
{
#pragma unroll
    for (int d = HK_ROWS; d < HK_WARP; d *= 2) n = hk_up(n, d);
    return n;
}

HK_FN hk_node hk_row_nodes(hk_element e[HK_ROWS][HK_K], int64_t first, int64_t index)
{
    hk_node t[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        t[r] = hk_lane_node(e[r], index + first + r * HK_ROW + hk_lane() * HK_K, 0);
    return hk_rows_up(hk_transpose_reduce(t, HK_ROWS, 1));
}

// The node over the rows, in every lane.
HK_FN hk_node hk_over_rows(hk_node n)
{
#pragma unroll
    for (int d = 1; d < HK_ROWS; d *= 2) n = hk_up(n, d);
    return n;
}
