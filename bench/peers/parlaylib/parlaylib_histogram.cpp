// SPDX-License-Identifier: Apache-2.0
//
// parlaylib's histogram_by_index.
#include "bench/peer/peer_histogram.h"
#include "bench/peers/support/finders.h"
#include "bench/peers/support/typed.hpp"

#include <parlay/primitives.h>

namespace
{

template <class T> void count(const peer_job *job)
{
    const T *x = input<T>(job);
    const auto bins = static_cast<uint32_t>(histogram_of(job)->bins);
    const auto counts = parlay::histogram_by_index(parlay::make_slice(x, x + job->n), bins);
    uint32_t *out = output<uint32_t>(job);
    parlay::parallel_for(0, bins, [&](std::size_t b) { out[b] = uint32_t(counts[b]); });
}

peer_run *find(const peer_job *job)
{
    if (job->pattern != PEER_HISTOGRAM || histogram_of(job)->weights) return nullptr;
    return job->type == PEER_U8    ? count<uint8_t>
           : job->type == PEER_U32 ? count<uint32_t>
                                   : nullptr;
}

PEER_FINDER(find)

} // namespace
