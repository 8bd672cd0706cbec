// SPDX-License-Identifier: Apache-2.0
//
// Races on bytes: threads that touch different bytes of one word do not race, those that touch the same
// byte do. "run B T: what" says how a kernel is launched and what must be found. Every kernel takes x,
// 4096 numbers that are there, and y, 4096 zeros.
typedef unsigned char u8;
typedef unsigned short u16;

// ---- Lanes in a row -----------------------------------------------------------------------------

// run 2 64: nothing
extern "C" __global__ void bytes_in_place(int *x, int *y)
{
    u8 *b = (u8 *)y + blockIdx.x * 64;
    b[threadIdx.x] = (u8)x[threadIdx.x];
    b[threadIdx.x] += 1;
}

// run 2 64: race
extern "C" __global__ void bytes_of_the_next(int *x, int *y)
{
    u8 *b = (u8 *)y + blockIdx.x * 65;
    b[threadIdx.x] = (u8)x[threadIdx.x]; //! race
    y[1000 + blockIdx.x * 64 + threadIdx.x] = b[threadIdx.x + 1]; //! race, uninitialised
}

// run 2 64: nothing
extern "C" __global__ void bytes_of_the_next_met(int *x, int *y)
{
    u8 *b = (u8 *)y + blockIdx.x * 65;
    b[threadIdx.x] = (u8)x[threadIdx.x];
    if (threadIdx.x == 0) b[64] = 1;
    __syncthreads();
    y[1000 + blockIdx.x * 64 + threadIdx.x] = b[threadIdx.x + 1];
}

// run 2 64: nothing
extern "C" __global__ void halves_in_place(int *x, int *y)
{
    __shared__ u16 part[64];
    u16 *h = (u16 *)y + blockIdx.x * 64;
    part[threadIdx.x] = (u16)x[threadIdx.x];
    part[threadIdx.x] += 1;
    h[threadIdx.x] = part[threadIdx.x];
    h[threadIdx.x] += 1;
}

// run 1 64: race
extern "C" __global__ void halves_of_the_next(int *x, int *y)
{
    __shared__ u16 part[65];
    part[threadIdx.x] = (u16)x[threadIdx.x]; //! race
    if (threadIdx.x == 0) part[64] = 0;
    y[threadIdx.x] = part[threadIdx.x ^ 1]; //! race
}

// The same lanes, but two bytes each where it was one.
// run 1 32: race
extern "C" __global__ void wider_rows(int *x, int *y)
{
    __shared__ __align__(4) u8 part[64];
    part[threadIdx.x] = (u8)x[threadIdx.x]; //! race
    y[threadIdx.x] = ((u16 *)part)[threadIdx.x / 2]; //! race
}

// run 1 32: nothing
extern "C" __global__ void wider_rows_met(int *x, int *y)
{
    __shared__ __align__(4) u8 part[64];
    part[threadIdx.x] = (u8)x[threadIdx.x];
    __syncwarp();
    y[threadIdx.x] = ((u16 *)part)[threadIdx.x / 2];
}

// Rows that begin and end within a word, of blocks and warps.
// run 3 50: nothing
extern "C" __global__ void edges(int *x, int *y)
{
    __shared__ u8 part[53];
    u8 *b = (u8 *)y + 1 + blockIdx.x * 50;
    part[threadIdx.x + 3] = (u8)x[threadIdx.x];
    b[threadIdx.x] = part[threadIdx.x + 3];
    b[threadIdx.x] += part[threadIdx.x + 3];
}

// run 3 50: race
extern "C" __global__ void edges_overlap(int *x, int *y)
{
    u8 *b = (u8 *)y + 1 + blockIdx.x * 49;
    b[threadIdx.x] = (u8)(x[threadIdx.x] + blockIdx.x * 3 + threadIdx.x); //! race
}

// A tile of 16 bytes by 16.
// run 2 256: nothing
extern "C" __global__ void tile_of_bytes(int *x, int *y)
{
    __shared__ u8 tile[16][16];
    const int i = threadIdx.x / 16, j = threadIdx.x % 16;
    tile[i][j] = (u8)x[threadIdx.x];
    __syncthreads();
    ((u8 *)y)[blockIdx.x * 256 + threadIdx.x] = tile[j][i];
}

