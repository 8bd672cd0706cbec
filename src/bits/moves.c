// SPDX-License-Identifier: Apache-2.0
// Conversions, gather, scatter (also combined by every operator), find, adjacent difference.
#include "call.h"
#include "families.h"

// ---- Conversion ---------------------------------------------------------------------------------

static void convert(bits_call *c)
{
    const hd_view in = bits_in(c), out = bits_out(c, c->what->out, c->n);
    if (bits_did(c, hd_map(c->ctx, in, NULL, out, NULL))) bits_gives(c, out);
}

static void conversions(bits_list *list)
{
    static const bits_values floats[] = {BITS_WIDE, BITS_SPECIAL}, whole[] = {BITS_ORDINARY};
    for (EVERY_TYPE(type))
        for (EVERY_TYPE(out))
            for (int k = 0; k < (bits_is_float(type) ? 2 : 1); k++) {
                bits_case c = {.run = convert, .type = type, .out = out, .sizes = {40009, -1}};
                c.values = bits_is_float(type) ? floats[k] : whole[k];
                bits_add(list, c, "convert %s -> %s, %s", hd_type_name(type), hd_type_name(out),
                         bits_values_name(c.values));
            }
}

// ---- Gather and scatter -------------------------------------------------------------------------

// Some indices lie outside: the array has two elements fewer than they name.
static void gather(bits_call *c)
{
    const hd_view in = bits_in(c), index = bits_below(c, c->what->out, c->n + 2, c->n + c->n / 2);
    const hd_view out = bits_out(c, c->what->type, hd_count(index));
    int64_t bad = 0;
    if (!bits_did(c, hd_gather(c->ctx, in, index, out,
                               &(hd_gather_options){.bad = HD_REF(HD_VIEW(&bad, 1))})))
        return;
    bits_gives(c, out);
    bits_number(c, bad);
}

static void gather_slices(bits_call *c)
{
    const int64_t w = c->n / 7;
    const hd_view in = bits_plane(c, c->what->type, c->what->values, 7, w);
    const hd_view index = bits_below(c, HD_I32, w + 1, 11), out = bits_out_plane(c, in.type, 7, 11);
    if (bits_did(c, hd_gather(c->ctx, in, index, out, &(hd_gather_options){.axis = HD_AXIS(1)})))
        bits_gives(c, out);
}

// About three elements to each destination; a few fall outside.
static void scatter(bits_call *c)
{
    const int64_t m = c->n / 3 + 1;
    const hd_view in = bits_in(c),
                  index = bits_below(c, c->what->way ? HD_I64 : HD_I32, m + 1, c->n);
    const hd_view out = bits_input(c, c->what->out, BITS_UNITS, m);
    int64_t bad = 0;
    if (!bits_did(c, hd_scatter(c->ctx, in, index, out,
                                &(hd_scatter_options){.combine = c->what->op,
                                                      .bad = HD_REF(HD_VIEW(&bad, 1)),
                                                      .accumulate =
                                                          c->what->way == 2 ? HD_F64 : HD_NONE})))
        return;
    bits_gives(c, out);
    bits_number(c, bad);
}

static void scatters(bits_list *list)
{
    const hd_operator *op;
    for (EVERY_TYPE(type))
        bits_add(list,
                 (bits_case){.run = scatter, .type = type, .out = type, .sizes = {33, 70001, -1}},
                 "scatter %s", hd_type_name(type));
    for (int32_t k = 0; (op = hd_operator_at(k)) != NULL; k++)
        for (EVERY_TYPE(type)) {
            bits_case c = {.run = scatter, .op = op, .type = type, .values = BITS_CANCEL};
            c.out = hd_default_output(op, type);
            if (c.out == HD_NONE) continue;
            c.sizes[0] = 20011, c.sizes[1] = -1;
            for (c.way = 1; bits_with_options(op, type) && c.way <= 2; c.way++)
                bits_add(list, c, "scatter combined by %s, %s -> %s, cancel%s",
                         hd_operator_name(op), hd_type_name(type), hd_type_name(c.out),
                         c.way == 2 ? ", accumulated in f64" : "");
        }
}

