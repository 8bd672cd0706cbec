// SPDX-License-Identifier: Apache-2.0
//
// Reads of what nobody wrote, and near misses; see races.cu for what the comments mean. Here x has
// 1024 numbers of its 4096 written, y none.

// run 1 64: uninitialised
extern "C" __global__ void behind_the_data(int *x, int *y)
{
    y[threadIdx.x] = x[1000 + threadIdx.x]; //! uninitialised
}

// run 1 24: nothing
extern "C" __global__ void up_to_the_end(int *x, int *y)
{
    y[threadIdx.x] = x[1000 + threadIdx.x];
}

// run 1 64: uninitialised
extern "C" __global__ void sum_without_zero(int *x, int *y)
{
    y[threadIdx.x] += x[threadIdx.x]; //! uninitialised
}

// run 1 64: uninitialised
extern "C" __global__ void count_without_zero(int *x, int *y)
{
    atomicAdd(&y[x[threadIdx.x] & 7], 1); //! uninitialised
}

// run 1 64: uninitialised
extern "C" __global__ void half_a_tile(int *x, int *y)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x + 32]; //! uninitialised
}

// run 2 64: nothing
extern "C" __global__ void a_whole_tile(int *x, int *y)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = x[threadIdx.x];
    tile[127 - threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x + 32] + tile[threadIdx.x];
}

// run 1 32: uninitialised
extern "C" __global__ void gap_in_local(int *x, int *y)
{
    int mine[16];
    for (int k = 0; k < 8; k++) mine[(x[k] + k) & 15] = x[threadIdx.x + k];
    y[threadIdx.x] = mine[x[threadIdx.x] & 15]; //! uninitialised
}

// run 1 32: nothing
extern "C" __global__ void all_of_local(int *x, int *y)
{
    int mine[16];
    for (int k = 0; k < 16; k++) mine[k ^ (x[0] & 15)] = x[threadIdx.x + k];
    y[threadIdx.x] = mine[x[threadIdx.x] & 15];
}

__device__ int given[8];

// run 1 8: nothing
extern "C" __global__ void variables_begin_as_zero(int *x, int *y)
{
    given[threadIdx.x] += x[threadIdx.x];
    y[threadIdx.x] = given[threadIdx.x];
}

// run 1 64: uninitialised
extern "C" __global__ void three_bytes_of_four(int *x, int *y)
{
    for (int k = 0; k < 3; k++) ((volatile char *)(y + threadIdx.x))[k] = 1;
    y[64 + threadIdx.x] = *(volatile int *)(y + threadIdx.x); //! uninitialised
}
