// SPDX-License-Identifier: Apache-2.0
//
// oneTBB: choosing elements by parallel_scan, whose first pass counts and whose second moves, with
// loops that have no branches.
#include "bench/peers/support/select.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_scan.h>

#include <algorithm>

namespace
{

typedef tbb::blocked_range<int64_t> range;
constexpr int64_t grain = 16384;

// put as in put_part.
template <class C, class P> int64_t scan(int64_t n, C chosen, P put)
{
    return tbb::parallel_scan(
        range(0, n, grain), int64_t(0),
        [chosen, put](const range &r, int64_t w, bool final) {
            if (!final) return w + count_part(chosen, r.begin(), r.end());
            return put_part(chosen, r.begin(), r.end(), w, put);
        },
        [](int64_t a, int64_t b) { return a + b; });
}

template <class T> struct selects {
    template <class C> static void compact(const peer_job *job, C chosen)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        select_of(job)->counts[0] =
            scan(job->n, chosen, [x, y](int64_t w, int64_t i) { y[w] = x[i]; });
    }
    // Both parts in one scan, into two arrays.
    template <class C> static void partition(const peer_job *job, C chosen)
    {
        const peer_select *s = select_of(job);
        const T *x = input<T>(job);
        T *y = output<T>(job), *z = static_cast<T *>(s->rest);
        s->counts[0] = tbb::parallel_scan(
            range(0, job->n, grain), int64_t(0),
            [=](const range &r, int64_t w, bool final) {
                if (!final) return w + count_part(chosen, r.begin(), r.end());
                for (int64_t i = r.begin(); i < r.end(); i++) {
                    T *const to = chosen(i) ? y + w : z + i - w;
                    *to = x[i];
                    w += chosen(i);
                }
                return w;
            },
            [](int64_t a, int64_t b) { return a + b; });
        *s->apart = 1;
    }
    static constexpr peer_run *buckets = nullptr;
};

template <class T> struct run_ops {
    static void unique(const peer_job *job)
    {
        const T *x = input<T>(job);
        T *y = output<T>(job);
        *runs_of(job)->count =
            scan(job->n, by_change<T>{x}, [x, y](int64_t w, int64_t i) { y[w] = x[i]; });
    }
    static void run_lengths(const peer_job *job)
    {
        const peer_runs *r = runs_of(job);
        const T *x = input<T>(job);
        T *y = output<T>(job);
        int64_t *places = r->places;
        const int64_t runs = scan(job->n, by_change<T>{x}, [x, y, places](int64_t w, int64_t i) {
            y[w] = x[i];
            places[w] = i;
        });
        places[runs] = job->n;
        tbb::parallel_for(range(0, runs, grain), [r, places](const range &part) {
            for (int64_t j = part.begin(); j < part.end(); j++)
                r->lengths[j] = static_cast<int32_t>(places[j + 1] - places[j]);
        });
        *r->count = runs;
    }
    static void expand(const peer_job *job)
    {
        const peer_runs *r = runs_of(job);
        const T *x = input<T>(job);
        T *y = output<T>(job);
        const int32_t *lengths = r->lengths;
        *r->count = tbb::parallel_scan(
            range(0, job->n, 1024), int64_t(0),
            [=](const range &part, int64_t w, bool final) {
                if (!final) {
                    for (int64_t j = part.begin(); j < part.end(); j++) w += lengths[j];
                    return w;
                }
                for (int64_t j = part.begin(); j < part.end(); w += lengths[j++])
                    std::fill_n(y + w, lengths[j], x[j]);
                return w;
            },
            [](int64_t a, int64_t b) { return a + b; });
    }
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