// ---- Find and difference ------------------------------------------------------------------------

enum { FIRST, LAST, EQUAL, LAST_EQUAL };

static void find(bits_call *c)
{
    const int32_t way = c->what->way;
    hd_view in = bits_in(c);
    if (in.data == NULL) return;
    // The first and the last quarter hold nothing to be found.
    const size_t quarter = hd_type_size(in.type) * (size_t)(c->n / 4);
    for (size_t k = 0; way < EQUAL && k < quarter; k++)
        ((char *)in.data)[k] = 0,
               ((char *)in.data)[hd_type_size(in.type) * (size_t)c->n - 1 - k] = 0;
    const hd_view value = bits_input(c, in.type, c->what->values, 9);
    int64_t at = 0;
    const hd_find_options options = {.value = way >= EQUAL ? value.data : NULL,
                                     .last = way == LAST || way == LAST_EQUAL};
    if (bits_did(c, hd_find(c->ctx, in, HD_VIEW(&at, 1), &options))) bits_number(c, at);
}

static void finds(bits_list *list)
{
    static const char *const words[] = {"first not zero", "last not zero", "first equal",
                                        "last equal"};
    for (EVERY_TYPE(type))
        for (int32_t w = FIRST; w <= LAST_EQUAL; w++)
            bits_add(list,
                     (bits_case){.run = find,
                                 .type = type,
                                 .way = w,
                                 .values = BITS_TIES,
                                 .sizes = {33, 4099, 100003, -1}},
                     "find %s, %s", words[w], hd_type_name(type));
}

static void difference(bits_call *c)
{
    const bool axis = c->what->way == 2;
    hd_view in = axis ? bits_plane(c, c->what->type, c->what->values, 7, c->n / 7) : bits_in(c);
    hd_view out = bits_out(c, in.type, hd_count(in));
    if (axis) out = hd_view_nd(in.type, out.data, 2, in.shape, NULL);
    const hd_difference_options options = {.axis = axis ? HD_AXIS(1) : 0,
                                           .before = c->what->way == 1 ? bits_one(in.type) : NULL};
    if (bits_did(c, hd_difference(c->ctx, in, out, &options))) bits_gives(c, out);
}

static void differences(bits_list *list)
{
    static const char *const words[] = {"", ", before", ", axis 1 of (7, n/7)"};
    for (EVERY_TYPE(type))
        for (int v = 0; v <= (bits_is_float(type) ? BITS_CANCEL : 0); v++)
            for (int32_t w = 0; w < (v == 0 ? 3 : 1); w++)
                bits_add(list,
                         (bits_case){.run = difference,
                                     .type = type,
                                     .way = w,
                                     .values = (bits_values)v,
                                     .sizes = {33, 40009, -1}},
                         "difference %s, %s%s", hd_type_name(type),
                         bits_values_name((bits_values)v), words[w]);
}

void bits_moves(bits_list *list)
{
    conversions(list);
    for (EVERY_TYPE(type)) {
        bits_case c = {.run = gather,
                       .type = type,
                       .out = HD_I32,
                       .values = BITS_SPECIAL,
                       .sizes = {33, 40009, -1}};
        for (hd_type index = HD_I16; index <= HD_U64; index++) {
            c.out = index;
            if (index == HD_I32 || (type == HD_F32 && index != HD_U8 && index != HD_I16))
                bits_add(list, c, "gather %s by %s", hd_type_name(type), hd_type_name(index));
        }
        c.run = gather_slices;
        bits_add(list, c, "gather %s, slices of axis 1 of (7, n/7)", hd_type_name(type));
    }
    scatters(list);
    finds(list);
    differences(list);
}
