// SPDX-License-Identifier: Apache-2.0
//
// Pieces: reductions and scans of consecutive pieces with a carry give the bits of one call over
// the whole, whatever the cuts; every reduction returns the result so far.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_MONOID(multiply, double, HD_NO_SOURCE, HD_ASSOCIATIVE, 1.0, { return a * b; })

static const check_target *targets;
static int target_count;

// A piece's length: often small, sometimes none, sometimes a power of two, sometimes large.
static int64_t piece(uint64_t *state, int64_t left)
{
    static const int64_t usual[] = {0, 1, 7, 8, 9, 64, 255, 256, 4096, 5000, 32768, 50000};
    int64_t length = usual[check_below(state, 12)];
    if (check_below(state, 3) == 0) length += check_below(state, 100);
    return length < left ? length : left;
}

typedef struct question {
    const hd_operator *op;
    hd_type type, out_type;
    int64_t n;
    const char *x;
    const void *init;
} question;

static void try_reduce(const question *q, const check_target *target, uint64_t seed)
{
    uint64_t state = seed;
    hd_carry *carry = NULL;
    hd_context *ctx = target->ctx;
    _Alignas(8) unsigned char want[8], got[8], want_value[8], got_value[8];
    const bool arg = q->op == HD_ARGMAX;
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    for (int64_t at = 0, pieces = 0; at < q->n || pieces == 0; pieces++) {
        const int64_t m = piece(&state, q->n - at);
        hd_reduce_options options = {.carry = carry, .init = q->init};
        options.values = arg ? HD_REF(HD_VIEW_OF(q->type, got_value, 1)) : NULL;
        const hd_view v = HD_VIEW_OF(q->type, q->x + (size_t)at * hd_type_size(q->type), m);
        CHECK_OK(ctx, hd_reduce(ctx, v, q->op, HD_VIEW_OF(q->out_type, got, 1), &options));
        at += m;
        CHECK(hd_carry_count(carry) == at, "%" PRId64 " seen, expected %" PRId64,
              hd_carry_count(carry), at);
        if (at < q->n && pieces % 5) continue; // so far
        ref_reduce(q->op, q->type, q->x, at, q->out_type, want, want_value,
                   &(ref_how){.init = q->init});
        CHECK_SAME(q->out_type, got, want, 1,
                   "%s of %" PRId64 " %s in pieces, so far %" PRId64 ", on %s",
                   hd_operator_name(q->op), q->n, hd_type_name(q->type), at, target->name);
        if (arg && at > 0)
            CHECK_SAME(q->type, got_value, want_value, 1, "value, on %s", target->name);
    }
    hd_carry_close(ctx, carry);
}

static void try_scan(const question *q, const check_target *target, bool exclusive, uint64_t seed)
{
    uint64_t state = seed;
    hd_carry *carry = NULL;
    hd_context *ctx = target->ctx;
    const size_t in = hd_type_size(q->type), out = hd_type_size(q->out_type);
    char *want = check_memory(out * (size_t)q->n), *got = check_memory(out * (size_t)q->n);
    const ref_how how = {.exclusive = exclusive, .init = q->init};
    ref_scan(q->op, q->type, q->x, q->n, q->out_type, want, NULL, &how);
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    for (int64_t at = 0, m; at < q->n; at += m) {
        m = piece(&state, q->n - at);
        const hd_scan_options options = {.carry = carry, .exclusive = exclusive, .init = q->init};
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(q->type, q->x + in * (size_t)at, m), q->op,
                              HD_VIEW_OF(q->out_type, got + out * (size_t)at, m), &options));
    }
    CHECK_SAME(q->out_type, got, want, q->n, "scan, %s of %" PRId64 " %s in pieces%s on %s",
               hd_operator_name(q->op), q->n, hd_type_name(q->type), exclusive ? ", exclusive" : "",
               target->name);
    hd_carry_close(ctx, carry);
    free(want);
    free(got);
}

