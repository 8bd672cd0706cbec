// SPDX-License-Identifier: Apache-2.0
// Threads that take pieces of work as they come free but hand something on in order: piece c + 1
// waits for piece c's turn to end. Every waiting piece was taken after the one it waits for, by a
// thread that runs, so it always ends.
#ifndef HEDDLE_CPU_RUNTIME_TICKET_ORDER_H
#define HEDDLE_CPU_RUNTIME_TICKET_ORDER_H

#include "cpu/runtime/tuning.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct hd__turns {
    _Alignas(64) atomic_llong next; // the next piece to take
    _Alignas(64) atomic_llong turn; // the piece whose turn it is
} hd__turns;

static inline void hd__turns_init(hd__turns *t)
{
    atomic_init(&t->next, 0);
    atomic_init(&t->turn, 0);
}

static inline int64_t hd__turns_take(hd__turns *t)
{
    return atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
}

static inline void hd__pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory"); // yield is a no-op on most cores
#endif
}

static inline void hd__turns_wait(hd__turns *t, int64_t piece)
{
    for (int64_t spins = 0; atomic_load_explicit(&t->turn, memory_order_acquire) != piece;
         spins++) {
        if (spins < hd__cpu_tune.ticket_spins)
            hd__pause();
        else
            sched_yield(); // more threads than cores: let the one we wait for run
    }
}

static inline void hd__turns_end(hd__turns *t, int64_t piece)
{
    atomic_store_explicit(&t->turn, piece + 1, memory_order_release);
}

#endif
