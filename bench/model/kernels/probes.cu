// SPDX-License-Identifier: Apache-2.0
//
// One request of one warp each: what the hardware counts for it.

// Lanes of `same` ask for the first word of a sector, lanes of `near` for the second word of it,
// all others for a sector of their own.
static __device__ int place(unsigned same, unsigned near)
{
    const int lane = threadIdx.x;
    return same >> lane & 1 ? 0 : near >> lane & 1 ? 1 : 8 * (lane + 1);
}

extern "C" __global__ void red_words(unsigned *bins, unsigned same, unsigned near)
{
    atomicAdd(&bins[place(same, near)], 1u + threadIdx.x);
}

extern "C" __global__ void red_floats(float *bins, unsigned same, unsigned near)
{
    atomicAdd(&bins[place(same, near)], 1.0f);
}

extern "C" __global__ void atom_words(unsigned *bins, unsigned same, unsigned near, unsigned *old)
{
    old[threadIdx.x] = atomicAdd(&bins[place(same, near)], 1u + threadIdx.x);
}

// Lane t reads element ((t >> shift) * stride + (t & with)) of shared memory.
#define ELEMENT(n) (((threadIdx.x >> shift) * stride + (threadIdx.x & with)) % (n))

extern "C" __global__ void read_words(const float *x, float *y, int shift, int stride, int with)
{
    __shared__ float s[1024];
    for (int k = threadIdx.x; k < 1024; k += 32) s[k] = x[k];
    __syncthreads();
    y[threadIdx.x] = s[ELEMENT(1024)];
}

extern "C" __global__ void read_pairs(const float2 *x, float2 *y, int shift, int stride, int with)
{
    __shared__ float2 s[512];
    for (int k = threadIdx.x; k < 512; k += 32) s[k] = x[k];
    __syncthreads();
    y[threadIdx.x] = s[ELEMENT(512)];
}

extern "C" __global__ void read_fours(const float4 *x, float4 *y, int shift, int stride, int with)
{
    __shared__ float4 s[256];
    for (int k = threadIdx.x; k < 256; k += 32) s[k] = x[k];
    __syncthreads();
    y[threadIdx.x] = s[ELEMENT(256)];
}

extern "C" __global__ void add_words(unsigned *y, int shift, int stride, int with)
{
    __shared__ unsigned s[1024];
    for (int k = threadIdx.x; k < 1024; k += 32) s[k] = 0;
    __syncthreads();
    atomicAdd(&s[ELEMENT(1024)], 1u + threadIdx.x);
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += 32) y[k] = s[k];
}

// Two lanes meet in a sector, at a word each.
extern "C" __global__ void red_two(float *bins, int a, int at_a, int b, int at_b)
{
    const int lane = threadIdx.x;
    atomicAdd(&bins[lane == a ? at_a : lane == b ? at_b : 8 * (lane + 1)], 1.0f);
}

// How they are run by themselves (tests/support/model_runs.h)
// run read_words 1 32 xynnn: nothing
// run read_pairs 1 32 xynnn: nothing
// run read_fours 1 32 xynnn: nothing
// run add_words 1 32 ynnn: nothing
