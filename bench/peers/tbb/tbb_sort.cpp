// SPDX-License-Identifier: Apache-2.0
//
// oneTBB: parallel_sort, and std::sort of segments in a parallel_for.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/sorts.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

namespace
{

template <class T> struct sorter {
    static void run(T *x, int64_t n, int32_t)
    {
        tbb::parallel_sort(x, x + n, by_key());
    }
};

template <class T> using whole = in_place<sorter, T>;

void segments(const peer_job *job)
{
    uint32_t *x = copied<uint32_t>(job);
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, job->segments, 16), [job, x](const auto &r) {
        for (int64_t j = r.begin(); j < r.end(); j++)
            std::sort(x + job->offsets[j], x + job->offsets[j + 1]);
    });
}

peer_run *find_sorts(const peer_job *job)
{
    if (job->pattern == PEER_SORT && job->offsets && job->type == PEER_U32) return segments;
    return find_sort<whole>(job, true);
}

PEER_FINDER(find_sorts)

} // namespace
