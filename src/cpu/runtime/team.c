// SPDX-License-Identifier: Apache-2.0
// Regions of one thread without a team: what gcc's parallel regions call in place of libgomp.
#include <omp.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)

void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);
void hd__cpu_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);

// Outside of any region a thread is a team of one: loops, barriers and single blocks of the region
// mean the same in it. Inside of the caller's own region they would be those of the caller's team.
void hd__cpu_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags)
{
    if (threads == 1 && omp_get_level() == 0)
        region(data);
    else
        GOMP_parallel(region, data, threads, flags);
}

#endif
