// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS: sasum and dasum for sums, isamax and idamax for max and argmax: no number is negative,
// so magnitudes will do. (ssum and ismax are three times slower: they use one thread.)
#include "bench/peers/support/finders.h"

#include <cblas.h>
#include <openblas_config.h>
#include <stddef.h>

static void sum_f32(const peer_job *job)
{
    *(float *)job->out = cblas_sasum((blasint)job->n, job->in, 1);
}

static void sum_f64(const peer_job *job)
{
    *(double *)job->out = cblas_dasum((blasint)job->n, job->in, 1);
}

static void argmax_f32(const peer_job *job)
{
    *(int64_t *)job->out = (int64_t)cblas_isamax((blasint)job->n, job->in, 1);
}

static void argmax_f64(const peer_job *job)
{
    *(int64_t *)job->out = (int64_t)cblas_idamax((blasint)job->n, job->in, 1);
}

static void max_f32(const peer_job *job)
{
    *(float *)job->out = ((const float *)job->in)[cblas_isamax((blasint)job->n, job->in, 1)];
}

static void max_f64(const peer_job *job)
{
    *(double *)job->out = ((const double *)job->in)[cblas_idamax((blasint)job->n, job->in, 1)];
}

static int32_t open_openblas(int32_t threads)
{
    openblas_set_num_threads(threads);
    return 1;
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_REDUCE || job->n > INT32_MAX) return NULL;
    if (job->type != PEER_F32 && job->type != PEER_F64) return NULL;
    const int wide = job->type == PEER_F64;
    switch (job->op) {
    case PEER_SUM: return wide ? sum_f64 : sum_f32;
    case PEER_MAX: return wide ? max_f64 : max_f32;
    case PEER_ARGMAX: return wide ? argmax_f64 : argmax_f32;
    default: return NULL;
    }
}

PEER_FINDER(find)

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer openblas = {PEER_ABI, "OpenBLAS", open_openblas, peer_find,
                                  NULL,     NULL,       NULL,          NULL};
    return &openblas;
}
