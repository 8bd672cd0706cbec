// SPDX-License-Identifier: Apache-2.0
//
// oneTBB's histogram: a table of each thread's own (combinable), kept in ranges of parallel_for,
// then added up.
#include "bench/peer/peer_histogram.h"
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

namespace
{

typedef tbb::blocked_range<int64_t> range;
constexpr int64_t grain = 1 << 14, bin_grain = 1 << 12;

template <class T> std::size_t bin_of(T x, int64_t)
{
    return x;
}

template <> std::size_t bin_of(float x, int64_t bins)
{
    return static_cast<std::size_t>(std::min(int64_t(x * float(bins)), bins - 1));
}

template <class T> void count(const peer_job *job)
{
    const T *x = input<T>(job);
    uint32_t *out = output<uint32_t>(job);
    const int64_t bins = histogram_of(job)->bins;
    tbb::combinable<std::vector<uint32_t>> tables(
        [bins] { return std::vector<uint32_t>(static_cast<std::size_t>(bins)); });
    tbb::parallel_for(range(0, job->n, grain), [&](const range &r) {
        uint32_t *table = tables.local().data();
        for (int64_t i = r.begin(); i < r.end(); i++) table[bin_of<T>(x[i], bins)]++;
    });
    std::vector<const uint32_t *> all;
    tables.combine_each([&](const std::vector<uint32_t> &t) { all.push_back(t.data()); });
    tbb::parallel_for(range(0, bins, bin_grain), [&](const range &r) {
        std::fill(out + r.begin(), out + r.end(), 0u);
        for (const uint32_t *table : all)
            for (int64_t b = r.begin(); b < r.end(); b++) out[b] += table[b];
    });
}

peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_HISTOGRAM || histogram_of(job)->weights) return nullptr;
    switch (job->type) {
    case PEER_U8: return count<uint8_t>;
    case PEER_U32: return count<uint32_t>;
    case PEER_F32: return count<float>;
    default: return nullptr;
    }
}

PEER_FINDER(find)

} // namespace
