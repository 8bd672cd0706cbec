// SPDX-License-Identifier: Apache-2.0
//
// The walk of a histogram: blocks take tiles of HK_ROWS rows, each lane HK_K elements of a row that
// lie together, and give each bin to hk_tally_bin, which the kernel defines.
#pragma once
#include "device/lanes.cuh"
#include "histogram/bins.cuh"

#define HK_ROW  (HK_THREADS * HK_K)
#define HK_TILE (HK_ROWS * HK_ROW)

// What a thread has not added yet: so many elements of a bin, one after another.
struct hk_tally {
    uint32_t bin, count, outside;
};

HK_FN void hk_tally_bin(const hk_histogram *h, uint32_t bin, hk_tally *t);

HK_FN void hk_tally_rows(const hk_inputs *in, const hk_histogram *h, int64_t at, hk_tally *t)
{
    hk_first x[HK_ROWS][HK_K];
    hk_second y[HK_ROWS][HK_K];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        hk_first_run(in, at + r * HK_ROW, x[r]);
        hk_second_run(in, at + r * HK_ROW, y[r]);
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_K; j++) hk_tally_bin(h, hk_joint_bin(h, x[r][j], y[r][j]), t);
}

// Tiles first, first + step, ...
HK_FN void hk_tally_tiles(const hk_inputs *in, const hk_histogram *h, int64_t first, int64_t step,
                          hk_tally *t)
{
#pragma unroll 1
    for (int64_t tile = first * HK_TILE; tile < h->n; tile += step * HK_TILE) {
        if (tile + HK_TILE <= h->n) {
            hk_tally_rows(in, h, tile + threadIdx.x * HK_K, t);
            continue;
        }
#pragma unroll 1
        for (int64_t i = tile + threadIdx.x; i < h->n; i += HK_THREADS)
            hk_tally_bin(h, hk_joint_bin(h, hk_first_one(in, i), hk_second_one(in, i)), t);
    }
}

// Those outside, a word for each warp.
HK_FN void hk_tally_outside(const hk_histogram *h, uint32_t outside)
{
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) outside += hk_word_from_xor(outside, d);
    if (hk_lane() == 0 && outside != 0) hk_add_to_long(h->counts + h->bins, outside);
}
