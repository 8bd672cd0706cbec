// SPDX-License-Identifier: Apache-2.0
//
// NPP, on a device: summed-area tables of images of u8, with a row and a column of zeros.
#include "bench/peer/peer_algorithm.h"
#include "bench/peers/support/on_device.hpp"

#include <cmath>
#include <nppi_statistics_functions.h>

namespace
{

using on_device::arrays;

NppStreamContext context;

void integral(const peer_job *, const arrays &a)
{
    const int side = static_cast<int>(std::sqrt(static_cast<double>(a.n)));
    nppiIntegral_8u32s_C1R_Ctx(static_cast<const Npp8u *>(a.in), side, static_cast<Npp32s *>(a.out),
                               (side + 1) * 4, {side, side}, 0, context);
}

on_device::call *call_of(const peer_job *job)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    const peer_algorithm *a = static_cast<const peer_algorithm *>(more->more);
    const bool is_table = job->pattern == PEER_ALGORITHM && !strcmp(a->work, "integral");
    return is_table && job->n < (int64_t)1 << 31 ? integral : nullptr;
}

// The default stream of the device that is current.
int32_t open(int32_t threads)
{
    int device = 0, flags = 0;
    cudaDeviceProp of;
    if (!on_device::open(threads) || cudaGetDevice(&device) != cudaSuccess ||
        cudaGetDeviceProperties(&of, device) != cudaSuccess)
        return 0;
    context.hStream = nullptr;
    context.nCudaDeviceId = device;
    context.nMultiProcessorCount = of.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = of.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = of.maxThreadsPerBlock;
    context.nSharedMemPerBlock = of.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = of.major;
    context.nCudaDevAttrComputeCapabilityMinor = of.minor;
    context.nStreamFlags = flags;
    return 1;
}

using plain = on_device::plain_peer<call_of>;
const peer self = {PEER_ABI | PEER_ON_DEVICE, "NPP",   open,    plain::find,
                   plain::run_timed,          nullptr, nullptr, nullptr};

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
