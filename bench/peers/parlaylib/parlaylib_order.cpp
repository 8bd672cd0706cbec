// SPDX-License-Identifier: Apache-2.0
//
// parlaylib: its sample sort (not stable, its fastest comparison sort), its merge into the array
// that is given, and parallel_for over queries.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/order.hpp"

#include <algorithm>

#include <parlay/parallel.h>
#include <parlay/primitives.h>

namespace
{

template <class T> struct ops {
    static void sort(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        parlay::internal::sample_sort_<unsigned int>(
            parlay::make_slice(x, x + job->n), parlay::make_slice(y, y + job->n), before(), false);
    }
    static void merge(const peer_job *job)
    {
        const halves<T> h(job);
        T *y = output<T>(job);
        parlay::internal::merge_into<parlay::uninitialized_copy_tag>(
            parlay::make_slice(h.a, h.b), parlay::make_slice(h.b, h.end),
            parlay::make_slice(y, y + job->n), before());
    }
    static void search(const peer_job *job)
    {
        const T *end, *x = sorted_of<T>(job, &end), *q = input<T>(job);
        int64_t *y = output<int64_t>(job);
        parlay::parallel_for(0, static_cast<std::size_t>(job->n), [=](std::size_t j) {
            y[j] = std::lower_bound(x, end, q[j], before()) - x;
        });
    }
    static constexpr peer_run *top_k = nullptr;
};

peer_run *find(const peer_job *job)
{
    return order_typed<ops>(job);
}

PEER_FINDER(find)

} // namespace
