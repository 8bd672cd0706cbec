// SPDX-License-Identifier: Apache-2.0
//
// transpose_tiles: tiles of HK_EDGE x HK_EDGE elements through shared memory; warps read along in's
// densest axis and write along out's. A row of the tile is longer by one element than it need be,
// so that the lanes of a warp meet different banks either way.
#include "device/kernel.cuh"
#include "transpose/plane.cuh"

#define HK_STRIPS ((HK_EDGE * HK_PARTS + HK_WARP - 1) / HK_WARP) // of a row, a unit a lane
#define HK_LINES  (HK_EDGE / HK_WARPS)                           // rows of a warp
#define HK_PITCH  ((HK_EDGE + 1) * HK_PARTS)

HK_FN int hk_line(int r)
{
    return r * HK_WARPS + (int)threadIdx.x / HK_WARP;
}

HK_FN int hk_unit_of(int s)
{
    return s * HK_WARP + hk_lane();
}

HK_FN void hk_read_tile(const hk_transposition *t, const hk_tile_position *p, hk_unit *tile)
{
    hk_unit x[HK_LINES][HK_STRIPS];
#pragma unroll
    for (int r = 0; r < HK_LINES; r++) {
        const hk_unit *row = p->in + hk_line(r) * t->u.in;
#pragma unroll
        for (int s = 0; s < HK_STRIPS; s++) {
            const int w = hk_unit_of(s), i = w / HK_PARTS;
            if (hk_line(r) < p->rows && i < p->columns)
                x[r][s] = row[i * t->v.in + (w - i * HK_PARTS)];
        }
    }
#pragma unroll
    for (int r = 0; r < HK_LINES; r++)
#pragma unroll
        for (int s = 0; s < HK_STRIPS; s++) {
            const int w = hk_unit_of(s);
            if (hk_line(r) < p->rows && w / HK_PARTS < p->columns)
                tile[hk_line(r) * HK_PITCH + w] = x[r][s];
        }
}

HK_FN void hk_write_tile(const hk_transposition *t, const hk_tile_position *p, const hk_unit *tile)
{
#pragma unroll
    for (int r = 0; r < HK_LINES; r++) {
        hk_unit *row = p->out + hk_line(r) * t->v.out;
#pragma unroll
        for (int s = 0; s < HK_STRIPS; s++) {
            const int w = hk_unit_of(s), j = w / HK_PARTS, part = w - j * HK_PARTS;
            if (hk_line(r) < p->columns && j < p->rows)
                row[j * t->u.out + part] = tile[j * HK_PITCH + hk_line(r) * HK_PARTS + part];
        }
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    transpose_tiles(const __grid_constant__ hk_transposition t)
{
    hk_begin();
    __shared__ hk_unit tile[(1 + HK_IN_PLACE) * HK_EDGE * HK_PITCH];
    hk_unit *other = tile + HK_IN_PLACE * HK_EDGE * HK_PITCH;
    hk_tile_position a, b;
    const bool two = hk_tile_positions_of(&t, blockIdx.x, &a, &b);
    hk_read_tile(&t, &a, tile);
    if (two) hk_read_tile(&t, &b, other);
    hk_block_barrier();
    hk_write_tile(&t, &a, tile);
    if (two) hk_write_tile(&t, &b, other);
}
