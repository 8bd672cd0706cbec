// SPDX-License-Identifier: Apache-2.0
//
// What the peers that sort share: the copy before a sort in place, and the choice of the template
// instance by what is sorted. A peer is a template `SORT<T>` with a static run(T *, n, threads)
// that sorts in place, or, for those that do not, find_sort's own.
#ifndef HEDDLE_BENCH_PEERS_SORTS_HPP
#define HEDDLE_BENCH_PEERS_SORTS_HPP

#include "bench/peer/peer_sort.h"

#include <algorithm>
#include <cstring>

struct by_key {
    bool operator()(const peer_pair &a, const peer_pair &b) const
    {
        return a.key < b.key;
    }
    template <class T> bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

// The word a radix sort sorts by; unsigned keys alone.
struct key_of {
    uint32_t operator()(const peer_pair &p) const
    {
        return p.key;
    }
    template <class T> T operator()(const T &x) const
    {
        return x;
    }
};

template <class T> struct arrays_of {
    static const T *in(const peer_job *job)
    {
        return static_cast<const T *>(job->in);
    }
    static T *out(const peer_job *job)
    {
        return static_cast<T *>(job->out);
    }
};

template <> struct arrays_of<peer_pair> {
    static const peer_pair *in(const peer_job *job)
    {
        return static_cast<const peer_sort *>(job->more)->pairs;
    }
    static peer_pair *out(const peer_job *job)
    {
        return static_cast<const peer_sort *>(job->more)->pairs_out;
    }
};

template <class T> T *copied(const peer_job *job)
{
    const T *in = arrays_of<T>::in(job);
    T *out = arrays_of<T>::out(job);
    const int64_t chunk = 16384;
    if (job->n <= 2 * chunk) {
        std::memcpy(out, in, static_cast<std::size_t>(job->n) * sizeof(T));
        return out;
    }
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < job->n; i += chunk)
        std::memcpy(out + i, in + i,
                    static_cast<std::size_t>(std::min(chunk, job->n - i)) * sizeof(T));
    return out;
}

template <template <class> class SORT, class T> struct in_place {
    static void run(const peer_job *job)
    {
        SORT<T>::run(copied<T>(job), job->n, job->threads);
    }
};

// RUN<T>::run(job) for what the job sorts.
template <template <class> class RUN> peer_run *find_sort(const peer_job *job, bool floats)
{
    if (job->pattern != PEER_SORT || job->offsets) return nullptr;
    if (job->more && static_cast<const peer_sort *>(job->more)->pairs) return RUN<peer_pair>::run;
    switch (job->type) {
    case PEER_U32: return RUN<uint32_t>::run;
    case PEER_U64: return RUN<uint64_t>::run;
    case PEER_F32: return floats ? RUN<float>::run : nullptr;
    default: return nullptr;
    }
}

#endif
