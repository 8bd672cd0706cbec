// SPDX-License-Identifier: Apache-2.0
// Thread affinity: threads of a team that start on one core are moved apart. A thread that slept
// can wake on its waker's core and stay there while both keep it busy: a parallel region then takes
// 240 us instead of 3 on a machine whose other core is idle. No thread stays bound: its own mask is
// put back. A loop that ends such a region says nowait: gcc does not see that the region's own end
// is enough, and a second barrier takes 0.4 us.
#ifndef HEDDLE_CPU_RUNTIME_AFFINITY_H
#define HEDDLE_CPU_RUNTIME_AFFINITY_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define HD__CPU_MAX_CORES 1024 // cores told apart; threads on higher ones are left where they are

typedef struct hd__cpu_affinity {
    atomic_ullong taken[HD__CPU_MAX_CORES / 64];
} hd__cpu_affinity;

// Before a region, by the thread that opens it.
static inline void hd__cpu_affinity_begin(hd__cpu_affinity *p)
{
    memset(p, 0, sizeof *p);
}
// At its start, by each of its threads.
void hd__cpu_affinity_spread(hd__cpu_affinity *p);

#endif
