// SPDX-License-Identifier: Apache-2.0
//
// Accesses whose sectors, lines and wavefronts are known: strides, offsets, vectors, constants,
// and words of shared memory that the host names.
extern "C" __global__ void copy_strided(const int *x, int *y, int stride, int offset)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = x[t * stride + offset];
}

extern "C" __global__ void copy_vectors(const float4 *x, float4 *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = x[t];
}

extern "C" __global__ void copy_bytes(const unsigned char *x, unsigned char *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = x[t];
}

extern "C" __global__ void read_words(const int *words, int *y)
{
    __shared__ volatile int table[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) table[k] = 3 * k;
    __syncthreads();
    y[threadIdx.x] = table[words[threadIdx.x]];
}

__constant__ int weights[64];
__device__ int counter = 7;

extern "C" __global__ void use_constants(int *y)
{
    y[threadIdx.x] = weights[threadIdx.x] + weights[0] + counter;
}

extern "C" __global__ void use_dynamic(int *y)
{
    extern __shared__ int given[];
    given[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = given[blockDim.x - 1 - threadIdx.x];
}

// How they are run by themselves (tests/support/model_runs.h)
// run read_words 1 64: nothing
// run use_dynamic 1 64 yd: nothing
