// SPDX-License-Identifier: Apache-2.0
// Moves the threads of a team to cores of their own: a thread claims its core by an atomic
// test-and-set, or moves to one that no thread has claimed.
#define _GNU_SOURCE
#include "affinity.h"

#include <sched.h>
#include <stdbool.h>

static bool test_and_set(hd__cpu_affinity *p, int core)
{
    const unsigned long long bit = 1ull << (core % 64);
    return !(atomic_fetch_or_explicit(&p->taken[core / 64], bit, memory_order_relaxed) & bit);
}

void hd__cpu_affinity_spread(hd__cpu_affinity *p)
{
    const int core = sched_getcpu();
    if (core < 0 || core >= HD__CPU_MAX_CORES || test_and_set(p, core)) return;
    cpu_set_t own, free_cores;
    if (sched_getaffinity(0, sizeof own, &own) != 0) return;
    free_cores = own;
    int left = 0;
    for (int i = 0; i < HD__CPU_MAX_CORES && i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET(i, &own)) continue;
        if (atomic_load_explicit(&p->taken[i / 64], memory_order_relaxed) >> (i % 64) & 1)
            CPU_CLR(i, &free_cores);
        else
            left++;
    }
    if (left == 0) return; // more threads than cores
    if (sched_setaffinity(0, sizeof free_cores, &free_cores) != 0) return;
    const int moved = sched_getcpu();
    if (moved >= 0 && moved < HD__CPU_MAX_CORES) test_and_set(p, moved);
    sched_setaffinity(0, sizeof own, &own);
}
