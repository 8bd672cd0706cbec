// SPDX-License-Identifier: Apache-2.0
//
// Runs by one thread, without branches where that is faster.
#include "bench/peer/peer_runs.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>

static void unique_i32(const peer_job *job)
{
    const peer_runs *r = job->more;
    const int32_t *x = job->in;
    int32_t *y = job->out;
    int64_t w = 0;
    y[0] = x[0];
    for (int64_t i = 1; i < job->n; i++) {
        w += x[i] != x[i - 1];
        y[w] = x[i];
    }
    *r->count = w + 1;
}

static void unique_f32(const peer_job *job)
{
    const peer_runs *r = job->more;
    const float *x = job->in;
    float *y = job->out;
    int64_t w = 0;
    y[0] = x[0];
    for (int64_t i = 1; i < job->n; i++) {
        w += x[i] != x[i - 1];
        y[w] = x[i];
    }
    *r->count = w + 1;
}

static void run_lengths(const peer_job *job)
{
    const peer_runs *r = job->more;
    const int32_t *x = job->in;
    int32_t *y = job->out;
    int64_t w = 0;
    int32_t begin = 0;
    y[0] = x[0];
    for (int64_t i = 1; i < job->n; i++) {
        const int head = x[i] != x[i - 1];
        r->lengths[w] = (int32_t)i - begin;
        begin = head ? (int32_t)i : begin;
        w += head;
        y[w] = x[i];
    }
    r->lengths[w] = (int32_t)job->n - begin;
    *r->count = w + 1;
}

static void expand(const peer_job *job)
{
    const peer_runs *r = job->more;
    const int32_t *x = job->in;
    int32_t *y = job->out;
    for (int64_t j = 0; j < job->n; j++)
        for (int32_t k = 0; k < r->lengths[j]; k++) *y++ = x[j];
    *r->count = y - (int32_t *)job->out;
}

static peer_run *find_runs(const peer_job *job)
{
    switch (job->pattern) {
    case PEER_UNIQUE: return job->type == PEER_F32 ? unique_f32 : unique_i32;
    case PEER_RUN_LENGTHS: return run_lengths;
    case PEER_EXPAND: return expand;
    default: return NULL;
    }
}

PEER_FINDER(find_runs)
