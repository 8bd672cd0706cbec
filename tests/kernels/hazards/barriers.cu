// SPDX-License-Identifier: Apache-2.0
//
// Barriers and meetings of a warp that go wrong, and near misses; see races.cu for what the
// comments mean. Some of these kernels never end: the launch fails, and the report says why.

// run 1 64: barrier
extern "C" __global__ void half_a_warp(int *x, int *y)
{
    if (threadIdx.x % 32 < 16) __syncthreads(); //! barrier
    y[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); //! barrier
    y[threadIdx.x] += y[63 - threadIdx.x];
}

// run 1 64: nothing
extern "C" __global__ void whole_warps_end(int *x, int *y)
{
    if (threadIdx.x >= 32) return;
    __syncthreads(); // redundant: it is there to be come to
    y[threadIdx.x] = x[threadIdx.x];
}

// run 1 64: nothing
extern "C" __global__ void some_lanes_end(int *x, int *y)
{
    __shared__ int part[64];
    if (threadIdx.x % 32 >= 20) return;
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = part[(threadIdx.x + 32) % 64];
}

// run 1 64: barrier
extern "C" __global__ void two_ways(int *x, int *y)
{
    __shared__ volatile int part[64];
    part[threadIdx.x] = x[threadIdx.x];
    if (x[threadIdx.x] & 1) {
        __syncthreads(); //! barrier
        y[threadIdx.x] = part[threadIdx.x];
    } else {
        y[threadIdx.x] = 1;
        __syncthreads(); //! barrier
    }
}

// run 1 64: nothing
extern "C" __global__ void two_ways_by_warps(int *x, int *y)
{
    __shared__ volatile int part[64];
    part[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x < 32) {
        __syncthreads(); // redundant: it is there to be come to
        y[threadIdx.x] = part[threadIdx.x];
    } else {
        y[threadIdx.x] = 1;
        __syncthreads(); // redundant: it is there to be come to
    }
}

// run 1 64: barrier
extern "C" __global__ void own_rounds(int *x, int *y)
{
    for (int k = 0; k < (x[threadIdx.x] & 3); k++) {
        y[64 * k + threadIdx.x] = k;
        __syncthreads(); //! barrier
    }
    y[512 + threadIdx.x] = y[threadIdx.x];
}

// Those that are done end, and are not waited for.
// run 1 64: nothing
extern "C" __global__ void own_rounds_then_end(int *x, int *y)
{
    for (int k = 0; k < (x[threadIdx.x] & 3); k++) {
        y[64 * k + threadIdx.x] = k;
        __syncthreads(); // redundant: it is there to be come to
    }
}

// run 1 64: nothing
extern "C" __global__ void same_rounds(int *x, int *y)
{
    for (int k = 0; k < (x[0] & 3); k++) {
        y[64 * k + threadIdx.x] = k;
        __syncthreads(); // redundant: it is there to be come to
    }
}

// run 1 96: barrier
extern "C" __global__ void counts_differ(int *x, int *y)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory"); //! barrier
    else if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 96;" ::: "memory"); //! barrier
    else
        asm volatile("bar.sync 1, 96;" ::: "memory"); //! barrier
    y[threadIdx.x] = x[threadIdx.x];
}

// run 1 96: nothing
extern "C" __global__ void counts_agree(int *x, int *y)
{
    if (threadIdx.x < 64) asm volatile("bar.sync 1, 64;" ::: "memory"); // redundant: as above
    y[threadIdx.x] = x[threadIdx.x];
}

// The last warp has 16 threads; a barrier counts it as a whole one.
// run 1 48: nothing
extern "C" __global__ void a_short_warp(int *x, int *y)
{
    __shared__ int part[48];
    part[threadIdx.x] = x[threadIdx.x];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    y[threadIdx.x] = part[47 - threadIdx.x];
}

// run 1 64: barrier
extern "C" __global__ void never_all(int *x, int *y)
{
    if (threadIdx.x >= 32) asm volatile("bar.sync 1, 96;" ::: "memory"); //! barrier
    y[threadIdx.x] = x[threadIdx.x];
}

// run 1 32: barrier
extern "C" __global__ void meeting_of_absent(int *x, int *y)
{
    if (threadIdx.x < 16) {
        y[threadIdx.x] = 1;
        __syncwarp(0x0001ffffu); //! barrier
    } else {
        __syncthreads(); //! barrier
    }
}

// run 1 32: nothing
extern "C" __global__ void meeting_of_halves(int *x, int *y)
{
    if (threadIdx.x < 16)
        __syncwarp(0x0000ffffu); // redundant: it is there to be come to
    else
        __syncwarp(0xffff0000u); // redundant: it is there to be come to
    y[threadIdx.x] = x[threadIdx.x];
}

// run 1 32: barrier
extern "C" __global__ void shuffle_from_absent(int *x, int *y)
{
    if (threadIdx.x < 16) y[threadIdx.x] = __shfl_down_sync(0x0000ffffu, x[threadIdx.x], 8); //! barrier
}

// run 1 32: nothing
extern "C" __global__ void shuffle_from_here(int *x, int *y)
{
    if (threadIdx.x < 16)
        y[threadIdx.x] = __shfl_down_sync(0x0000ffffu, x[threadIdx.x], 8, 16);
}
