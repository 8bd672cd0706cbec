// SPDX-License-Identifier: Apache-2.0
// A range for the threads of a region: each has a share of its own, which it works through from its start on, piece
// by piece, and then helps the others with theirs. A core that is slow, or that others use as well, then delays nobody by more
// than a piece. Few threads have one piece each: what is read then lies in as long runs as can be.
#ifndef HEDDLE_CPU_RUNTIME_WORK_STEALING_H
#define HEDDLE_CPU_RUNTIME_WORK_STEALING_H

#include "core/system/float_state.h"
#include "cpu/runtime/tuning.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define HD__MOST_SHARES 64 // more threads share shares

typedef struct hd__share {
    _Alignas(64) atomic_llong next;
    int64_t begin, end;
} hd__share;

typedef struct hd__shares {
    int count;
    bool helping;
    int64_t piece;
    hd__share share[HD__MOST_SHARES];
} hd__shares;

// 0 .. n - 1 for so many threads, in pieces of a multiple of `unit`.
static inline void hd__shares_init(hd__shares *s, int64_t n, int threads, int64_t unit)
{
    s->count = threads < HD__MOST_SHARES ? threads : HD__MOST_SHARES;
    s->helping = threads > hd__cpu_tune.static_threads_max;
    const int64_t units = (n + unit - 1) / unit, each = units / s->count, left = units % s->count;
    const int64_t pieces = hd__cpu_tune.chunks_per_thread;
    s->piece = (each + (left > 0) + pieces - 1) / pieces * unit;
    int64_t at = 0;
    for (int k = 0; k < s->count; k++) {
        s->share[k].begin = at < n ? at : n;
        atomic_init(&s->share[k].next, s->share[k].begin);
        at += (each + (k < left)) * unit;
        s->share[k].end = at < n ? at : n;
    }
}

// A thread of the region, which may have fewer of them than there are shares.
typedef struct hd__taker {
    hd__shares *shares;
    int at, team;
} hd__taker;

static inline hd__taker hd__taker_of(hd__shares *s)
{
    return (hd__taker){s, omp_get_thread_num(), omp_get_num_threads()};
}

// The next piece for a thread; false: there is none left.
static inline bool hd__take(hd__taker *t, int64_t *begin, int64_t *end)
{
    hd__shares *s = t->shares;
    for (; !s->helping && t->at < s->count; t->at += t->team) {
        *begin = s->share[t->at].begin;
        *end = s->share[t->at].end;
        if (*begin == *end) continue;
        t->at += t->team;
        return true;
    }
    for (int k = 0; s->helping && k < s->count; k++) {
        hd__share *from = &s->share[(t->at + k) % s->count];
        if (atomic_load_explicit(&from->next, memory_order_relaxed) >= from->end) continue;
        *begin = atomic_fetch_add_explicit(&from->next, s->piece, memory_order_relaxed);
        if (*begin >= from->end) continue;
        *end = from->end - *begin < s->piece ? from->end : *begin + s->piece;
        return true;
    }
    return false;
}

// run(what, k) for k = 0 .. n - 1, each in one of the threads.
static inline void hd__share_out(int64_t n, int threads, void (*run)(const void *what, int64_t k),
                                 const void *what)
{
    hd__shares shares;
    hd__shares_init(&shares, n, threads, 1);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        hd__taker taker = hd__taker_of(&shares);
        int64_t k, end;
        while (hd__take(&taker, &k, &end))
            for (; k < end; k++) run(what, k);
    }
}

// Shares of a range whose work is done in two passes, so that each is the same in both.
static inline int hd__fixed_shares(int threads)
{
    const int each = (int)hd__cpu_tune.fixed_chunks_per_thread;
    return threads > hd__cpu_tune.static_threads_max ? each * threads : threads;
}

#endif
