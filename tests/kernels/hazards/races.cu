// SPDX-License-Identifier: Apache-2.0
//
// Races and near misses. "run B T: what" says how a kernel is launched and what must be found; the
// lines of it are marked with what they do. Every kernel takes x, 4096 numbers that are there, and y, 4096 zeros.
#define ALL 0xffffffffu

// ---- Within a block -----------------------------------------------------------------------------

// run 2 64: race
extern "C" __global__ void neighbour(int *x, int *y)
{
    __shared__ int part[64];
    part[threadIdx.x] = x[threadIdx.x]; //! race
    y[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x ^ 32]; //! race, uninitialised
}

// run 2 64: nothing
extern "C" __global__ void neighbour_waits(int *x, int *y)
{
    __shared__ int part[64];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x ^ 32];
}

// The second barrier of a loop is missing: the next round overwrites what others still read.
// run 1 64: race
extern "C" __global__ void overwrites(int *x, int *y)
{
    __shared__ int part[64];
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        part[threadIdx.x] = x[64 * k + threadIdx.x]; //! race
        __syncthreads();
        sum += part[63 - threadIdx.x]; //! race
    }
    y[threadIdx.x] = sum;
}

// run 1 64: nothing
extern "C" __global__ void overwrites_late(int *x, int *y)
{
    __shared__ int part[64];
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        part[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        sum += part[63 - threadIdx.x];
        __syncthreads(); // redundant: in the last round
    }
    y[threadIdx.x] = sum;
}

// Lanes of one warp: lockstep is luck.
// run 1 32: race
extern "C" __global__ void lockstep(int *x, int *y)
{
    __shared__ volatile int part[64];
    const int t = threadIdx.x;
    part[t] = x[t], part[t + 32] = x[t + 32]; //! race
    part[t] += part[t + 16]; //! race
    part[t] += part[t + 8]; //! race
    y[t] = part[t];
}

// run 1 32: nothing
extern "C" __global__ void lockstep_met(int *x, int *y)
{
    __shared__ volatile int part[64];
    const int t = threadIdx.x;
    part[t] = x[t], part[t + 32] = x[t + 32];
    __syncwarp();
    for (int stride = 16; stride > 4; stride /= 2) {
        const int other = part[t + stride];
        __syncwarp();
        part[t] += other;
        __syncwarp(); // redundant: in the last round
    }
    y[t] = part[t];
}

// A shuffle makes lanes meet, and orders no memory.
// run 1 32: race
extern "C" __global__ void shuffled(int *x, int *y)
{
    __shared__ volatile int part[32];
    const int t = threadIdx.x;
    part[t] = x[t]; //! race
    const int other = __shfl_xor_sync(ALL, t, 1);
    y[t] = part[other]; //! race
}

// run 1 64: nothing
extern "C" __global__ void halves_meet(int *x, int *y)
{
    __shared__ volatile int part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    if (t & 16)
        __syncwarp(0xffff0000u);
    else
        __syncwarp(0x0000ffffu);
    y[t] = part[t ^ 5];
}

// run 1 64: race
extern "C" __global__ void halves_apart(int *x, int *y)
{
    __shared__ volatile int part[64];
    const int t = threadIdx.x;
    part[t] = x[t]; //! race
    if (t & 16)
        __syncwarp(0xffff0000u);
    else
        __syncwarp(0x0000ffffu);
    y[t] = part[t ^ 16]; //! race
}

// Lanes write one word: what stays is luck, unless all write the same.
// run 1 32: race
extern "C" __global__ void who_wins(int *x, int *y)
{
    y[x[0] & 1] = threadIdx.x; //! race
}

// run 2 64: nothing
extern "C" __global__ void all_agree(int *x, int *y)
{
    y[x[0] & 1] = 7;
}

