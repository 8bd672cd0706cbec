// SPDX-License-Identifier: Apache-2.0
//
// libstdc++'s parallel algorithms: std::stable_sort, std::merge, std::transform over queries with
// std::lower_bound, std::partial_sort_copy, with std::execution::par.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/order.hpp"

#include <algorithm>
#include <execution>

namespace
{

const auto &policy = std::execution::par;

template <class T> struct ops {
    static void sort(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        std::copy(policy, x, x + job->n, y);
        std::stable_sort(policy, y, y + job->n, before());
    }
    static void merge(const peer_job *job)
    {
        const halves<T> h(job);
        std::merge(policy, h.a, h.b, h.b, h.end, output<T>(job), before());
    }
    static void search(const peer_job *job)
    {
        const T *end, *x = sorted_of<T>(job, &end), *q = input<T>(job);
        std::transform(policy, q, q + job->n, output<int64_t>(job), [x, end](T v) {
            return static_cast<int64_t>(std::lower_bound(x, end, v, before()) - x);
        });
    }
    static void top_k(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        std::partial_sort_copy(policy, x, x + job->n, y, y + k_of(job), behind());
    }
};

peer_run *find(const peer_job *job)
{
    return order_typed<ops>(job);
}

PEER_FINDER(find)

} // namespace
