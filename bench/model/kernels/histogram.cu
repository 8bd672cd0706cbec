// SPDX-License-Identifier: Apache-2.0
//
// Histograms of 256 bins, and counters.
extern "C" __global__ void histogram_global(const unsigned *x, int n, unsigned *bins)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[k]], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned *x, int n, unsigned *bins)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int k = blockIdx.x * 256 + threadIdx.x; k < n; k += gridDim.x * 256)
        atomicAdd(&mine[x[k]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Every thread counts bytes on its own; one column of shared memory each.
extern "C" __global__ void histogram_private(const unsigned char *x, int n, unsigned *bins)
{
    __shared__ unsigned char mine[16][512];
    const int t = threadIdx.x;
    for (int b = 0; b < 16; b++) mine[b][4 * t] = 0;
    const int first = (blockIdx.x * 128 + t) * 64;
    for (int k = 0; k < 64 && first + k < n; k++) mine[x[first + k] % 16][4 * t]++;
    for (int b = 0; b < 16; b++) atomicAdd(&bins[b], (unsigned)mine[b][4 * t]);
}

extern "C" __global__ void count_one(const unsigned *x, unsigned least, unsigned *count)
{
    if (x[blockIdx.x * blockDim.x + threadIdx.x] >= least) atomicAdd(count, 1u);
}

// One lane of a warp counts for all.
extern "C" __global__ void count_warps(const unsigned *x, unsigned least, unsigned *count)
{
    const unsigned chosen =
        __ballot_sync(~0u, x[blockIdx.x * blockDim.x + threadIdx.x] >= least);
    if (threadIdx.x % 32 == 0) atomicAdd(count, (unsigned)__popc(chosen));
}

// Each takes a ticket: the atomic's result is used.
extern "C" __global__ void compact_tickets(const unsigned *x, unsigned least, unsigned *count,
                                           unsigned *y)
{
    const unsigned v = x[blockIdx.x * blockDim.x + threadIdx.x];
    if (v >= least) y[atomicAdd(count, 1u)] = v;
}

extern "C" __global__ void histogram_floats(const unsigned *x, const float *w, float *bins)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[x[k]], w[k]);
}

extern "C" __global__ void largest(const int *x, int *most)
{
    atomicMax(most, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

// How they are run by themselves (tests/support/model_runs.h)
// run histogram_shared 2 256 ymz: nothing
