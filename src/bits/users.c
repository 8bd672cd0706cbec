// SPDX-License-Identifier: Apache-2.0
// Operators and functions as users write them: with products beside sums, which must stay
// uncontracted, and without commutativity.
#include "call.h"
#include "families.h"

HD_SOURCE(
    bits_affine_text, typedef struct { float slope, shift; } bits_affine;)
HD_OPERATOR(bits_compose, bits_affine, bits_affine_text, HD_ASSOCIATIVE, {
    bits_affine c;
    c.slope = a.slope * b.slope;
    c.shift = a.shift * b.slope + b.shift;
    return c;
})

HD_FUNCTION(bits_axpy_f32, float, HD_NO_SOURCE, (float, a, float, b), { return a * 3.0f + b; })
HD_FUNCTION(bits_axpy_f64, double, HD_NO_SOURCE, (double, a, double, b), { return a * 3.0 + b; })
HD_FUNCTION(bits_horner_f64, double, HD_NO_SOURCE, (double, x),
            { return ((x * 0.25 - 1.0) * x + 0.5) / (x * x + 1.0); })
HD_SOURCE(
    bits_line_text, typedef struct { float slope, shift; } bits_line;)
HD_FUNCTION_STATE(bits_on_line, float, bits_line_text, (float, x), bits_line,
                  { return x * state->slope + state->shift; })
HD_OPERATOR_STATE(bits_damped, float, HD_NO_SOURCE, HD_ASSOCIATIVE, float,
                  { return a + b - a * b * *state; })
HD_FUNCTION(bits_product_f32, float, HD_NO_SOURCE, (float, a, float, b), { return a * b; })
HD_FUNCTION(bits_product_f64, double, HD_NO_SOURCE, (double, a, double, b), { return a * b; })

static void reduce_affine(bits_call *c)
{
    hd_view in = bits_input(c, HD_F32, c->what->values, 2 * c->n), out = bits_out(c, HD_F32, 2);
    const hd_type pair = HD_STRUCT(bits_affine);
    if (bits_did(c, hd_reduce(c->ctx, hd_view_of(pair, in.data, c->n), bits_compose,
                              hd_view_of(pair, out.data, 1), NULL)))
        bits_gives(c, out);
}

static void scan_affine(bits_call *c)
{
    hd_view in = bits_input(c, HD_F32, c->what->values, 2 * c->n);
    const hd_view out = bits_out(c, HD_F32, 2 * c->n), offsets = bits_offsets(c);
    const hd_type pair = HD_STRUCT(bits_affine);
    const hd_scan_options options = {.backward = c->what->way == 1,
                                     .segments = HD_REF(c->what->way == 2 ? offsets : HD_EMPTY)};
    if (bits_did(c, hd_scan(c->ctx, hd_view_of(pair, in.data, c->n), bits_compose,
                            hd_view_of(pair, out.data, c->n), &options)))
        bits_gives(c, out);
}

// The sum or the product of complex numbers, whole and running.
static void complex_numbers(bits_call *c)
{
    const hd_type type = c->what->type, whole = type == HD_F64 ? HD_C128 : HD_C64;
    const hd_operator *op = c->what->way == 0 ? HD_SUM : HD_PRODUCT;
    hd_view in = bits_input(c, type, c->what->values, 2 * c->n);
    const hd_view total = bits_out(c, type, 2), out = bits_out(c, type, 2 * c->n);
    const hd_view z = hd_view_of(whole, in.data, c->n);
    bits_did(c, hd_reduce(c->ctx, z, op, hd_view_of(whole, total.data, 1), NULL));
    bits_did(c, hd_scan(c->ctx, z, op, hd_view_of(whole, out.data, c->n), NULL));
    bits_gives(c, total);
    bits_gives(c, out);
}

static void map_two(bits_call *c)
{
    const bool wide = c->what->type == HD_F64;
    const hd_view a = bits_in(c), b = bits_in(c), out = bits_out(c, c->what->type, c->n);
    if (bits_did(c, hd_map(c->ctx, a, wide ? bits_axpy_f64 : bits_axpy_f32, out,
                           &(hd_map_options){.with = HD_VIEWS(b)})))
        bits_gives(c, out);
}

static void map_one(bits_call *c)
{
    const hd_view a = bits_in(c), out = bits_out(c, HD_F64, c->n);
    if (bits_did(c, hd_map(c->ctx, a, bits_horner_f64, out, NULL))) bits_gives(c, out);
}

// Texts with a state: a map, and the tree of an operator.
static void map_state(bits_call *c)
{
    const bits_line line = {3.0f, 0.1f};
    const hd_view a = bits_in(c), out = bits_out(c, HD_F32, c->n);
    if (bits_did(c, hd_map(c->ctx, a, HD_WITH_STATE(bits_on_line, &line), out, NULL)))
        bits_gives(c, out);
}

static void reduce_state(bits_call *c)
{
    const float damping = 0.75f;
    const hd_view a = bits_in(c), out = bits_out(c, HD_F32, 1);
    if (bits_did(c, hd_reduce(c->ctx, a, HD_WITH_STATE(bits_damped, &damping), out, NULL)))
        bits_gives(c, out);
}

// A dot product and its running sums: a function fused into the tree.
static void fused(bits_call *c)
{
    const hd_function *f = c->what->type == HD_F64 ? bits_product_f64 : bits_product_f32;
    const hd_view a = bits_in(c), b = bits_in(c);
    const hd_view total = bits_out(c, c->what->type, 1), out = bits_out(c, c->what->type, c->n);
    bits_did(c, hd_reduce(c->ctx, a, HD_SUM, total,
                          &(hd_reduce_options){.map = f, .with = HD_VIEWS(b)}));
    bits_did(c, hd_scan(c->ctx, a, HD_SUM, out, &(hd_scan_options){.map = f, .with = HD_VIEWS(b)}));
    bits_gives(c, total);
    bits_gives(c, out);
}

void bits_users(bits_list *list)
{
    static const char *const words[] = {"", ", backward", ", segments"};
    for (int v = 0; v <= BITS_UNITS; v++) {
        const char *values = bits_values_name((bits_values)v);
        bits_case c = {.values = (bits_values)v, .sizes = {1, 33, 4099, 70001, -1}};
        c.run = reduce_affine, bits_add(list, c, "reduce user's affine f32, %s", values);
        c.run = scan_affine;
        for (c.way = 0; c.way < 3; c.way++)
            bits_add(list, c, "scan user's affine f32, %s%s", values, words[c.way]);
        c.way = 0, c.type = HD_F32;
        c.run = reduce_state;
        bits_add(list, c, "reduce user's damped sum with a state f32, %s", values);
        c.run = map_state, bits_add(list, c, "map user's line with a state f32, %s", values);
        c.type = HD_F64;
        c.run = map_one, bits_add(list, c, "map user's polynomial f64, %s", values);
        for (c.type = HD_F32; c.type <= HD_F64; c.type++) {
            c.run = map_two;
            bits_add(list, c, "map user's axpy %s, %s", hd_type_name(c.type), values);
            c.run = fused;
            bits_add(list, c, "reduce and scan sum of user's product %s, %s", hd_type_name(c.type),
                     values);
            c.run = complex_numbers;
            for (c.way = 0; c.way < 2; c.way++)
                bits_add(list, c, "reduce and scan %s %s, %s", c.way == 0 ? "sum" : "product",
                         c.type == HD_F64 ? "c128" : "c64", values);
        }
    }
}
