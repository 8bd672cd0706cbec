// SPDX-License-Identifier: Apache-2.0
//
// libstdc++'s parallel algorithms (PSTL, on TBB): std::reduce, std::inclusive_scan and their kind
// with std::execution::par_unseq.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <algorithm>
#include <execution>
#include <functional>
#include <memory>
#include <numeric>

#include <tbb/global_control.h>

namespace
{

const auto &policy = std::execution::par_unseq;
std::unique_ptr<tbb::global_control> control;

template <class T, class R> struct sums {
    static void run(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<R>(job) = std::transform_reduce(policy, x, x + job->n, R(0), std::plus<R>(),
                                                [](T v) { return R(v); });
    }
};

template <class T> struct ops {
    static void sum(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<T>(job) = std::reduce(policy, x, x + job->n, T(0), std::plus<T>());
    }
    static void min(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<T>(job) =
            std::reduce(policy, x, x + job->n, x[0], [](T a, T b) { return b < a ? b : a; });
    }
    static void max(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<T>(job) =
            std::reduce(policy, x, x + job->n, x[0], [](T a, T b) { return b > a ? b : a; });
    }
    static void argmax(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<int64_t>(job) = std::max_element(policy, x, x + job->n) - x;
    }
    static void scan(const peer_job *job)
    {
        const T *x = input<T>(job);
        std::inclusive_scan(policy, x, x + job->n, output<T>(job), std::plus<T>());
    }
    static void exclusive(const peer_job *job)
    {
        const T *x = input<T>(job);
        std::exclusive_scan(policy, x, x + job->n, output<T>(job), T(0), std::plus<T>());
    }
    static void scan_max(const peer_job *job)
    {
        const T *x = input<T>(job);
        std::inclusive_scan(policy, x, x + job->n, output<T>(job),
                            [](T a, T b) { return b > a ? b : a; });
    }
    static void segmented(const peer_job *job)
    {
        const int64_t *first = job->offsets;
        T *y = output<T>(job);
        std::for_each(policy, first, first + job->segments, [job, y](const int64_t &offset) {
            const int64_t j = &offset - job->offsets;
            y[j] = segment_sum<T>(job, j);
        });
    }
};

int32_t open_pstl(int32_t threads)
{
    control.reset(new tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(threads)));
    return 1;
}

peer_run *find(const peer_job *job)
{
    peer_run *wide = find_wide_sum<sums>(job);
    return wide ? wide : find_typed<ops>(job);
}

void close_pstl()
{
    control.reset();
}

PEER_FINDER(find)

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer pstl_peer = {PEER_ABI, "PSTL",  open_pstl, peer_find,
                                   nullptr,  nullptr, nullptr,   close_pstl};
    return &pstl_peer;
}
