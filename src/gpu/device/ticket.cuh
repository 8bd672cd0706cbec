// SPDX-License-Identifier: Apache-2.0
//
// Blocks that take tiles by ticket: in the order in which they begin.
// The next tile by ticket. All threads call.
#pragma once
#include "device/lookback.cuh"

HD_FN hd_turn hd_take_turn(const hd_state *s, uint64_t *shared)
{
    if (threadIdx.x == 0)
        hd_tell_turn(hd_ask_turn(s), hd_add_to(s->clock + HD_AT_TICKET, 1), shared);
    hd_block_barrier();
    return hd_turn_of(s, shared);
}
