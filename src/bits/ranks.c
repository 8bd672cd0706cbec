// SPDX-License-Identifier: Apache-2.0
// Elements by rank, quantiles, set operations, windows, and runs by a comparison.
#include "call.h"
#include "families.h"

HD_COMPARISON(bits_by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

static void nth(bits_call *c)
{
    int64_t rank[4] = {c->n / 2, 0, c->n - 1, c->n / 3};
    const hd_view in = bits_in(c), out = bits_out(c, in.type, 4), indices = bits_out(c, HD_I64, 4);
    if (!bits_did(c, hd_nth(c->ctx, in, HD_VIEW(rank, 4), out,
                            &(hd_nth_options){.indices = bits_keep(c, indices),
                                              .descending = c->what->way == 1})))
        return;
    bits_gives(c, out);
    bits_gives(c, indices);
}

static void quantiles(bits_call *c)
{
    static const double p[5] = {0.5, 0, 1, 0.1, 0.75};
    const hd_view in = bits_in(c), out = bits_out(c, HD_F64, 5);
    const hd_quantiles_options options = {.method = c->what->way, .omit_nan = true};
    if (bits_did(c, hd_quantiles(c->ctx, in, HD_VIEW(p, 5), out, &options))) bits_gives(c, out);
}

static hd_view sorted(bits_call *c, int64_t n)
{
    const hd_view v = bits_input(c, c->what->type, c->what->values, n);
    bits_did(c, hd_sort(c->ctx, v, v, HD_NO_VALUES, NULL));
    return v;
}

static void set(bits_call *c)
{
    static hd_status (*const operations[])(hd_context *, hd_view, hd_view, hd_view, hd_view,
                                           const hd_set_options *) = {
        hd_set_union, hd_set_intersection, hd_set_difference, hd_set_symmetric_difference};
    const int64_t m = c->n / 3 * 2;
    const hd_view a = sorted(c, c->n), b = sorted(c, m), out = bits_out(c, a.type, c->n + m);
    int64_t count = 0;
    if (!bits_did(c, operations[c->what->way](c->ctx, a, b, out, HD_VIEW(&count, 1), NULL))) return;
    bits_number(c, count);
    bits_gives(c, hd_slice(out, 0, 0, count, 1));
}

static void slide(bits_call *c)
{
    const int64_t width = c->what->way == 0 ? 7 : 21;
    const hd_view in = bits_in(c),
                  out = bits_out(c, hd_default_output(c->what->op, in.type), c->n - width + 1);
    if (bits_did(c, hd_slide(c->ctx, in, c->what->op, width, out, NULL))) bits_gives(c, out);
}

static void runs(bits_call *c)
{
    const hd_view in = bits_below(c, HD_I32, 25, c->n), out = bits_out(c, HD_I32, c->n),
                  lengths = bits_out(c, HD_I32, c->n);
    int64_t count = 0;
    if (!bits_did(c, hd_run_lengths(c->ctx, in, out, lengths, HD_VIEW(&count, 1),
                                    &(hd_run_lengths_options){.comparison = bits_by_tens})))
        return;
    bits_number(c, count);
    bits_gives(c, hd_slice(out, 0, 0, count, 1));
    bits_gives(c, hd_slice(lengths, 0, 0, count, 1));
}

static void add_windows(bits_list *list, bits_case c, const char *name)
{
    static const char *const widths[] = {"width 7", "width 21"};
    const hd_operator *const operators[] = {HD_SUM, HD_MIN, HD_MEAN, HD_ARGMAX};
    c.run = slide;
    for (int k = 0; k < 4; k++)
        for (c.way = 0; c.way < 2; c.way++) {
            c.op = operators[k];
            if (hd_default_output(c.op, c.type) == HD_NONE) continue;
            bits_add(list, c, "slide %s %s, %s", hd_operator_name(c.op), name, widths[c.way]);
        }
}

void bits_ranks(bits_list *list)
{
    static const char *const methods[] = {"", ", lower", ", higher", ", nearest", ", midpoint"},
                             *const sets[] = {"union", "intersection", "difference",
                                              "symmetric difference"};
    for (EVERY_TYPE(type)) {
        const char *name = hd_type_name(type);
        bits_case c = {.type = type, .values = BITS_ORDINARY, .sizes = {33, 20011, -1}};
        add_windows(list, c, name);
        if (bits_is_float(type)) c.values = BITS_SPECIAL;
        c.run = nth;
        for (c.way = 0; c.way < 2; c.way++)
            bits_add(list, c, "nth %s%s", name, c.way == 0 ? "" : ", descending");
        c.run = set;
        for (c.way = 0; c.way < 4; c.way++) bits_add(list, c, "set %s %s", sets[c.way], name);
        c.run = quantiles;
        for (c.way = 0; c.way < 5 && type != HD_BOOL; c.way++)
            bits_add(list, c, "quantiles %s%s", name, methods[c.way]);
    }
    bits_add(list, (bits_case){.run = runs, .type = HD_I32, .sizes = {33, 20011, -1}},
             "run lengths i32 by a comparison");
}
