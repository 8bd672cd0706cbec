// SPDX-License-Identifier: Apache-2.0
//
// What the C++ peers of the patterns of order share: the comparison as a type, and the choice of
// the template instance. A peer is a template `template <class T> struct ops` with static members
// sort, merge, search, top_k (nullptr: declined).
#ifndef HEDDLE_BENCH_PEERS_ORDER_HPP
#define HEDDLE_BENCH_PEERS_ORDER_HPP

#include "bench/peer/peer_order.h"
#include "typed.hpp"

struct before {
    bool operator()(int32_t a, int32_t b) const
    {
        return a < b;
    }
    bool operator()(float a, float b) const
    {
        return a < b;
    }
    bool operator()(const peer_record &a, const peer_record &b) const
    {
        return a.key < b.key;
    }
};

struct behind {
    template <class T> bool operator()(const T &a, const T &b) const
    {
        return before()(b, a);
    }
};

template <class T> struct halves {
    const T *a, *b, *end;
    explicit halves(const peer_job *job) : a(input<T>(job)), b(a + job->n / 2), end(a + job->n)
    {
    }
};

template <class T> const T *sorted_of(const peer_job *job, const T **end)
{
    const peer_search *more = static_cast<const peer_search *>(job->more);
    const T *x = static_cast<const T *>(more->sorted);
    *end = x + more->n;
    return x;
}

inline int64_t k_of(const peer_job *job)
{
    const int64_t k = static_cast<const peer_top_k *>(job->more)->k;
    return k < job->n ? k : job->n;
}

template <class OPS> peer_run *order_in(const peer_job *job)
{
    switch (job->pattern) {
    case PEER_SORT_BY: return OPS::sort;
    case PEER_MERGE: return OPS::merge;
    case PEER_SEARCH: return OPS::search;
    case PEER_TOP_K: return OPS::top_k;
    default: return nullptr;
    }
}

template <template <class> class OPS> peer_run *order_typed(const peer_job *job)
{
    switch (job->type) {
    case PEER_I32: return order_in<OPS<int32_t>>(job);
    case PEER_F32: return order_in<OPS<float>>(job);
    case PEER_OTHER_TYPE: return job->pattern == PEER_SORT_BY ? OPS<peer_record>::sort : nullptr;
    default: return nullptr;
    }
}

#endif
