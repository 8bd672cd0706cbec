// SPDX-License-Identifier: Apache-2.0
//
// OpenMP loops for map, gather, scatter, find and difference, as anyone would write them.
#include "bench/peer/peer_gather.h"
#include "bench/peer/peer_map.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>

static void axpy(const peer_job *job)
{
    const float *a = job->in, *b = ((const peer_map *)job->more)->with;
    float *y = job->out;
#pragma omp parallel for simd num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) y[i] = 2 * a[i] + b[i];
}

static void convert(const peer_job *job)
{
    const uint8_t *x = job->in;
    float *y = job->out;
#pragma omp parallel for simd num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) y[i] = x[i];
}

static void gather_i32(const peer_job *job)
{
    const int32_t *x = job->in, *index = ((const peer_gather *)job->more)->index;
    int32_t *y = job->out;
#pragma omp parallel for num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) y[i] = x[index[i]];
}

static void gather_f64(const peer_job *job)
{
    const double *x = job->in;
    const int32_t *index = ((const peer_gather *)job->more)->index;
    double *y = job->out;
#pragma omp parallel for num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) y[i] = x[index[i]];
}

static void scatter_i32(const peer_job *job)
{
    const int32_t *x = job->in, *index = ((const peer_gather *)job->more)->index;
    int32_t *y = job->out;
#pragma omp parallel for num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) y[index[i]] = x[i];
}

static void scatter_f64(const peer_job *job)
{
    const double *x = job->in;
    const int32_t *index = ((const peer_gather *)job->more)->index;
    double *y = job->out;
#pragma omp parallel for num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) y[index[i]] = x[i];
}

static void sum_i32(const peer_job *job)
{
    const int32_t *x = job->in, *index = ((const peer_gather *)job->more)->index;
    int32_t *y = job->out;
#pragma omp parallel for num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) {
#pragma omp atomic
        y[index[i]] += x[i];
    }
}

static void sum_f32(const peer_job *job)
{
    const float *x = job->in;
    const int32_t *index = ((const peer_gather *)job->more)->index;
    float *y = job->out;
#pragma omp parallel for num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) {
#pragma omp atomic
        y[index[i]] += x[i];
    }
}

static void difference_i32(const peer_job *job)
{
    const int32_t *x = job->in;
    int32_t *y = job->out;
    y[0] = x[0];
#pragma omp parallel for simd num_threads(job->threads)
    for (int64_t i = 1; i < job->n; i++) y[i] = x[i] - x[i - 1];
}

static void difference_f32(const peer_job *job)
{
    const float *x = job->in;
    float *y = job->out;
    y[0] = x[0];
#pragma omp parallel for simd num_threads(job->threads)
    for (int64_t i = 1; i < job->n; i++) y[i] = x[i] - x[i - 1];
}

static peer_run *find(const peer_job *job)
{
    const int narrow = job->type == PEER_I32;
    if (job->pattern == PEER_MAP) return job->op == PEER_OTHER_OP ? axpy : convert;
    if (job->pattern == PEER_GATHER) return narrow ? gather_i32 : gather_f64;
    if (job->pattern == PEER_SCATTER && job->op == PEER_SUM) return narrow ? sum_i32 : sum_f32;
    if (job->pattern == PEER_SCATTER) return narrow ? scatter_i32 : scatter_f64;
    if (job->pattern == PEER_DIFFERENCE) return narrow ? difference_i32 : difference_f32;
    return NULL;
}

PEER_FINDER(find)
