// SPDX-License-Identifier: Apache-2.0
// Bucket sizes, the locality test of index arrays, and huge pages.
#define _GNU_SOURCE
#include "buckets.h"
#include "cpu/runtime/tuning.h"
#include "patterns/move/indices.h"

#include <stdlib.h>
#include <sys/mman.h>

void hd__cpu_select_buckets(int64_t limit, int64_t least, int most, int *shift, int *buckets)
{
    int s = 0;
    while ((int64_t)1 << s < least) s++;
    while ((limit - 1) >> s >= most && s < 31) s++;
    *shift = s;
    *buckets = (int)((limit - 1) >> s) + 1;
}

enum { STREAMS_MAX = 64 }; // the most of locality_streams

bool hd__cpu_is_local(const hd_view *index, int64_t size)
{
    const int64_t samples = hd__cpu_tune.locality_samples;
    const int64_t n = hd_count(*index);
    const int64_t step = n / samples;
    if (step < 2) return true;
    const int64_t streams = hd__cpu_tune.locality_streams;
    int far = 0;
    for (int64_t k = 0; k < samples; k++) {
        int64_t few[STREAMS_MAX];
        const int64_t at = k * step, m = n - at < streams ? n - at : streams;
        uint64_t least = UINT64_MAX;
        hd__indices(index, at, m, few);
        for (int64_t i = 1; i < m; i++) {
            const uint64_t apart = few[0] < few[i] ? (uint64_t)few[i] - (uint64_t)few[0]
                                                   : (uint64_t)few[0] - (uint64_t)few[i];
            if (apart < least) least = apart;
        }
        far += least > (uint64_t)(hd__cpu_tune.locality_near_bytes / size);
    }
    return far < samples / 4;
}

#define HUGE_PAGE ((uintptr_t)2 << 20)

void hd__cpu_advise_huge(void *memory, size_t bytes)
{
    const uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    const uintptr_t end = ((uintptr_t)memory + bytes) & ~(HUGE_PAGE - 1);
#ifdef MADV_HUGEPAGE
    if (begin < end) (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)begin, (void)end;
#endif
}
