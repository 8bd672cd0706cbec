// SPDX-License-Identifier: Apache-2.0
//
// What lanes of a warp tell each other. Every kernel is for one warp.
#define ALL 0xffffffffu

extern "C" __global__ void shuffles(const unsigned *x, unsigned *y)
{
    const int t = threadIdx.x;
    const unsigned v = x[t];
    y[t] = __shfl_sync(ALL, v, (t * 5 + 3) & 31);
    y[32 + t] = __shfl_up_sync(ALL, v, 3);
    y[64 + t] = __shfl_down_sync(ALL, v, 5, 8);
    y[96 + t] = __shfl_xor_sync(ALL, v, 9);
    y[128 + t] = __shfl_sync(ALL, v, 6, 16);
    unsigned long long wide = (unsigned long long)v << 32 | t;
    wide = __shfl_xor_sync(ALL, wide, 1);
    y[160 + t] = (unsigned)(wide >> 32) + (unsigned)wide;
}

extern "C" __global__ void votes(const unsigned *x, unsigned *y)
{
    const int t = threadIdx.x;
    y[t] = __ballot_sync(ALL, x[t] & 1);
    y[32 + t] = __all_sync(ALL, x[t] != 1);
    y[64 + t] = __any_sync(ALL, x[t] == 1);
    y[96 + t] = __match_any_sync(ALL, x[t] & 3);
    int all;
    y[128 + t] = __match_all_sync(ALL, x[t] >> 31, &all) + all;
    if (x[t] & 1) {
        y[160 + t] = __activemask();
        y[192 + t] = __popc(__ballot_sync(__activemask(), x[t] & 2));
    }
}

extern "C" __global__ void partial(const unsigned *x, unsigned *y)
{
    const int t = threadIdx.x;
    // Two halves go separate ways to the same kind of meeting.
    if (t < 16) {
        y[t] = __shfl_down_sync(0x0000ffffu, x[t], 1, 16);
        __syncwarp(0x0000ffffu); // redundant: it is there to be met at
    } else {
        y[t] = __shfl_up_sync(0xffff0000u, x[t], 2, 16);
        __syncwarp(0xffff0000u); // redundant: it is there to be met at
    }
    y[32 + t] = __any_sync(ALL, t == 7);
}

// Tiles of 8 lanes: one instruction, four masks. Tile k goes round k + 1 times.
extern "C" __global__ void tiles(const unsigned *x, unsigned *y)
{
    const int t = threadIdx.x, tile = t / 8;
    const unsigned mask = 0xffu << 8 * tile;
    unsigned v = x[t], all = 0;
    y[t] = __ballot_sync(mask, v & 1);
    y[32 + t] = __any_sync(mask, (v & 15) == 3);
    y[64 + t] = __all_sync(mask, v & 3);
    y[96 + t] = __match_any_sync(mask, v & 3);
    y[128 + t] = __shfl_xor_sync(mask, v, 5, 8);
    for (int k = 0; k <= tile; k++) all = all * 256 + (__ballot_sync(mask, v >> k & 1) >> 8 * tile);
    y[160 + t] = all;
}

// Their meetings order what lanes of the tile did, and nothing of other tiles.
template <int APART> __device__ void hand_on(const unsigned *x, unsigned *y)
{
    __shared__ unsigned part[32];
    const int t = threadIdx.x;
    part[t] = x[t]; //! race
    __syncwarp(0xffu << t / 8 * 8);
    y[t] = part[t ^ APART]; //! race
}

extern "C" __global__ void tiles_meet(const unsigned *x, unsigned *y)
{
    hand_on<7>(x, y);
}

extern "C" __global__ void tiles_do_not_meet(const unsigned *x, unsigned *y)
{
    hand_on<9>(x, y);
}

// How they are run by themselves (tests/support/model_runs.h)
// run shuffles 1 32: nothing
// run votes 1 32: nothing
// run partial 1 32: nothing
// run tiles 1 32: nothing
// run tiles_meet 1 32: nothing
// run tiles_do_not_meet 1 32: race
