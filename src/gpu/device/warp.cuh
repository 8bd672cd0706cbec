// SPDX-License-Identifier: Apache-2.0
//
// Nodes of the tree within a warp. A node is moved between lanes word by word, whatever it is.
#pragma once
#include "device/node.cuh"

union hd_words {
    uint32_t w[HD_NODE_WORDS];
    hd_node node;
};

HD_FN hd_words hd_words_of(hd_node n)
{
    hd_words x;
    x.w[HD_NODE_WORDS - 1] = 0; // the bytes a small node leaves open
    x.node = n;
    return x;
}

HD_FN hd_node hd_from_lane(hd_node n, int lane)
{
    hd_words x = hd_words_of(n);
#pragma unroll
    for (int k = 0; k < HD_NODE_WORDS; k++) x.w[k] = hd_word_from(x.w[k], lane);
    return x.node;
}

HD_FN hd_node hd_from_xor(hd_node n, int distance)
{
    hd_words x = hd_words_of(n);
#pragma unroll
    for (int k = 0; k < HD_NODE_WORDS; k++)
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                     : "=r"(x.w[k])
                     : "r"(x.w[k]), "r"(distance));
    return x.node;
}

HD_FN hd_node hd_from_next(hd_node n)
{
    hd_words x = hd_words_of(n);
#pragma unroll
    for (int k = 0; k < HD_NODE_WORDS; k++)
        asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x1f, 0xffffffff;"
                     : "=r"(x.w[k])
                     : "r"(x.w[k]));
    return x.node;
}

// One step up the tree: every lane has the node over its own and its sibling's part.
HD_FN hd_node hd_join(hd_node mine, hd_node other, bool right)
{
    if (HD_COMMUTATIVE) return hd_combine(mine, other);
    return hd_combine(right ? other : mine, right ? mine : other);
}

HD_FN hd_node hd_up(hd_node n, int distance)
{
    return hd_join(n, hd_from_xor(n, distance), (hd_lane() & distance) != 0);
}

// The node over all 32 lanes.
HD_FN hd_node hd_warp_node(hd_node n)
{
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) n = hd_up(n, d);
    return n;
}

// Rows in lanes: of `rows` nodes a lane, one for each row, makes one a lane, over the lanes around it, `rows`
// times `step` of them, in row (lane / step mod rows). Each exchange halves what is left: 7 shuffles for 8 rows.
HD_FN hd_node hd_turn_rows(hd_node *t, int rows, int step)
{
#pragma unroll
    for (int d = 1; d < rows; d *= 2) {
        const bool right = (hd_lane() & d * step) != 0;
#pragma unroll
        for (int q = 0; q < rows / (2 * d); q++) {
            const hd_node mine = right ? t[2 * q + 1] : t[2 * q];
            const hd_node other = hd_from_xor(right ? t[2 * q] : t[2 * q + 1], d * step);
            t[q] = hd_join(mine, other, right);
        }
    }
    return t[0];
}

// ---- A prefix that may be empty: the left fold of nodes, largest first ---------------------------

struct hd_prefix {
    hd_node node;
    bool any;
};

HD_FN void hd_append(hd_prefix *p, hd_node n)
{
    p->node = HD_IDENTITY || p->any ? hd_combine(p->node, n) : n;
    p->any = true;
}

// An empty one; `filler` is any node, where the operator has no identity.
HD_FN hd_prefix hd_empty_prefix(hd_node filler)
{
    hd_prefix p;
    p.node = HD_IDENTITY ? hd_identity() : filler;
    p.any = false;
    return p;
}

// Appends the nodes of the first m < 32 lanes, as the set bits of m name them. All lanes call.
HD_FN void hd_append_lanes(hd_prefix *p, hd_node n, int m)
{
    hd_node level[5];
#pragma unroll
    for (int k = 0; k < 5; k++) {
        level[k] = hd_from_lane(n, m >> (k + 1) << (k + 1));
        n = hd_up(n, 1 << k);
    }
#pragma unroll
    for (int k = 4; k >= 0; k--)
        if (m >> k & 1) hd_append(p, level[k]);
}
