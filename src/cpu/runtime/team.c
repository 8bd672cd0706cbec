// SPDX-License-Identifier: Apache-2.0
// Regions of one thread without a team: what gcc's parallel regions and dynamic loops call in place
// of libgomp's functions, which have the same arguments.
#include <omp.h>
#include <stdbool.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)

#define PAIR(type, theirs, ours, ...)                                                              \
    type theirs(__VA_ARGS__);                                                                      \
    type ours(__VA_ARGS__)
PAIR(void, GOMP_parallel, hd__cpu_parallel, void (*region)(void *), void *data, unsigned threads,
     unsigned flags);
PAIR(bool, GOMP_loop_nonmonotonic_dynamic_start, hd__cpu_loop_start, long first, long last,
     long step, long chunk, long *begin, long *end);
PAIR(bool, GOMP_loop_nonmonotonic_dynamic_next, hd__cpu_loop_next, long *begin, long *end);
PAIR(void, GOMP_loop_end, hd__cpu_loop_end, void);
PAIR(void, GOMP_loop_end_nowait, hd__cpu_loop_end_nowait, void);

// Outside of any region a thread is a team of one, in which barriers, single blocks and static
// loops do what they should. In a region of the caller's own they would be the caller's team's.
static inline bool is_alone(void)
{
    return omp_get_level() == 0;
}

void hd__cpu_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags)
{
    if (threads == 1 && is_alone())
        region(data);
    else
        GOMP_parallel(region, data, threads, flags);
}

// One chunk, which is the whole loop.
bool hd__cpu_loop_start(long first, long last, long step, long chunk, long *begin, long *end)
{
    if (!is_alone())
        return GOMP_loop_nonmonotonic_dynamic_start(first, last, step, chunk, begin, end);
    *begin = first;
    *end = last;
    return step > 0 ? first < last : first > last;
}

bool hd__cpu_loop_next(long *begin, long *end)
{
    return !is_alone() && GOMP_loop_nonmonotonic_dynamic_next(begin, end);
}

void hd__cpu_loop_end(void)
{
    if (!is_alone()) GOMP_loop_end();
}

void hd__cpu_loop_end_nowait(void)
{
    if (!is_alone()) GOMP_loop_end_nowait();
}

#endif
