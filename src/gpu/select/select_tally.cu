// SPDX-License-Identifier: Apache-2.0
//
// select_tally: how many elements are selected in each tile of compact_tiles or partition_tiles.
// So many rows are requested at once: at most 128 bytes a lane, and a power of two, as HK_ROWS is.
#include "device/kernel.cuh"
#include "select/selection.cuh"

#define HK_FIT(rows) ((rows) <= HK_ROWS && (rows) * sizeof(hk_element) * HK_K <= 128)
#define HK_PART_ROWS (HK_FIT(16) ? 16 : HK_FIT(8) ? 8 : HK_FIT(4) ? 4 : HK_FIT(2) ? 2 : 1)

HK_FN uint32_t hk_tally_rows(const hk_inputs *in, int64_t at)
{
    hk_element e[HK_PART_ROWS][HK_K];
    uint32_t sum = 0;
#pragma unroll
    for (int r = 0; r < HK_PART_ROWS; r++) hk_run_0(in, at + r * HK_ROW, e[r]);
#pragma unroll
    for (int r = 0; r < HK_PART_ROWS; r++) {
        hk_flag l[HK_K];
        hk_flag_run(in, at + r * HK_ROW, e[r], l);
        sum += (uint32_t)hk_popc((int)hk_row_flags(l));
    }
    return sum;
}

// The same as far as n goes, a quarter of them at once: each flag is requested by itself.
#define HK_SOME_ROWS (HK_PART_ROWS < 4 ? 1 : HK_PART_ROWS / 4)

HK_FN uint32_t hk_tally_some(const hk_inputs *in, int64_t at, int64_t n)
{
    hk_flag l[HK_SOME_ROWS][HK_K];
    uint32_t sum = 0;
#pragma unroll
    for (int r = 0; r < HK_SOME_ROWS; r++) hk_some_flags(in, 0, at + r * HK_ROW, n, l[r]);
#pragma unroll
    for (int r = 0; r < HK_SOME_ROWS; r++) {
        const uint32_t bits = hk_bits_before(hk_row_flags(l[r]), at + r * HK_ROW, n);
        sum += (uint32_t)hk_popc((int)bits);
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    select_tally(const __grid_constant__ hk_inputs in, int64_t n, uint64_t *count)
{
    hk_begin();
    __shared__ uint32_t of_warp[HK_WARPS];
    const int warp = (int)threadIdx.x / HK_WARP;
    const int64_t tile = (int64_t)blockIdx.x * HK_TILE, first = tile + (int64_t)warp * HK_CHUNK;
    uint32_t sum = 0;
    if (tile + HK_TILE <= n) {
#pragma unroll
        for (int part = 0; part < HK_ROWS; part += HK_PART_ROWS)
            sum += hk_tally_rows(&in, first + part * HK_ROW + hk_lane() * HK_K);
    } else {
#pragma unroll 1
        for (int part = (int)hk_opaque(0); part < HK_ROWS; part += HK_SOME_ROWS)
            sum += hk_tally_some(&in, first + part * HK_ROW + hk_lane() * HK_K, n);
    }
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) sum += hk_word_from_xor(sum, d);
    if (hk_lane() == 0) of_warp[warp] = sum;
    hk_block_barrier();
    if (threadIdx.x != 0) return;
    uint64_t all = 0;
#pragma unroll
    for (int w = 0; w < HK_WARPS; w++) all += of_warp[w];
    count[blockIdx.x] = all;
}
