// SPDX-License-Identifier: Apache-2.0
//
// stencil_march: a list of neighbours in up to three dimensions. A block has a tile of (y, x) and
// goes along z, plane by plane: the planes that its outputs need are a ring in shared memory, with
// their border, each read once. Offsets are numbers in the text; every output has its terms in their
// order.
#include "device/kernel.cuh"
#include "stencil/lines.cuh"

#define HK_WARPS       (HK_THREADS / HK_WARP)
#define HK_WARPS_X     HK_MOST_CHUNKS
#define HK_TILE_WIDTH  (HK_WARP * HK_K * HK_WARPS_X)
#define HK_TILE_HEIGHT (HK_ROWS * (HK_WARPS / HK_WARPS_X))
#define HK_LEFT        (-HK_LEAST_X * HK_CHANNELS)
#define HK_REACH       ((HK_MOST_X - HK_LEAST_X) * HK_CHANNELS)
#define HK_SHIFT       ((HK_K - HK_LEFT % HK_K) % HK_K) // elements before them, to a vector
#define HK_VECTORS     ((HK_SHIFT + HK_TILE_WIDTH + HK_REACH + HK_K - 1) / HK_K)
#define HK_LINES       (HK_TILE_HEIGHT + HK_MOST_Y - HK_LEAST_Y)
#define HK_PLANE       (HK_LINES * HK_VECTORS)      // vectors
#define HK_SPAN        (HK_MOST_Z - HK_LEAST_Z + 1) // planes under an output
#define HK_SLOTS       (HK_SPAN + 1)                // one is loaded while others are read

struct hk_weights {
    hk_value weight[HK_TAPS];
};

// Plane z, or what lies beyond the first and the last.
HK_FN void hk_load_plane(const hk_grid *g, const hk_in *in, int64_t z, int64_t y, int64_t e,
                         hk_ring_vector *to)
{
    const int64_t at = hk_border_index(z, g->z.n);
    if (at >= 0) {
        hk_load_lines(g, in + at * g->z.in, y, e, 0, HK_LINES, {HK_VECTORS, HK_LINES}, to);
        return;
    }
    for (int k = (int)threadIdx.x; k < HK_PLANE * HK_K; k += HK_THREADS)
        ((hk_ring *)to)[k] = hk_beyond(g);
}

// HK_K outputs of row r of a thread. planes[k]: its place in plane k of those under an output.
HK_FN void hk_sum_vector(const hk_weights *w, const hk_ring_vector *const planes[HK_SPAN], int r,
                         hk_value sum[HK_K])
{
#pragma unroll
    for (int i = 0; i < HK_K; i++) sum[i] = hk_no_sum();
#pragma unroll
    for (int t = 0; t < HK_TAPS; t++)
#pragma unroll
        for (int i = 0; i < HK_K; i++) {
            const int x = HK_SHIFT + i + (hk_offsets[t][2] - HK_LEAST_X) * HK_CHANNELS;
            const int y = r + hk_offsets[t][1] - HK_LEAST_Y;
            const hk_ring_vector v =
                planes[hk_offsets[t][0] - HK_LEAST_Z][y * HK_VECTORS + x / HK_K];
            sum[i] = hk_add(w->weight[t], v.x[x % HK_K], sum[i]);
        }
}

// Border keep: element e of row y stays as it is.
HK_FN bool hk_keeps(const hk_grid *g, bool plane, int64_t y, int64_t e)
{
    const int64_t x = e / HK_CHANNELS, n = g->x.n / HK_CHANNELS;
    return plane || y + HK_LEAST_Y < 0 || y + HK_MOST_Y >= g->y.n || x + HK_LEAST_X < 0 ||
           x + HK_MOST_X >= n;
}

HK_FN void hk_put_row(const hk_grid *g, hk_out *out, const hk_weights *w,
                      const hk_ring_vector *const planes[HK_SPAN], int r, int64_t z, int64_t y,
                      int64_t e)
{
    hk_value sum[HK_K];
    hk_out_vector v;
    hk_sum_vector(w, planes, r, sum);
#pragma unroll
    for (int i = 0; i < HK_K; i++) v.x[i] = hk_out_of(sum[i], NULL);
#if HK_BORDER == HK_KEEP
    const bool plane = z + HK_LEAST_Z < 0 || z + HK_MOST_Z >= g->z.n;
    if (plane || hk_keeps(g, plane, y + r, e) || hk_keeps(g, plane, y + r, e + HK_K - 1)) {
#pragma unroll
        for (int i = 0; i < HK_K; i++) {
            const int x = HK_SHIFT + i - HK_LEAST_X * HK_CHANNELS;
            const hk_ring_vector here =
                planes[-HK_LEAST_Z][(r - HK_LEAST_Y) * HK_VECTORS + x / HK_K];
            if (hk_keeps(g, plane, y + r, e + i)) v.x[i] = (hk_out)here.x[x % HK_K];
        }
    }
#endif
    hk_store_vector(g, out + z * g->z.out, y + r, e, v);
}

// `steps` planes are one block's.
extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    stencil_march(const __grid_constant__ hk_grid g, const __grid_constant__ hk_weights w,
                  uint32_t tiles_x, uint32_t tiles_y, uint32_t tiles_z, int64_t steps)
{
    hk_begin();
    extern __shared__ __align__(16) hk_ring_vector tile[];
    const uint32_t row = blockIdx.x / tiles_x, plane = row / tiles_y, batch = plane / tiles_z;
    const int64_t first = (int64_t)(plane - batch * tiles_z) * steps;
    const int64_t y = (int64_t)(row - plane * tiles_y) * HK_TILE_HEIGHT;
    const int64_t e = (int64_t)(blockIdx.x - row * tiles_x) * HK_TILE_WIDTH;
    const int64_t last = first + steps < g.z.n ? first + steps : g.z.n;
    const hk_in *in = g.in;
    hk_out *out = g.out;
    hk_batch_at(&g, batch, &in, &out);
    const int warp = (int)threadIdx.x / HK_WARP;
    const int down = warp / HK_WARPS_X * HK_ROWS;
    const int along = warp % HK_WARPS_X * HK_WARP + hk_lane(); // vectors
    const int64_t top = y + HK_LEAST_Y, left = e - HK_LEFT - HK_SHIFT;
#pragma unroll 1
    for (int k = 0; k < HK_SPAN - 1; k++)
        hk_load_plane(&g, in, first + HK_LEAST_Z + k, top, left, tile + k * HK_PLANE);
    int slot = 0; // of the first plane under the next output
#pragma unroll 1
    for (int64_t z = first; z < last; z++) {
        const int fresh = slot + HK_SPAN - 1;
        hk_load_plane(&g, in, z + HK_MOST_Z, top, left,
                      tile + (fresh < HK_SLOTS ? fresh : fresh - HK_SLOTS) * HK_PLANE);
        hk_block_barrier();
        const hk_ring_vector *planes[HK_SPAN];
#pragma unroll
        for (int k = 0; k < HK_SPAN; k++) {
            const int at = slot + k < HK_SLOTS ? slot + k : slot + k - HK_SLOTS;
            planes[k] = tile + at * HK_PLANE + down * HK_VECTORS + along;
        }
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            hk_put_row(&g, out, &w, planes, r, z, y + down, e + along * HK_K);
        slot = slot + 1 < HK_SLOTS ? slot + 1 : 0;
    }
}
