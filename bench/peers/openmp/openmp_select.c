// SPDX-License-Identifier: Apache-2.0
//
// Compaction, partition and runs with OpenMP: each thread counts its part, then moves it, without
// branches but for the last that a part may write.
#include "bench/peer/peer_runs.h"
#include "bench/peer/peer_select.h"
#include "bench/peers/support/finders.h"

#include <omp.h>
#include <stddef.h>
#include <string.h>

#define MOST 256 // threads

// The part of thread t.
static int64_t part(const peer_job *job, int t)
{
    return job->n / job->threads * t + (t == job->threads ? job->n % job->threads : 0);
}

static int64_t sum_up(int64_t *counts, int threads)
{
    int64_t sum = 0;
    for (int t = 0; t < threads; t++) {
        const int64_t here = counts[t];
        counts[t] = sum;
        sum += here;
    }
    return sum;
}

#define T        int32_t
#define NAMED(f) f##_i32
#include "openmp_select_body.h"
#define T        double
#define NAMED(f) f##_f64
#include "openmp_select_body.h"
#define T        uint8_t
#define NAMED(f) f##_u8
#include "openmp_select_body.h"

static void buckets(const peer_job *job)
{
    static int64_t place[MOST][256];
    const peer_select *s = job->more;
    const int32_t *x = job->in;
    int32_t *y = job->out;
#pragma omp parallel num_threads(job->threads)
    {
        const int t = omp_get_thread_num();
        const int64_t begin = part(job, t), end = part(job, t + 1);
        memset(place[t], 0, sizeof place[t]);
        for (int64_t i = begin; i < end; i++) place[t][s->buckets[i]]++;
#pragma omp barrier
#pragma omp single
        {
            int64_t sum = 0;
            for (int64_t k = 0; k < s->ways; k++) {
                const int64_t before = sum;
                for (int u = 0; u < job->threads; u++) {
                    const int64_t here = place[u][k];
                    place[u][k] = sum;
                    sum += here;
                }
                s->counts[k] = sum - before;
            }
        }
        for (int64_t i = begin; i < end; i++) y[place[t][s->buckets[i]]++] = x[i];
    }
}

static peer_run *find_select(const peer_job *job)
{
    const peer_select *s = job->more;
    if (job->threads > MOST) return NULL;
    if (job->pattern == PEER_PARTITION) {
        if (job->type != PEER_I32) return NULL;
        if (s->ways) return buckets;
        return s->flags ? partition_i32 : partition_positive_i32;
    }
    if (job->pattern != PEER_COMPACT) return NULL;
    switch (job->type) {
    case PEER_I32: return s->flags ? compact_i32 : compact_positive_i32;
    case PEER_F64: return compact_f64;
    case PEER_U8: return compact_u8;
    default: return NULL;
    }
}

PEER_FINDER(find_select)
