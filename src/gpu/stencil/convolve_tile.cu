// SPDX-License-Identifier: Apache-2.0
//
// convolve_tile: a mask over a tile of HK_TILE_WIDTH x HK_TILE_HEIGHT outputs. The elements under
// it come to shared memory as sums' type, with their border; a thread has HK_GROUPS x HK_ROWS x
// HK_K outputs in registers and goes down the rows of the tile: each row is loaded once for all
// outputs it is a neighbour of. Every output has its terms in the mask's order.
#include "device/kernel.cuh"
#include "stencil/lines.cuh"

#define HK_GROUPS      HK_ITEMS
#define HK_WARPS       (HK_THREADS / HK_WARP)
#define HK_WARPS_X     HK_MOST_CHUNKS
#define HK_WARPS_Y     (HK_WARPS / HK_WARPS_X)
#define HK_STRIP       (HK_WARP * HK_K) // elements of a group of a warp
#define HK_TILE_WIDTH  (HK_STRIP * HK_GROUPS * HK_WARPS_X)
#define HK_TILE_HEIGHT (HK_ROWS * HK_WARPS_Y)
#define HK_LEFT        (HK_ANCHOR_X * HK_CHANNELS)
#define HK_REACH       ((HK_MASK_COLUMNS - 1) * HK_CHANNELS) // elements left and right of an output
#define HK_SHIFT       ((HK_K - HK_LEFT % HK_K) % HK_K)      // elements before them, to a vector
#define HK_WHOLE(n)    (((n) + HK_K - 1) / HK_K)
#define HK_VECTORS     HK_WHOLE(HK_SHIFT + HK_TILE_WIDTH + HK_REACH) // of a row of the tile
#define HK_WINDOW      HK_WHOLE(HK_SHIFT + HK_K + HK_REACH) // vectors that HK_K outputs need
#define HK_LINES       (HK_TILE_HEIGHT + HK_MASK_ROWS - 1)

struct hk_mask {
#if HK_BY_PARAMETER
    hk_value weight[HK_MASK_ROWS * HK_MASK_COLUMNS];
#else
    const hk_value *weight;
#endif
};

// ---- Sums ---------------------------------------------------------------------------------------

// Line `line` of a thread's lines: its terms of the outputs whose mask it is under.
HK_FN void hk_add_line(hk_value sum[HK_GROUPS][HK_ROWS][HK_K], const hk_ring_vector *tile,
                       const hk_mask *mask, int line, bool head, bool tail)
{
    hk_ring_vector v[HK_GROUPS][HK_WINDOW];
#pragma unroll
    for (int k = 0; k < HK_GROUPS; k++)
#pragma unroll
        for (int j = 0; j < HK_WINDOW; j++) v[k][j] = tile[line * HK_VECTORS + k * HK_WARP + j];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        if ((head && r > line) || (tail && r <= line - HK_MASK_ROWS)) continue;
        const hk_value *weight = mask->weight + (line - r) * HK_MASK_COLUMNS;
#pragma unroll
        for (int j = 0; j < HK_MASK_COLUMNS; j++)
#pragma unroll
            for (int k = 0; k < HK_GROUPS; k++)
#pragma unroll
                for (int i = 0; i < HK_K; i++) {
                    const int at = HK_SHIFT + i + j * HK_CHANNELS;
                    sum[k][r][i] = hk_add(weight[j], v[k][at / HK_K].x[at % HK_K], sum[k][r][i]);
                }
    }
}

// The first and the last lines are under the masks of some outputs only.
HK_FN void hk_add_lines(hk_value sum[HK_GROUPS][HK_ROWS][HK_K], const hk_ring_vector *tile,
                        const hk_mask *mask)
{
#if HK_MASK_ROWS < HK_ROWS
#pragma unroll
    for (int line = 0; line < HK_MASK_ROWS + HK_ROWS - 1; line++)
        hk_add_line(sum, tile, mask, line, true, true);
#else
#pragma unroll
    for (int line = 0; line < HK_ROWS - 1; line++) hk_add_line(sum, tile, mask, line, true, false);
#pragma unroll 1
    for (int line = HK_ROWS - 1; line < HK_MASK_ROWS; line++)
        hk_add_line(sum, tile, mask, line, false, false);
#pragma unroll
    for (int line = HK_MASK_ROWS; line < HK_MASK_ROWS + HK_ROWS - 1; line++)
        hk_add_line(sum, tile, mask, line, false, true);
#endif
}

// ---- The tile -----------------------------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    convolve_tile(const __grid_constant__ hk_grid g, const __grid_constant__ hk_mask mask,
                  uint32_t tiles_x, uint32_t tiles_y)
{
    hk_begin();
    extern __shared__ hk_ring_vector tile[];
    const uint32_t row = blockIdx.x / tiles_x, batch = row / tiles_y;
    const int64_t y = (int64_t)(row - batch * tiles_y) * HK_TILE_HEIGHT;
    const int64_t e = (int64_t)(blockIdx.x - row * tiles_x) * HK_TILE_WIDTH;
    const hk_in *in = g.in;
    hk_out *out = g.out;
    hk_batch_at(&g, batch, &in, &out);
    hk_load_lines(&g, in, y - HK_ANCHOR_Y, e - HK_LEFT - HK_SHIFT, HK_LINES, HK_VECTORS, tile);
    hk_block_barrier();
    const int warp = (int)threadIdx.x / HK_WARP;
    const int down = warp / HK_WARPS_X * HK_ROWS;
    const int along = warp % HK_WARPS_X * HK_GROUPS * HK_WARP + hk_lane(); // vectors
    hk_value sum[HK_GROUPS][HK_ROWS][HK_K];
#pragma unroll
    for (int k = 0; k < HK_GROUPS; k++)
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
            for (int i = 0; i < HK_K; i++) sum[k][r][i] = hk_no_sum();
    hk_add_lines(sum, tile + down * HK_VECTORS + along, &mask);
    const int rows = hk_clamped(g.y.n - y - down), elements = hk_clamped(g.x.n - e) - along * HK_K;
    hk_out *to = hk_output_at(&g, out, y + down, e + along * HK_K);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int k = 0; k < HK_GROUPS; k++) {
            hk_out_vector v;
#pragma unroll
            for (int i = 0; i < HK_K; i++) v.x[i] = hk_out_of(sum[k][r][i], NULL);
            if (r < rows)
                hk_store_vector(&g, to + hk_distance_out(&g, r, k * HK_STRIP),
                                elements - k * HK_STRIP, v);
        }
}
