// SPDX-License-Identifier: Apache-2.0
//
// What lanes of a warp, or warps of a block, hand over: values given to a shuffle before their
// place is written again, and data told of by a volatile flag. "run B T: what" as in races.cu.
#define ALL 0xffffffffu

// ---- A value that a shuffle or a vote takes has been read ---------------------------------------

// run 1 64: nothing
extern "C" __global__ void shuffled(int *x, int *y)
{
    __shared__ int part[64];
    const int t = threadIdx.x, lane = t % 32, left = lane > 0 ? t - 1 : t;
    part[t] = x[t];
    __syncthreads();
    part[t] += __shfl_sync(ALL, part[left], 1);
    y[t] = part[t];
}

// The shuffle takes another value: nothing says that the load is over.
// run 1 64: race
extern "C" __global__ void not_shuffled(int *x, int *y)
{
    __shared__ int part[64];
    const int t = threadIdx.x, lane = t % 32, left = lane > 0 ? t - 1 : t;
    part[t] = x[t];
    __syncthreads();
    const int before = part[left]; //! race
    part[t] = __shfl_sync(ALL, t, 1); //! race
    y[t] = before;
}

// The writes come before the reads: a shuffle does not order these.
// run 1 64: race
extern "C" __global__ void shuffled_too_late(int *x, int *y)
{
    __shared__ int part[64];
    const int t = threadIdx.x;
    part[t] = __shfl_sync(ALL, x[t], 1); //! race
    y[t] = __shfl_sync(ALL, part[t ^ 1], 2); //! race, uninitialised
}

// Lanes of other warps took no part.
// run 1 64: race
extern "C" __global__ void shuffled_by_others(int *x, int *y)
{
    __shared__ int part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    part[t] = __shfl_sync(ALL, part[t ^ 32], 1); //! race
    y[t] = part[t];
}

// Values that were computed with, and pairs of lanes that have masks of their own.
// run 1 32: nothing
extern "C" __global__ void shuffled_in_pairs(int *x, int *y)
{
    __shared__ int part[32];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    const int v = 3 * part[t ^ 1] + 1;
    part[t] = __shfl_xor_sync(3u << (t & 30), v, 1);
    y[t] = part[t];
}

// The mask has the pair, the value is of another one.
// run 1 32: race
extern "C" __global__ void shuffled_in_other_pairs(int *x, int *y)
{
    __shared__ int part[32];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    const int v = 3 * part[t ^ 2] + 1; //! race
    part[t] = __shfl_xor_sync(3u << (t & 30), v, 1); //! race
    y[t] = part[t];
}

// Of two meetings the second has the lanes that the first had not.
// run 1 32: nothing
extern "C" __global__ void shuffled_by_way_of(int *x, int *y)
{
    __shared__ int part[32];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    int v = part[t ^ 3];
    v = __shfl_xor_sync(3u << (t & 30), v, 1);
    v = __shfl_xor_sync(5u << (t & 29), v, 2);
    part[t] = v;
    y[t] = v;
}

// run 1 32: nothing
extern "C" __global__ void voted(int *x, int *y)
{
    __shared__ int part[32];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        const bool more = part[t ^ 1] > 5;
        const unsigned all = __ballot_sync(ALL, more);
        part[t] = (int)all + k;
        __syncwarp();
    }
    y[t] = part[t];
}

// ---- Data behind a volatile flag ----------------------------------------------------------------

// Lane 0 tells the other lanes of its warp.
// run 1 32: nothing
extern "C" __global__ void told_lanes(int *x, int *y)
{
    volatile int *flag = y + 64;
    if (threadIdx.x == 0) {
        y[0] = x[5];
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        y[threadIdx.x] = y[0];
    }
}

// run 1 32: race
extern "C" __global__ void told_lanes_at_once(int *x, int *y)
{
    volatile int *flag = y + 64;
    if (threadIdx.x == 0) {
        y[0] = x[5]; //! race
        *flag = 1; //! race
    } else {
        while (*flag == 0) {} //! race
        __threadfence();
        y[threadIdx.x] = y[0]; //! race
    }
}

