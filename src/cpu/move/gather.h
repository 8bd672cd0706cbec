// SPDX-License-Identifier: Apache-2.0
// Gather from inside: what its two files share.
#ifndef HEDDLE_CPU_MOVE_GATHER_H
#define HEDDLE_CPU_MOVE_GATHER_H

#include "patterns/move/gather.h"

#include <stdatomic.h>

// The first bad index that any thread met; INT64_MAX: none yet.
typedef atomic_llong hd__cpu_first_bad;

static inline void hd__cpu_note_bad(hd__cpu_first_bad *first, int64_t bad)
{
    long long now = atomic_load_explicit(first, memory_order_relaxed);
    if (bad < 0) return;
    while (bad < now && !atomic_compare_exchange_weak(first, &now, bad)) {
    }
}

static inline void hd__cpu_report_first(const hd__gather_job *job, hd__cpu_first_bad *first)
{
    const int64_t bad = atomic_load(first);
    if (job->bad != NULL && bad != INT64_MAX) *job->bad = bad;
}

// Elements of 4 or 8 bytes out of much memory in no order: fetched bucket by bucket (see
// gather_buckets.c). False in *done: it would not pay; nothing was written then.
hd_status hd__cpu_gather_buckets(hd_context *ctx, const hd__gather_job *job, int threads,
                                 bool *done);

#endif
