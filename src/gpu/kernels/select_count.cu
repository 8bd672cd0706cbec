// SPDX-License-Identifier: Apache-2.0
//
// select_count: how many elements are chosen, for a partition, which must know before it writes. It
// adds to what is there.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    select_count(const __grid_constant__ hd_inputs in, int64_t n, uint64_t *wanted)
{
    const int64_t step = (int64_t)gridDim.x * HD_TILE;
    uint64_t sum = 0;
    for (int64_t tile = (int64_t)blockIdx.x * HD_TILE; tile < n; tile += step) {
        const int64_t first = tile + (int64_t)(threadIdx.x / HD_WARP) * HD_CHUNK;
        const bool whole = tile + HD_TILE <= n;
        hd_element e[HD_ROWS][HD_K];
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            hd_read_row(&in, first + r * HD_ROW + hd_lane() * HD_K, n, whole, e[r]);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) {
            const int64_t at = first + r * HD_ROW + hd_lane() * HD_K;
            sum += (uint32_t)hd_popc((int)hd_choose_row(&in, e[r], e[r][0], at, n, whole));
        }
    }
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) sum += hd_long_from_xor(sum, d);
    if (hd_lane() == 0 && sum > 0) hd_add_to_long(wanted, sum);
}
