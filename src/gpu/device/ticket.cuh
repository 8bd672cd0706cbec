// SPDX-License-Identifier: Apache-2.0
//
// Blocks that take tiles by ticket, in the order in which they begin.
#pragma once
#include "device/lookback.cuh"

// The next tile. All threads call.
HK_FN hk_ticket hk_take_ticket(const hk_state *s, uint64_t *shared)
{
    if (threadIdx.x == 0)
        hk_broadcast_ticket(hk_read_epoch(s), hk_add_to(s->control + HK_AT_TICKET, 1), shared);
    hk_block_barrier();
    return hk_ticket_of(s, shared);
}