// run 1 64: nothing
extern "C" __global__ void bytes_apart(int *x, int *y)
{
    __shared__ unsigned char part[64];
    part[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = part[threadIdx.x];
    ((unsigned char *)(y + 100))[threadIdx.x] = part[threadIdx.x] + 1;
}

// run 1 64: race
extern "C" __global__ void bytes_together(int *x, int *y)
{
    __shared__ unsigned char part[64];
    part[threadIdx.x] = x[threadIdx.x]; //! race
    y[threadIdx.x] = part[threadIdx.x ^ 32]; //! race, uninitialised
}

// run 1 96: nothing
extern "C" __global__ void named_barriers(int *x, int *y)
{
    __shared__ int part[96];
    const int t = threadIdx.x;
    part[t] = x[t];
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        y[t] = part[t ^ 32];
        asm volatile("bar.arrive 2, 96;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 96;" ::: "memory");
        y[t] = part[t - 64] + part[t - 32];
    }
}

// The barrier has the wrong warps: 0 and 2 meet, 0 reads what 1 wrote.
// run 1 96: race
extern "C" __global__ void named_wrongly(int *x, int *y)
{
    __shared__ int part[96];
    const int t = threadIdx.x;
    part[t] = x[t]; //! race
    if (t / 32 != 1) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        y[t] = part[(t + 32) % 96]; //! race, uninitialised
    }
}

// run 4 64: race
extern "C" __global__ void counted_plainly(int *x, int *y)
{
    y[x[threadIdx.x] & 7]++; //! race
}

// run 4 64: nothing
extern "C" __global__ void counted(int *x, int *y)
{
    atomicAdd(&y[x[threadIdx.x] & 7], 1);
}

// run 1 64: race
extern "C" __global__ void counted_and_read(int *x, int *y)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, x[threadIdx.x]); //! race
    y[threadIdx.x] = *(volatile int *)&count; //! race
}

// run 1 64: nothing
extern "C" __global__ void counted_then_read(int *x, int *y)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, x[threadIdx.x]);
    __syncthreads();
    y[threadIdx.x] = count;
}

// run 1 64: race
extern "C" __global__ void cleared_late(int *x, int *y)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0; //! race
    atomicAdd(&bins[x[threadIdx.x] & 7], 1); //! race, uninitialised
    __syncthreads();
    if (threadIdx.x < 8) y[threadIdx.x] = bins[threadIdx.x];
}

// The thread's own atomic does not hide what it stored plainly before.
// run 1 64: race
extern "C" __global__ void counter_begins_late(int *x, int *y)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;                       //! race
    const unsigned lanes = __ballot_sync(ALL, x[threadIdx.x] >= 0);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, __popc(lanes)); //! race, uninitialised
    __syncthreads();
    if (threadIdx.x == 0) y[0] = sum;
}

// run 1 64: nothing
extern "C" __global__ void counter_begins(int *x, int *y)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const unsigned lanes = __ballot_sync(ALL, x[threadIdx.x] >= 0);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, __popc(lanes));
    __syncthreads();
    if (threadIdx.x == 0) y[0] = sum;
}

// ---- Between blocks -----------------------------------------------------------------------------

// run 4 64: race
extern "C" __global__ void in_place(int *x, int *y)
{
    const int k = blockIdx.x * 64 + threadIdx.x;
    const int left = x[(k + 255) % 256]; //! race
    __syncthreads();
    x[k] = left + 1; //! race
}

// run 4 64: nothing
extern "C" __global__ void out_of_place(int *x, int *y)
{
    const int k = blockIdx.x * 64 + threadIdx.x;
    y[k] = x[(k + 255) % 256] + 1;
}

