// SPDX-License-Identifier: Apache-2.0
//
// The same bits everywhere: 10,000 random calls, serial against cpu with random threads and
// instruction set; and tests/numerics/bits.def, a table of expected bits that every machine must
// reproduce. `test_bits --print` writes that table, from the reference alone.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

// ---- The table ------------------------------------------------------------------------------

typedef struct table_row {
    bool scan;
    const char *op, *type, *out_type;
    check_pattern pattern;
    int64_t n;
    uint64_t bits; // of the result; of a scan: a hash of all its outputs
} table_row;

static const table_row table[] = {
#define BITS(form, op, type, out_type, pattern, n, bits)                                           \
    {form, #op, #type, #out_type, pattern, n, bits},
#define REDUCE false
#define SCAN   true
#include "bits.def"
#undef BITS
};

// NaN has no promised bits: every one counts as all ones. FNV-1a over the elements.
static uint64_t hash(hd_type type, const void *out, int64_t n)
{
    const size_t size = hd_type_size(type);
    uint64_t h = 0xcbf29ce484222325u, element;
    for (int64_t i = 0; i < n; i++) {
        const char *at = (const char *)out + size * (size_t)i;
        element = 0;
        memcpy(&element, at, size);
        if (check_is_float(type) && ref_to_double(type, at) != ref_to_double(type, at))
            element = UINT64_MAX;
        if (n == 1) return element;
        h = (h ^ element) * 0x100000001b3u;
    }
    return h;
}

static uint64_t bits_of(const table_row *row, hd_context *ctx)
{
    const hd_operator *op = hd_operator_named(row->op);
    const hd_type type = hd_type_named(row->type), out_type = hd_type_named(row->out_type);
    const int64_t outs = row->scan ? row->n : 1;
    void *x = check_memory(8 * (size_t)row->n), *out = check_memory(8 * (size_t)outs);
    check_fill(type, x, row->n, row->pattern, (uint64_t)row->n + 1);
    const hd_view in = HD_VIEW_OF(type, x, row->n), to = HD_VIEW_OF(out_type, out, outs);
    if (!ctx && row->scan)
        ref_scan(op, type, x, row->n, out_type, out, NULL, NULL);
    else if (!ctx)
        ref_reduce(op, type, x, row->n, out_type, out, NULL, NULL);
    else
        CHECK_OK(ctx,
                 row->scan ? hd_scan(ctx, in, op, to, NULL) : hd_reduce(ctx, in, op, to, NULL));
    const uint64_t bits = hash(out_type, out, outs);
    free(x);
    free(out);
    return bits;
}

static void check_table(const check_target *targets, int count)
{
    const size_t rows = sizeof table / sizeof *table;
    CHECK(rows > 100, "only %zu rows in bits.def", rows);
    for (size_t k = 0; k < rows; k++)
        for (int t = -1; t < count; t++) {
            const uint64_t bits = bits_of(&table[k], t < 0 ? NULL : targets[t].ctx);
            CHECK(bits == table[k].bits,
                  "%s %s of %" PRId64 " %s as %s: 0x%" PRIx64 ", expected 0x%" PRIx64 " on %s",
                  table[k].scan ? "scan" : "reduce", table[k].op, table[k].n, table[k].type,
                  table[k].out_type, bits, table[k].bits,
                  t < 0 ? "the reference" : targets[t].name);
        }
}

static void print_row(table_row row)
{
    static const char *patterns[] = {"CHECK_ORDINARY", "CHECK_WIDE",  "CHECK_SPECIAL", "CHECK_TIES",
                                     "CHECK_ZEROS",    "CHECK_UNITS", "CHECK_LITTLE"};
    printf("BITS(%s, %s, %s, %s, %s, %" PRId64 ", 0x%" PRIx64 ")\n", row.scan ? "SCAN" : "REDUCE",
           row.op, row.type, row.out_type, patterns[row.pattern], row.n, bits_of(&row, NULL));
}

static void print_table(void)
{
    static const struct {
        const char *op, *type, *out_type;
        check_pattern pattern;
    } kinds[] = {
        {"sum", "f32", "f32", CHECK_ORDINARY},      {"sum", "f32", "f32", CHECK_WIDE},
        {"sum", "f32", "f64", CHECK_ORDINARY},      {"sum", "f64", "f64", CHECK_ORDINARY},
        {"sum", "f64", "f64", CHECK_WIDE},          {"sum", "f16", "f16", CHECK_ORDINARY},
        {"sum", "f16", "f32", CHECK_ORDINARY},      {"sum", "bf16", "bf16", CHECK_ORDINARY},
        {"sum", "i32", "f32", CHECK_ORDINARY},      {"product", "f32", "f32", CHECK_UNITS},
        {"product", "f64", "f64", CHECK_UNITS},     {"mean", "f32", "f32", CHECK_ORDINARY},
        {"mean", "f16", "f16", CHECK_ORDINARY},     {"mean", "u8", "f64", CHECK_ORDINARY},
        {"variance", "f32", "f32", CHECK_ORDINARY}, {"variance", "f64", "f64", CHECK_ORDINARY},
        {"variance", "i16", "f64", CHECK_ORDINARY}, {"variance", "i64", "f64", CHECK_ORDINARY},
        {"min", "f32", "f32", CHECK_SPECIAL},       {"max", "f16", "f16", CHECK_ZEROS},
        {"argmax", "f32", "i64", CHECK_TIES},       {"sum", "i8", "i64", CHECK_ORDINARY},
        {"xor", "u32", "u32", CHECK_ORDINARY}};
    static const int64_t sizes[] = {1, 7, 8, 9, 1000, 4097, 70001};
    printf("// SPDX-License-Identifier: Apache-2.0\n"
           "// Expected bits for fixed inputs, written by `test_bits --print`; included by "
           "test_bits.c.\n"
           "// BITS(form, operator, type, output, pattern, n, bits of the result or hash of the "
           "scan)\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int scan = 0; scan < 2; scan++)
                if (!scan || (sizes[s] > 8 && sizes[s] < 10000))
                    print_row((table_row){scan, kinds[k].op, kinds[k].type, kinds[k].out_type,
                                          kinds[k].pattern, sizes[s], 0});
}

// ---- Random calls ---------------------------------------------------------------------------

typedef struct random_case {
    const hd_operator *op;
    hd_type type, out_type;
    int64_t n, rows; // rows: of two dimensions, 0 for one
    check_pattern pattern;
    check_layout layout;
    int form; // 0 reduce, 1 scan, 2 and 3 with segments, 4 and 5 with keys, 6 and 7 along an axis
    bool exclusive, backward, at_front, axis_first, in_place;
    _Alignas(8) unsigned char init[8];
    bool with_init;
    int64_t *offsets, offset_count;
    int32_t *keys;
} random_case;

static int64_t random_size(uint64_t *state, int64_t number)
{
    if (number % 2000 == 1999 && !check_small()) return 4194304 + check_below(state, 9) - 4;
    const bool large = number % 50 == 0; // large enough for threads, under sanitizers too
    const int64_t power = check_below(state, check_small() ? (large ? 17 : 11) : large ? 19 : 16);
    const int64_t base = (int64_t)1 << power;
    return check_below(state, 3) ? base + check_below(state, base)
                                 : base + check_below(state, 3) - 1;
}

static hd_type random_output(uint64_t *state, const hd_operator *op, hd_type type)
{
    for (;;) {
        const hd_type out_type = check_type((int)check_below(state, 13));
        if (ref_accepts(op, type, out_type)) return out_type;
    }
}

static check_pattern random_pattern(uint64_t *state, const hd_operator *op)
{
    if (op == HD_PRODUCT && check_below(state, 4)) return CHECK_UNITS;
    return (check_pattern)check_below(state, CHECK_PATTERNS);
}

static random_case make_case(uint64_t *state, int64_t number)
{
    random_case c = {.op = hd_operator_at((int32_t)check_below(state, 13))};
    do {
        c.type = check_type((int)check_below(state, 13));
        if (check_below(state, 2))
            c.type = check_type(8 + (int)check_below(state, 4)); // floats more often
    } while (hd_default_output(c.op, c.type) == HD_NONE);
    c.out_type = random_output(state, c.op, c.type);
    c.n = random_size(state, number);
    c.pattern = random_pattern(state, c.op);
    c.form = check_below(state, 2) ? (int)check_below(state, 2) : (int)check_below(state, 8);
    c.layout = c.n > 300000
                   ? CHECK_DENSE
                   : (check_layout)check_below(state, c.form < 2 ? CHECK_LAYOUTS : CHECK_ROWS);
    c.exclusive = check_below(state, 2), c.backward = check_below(state, 3) == 0;
    c.at_front = check_below(state, 2), c.axis_first = check_below(state, 2);
    c.in_place = c.form % 2 && c.type == c.out_type && check_below(state, 3) == 0;
    const bool arg = c.op == HD_ARGMIN || c.op == HD_ARGMAX;
    c.with_init = !arg && c.op != HD_MEAN && c.op != HD_VARIANCE && check_below(state, 3) == 0;
    check_fill(c.out_type, c.init, 1, CHECK_UNITS, check_next(state));
    c.offsets = check_memory(8 * (size_t)(c.n / 2 + 20));
    c.keys = check_memory(4 * (size_t)c.n);
    c.offset_count = check_offsets(c.n, c.n / 2 + 20, state, c.offsets);
    if (c.form == 4 || c.form == 5) check_keys(HD_I32, c.keys, c.n, state);
    if (c.form >= 6) {
        c.rows = 1 + check_below(state, c.n < 100 ? c.n : 100);
        c.n = c.n / c.rows * c.rows;
        c.layout = CHECK_DENSE;
    }
    return c;
}

// The views of a case: in as it lies, out of the right shape.
static hd_view shaped(const random_case *c, const check_array *a, bool is_output)
{
    if (c->form < 6) return a->view;
    const int64_t shape[] = {c->rows, c->n / c->rows};
    if (is_output && c->form == 6)
        return HD_VIEW_OF(a->view.type, a->view.data, c->axis_first ? shape[1] : shape[0]);
    return hd_view_nd(a->view.type, a->view.data, 2, shape, NULL);
}

static hd_status call(hd_context *ctx, const random_case *c, hd_view in, hd_view out)
{
    const hd_view segments = HD_VIEW(c->offsets, c->offset_count), keys = HD_VIEW(c->keys, c->n);
    const void *init = c->with_init ? c->init : NULL;
    hd_reduce_options r = {.init = init, .ddof = c->op == HD_VARIANCE};
    hd_scan_options s = {.init = init, .exclusive = c->exclusive, .backward = c->backward};
    r.segments = s.segments = c->form == 2 || c->form == 3 ? &segments : NULL;
    r.keys = s.keys = c->form == 4 || c->form == 5 ? &keys : NULL;
    if (c->form >= 6) r.axis = s.axis = c->axis_first ? HD_AXIS(0) : HD_AXIS(1);
    return c->form % 2 ? hd_scan(ctx, in, c->op, out, &s) : hd_reduce(ctx, in, c->op, out, &r);
}

static int64_t output_count(const random_case *c)
{
    if (c->form % 2 || c->form == 4) return c->n;
    if (c->form == 2) return c->offset_count - 1;
    if (c->form == 6) return c->axis_first ? c->n / c->rows : c->rows;
    return 1;
}

static void run_on(const random_case *c, const check_target *target, const void *x, void *result)
{
    const check_layout out_layout = c->form % 2 ? c->layout : CHECK_DENSE;
    check_array in = check_new(c->type, c->n, c->layout, c->at_front);
    check_array out = check_new(c->out_type, output_count(c), out_layout, !c->at_front);
    const check_array *to = c->in_place ? &in : &out;
    check_put(&in, x);
    CHECK_OK(target->ctx, call(target->ctx, c, shaped(c, &in, false), shaped(c, to, true)));
    check_get(to, result);
    CHECK(check_gaps(&out), "wrote between elements on %s", target->name);
    check_drop(&in);
    check_drop(&out);
}

static void try_case(uint64_t seed, int64_t number, const check_target *targets, int count)
{
    uint64_t state = seed * 0x9E3779B97F4A7C15u + (uint64_t)number;
    const random_case c = make_case(&state, number);
    const int64_t outs = output_count(&c);
    const check_target *other = &targets[1 + check_below(&state, count - 1)];
    void *x = check_memory(8 * (size_t)c.n), *a = check_memory(8 * (size_t)outs),
         *b = check_memory(8 * (size_t)outs);
    check_fill(c.type, x, c.n, c.pattern, check_next(&state));
    run_on(&c, &targets[0], x, a);
    run_on(&c, other, x, b);
    CHECK_SAME(c.out_type, b, a, outs,
               "case %" PRId64 ": form %d, %s of %" PRId64 " %s (%s, %s) as %s%s%s%s on %s", number,
               c.form, hd_operator_name(c.op), c.n, hd_type_name(c.type),
               check_pattern_name(c.pattern), check_layout_name(c.layout), hd_type_name(c.out_type),
               c.exclusive ? ", exclusive" : "", c.backward ? ", backward" : "",
               c.in_place ? ", in place" : "", other->name);
    free(x), free(a), free(b), free(c.offsets), free(c.keys);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--print") == 0) {
        print_table();
        return 0;
    }
    const check_target *targets;
    const int count = check_targets(&targets);
    check_table(targets, count);
    for (int64_t k = 0; k < (check_small() ? 1000 : 10000); k++)
        try_case(check_seed(), k, targets, count);
    return check_finish();
}
