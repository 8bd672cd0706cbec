// SPDX-License-Identifier: Apache-2.0
//
// GNU parallel mode of libstdc++ (OpenMP): __gnu_parallel::accumulate, partial_sum, max_element.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <parallel/algorithm>
#include <parallel/numeric>

#include <omp.h>

namespace
{

template <class T> struct smaller {
    T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};

template <class T> struct greater {
    T operator()(const T &a, const T &b) const
    {
        return b > a ? b : a;
    }
};

template <class T, class R> struct sums {
    static void run(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<R>(job) = __gnu_parallel::accumulate(x, x + job->n, R(0), std::plus<R>());
    }
};

template <class T> struct ops {
    static void sum(const peer_job *job)
    {
        sums<T, T>::run(job);
    }
    static void min(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<T>(job) = __gnu_parallel::accumulate(x, x + job->n, x[0], smaller<T>());
    }
    static void max(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<T>(job) = __gnu_parallel::accumulate(x, x + job->n, x[0], greater<T>());
    }
    static void argmax(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<int64_t>(job) = __gnu_parallel::max_element(x, x + job->n) - x;
    }
    static void scan(const peer_job *job)
    {
        const T *x = input<T>(job);
        __gnu_parallel::partial_sum(x, x + job->n, output<T>(job), std::plus<T>());
    }
    static void scan_max(const peer_job *job)
    {
        const T *x = input<T>(job);
        __gnu_parallel::partial_sum(x, x + job->n, output<T>(job), greater<T>());
    }
    static constexpr peer_run *exclusive = nullptr;
    static constexpr peer_run *segmented = nullptr;
};

int32_t open_gnu(int32_t threads)
{
    omp_set_num_threads(threads);
    return 1;
}

peer_run *find(const peer_job *job)
{
    peer_run *wide = find_wide_sum<sums>(job);
    return wide ? wide : find_typed<ops>(job);
}

PEER_FINDER(find)

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer gnu_peer = {PEER_ABI, "GNU",   open_gnu, peer_find,
                                  nullptr,  nullptr, nullptr,  nullptr};
    return &gnu_peer;
}
