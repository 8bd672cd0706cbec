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

// How they are run by themselves (tests/model_runs.h)
// run shuffles 1 32: nothing
// run votes 1 32: nothing
// run partial 1 32: nothing
