// SPDX-License-Identifier: Apache-2.0
//
// What peers of gather and scatter need: n indices, i32. GATHER: out[i] = in[index[i]]. SCATTER
// with op PEER_OTHER_OP: out[index[i]] = in[i], no index comes twice; with PEER_SUM: out[index[i]]
// += in[i], of whole numbers.
#ifndef HEDDLE_BENCH_PEER_PEER_GATHER_H
#define HEDDLE_BENCH_PEER_PEER_GATHER_H

#include <stdint.h>

typedef struct peer_gather {
    const int32_t *index;
    int64_t places; // in `in` of a gather, in `out` of a scatter
} peer_gather;

#endif
