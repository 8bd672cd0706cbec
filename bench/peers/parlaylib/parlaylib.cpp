// SPDX-License-Identifier: Apache-2.0
//
// parlaylib: its reduce and scans. Out of place it gets the array to write to, which its public
// calls would allocate anew each time.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <cstdlib>
#include <limits>
#include <string>

#include <parlay/monoid.h>
#include <parlay/parallel.h>
#include <parlay/primitives.h>

namespace
{

template <class T> auto elements(T *x, int64_t n)
{
    return parlay::make_slice(x, x + n);
}

template <class T, class R> struct sums {
    static void run(const peer_job *job)
    {
        const T *x = input<T>(job);
        const auto wide = parlay::delayed_tabulate(static_cast<std::size_t>(job->n),
                                                   [x](std::size_t i) { return R(x[i]); });
        *output<R>(job) = parlay::reduce(wide, parlay::plus<R>());
    }
};

template <class T> struct ops {
    template <class MONOID>
    static void scan_with(const peer_job *job, const MONOID &m, bool inclusive)
    {
        parlay::internal::scan_(elements(input<T>(job), job->n), elements(output<T>(job), job->n),
                                m,
                                inclusive ? parlay::internal::fl_scan_inclusive : parlay::no_flag);
    }
    static void sum(const peer_job *job)
    {
        *output<T>(job) = parlay::reduce(elements(input<T>(job), job->n), parlay::plus<T>());
    }
    static void min(const peer_job *job)
    {
        *output<T>(job) = parlay::reduce(elements(input<T>(job), job->n), parlay::minimum<T>());
    }
    static void max(const peer_job *job)
    {
        *output<T>(job) = parlay::reduce(elements(input<T>(job), job->n), parlay::maximum<T>());
    }
    static void argmax(const peer_job *job)
    {
        const auto x = elements(input<T>(job), job->n);
        *output<int64_t>(job) = parlay::max_element(x) - x.begin();
    }
    static void scan(const peer_job *job)
    {
        scan_with(job, parlay::plus<T>(), true);
    }
    static void exclusive(const peer_job *job)
    {
        scan_with(job, parlay::plus<T>(), false);
    }
    static void scan_max(const peer_job *job)
    {
        scan_with(job, parlay::maximum<T>(), true);
    }
    static void segmented(const peer_job *job)
    {
        T *y = output<T>(job);
        parlay::parallel_for(0, static_cast<std::size_t>(job->segments), [job, y](std::size_t j) {
            y[j] = segment_sum<T>(job, static_cast<int64_t>(j));
        });
    }
};

int32_t open_parlaylib(int32_t threads)
{
    setenv("PARLAY_NUM_THREADS", std::to_string(threads).c_str(), 1);
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
    static const peer parlaylib_peer = {PEER_ABI, "parlaylib", open_parlaylib, peer_find,
                                        nullptr,  nullptr,     nullptr,        nullptr};
    return &parlaylib_peer;
}