static void test_pieces(const hd_operator *op, hd_type type, hd_type out_type, int64_t n)
{
    char *x = check_memory(hd_type_size(type) * (size_t)n);
    _Alignas(8) unsigned char init[8];
    check_fill(type, x, n, CHECK_ORDINARY, check_seed() + (uint64_t)n);
    check_fill(out_type, init, 1, CHECK_UNITS, check_seed());
    for (int t = 0; t < target_count; t++) {
        const bool takes_init = op == HD_SUM || op == HD_MAX;
        const question q = {op, type, out_type, n, x, takes_init && t % 3 == 1 ? init : NULL};
        try_reduce(&q, &targets[t], check_seed() + (uint64_t)t);
        try_scan(&q, &targets[t], t % 2, check_seed() + (uint64_t)t);
    }
    free(x);
}

// ---- A carry keeps to one question ----------------------------------------------------------

static void test_mixing(void)
{
    hd_context *ctx = targets[0].ctx;
    hd_carry *carry = NULL;
    float x[3] = {1, 2, 3}, out[3], sum = 0;
    double wide = 0;
    CHECK(hd_carry_open(ctx, NULL) == HD_ERROR_ARGUMENT, "nowhere to put it");
    hd_carry_close(ctx, NULL);
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    CHECK(hd_carry_count(carry) == 0, "a new carry has seen nothing");
    const hd_reduce_options options = {.carry = carry};
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), &options));
    CHECK(hd_reduce(ctx, HD_VIEW(x, 3), HD_MAX, HD_VIEW(&sum, 1), &options) != HD_OK,
          "another operator");
    CHECK(hd_error(ctx)[0] != 0, "no text");
    CHECK(hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&wide, 1), &options) != HD_OK,
          "another type");
    CHECK(hd_carry_count(carry) == 3, "failed calls are not counted: %" PRId64,
          hd_carry_count(carry));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(out, 3),
                          &(hd_scan_options){.carry = carry}));
    CHECK(out[0] == 7 && out[1] == 9 && out[2] == 12, "a scan goes on behind a reduction");
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&sum, 1), &options));
    CHECK(sum == 18, "%g", (double)sum);
    hd_carry_close(ctx, carry);
}

// A user's operator, and pieces of another layout.
static void test_user(int64_t n)
{
    double *x = check_memory(8 * (size_t)n), *want = check_memory(8 * (size_t)n),
           *got = check_memory(8 * (size_t)n);
    check_fill(HD_F64, x, n, CHECK_UNITS, check_seed());
    ref_scan(HD_PRODUCT, HD_F64, x, n, HD_F64, want, NULL, NULL);
    for (int t = 0; t < target_count; t++) {
        uint64_t state = check_seed() + (uint64_t)t;
        hd_carry *carry = NULL;
        CHECK_OK(targets[t].ctx, hd_carry_open(targets[t].ctx, &carry));
        for (int64_t at = 0, m; at < n; at += m) {
            m = piece(&state, n - at);
            check_array in = check_new(HD_F64, m, CHECK_STRIDED, false);
            check_put(&in, x + at);
            CHECK_OK(targets[t].ctx,
                     hd_scan(targets[t].ctx, in.view, multiply, HD_VIEW(got + at, m),
                             &(hd_scan_options){.carry = carry}));
            check_drop(&in);
        }
        CHECK_SAME(HD_F64, got, want, n, "a user's product in pieces on %s", targets[t].name);
        hd_carry_close(targets[t].ctx, carry);
    }
    free(x), free(want), free(got);
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 20, 1000, 5003, 120011};
    target_count = check_targets(&targets);
    for (int k = 0; k < (check_small() ? 4 : 6); k++) {
        test_pieces(HD_SUM, HD_F32, HD_F32, sizes[k]);
        test_pieces(HD_SUM, HD_F64, HD_F64, sizes[k]);
        test_pieces(HD_SUM, HD_BF16, HD_BF16, sizes[k]);
        test_pieces(HD_SUM, HD_U8, HD_U64, sizes[k]);
        test_pieces(HD_MAX, HD_I16, HD_I16, sizes[k]);
        test_pieces(HD_ARGMAX, HD_F32, HD_I64, sizes[k]);
        test_pieces(HD_MEAN, HD_F32, HD_F32, sizes[k]);
        test_pieces(HD_VARIANCE, HD_F64, HD_F64, sizes[k]);
        if (sizes[k] > 0) test_user(sizes[k]);
    }
    test_mixing();
    return check_finish();
}
