// SPDX-License-Identifier: Apache-2.0
//
// A transposition as its kernels get it: planes of two axes, cut into square tiles, and axes that
// count planes. Steps are in units: an element is HK_PARTS units that lie together.
#pragma once

#define HK_EDGE  HK_ITEMS // elements of a tile's side
#define HK_PARTS HK_K
#define HK_WARPS (HK_THREADS / HK_WARP)

struct hk_axis {
    int64_t n, in, out; // length; from one to the next
};

struct hk_transposition {
    const hk_unit *in;
    hk_unit *out;
    hk_axis u, v;             // out is densest along u, in along v
    int64_t tiles_u, tiles_v; // of HK_EDGE elements
    int64_t group;            // tiles of u that are taken before the next of v
    int64_t others;           // axes
    hk_axis other[9];         // the last one runs fastest
};

// Where a tile begins in in and in out, and how many elements it has.
struct hk_tile_position {
    int64_t u, v; // its first element
    const hk_unit *in;
    hk_unit *out;
    int rows, columns; // of u and of v
};

HK_FN int hk_least(int64_t a, int b)
{
    return a < b ? (int)a : b;
}

// The tile (tile_u, tile_v) of the plane whose elements 0 are at in and out.
HK_FN hk_tile_position hk_tile_position_at(const hk_transposition *t, const hk_unit *in,
                                           hk_unit *out, int64_t tile_u, int64_t tile_v)
{
    hk_tile_position p;
    p.u = tile_u * HK_EDGE;
    p.v = tile_v * HK_EDGE;
    p.in = in + p.u * t->u.in + p.v * t->v.in;
    p.out = out + p.u * t->u.out + p.v * t->v.out;
    p.rows = hk_least(t->u.n - p.u, HK_EDGE);
    p.columns = hk_least(t->v.n - p.v, HK_EDGE);
    return p;
}

// Takes what counts planes from a number of a tile, or of anything that planes have `each` of:
// what is left, with in and out moved to the plane.
HK_FN int64_t hk_plane_of(const hk_transposition *t, int64_t number, int64_t each,
                          const hk_unit **in, hk_unit **out)
{
    int64_t plane = number / each;
    const int64_t rest = number - plane * each;
    for (int k = (int)t->others - 1; k >= 0; k--) {
        const int64_t next = plane / t->other[k].n, i = plane - next * t->other[k].n;
        *in += i * t->other[k].in;
        *out += i * t->other[k].out;
        plane = next;
    }
    return rest;
}

// The tile of a block. Strips of `group` tiles of u go along v, so that tiles which share lines of
// in, and those which share lines of out, are taken at about the same time.
HK_FN hk_tile_position hk_tile_of(const hk_transposition *t, int64_t block)
{
    const hk_unit *in = t->in;
    hk_unit *out = t->out;
    int64_t rest = hk_plane_of(t, block, t->tiles_u * t->tiles_v, &in, &out);
    const int64_t strip = rest / (t->group * t->tiles_v), first = strip * t->group;
    const int64_t wide = t->tiles_u - first < t->group ? t->tiles_u - first : t->group;
    rest -= first * t->tiles_v;
    const int64_t v = rest / wide;
    return hk_tile_position_at(t, in, out, first + rest - v * wide, v);
}

// In place: the tile of a block on the diagonal or above it, and its mirror image. The triangle is
// cut in two and put together as a rectangle.
HK_FN bool hk_tiles_of(const hk_transposition *t, int64_t block, hk_tile_position *a,
                       hk_tile_position *b)
{
    const hk_unit *in = t->in;
    hk_unit *out = t->out;
    const int64_t side = t->tiles_u, even = side % 2 == 0;
    const int64_t rest = hk_plane_of(t, block, side * (side + 1) / 2, &in, &out);
    const int64_t y = rest / (side + even), x = rest - y * (side + even);
    const bool upper = x >= y + even;
    const int64_t u = upper ? y : side - even - y, v = upper ? x - even : side - 1 - x;
    *a = hk_tile_position_at(t, in, out, u, v);
    *b = hk_tile_position_at(t, in, out, v, u);
    return u != v;
}

// The tile of a block, and whether it has its mirror image as well.
HK_FN bool hk_tile_positions_of(const hk_transposition *t, int64_t block, hk_tile_position *a,
                                hk_tile_position *b)
{
    if (HK_IN_PLACE) return hk_tiles_of(t, block, a, b);
    *a = *b = hk_tile_of(t, block);
    return false;
}
