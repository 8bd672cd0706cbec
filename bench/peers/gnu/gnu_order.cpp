// SPDX-License-Identifier: Apache-2.0
//
// libstdc++'s parallel mode: stable_sort, multiway_merge of two sequences (its merge is serial),
// and partial_sort of a copy.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/order.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <parallel/algorithm>

namespace
{

template <class T> struct ops {
    static void sort(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
#pragma omp parallel for num_threads(job->threads)
        for (int64_t i = 0; i < job->n; i++) y[i] = x[i];
        __gnu_parallel::stable_sort(y, y + job->n, before());
    }
    static void merge(const peer_job *job)
    {
        const halves<T> h(job);
        T *a = const_cast<T *>(h.a), *b = const_cast<T *>(h.b); // it does not compile with const
        std::pair<T *, T *> parts[] = {{a, b}, {b, const_cast<T *>(h.end)}};
        __gnu_parallel::stable_multiway_merge(parts, parts + 2, output<T>(job), job->n, before(),
                                              __gnu_parallel::parallel_tag());
    }
    static constexpr peer_run *search = nullptr;
    static void top_k(const peer_job *job)
    {
        const T *x = input<T>(job);
        std::vector<T> y(x, x + job->n);
        __gnu_parallel::partial_sort(y.begin(), y.begin() + k_of(job), y.end(), behind());
        std::copy(y.begin(), y.begin() + k_of(job), output<T>(job));
    }
};

peer_run *find(const peer_job *job)
{
    return order_typed<ops>(job);
}

PEER_FINDER(find)

} // namespace
