// SPDX-License-Identifier: Apache-2.0
// Reductions: every operator that there is, of every type, into every type it accepts; then with
// options.
#include "call.h"
#include "families.h"

typedef enum way {
    PLAIN,
    INIT,
    DDOF,
    IN_F64,
    RESIDUAL,
    BOUND,
    SEGMENTS,
    KEYS,
    ROWS,
    COLUMNS,
    MIDDLE,
    CARRY,
    WAYS
} way;
static const char *const words[WAYS] = {"",
                                        ", init",
                                        ", ddof 1",
                                        ", accumulated in f64",
                                        ", residual",
                                        ", bound",
                                        ", segments",
                                        ", keys",
                                        ", axis 1 of (7, n/7)",
                                        ", axis 0 of (n/7, 7)",
                                        ", axis 1 of (3, n/15, 5)",
                                        ", carry over pieces"};

// Where the operator gives an index, its value belongs to the result.
static bool gives_index(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

static hd_view shaped_as(hd_view like, hd_view v)
{
    return hd_view_nd(v.type, v.data, like.ndim, like.shape, NULL);
}

static void call_with(bits_call *c, hd_view in, hd_view out, hd_reduce_options options)
{
    const bits_case *what = c->what;
    const int64_t outs = hd_count(out);
    hd_view second;
    options.values =
        gives_index(what->op) ? HD_REF(shaped_as(out, bits_out(c, what->type, outs))) : NULL;
    options.residual =
        what->way == RESIDUAL ? HD_REF(shaped_as(out, bits_out(c, what->out, outs))) : NULL;
    options.bound = what->way == BOUND ? HD_REF(shaped_as(out, bits_out(c, HD_F64, outs))) : NULL;
    if (what->op == HD_DOT) {
        second = shaped_as(in, bits_input(c, what->type, what->values, hd_count(in)));
        options.with = (hd_views){&second, 1};
    }
    if (!bits_did(c, hd_reduce(c->ctx, in, what->op, out, &options))) return;
    bits_gives(c, out);
    if (gives_index(what->op)) bits_gives(c, *options.values);
    if (what->way == RESIDUAL) bits_gives(c, *options.residual);
    if (what->way == BOUND) bits_gives(c, *options.bound);
}

static void of_everything(bits_call *c)
{
    const bits_case *what = c->what;
    const hd_reduce_options options = {.init = what->way == INIT ? bits_one(what->out) : NULL,
                                       .ddof = what->way == DDOF,
                                       .accumulate = what->way == IN_F64 ? HD_F64 : HD_NONE};
    const hd_view in = bits_in(c);
    call_with(c, in, bits_out(c, what->out, 1), options);
}

static void of_segments(bits_call *c)
{
    const hd_view in = bits_in(c), offsets = bits_offsets(c);
    const int64_t segments = hd_count(offsets) < 1 ? 0 : hd_count(offsets) - 1;
    call_with(c, in, bits_out(c, c->what->out, segments),
              (hd_reduce_options){.segments = HD_REF(offsets)});
}

static void of_keys(bits_call *c)
{
    const hd_view in = bits_in(c), keys = bits_keys(c, HD_U16);
    const hd_view keys_out = bits_out(c, HD_U16, c->n);
    int64_t runs = 0;
    call_with(c, in, bits_out(c, c->what->out, c->n),
              (hd_reduce_options){.keys = HD_REF(keys),
                                  .keys_out = HD_REF(keys_out),
                                  .runs = HD_REF(HD_VIEW(&runs, 1))});
    bits_gives(c, keys_out);
    bits_number(c, runs);
}

static void along_axis(bits_call *c)
{
    const bool middle = c->what->way == MIDDLE, columns = c->what->way == COLUMNS;
    const int64_t m = middle ? c->n / 15 : c->n / 7;
    const int64_t shape[] = {middle ? 3 : columns ? m : 7, middle || !columns ? m : 7, 5};
    hd_view in = bits_in(c);
    in = hd_view_nd(in.type, in.data, middle ? 3 : 2, shape, NULL);
    const hd_view out =
        middle ? bits_out_plane(c, c->what->out, 3, 5) : bits_out(c, c->what->out, 7);
    call_with(c, in, out, (hd_reduce_options){.axis = columns ? HD_AXIS(0) : HD_AXIS(1)});
}

static void of_pieces(bits_call *c)
{
    const int64_t cut[] = {0, c->n / 3, c->n / 3 + c->n / 5, c->n};
    const hd_view in = bits_in(c);
    hd_carry *carry = NULL;
    if (!bits_did(c, hd_carry_open(c->ctx, &carry))) return;
    for (int k = 0; k < 3; k++)
        call_with(c, hd_slice(in, 0, cut[k], cut[k + 1] - cut[k], 1), bits_out(c, c->what->out, 1),
                  (hd_reduce_options){.carry = carry});
    hd_carry_close(c->ctx, carry);
}

static void (*run_of(int32_t way))(bits_call *)
{
    switch (way) {
    case SEGMENTS: return of_segments;
    case KEYS: return of_keys;
    case ROWS:
    case COLUMNS:
    case MIDDLE: return along_axis;
    case CARRY: return of_pieces;
    default: return of_everything;
    }
}

static void add(bits_list *list, bits_case c)
{
    c.run = run_of(c.way);
    bits_add(list, c, "reduce %s %s -> %s, %s%s", hd_operator_name(c.op), hd_type_name(c.type),
             hd_type_name(c.out), bits_values_name(c.values), words[c.way]);
}

// Operators that choose an element, or ask for zeros, do not round.
static bool rounds(const hd_operator *op)
{
    return !gives_index(op) && op != HD_MIN && op != HD_MAX && op != HD_ALL && op != HD_ANY;
}

// Where operators do not round, and for integers, the kinds that matter are fewer.
static bool matters(const hd_operator *op, hd_type type, bits_values values)
{
    if (!bits_is_float(type)) return values == BITS_TIES;
    if (!rounds(op)) return values == BITS_SPECIAL || values == BITS_TIES || values == BITS_TINY;
    return values != BITS_POSITIVE;
}

static void add_plain(bits_list *list, const hd_operator *op, hd_type type, hd_type out)
{
    bits_case c = {.op = op, .type = type, .out = out, .sizes = {4099, -1}};
    if (out != hd_default_output(op, type)) {
        const bool few = type == HD_U8 || type == HD_I32 || bits_is_float(type);
        if (op == HD_SUM || few) add(list, c);
        return;
    }
    add(list,
        (bits_case){.op = op, .type = type, .out = out, .sizes = {0, 1, 31, 4099, 100003, -1}});
    c.sizes[0] = 7, c.sizes[1] = 1031, c.sizes[2] = -1;
    for (int v = BITS_WIDE; v < BITS_VALUES_COUNT; v++) {
        c.values = (bits_values)v;
        if (matters(op, type, c.values)) add(list, c);
    }
}

void bits_reduces(bits_list *list)
{
    const hd_operator *op;
    for (int32_t k = 0; (op = hd_operator_at(k)) != NULL; k++)
        for (EVERY_TYPE(type)) {
            const hd_type usual = hd_default_output(op, type);
            if (usual == HD_NONE) continue;
            for (EVERY_TYPE(out)) add_plain(list, op, type, out);
            for (int32_t w = INIT; bits_with_options(op, type) && w < WAYS; w++)
                if (w != DDOF || op == HD_VARIANCE)
                    add(list,
                        (bits_case){
                            .op = op, .type = type, .out = usual, .way = w, .sizes = {1031, -1}});
        }
}
