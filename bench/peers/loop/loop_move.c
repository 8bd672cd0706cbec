// SPDX-License-Identifier: Apache-2.0
//
// The plain one-thread loops of gather, scatter and sums by index.
#include "bench/peer/peer_gather.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>

static void gather(const peer_job *job)
{
    const int32_t *x = job->in, *index = ((const peer_gather *)job->more)->index;
    int32_t *y = job->out;
    for (int64_t i = 0; i < job->n; i++) y[i] = x[index[i]];
}

static void scatter(const peer_job *job)
{
    const int32_t *x = job->in, *index = ((const peer_gather *)job->more)->index;
    int32_t *y = job->out;
    for (int64_t i = 0; i < job->n; i++) y[index[i]] = x[i];
}

static void sum_i32(const peer_job *job)
{
    const int32_t *x = job->in, *index = ((const peer_gather *)job->more)->index;
    int32_t *y = job->out;
    for (int64_t i = 0; i < job->n; i++) y[index[i]] += x[i];
}

static void sum_f32(const peer_job *job)
{
    const float *x = job->in;
    const int32_t *index = ((const peer_gather *)job->more)->index;
    float *y = job->out;
    for (int64_t i = 0; i < job->n; i++) y[index[i]] += x[i];
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern == PEER_SCATTER && job->op == PEER_SUM)
        return job->type == PEER_I32 ? sum_i32 : job->type == PEER_F32 ? sum_f32 : NULL;
    if (job->type != PEER_I32) return NULL;
    if (job->pattern == PEER_GATHER) return gather;
    return job->pattern == PEER_SCATTER ? scatter : NULL;
}

PEER_FINDER(find)
