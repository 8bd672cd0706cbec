// SPDX-License-Identifier: Apache-2.0
//
// The nudge: bind to the next core, unbind.
#define _GNU_SOURCE // sched_getcpu, CPU_SET
#include "affinity.h"

#include <sched.h>

void placement_nudge(void)
{
    cpu_set_t allowed, next;
    const int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (int k = 1; k < CPU_SETSIZE; k++) {
        const int core = (here + k) % CPU_SETSIZE;
        if (!CPU_ISSET(core, &allowed)) continue;
        CPU_ZERO(&next);
        CPU_SET(core, &next);
        if (sched_setaffinity(0, sizeof next, &next) == 0)
            sched_setaffinity(0, sizeof allowed, &allowed);
        return;
    }
}
