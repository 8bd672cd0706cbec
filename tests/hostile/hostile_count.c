// SPDX-License-Identifier: Apache-2.0
//
// Histograms of hostile values: integers of no bin, NaN and infinities, edges that fall, functions
// that name no bin.
#include "hostile.h"

#include <math.h>
#include <stdlib.h>

HD_FUNCTION(count_bin, int64_t, HD_NO_SOURCE, (int64_t, x), { return x; })

enum { RULE, CLAMP, FIRST, WEIGHTS, ADD, REPORTS, EDGES };
enum { BY_VALUE, EVEN, BY_EDGES, BY_FUNCTION };

static hd_status histogram(hd_context *ctx, hostile_call *c)
{
    hd_histogram_options o = {.clamp = c->choice[CLAMP], .add = c->choice[ADD]};
    switch (c->choice[RULE]) {
    case BY_VALUE: o.first = c->choice[FIRST]; break;
    case EVEN: o.even = true, o.lower = -0.5, o.upper = 0.75; break;
    case BY_EDGES: o.edges = &c->in[c->choice[EDGES]].view; break;
    default: o.bin = count_bin;
    }
    o.weights = c->choice[WEIGHTS] ? &c->in[c->choice[WEIGHTS]].view : NULL;
    o.outside = c->choice[REPORTS] ? HD_REF(HD_VIEW(&c->number[0], 1)) : NULL;
    return hd_histogram(ctx, c->in[0].view, c->out[0].view, &o);
}

static void spoil_floats(hostile *h, hd_type type, void *x, int64_t n)
{
    static const double evil[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0.75, -0.5, 0x1p63};
    for (int64_t left = hostile_below(h, 20); left > 0 && n > 0; left--) {
        const int64_t i = hostile_below(h, n);
        const double value = evil[hostile_below(h, 8)];
        if (type == HD_F32)
            ((float *)x)[i] = (float)value;
        else
            ((double *)x)[i] = value;
    }
}

static void draw_edges(hostile *h, hostile_call *c, int64_t bins)
{
    c->choice[EDGES] = c->ins;
    hostile_dense(h, c, HD_F64, bins + 1);
    double *edge = c->elements[c->choice[EDGES]];
    for (int64_t k = 0; k <= bins; k++) edge[k] = (double)(2 * k) / (double)(bins + 1) - 1;
    if (hostile_below(h, 2)) spoil_floats(h, HD_F64, edge, bins + 1);
}

void hostile_count(hostile *h)
{
    static const int64_t sizes[] = {1, 2, 7, 16, 255, 256, 257, 2048, 4097, 65536, 70001};
    hostile_call c = {.name = "histogram", .run = histogram};
    const int64_t bins = sizes[hostile_below(h, 11)], n = hostile_size(h);
    const int64_t rule = c.choice[RULE] = hostile_below(h, 4);
    hd_type type = rule == BY_VALUE      ? hostile_integer_type(h)
                   : rule == BY_FUNCTION ? HD_I64
                                         : HD_F32;
    if ((rule == EVEN || rule == BY_EDGES) && hostile_below(h, 2)) type = HD_F64;
    hostile_dense(h, &c, type, n);
    if (rule == BY_VALUE || rule == BY_FUNCTION) {
        hostile_indices(h, type, n, bins, c.elements[0]);
        c.choice[FIRST] =
            hostile_below(h, 3) ? 0 : (int64_t)hostile_next(h) >> hostile_below(h, 64);
    } else {
        check_fill(type, c.elements[0], n, CHECK_ORDINARY, hostile_next(h));
        spoil_floats(h, type, c.elements[0], n);
    }
    if (rule == BY_EDGES) draw_edges(h, &c, bins);
    const bool weighted = hostile_once_in(h, 3);
    if (weighted) {
        c.choice[WEIGHTS] = c.ins;
        hostile_dense(h, &c, HD_F32, n);
        check_fill(HD_F32, c.elements[c.choice[WEIGHTS]], n, CHECK_ORDINARY, hostile_next(h));
    }
    c.choice[CLAMP] = hostile_below(h, 2), c.choice[REPORTS] = hostile_below(h, 2);
    const hd_type out_type = weighted ? HD_F32 : HD_I64;
    c.out[0] = check_new(out_type, bins, CHECK_DENSE, hostile_below(h, 2)), c.outs = 1;
    c.choice[ADD] = hostile_below(h, 2);
    if (c.choice[ADD]) c.before[0] = calloc((size_t)bins, hd_type_size(out_type));
    hostile_run(h, &c);
}
