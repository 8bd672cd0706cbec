// SPDX-License-Identifier: Apache-2.0
//
// CUB, on a device: merge sort by less-than, merging, and the top k: DeviceTopK where this CUB has
// it, whose keys are sorted then; else a radix sort of everything.
#include "bench/peer/peer_order.h"
#include "bench/peers/support/on_device.hpp"

#include <cub/cub.cuh>
#if __has_include(<cub/device/device_merge.cuh>)
#include <cub/device/device_merge.cuh>
#endif
#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#define HAS_TOP_K
#endif

namespace
{

using on_device::arrays;
using on_device::with_scratch;

struct less {
    template <class T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
    __device__ bool operator()(const peer_record &a, const peer_record &b) const
    {
        return a.key < b.key;
    }
};

template <class T> void sort_by(const peer_job *, const arrays &a)
{
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceMergeSort::SortKeysCopy(s, bytes, static_cast<const T *>(a.in),
                                           static_cast<T *>(a.out), a.n, less{});
    });
}

#if __has_include(<cub/device/device_merge.cuh>)
template <class T> void merge(const peer_job *, const arrays &a)
{
    const T *in = static_cast<const T *>(a.in);
    const int64_t half = a.n / 2;
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceMerge::MergeKeys(s, bytes, in, half, in + half, a.n - half,
                                    static_cast<T *>(a.out), less{});
    });
}
#endif

// Keys that are sorted, or are to be.
void *aside;
int64_t aside_bytes;

template <class T> T *keys_aside(int64_t n)
{
    const int64_t bytes = n * static_cast<int64_t>(sizeof(T));
    if (bytes > aside_bytes) {
        cudaFree(aside);
        aside_bytes = cudaMalloc(&aside, bytes) == cudaSuccess ? bytes : 0;
    }
    return aside_bytes >= bytes ? static_cast<T *>(aside) : nullptr;
}

int64_t count_of(const peer_job *job, int64_t n)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    const int64_t k = static_cast<const peer_top_k *>(more->more)->k;
    return k < n ? k : n;
}

template <class T> void sort_down(const T *in, T *out, int64_t n)
{
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceRadixSort::SortKeysDescending(s, bytes, in, out, n);
    });
}

#ifdef HAS_TOP_K
template <class T> void top_k(const peer_job *job, const arrays &a)
{
    const int64_t k = count_of(job, a.n);
    T *some = keys_aside<T>(k);
    if (!some) return;
    const auto env = cuda::std::execution::env{cuda::execution::require(
        cuda::execution::determinism::not_guaranteed, cuda::execution::output_ordering::unsorted)};
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceTopK::MaxKeys(s, bytes, static_cast<const T *>(a.in), some, a.n, k, env);
    });
    sort_down(some, static_cast<T *>(a.out), k);
}
#else
template <class T> void top_k(const peer_job *job, const arrays &a)
{
    const int64_t k = count_of(job, a.n);
    T *all = keys_aside<T>(a.n);
    if (!all) return;
    sort_down(static_cast<const T *>(a.in), all, a.n);
    cudaMemcpyAsync(a.out, all, k * sizeof(T), cudaMemcpyDeviceToDevice, nullptr);
}
#endif

template <class T> on_device::call *call_for(const peer_job *job)
{
    if (job->pattern == PEER_SORT_BY) return sort_by<T>;
    if (job->pattern == PEER_TOP_K) return top_k<T>;
#if __has_include(<cub/device/device_merge.cuh>)
    if (job->pattern == PEER_MERGE) return merge<T>;
#endif
    return nullptr;
}

on_device::call *call_of(const peer_job *job)
{
    switch (job->type) {
    case PEER_I32: return call_for<int32_t>(job);
    case PEER_F32: return call_for<float>(job);
    case PEER_OTHER_TYPE: return job->pattern == PEER_SORT_BY ? sort_by<peer_record> : nullptr;
    default: return nullptr;
    }
}

const peer self = on_device::plain_peer<call_of>::named("CUB");

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
