// SPDX-License-Identifier: Apache-2.0
//
// What the C++ peers share: a job's arguments as typed pointers, and the choice of the template
// instance by the job's type. A peer is a template `template <class T> struct ops` with static
// members sum, min, max, argmax, scan, exclusive, scan_max, segmented (NULL: declined).
#ifndef HEDDLE_BENCH_PEERS_TYPED_HPP
#define HEDDLE_BENCH_PEERS_TYPED_HPP

#include "bench/peer/peer.h"

#include <cstddef>

template <class T> const T *input(const peer_job *job)
{
    return static_cast<const T *>(job->in);
}

template <class T> T *output(const peer_job *job)
{
    return static_cast<T *>(job->out);
}

// Folds of blocks at their best: as many lanes as hide the latency of an addition, so that the
// compiler keeps several registers of partial results. (It keeps one by itself, which adds at half
// of the speed of memory.)
constexpr int64_t lanes = 32;

template <class R, class T, class F> R fold_lanes(const T *x, int64_t n, R start, F f)
{
    R part[lanes];
    const int64_t whole = n / lanes * lanes;
    if (whole > 0)
        for (int64_t k = 0; k < lanes; k++) part[k] = x[k];
    for (int64_t i = lanes; i < whole; i += lanes)
        for (int64_t k = 0; k < lanes; k++) part[k] = f(part[k], R(x[i + k]));
    for (int64_t k = 0; whole > 0 && k < lanes; k++) start = f(start, part[k]);
    for (int64_t i = whole; i < n; i++) start = f(start, R(x[i]));
    return start;
}

// The sum of segment j, vectorised.
template <class T> T segment_sum(const peer_job *job, int64_t j)
{
    const T *x = input<T>(job);
    T s = 0;
#pragma omp simd reduction(+ : s)
    for (int64_t i = job->offsets[j]; i < job->offsets[j + 1]; i++) s += x[i];
    return s;
}

template <class OPS> peer_run *find_in(const peer_job *job)
{
    if (job->pattern == PEER_REDUCE) {
        peer_run *const reduce[] = {OPS::sum, OPS::min, OPS::max, OPS::argmax};
        return job->op <= PEER_ARGMAX ? reduce[job->op] : nullptr;
    }
    if (job->pattern == PEER_SCAN && job->op == PEER_SUM)
        return job->exclusive ? OPS::exclusive : OPS::scan;
    if (job->pattern == PEER_SCAN && job->op == PEER_MAX && !job->exclusive) return OPS::scan_max;
    if (job->pattern == PEER_SEGMENTED && job->op == PEER_SUM) return OPS::segmented;
    return nullptr;
}

template <template <class> class OPS> peer_run *find_typed(const peer_job *job)
{
    switch (job->type) {
    case PEER_I32: return find_in<OPS<int32_t>>(job);
    case PEER_F32: return find_in<OPS<float>>(job);
    case PEER_F64: return find_in<OPS<double>>(job);
    default: return nullptr;
    }
}

// Sums of narrow integers into wide ones: SUM<T, R>::run.
template <template <class, class> class SUM> peer_run *find_wide_sum(const peer_job *job)
{
    if (job->pattern != PEER_REDUCE || job->op != PEER_SUM) return nullptr;
    if (job->type == PEER_U8 && job->out_type == PEER_U64) return SUM<uint8_t, uint64_t>::run;
    if (job->type == PEER_I16 && job->out_type == PEER_I64) return SUM<int16_t, int64_t>::run;
    return nullptr;
}

#endif
