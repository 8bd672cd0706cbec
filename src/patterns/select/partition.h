// SPDX-License-Identifier: Apache-2.0
// The job of a partition: two ways (flag not zero, then the others) or many (flag = bucket).
#ifndef HEDDLE_PATTERNS_SELECT_PARTITION_H
#define HEDDLE_PATTERNS_SELECT_PARTITION_H

#include "core/backend.h"
#include "flags.h"

typedef struct hd__partition_job {
    hd_view in; // collapsed, as all views of a job
    hd__flags flags;
    int64_t n;
    int64_t ways; // 2 for two ways
    bool buckets; // the flag is the bucket's number
    hd_view out;
    hd_view counts, offsets, indices; // each may be empty
} hd__partition_job;

// Writes counts and offsets, where they are wanted: bucket k begins at begins[k], k < ways.
void hd__put_parts(const hd__partition_job *job, const int64_t *begins);

// Element i is of bucket `bucket`, which is not one of them.
hd_status hd__bad_bucket(hd_context *ctx, const hd__partition_job *job, int64_t i, int64_t bucket);

// Whether the elements are so few for the ways that a count a way would cost more than sorting
// them. They are pairs then, of the bucket (the upper half) and the index, which are below 2^30.
static inline bool hd__has_few(const hd__partition_job *job)
{
    return job->buckets && job->n < job->ways / 4;
}

// Writes counts and offsets, where they are wanted, of n pairs that are sorted.
void hd__put_few_parts(const hd__partition_job *job, const uint64_t *sorted);

#endif
