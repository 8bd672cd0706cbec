// SPDX-License-Identifier: Apache-2.0
//
// What peers need to know of a sort beyond peer_job, in its `more`.
//
// SORT       out = in in rising order, keys of job->type. Pairs: `pairs` instead of in, and
//            `pairs_out` instead of out: structures of a key and a value, by their keys; the order
//            of equal keys does not matter. With offsets: each segment on its own.
//
// A peer that sorts in place copies the input first, with all threads: every call begins with the
// same numbers.
#ifndef HEDDLE_BENCH_PEER_PEER_SORT_H
#define HEDDLE_BENCH_PEER_PEER_SORT_H

#include "peer.h"

typedef struct peer_pair {
    uint32_t key, value;
} peer_pair;

typedef struct peer_sort {
    const peer_pair *pairs; // NULL: keys alone
    peer_pair *pairs_out;
} peer_sort;

#endif
