// SPDX-License-Identifier: Apache-2.0
// Ordered hand-off by tickets: threads take tickets as they come free, and ticket c + 1 waits until
// ticket c is done with its short critical part. A waiting ticket was taken after the one it waits
// for, by a thread that runs, so the wait always ends.
#ifndef HEDDLE_CPU_RUNTIME_TICKET_ORDER_H
#define HEDDLE_CPU_RUNTIME_TICKET_ORDER_H

#include "cpu/runtime/tuning.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct hd__cpu_tickets {
    _Alignas(64) atomic_llong next;    // the next ticket to take
    _Alignas(64) atomic_llong serving; // the ticket that is served
    bool alone;                        // one thread takes them all
} hd__cpu_tickets;

static inline void hd__cpu_tickets_init(hd__cpu_tickets *t, int threads)
{
    t->alone = threads == 1;
    atomic_init(&t->next, 0);
    atomic_init(&t->serving, 0);
}

static inline int64_t hd__cpu_ticket_take(hd__cpu_tickets *t)
{
    if (!t->alone) return atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
    const int64_t ticket = atomic_load_explicit(&t->next, memory_order_relaxed);
    atomic_store_explicit(&t->next, ticket + 1, memory_order_relaxed);
    return ticket;
}

static inline void hd__cpu_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory"); // yield is a no-op on most cores
#endif
}

static inline void hd__cpu_ticket_wait(hd__cpu_tickets *t, int64_t ticket)
{
    for (int64_t spins = 0; atomic_load_explicit(&t->serving, memory_order_acquire) != ticket;
         spins++) {
        if (spins < hd__cpu_tune.ticket_spins)
            hd__cpu_pause();
        else
            sched_yield(); // more threads than cores: let the one we wait for run
    }
}

static inline void hd__cpu_ticket_done(hd__cpu_tickets *t, int64_t ticket)
{
    atomic_store_explicit(&t->serving, ticket + 1, memory_order_release);
}

// A ticket of a call that is over.
static inline void hd__cpu_ticket_pass(hd__cpu_tickets *t, int64_t ticket)
{
    hd__cpu_ticket_wait(t, ticket);
    hd__cpu_ticket_done(t, ticket);
}

#endif
