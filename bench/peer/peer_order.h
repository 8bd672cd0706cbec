// SPDX-License-Identifier: Apache-2.0
//
// What a peer needs for the patterns of order. No number is NaN.
//
// SORT_BY  out[0 .. n - 1] = in sorted by less-than; OTHER_TYPE: peer_records by their keys
// MERGE    out[0 .. n - 1] = the merge of in[0 .. n/2 - 1] and in[n/2 .. n - 1], both sorted
// SEARCH   out[j] (i64) = how many of more->sorted[0 .. more->n - 1] are less than in[j], j < n
// TOP_K    out[0 .. more->k - 1] = the greatest k of in, the greatest first
#ifndef HEDDLE_BENCH_PEER_PEER_ORDER_H
#define HEDDLE_BENCH_PEER_PEER_ORDER_H

#include "peer.h"

typedef struct peer_record {
    float key;
    int32_t id;
} peer_record;

typedef struct peer_search {
    const void *sorted;
    int64_t n;
} peer_search;

typedef struct peer_top_k {
    int64_t k;
} peer_top_k;

#endif
