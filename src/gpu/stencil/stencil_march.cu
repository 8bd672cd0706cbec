// SPDX-License-Identifier: Apache-2.0
//
// stencil_march: a list of neighbours in up to three dimensions. A block has a tile of (y, x) and
// goes along z, plane by plane: the planes that its outputs need are a ring in shared memory, with
// their border, each read once; the next one is on its way meanwhile. Offsets are numbers in the
// text; every output has its terms in their order.
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
    hk_value weight[HK_OFFSET_COUNT];
};

// ---- Planes -------------------------------------------------------------------------------------

// A thread's part of every plane: HK_LOADS vectors, of which some are not there and some lie at an
// edge.
struct hk_part {
    hk_window window; // of the first plane
    int32_t distance[HK_LOADS];
    uint32_t inside, edges;
};

HK_FN hk_part hk_part_of(const hk_grid *g, const hk_in *in, int64_t y, int64_t e)
{
    hk_part p;
    p.window = hk_window_at(g, in, y, e);
    p.inside = p.edges = 0;
#pragma unroll
    for (int k = 0; k < HK_LOADS; k++) {
        const int at = (int)threadIdx.x + k * HK_THREADS, line = at / HK_VECTORS,
                  j = (at - line * HK_VECTORS) * HK_K;
        p.distance[k] = (int32_t)hk_distance(g, line, j);
        if (at >= HK_PLANE) continue;
        if (hk_lies_inside(&p.window, line, j))
            p.inside |= 1u << k;
        else
            p.edges |= 1u << k;
    }
    return p;
}

// Begins to load plane z, whose index is `at` (-1: it lies beyond the first or the last).
HK_FN void hk_load_plane(const hk_grid *g, const hk_part *p, int64_t at, hk_in_vector v[HK_LOADS])
{
    if (at < 0) return;
    const hk_in *from = p->window.at + at * g->z.in;
#pragma unroll
    for (int k = 0; k < HK_LOADS; k++)
        if (p->inside >> k & 1) v[k] = hk_load_vector(g, from + p->distance[k]);
}

// Puts it to shared memory.
HK_FN void hk_put_plane(const hk_grid *g, const hk_in *in, const hk_part *p, int64_t at,
                        const hk_in_vector v[HK_LOADS], hk_ring_vector *to)
{
    if (at < 0) {
        for (int k = (int)threadIdx.x; k < HK_PLANE * HK_K; k += HK_THREADS)
            ((hk_ring *)to)[k] = hk_beyond(g);
        return;
    }
#pragma unroll
    for (int k = 0; k < HK_LOADS; k++)
        if (p->inside >> k & 1) to[threadIdx.x + k * HK_THREADS] = hk_ring_vector_of(v[k]);
#pragma unroll 1
    for (uint32_t edges = p->edges; edges != 0; edges &= edges - 1) {
        const int k = (int)threadIdx.x + hk_lowest(edges) * HK_THREADS, line = k / HK_VECTORS;
        hk_load_edge(g, in + at * g->z.in, &p->window, line, (k - line * HK_VECTORS) * HK_K,
                     to + k);
    }
}

// ---- Outputs ------------------------------------------------------------------------------------

// HK_K outputs of row r of a thread. planes[k]: its place in plane k of those under an output.
HK_FN void hk_sum_vector(const hk_weights *w, const hk_ring_vector *const planes[HK_SPAN], int r,
                         hk_value sum[HK_K])
{
#pragma unroll
    for (int i = 0; i < HK_K; i++) sum[i] = hk_no_sum();
#pragma unroll
    for (int t = 0; t < HK_OFFSET_COUNT; t++)
#pragma unroll
        for (int i = 0; i < HK_K; i++) {
            const int x = HK_SHIFT + i + (hk_offsets[t][2] - HK_LEAST_X) * HK_CHANNELS;
            const int y = r + hk_offsets[t][1] - HK_LEAST_Y;
            const hk_ring_vector v =
                planes[hk_offsets[t][0] - HK_LEAST_Z][y * HK_VECTORS + x / HK_K];
            sum[i] = hk_add(w->weight[t], v.x[x % HK_K], sum[i]);
        }
}

