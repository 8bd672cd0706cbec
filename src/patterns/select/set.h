// SPDX-License-Identifier: Apache-2.0
// The job of the set operations on sorted arrays: equal elements are paired off, and an operation
// is which elements it keeps.
#ifndef HEDDLE_PATTERNS_SELECT_SET_H
#define HEDDLE_PATTERNS_SELECT_SET_H

#include "patterns/sort/comparisons.h"

typedef struct hd__set_job {
    const hd_comparison *order;
    bool backwards;                  // turned round
    bool numbers, descending;        // the order is the numbers' own, in this direction
    bool keep_a, keep_pairs, keep_b; // a's alone, a's of pairs, b's alone
    int64_t na, nb;
    hd_view a, b;          // collapsed
    hd_view out, indices;  // collapsed; each may be empty; what does not fit is counted only
    const hd_view *values; // of a, of b, kept, in turn, as the caller gave them
    int64_t value_count;   // triples of them
    int64_t *count;
} hd__set_job;

// The value arrays k of a, of b and kept, collapsed. What the last has no room for is left out.
void hd__set_value(const hd__set_job *job, int64_t k, hd_view value[3]);

#endif
