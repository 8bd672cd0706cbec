// SPDX-License-Identifier: Apache-2.0
//
// One mistake each.
#define WHERE (blockIdx.x * blockDim.x + threadIdx.x)

// Kogge-Stone in one buffer with one barrier a step: reads and writes of a step race.
extern "C" __global__ void missing_barrier(const int *x, int *y)
{
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = x[WHERE];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (t >= d) s[t] += s[t - d];
    }
    y[WHERE] = s[t];
}

// The last thread reads behind the end.
extern "C" __global__ void one_too_far(const int *x, int *y)
{
    y[WHERE] = x[WHERE + 1] - x[WHERE];
}

// Nobody has written x.
extern "C" __global__ void never_written(const int *x, int *y) { y[WHERE] = x[WHERE] + 1; }

// Half of the block never comes to the barrier.
extern "C" __global__ void half_a_barrier(const int *x, int *y)
{
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = x[WHERE];
    if (t % 2 == 0) __syncthreads();
    y[WHERE] = s[t];
}

// Counts without atomics: two blocks lose each other's.
extern "C" __global__ void lost_counts(const unsigned *x, unsigned *bins) { bins[x[WHERE]]++; }

// Four words at once from an odd word on.
extern "C" __global__ void unaligned(const int *x, int *y)
{
    const int4 v = *(const int4 *)(x + 4 * (WHERE % 4096) + 1);
    y[WHERE] = v.x + v.y + v.z + v.w;
}
