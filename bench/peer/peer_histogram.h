// SPDX-License-Identifier: Apache-2.0
//
// What a histogram's job has beyond peer_job: out[b], u32 (or of weights: f32), for b < bins counts
// the elements of in that are b (u8, u32), or of f32 those in the b-th of so many even bins of
// 0 .. 1. Every element is in a bin.
#ifndef HEDDLE_BENCH_PEER_PEER_HISTOGRAM_H
#define HEDDLE_BENCH_PEER_PEER_HISTOGRAM_H

#include "peer.h"

typedef struct peer_histogram {
    int64_t bins;
    const float *weights; // or NULL
} peer_histogram;

static inline const peer_histogram *histogram_of(const peer_job *job)
{
    return (const peer_histogram *)job->more;
}

#endif
