// SPDX-License-Identifier: Apache-2.0
//
// CUB, on a device: reductions and scans, also of segments and by key, and 2a + b by its transform.
// Built with nvcc where it is found.
#include "bench/peer/peer.h"
#include "bench/peers/support/on_device.hpp"

#include <chrono>
#include <cub/cub.cuh>

namespace
{

using on_device::with_scratch;

template <class T, class U> void reduce(const peer_job *job)
{
    const T *in = static_cast<const T *>(job->in);
    U *out = static_cast<U *>(job->out);
    const int64_t n = job->n;
    with_scratch([=](void *s, size_t &bytes) {
        switch (job->op) {
        case PEER_SUM:
            cub::DeviceReduce::Reduce(s, bytes, in, out, n, cuda::std::plus<>{}, U{0});
            break;
        case PEER_MIN: cub::DeviceReduce::Min(s, bytes, in, reinterpret_cast<T *>(out), n); break;
        default: cub::DeviceReduce::Max(s, bytes, in, reinterpret_cast<T *>(out), n);
        }
    });
}

// The value goes behind the index, into the gap that copies leave.
template <class T> void argmax(const peer_job *job)
{
    const T *in = static_cast<const T *>(job->in);
    int64_t *out = static_cast<int64_t *>(job->out);
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceReduce::ArgMax(s, bytes, in, reinterpret_cast<T *>(out + 1), out, job->n);
    });
}

template <class T> void scan(const peer_job *job)
{
    const T *in = static_cast<const T *>(job->in);
    T *out = static_cast<T *>(job->out);
    with_scratch([=](void *s, size_t &bytes) {
        if (job->op == PEER_MAX)
            cub::DeviceScan::InclusiveScan(s, bytes, in, out, cuda::maximum<>{}, job->n);
        else if (job->exclusive)
            cub::DeviceScan::ExclusiveSum(s, bytes, in, out, job->n);
        else
            cub::DeviceScan::InclusiveSum(s, bytes, in, out, job->n);
    });
}

// ---- Segments and keys --------------------------------------------------------------------------

const void *extra_in; // offsets or keys of the call that runs
void *extra_out;      // keys of runs
int64_t *run_count;

void segmented(const peer_job *job)
{
    const float *in = static_cast<const float *>(job->in);
    const int64_t *offsets = static_cast<const int64_t *>(extra_in);
    float *out = static_cast<float *>(job->out);
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceSegmentedReduce::Sum(s, bytes, in, out, job->segments, offsets, offsets + 1);
    });
}

void reduce_by_key(const peer_job *job)
{
    const float *in = static_cast<const float *>(job->in);
    const int32_t *keys = static_cast<const int32_t *>(extra_in);
    int32_t *keys_out = static_cast<int32_t *>(extra_out);
    float *out = static_cast<float *>(job->out);
    if (!run_count && cudaMalloc(&run_count, sizeof *run_count) != cudaSuccess) return;
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceReduce::ReduceByKey(s, bytes, keys, keys_out, in, out, run_count,
                                       cuda::std::plus<>{}, job->n);
    });
}

void scan_by_key(const peer_job *job)
{
    const float *in = static_cast<const float *>(job->in);
    const int32_t *keys = static_cast<const int32_t *>(extra_in);
    float *out = static_cast<float *>(job->out);
    with_scratch([=](void *s, size_t &bytes) {
        cub::DeviceScan::InclusiveSumByKey(s, bytes, keys, in, out, job->n);
    });
}

struct axpy {
    __device__ float operator()(float a, float b) const
    {
        return 2 * a + b;
    }
};

const float *map_with; // of the call that runs

void map(const peer_job *job)
{
    cub::DeviceTransform::Transform(
        cuda::std::make_tuple(static_cast<const float *>(job->in), map_with),
        static_cast<float *>(job->out), job->n, axpy{});
}

peer_run *find_reduce(const peer_job *job)
{
    const bool arg = job->op == PEER_ARGMAX;
    switch (job->type) {
    case PEER_I32: return arg ? argmax<int32_t> : reduce<int32_t, int32_t>;
    case PEER_F32: return arg ? argmax<float> : reduce<float, float>;
    case PEER_F64: return arg ? argmax<double> : reduce<double, double>;
    case PEER_U8: return arg ? nullptr : reduce<uint8_t, uint64_t>;
    case PEER_I16: return arg ? nullptr : reduce<int16_t, int64_t>;
    default: return nullptr;
    }
}

peer_run *find(const peer_job *job)
{
    if (job->pattern == PEER_REDUCE && job->op <= PEER_ARGMAX) return find_reduce(job);
    if (job->pattern == PEER_MAP && job->op == PEER_OTHER_OP) return map;
    if (job->pattern == PEER_SEGMENTED && job->type == PEER_F32) return segmented;
    if (job->pattern == PEER_REDUCE_BY_KEY) return reduce_by_key;
    if (job->pattern == PEER_SCAN_BY_KEY) return scan_by_key;
    if (job->pattern != PEER_SCAN || (job->op != PEER_SUM && job->op != PEER_MAX)) return nullptr;
    switch (job->type) {
    case PEER_I32: return scan<int32_t>;
    case PEER_F32: return scan<float>;
    case PEER_F64: return scan<double>;
    case PEER_U8: return job->out_type == PEER_U8 ? scan<uint8_t> : nullptr;
    default: return nullptr;
    }
}

int64_t run_timed(const peer_job *job, int64_t calls)
{
    static int64_t turn;
    const peer_device *more = static_cast<const peer_device *>(job->more);
    peer_run *run = find(job);
    if (!run || cudaDeviceSynchronize() != cudaSuccess) return -1;
    const auto begin = std::chrono::steady_clock::now();
    for (int64_t k = 0; k < calls; k++) {
        const int64_t copy = calls == 1 ? 0 : turn++ % more->copies;
        peer_job one = *job;
        one.in = static_cast<const char *>(job->in) + copy * more->in_step;
        one.out = static_cast<char *>(job->out) + copy * more->out_step;
        if (job->in == job->out) one.in = one.out;
        extra_in = static_cast<const char *>(more->with) + copy * more->with_step;
        extra_out = static_cast<char *>(more->other) + copy * more->other_step;
        map_with = static_cast<const float *>(extra_in);
        run(&one);
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return -1;
    const auto spent = std::chrono::steady_clock::now() - begin;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
}

int32_t open(int32_t)
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

const peer self = {
    PEER_ABI | PEER_ON_DEVICE, "CUB", open, find, run_timed, nullptr, nullptr, nullptr};

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