// Nothing keeps the read behind the flag.
// run 1 32: race
extern "C" __global__ void told_lanes_read_early(int *x, int *y)
{
    volatile int *flag = y + 64;
    if (threadIdx.x == 0) {
        y[0] = x[5]; //! race
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        y[threadIdx.x] = y[0]; //! race
    }
}

// The same by way of shared memory, to lanes and to another warp.
// run 1 64: nothing
extern "C" __global__ void told_block(int *x, int *y)
{
    __shared__ volatile int flag;
    __shared__ int data;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = x[5];
        __threadfence_block();
        flag = 1;
    } else {
        while (flag == 0) {}
        __threadfence_block();
        y[threadIdx.x] = data;
    }
}

// run 1 64: race
extern "C" __global__ void told_block_at_once(int *x, int *y)
{
    __shared__ volatile int flag;
    __shared__ int data;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = x[5]; //! race
        flag = 1; //! race
    } else {
        while (flag == 0) {} //! race
        __threadfence_block();
        y[threadIdx.x] = data; //! race, uninitialised
    }
}

// Data that is volatile too is still data.
// run 1 64: nothing
extern "C" __global__ void told_volatile(int *x, int *y)
{
    __shared__ volatile int flag, data;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = x[5];
        __threadfence_block();
        flag = 1;
    } else {
        while (flag == 0) {}
        __threadfence_block();
        y[threadIdx.x] = data;
    }
}

// run 1 64: race
extern "C" __global__ void told_volatile_at_once(int *x, int *y)
{
    __shared__ volatile int flag, data;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = x[5]; //! race
        flag = 1; //! race
    } else {
        while (flag == 0) {} //! race
        y[threadIdx.x] = data; //! race, uninitialised
    }
}

// Each lane waits for its turn, and writes the word that it has read.
// run 1 64: nothing
extern "C" __global__ void takes_turns(int *x, int *y)
{
    __shared__ volatile int turn;
    __shared__ int sum;
    const int t = threadIdx.x;
    if (t == 0) turn = 0, sum = 0;
    __syncthreads();
    while (turn != t) {}
    __threadfence_block();
    sum += x[t];
    __threadfence_block();
    turn = t + 1;
    __syncthreads();
    if (t == 0) y[0] = sum;
}

// Lane 32 does not wait: it and another one write the word.
// run 1 64: race
extern "C" __global__ void takes_no_turn(int *x, int *y)
{
    __shared__ volatile int turn;
    const int t = threadIdx.x;
    if (t == 0) turn = 0;
    __syncthreads();
    while (t < 32 && turn < t) {} //! race
    __threadfence_block();
    if (t <= 32) turn = t + 1; //! race
    y[t] = x[t];
}

// One lane fills a place, the other empties it, by one flag.
// run 1 64: nothing
extern "C" __global__ void to_and_fro(int *x, int *y)
{
    __shared__ volatile bool full;
    __shared__ int place;
    if (threadIdx.x == 0) full = false;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++) {
            while (full) {}
            __threadfence_block();
            place = x[k];
            __threadfence_block();
            full = true;
        }
    if (threadIdx.x == 1)
        for (int k = 0; k < 5; k++) {
            while (!full) {}
            __threadfence_block();
            y[k] = place;
            __threadfence_block();
            full = false;
        }
}

// The place is let go before it has been read.
// run 1 64: race
extern "C" __global__ void to_and_fro_early(int *x, int *y)
{
    __shared__ volatile bool full;
    __shared__ int place;
    if (threadIdx.x == 0) full = false;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++) {
            while (full) {}
            __threadfence_block();
            place = x[k]; //! race
            __threadfence_block();
            full = true;
        }
    if (threadIdx.x == 1)
        for (int k = 0; k < 5; k++) {
            while (!full) {}
            __threadfence_block();
            full = false;
            y[k] = place; //! race
        }
}

// A sum is no flag, whatever fences stand between: no lane waits for another.
// run 1 32: race
extern "C" __global__ void sums_with_fences(int *x, int *y)
{
    __shared__ volatile int part[64];
    const int t = threadIdx.x;
    part[t] = x[t], part[t + 32] = x[t + 32]; //! race
    __threadfence_block();
    part[t] += part[t + 16]; //! race
    __threadfence_block();
    part[t] += part[t + 8]; //! race
    y[t] = part[t];
}
