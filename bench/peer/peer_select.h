// SPDX-License-Identifier: Apache-2.0
//
// What peers need to compact and to partition.
//
// PEER_COMPACT    out = the elements with flags[i] != 0 (flags NULL: with in[i] > 0) in their
// order;
//                 counts[0] = how many
// PEER_PARTITION  two ways: out = those elements, then the others, both in their order; counts[0]
// as
//                 above. A peer that writes two arrays puts the others at rest and sets *apart
//                 many ways: out = the elements with buckets[i] == 0, then 1, ...; counts[k] of each
#ifndef HEDDLE_BENCH_PEER_PEER_SELECT_H
#define HEDDLE_BENCH_PEER_PEER_SELECT_H

#include "peer.h"

typedef struct peer_select {
    const uint8_t *flags; // 0 or 1
    const uint8_t *buckets;
    int64_t ways; // 0: two ways
    int64_t *counts;
    void *rest;
    int32_t *apart;
} peer_select;

#endif
