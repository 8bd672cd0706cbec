// SPDX-License-Identifier: Apache-2.0
// Scans: every operator that there is, of every type; then with options and pairs of options.
#include "call.h"
#include "families.h"

enum {
    EXCLUSIVE = 1,
    BACKWARD = 2,
    INIT = 4,
    SEGMENTS = 8,
    KEYS = 16,
    ROWS = 32,
    COLUMNS = 64,
    CARRY = 128,
    IN_F64 = 256,
    RESIDUAL = 512,
    BOUND = 1024,
    MONOTONE = 2048
};
typedef struct way {
    int32_t options;
    const char *words;
} way;
static const way ways[] = {
    {EXCLUSIVE, ", exclusive"},
    {BACKWARD, ", backward"},
    {EXCLUSIVE | BACKWARD | INIT, ", exclusive, backward, init"},
    {INIT, ", init"},
    {SEGMENTS, ", segments"},
    {SEGMENTS | EXCLUSIVE | INIT, ", segments, exclusive, init"},
    {SEGMENTS | BACKWARD, ", segments, backward"},
    {KEYS, ", keys"},
    {KEYS | EXCLUSIVE | BACKWARD, ", keys, exclusive, backward"},
    {ROWS, ", axis 1 of (7, n/7)"},
    {COLUMNS | EXCLUSIVE, ", axis 0 of (n/7, 7), exclusive"},
    {CARRY, ", carry over pieces"},
    {CARRY | EXCLUSIVE, ", carry over pieces, exclusive"},
    {IN_F64, ", accumulated in f64"},
    {RESIDUAL, ", residual"},
    {BOUND, ", bound"},
    {MONOTONE, ", monotone"},
    {MONOTONE | SEGMENTS | BACKWARD, ", monotone, segments, backward"},
};

static bool gives_index(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

static hd_scan_options options_of(bits_call *c)
{
    const int32_t way = c->what->way;
    hd_scan_options o = {.exclusive = (way & EXCLUSIVE) != 0, .backward = (way & BACKWARD) != 0};
    if (way & INIT) o.init = bits_one(c->what->out);
    o.segments = way & SEGMENTS ? bits_keep(c, bits_offsets(c)) : NULL;
    o.keys = way & KEYS ? bits_keep(c, bits_keys(c, HD_I32)) : NULL;
    if (way & ROWS) o.axis = HD_AXIS(1);
    if (way & COLUMNS) o.axis = HD_AXIS(0);
    if (way & MONOTONE) o.monotone = true;
    if (way & IN_F64) o.accumulate = HD_F64;
    o.residual = way & RESIDUAL ? bits_keep(c, bits_out(c, c->what->out, c->n)) : NULL;
    o.bound = way & BOUND ? bits_keep(c, bits_out(c, HD_F64, c->n)) : NULL;
    return o;
}

// Rows and columns have two axes; what does not fill the last row is left out.
static hd_view shaped(const bits_call *c, hd_view v)
{
    const int32_t way = c->what->way;
    if (!(way & (ROWS | COLUMNS))) return v;
    const int64_t rows = way & ROWS ? 7 : c->n / 7, columns = way & ROWS ? c->n / 7 : 7;
    return hd_view_nd(v.type, v.data, 2, (int64_t[]){rows, columns}, NULL);
}

static void scan(bits_call *c)
{
    const bool index = gives_index(c->what->op);
    const hd_view in = shaped(c, bits_in(c)), out = shaped(c, bits_out(c, c->what->out, c->n));
    hd_scan_options options = options_of(c);
    hd_view second;
    if (c->what->op == HD_DOT)
        second = shaped(c, bits_in(c)), options.with = (hd_views){&second, 1};
    options.values = index ? HD_REF(shaped(c, bits_out(c, c->what->type, c->n))) : NULL;
    if (!bits_did(c, hd_scan(c->ctx, in, c->what->op, out, &options))) return;
    bits_gives(c, out);
    if (index) bits_gives(c, *options.values);
    if (c->what->way & RESIDUAL) bits_gives(c, *options.residual);
    if (c->what->way & BOUND) bits_gives(c, *options.bound);
}

static void scan_chunks(bits_call *c)
{
    const int64_t cut[] = {0, c->n / 3, c->n / 3 + c->n / 5, c->n};
    const hd_view in = bits_in(c), out = bits_out(c, c->what->out, c->n);
    hd_scan_options options = options_of(c);
    if (!bits_did(c, hd_carry_open(c->ctx, &options.carry))) return;
    for (int k = 0; k < 3; k++) {
        const int64_t count = cut[k + 1] - cut[k];
        bits_did(c, hd_scan(c->ctx, hd_slice(in, 0, cut[k], count, 1), c->what->op,
                            hd_slice(out, 0, cut[k], count, 1), &options));
    }
    hd_carry_close(c->ctx, options.carry);
    bits_gives(c, out);
}

static void add(bits_list *list, bits_case c, const char *more)
{
    c.run = c.way & CARRY ? scan_chunks : scan;
    bits_add(list, c, "scan %s %s -> %s, %s%s", hd_operator_name(c.op), hd_type_name(c.type),
             hd_type_name(c.out), bits_values_name(c.values), more);
}

static void add_plain(bits_list *list, const hd_operator *op, hd_type type, hd_type out)
{
    static const bits_values kinds[] = {BITS_WIDE, BITS_SPECIAL, BITS_CANCEL, BITS_OFFSET};
    bits_case c = {.op = op, .type = type, .out = out, .sizes = {1, 33, 4099, 40009, -1}};
    add(list, c, "");
    c.sizes[0] = 1031, c.sizes[1] = -1;
    for (size_t k = 0; bits_is_float(type) && k < sizeof kinds / sizeof *kinds; k++) {
        c.values = kinds[k];
        add(list, c, "");
    }
}

static void add_ways(bits_list *list, const hd_operator *op, hd_type type, hd_type out)
{
    bits_case c = {.op = op, .type = type, .out = out, .sizes = {1031, -1}};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        c.way = ways[w].options;
        add(list, c, ways[w].words);
    }
}

// The usual output, and its own type where that is another one.
void bits_scans(bits_list *list)
{
    const hd_operator *op;
    for (int32_t k = 0; (op = hd_operator_at(k)) != NULL; k++)
        for (EVERY_TYPE(type)) {
            const hd_type usual = hd_default_output(op, type);
            if (usual == HD_NONE) continue;
            add_plain(list, op, type, usual);
            if (usual != type) add_plain(list, op, type, type);
            if (bits_with_options(op, type)) add_ways(list, op, type, usual);
        }
}
