// SPDX-License-Identifier: Apache-2.0
// The job of hd_shuffle, and the keys that make the order.
#ifndef HEDDLE_PATTERNS_MOVE_SHUFFLE_H
#define HEDDLE_PATTERNS_MOVE_SHUFFLE_H

#include "core/reader.h"

typedef struct hd__shuffle_job {
    hd_view in, out; // collapsed
    int64_t n;
    uint64_t start; // mix(seed)
} hd__shuffle_job;

static inline uint64_t hd__mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Element i comes in the order of this key; equal keys in the order of i.
static inline uint64_t hd__shuffle_key(uint64_t start, int64_t i)
{
    return hd__mix(start + ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u);
}

#endif
