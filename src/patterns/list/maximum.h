// SPDX-License-Identifier: Apache-2.0
// What a backend gets of hd_maximum: rounds of a tournament. In each the players stand in groups
// and the winner of each group goes on; every method is a list of rounds.
#ifndef HEDDLE_PATTERNS_LIST_MAXIMUM_H
#define HEDDLE_PATTERNS_LIST_MAXIMUM_H

#include "core/backend.h"
#include "heddle_teaching.h"

typedef enum hd__play {
    HD__ONE_BY_ONE, // a processor for each group goes through it: q - 1 steps
    HD__IN_PAIRS,   // groups of two: one step
    HD__ALL_AT_ONCE // a processor for each pair: three steps
} hd__play;

typedef struct hd__round {
    hd__play play;
    int64_t group;
} hd__round;

#define HD__MAX_ROUNDS 80

typedef struct hd__maximum_job {
    hd_view in; // n >= 1
    int64_t n;
    int rounds;
    hd__round round[HD__MAX_ROUNDS];
    hd_maximum_result *result; // index and counts are the backend's to fill
} hd__maximum_job;

// Elements as whole numbers in their order: equal elements, +0 and -0 among them, are equal, and
// NaN is above everything.
void hd__order_keys(const hd_view *v, int64_t start, int64_t n, uint64_t *keys);

// Adds a round of m players to the counts: groups of g, the last perhaps smaller.
void hd__count_round(hd_maximum_result *result, hd__play play, int64_t g, int64_t m, int64_t work);

#endif
