// SPDX-License-Identifier: Apache-2.0
//
// select_tally: how many elements are chosen in each tile of select_tiles.
// So many rows are asked for at once: 128 bytes a lane.
#include "device/kernel.cuh"
#include "select/choice.cuh"

#define HD_PART      ((int)(128 / (sizeof(hd_element) * HD_K)))
#define HD_PART_ROWS (HD_PART < 1 ? 1 : HD_PART < HD_ROWS ? HD_PART : HD_ROWS)

HD_FN uint32_t hd_tally_rows(const hd_inputs *in, int64_t at)
{
    hd_element e[HD_PART_ROWS][HD_K];
    uint32_t sum = 0;
#pragma unroll
    for (int r = 0; r < HD_PART_ROWS; r++) hd_run_0(in, at + r * HD_ROW, e[r]);
#pragma unroll
    for (int r = 0; r < HD_PART_ROWS; r++) {
        hd_label l[HD_K];
        hd_label_run(in, at + r * HD_ROW, e[r], l);
        sum += (uint32_t)hd_popc((int)hd_row_labels(l));
    }
    return sum;
}

// The same as far as n goes, a quarter of them at once: each label is asked for by itself.
#define HD_SOME_ROWS (HD_PART_ROWS < 4 ? 1 : HD_PART_ROWS / 4)

HD_FN uint32_t hd_tally_some(const hd_inputs *in, int64_t at, int64_t n)
{
    hd_label l[HD_SOME_ROWS][HD_K];
    uint32_t sum = 0;
#pragma unroll
    for (int r = 0; r < HD_SOME_ROWS; r++) hd_some_labels(in, 0, at + r * HD_ROW, n, l[r]);
#pragma unroll
    for (int r = 0; r < HD_SOME_ROWS; r++) {
        const uint32_t bits = hd_bits_before(hd_row_labels(l[r]), at + r * HD_ROW, n);
        sum += (uint32_t)hd_popc((int)bits);
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    select_tally(const __grid_constant__ hd_inputs in, int64_t n, uint64_t *count)
{
    hd_begin();
    __shared__ uint32_t of_warp[HD_WARPS];
    const int warp = (int)threadIdx.x / HD_WARP;
    const int64_t tile = (int64_t)blockIdx.x * HD_TILE, first = tile + (int64_t)warp * HD_CHUNK;
    uint32_t sum = 0;
    if (tile + HD_TILE <= n) {
#pragma unroll
        for (int part = 0; part < HD_ROWS; part += HD_PART_ROWS)
            sum += hd_tally_rows(&in, first + part * HD_ROW + hd_lane() * HD_K);
    } else {
#pragma unroll 1
        for (int part = (int)hd_opaque(0); part < HD_ROWS; part += HD_SOME_ROWS)
            sum += hd_tally_some(&in, first + part * HD_ROW + hd_lane() * HD_K, n);
    }
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) sum += hd_word_from_xor(sum, d);
    if (hd_lane() == 0) of_warp[warp] = sum;
    hd_block_barrier();
    if (threadIdx.x != 0) return;
    uint64_t all = 0;
#pragma unroll
    for (int w = 0; w < HD_WARPS; w++) all += of_warp[w];
    count[blockIdx.x] = all;
}
