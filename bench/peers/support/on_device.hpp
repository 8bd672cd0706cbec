// SPDX-License-Identifier: Apache-2.0
//
// What peers on a device share: their scratch, and the time of a stretch of calls that take turns
// over copies of the arrays.
#pragma once
#include "bench/peer/peer.h"
#include "bench/peer/peer_device.h"

#include <chrono>
#include <cuda_runtime.h>

namespace on_device
{

inline void *scratch;
inline size_t scratch_bytes;

// Calls an algorithm of CUB twice: for the scratch it wants, and for its work. Its scratch is kept.
template <class F> void with_scratch(F f)
{
    size_t wish = 0;
    f(nullptr, wish);
    if (wish > scratch_bytes) {
        cudaFree(scratch);
        scratch_bytes = cudaMalloc(&scratch, wish) == cudaSuccess ? wish : 0;
    }
    if (scratch_bytes) f(scratch, wish);
}

// One call's arrays.
struct arrays {
    const void *in, *with;
    void *out, *other;
    int64_t n;
    const void *input[PEER_DEVICE_INPUTS]; // of algorithms
};

using call = void(const peer_job *, const arrays &);

// Nanoseconds of so many calls; -1: something failed.
inline int64_t run_timed(const peer_job *job, int64_t calls, call *run)
{
    static int64_t turn;
    const peer_device *more = static_cast<const peer_device *>(job->more);
    if (!run || cudaDeviceSynchronize() != cudaSuccess) return -1;
    const auto begin = std::chrono::steady_clock::now();
    for (int64_t k = 0; k < calls; k++) {
        const int64_t copy = calls == 1 ? 0 : turn++ % more->copies;
        arrays a = {static_cast<const char *>(job->in) + copy * more->in_step,
                    static_cast<const char *>(more->with) + copy * more->with_step,
                    static_cast<char *>(job->out) + copy * more->out_step,
                    static_cast<char *>(more->other) + copy * more->other_step,
                    job->n,
                    {}};
        for (int i = 0; i < PEER_DEVICE_INPUTS; i++)
            a.input[i] = static_cast<const char *>(more->input[i]) + copy * more->input_step[i];
        run(job, a);
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return -1;
    const auto spent = std::chrono::steady_clock::now() - begin;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
}

inline int32_t open(int32_t)
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

// A peer whose jobs are calls that call_of finds, or does not.
template <call *(*call_of)(const peer_job *)> struct plain_peer {
    static void nothing(const peer_job *)
    {
    }

    static peer_run *find(const peer_job *job)
    {
        return call_of(job) ? nothing : nullptr;
    }

    static int64_t run_timed(const peer_job *job, int64_t calls)
    {
        return on_device::run_timed(job, calls, call_of(job));
    }

    static constexpr peer named(const char *name)
    {
        return {PEER_ABI | PEER_ON_DEVICE, name, open, find, run_timed, nullptr, nullptr, nullptr};
    }
};

} // namespace on_device
