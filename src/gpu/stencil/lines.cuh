// SPDX-License-Identifier: Apache-2.0
//
// Lines of elements on their way to shared memory and back, by vectors of HK_K elements. Where a
// vector lies inside its line it is loaded at once; the others, at the edges, element by element
// behind them, in one copy of the code.
#pragma once
#include "stencil/grid.cuh"

#define HK_LOADS 4 // vectors of a thread under way

struct __align__(HK_IN_ALIGNED) hk_in_vector
{
    hk_in x[HK_K];
};
struct __align__(HK_OUT_ALIGNED) hk_out_vector
{
    hk_out x[HK_K];
};
struct __align__(HK_RING_ALIGNED) hk_ring_vector
{
    hk_ring x[HK_K];
};

// A ring of lines in shared memory, by numbers that the compiler knows.
struct hk_ring_shape {
    int vectors, lines; // of a line; of all
};

// Lines from line y and element e on go to line `to` of a ring and those behind it. Here one vector
// of them, by its number in all lines.
struct hk_vector_place {
    int64_t y, e;
    int at; // in the ring, in vectors
};

HK_FN hk_vector_place hk_vector_at(hk_ring_shape shape, int64_t y, int64_t e, int to, int k)
{
    const int line = k / shape.vectors, j = k - line * shape.vectors;
    const int at = to + line < shape.lines ? to + line : to + line - shape.lines;
    hk_vector_place p;
    p.y = y + line;
    p.e = e + j * HK_K;
    p.at = at * shape.vectors + j;
    return p;
}

HK_FN bool hk_lies_inside(const hk_grid *g, const hk_vector_place *p)
{
    return p->y >= 0 && p->y < g->y.n && p->e >= 0 && p->e + HK_K <= g->x.n;
}

HK_FN hk_in_vector hk_load_vector(const hk_grid *g, const hk_in *in, const hk_vector_place *p)
{
    const hk_in *at = in + p->y * g->y.in + (HK_CONTIGUOUS ? p->e : p->e * g->x.in);
    if (HK_IN_VECTORS) return *(const hk_in_vector *)at;
    hk_in_vector v;
#pragma unroll
    for (int j = 0; j < HK_K; j++) v.x[j] = at[HK_CONTIGUOUS ? j : j * g->x.in];
    return v;
}

// Any element, as its border has it.
HK_FN hk_ring hk_element_at(const hk_grid *g, const hk_in *in, int64_t y, int64_t e)
{
    const int64_t row = hk_border_index(y, g->y.n), at = hk_element_index(e, g->x.n);
    if (row < 0 || at < 0) return (hk_ring)hk_beyond(g);
    return hk_ring_of(in[row * g->y.in + (HK_CONTIGUOUS ? at : at * g->x.in)]);
}

HK_FN void hk_load_lines(const hk_grid *g, const hk_in *in, int64_t y, int64_t e, int to, int count,
                         hk_ring_shape shape, hk_ring_vector *ring)
{
    const int all = count * shape.vectors;
#pragma unroll 1
    for (int first = (int)threadIdx.x; first < all; first += HK_LOADS * HK_THREADS) {
        hk_in_vector v[HK_LOADS];
        bool inside = true;
#pragma unroll
        for (int k = 0; k < HK_LOADS; k++) {
            const hk_vector_place p = hk_vector_at(shape, y, e, to, first + k * HK_THREADS);
            if (first + k * HK_THREADS >= all) continue;
            if (hk_lies_inside(g, &p))
                v[k] = hk_load_vector(g, in, &p);
            else
                inside = false;
        }
#pragma unroll
        for (int k = 0; k < HK_LOADS; k++) {
            const hk_vector_place p = hk_vector_at(shape, y, e, to, first + k * HK_THREADS);
            if (first + k * HK_THREADS >= all || !hk_lies_inside(g, &p)) continue;
            hk_ring_vector r;
#pragma unroll
            for (int j = 0; j < HK_K; j++) r.x[j] = hk_ring_of(v[k].x[j]);
            ring[p.at] = r;
        }
        if (inside) continue;
#pragma unroll 1
        for (int k = 0; k < HK_LOADS * HK_K; k++) {
            const int number = first + k / HK_K * HK_THREADS;
            const hk_vector_place p = hk_vector_at(shape, y, e, to, number);
            if (number >= all || hk_lies_inside(g, &p)) continue;
            ((hk_ring *)ring)[p.at * HK_K + k % HK_K] = hk_element_at(g, in, p.y, p.e + k % HK_K);
        }
    }
}

// HK_K results at element e of line y, as far as these are inside.
HK_FN void hk_store_vector(const hk_grid *g, hk_out *out, int64_t y, int64_t e, hk_out_vector v)
{
    if (y >= g->y.n || e >= g->x.n) return;
    hk_out *to = out + y * g->y.out + (HK_OUT_DENSE ? e : e * g->x.out);
    if (HK_OUT_VECTORS && e + HK_K <= g->x.n) {
        *(hk_out_vector *)to = v;
        return;
    }
#pragma unroll
    for (int j = 0; j < HK_K; j++)
        if (e + j < g->x.n) to[HK_OUT_DENSE ? j : j * g->x.out] = v.x[j];
}
