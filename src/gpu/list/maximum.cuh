// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of hd_maximum share: a round of a tournament, from one array of players to
// another, and the operations that were counted while it was played.
#pragma once

#include "device/lanes.cuh"

// maximum_round of maximum.c. Players are keys in the order of their indices: of equals the first
// wins.
struct hk_maximum_round {
    const uint64_t *key;
    const int64_t *index; // 0: a player's position is its index
    uint64_t *key_to;
    int64_t *index_to;
    uint32_t *lost; // by player, where all of a group meet
    uint64_t *work; // of the round
    int64_t m, group, groups;
};

// The player at `best` goes on as number `slot` of the next round.
HK_FN void hk_enter(const hk_maximum_round *r, int64_t slot, int64_t best)
{
    r->key_to[slot] = r->key[best];
    r->index_to[slot] = r->index != 0 ? r->index[best] : best;
}

// All lanes call.
HK_FN void hk_count_work(const hk_maximum_round *r, uint64_t own)
{
    const uint64_t sum = hk_long_sum_to_lane(own);
    if (hk_lane() == 31 && sum != 0) hk_add_to_long(r->work, sum);
}