// run 1 256: race
extern "C" __global__ void tile_of_bytes_early(int *x, int *y)
{
    __shared__ u8 tile[16][16];
    const int i = threadIdx.x / 16, j = threadIdx.x % 16;
    tile[i][j] = (u8)x[threadIdx.x]; //! race
    ((u8 *)y)[threadIdx.x] = tile[j][i]; //! race, uninitialised
}

// ---- Here and there -----------------------------------------------------------------------------

// Three bytes a thread: words of two threads.
// run 2 64: nothing
extern "C" __global__ void colours(int *x, int *y)
{
    u8 *b = (u8 *)y + 3 * (blockIdx.x * 64 + threadIdx.x);
    for (int k = 0; k < 3; k++) b[k] = (u8)x[k];
    for (int k = 0; k < 3; k++) b[k] = 255 - b[k];
}

// run 2 64: race
extern "C" __global__ void colours_overlap(int *x, int *y)
{
    u8 *b = (u8 *)y + 3 * (blockIdx.x * 64 + threadIdx.x);
    for (int k = 0; k < 4; k++) b[k] = (u8)(x[k] + 4 * threadIdx.x + k); //! race
}

// run 1 64: nothing
extern "C" __global__ void scattered(int *x, int *y)
{
    __shared__ u8 part[64];
    const int to = threadIdx.x * 37 % 64;
    part[to] = (u8)x[threadIdx.x];
    part[to] ^= 1;
    ((u8 *)y)[to] = part[to];
    ((u8 *)y)[to] += 3;
}

// run 1 64: race
extern "C" __global__ void scattered_over(int *x, int *y)
{
    __shared__ u8 part[64];
    const int to = threadIdx.x * 37 % 63;
    part[threadIdx.x] = 0; //! race
    part[to] = (u8)(threadIdx.x + 1); //! race
    y[threadIdx.x] = part[threadIdx.x]; //! race
}

// One byte by two threads: different values race, equal ones do not.
// run 2 32: race
extern "C" __global__ void one_byte(int *x, int *y)
{
    u8 *b = (u8 *)y;
    if (threadIdx.x < 2) b[2] = (u8)(threadIdx.x + 2 * blockIdx.x + 1); //! race
}

// run 2 32: nothing
extern "C" __global__ void one_byte_the_same(int *x, int *y)
{
    u8 *b = (u8 *)y;
    if (threadIdx.x < 2) b[2] = 7;
}

// run 2 64: nothing
extern "C" __global__ void different_bytes(int *x, int *y)
{
    u8 *b = (u8 *)y;
    if (threadIdx.x % 32 == 0) b[blockIdx.x * 2 + threadIdx.x / 32] = (u8)(threadIdx.x + 1);
}

// Branches: each byte of the word has an instruction of its own.
// run 1 64: nothing
extern "C" __global__ void different_lines(int *x, int *y)
{
    __shared__ __align__(4) u8 part[4];
    if (threadIdx.x == 0) part[0] = 1;
    if (threadIdx.x == 1) part[1] = 2;
    if (threadIdx.x == 32) *(u16 *)(part + 2) = 3;
    __syncthreads();
    y[threadIdx.x] = *(int *)part;
}

// run 1 64: race
extern "C" __global__ void different_lines_early(int *x, int *y)
{
    __shared__ __align__(4) u8 part[4];
    if (threadIdx.x == 0) part[0] = 1; //! race
    if (threadIdx.x == 1) part[1] = 2; //! race
    if (threadIdx.x == 32) *(u16 *)(part + 2) = 3; //! race
    y[threadIdx.x] = *(int *)part; //! race, uninitialised
}

// ---- Mixed widths -------------------------------------------------------------------------------

