// SPDX-License-Identifier: Apache-2.0
//
// What PEER_LIST needs: in is the next node of each of n i32 nodes of one list, the last links to
// itself; out[i] = the number of links from i to the last.
#ifndef HEDDLE_BENCH_PEER_PEER_LIST_H
#define HEDDLE_BENCH_PEER_PEER_LIST_H

#include <stdint.h>

typedef struct peer_list {
    int64_t head;
} peer_list;

#endif
