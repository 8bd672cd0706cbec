// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's histogram: a loop whose table is reduced (reduction(+ : table[:bins])), so that each
// thread counts into its own. Tables past a thread's stack are private arrays on the heap, added up
// by all threads.
#include "bench/peer/peer_histogram.h"
#include "bench/peers/support/finders.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define ON_STACK (1 << 18) // bins

#define T      uint8_t
#define NAME   u8
#define BIN(x) (x)
#include "openmp_histogram_body.h"
#define T      uint32_t
#define NAME   u32
#define BIN(x) (x)
#include "openmp_histogram_body.h"
#define T      float
#define NAME   f32
#define BIN(x) bin_of(x, bins)
static inline int64_t bin_of(float x, int64_t bins)
{
    const int64_t k = (int64_t)(x * (float)bins);
    return k < bins ? k : bins - 1;
}
#include "openmp_histogram_body.h"

static void weights_u32(const peer_job *job)
{
    const uint32_t *x = job->in;
    const float *w = histogram_of(job)->weights;
    float *table = job->out;
    const int64_t bins = histogram_of(job)->bins;
    memset(table, 0, (size_t)bins * sizeof *table);
#pragma omp parallel for reduction(+ : table[:bins]) num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) table[x[i]] += w[i];
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_HISTOGRAM) return NULL;
    const int large = histogram_of(job)->bins > ON_STACK;
    if (histogram_of(job)->weights) return job->type == PEER_U32 && !large ? weights_u32 : NULL;
    switch (job->type) {
    case PEER_U8: return count_u8;
    case PEER_U32: return large ? count_large_u32 : count_u32;
    case PEER_F32: return count_f32;
    default: return NULL;
    }
}

PEER_FINDER(find)
