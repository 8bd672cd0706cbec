// SPDX-License-Identifier: Apache-2.0
//
// Blocks that take tiles by ticket: in the order in which they begin.
// The next tile by ticket. All threads call.
#pragma once
#include "device/lookback.cuh"

HK_FN hk_turn hk_take_turn(const hk_state *s, uint64_t *shared)
{
    if (threadIdx.x == 0)
        hk_publish_turn(hk_poll_turn(s), hk_add_to(s->clock + HK_AT_TICKET, 1), shared);
    hk_block_barrier();
    return hk_turn_of(s, shared);
}
