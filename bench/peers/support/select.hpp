// SPDX-License-Identifier: Apache-2.0
//
// What the C++ peers share to choose elements: the job's choice as a function object, loops without
// branches over a part, and the choice of the template instance.
#ifndef HEDDLE_BENCH_PEERS_SELECT_HPP
#define HEDDLE_BENCH_PEERS_SELECT_HPP

#include "bench/peer/peer_runs.h"
#include "bench/peer/peer_select.h"
#include "finders.h"
#include "typed.hpp"

inline const peer_select *select_of(const peer_job *job)
{
    return static_cast<const peer_select *>(job->more);
}

inline const peer_runs *runs_of(const peer_job *job)
{
    return static_cast<const peer_runs *>(job->more);
}

// Whether element i is chosen: by a flag, by being positive, by differing from the one before.
struct by_flags {
    const uint8_t *flags;
    bool operator()(int64_t i) const
    {
        return flags[i] != 0;
    }
};
template <class T> struct by_sign {
    const T *x;
    bool operator()(int64_t i) const
    {
        return x[i] > 0;
    }
};
template <class T> struct by_change {
    const T *x;
    bool operator()(int64_t i) const
    {
        return i == 0 || x[i] != x[i - 1];
    }
};

template <class C> int64_t count_part(C chosen, int64_t begin, int64_t end)
{
    int64_t count = 0;
    for (int64_t i = begin; i < end; i++) count += chosen(i);
    return count;
}

// put(w, i) for the w-th chosen element i of a part, without branches: it is called for the others,
// too, and overwritten; so the loop ends with the last chosen one, not to spoil the next part.
template <class C, class P> int64_t put_part(C chosen, int64_t begin, int64_t end, int64_t w, P put)
{
    while (end > begin && !chosen(end - 1)) end--;
    for (int64_t i = begin; i < end; i++) {
        put(w, i);
        w += chosen(i);
    }
    return w;
}

// OPS<T>::compact<C>(job, chosen), ::partition<C>(job, chosen), ::buckets(job), as finders want
// them.
template <class OPS, class T> void compact_by_flags(const peer_job *job)
{
    OPS::compact(job, by_flags{select_of(job)->flags});
}
template <class OPS, class T> void compact_by_sign(const peer_job *job)
{
    OPS::compact(job, by_sign<T>{input<T>(job)});
}
template <class OPS, class T> void partition_by_flags(const peer_job *job)
{
    OPS::partition(job, by_flags{select_of(job)->flags});
}
template <class OPS, class T> void partition_by_sign(const peer_job *job)
{
    OPS::partition(job, by_sign<T>{input<T>(job)});
}

template <class OPS, class T> peer_run *find_select_of(const peer_job *job)
{
    if (job->pattern == PEER_COMPACT)
        return select_of(job)->flags ? compact_by_flags<OPS, T> : compact_by_sign<OPS, T>;
    if (job->pattern != PEER_PARTITION) return nullptr;
    if (select_of(job)->ways) return OPS::buckets;
    return select_of(job)->flags ? partition_by_flags<OPS, T> : partition_by_sign<OPS, T>;
}

template <template <class> class OPS> peer_run *find_select(const peer_job *job)
{
    if (job->pattern != PEER_COMPACT && job->pattern != PEER_PARTITION) return nullptr;
    switch (job->type) {
    case PEER_I32: return find_select_of<OPS<int32_t>, int32_t>(job);
    case PEER_F64: return find_select_of<OPS<double>, double>(job);
    case PEER_U8: return find_select_of<OPS<uint8_t>, uint8_t>(job);
    default: return nullptr;
    }
}

template <class OPS> peer_run *find_runs_of(const peer_job *job)
{
    switch (job->pattern) {
    case PEER_UNIQUE: return OPS::unique;
    case PEER_RUN_LENGTHS: return OPS::run_lengths;
    case PEER_EXPAND: return OPS::expand;
    default: return nullptr;
    }
}

template <template <class> class OPS> peer_run *find_runs(const peer_job *job)
{
    switch (job->type) {
    case PEER_I32: return find_runs_of<OPS<int32_t>>(job);
    case PEER_F32: return find_runs_of<OPS<float>>(job);
    default: return nullptr;
    }
}

#endif
