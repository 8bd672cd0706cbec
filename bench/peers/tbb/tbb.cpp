// SPDX-License-Identifier: Apache-2.0
//
// oneTBB: parallel_reduce, parallel_scan and parallel_for with vectorised bodies of several
// registers. The grain keeps
// small inputs from being cut into tasks that cost more than they do.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>

#include <memory>

namespace
{

constexpr int64_t grain = 8192, segment_grain = 64;
typedef tbb::blocked_range<int64_t> range;

std::unique_ptr<tbb::global_control> control;

template <class T, class R> struct sums {
    static R block(const T *x, const range &r, R s)
    {
        return fold_lanes(x + r.begin(), r.end() - r.begin(), s, [](R a, R b) { return R(a + b); });
    }
    static void run(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<R>(job) = tbb::parallel_reduce(
            range(0, job->n, grain), R(0), [x](const range &r, R s) { return block(x, r, s); },
            [](R a, R b) { return a + b; });
    }
};

template <class T> struct ops {
    static T block_min(const T *x, const range &r, T m)
    {
        return fold_lanes(x + r.begin(), r.end() - r.begin(), m,
                          [](T a, T b) { return b < a ? b : a; });
    }
    static T block_max(const T *x, const range &r, T m)
    {
        return fold_lanes(x + r.begin(), r.end() - r.begin(), m,
                          [](T a, T b) { return b > a ? b : a; });
    }
    static void sum(const peer_job *job)
    {
        sums<T, T>::run(job);
    }
    static void min(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<T>(job) = tbb::parallel_reduce(
            range(0, job->n, grain), x[0], [x](const range &r, T m) { return block_min(x, r, m); },
            [](T a, T b) { return b < a ? b : a; });
    }
    static void max(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<T>(job) = tbb::parallel_reduce(
            range(0, job->n, grain), x[0], [x](const range &r, T m) { return block_max(x, r, m); },
            [](T a, T b) { return b > a ? b : a; });
    }
    static void argmax(const peer_job *job)
    {
        const T *x = input<T>(job);
        *output<int64_t>(job) = tbb::parallel_reduce(
            range(0, job->n, grain), int64_t(0),
            [x](const range &r, int64_t at) {
                T m = x[at];
                for (int64_t i = r.begin(); i < r.end(); i++)
                    if (x[i] > m) m = x[i], at = i;
                return at;
            },
            [x](int64_t a, int64_t b) { return x[b] > x[a] ? b : a; });
    }
    static void scan(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        tbb::parallel_scan(
            range(0, job->n, grain), T(0),
            [x, y](const range &r, T s, bool final) {
                if (!final) return sums<T, T>::block(x, r, s);
                for (int64_t i = r.begin(); i < r.end(); i++) y[i] = s += x[i];
                return s;
            },
            [](T a, T b) { return a + b; });
    }
    static void exclusive(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        tbb::parallel_scan(
            range(0, job->n, grain), T(0),
            [x, y](const range &r, T s, bool final) {
                if (!final) return sums<T, T>::block(x, r, s);
                for (int64_t i = r.begin(); i < r.end(); i++) {
                    const T next = s + x[i];
                    y[i] = s, s = next;
                }
                return s;
            },
            [](T a, T b) { return a + b; });
    }
    static void scan_max(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        tbb::parallel_scan(
            range(0, job->n, grain), x[0],
            [x, y](const range &r, T m, bool final) {
                if (!final) return block_max(x, r, m);
                for (int64_t i = r.begin(); i < r.end(); i++) y[i] = m = x[i] > m ? x[i] : m;
                return m;
            },
            [](T a, T b) { return b > a ? b : a; });
    }
    static void segmented(const peer_job *job)
    {
        T *y = output<T>(job);
        tbb::parallel_for(range(0, job->segments, segment_grain), [job, y](const range &r) {
            for (int64_t j = r.begin(); j < r.end(); j++) y[j] = segment_sum<T>(job, j);
        });
    }
};

int32_t open_tbb(int32_t threads)
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

void close_tbb()
{
    control.reset();
}

PEER_FINDER(find)

} // namespace

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer tbb_peer = {PEER_ABI, "TBB",   open_tbb, peer_find,
                                  nullptr,  nullptr, nullptr,  close_tbb};
    return &tbb_peer;
}
