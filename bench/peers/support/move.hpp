// SPDX-License-Identifier: Apache-2.0
//
// Map, gather, scatter and difference as C++ libraries with a parallel loop have them: FOR::run(n,
// body) calls body(begin, end) for ranges of 0 .. n - 1.
#ifndef HEDDLE_BENCH_PEERS_MOVE_HPP
#define HEDDLE_BENCH_PEERS_MOVE_HPP

#include "bench/peer/peer_gather.h"
#include "bench/peer/peer_map.h"
#include "typed.hpp"

inline const int32_t *index_of(const peer_job *job)
{
    return static_cast<const peer_gather *>(job->more)->index;
}

inline const float *with_of(const peer_job *job)
{
    return static_cast<const float *>(static_cast<const peer_map *>(job->more)->with);
}

template <class FOR> void loop_axpy(const peer_job *job)
{
    const float *a = input<float>(job), *b = with_of(job);
    float *y = output<float>(job);
    FOR::run(job->n, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) y[i] = 2 * a[i] + b[i];
    });
}

template <class FOR, class T> void loop_gather(const peer_job *job)
{
    const T *x = input<T>(job);
    const int32_t *index = index_of(job);
    T *y = output<T>(job);
    FOR::run(job->n, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) y[i] = x[index[i]];
    });
}

template <class FOR, class T> void loop_scatter(const peer_job *job)
{
    const T *x = input<T>(job);
    const int32_t *index = index_of(job);
    T *y = output<T>(job);
    FOR::run(job->n, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) y[index[i]] = x[i];
    });
}

template <class FOR, class T> void loop_difference(const peer_job *job)
{
    const T *x = input<T>(job);
    T *y = output<T>(job);
    y[0] = x[0];
    FOR::run(job->n - 1, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin + 1; i < end + 1; i++) y[i] = x[i] - x[i - 1];
    });
}

template <class FOR> peer_run *find_loops(const peer_job *job)
{
    const bool whole = job->type == PEER_I32;
    if (job->pattern == PEER_MAP && job->op == PEER_OTHER_OP) return loop_axpy<FOR>;
    if (job->pattern == PEER_GATHER)
        return whole ? loop_gather<FOR, int32_t> : loop_gather<FOR, double>;
    if (job->pattern == PEER_SCATTER && job->op == PEER_OTHER_OP)
        return whole ? loop_scatter<FOR, int32_t> : loop_scatter<FOR, double>;
    if (job->pattern == PEER_DIFFERENCE)
        return whole ? loop_difference<FOR, int32_t> : loop_difference<FOR, float>;
    return nullptr;
}

#endif
