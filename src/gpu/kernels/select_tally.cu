// SPDX-License-Identifier: Apache-2.0
//
// select_tally: how many elements are chosen in each tile of select_tiles.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    select_tally(const __grid_constant__ hd_inputs in, int64_t n, uint64_t *count)
{
    __shared__ uint32_t of_warp[HD_WARPS];
    const int warp = (int)threadIdx.x / HD_WARP;
    const int64_t tile = (int64_t)blockIdx.x * HD_TILE, first = tile + (int64_t)warp * HD_CHUNK;
    const bool whole = tile + HD_TILE <= n;
    uint32_t sum = 0;
    hd_element e[HD_ROWS][HD_K];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        hd_read_row(&in, first + r * HD_ROW + hd_lane() * HD_K, n, whole, e[r]);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t at = first + r * HD_ROW + hd_lane() * HD_K;
        sum += (uint32_t)hd_popc((int)hd_choose_row(&in, e[r], e[r][0], at, n, whole));
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
