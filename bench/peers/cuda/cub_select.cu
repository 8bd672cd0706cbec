// SPDX-License-Identifier: Apache-2.0
//
// CUB, on a device: select, partition, unique and run lengths. Counts stay on the device while it
// is timed. Its partition leaves the others in reverse order, which the check is told by way of
// `rest`.
#include "bench/peer/peer_runs.h"
#include "bench/peer/peer_select.h"
#include "bench/peers/support/on_device.hpp"

#include <algorithm>
#include <cub/cub.cuh>

namespace
{

using on_device::arrays;
using on_device::with_scratch;

int64_t *count; // on the device

struct positive {
    __device__ bool operator()(int32_t x) const
    {
        return x > 0;
    }
};

template <class T> void select(const peer_job *job, const arrays &a)
{
    const T *in = static_cast<const T *>(a.in);
    const uint8_t *flags = static_cast<const uint8_t *>(a.with);
    T *out = static_cast<T *>(a.out);
    const peer_device *more = static_cast<const peer_device *>(job->more);
    const bool by_flags = static_cast<const peer_select *>(more->more)->flags != nullptr;
    const bool parts = job->pattern == PEER_PARTITION;
    with_scratch([=](void *s, size_t &bytes) {
        if (by_flags && parts)
            cub::DevicePartition::Flagged(s, bytes, in, flags, out, count, a.n);
        else if (by_flags)
            cub::DeviceSelect::Flagged(s, bytes, in, flags, out, count, a.n);
        else if (parts)
            cub::DevicePartition::If(s, bytes, in, out, count, a.n, positive{});
        else
            cub::DeviceSelect::If(s, bytes, in, out, count, a.n, positive{});
    });
}

template <class T> void unique(const peer_job *, const arrays &a)
{
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceSelect::Unique(s, bytes, static_cast<const T *>(a.in), static_cast<T *>(a.out),
                                  count, a.n);
    });
}

void run_lengths(const peer_job *, const arrays &a)
{
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceRunLengthEncode::Encode(s, bytes, static_cast<const int32_t *>(a.in),
                                           static_cast<int32_t *>(a.out),
                                           static_cast<int32_t *>(a.other), count, a.n);
    });
}

on_device::call *call_of(const peer_job *job)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    switch (job->pattern) {
    case PEER_COMPACT:
    case PEER_PARTITION:
        if (static_cast<const peer_select *>(more->more)->ways) return nullptr;
        return job->type == PEER_U8    ? select<uint8_t>
               : job->type == PEER_F64 ? select<double>
               : job->type == PEER_I32 ? select<int32_t>
                                       : nullptr;
    case PEER_UNIQUE: return job->type == PEER_F32 ? unique<float> : unique<int32_t>;
    case PEER_RUN_LENGTHS: return run_lengths;
    default: return nullptr;
    }
}

void nothing(const peer_job *)
{
}

peer_run *find(const peer_job *job)
{
    return call_of(job) ? nothing : nullptr;
}

// What the check looks at, after the one call before a race.
void tell(const peer_job *job)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    int64_t found = -1;
    cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost);
    if (job->pattern == PEER_UNIQUE || job->pattern == PEER_RUN_LENGTHS) {
        *static_cast<const peer_runs *>(more->more)->count = found;
        return;
    }
    const peer_select *select = static_cast<const peer_select *>(more->more);
    select->counts[0] = found;
    if (job->pattern != PEER_PARTITION) return;
    int32_t *rest = static_cast<int32_t *>(select->rest);
    cudaMemcpy(rest, static_cast<const int32_t *>(job->out) + found, (job->n - found) * 4,
               cudaMemcpyDeviceToHost);
    std::reverse(rest, rest + job->n - found);
    *select->apart = 1;
}

int64_t run_timed(const peer_job *job, int64_t calls)
{
    if (!count && cudaMalloc(&count, sizeof *count) != cudaSuccess) return -1;
    const int64_t ns = on_device::run_timed(job, calls, call_of(job));
    if (ns >= 0 && calls == 1) tell(job);
    return ns;
}

const peer self = {
    PEER_ABI | PEER_ON_DEVICE, "CUB", on_device::open, find, run_timed, nullptr, nullptr, nullptr};

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
