// SPDX-License-Identifier: Apache-2.0
//
// Tiles of a scatter that may have nothing to do, and then is to cost nothing: few blocks take them
// by ticket. They are taken in their order, so that what is written in a while lies together;
// blocks that step by their number would drift apart. A block asks for its next one before it works
// on the last.
#pragma once
#include "move/sources.cuh"

struct hk_tiles {
    int64_t tile, count;
    uint32_t next;
};

HK_FN void hk_take_tile(const hk_scatter_how *how, hk_tiles *t)
{
    if (how->ticket != 0 && threadIdx.x == 0) t->next = hk_add_to(how->ticket, 1);
}

HK_FN void hk_next_tile(const hk_scatter_how *how, hk_tiles *t, uint32_t *shared)
{
    if (how->ticket == 0) {
        t->tile = t->count;
        return;
    }
    hk_block_barrier();
    if (threadIdx.x == 0) *shared = t->next;
    hk_block_barrier();
    t->tile = *shared;
}

HK_FN hk_tiles hk_first_tile(const hk_scatter_how *how, uint32_t *shared)
{
    hk_tiles t = {blockIdx.x, 0, 0};
    if (how->word != 0 && *how->word != how->wanted) return t;
    t.count = (how->n + HK_THREADS * HK_ROWS - 1) / (HK_THREADS * HK_ROWS);
    if (how->ticket == 0) return t;
    hk_take_tile(how, &t);
    hk_next_tile(how, &t, shared);
    return t;
}

HK_FN int64_t hk_first_source(const hk_tiles *t)
{
    return t->tile * (HK_THREADS * HK_ROWS) + threadIdx.x;
}
