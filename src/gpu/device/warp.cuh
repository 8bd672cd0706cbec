// SPDX-License-Identifier: Apache-2.0
//
// Nodes of the tree within a warp. A node is moved between lanes word by word, whatever it is.
#pragma once
#include "device/node.cuh"

union hk_words {
    uint32_t w[HK_NODE_WORDS];
    hk_node node;
};

HK_FN hk_words hk_words_of(hk_node n)
{
    hk_words x;
    x.w[HK_NODE_WORDS - 1] = 0; // the bytes a small node leaves open
    x.node = n;
    return x;
}

HK_FN hk_node hk_from_lane(hk_node n, int lane)
{
    hk_words x = hk_words_of(n);
#pragma unroll
    for (int k = 0; k < HK_NODE_WORDS; k++) x.w[k] = hk_word_from(x.w[k], lane);
    return x.node;
}

HK_FN hk_node hk_from_xor(hk_node n, int distance)
{
    hk_words x = hk_words_of(n);
#pragma unroll
    for (int k = 0; k < HK_NODE_WORDS; k++)
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                     : "=r"(x.w[k])
                     : "r"(x.w[k]), "r"(distance));
    return x.node;
}

HK_FN hk_node hk_from_next(hk_node n)
{
    hk_words x = hk_words_of(n);
#pragma unroll
    for (int k = 0; k < HK_NODE_WORDS; k++)
        asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x1f, 0xffffffff;"
                     : "=r"(x.w[k])
                     : "r"(x.w[k]));
    return x.node;
}

// One step up the tree: every lane has the node over its own and its sibling's part.
HK_FN hk_node hk_join(hk_node mine, hk_node other, bool right)
{
    if (HK_COMMUTATIVE) return hk_combine(mine, other);
    return hk_combine(right ? other : mine, right ? mine : other);
}

HK_FN hk_node hk_up(hk_node n, int distance)
{
    return hk_join(n, hk_from_xor(n, distance), (hk_lane() & distance) != 0);
}

// The node over all 32 lanes.
HK_FN hk_node hk_warp_node(hk_node n)
{
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) n = hk_up(n, d);
    return n;
}

// Reduces by a transpose across lanes: of `rows` nodes a lane, one for each row, makes one a lane,
// over the lanes around it, `rows` times `step` of them, in row (lane / step mod rows). Each
// exchange halves the nodes that are left: 7 shuffles for 8 rows.
HK_FN hk_node hk_transpose_reduce(hk_node *t, int rows, int step)
{
#pragma unroll
    for (int d = 1; d < rows; d *= 2) {
        const bool right = (hk_lane() & d * step) != 0;
#pragma unroll
        for (int q = 0; q < rows / (2 * d); q++) {
            const hk_node mine = right ? t[2 * q + 1] : t[2 * q];
            const hk_node other = hk_from_xor(right ? t[2 * q] : t[2 * q + 1], d * step);
            t[q] = hk_join(mine, other, right);
        }
    }
    return t[0];
}

// ---- A prefix that may be empty: the left fold of nodes, largest first --------------------------

struct hk_prefix {
    hk_node node;
    bool any;
};

HK_FN void hk_append(hk_prefix *p, hk_node n)
{
    p->node = HK_IDENTITY || p->any ? hk_combine(p->node, n) : n;
    p->any = true;
}

// An empty one; `filler` is any node, where the operator has no identity.
HK_FN hk_prefix hk_empty_prefix(hk_node filler)
{
    hk_prefix p;
    p.node = HK_IDENTITY ? hk_identity() : filler;
    p.any = false;
    return p;
}

// Appends the nodes of the first m < 32 lanes, as the set bits of m name them. All lanes call.
HK_FN void hk_append_lanes(hk_prefix *p, hk_node n, int m)
{
    hk_node level[5];
#pragma unroll
    for (int k = 0; k < 5; k++) {
        level[k] = hk_from_lane(n, m >> (k + 1) << (k + 1));
        n = hk_up(n, 1 << k);
    }
#pragma unroll
    for (int k = 4; k >= 0; k--)
        if (m >> k & 1) hk_append(p, level[k]);
}
