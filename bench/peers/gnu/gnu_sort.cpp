// SPDX-License-Identifier: Apache-2.0
//
// GNU parallel mode: its multiway merge sort; and std::sort of segments in an OpenMP loop whose
// threads take a few at a time.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/sorts.hpp"

#include <parallel/algorithm>

namespace
{

template <class T> struct sorter {
    static void run(T *x, int64_t n, int32_t)
    {
        __gnu_parallel::sort(x, x + n, by_key());
    }
};

template <class T> using whole = in_place<sorter, T>;

void segments(const peer_job *job)
{
    uint32_t *x = copied<uint32_t>(job);
#pragma omp parallel for num_threads(job->threads) schedule(dynamic, 16)
    for (int64_t j = 0; j < job->segments; j++)
        std::sort(x + job->offsets[j], x + job->offsets[j + 1]);
}

peer_run *find_sorts(const peer_job *job)
{
    if (job->pattern == PEER_SORT && job->offsets && job->type == PEER_U32) return segments;
    return find_sort<whole>(job, true);
}

PEER_FINDER(find_sorts)

} // namespace
