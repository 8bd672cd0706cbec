// SPDX-License-Identifier: Apache-2.0
//
// stencil_points: a thread computes one output from a list of neighbours, each looked for by
// itself: any offsets, masks, borders, types and layouts; functions of neighbours, too. Where sums
// of a separable mask come from a pass before (HK_MENDS), only those that are not finite are
// computed.
#include "device/kernel.cuh"
#include "stencil/grid.cuh"

struct hk_mask_offsets {
    const int64_t *offset;     // z, y, x of each
    const hk_value *weight;    // none of a function
    const hk_value *sum;       // HK_MENDS: of the mask as two passes, one after another
    int64_t count, points;     // of one batch
    int64_t least[3], most[3]; // of the offsets and 0
    hk_rounding rounding;
};

HK_FN hk_value hk_neighbour(const hk_grid *g, const hk_in *in, const int64_t *p, const int64_t *o)
{
    const int64_t z = hk_border_index(p[0] + o[0], g->z.n);
    const int64_t y = hk_border_index(p[1] + o[1], g->y.n);
    const int64_t x = hk_border_index(p[2] + o[2], g->x.n);
    if (z < 0 || y < 0 || x < 0) return hk_beyond(g);
    return hk_value_of(in[z * g->z.in + y * g->y.in + x * g->x.in]);
}

#if HK_NEIGHBOURS > 0
HK_FN hk_out hk_result_at(const hk_grid *g, const hk_mask_offsets *t, const hk_in *in,
                          const int64_t *p, int64_t i)
{
    hk_value v[HK_NEIGHBOURS];
#pragma unroll
    for (int k = 0; k < HK_NEIGHBOURS; k++) v[k] = hk_neighbour(g, in, p, t->offset + 3 * k);
    return hk_apply(v);
}
#else
HK_FN hk_value hk_sum_at(const hk_grid *g, const hk_mask_offsets *t, const hk_in *in,
                         const int64_t *p)
{
    hk_value sum = hk_no_sum();
#pragma unroll 1
    for (int64_t k = 0; k < t->count; k++)
        sum = hk_add(t->weight[k], hk_neighbour(g, in, p, t->offset + 3 * k), sum);
    return sum;
}

HK_FN hk_out hk_result_at(const hk_grid *g, const hk_mask_offsets *t, const hk_in *in,
                          const int64_t *p, int64_t i)
{
#if HK_MENDS
    const hk_value two = t->sum[i];
    if (hk_is_finite(two)) return hk_out_of(two, &t->rounding);
    const hk_value direct = hk_sum_at(g, t, in, p);
    return hk_out_of(hk_is_finite(direct) ? direct : two, &t->rounding);
#else
    return hk_out_of(hk_sum_at(g, t, in, p), &t->rounding);
#endif
}
#endif

HK_FN bool hk_is_inside(const hk_grid *g, const hk_mask_offsets *t, const int64_t *p)
{
    return p[0] + t->least[0] >= 0 && p[0] + t->most[0] < g->z.n && p[1] + t->least[1] >= 0 &&
           p[1] + t->most[1] < g->y.n && p[2] + t->least[2] >= 0 && p[2] + t->most[2] < g->x.n;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    stencil_points(const __grid_constant__ hk_grid g, const __grid_constant__ hk_mask_offsets t)
{
    hk_begin();
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (i >= t.points) return;
    const hk_in *in = g.in;
    hk_out *out = g.out;
    const int64_t row = i / g.x.n, plane = row / g.y.n, batch = plane / g.z.n;
    const int64_t p[3] = {plane - batch * g.z.n, row - plane * g.y.n, i - row * g.x.n};
    hk_batch_at(&g, batch, &in, &out);
    out += p[0] * g.z.out + p[1] * g.y.out + p[2] * g.x.out;
#if HK_BORDER == HK_KEEP
    if (!hk_is_inside(&g, &t, p)) {
        *out = *(const hk_out *)&in[p[0] * g.z.in + p[1] * g.y.in + p[2] * g.x.in];
        return;
    }
#endif
    *out = hk_result_at(&g, &t, in, p, i);
}
