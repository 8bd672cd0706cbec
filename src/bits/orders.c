// SPDX-License-Identifier: Apache-2.0
// Merge, search, top-k, and sorts by a comparison of the user's.
#include "call.h"
#include "families.h"

HD_COMPARISON(bits_by_size_f64, double, HD_NO_SOURCE, { return a * a < b * b; })
HD_COMPARISON(bits_by_last_digit, int32_t, HD_NO_SOURCE, { return a % 10 < b % 10; })

// The next input by formula, sorted. Sorting is another case's business.
static hd_view sorted(bits_call *c, int64_t n, bool down)
{
    const hd_view v = bits_input(c, c->what->type, c->what->values, n);
    bits_did(c, hd_sort(c->ctx, v, v, HD_NO_VALUES, &(hd_sort_options){.descending = down}));
    return v;
}

static void merge(bits_call *c)
{
    const bool down = c->what->way == 1;
    const int64_t m = c->n / 3;
    const hd_view a = sorted(c, c->n, down), b = sorted(c, m, down);
    const hd_view av = bits_below(c, HD_I32, 1000000, c->n), bv = bits_below(c, HD_I32, 1000000, m);
    const hd_view out = bits_out(c, a.type, c->n + m), ov = bits_out(c, HD_I32, c->n + m);
    const hd_merge_options options = {.descending = down};
    if (!bits_did(c, hd_merge(c->ctx, a, b, out, HD_VALUES(av, bv, ov), &options))) return;
    bits_gives(c, out);
    bits_gives(c, ov);
}

static void search(bits_call *c)
{
    const bool down = c->what->way == 2;
    const hd_view in = sorted(c, c->n, down), queries = bits_in(c), out = bits_out(c, HD_I64, c->n);
    const hd_search_options options = {.descending = down, .right = c->what->way == 1};
    if (bits_did(c, hd_search(c->ctx, in, queries, out, &options))) bits_gives(c, out);
}

static void top_k(bits_call *c)
{
    const int64_t k = c->n < 50 ? c->n / 2 : 50;
    const hd_view in = bits_in(c), values = bits_out(c, in.type, k),
                  indices = bits_out(c, HD_I64, k);
    if (!bits_did(c, hd_top_k(c->ctx, in, k, values, HD_NO_VALUES,
                              &(hd_top_k_options){.ascending = c->what->way == 1,
                                                  .indices = HD_REF(indices)})))
        return;
    bits_gives(c, values);
    bits_gives(c, indices);
}

static void sort_by(bits_call *c)
{
    const hd_view in = bits_in(c), out = bits_out(c, in.type, c->n),
                  indices = bits_out(c, HD_I32, c->n);
    const hd_comparison *order = in.type == HD_F64 ? bits_by_size_f64 : bits_by_last_digit;
    if (!bits_did(c, hd_sort(c->ctx, in, out, HD_NO_VALUES,
                             &(hd_sort_options){.comparison = order, .indices = HD_REF(indices)})))
        return;
    bits_gives(c, out);
    bits_gives(c, indices);
}

void bits_orders(bits_list *list)
{
    static const char *const ways[] = {"", ", descending"},
                             *const sides[] = {", left", ", right", ", descending"},
                             *const ends[] = {", greatest", ", smallest"};
    for (EVERY_TYPE(type)) {
        const char *name = hd_type_name(type);
        bits_case c = {.type = type,
                       .values = bits_is_float(type) ? BITS_SPECIAL : BITS_ORDINARY,
                       .sizes = {33, 20011, -1}};
        for (c.way = 0; c.way < 2; c.way++) {
            c.run = merge, bits_add(list, c, "merge %s%s", name, ways[c.way]);
            c.run = top_k, bits_add(list, c, "top-k %s%s", name, ends[c.way]);
        }
        c.run = search;
        for (c.way = 0; c.way < 3; c.way++) bits_add(list, c, "search %s%s", name, sides[c.way]);
    }
    bits_add(list, (bits_case){.run = sort_by, .type = HD_F64, .sizes = {33, 20011, -1}},
             "sort by magnitude f64");
    bits_add(list, (bits_case){.run = sort_by, .type = HD_I32, .sizes = {33, 20011, -1}},
             "sort by last digit i32");
}
