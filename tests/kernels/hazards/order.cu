// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for each other: locks, flags, barriers by name, and waits that never end.
extern "C" __global__ void spin_lock(int *lock, int *count)
{
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *(volatile int *)count = *(volatile int *)count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void spin_inside(int *lock, int *count)
{
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int *)count = *(volatile int *)count + 1; //! race
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Each block waits for the one before it.
extern "C" __global__ void in_order(int *ticket, volatile int *sums)
{
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = atomicAdd(ticket, 1);
        int before = 1;
        if (mine > 0)
            while ((before = sums[mine - 1]) == 0) {}
        __threadfence(); // redundant: nothing but the word is passed on
        sums[mine] = before + mine;
    }
    __syncthreads(); // redundant: nothing follows
}

// Two pairs of warps meet at barriers of their own; then one warp arrives and another waits.
extern "C" __global__ void named(int *y)
{
    __shared__ volatile int part[128], told[32];
    const int t = threadIdx.x, pair = t / 64;
    part[t] = t * 3;
    asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
    y[t] = part[t ^ 32];
    if (t < 32) {
        told[t] = 1000 + t;
        asm volatile("bar.arrive 5, 64;" ::: "memory");
    } else if (t >= 96) {
        asm volatile("bar.sync 5, 64;" ::: "memory");
        y[t] += told[t - 96];
    }
}

extern "C" __global__ void count_barriers(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t] = __syncthreads_count(x[t] & 1);
    y[t] += 1000 * __syncthreads_and(x[t] >= 0);
    y[t] += 10000 * __syncthreads_or(x[t] == 3);
}

extern "C" __global__ void late_barrier(int *y)
{
    if (threadIdx.x < 32) __syncthreads();
    y[threadIdx.x] = 1;
}

// The second warp waits for a barrier that the first never comes to.
extern "C" __global__ void deadlock(int *y)
{
    if (threadIdx.x >= 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    y[threadIdx.x] = 1;
}

extern "C" __global__ void forever(volatile int *y)
{
    while (*y == 0) {}
}

// How they are run by themselves (tests/support/model_runs.h)
// run spin_lock 3 64 yz: nothing
// run spin_inside 3 64 yz: race
// run in_order 5 64 yz: nothing
// run named 1 128 y: nothing
// run count_barriers 1 64: nothing
