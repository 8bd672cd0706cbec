// SPDX-License-Identifier: Apache-2.0
//
// Thrust, on a device: gather, scatter and find, which waits for its result.
#include "bench/peer/peer_gather.h"
#include "bench/peers/support/on_device.hpp"

#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>

namespace
{

using on_device::arrays;

template <class T> void gather(const peer_job *, const arrays &a)
{
    const int32_t *index = static_cast<const int32_t *>(a.with);
    thrust::gather(thrust::cuda::par_nosync, index, index + a.n, static_cast<const T *>(a.in),
                   static_cast<T *>(a.out));
}

template <class T> void scatter(const peer_job *, const arrays &a)
{
    const T *in = static_cast<const T *>(a.in);
    thrust::scatter(thrust::cuda::par_nosync, in, in + a.n, static_cast<const int32_t *>(a.with),
                    static_cast<T *>(a.out));
}

struct not_zero {
    template <class T> __device__ bool operator()(T x) const
    {
        return x != 0;
    }
};

template <class T> void find_first(const peer_job *, const arrays &a)
{
    const T *in = static_cast<const T *>(a.in);
    const int64_t at = thrust::find_if(thrust::cuda::par, in, in + a.n, not_zero{}) - in;
    cudaMemcpyAsync(a.out, &at, sizeof at, cudaMemcpyHostToDevice, nullptr);
}

on_device::call *call_of(const peer_job *job)
{
    const bool wide = job->type == PEER_F64;
    if (job->pattern == PEER_GATHER) return wide ? gather<double> : gather<int32_t>;
    if (job->pattern == PEER_SCATTER && job->op == PEER_OTHER_OP)
        return wide ? scatter<double> : scatter<int32_t>;
    if (job->pattern == PEER_FIND)
        return job->type == PEER_U8 ? find_first<uint8_t> : find_first<int32_t>;
    return nullptr;
}

const peer self = on_device::plain_peer<call_of>::named("Thrust");

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
