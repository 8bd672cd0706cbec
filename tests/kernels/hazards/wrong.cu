// SPDX-License-Identifier: Apache-2.0
//
// Kernels that do what they must not; the lines are named by the tests.
#ifndef __CUDACC_RTC__ // NVRTC has them without
#include <assert.h>
#include <stdio.h>
#endif

extern "C" __global__ void behind(int *x, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t <= n) x[t] = t;
}

extern "C" __global__ void nowhere(int *y)
{
    y[threadIdx.x] = *(volatile int *)16;
}

extern "C" __global__ void misaligned(const char *x, int *y)
{
    y[threadIdx.x] = *(const int *)(x + 4 * threadIdx.x + 2);
}

extern "C" __global__ void shared_behind(int *y)
{
    __shared__ volatile int part[32];
    part[threadIdx.x] = 1;
    __syncwarp();
    y[threadIdx.x] = part[threadIdx.x + 1];
}

extern "C" __global__ void trapped(const int *x)
{
    if (x[threadIdx.x] == 5) __trap();
}

extern "C" __global__ void asserted(const int *x)
{
    assert(x[threadIdx.x] != 5);
}

extern "C" __global__ void prints(int n)
{
    if (threadIdx.x < n)
        printf("%d of %s: %5.2f %llu %c %x%%\n", threadIdx.x, "many", threadIdx.x * 0.5,
               1234567890123ull, 'a' + threadIdx.x, 255 + threadIdx.x);
}

extern "C" __global__ __launch_bounds__(64) void bounded(int *y)
{
    y[threadIdx.x] = 1;
}
