// SPDX-License-Identifier: Apache-2.0
//
// Lines of elements on their way to shared memory and back, by vectors of HK_K elements, HK_LOADS
// of a thread under way. Where a vector lies inside its line it is loaded at once; the others, at
// the edges, behind them element by element, in one copy of the code.
#pragma once
#include "stencil/grid.cuh"

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

// Lines y and those behind it from element e on, as a block sees them: where they begin, and which
// lines and elements of them, counted from there, are inside.
struct hk_window {
    const hk_in *at;
    int64_t y, e;
    int first_line, last_line, first_element, last_element;
};

// As an int: less than none, or more than shared memory has room for.
HK_FN int hk_clamped(int64_t x)
{
    return x < -(1 << 24) ? -(1 << 24) : x > 1 << 24 ? 1 << 24 : (int)x;
}

HK_FN hk_window hk_window_at(const hk_grid *g, const hk_in *in, int64_t y, int64_t e)
{
    hk_window w;
    w.at = in + y * g->y.in + (HK_CONTIGUOUS ? e : e * g->x.in);
    w.y = y;
    w.e = e;
    w.first_line = hk_clamped(-y);
    w.last_line = hk_clamped(g->y.n - 1 - y);
    w.first_element = hk_clamped(-e);
    w.last_element = hk_clamped(g->x.n - HK_K - e);
    return w;
}

// Whether the vector at element e of a line is.
HK_FN bool hk_lies_inside(const hk_window *w, int line, int e)
{
    return line >= w->first_line && line <= w->last_line && e >= w->first_element &&
           e <= w->last_element;
}

// How far it is from where they begin: lines are less than 2^31 elements apart where HK_NEAR.
HK_FN int64_t hk_distance(const hk_grid *g, int line, int e)
{
    const int64_t along = HK_CONTIGUOUS ? e : e * g->x.in;
    return along + (HK_NEAR ? (int64_t)line * (int32_t)g->y.in : line * g->y.in);
}

HK_FN hk_in_vector hk_load_vector(const hk_grid *g, const hk_in *at)
{
    if (HK_IN_VECTORS) return *(const hk_in_vector *)at;
    hk_in_vector v;
#pragma unroll
    for (int j = 0; j < HK_K; j++) v.x[j] = at[HK_CONTIGUOUS ? j : j * g->x.in];
    return v;
}

HK_FN hk_ring_vector hk_ring_vector_of(hk_in_vector v)
{
    hk_ring_vector r;
#pragma unroll
    for (int j = 0; j < HK_K; j++) r.x[j] = hk_ring_of(v.x[j]);
    return r;
}

// Any element, as its border has it.
HK_FN hk_ring hk_element_at(const hk_grid *g, const hk_in *in, int64_t y, int64_t e)
{
    const int64_t row = hk_border_index(y, g->y.n), at = hk_element_index(e, g->x.n);
    if (row < 0 || at < 0) return (hk_ring)hk_beyond(g);
    return hk_ring_of(in[row * g->y.in + (HK_CONTIGUOUS ? at : at * g->x.in)]);
}

// The vector at element e of a line, which does not lie inside.
HK_FN void hk_load_edge(const hk_grid *g, const hk_in *in, const hk_window *w, int line, int e,
                        hk_ring_vector *to)
{
    if (HK_HAS_BEYOND && (line < w->first_line || line > w->last_line ||
                          e <= w->first_element - HK_K || e >= w->last_element + HK_K)) {
        hk_ring_vector v;
#pragma unroll
        for (int j = 0; j < HK_K; j++) v.x[j] = (hk_ring)hk_beyond(g);
        *to = v;
        return;
    }
#pragma unroll 1
    for (int j = 0; j < HK_K; j++)
        ((hk_ring *)to)[j] = hk_element_at(g, in, w->y + line, w->e + e + j);
}

// The number of the lowest bit.
HK_FN int hk_lowest(uint32_t bits)
{
    return hk_popc((int)((bits & (0u - bits)) - 1));
}

// `count` lines of `vectors` vectors to shared memory, one after another.
HK_FN void hk_load_lines(const hk_grid *g, const hk_in *in, int64_t y, int64_t e, int count,
                         int vectors, hk_ring_vector *to)
{
    const hk_window w = hk_window_at(g, in, y, e);
    const int all = count * vectors;
#pragma unroll 1
    for (int first = (int)threadIdx.x; first < all; first += HK_LOADS * HK_THREADS) {
        hk_in_vector v[HK_LOADS];
        uint32_t edges = 0;
#pragma unroll
        for (int k = 0; k < HK_LOADS; k++) {
            const int at = first + k * HK_THREADS, line = at / vectors,
                      j = (at - line * vectors) * HK_K;
            if (at >= all) continue;
            if (hk_lies_inside(&w, line, j))
                v[k] = hk_load_vector(g, w.at + hk_distance(g, line, j));
            else
                edges |= 1u << k;
        }
#pragma unroll
        for (int k = 0; k < HK_LOADS; k++)
            if (first + k * HK_THREADS < all && (edges >> k & 1) == 0)
                to[first + k * HK_THREADS] = hk_ring_vector_of(v[k]);
#pragma unroll 1
        for (; edges != 0; edges &= edges - 1) {
            const int at = first + hk_lowest(edges) * HK_THREADS, line = at / vectors;
            hk_load_edge(g, in, &w, line, (at - line * vectors) * HK_K, to + at);
        }
    }
}

// `count` of HK_K results, the first ones, to out.
HK_FN void hk_store_vector(const hk_grid *g, hk_out *to, int count, hk_out_vector v)
{
    if (HK_OUT_VECTORS && count >= HK_K) {
        *(hk_out_vector *)to = v;
        return;
    }
#pragma unroll
    for (int j = 0; j < HK_K; j++)
        if (j < count) to[HK_OUT_DENSE ? j : j * g->x.out] = v.x[j];
}

// Where element e of line y is in out.
HK_FN hk_out *hk_output_at(const hk_grid *g, hk_out *out, int64_t y, int64_t e)
{
    return out + y * g->y.out + (HK_OUT_DENSE ? e : e * g->x.out);
}

// How far line `line` and element e are from there.
HK_FN int64_t hk_distance_out(const hk_grid *g, int line, int e)
{
    const int64_t along = HK_OUT_DENSE ? e : e * g->x.out;
    return along + (HK_NEAR ? (int64_t)line * (int32_t)g->y.out : line * g->y.out);
}
