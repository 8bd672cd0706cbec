// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS: sgemm and dgemm, on its own threads.
#include "bench/peer/peer_algorithm.h"
#include "bench/peers/support/finders.h"

#include <cblas.h>
#include <math.h>
#include <openblas_config.h>
#include <stddef.h>

static const void *input_of(const peer_job *job, int k)
{
    return ((const peer_algorithm *)job->more)->array[k].data;
}

static blasint side_of(const peer_job *job)
{
    return (blasint)sqrt((double)job->n);
}

static void product_f32(const peer_job *job)
{
    const blasint n = side_of(job);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, input_of(job, 0), n,
                input_of(job, 1), n, 0, job->out, n);
}

static void product_f64(const peer_job *job)
{
    const blasint n = side_of(job);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, input_of(job, 0), n,
                input_of(job, 1), n, 0, job->out, n);
}

static peer_run *find_matmul(const peer_job *job)
{
    if (!peer_algorithm_of(job, "matmul")) return NULL;
    return job->type == PEER_F64 ? product_f64 : product_f32;
}

PEER_FINDER(find_matmul)
