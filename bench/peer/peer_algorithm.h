// SPDX-License-Identifier: Apache-2.0
//
// What PEER_ALGORITHM needs: a word that says what is to be done, and its input arrays. What each
// word means is said where its rows are, in bench/algorithms/.
#ifndef HEDDLE_BENCH_PEER_PEER_ALGORITHM_H
#define HEDDLE_BENCH_PEER_PEER_ALGORITHM_H

#include "peer.h"

#include <string.h>

#define PEER_ARRAYS_MAX 6

typedef struct peer_array {
    const void *data;
    int64_t n;
    int32_t type; // a PEER_ type
} peer_array;

typedef struct peer_algorithm {
    const char *work;
    int32_t arrays;
    peer_array array[PEER_ARRAYS_MAX];
    int64_t out_n; // elements of job.out, of job.out_type
} peer_algorithm;

// The arrays of a job of this work, or NULL.
static inline const peer_algorithm *peer_algorithm_of(const peer_job *job, const char *work)
{
    const peer_algorithm *const a = (const peer_algorithm *)job->more;
    return job->pattern == PEER_ALGORITHM && strcmp(a->work, work) == 0 ? a : NULL;
}

#endif
