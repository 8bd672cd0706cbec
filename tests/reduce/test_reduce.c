// SPDX-License-Identifier: Apache-2.0
//
// Reductions of everything: every backend, thread count and instruction set, every type, operator
// and output type, sizes, layouts and patterns, against the reference. Axes, segments and keys are
// in test_reduce_parts.c, functions in test_map.c.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

// One question: the expected answer is computed once and asked of every target.
typedef struct question {
    const hd_operator *op;
    hd_type type, out_type;
    int64_t n;
    check_pattern pattern;
    const void *init; // of the output's type, or NULL
    int32_t ddof;
} question;

static bool is_arg(const hd_operator *op)
{
    return op == HD_ARGMIN || op == HD_ARGMAX;
}

static void ask(const question *q, const check_array *in, const check_array *out,
                const check_array *values, const void *want, const void *want_value,
                const char *layout)
{
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_reduce_options options = {.init = q->init, .ddof = q->ddof};
        options.values = is_arg(q->op) ? HD_REF(values->view) : NULL;
        memset(out->storage, CHECK_FILLER, out->storage_bytes);
        CHECK_OK(ctx, hd_reduce(ctx, in->view, q->op, out->view, &options));
        CHECK_SAME(q->out_type, out->view.data, want, 1,
                   "%s of %" PRId64 " %s (%s, %s) as %s on %s", hd_operator_name(q->op), q->n,
                   hd_type_name(q->type), check_pattern_name(q->pattern), layout,
                   hd_type_name(q->out_type), targets[t].name);
        if (is_arg(q->op))
            CHECK_SAME(q->type, values->view.data, want_value, 1,
                       "value of %s of %" PRId64 " %s on %s", hd_operator_name(q->op), q->n,
                       hd_type_name(q->type), targets[t].name);
    }
}

static void try(const question *q, int first_layout, int layouts, uint64_t seed)
{
    _Alignas(8) unsigned char want[8], value[8];
    void *x = check_memory(hd_type_size(q->type) * (size_t)q->n);
    check_fill(q->type, x, q->n, q->pattern, seed);
    const ref_how how = {.init = q->init, .ddof = q->ddof};
    ref_reduce(q->op, q->type, x, q->n, q->out_type, want, value, &how);
    check_array out = check_new(q->out_type, 1, CHECK_DENSE, seed & 1);
    check_array values = check_new(q->type, 1, CHECK_DENSE, seed & 2);
    for (int l = 0; l < layouts; l++) {
        const check_layout layout = (check_layout)((first_layout + l) % CHECK_LAYOUTS);
        check_array in = check_new(q->type, q->n, layout, (seed + (uint64_t)l) & 1);
        check_put(&in, x);
        ask(q, &in, &out, &values, want, value, check_layout_name(layout));
        check_drop(&in);
    }
    check_drop(&out);
    check_drop(&values);
    free(x);
}

// A pattern that tells right from wrong for this operator: a product of ordinary numbers is 0.
static check_pattern pattern_for(const hd_operator *op, int k)
{
    static const check_pattern product[] = {CHECK_UNITS, CHECK_UNITS, CHECK_LITTLE, CHECK_SPECIAL};
    static const check_pattern logical[] = {CHECK_LITTLE, CHECK_ZEROS, CHECK_TIES, CHECK_ORDINARY};
    static const check_pattern other[] = {CHECK_ORDINARY, CHECK_WIDE,     CHECK_SPECIAL,
                                          CHECK_TIES,     CHECK_ORDINARY, CHECK_ZEROS};
    if (op == HD_PRODUCT) return product[k % 4];
    if (op == HD_ALL || op == HD_ANY) return logical[k % 4];
    return other[k % 6];
}

// Every operator, type and output type. Small sizes take several layouts and patterns; large
// ones one each, in turn.
static void test_all(const hd_operator *op, hd_type type, hd_type out_type)
{
    const bool usual = hd_default_output(op, type) == out_type;
    static int turn;
    const int64_t large = turn % 3 ? 65537 : 262147;
    const int64_t limit = check_small() ? (turn % 40 ? 1025 : 32771) : usual ? large : 4097;
    for (int k = 0; check_size(k, limit) >= 0; k++, turn++) {
        question q = {op, type, out_type, check_size(k, limit), CHECK_ORDINARY, NULL, 0};
        const int layouts = q.n <= 65 && usual ? CHECK_LAYOUTS : q.n <= 1025 ? 2 : 1;
        const int patterns = q.n <= 4097 && usual ? 3 : 1;
        for (int p = 0; p < patterns; p++) {
            q.pattern = pattern_for(op, turn + p);
            q.ddof = op == HD_VARIANCE ? (turn + p) % 3 : 0;
            try(&q, turn, layouts, check_seed() + (uint64_t)turn * 7 + (uint64_t)p);
        }
    }
}

// init on the left, last; also of nothing.
static void test_init(const hd_operator *op, hd_type type, hd_type out_type)
{
    static const int64_t sizes[] = {0, 1, 33, 1000, 40000};
    for (int k = 0; k < (check_small() ? 4 : 5); k++) {
        _Alignas(8) unsigned char init[8];
        check_fill(out_type, init, 1, k % 2 ? CHECK_UNITS : CHECK_TIES, check_seed() + (uint64_t)k);
        const question q = {op, type, out_type, sizes[k], pattern_for(op, k), init, 0};
        try(&q, k, 1, check_seed() + 1000 + (uint64_t)k);
    }
}

