// SPDX-License-Identifier: Apache-2.0
//
// CUB, on a device: radix sort of keys, of keys with values beside them, and of segments.
#include "bench/peer/peer_sort.h"
#include "bench/peers/support/on_device.hpp"

#include <cub/cub.cuh>

namespace
{

using on_device::arrays;
using on_device::with_scratch;

template <class T> void sort_keys(const peer_job *, const arrays &a)
{
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceRadixSort::SortKeys(s, bytes, static_cast<const T *>(a.in),
                                       static_cast<T *>(a.out), a.n);
    });
}

void sort_pairs(const peer_job *, const arrays &a)
{
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceRadixSort::SortPairs(
            s, bytes, static_cast<const uint32_t *>(a.in), static_cast<uint32_t *>(a.out),
            static_cast<const uint32_t *>(a.with), static_cast<uint32_t *>(a.other), a.n);
    });
}

void sort_segments(const peer_job *job, const arrays &a)
{
    const int64_t *offsets = static_cast<const int64_t *>(a.with);
    const int64_t segments = job->segments;
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceSegmentedSort::SortKeys(s, bytes, static_cast<const uint32_t *>(a.in),
                                           static_cast<uint32_t *>(a.out), a.n, segments, offsets,
                                           offsets + 1);
    });
}

on_device::call *call_of(const peer_job *job)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    if (job->pattern != PEER_SORT) return nullptr;
    if (job->offsets) return job->type == PEER_U32 ? sort_segments : nullptr;
    if (static_cast<const peer_sort *>(more->more)->pairs) return sort_pairs;
    switch (job->type) {
    case PEER_U8: return sort_keys<uint8_t>;
    case PEER_U16: return sort_keys<uint16_t>;
    case PEER_U32: return sort_keys<uint32_t>;
    case PEER_U64: return sort_keys<uint64_t>;
    case PEER_F32: return sort_keys<float>;
    default: return nullptr;
    }
}

const peer self = on_device::plain_peer<call_of>::named("CUB");

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
