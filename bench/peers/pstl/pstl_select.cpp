// SPDX-License-Identifier: Apache-2.0
//
// libstdc++'s parallel algorithms: copy_if, partition_copy, unique_copy. A flag is found by the
// place of the element it belongs to.
#include "bench/peers/support/select.hpp"

#include <algorithm>
#include <execution>

namespace
{

const auto &policy = std::execution::par_unseq;

template <class T> struct selects {
    template <class C> static void compact(const peer_job *job, C chosen)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        select_of(job)->counts[0] =
            std::copy_if(policy, x, x + job->n, y,
                         [x, chosen](const T &element) { return chosen(&element - x); }) -
            y;
    }
    template <class C> static void partition(const peer_job *job, C chosen)
    {
        const peer_select *s = select_of(job);
        const T *x = input<T>(job);
        T *y = output<T>(job);
        const auto ends =
            std::partition_copy(policy, x, x + job->n, y, static_cast<T *>(s->rest),
                                [x, chosen](const T &element) { return chosen(&element - x); });
        s->counts[0] = ends.first - y;
        *s->apart = 1;
    }
    static constexpr peer_run *buckets = nullptr;
};

template <class T> struct run_ops {
    static void unique(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        *runs_of(job)->count = std::unique_copy(policy, x, x + job->n, y) - y;
    }
    static constexpr peer_run *run_lengths = nullptr;
    static constexpr peer_run *expand = nullptr;
};

peer_run *find_selects(const peer_job *job)
{
    return find_select<selects>(job);
}

peer_run *find_run_ops(const peer_job *job)
{
    return find_runs<run_ops>(job);
}

PEER_FINDER(find_selects)
PEER_FINDER(find_run_ops)

} // namespace