// Past the sizes where kernels change their way: streams, blocks of blocks, shares of threads.
static void test_large(void)
{
    static const struct {
        const hd_operator *op;
        hd_type type;
        check_pattern pattern;
    } rows[] = {{HD_SUM, HD_F32, CHECK_ORDINARY},  {HD_SUM, HD_F64, CHECK_ORDINARY},
                {HD_SUM, HD_I32, CHECK_ORDINARY},  {HD_SUM, HD_F16, CHECK_ORDINARY},
                {HD_ARGMAX, HD_F32, CHECK_TIES},   {HD_ARGMIN, HD_F32, CHECK_SPECIAL},
                {HD_ARGMAX, HD_I16, CHECK_TIES},   {HD_MIN, HD_BF16, CHECK_ORDINARY},
                {HD_MAX, HD_U8, CHECK_TIES},       {HD_PRODUCT, HD_F32, CHECK_UNITS},
                {HD_ALL, HD_BOOL, CHECK_ORDINARY}, {HD_VARIANCE, HD_I16, CHECK_ORDINARY},
                {HD_SUM, HD_U8, CHECK_ORDINARY},   {HD_SUM, HD_I8, CHECK_ORDINARY},
                {HD_SUM, HD_U16, CHECK_ORDINARY},  {HD_SUM, HD_I16, CHECK_ORDINARY},
                {HD_SUM, HD_U32, CHECK_ORDINARY},  {HD_MAX, HD_F64, CHECK_SPECIAL}};
    if (check_small()) return;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const hd_type out_type = hd_default_output(rows[k].op, rows[k].type);
        const int64_t n = k % 2 ? 4194305 : 1500007;
        const question q = {rows[k].op, rows[k].type, out_type, n, rows[k].pattern, NULL, 0};
        try(&q, CHECK_DENSE, 1, check_seed() + (uint64_t)n);
    }
}

// One extreme at two places, which may share a block or a lane of vectors or not, with smaller ones
// and perhaps a NaN among the rest; alone and with zeros of both signs.
static void test_places(void)
{
    enum { MAX = 5003 };
    static double x[MAX];
    static float y[MAX];
    static int64_t z[MAX];
    uint64_t state = check_seed() + 17;
    for (int turn = 0; turn < (check_small() ? 100 : 600); turn++) {
        const int64_t n = 1 + check_below(&state, turn % 3 ? MAX : 700);
        const int64_t a = check_below(&state, n), b = check_below(&state, n);
        const bool zeros = turn % 5 == 4;
        const double extreme = turn % 4 == 3 ? NAN : turn % 2 ? -9 : 9;
        for (int64_t i = 0; i < n; i++) x[i] = zeros ? 0.0 : (double)check_below(&state, 15) - 7;
        if (zeros)
            x[a] = x[b] = turn % 2 ? 0.0 : -0.0; // no less than any other
        else
            x[a] = x[b] = extreme;
        const int64_t want = zeros ? 0 : a < b ? a : b;
        for (int64_t i = 0; i < n; i++) y[i] = (float)x[i], z[i] = x[i] == x[i] ? (int64_t)x[i] : 0;
        z[a] = z[b] = zeros ? 0 : turn % 2 ? INT64_MIN : INT64_MAX;
        const hd_operator *op = turn % 2 ? HD_ARGMIN : HD_ARGMAX;
        const hd_view in[] = {HD_VIEW(x, n), HD_VIEW(y, n), HD_VIEW(z, n)};
        for (int k = 0; k < 3; k++)
            for (int t = 0; t < target_count; t++) {
                int64_t got = -1;
                CHECK_OK(targets[t].ctx,
                         hd_reduce(targets[t].ctx, in[k], op, HD_VIEW(&got, 1), NULL));
                CHECK(got == want, "%s of %" PRId64 " %s is %" PRId64 ", not %" PRId64 " on %s",
                      hd_operator_name(op), n, hd_type_name(in[k].type), got, want,
                      targets[t].name);
            }
    }
}

// The bytes 0 and 1 are false and true, and so is any other byte true.
static void test_odd_bools(void)
{
    const unsigned char bytes[] = {0, 2, 255, 0, 128, 1};
    for (int t = 0; t < target_count; t++) {
        uint32_t sum = 0;
        unsigned char most = 9, both = 9, different = 9;
        const hd_view v = HD_VIEW_OF(HD_BOOL, bytes, 6);
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_MAX, HD_VIEW_OF(HD_BOOL, &most, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_AND, HD_VIEW_OF(HD_BOOL, &both, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_XOR, HD_VIEW_OF(HD_BOOL, &different, 1), NULL));
        CHECK(sum == 4, "sum is %u on %s", sum, targets[t].name);
        CHECK(most == 1 && both == 0 && different == 0, "%d %d %d on %s", most, both, different,
              targets[t].name);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int32_t o = 0; hd_operator_at(o); o++)
        for (int t = 0; check_type(t); t++)
            for (int u = 0; check_type(u); u++) {
                const hd_operator *op = hd_operator_at(o);
                if (!ref_accepts(op, check_type(t), check_type(u)) || op == HD_DOT) continue;
                test_all(op, check_type(t), check_type(u));
                if (is_arg(op) || op == HD_MEAN || op == HD_VARIANCE) continue;
                test_init(op, check_type(t), check_type(u));
            }
    test_large();
    test_places();
    test_odd_bools();
    return check_finish();
}
