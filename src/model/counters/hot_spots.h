// SPDX-License-Identifier: Apache-2.0
//
// Where atomics of a launch meet: how often the busiest 512 bytes, which one slice of the L2
// serves, were sent, and of additions of floats and of compare and swaps the busiest sector.
#ifndef HEDDLE_MODEL_COUNTERS_HOT_SPOTS_H
#define HEDDLE_MODEL_COUNTERS_HOT_SPOTS_H

#include "caches.h"

typedef struct hot_spot hot_spot;

typedef struct hot_spots {
    hot_spot *at;
    uint64_t room, count;
    int64_t hottest, hottest_floats, hottest_swaps;
} hot_spots;

// Adds what an atomic's request asks of one line. false: no memory.
bool hd__model_hot_spots_add(hot_spots *h, const trace_entry *e);
// Adds compare and swaps that succeeded.
bool hd__model_hot_spots_swap(hot_spots *h, const trace_entry *e);
void hd__model_hot_spots_close(hot_spots *h);

#endif
