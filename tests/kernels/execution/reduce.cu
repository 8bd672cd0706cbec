// SPDX-License-Identifier: Apache-2.0
//
// A block of 256 threads adds 256 numbers in shared memory, in the three ways of the lectures.
extern "C" __global__ void reduce_modulo(const int *x, int *sums)
{
    __shared__ int part[256];
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int stride = 1; stride < 256; stride *= 2) {
        if (t % (2 * stride) == 0) part[t] += part[t + stride];
        __syncthreads(); // redundant: in the last round
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_strided(const int *x, int *sums)
{
    __shared__ int part[256];
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int stride = 1; stride < 256; stride *= 2) {
        const int k = 2 * stride * t;
        if (k < 256) part[k] += part[k + stride];
        __syncthreads(); // redundant: in the last round
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_sequential(const int *x, int *sums)
{
    __shared__ int part[256];
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (t < stride) part[t] += part[t + stride];
        __syncthreads(); // redundant: in the last round
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

// How they are run by themselves (tests/support/model_runs.h)
// run reduce_modulo 3 256: nothing
// run reduce_strided 3 256: nothing
// run reduce_sequential 3 256: nothing
