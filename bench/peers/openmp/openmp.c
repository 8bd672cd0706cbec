// SPDX-License-Identifier: Apache-2.0
//
// OpenMP loops: `parallel for simd reduction`, and the `scan` directive of OpenMP 5, with float
// sums allowed to be reordered. Built once more as OpenMP-plain (PEER_PLAIN, without -ffast-math):
// the loops as C has them, which add floats one after another.
#include "bench/peers/support/finders.h"

#include <stddef.h>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#ifdef PEER_PLAIN
#define NAME_OF_PEER "OpenMP-plain"
#define PARALLEL(what) PRAGMA(omp parallel for what num_threads(job->threads))
#define SIMD(what)
#else
#define NAME_OF_PEER "OpenMP"
#define PARALLEL(what) PRAGMA(omp parallel for simd what num_threads(job->threads))
#define SIMD(what) PRAGMA(omp simd what)
#endif

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
    PARALLEL(reduction(+ : s))
    for (int64_t i = 0; i < job->n; i++) s += x[i];
    *(uint64_t *)job->out = s;
}

static void sum_i16(const peer_job *job)
{
    const int16_t *x = job->in;
    int64_t s = 0;
    PARALLEL(reduction(+ : s))
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

PEER_FINDER(find)

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer openmp = {PEER_ABI, NAME_OF_PEER, open_openmp, peer_find,
                                NULL,     NULL,         NULL,        NULL};
    return &openmp;
}
