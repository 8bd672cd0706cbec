// SPDX-License-Identifier: Apache-2.0
// Permutation of values into the order of lists and back: every element has a destination index of
// its own, and later ones are prefetched.
#include "patterns/list/list.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/move/block_copy.h"

static inline __attribute__((always_inline)) void move(const hd__permute_job *job, int64_t begin,
                                                       int64_t end, size_t size)
{
    const int64_t distance = hd__cpu_tune.list_prefetch_distance;
    const int64_t *place = job->destination, s = (int64_t)size;
    const int64_t in_step = job->in.stride[0] * s, out_step = job->out.stride[0] * s;
    const char *in = job->in.data;
    char *out = job->out.data;
    for (int64_t i = begin; i < end; i++) {
        const int64_t later = i + distance < end ? place[i + distance] : -1, at = place[i];
        if (later >= 0 && job->gathers) __builtin_prefetch(in + later * in_step);
        if (later >= 0 && !job->gathers) __builtin_prefetch(out + later * out_step, 1);
        if (at < 0) continue;
        if (job->gathers)
            memcpy(out + i * out_step, in + at * in_step, size);
        else
            memcpy(out + at * out_step, in + i * in_step, size);
    }
}

static void permute_range(const hd__permute_job *job, int64_t begin, int64_t end)
{
    const size_t size = hd__size_of(job->in.type);
    switch (size) {
    case 1: move(job, begin, end, 1); break;
    case 2: move(job, begin, end, 2); break;
    case 4: move(job, begin, end, 4); break;
    case 8: move(job, begin, end, 8); break;
    default: move(job, begin, end, size);
    }
}

hd_status hd__cpu_permute(hd_context *ctx, const void *any, const char **why)
{
    const hd__permute_job *job = any;
    if (job->in.space == HD_IMPLICIT) {
        *why = "the input lives nowhere";
        return HD__DECLINED;
    }
    const int64_t n = job->gathers ? job->out.shape[0] : job->in.shape[0];
    const int threads = hd__cpu_threads_for(ctx, n, 4 * hd__size_of(job->in.type));
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        HD__FLOAT_STATE;
        permute_range(job, n / threads * t, t + 1 < threads ? n / threads * (t + 1) : n);
    }
    return HD_OK;
}
