// SPDX-License-Identifier: Apache-2.0
// Work stealing over one range: each thread of a team owns a range, takes chunks from its front,
// and then steals chunks from the ranges of others. A slow or shared core delays the team by at
// most one chunk. Up to static_threads_max threads (tuning.def) take their whole range as one
// chunk, so that memory is read in runs as long as possible.
#ifndef HEDDLE_CPU_RUNTIME_WORK_STEALING_H
#define HEDDLE_CPU_RUNTIME_WORK_STEALING_H

#include "core/system/float_state.h"
#include "cpu/runtime/tuning.h"
#include "cpu/runtime/team.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define HD__CPU_MAX_RANGES 64 // more threads than this have one in common

typedef struct hd__cpu_range {
    _Alignas(64) atomic_llong next;
    int64_t begin, end;
} hd__cpu_range;

typedef struct hd__cpu_ranges {
    int count;
    bool stealing;
    int64_t chunk;
    hd__cpu_range range[HD__CPU_MAX_RANGES];
} hd__cpu_ranges;

// 0 .. n - 1 for so many threads, in chunks of a multiple of `unit`.
static inline void hd__cpu_ranges_init(hd__cpu_ranges *s, int64_t n, int threads, int64_t unit)
{
    s->count = threads < HD__CPU_MAX_RANGES ? threads : HD__CPU_MAX_RANGES;
    if (threads == 1) { // without the divisions
        s->stealing = false;
        s->range[0].begin = 0;
        s->range[0].end = n;
        return;
    }
    s->stealing = threads > hd__cpu_tune.static_threads_max;
    const int64_t units = (n + unit - 1) / unit, each = units / s->count, left = units % s->count;
    const int64_t chunks = hd__cpu_tune.chunks_per_thread;
    s->chunk = (each + (left > 0) + chunks - 1) / chunks * unit;
    int64_t at = 0;
    for (int k = 0; k < s->count; k++) {
        s->range[k].begin = at < n ? at : n;
        atomic_init(&s->range[k].next, s->range[k].begin);
        at += (each + (k < left)) * unit;
        s->range[k].end = at < n ? at : n;
    }
}

// A thread of the region, which may have fewer threads than there are ranges.
typedef struct hd__cpu_stealer {
    hd__cpu_ranges *ranges;
    int at, team;
} hd__cpu_stealer;

static inline hd__cpu_stealer hd__cpu_stealer_of(hd__cpu_ranges *s)
{
    return (hd__cpu_stealer){s, omp_get_thread_num(), omp_get_num_threads()};
}

// The next chunk of a thread, its own or a stolen one; false: there is none left.
static inline bool hd__cpu_next_chunk(hd__cpu_stealer *t, int64_t *begin, int64_t *end)
{
    hd__cpu_ranges *s = t->ranges;
    for (; !s->stealing && t->at < s->count; t->at += t->team) {
        *begin = s->range[t->at].begin;
        *end = s->range[t->at].end;
        if (*begin == *end) continue;
        t->at += t->team;
        return true;
    }
    for (int k = 0; s->stealing && k < s->count; k++) {
        hd__cpu_range *from = &s->range[(t->at + k) % s->count];
        if (atomic_load_explicit(&from->next, memory_order_relaxed) >= from->end) continue;
        *begin = atomic_fetch_add_explicit(&from->next, s->chunk, memory_order_relaxed);
        if (*begin >= from->end) continue;
        *end = from->end - *begin < s->chunk ? from->end : *begin + s->chunk;
        return true;
    }
    return false;
}

// run(what, k) for k = 0 .. n - 1, each in one of the threads.
static inline void hd__cpu_for_each(int64_t n, int threads,
                                    void (*run)(const void *what, int64_t k), const void *what)
{
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, n, threads, 1);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t k, end;
        while (hd__cpu_next_chunk(&stealer, &k, &end))
            for (; k < end; k++) run(what, k);
    }
}

// Chunks of a range that two passes go over, so that they are the same in both.
static inline int hd__cpu_fixed_chunks(int threads)
{
    const int each = (int)hd__cpu_tune.fixed_chunks_per_thread;
    return threads > hd__cpu_tune.static_threads_max ? each * threads : threads;
}

#endif
