// SPDX-License-Identifier: Apache-2.0
//
// Tiles of a scatter that may have nothing to do, and then is to cost nothing: few blocks take them by ticket. They
// are taken in their order, so that what is written in a while lies together; blocks that step by their number
// would drift apart. A block asks for its next one before it works on the last.
#pragma once
#include "move/sources.cuh"

struct hd_tiles {
    int64_t tile, count;
    uint32_t next;
};

HD_FN void hd_ask_tile(const hd_scatter_how *how, hd_tiles *t)
{
    if (how->ticket != 0 && threadIdx.x == 0) t->next = hd_add_to(how->ticket, 1);
}

HD_FN void hd_next_tile(const hd_scatter_how *how, hd_tiles *t, uint32_t *shared)
{
    if (how->ticket == 0) {
        t->tile = t->count;
        return;
    }
    hd_block_barrier();
    if (threadIdx.x == 0) *shared = t->next;
    hd_block_barrier();
    t->tile = *shared;
}

HD_FN hd_tiles hd_first_tile(const hd_scatter_how *how, uint32_t *shared)
{
    hd_tiles t = {blockIdx.x, 0, 0};
    if (how->word != 0 && *how->word != how->wanted) return t;
    t.count = (how->n + HD_THREADS * HD_ROWS - 1) / (HD_THREADS * HD_ROWS);
    if (how->ticket == 0) return t;
    hd_ask_tile(how, &t);
    hd_next_tile(how, &t, shared);
    return t;
}

HD_FN int64_t hd_first_source(const hd_tiles *t)
{
    return t->tile * (HD_THREADS * HD_ROWS) + threadIdx.x;
}
