// SPDX-License-Identifier: Apache-2.0
//
// What is before a chunk of a row that one warp or block scans chunk after chunk: nodes of the
// tree, largest first. Node k is pending where bit k of the number of chunks so far is set.
#pragma once
#include "device/warp.cuh"

#define HK_LEVELS 48

// R of the chunks before chunk c.
HK_FN hk_prefix hk_fold_pending(const hk_node *pending, int64_t c, hk_node filler)
{
    hk_prefix p = hk_empty_prefix(filler);
    int top = 0;
    while (c >> top > 1) top++;
#pragma unroll 1
    for (int k = top; k >= 0; k--)
        if (c >> k & 1) hk_append(&p, pending[k]);
    return p;
}

// Adds the node of chunk c.
HK_FN void hk_push_pending(hk_node *pending, int64_t c, hk_node n)
{
    int k = 0;
    for (; c >> k & 1; k++) n = hk_combine(pending[k], n);
    pending[k] = n;
}
