// SPDX-License-Identifier: Apache-2.0
//
// Findings that follow from others: what a report must list first, and what under it. Each kernel
// takes x, 4096 numbers that are there, and y, 4096 zeros, and is run as one block of 64 threads.

// A missing barrier: values are read too early, and what they are used as an index for is nowhere.
extern "C" __global__ void missing_barrier(int *x, int *y)
{
    __shared__ int part[64];
    const int t = threadIdx.x;
    part[t] = x[t] % 10 + 3000;      // 1
    const int k = part[t ^ 32];      // 2
    y[t] = x[k - 3000];              // 3
}

// The same in a loop that is unrolled: more than a thousand pairs of instructions, two pairs of
// lines.
extern "C" __global__ void unrolled(int *x, int *y)
{
    __shared__ int part[64];
    const int t = threadIdx.x;
    part[t] = x[t];                         // 1
#pragma unroll
    for (int k = 1; k < 64; k++)
        part[t] += part[(t + k) % 64];      // 2
    y[t] = part[t];
}

// One index too far: the next array has a race, the first element is never written.
extern "C" __global__ void overflow(int *x, int *y)
{
    __shared__ int a[64], b[64];
    const int t = threadIdx.x;
    b[t] = x[t];                // 1
    a[t + 1] = x[t + 64];       // 2
    __syncthreads();
    y[t] = b[t];
    y[64 + t] = a[t];           // 3
}

// Two that have nothing to do with each other, the worse one last.
extern "C" __global__ void unrelated(int *x, int *y)
{
    __shared__ int part[64], other[64];
    const int t = threadIdx.x;
    part[t] = t, other[t] = 1;
    __syncthreads();
    part[0] = t;                  // 1
    __syncthreads();
    y[t] = x[part[1] + t * 4096]; // 2
    y[64 + t] = other[63 - t];
}

// A chain of steps without barriers in dynamic memory: the first of them, and the others under it.
extern "C" __global__ void dynamic_steps(int *x, int *y)
{
    extern __shared__ volatile int steps[];
    const int t = threadIdx.x;
    steps[t] = x[t];                // 1
    steps[t] += steps[t ^ 1];       // 2
    steps[t] += steps[t ^ 2];       // 3
    y[t] = steps[t];
}
