// SPDX-License-Identifier: Apache-2.0
//
// oneTBB: parallel_sort (in place, so the input is copied first), and parallel_for over queries and
// over parts of which each gives its own top k. It has no merge.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/order.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

namespace
{

typedef tbb::blocked_range<int64_t> range;

template <class T> struct ops {
    static void sort(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        tbb::parallel_for(range(0, job->n, 1 << 16), [x, y](const range &r) {
            std::copy(x + r.begin(), x + r.end(), y + r.begin());
        });
        tbb::parallel_sort(y, y + job->n, [](const T &a, const T &b) { return before()(a, b); });
    }
    static constexpr peer_run *merge = nullptr;
    static void search(const peer_job *job)
    {
        const T *end, *x = sorted_of<T>(job, &end), *q = input<T>(job);
        int64_t *y = output<int64_t>(job);
        tbb::parallel_for(range(0, job->n, 1024), [=](const range &r) {
            for (int64_t j = r.begin(); j < r.end(); j++)
                y[j] = std::lower_bound(x, end, q[j], before()) - x;
        });
    }
    static void top_k(const peer_job *job)
    {
        const int64_t k = k_of(job), parts = 4 * job->threads;
        const T *x = input<T>(job);
        std::vector<T> kept(static_cast<std::size_t>(k * parts));
        std::vector<int64_t> counts(static_cast<std::size_t>(parts));
        tbb::parallel_for(int64_t(0), parts, [&](int64_t p) {
            const T *begin = x + job->n * p / parts, *end = x + job->n * (p + 1) / parts;
            T *own = kept.data() + k * p;
            counts[static_cast<std::size_t>(p)] =
                std::partial_sort_copy(begin, end, own, own + k, behind()) - own;
        });
        std::vector<T> all;
        for (int64_t p = 0; p < parts; p++)
            all.insert(all.end(), kept.begin() + k * p,
                       kept.begin() + k * p + counts[static_cast<std::size_t>(p)]);
        std::partial_sort_copy(all.begin(), all.end(), output<T>(job), output<T>(job) + k,
                               behind());
    }
};

peer_run *find(const peer_job *job)
{
    return order_typed<ops>(job);
}

PEER_FINDER(find)

} // namespace
