// SPDX-License-Identifier: Apache-2.0
//
// What peers of map need. MAP: out[i] = 2 * in[i] + with[i] (op PEER_OTHER_OP). DIFFERENCE, FIND
// and SHUFFLE need nothing more: out[0] = in[0], out[i] = in[i] - in[i - 1]; out[0] (i64) = the
// first i with in[i] != 0; out = in in any random order.
#ifndef HEDDLE_BENCH_PEER_PEER_MAP_H
#define HEDDLE_BENCH_PEER_PEER_MAP_H

typedef struct peer_map {
    const void *with;
} peer_map;

#endif
