// SPDX-License-Identifier: Apache-2.0
//
// GMP: mpn_add_n, mpn_sub_n and mpn_cmp, which use one thread.
#include "bench/peer/peer_algorithm.h"

#include <gmp.h>

static const mp_limb_t *limbs(const peer_job *job, int k)
{
    return (const mp_limb_t *)((const peer_algorithm *)job->more)->array[k].data;
}

static void add(const peer_job *job)
{
    mpn_add_n(job->out, limbs(job, 0), limbs(job, 1), (mp_size_t)job->n);
}

static void subtract(const peer_job *job)
{
    mpn_sub_n(job->out, limbs(job, 0), limbs(job, 1), (mp_size_t)job->n);
}

static void compare(const peer_job *job)
{
    const int order = mpn_cmp(limbs(job, 0), limbs(job, 1), (mp_size_t)job->n);
    *(int64_t *)job->out = (order > 0) - (order < 0);
}

static int32_t open_gmp(int32_t threads)
{
    (void)threads;
    return GMP_NUMB_BITS == 64;
}

static peer_run *find(const peer_job *job)
{
    if (peer_algorithm_of(job, "bigint-add")) return add;
    if (peer_algorithm_of(job, "bigint-subtract")) return subtract;
    return peer_algorithm_of(job, "bigint-compare") ? compare : NULL;
}

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer gmp = {PEER_ABI, "GMP", open_gmp, find, NULL, NULL, NULL, NULL};
    return &gmp;
}