// The last block to finish adds the sums of all.
template <bool FENCE, bool BARRIER> __device__ void last_block(int *x, int *sums, unsigned *done)
{
    __shared__ bool last;
    sums[1 + blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x] + blockIdx.x; //! race
    if (BARRIER) __syncthreads();
    if (threadIdx.x == 0) {
        if (FENCE) __threadfence();
        last = atomicInc(done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    int sum = 0;
    for (int k = threadIdx.x; k < gridDim.x * 64; k += 64) sum += sums[1 + k]; //! race
    atomicAdd(sums, sum);
}

// run 5 64: nothing
extern "C" __global__ void last_block_done(int *x, int *y)
{
    last_block<true, true>(x, y, (unsigned *)y + 1000);
}

// run 5 64: race
extern "C" __global__ void last_block_unfenced(int *x, int *y)
{
    last_block<false, true>(x, y, (unsigned *)y + 1000);
}

// run 5 64: race
extern "C" __global__ void last_block_apart(int *x, int *y)
{
    last_block<true, false>(x, y, (unsigned *)y + 1000);
}

// Every thread fences, one tells.
// run 5 64: nothing
extern "C" __global__ void last_block_all_fence(int *x, int *y)
{
    __shared__ bool last;
    y[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&y[1000], 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) y[2000 + threadIdx.x] = y[64 * threadIdx.x + 3];
}

// A scan over blocks that look back: flag and value in one word.
// run 6 64: nothing
extern "C" __global__ void look_back_words(int *x, int *y)
{
    __shared__ int before;
    unsigned long long *state = (unsigned long long *)(y + 2048);
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = (int)blockIdx.x - 1; k >= 0;) {
            unsigned long long seen;
            do seen = *(volatile unsigned long long *)&state[k];
            while (seen == 0);
            sum += (int)seen;
            k = seen >> 32 == 2 ? -1 : k - 1;
        }
        *(volatile unsigned long long *)&state[blockIdx.x] =
            2ull << 32 | (unsigned)(sum + x[blockIdx.x]);
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = before;
}

// The same with the value beside its flag.
template <bool RELEASE, bool ACQUIRE> __device__ void look_back(int *x, int *y)
{
    volatile int *flags = y + 2048;
    int *sums = y + 1024;
    if (threadIdx.x == 0) {
        int sum = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0) {}
            if (ACQUIRE) __threadfence();
            sum = sums[blockIdx.x - 1]; //! race
        }
        sums[blockIdx.x] = sum + x[blockIdx.x]; //! race
        if (RELEASE) __threadfence();
        flags[blockIdx.x] = 1;
    }
}

// run 6 32: nothing
extern "C" __global__ void look_back_flags(int *x, int *y)
{
    look_back<true, true>(x, y);
}

// run 6 32: race
extern "C" __global__ void look_back_no_release(int *x, int *y)
{
    look_back<false, true>(x, y);
}

// run 6 32: race
extern "C" __global__ void look_back_no_acquire(int *x, int *y)
{
    look_back<true, false>(x, y);
}

// One tells, one waits, by accesses that release and acquire themselves.
#define TELL(order, at) asm volatile("st." order ".u32 [%0], 1;" ::"l"(at) : "memory")
#define HEAR(order, at, to) asm volatile("ld." order ".u32 %0, [%1];" : "=r"(to) : "l"(at) : "memory")

// run 2 32: nothing
extern "C" __global__ void released(int *x, int *y)
{
    int heard = 0;
    if (blockIdx.x == 0) {
        y[threadIdx.x] = x[threadIdx.x];
        __syncwarp();
        if (threadIdx.x == 0) TELL("release.gpu", y + 64);
    } else {
        while (heard == 0) HEAR("acquire.gpu", y + 64, heard);
        y[128 + threadIdx.x] = y[threadIdx.x];
    }
}

// run 2 32: race
extern "C" __global__ void released_to_none(int *x, int *y)
{
    int heard = 0;
    if (blockIdx.x == 0) {
        y[threadIdx.x] = x[threadIdx.x]; //! race
        __syncwarp();
        if (threadIdx.x == 0) TELL("relaxed.gpu", y + 64);
    } else {
        while (heard == 0) HEAR("acquire.gpu", y + 64, heard);
        y[128 + threadIdx.x] = y[threadIdx.x]; //! race
    }
}

