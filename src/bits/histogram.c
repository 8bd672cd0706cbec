// SPDX-License-Identifier: Apache-2.0
// Histograms: every rule of bins, counts and sums of weights.
#include "call.h"
#include "families.h"

enum { BINS = 37 };
typedef enum way { EVEN, CLAMPED, EDGES, WHOLE, LETTERS, TWO, TENTHS } way;

// Edges that rise by formula: -1, then steps of up to 1/8.
static hd_view edges_of(bits_call *c)
{
    const hd_view v = bits_out(c, HD_F64, BINS + 1);
    double at = -1;
    c->inputs++;
    for (int64_t k = 0; v.data != NULL && k <= BINS; k++) {
        ((double *)v.data)[k] = at;
        at += (double)(1 + bits_random(c->inputs, k) % 1024) / 8192; // exact
    }
    return v;
}

static hd_histogram_options rule_of(bits_call *c, int64_t *outside)
{
    hd_histogram_options o = {.outside = bits_keep(c, HD_VIEW(outside, 1))};
    switch (c->what->way) {
    case CLAMPED:
        o.clamp = true; // fall through: even as well
        // fall through
    case EVEN:
    case TWO: o.even = true, o.lower = -0.75, o.upper = 1.0; break;
    case TENTHS: o.even = true, o.lower = 0.0, o.upper = 1.0; break;
    case EDGES: o.edges = bits_keep(c, edges_of(c)); break;
    case LETTERS: o.letters = 3; break;
    default: o.first = 3; break;
    }
    return o;
}

static void counts(bits_call *c)
{
    const bool two = c->what->way == TWO;
    int64_t outside = 0;
    const hd_view in = bits_in(c), second = bits_below(c, HD_I32, 6, c->n);
    const hd_view out = two ? bits_out_plane(c, HD_I64, BINS, 5)
                            : bits_out(c, HD_I64, c->what->way == LETTERS ? 9 : BINS);
    hd_histogram_options options = rule_of(c, &outside);
    options.second = two ? HD_REF(second) : NULL;
    if (!bits_did(c, hd_histogram(c->ctx, in, out, &options))) return;
    bits_gives(c, out);
    bits_number(c, outside);
}

// Tenths of whole numbers lie on the edges of ten bins, or beside them.
static void tenths(bits_call *c)
{
    const hd_view in = bits_out(c, HD_F64, c->n), out = bits_out(c, HD_I32, 10);
    int64_t outside = 0;
    hd_histogram_options options = rule_of(c, &outside);
    for (int64_t i = 0; in.data != NULL && i < c->n; i++)
        ((double *)in.data)[i] = (double)(i % 101) / 100;
    if (bits_did(c, hd_histogram(c->ctx, in, out, &options))) bits_gives(c, out);
}

// way: 1 adds to what out holds, 2 accumulates in f64.
static void weighted(bits_call *c)
{
    const hd_view in = bits_below(c, HD_U16, BINS + 5, c->n), weights = bits_in(c);
    const hd_view out = bits_input(c, c->what->out, BITS_UNITS, BINS);
    const hd_histogram_options options = {.first = 2,
                                          .weights = HD_REF(weights),
                                          .add = c->what->way == 1,
                                          .accumulate = c->what->way == 2 ? HD_F64 : HD_NONE,
                                          .sum = c->what->op};
    if (bits_did(c, hd_histogram(c->ctx, in, out, &options))) bits_gives(c, out);
}

static void add_counts(bits_list *list)
{
    static const char *const rules[] = {
        "even bins", "even bins, clamped", "edges", "whole numbers", "letters", "two axes"};
    for (EVERY_TYPE(type))
        for (int32_t w = EVEN; w <= TWO; w++)
            bits_add(list,
                     (bits_case){.run = counts,
                                 .type = type,
                                 .way = w,
                                 .values = bits_is_float(type) ? BITS_SPECIAL
                                           : w == LETTERS      ? BITS_ORDINARY
                                                               : BITS_POSITIVE,
                                 .sizes = {33, 40009, -1}},
                     "histogram %s, %s", hd_type_name(type), rules[w]);
    bits_add(list, (bits_case){.run = tenths, .way = TENTHS, .sizes = {101, 4099, -1}},
             "histogram f64, hundredths into tenths");
}

static void add_weighted(bits_list *list, const hd_operator *sum, hd_type type, hd_type out)
{
    static const char *const words[] = {"", ", add", ", accumulated in f64"};
    bits_case c = {.run = weighted, .op = sum, .type = type, .out = out, .values = BITS_CANCEL};
    c.sizes[0] = 40009, c.sizes[1] = -1;
    for (c.way = 0; c.way < 3; c.way++)
        bits_add(list, c, "histogram u16, %s of weights %s -> %s, cancel%s", hd_operator_name(sum),
                 hd_type_name(type), hd_type_name(out), words[c.way]);
}

void bits_histograms(bits_list *list)
{
    add_counts(list);
    for (EVERY_TYPE(type)) {
        const hd_type usual = hd_default_output(HD_SUM, type);
        add_weighted(list, HD_SUM, type, usual);
        if (usual != HD_F64) add_weighted(list, HD_SUM, type, HD_F64);
        if (bits_is_float(type)) add_weighted(list, HD_SUM_COMPENSATED, type, usual);
    }
}
