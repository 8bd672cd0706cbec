// SPDX-License-Identifier: Apache-2.0
//
// parlaylib: its parallel_for over the loops of move.hpp, find_if, random_shuffle.
#include "bench/peers/support/finders.h"
#include "bench/peers/support/move.hpp"

#include <parlay/parallel.h>
#include <parlay/primitives.h>
#include <parlay/random.h>

#include <algorithm>

namespace
{

struct parlay_for {
    template <class BODY> static void run(int64_t n, BODY body)
    {
        constexpr int64_t block = 8192;
        parlay::parallel_for(
            0, static_cast<std::size_t>((n + block - 1) / block),
            [=](std::size_t b) {
                const int64_t begin = static_cast<int64_t>(b) * block;
                body(begin, std::min(begin + block, n));
            },
            1);
    }
};

template <class T> void first(const peer_job *job)
{
    const auto x = parlay::make_slice(input<T>(job), input<T>(job) + job->n);
    *output<int64_t>(job) = parlay::find_if(x, [](T v) { return v != 0; }) - x.begin();
}

void shuffle(const peer_job *job)
{
    const int32_t *x = input<int32_t>(job);
    int32_t *y = output<int32_t>(job);
    const auto mixed = parlay::random_shuffle(parlay::make_slice(x, x + job->n));
    parlay::parallel_for(0, mixed.size(), [&](std::size_t i) { y[i] = mixed[i]; });
}

peer_run *find(const peer_job *job)
{
    if (job->pattern == PEER_FIND) return job->type == PEER_I32 ? first<int32_t> : first<uint8_t>;
    if (job->pattern == PEER_SHUFFLE) return shuffle;
    return find_loops<parlay_for>(job);
}

PEER_FINDER(find)

} // namespace
