// SPDX-License-Identifier: Apache-2.0
//
// find_tiles: the first element that is wanted (HK_LAST: the last). A block has one tile, and those
// that begin later find what was found before them, and leave. *best is the greatest of ~i, or of
// i + 1 for the last; 0: none.
#include "device/kernel.cuh"
#include "device/lanes.cuh"

#define HK_LAST  HK_INVERT
#define HK_ROW   (HK_THREADS * HK_K)
#define HK_CHUNK (HK_ROWS * HK_ROW)
#define HK_TILE  (HK_MOST_CHUNKS * HK_CHUNK)

// What stands for element i: of two elements that are wanted, the greater.
HK_FN uint64_t hk_word_of(int64_t i)
{
    return HK_LAST ? (uint64_t)i + 1 : ~(uint64_t)i;
}

HK_FN uint64_t hk_better(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// Elements of HK_ROWS rows, all of which are there.
HK_FN uint64_t hk_look(const hk_inputs *in, const hk_element *value, int64_t at)
{
    hk_element e[HK_ROWS][HK_K];
    uint64_t word = 0;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) hk_items(in, at + r * HK_ROW, e[r]);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_K; j++)
            if (hk_is_wanted(e[r][j], value))
                word = hk_better(word, hk_word_of(at + r * HK_ROW + j));
    return word;
}

// As far as n goes.
HK_FN uint64_t hk_look_before(const hk_inputs *in, const hk_element *value, int64_t at, int64_t n)
{
    uint64_t word = 0;
#pragma unroll 1
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll 1
        for (int j = 0; j < HK_K; j++) {
            const int64_t i = at + r * HK_ROW + j;
            if (i < n && hk_is_wanted(hk_item(in, i), value)) word = hk_better(word, hk_word_of(i));
        }
    return word;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    find_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_element value,
               int64_t n, uint64_t *best)
{
    hk_begin();
    const int64_t tile = HK_LAST ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    uint64_t word = 0;
#pragma unroll 1
    for (int c = 0; c < HK_MOST_CHUNKS && word == 0; c++) {
        const int64_t chunk = tile * HK_TILE + (HK_LAST ? HK_MOST_CHUNKS - 1 - c : c) * HK_CHUNK;
        const int64_t at = chunk + threadIdx.x * HK_K;
        if (chunk >= n) continue;
        // The best that this chunk, and all that come behind it, can have.
        const uint64_t most = hk_word_of(HK_LAST ? chunk + HK_CHUNK - 1 : chunk);
        if (hk_load_relaxed_64(best) >= most) break;
        word =
            chunk + HK_CHUNK <= n ? hk_look(&in, &value, at) : hk_look_before(&in, &value, at, n);
    }
    if (hk_ballot(word != 0) == 0) return;
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) word = hk_better(word, hk_long_from_xor(word, d));
    if (hk_lane() == 0) hk_most_to_long(best, word);
}
