// SPDX-License-Identifier: Apache-2.0
// Progress of a call inside its parallel regions: the calling thread reports, between chunks of its
// own; the others leave out what they have not begun once the function has ended the call.
#ifndef HEDDLE_CPU_RUNTIME_PROGRESS_H
#define HEDDLE_CPU_RUNTIME_PROGRESS_H

#include "core/context.h"

#include <omp.h>

typedef struct hd__cpu_progress {
    hd_context *ctx; // NULL: there is no function
    bool stopped;
    int64_t reported; // thousandths, by hd__cpu_goes_on_in
} hd__cpu_progress;

static inline hd__cpu_progress hd__cpu_progress_of(hd_context *ctx)
{
    return (hd__cpu_progress){ctx->progress != NULL && !ctx->in_blocks ? ctx : NULL, false, 0};
}

static inline bool hd__cpu_is_stopped(const hd__cpu_progress *p)
{
    return __atomic_load_n(&p->stopped, __ATOMIC_RELAXED);
}

// Reports that about so many thousandths of the call are done, unless more was reported before;
// false: the call is over.
static inline bool hd__cpu_goes_on(hd__cpu_progress *p, int64_t thousandths)
{
    if (p->ctx == NULL) return true;
    if (omp_get_thread_num() == 0 && !p->stopped) {
        const int64_t most = p->ctx->all - 1, done = p->ctx->all / 1000 * thousandths;
        const int64_t now = done > most ? most : done;
        const hd_status status =
            hd__poll(p->ctx, now > p->ctx->done ? now : p->ctx->done, p->ctx->all);
        if (status != HD_OK) __atomic_store_n(&p->stopped, true, __ATOMIC_RELAXED);
    }
    return !hd__cpu_is_stopped(p);
}

// The same at unit `at` of the n of a loop, which is `share` thousandths of the call after `first`
// others: reports only where a thousandth more is done than was reported before, so that a loop may
// call it between any two chunks.
static inline bool hd__cpu_goes_on_in(hd__cpu_progress *p, int64_t first, int64_t share, int64_t at,
                                      int64_t n)
{
    if (p->ctx == NULL) return true;
    if (omp_get_thread_num() != 0) return !hd__cpu_is_stopped(p);
    const int64_t now = first + (int64_t)((double)share * (double)at / (double)n);
    if (now <= p->reported) return !hd__cpu_is_stopped(p);
    p->reported = now;
    return hd__cpu_goes_on(p, now);
}

// What a call returns whose regions have been left.
static inline hd_status hd__cpu_progress_status(const hd__cpu_progress *p)
{
    return p->stopped ? HD_ERROR_CANCELLED : HD_OK;
}

#endif
