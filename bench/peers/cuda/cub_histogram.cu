// SPDX-License-Identifier: Apache-2.0
//
// CUB, on a device: counts of whole numbers by value, and of f32 in even bins of 0 .. 1.
#include "bench/peer/peer_histogram.h"
#include "bench/peers/support/on_device.hpp"

#include <cub/cub.cuh>

namespace
{

using on_device::arrays;
using on_device::with_scratch;

const peer_histogram *shape_of(const peer_job *job)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    return static_cast<const peer_histogram *>(more->more);
}

template <class T> void count(const peer_job *job, const arrays &a)
{
    using level = std::conditional_t<std::is_same_v<T, float>, float, int64_t>;
    const T *in = static_cast<const T *>(a.in);
    uint32_t *out = static_cast<uint32_t *>(a.out);
    const int bins = static_cast<int>(shape_of(job)->bins);
    const level upper = std::is_same_v<T, float> ? level{1} : static_cast<level>(bins);
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceHistogram::HistogramEven(s, bytes, in, out, bins + 1, level{0}, upper, a.n);
    });
}

on_device::call *call_of(const peer_job *job)
{
    if (job->pattern != PEER_HISTOGRAM || shape_of(job)->weights) return nullptr;
    return job->type == PEER_U8    ? count<uint8_t>
           : job->type == PEER_U32 ? count<uint32_t>
           : job->type == PEER_F32 ? count<float>
                                   : nullptr;
}

const peer self = on_device::plain_peer<call_of>::named("CUB");

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
