// SPDX-License-Identifier: Apache-2.0
//
// parlaylib: pack and filter into the array to write to, its counting sort for buckets; runs by
// pack of delayed flags, as its unique does.
#include "bench/peers/support/select.hpp"

#include <algorithm>

#include <parlay/internal/counting_sort.h>
#include <parlay/parallel.h>
#include <parlay/primitives.h>

namespace
{

template <class T> auto elements(T *x, int64_t n)
{
    return parlay::make_slice(x, x + n);
}

template <class C> auto flags_of(int64_t n, C chosen)
{
    return parlay::delayed_tabulate(static_cast<std::size_t>(n), [chosen](std::size_t i) {
        return chosen(static_cast<int64_t>(i));
    });
}

template <class T> struct selects {
    template <class C> static void compact(const peer_job *job, C chosen)
    {
        select_of(job)->counts[0] = static_cast<int64_t>(
            parlay::internal::pack_out(elements(input<T>(job), job->n), flags_of(job->n, chosen),
                                       elements(output<T>(job), job->n)));
    }
    template <class C> static void partition(const peer_job *job, C chosen)
    {
        const peer_select *s = select_of(job);
        const auto x = elements(input<T>(job), job->n);
        T *y = output<T>(job);
        const int64_t kept = static_cast<int64_t>(
            parlay::internal::pack_out(x, flags_of(job->n, chosen), elements(y, job->n)));
        parlay::internal::pack_out(x, flags_of(job->n, [chosen](int64_t i) { return !chosen(i); }),
                                   elements(y + kept, job->n - kept));
        s->counts[0] = kept;
    }
    static void buckets(const peer_job *job)
    {
        const peer_select *s = select_of(job);
        const auto ends = parlay::internal::count_sort<parlay::copy_assign_tag>(
            elements(input<T>(job), job->n), elements(output<T>(job), job->n),
            elements(s->buckets, job->n), static_cast<std::size_t>(s->ways));
        const auto &offsets = ends.first;
        for (int64_t k = 0; k < s->ways; k++)
            s->counts[k] = static_cast<int64_t>(offsets[static_cast<std::size_t>(k + 1)] -
                                                offsets[static_cast<std::size_t>(k)]);
    }
};

template <class T> struct run_ops {
    static void unique(const peer_job *job)
    {
        const T *x = input<T>(job);
        *runs_of(job)->count = static_cast<int64_t>(
            parlay::internal::pack_out(elements(x, job->n), flags_of(job->n, by_change<T>{x}),
                                       elements(output<T>(job), job->n)));
    }
    static void run_lengths(const peer_job *job)
    {
        const peer_runs *r = runs_of(job);
        const T *x = input<T>(job);
        T *y = output<T>(job);
        int64_t *places = r->places;
        const std::size_t runs =
            parlay::internal::pack_out(parlay::iota<int64_t>(static_cast<std::size_t>(job->n)),
                                       flags_of(job->n, by_change<T>{x}), elements(places, job->n));
        places[runs] = job->n;
        parlay::parallel_for(0, runs, [r, x, y, places](std::size_t j) {
            y[j] = x[places[j]];
            r->lengths[j] = static_cast<int32_t>(places[j + 1] - places[j]);
        });
        *r->count = static_cast<int64_t>(runs);
    }
    static void expand(const peer_job *job)
    {
        const peer_runs *r = runs_of(job);
        const T *x = input<T>(job);
        T *y = output<T>(job);
        const int32_t *lengths = r->lengths;
        const auto wide =
            parlay::delayed_tabulate(static_cast<std::size_t>(job->n),
                                     [lengths](std::size_t j) { return int64_t(lengths[j]); });
        int64_t *places = r->places;
        *r->count = parlay::internal::scan_(wide, elements(places, job->n), parlay::plus<int64_t>(),
                                            parlay::no_flag);
        parlay::parallel_for(0, static_cast<std::size_t>(job->n),
                             [=](std::size_t j) { std::fill_n(y + places[j], lengths[j], x[j]); });
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