// run 1 64: nothing
extern "C" __global__ void half_and_bytes(int *x, int *y)
{
    u8 *b = (u8 *)y;
    if (threadIdx.x == 0) *(u16 *)b = 1;
    if (threadIdx.x == 32) b[2] = 2;
    if (threadIdx.x == 33) b[3] = b[3] + 3;
}

// run 1 64: race
extern "C" __global__ void half_over_byte(int *x, int *y)
{
    u8 *b = (u8 *)y;
    if (threadIdx.x == 0) *(u16 *)b = 0x101; //! race
    if (threadIdx.x == 32) b[1] = 2; //! race
}

// run 1 64: race
extern "C" __global__ void word_over_bytes(int *x, int *y)
{
    u8 *b = (u8 *)y;
    if (threadIdx.x < 4) b[threadIdx.x] = (u8)threadIdx.x; //! race
    if (threadIdx.x == 32) y[0] = 9; //! race
}

// run 1 64: nothing
extern "C" __global__ void word_after_bytes(int *x, int *y)
{
    u8 *b = (u8 *)y;
    if (threadIdx.x < 4) b[threadIdx.x] = (u8)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 32) y[0] += 9;
    __syncthreads();
    if (threadIdx.x < 4) b[3 - threadIdx.x] += 1;
}

// A vector of words over bytes that another thread wrote: only in its last word they differ.
// run 1 64: race
extern "C" __global__ void vector_over_byte(int *x, int *y)
{
    if (threadIdx.x == 0) ((u8 *)y)[13] = 1; //! race
    if (threadIdx.x == 32) *(int4 *)y = make_int4(0, 0, 0, 5); //! race
}

// run 1 64: nothing
extern "C" __global__ void vector_of_the_same(int *x, int *y)
{
    if (threadIdx.x == 0) ((u8 *)y)[13] = 0;
    if (threadIdx.x == 32) *(int4 *)y = make_int4(1, 2, 3, 5);
}

// All have read the word; two write what only they read of it.
// run 1 64: race
extern "C" __global__ void read_by_all(int *x, int *y)
{
    const int all = x[0]; //! race
    if (threadIdx.x < 2) ((u8 *)x)[threadIdx.x] = (u8)(all + 1); //! race
    y[threadIdx.x] = all;
}

// run 1 64: nothing
extern "C" __global__ void read_by_each(int *x, int *y)
{
    u8 *b = (u8 *)x;
    if (threadIdx.x % 32 < 2) {
        const int k = threadIdx.x / 32 * 2 + threadIdx.x % 32;
        const int mine = b[k];
        b[k] = (u8)(mine + 1);
        y[k] = mine;
    }
}

// ---- What orders --------------------------------------------------------------------------------

// A byte is passed on by a flag, its neighbours are not.
template <bool FENCE> __device__ void hand_over(u8 *b, int *flag)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        b[1] = 5; //! race
        if (FENCE) __threadfence();
        atomicExch(flag, 1);
    } else {
        b[0] = 4;
        while (atomicAdd(flag, 0) == 0) {}
        if (FENCE) __threadfence();
        b[1] += 1; //! race
    }
}

// run 2 32: nothing
extern "C" __global__ void byte_and_flag(int *x, int *y)
{
    hand_over<true>((u8 *)y, y + 100);
}

// run 2 32: race
extern "C" __global__ void byte_and_flag_early(int *x, int *y)
{
    hand_over<false>((u8 *)y, y + 100);
}

// Atomics of two bytes beside plain ones of the other two.
// run 2 64: nothing
extern "C" __global__ void swaps_beside(int *x, int *y)
{
    u16 *h = (u16 *)y;
    asm volatile("{.reg .b16 o; atom.cas.b16 o, [%0], 0, 0;}" ::"l"(h) : "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0) h[1] = 3;
}

// run 2 64: race
extern "C" __global__ void swaps_over(int *x, int *y)
{
    u16 *h = (u16 *)y;
    asm volatile("{.reg .b16 o; atom.cas.b16 o, [%0], 0, 0;}" ::"l"(h) : "memory"); //! race
    if (threadIdx.x == 0 && blockIdx.x == 0) h[0] = 3; //! race
}
