// SPDX-License-Identifier: Apache-2.0
//
// What peers need for runs of equal neighbours.
//
// PEER_UNIQUE       out = the first element of each run of in; *count = how many
// PEER_RUN_LENGTHS  the same, and lengths[j] = how many elements run j has
// PEER_EXPAND       out = in[j], lengths[j] times, for each j < n; *count = the sum of the lengths
//
// places has room for n numbers of 64 bits, for whoever needs it.
#ifndef HEDDLE_BENCH_PEER_PEER_RUNS_H
#define HEDDLE_BENCH_PEER_PEER_RUNS_H

#include "peer.h"

typedef struct peer_runs {
    int32_t *lengths;
    int64_t *count;
    int64_t *places;
} peer_runs;

#endif
