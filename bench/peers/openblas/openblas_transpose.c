// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS: somatcopy and domatcopy, which use one thread, in a strip of rows a thread; in place
// simatcopy and dimatcopy.
#include "bench/peer/peer_transpose.h"
#include "bench/peers/support/finders.h"

#include <cblas.h>
#include <openblas_config.h>
#include <stddef.h>

static void turn(const peer_job *job)
{
    const peer_transpose *m = job->more;
    const int64_t strips = 4 * job->threads;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t k = 0; k < strips; k++) {
        const int64_t begin = m->rows * k / strips, rows = m->rows * (k + 1) / strips - begin;
        if (rows == 0) continue;
        if (job->type == PEER_F32)
            cblas_somatcopy(CblasRowMajor, CblasTrans, (blasint)rows, (blasint)m->columns, 1,
                            (const float *)job->in + begin * m->columns, (blasint)m->columns,
                            (float *)job->out + begin, (blasint)m->rows);
        else
            cblas_domatcopy(CblasRowMajor, CblasTrans, (blasint)rows, (blasint)m->columns, 1,
                            (const double *)job->in + begin * m->columns, (blasint)m->columns,
                            (double *)job->out + begin, (blasint)m->rows);
    }
}

static void turn_in_place(const peer_job *job)
{
    const peer_transpose *m = job->more;
    cblas_simatcopy(CblasRowMajor, CblasTrans, (blasint)m->rows, (blasint)m->columns, 1, job->out,
                    (blasint)m->columns, (blasint)m->rows);
}

static peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_TRANSPOSE) return NULL;
    const peer_transpose *m = job->more;
    if (m->rows == 3 || m->columns == 3 || m->rows * m->columns > INT32_MAX) return NULL;
    if (job->in == job->out) return job->type == PEER_F32 ? turn_in_place : NULL;
    return job->type == PEER_F32 || job->type == PEER_F64 ? turn : NULL;
}

PEER_FINDER(find)
