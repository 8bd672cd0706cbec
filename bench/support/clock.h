// SPDX-License-Identifier: Apache-2.0
//
// The clocks every measurement uses: wall time and the process's CPU time, in nanoseconds.
#ifndef HEDDLE_BENCH_SUPPORT_CLOCK_H
#define HEDDLE_BENCH_SUPPORT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_read(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t clock_now(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

static inline int64_t clock_cpu(void)
{
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
