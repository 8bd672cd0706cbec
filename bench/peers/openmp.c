// SPDX-License-Identifier: Apache-2.0
//
// The plain OpenMP loop: `parallel for reduction`, and the `scan` directive of OpenMP 5, at -O3 for
// this machine with float sums allowed to be reordered.
#include "../peer.h"

#include <stddef.h>

#define T    int32_t
#define NAME i32
#include "openmp_body.h"
#define T    float
#define NAME f32
#include "openmp_body.h"
#define T    double
#define NAME f64
#include "openmp_body.h"

static void sum_u8(const peer_job *job)
{
    const uint8_t *x = job->in;
    uint64_t s = 0;
#pragma omp parallel for simd reduction(+ : s) num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) s += x[i];
    *(uint64_t *)job->out = s;
}

static void sum_i16(const peer_job *job)
{
    const int16_t *x = job->in;
    int64_t s = 0;
#pragma omp parallel for simd reduction(+ : s) num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) s += x[i];
    *(int64_t *)job->out = s;
}

static int32_t open_openmp(int32_t threads)
{
    (void)threads;
    return 1;
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern == PEER_REDUCE && job->op == PEER_SUM) {
        if (job->type == PEER_U8) return sum_u8;
        if (job->type == PEER_I16) return sum_i16;
    }
    switch (job->type) {
    case PEER_I32: return find_i32(job);
    case PEER_F32: return find_f32(job);
    case PEER_F64: return find_f64(job);
    default: return NULL;
    }
}

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer openmp = {PEER_ABI, "OpenMP", open_openmp, find, NULL, NULL, NULL, NULL};
    return &openmp;
}