// Border keep: bit r * HK_K + i says that element i of row r stays as it is.
HK_FN uint32_t hk_kept(const hk_grid *g, int64_t y, int64_t e)
{
    uint32_t kept = 0;
#pragma unroll
    for (int k = 0; k < HK_ROWS * HK_K; k++) {
        const int64_t row = y + k / HK_K, x = (e + k % HK_K) / HK_CHANNELS;
        if (row + HK_LEAST_Y < 0 || row + HK_MOST_Y >= g->y.n || x + HK_LEAST_X < 0 ||
            x + HK_MOST_X >= g->x.n / HK_CHANNELS)
            kept |= 1u << k;
    }
    return kept;
}

HK_FN hk_out_vector hk_row_of(const hk_weights *w, const hk_ring_vector *const planes[HK_SPAN],
                              int r, uint32_t kept)
{
    hk_value sum[HK_K];
    hk_out_vector v;
    hk_sum_vector(w, planes, r, sum);
#pragma unroll
    for (int i = 0; i < HK_K; i++) v.x[i] = hk_out_of(sum[i], NULL);
#if HK_BORDER == HK_KEEP
#pragma unroll
    for (int i = 0; i < HK_K; i++) {
        const int x = HK_SHIFT + i - HK_LEAST_X * HK_CHANNELS;
        const hk_ring_vector here = planes[-HK_LEAST_Z][(r - HK_LEAST_Y) * HK_VECTORS + x / HK_K];
        if (kept >> (r * HK_K + i) & 1) v.x[i] = (hk_out)here.x[x % HK_K];
    }
#endif
    return v;
}

// `steps` planes are one block's. A plane is on its way from memory while the one before is used.
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
    const hk_part part = hk_part_of(&g, in, y + HK_LEAST_Y, e - HK_LEFT - HK_SHIFT);
    const int rows = hk_clamped(g.y.n - y - down), elements = hk_clamped(g.x.n - e) - along * HK_K;
    const uint32_t kept = HK_BORDER == HK_KEEP ? hk_kept(&g, y + down, e + along * HK_K) : 0;
    hk_out *to = hk_output_at(&g, out + first * g.z.out, y + down, e + along * HK_K);
    hk_in_vector v[HK_LOADS];
#pragma unroll 1
    for (int k = 0; k < HK_SPAN - 1; k++) {
        const int64_t at = hk_border_index(first + HK_LEAST_Z + k, g.z.n);
        hk_load_plane(&g, &part, at, v);
        hk_put_plane(&g, in, &part, at, v, tile + k * HK_PLANE);
    }
    int64_t next = hk_border_index(first + HK_MOST_Z, g.z.n);
    hk_load_plane(&g, &part, next, v);
    int slot = 0; // of the first plane under the next output
#pragma unroll 1
    for (int64_t z = first; z < last; z++, to += g.z.out) {
        const int fresh = slot + HK_SPAN - 1;
        hk_put_plane(&g, in, &part, next, v,
                     tile + (fresh < HK_SLOTS ? fresh : fresh - HK_SLOTS) * HK_PLANE);
        hk_block_barrier();
        next = hk_border_index(z + 1 + HK_MOST_Z, g.z.n);
        if (z + 1 < last) hk_load_plane(&g, &part, next, v);
        const hk_ring_vector *planes[HK_SPAN];
#pragma unroll
        for (int k = 0; k < HK_SPAN; k++) {
            const int at = slot + k < HK_SLOTS ? slot + k : slot + k - HK_SLOTS;
            planes[k] = tile + at * HK_PLANE + down * HK_VECTORS + along;
        }
        const bool edge = z + HK_LEAST_Z < 0 || z + HK_MOST_Z >= g.z.n;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (r < rows && elements > 0)
                hk_store_vector(&g, to + hk_distance_out(&g, r, 0), elements,
                                hk_row_of(&w, planes, r, edge ? 0xffffffffu : kept));
        slot = slot + 1 < HK_SLOTS ? slot + 1 : 0;
    }
}