// The release is of one lane and the others have not met it.
// run 2 32: race
extern "C" __global__ void released_for_others(int *x, int *y)
{
    int heard = 0;
    if (blockIdx.x == 0) {
        y[threadIdx.x] = x[threadIdx.x]; //! race
        if (threadIdx.x == 0) TELL("release.gpu", y + 64);
    } else {
        while (heard == 0) HEAR("acquire.gpu", y + 64, heard);
        y[128 + threadIdx.x] = y[threadIdx.x]; //! race
    }
}

// A fence of the block's own scope says nothing to other blocks.
// run 2 32: race
extern "C" __global__ void narrow_fence(int *x, int *y)
{
    volatile int *flag = y + 64;
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        y[0] = x[0]; //! race
        __threadfence_block();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence_block();
        y[1] = y[0]; //! race
    }
}

// run 1 64: nothing
extern "C" __global__ void narrow_fence_in_block(int *x, int *y)
{
    volatile int *flag = y + 64;
    if (threadIdx.x == 0) {
        y[0] = x[0];
        __threadfence_block();
        *flag = 1;
    } else if (threadIdx.x == 32) {
        while (*flag == 0) {}
        __threadfence_block();
        y[1] = y[0];
    }
}

// run 2 32: race
extern "C" __global__ void narrow_atomics(int *x, int *y)
{
    atomicAdd_block(&y[threadIdx.x], x[threadIdx.x]); //! race
}

template <bool TAKE, bool GIVE> __device__ void locked(int *lock, int *count)
{
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    if (TAKE) __threadfence();
    *count += 1; //! race
    if (GIVE) __threadfence();
    atomicExch(lock, 0);
}

// run 3 64: nothing
extern "C" __global__ void lock_held(int *x, int *y)
{
    locked<true, true>(y, y + 1);
}

// run 3 64: race
extern "C" __global__ void lock_given_early(int *x, int *y)
{
    locked<true, false>(y, y + 1);
}

// run 3 64: race
extern "C" __global__ void lock_taken_late(int *x, int *y)
{
    locked<false, true>(y, y + 1);
}

// The first guess of a loop of compare-and-swap is compared before it counts.
// run 3 64: nothing
extern "C" __global__ void first_guess(int *x, int *y)
{
    int old = y[0], was;
    do {
        was = old;
        old = atomicCAS(&y[0], was, was + x[threadIdx.x] % 3);
    } while (old != was);
}

// What is read beside it is not.
// run 3 64: race
extern "C" __global__ void no_guess(int *x, int *y)
{
    int old = y[0], was;
    do {
        was = old;
        old = atomicCAS(&y[0], was, was + 1); //! race
    } while (old != was);
    y[64 + blockIdx.x * 64 + threadIdx.x] = *(int *)((unsigned long long)y ^ (unsigned)(x[1] >> 30)); //! race
}

// run 2 64: race
extern "C" __global__ void guess_beside_store(int *x, int *y)
{
    const int old = y[0]; //! race
    if (old == x[1]) atomicCAS(&y[0], old, 5); //! race
    if (threadIdx.x == 0) y[0] = blockIdx.x + 1; //! race
}

// A barrier of the whole grid: all blocks are resident.
__device__ void grid_barrier(int *count, int rounds)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile int *)count < rounds * (int)gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
}

// run 4 64: nothing
extern "C" __global__ void grid_waits(int *x, int *y)
{
    const int k = blockIdx.x * 64 + threadIdx.x;
    for (int round = 0; round < 3; round++) {
        const int other = x[(k + 96) % 256];
        grid_barrier(y + 1000, 2 * round + 1);
        x[k] = other + 1;
        if (round < 2) grid_barrier(y + 1000, 2 * round + 2);
    }
}

// A first guess that is volatile, of two bytes.
// run 3 64: nothing
extern "C" __global__ void volatile_guess(int *x, int *y)
{
    unsigned short *p = (unsigned short *)y, old = *(volatile unsigned short *)p, was;
    do {
        was = old;
        old = atomicCAS(p, was, (unsigned short)(was + x[threadIdx.x] % 3));
    } while (old != was);
}
