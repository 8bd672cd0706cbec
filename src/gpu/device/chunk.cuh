// SPDX-License-Identifier: Apache-2.0
//
// A chunk: HD_ROWS rows of 32 x HD_K elements that a warp reads at once, each lane HD_K elements of each
// row that lie together; and its node.
#pragma once
#include "device/warp.cuh"

#define HD_ROW   (HD_WARP * HD_K)
#define HD_CHUNK (HD_ROWS * HD_ROW)

// The node over m <= HD_K elements' nodes, m a power of two.
HD_FN hd_node hd_node_of(const hd_node *x, int m)
{
    hd_node t[HD_K];
#pragma unroll
    for (int j = 0; j < HD_K; j++) t[j] = x[j];
#pragma unroll
    for (int d = 1; d < HD_K; d *= 2)
        if (d < m) {
#pragma unroll
            for (int j = 0; j < HD_K; j += 2 * d)
                if (j + d < m) t[j] = hd_combine(t[j], t[j + d]);
        }
    return t[0];
}

// An element as a node; bit j of heads: a segment begins there.
HD_FN hd_node hd_lifted(hd_element e, int64_t index, uint32_t heads, int j)
{
    return hd_lift_head(e, index + j, heads >> j & 1);
}

// The heads of row r.
HD_FN uint32_t hd_heads_of_row(uint32_t heads, int r)
{
    return HD_PAIRS ? heads >> (r * HD_K & 31) : 0;
}

HD_FN hd_node hd_lane_node(const hd_element *e, int64_t index, uint32_t heads)
{
    hd_node x[HD_K];
#pragma unroll
    for (int j = 0; j < HD_K; j++) x[j] = hd_lifted(e[j], index, heads, j);
    return hd_node_of(x, HD_K);
}

HD_FN void hd_read_chunk(const hd_inputs *in, int64_t first, hd_element e[HD_ROWS][HD_K])
{
    const int64_t at = first + hd_lane() * HD_K;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) hd_items(in, at + r * HD_ROW, e[r]);
}

// Of nodes over HD_ROWS lanes around each, in row (lane mod HD_ROWS): the node of each row, in the lanes whose
// number mod HD_ROWS is the row's.
HD_FN hd_node hd_rows_up(hd_node n)
{
#pragma unroll
    for (int d = HD_ROWS; d < HD_WARP; d *= 2) n = hd_up(n, d);
    return n;
}

HD_FN hd_node hd_row_nodes(hd_element e[HD_ROWS][HD_K], int64_t first, int64_t index)
{
    hd_node t[HD_ROWS];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        t[r] = hd_lane_node(e[r], index + first + r * HD_ROW + hd_lane() * HD_K, 0);
    return hd_rows_up(hd_turn_rows(t, HD_ROWS, 1));
}

// The node over the rows, in every lane.
HD_FN hd_node hd_over_rows(hd_node n)
{
#pragma unroll
    for (int d = 1; d < HD_ROWS; d *= 2) n = hd_up(n, d);
    return n;
}
