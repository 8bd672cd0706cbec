// SPDX-License-Identifier: Apache-2.0
//
// .bound against exact sums: elements are whole multiples of a power of two, whose sum fits 128
// bits. A bound is never below the error, not more than twice the formula of numerics.md, and has
// the same bits on every backend of the host; outputs are those of a call without it.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

__extension__ typedef __int128 exact;

static const check_target *targets;
static int target_count;

enum { UNIT = 60 }; // elements are multiples of 2^-UNIT

typedef struct question {
    const hd_operator *op;
    hd_type type, out, bound, accumulate;
    int64_t n;
    int spread; // exponents of floats lie within it
    bool one_sign, exclusive, segmented, with_init;
} question;

static const char *text_of(const question *q, const char *where)
{
    static char text[200];
    snprintf(text, sizeof text, "%s of %" PRId64 " %s into %s%s%s%s, bound %s, on %s",
             hd_operator_name(q->op), q->n, hd_type_name(q->type), hd_type_name(q->out),
             q->accumulate ? ", in f64" : "", q->segmented ? ", segments" : "",
             q->with_init ? ", init" : "", hd_type_name(q->bound), where);
    return text;
}

// ---- Exact numbers ------------------------------------------------------------------------------

static exact exact_of(hd_type type, const void *x)
{
    if (!check_is_float(type)) {
        const uint64_t whole = ref_to_whole(type, x);
        const exact wide = check_is_signed(type) ? (exact)(int64_t)whole : (exact)whole;
        return wide * ((exact)1 << UNIT);
    }
    int exponent;
    const double mantissa = frexp(ref_to_double(type, x), &exponent);
    const exact digits = (exact)(int64_t)ldexp(mantissa, 53);
    const int shift = exponent - 53 + UNIT;
    return shift >= 0 ? digits * ((exact)1 << shift) : digits / ((exact)1 << -shift);
}

static exact magnitude(exact x)
{
    return x < 0 ? -x : x;
}

// Floats whose last digit is a multiple of 2^-UNIT: with few exponents below 1, as many above.
static void fill(const question *q, char *x, uint64_t *r)
{
    for (int64_t i = 0; i < q->n; i++, x += hd_type_size(q->type)) {
        const int exponent = (int)check_below(r, 2 * q->spread + 1) - q->spread;
        const uint64_t bits = check_next(r);
        const double sign = q->one_sign || bits % 2 ? 1 : -1;
        const double d =
            ldexp(sign * (double)(int64_t)(bits >> 11 | (uint64_t)1 << 52), exponent - 53);
        const float f = (float)d;
        const uint16_t h = ref_narrow(q->type == HD_BF16 ? HD_BF16 : HD_F16, (double)(float)d);
        if (q->type == HD_F64)
            memcpy(x, &d, 8);
        else if (q->type == HD_F32)
            memcpy(x, &f, 4);
        else if (check_is_float(q->type))
            memcpy(x, &h, 2);
        else
            memcpy(x, &(uint64_t){bits >> 8}, hd_type_size(q->type));
    }
}

// ---- One result ---------------------------------------------------------------------------------

static double roundoff(hd_type type)
{
    return type == HD_F64 ? 0x1p-53 : type == HD_F32 ? 0x1p-24 : type == HD_F16 ? 0x1p-11 : 0x1p-8;
}

static int depth_of(const question *q, int64_t count)
{
    if (count < 2) return 0;
    const int log2 = 63 - __builtin_clzll((unsigned long long)count);
    return q->segmented ? 2 * log2 + 1 : log2 + __builtin_popcountll((unsigned long long)count) - 1;
}

// What numerics.md says, but for terms of higher order.
static double formula(const question *q, int64_t count, exact size, double out)
{
    const bool wide = q->accumulate || q->out == HD_F64 || q->type == HD_F64;
    const hd_type tree = wide ? HD_F64 : HD_F32;
    const double u = roundoff(tree), all = ldexp((double)size, -UNIT);
    const bool rounds = !check_is_float(q->type) && hd_type_size(q->type) >= (wide ? 8 : 4);
    const double d = depth_of(q, count) + (q->with_init && count > 0);
    const double store = (q->op == HD_SUM_COMPENSATED || q->out != tree) ? roundoff(q->out) : 0;
    const double added = q->op == HD_SUM ? (d + rounds) * u : 2 * d * d * u * u + rounds * u;
    return added * all + store * fabs(out);
}

static void judge(const question *q, int64_t count, exact sum, exact size, const void *out,
                  const void *bound, const char *where)
{
    const double b = ref_to_double(q->bound, bound), y = ref_to_double(q->out, out);
    const exact error = magnitude(exact_of(q->out, out) - sum);
    const double scaled = ldexp(b, UNIT);
    const exact most = scaled < 0x1p126 ? (exact)scaled : (exact)1 << 126;
    CHECK(error <= most, "%" PRId64 " elements: bound %g, off by %g, %s", count, b,
          ldexp((double)error, -UNIT), text_of(q, where));
    const double limit = 2 * formula(q, count, size, y);
    CHECK(b <= limit * (1 + roundoff(q->bound)) + 0x1p-1000,
          "%" PRId64 " elements: bound %g over %g, %s", count, b, limit, text_of(q, where));
}

// ---- Calls --------------------------------------------------------------------------------------

static void ask_reduce(const question *q, const char *x, const void *init)
{
    _Alignas(8) unsigned char out[8], plain[8], bound[8], first[8];
    exact sum = q->with_init ? exact_of(q->out, init) : 0, size = magnitude(sum);
    for (int64_t i = 0; i < q->n; i++) {
        const exact one = exact_of(q->type, x + hd_type_size(q->type) * (size_t)i);
        sum += one;
        size += magnitude(one);
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_reduce_options o = {.accumulate = q->accumulate, .init = q->with_init ? init : NULL};
        const hd_view in = HD_VIEW_OF(q->type, x, q->n);
        CHECK_OK(ctx, hd_reduce(ctx, in, q->op, HD_VIEW_OF(q->out, plain, 1), &o));
        o.bound = HD_REF(HD_VIEW_OF(q->bound, bound, 1));
        CHECK_OK(ctx, hd_reduce(ctx, in, q->op, HD_VIEW_OF(q->out, out, 1), &o));
        CHECK_SAME(q->out, out, plain, 1, "without bound: %s", text_of(q, targets[t].name));
        if (t == 0) {
            judge(q, q->n, sum, size, out, bound, targets[t].name);
            memcpy(first, bound, 8);
        } else {
            CHECK_SAME(q->bound, bound, first, 1, "%s", text_of(q, targets[t].name));
        }
    }
}

static void judge_scan(const question *q, const char *x, const int64_t *offsets, int64_t segments,
                       const char *out, const char *bound, const void *init)
{
    const exact start = q->with_init ? exact_of(q->out, init) : 0;
    exact sum = start, size = magnitude(start);
    int64_t count = 0, next = 0;
    for (int64_t i = 0; i < q->n; i++) {
        while (next < segments && offsets[next] <= i) {
            if (offsets[next++] == i) sum = start, size = magnitude(start), count = 0;
        }
        const exact one = exact_of(q->type, x + hd_type_size(q->type) * (size_t)i);
        if (!q->exclusive) sum += one, size += magnitude(one), count++;
        judge(q, count, sum, size, out + hd_type_size(q->out) * (size_t)i,
              bound + hd_type_size(q->bound) * (size_t)i, "serial");
        if (q->exclusive) sum += one, size += magnitude(one), count++;
    }
}

static void ask_scan(const question *q, const char *x, const void *init, uint64_t *r)
{
    enum { MAX = 64 };
    int64_t offsets[MAX];
    const int64_t segments = q->segmented ? check_offsets(q->n, MAX, r, offsets) : 0;
    const size_t bytes = 8 * (size_t)q->n + 8;
    char *out = check_memory(bytes), *bound = check_memory(bytes), *first = check_memory(bytes),
         *plain = check_memory(bytes);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_scan_options o = {.accumulate = q->accumulate,
                             .init = q->with_init ? init : NULL,
                             .exclusive = q->exclusive};
        o.segments = q->segmented ? HD_REF(HD_VIEW(offsets, segments)) : NULL;
        const hd_view in = HD_VIEW_OF(q->type, x, q->n);
        if (t == 0) CHECK_OK(ctx, hd_scan(ctx, in, q->op, HD_VIEW_OF(q->out, plain, q->n), &o));
        o.bound = HD_REF(HD_VIEW_OF(q->bound, bound, q->n));
        CHECK_OK(ctx, hd_scan(ctx, in, q->op, HD_VIEW_OF(q->out, out, q->n), &o));
        CHECK_SAME(q->out, out, plain, q->n, "without bound: scan, %s",
                   text_of(q, targets[t].name));
        if (t == 0) {
            judge_scan(q, x, offsets, segments, out, bound, init);
            memcpy(first, bound, bytes);
        } else {
            CHECK_SAME(q->bound, bound, first, q->n, "scan, %s", text_of(q, targets[t].name));
        }
    }
    free(out), free(bound), free(first), free(plain);
}

static void ask(const question *q, uint64_t seed)
{
    uint64_t r = seed;
    char *x = check_memory(8 * (size_t)q->n + 8);
    _Alignas(8) unsigned char init[8];
    const float small = -3.25f;
    fill(q, x, &r);
    memset(init, 0, 8);
    if (q->out == HD_F64)
        memcpy(init, &(double){(double)small}, 8);
    else if (q->out == HD_F32)
        memcpy(init, &small, 4);
    else
        memcpy(init, &(uint16_t){ref_narrow(q->out, (double)small)}, 2);
    ask_reduce(q, x, init);
    ask_scan(q, x, init, &r);
    free(x);
}

static void test_random(void)
{
    static const hd_type types[] = {HD_F32, HD_F64, HD_F16, HD_BF16, HD_I32, HD_U64, HD_I64, HD_U8};
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 64, 65, 100, 127, 1000, 1023, 5000};
    uint64_t seed = check_seed();
    for (int round = 0; round < (check_small() ? 2 : 6); round++)
        for (int k = 0; k < 8; k++)
            for (int u = 0; check_type(u); u++)
                for (int how = 0; how < 4; how++, seed++) {
                    question q = {.op = how % 2 ? HD_SUM : HD_SUM_COMPENSATED,
                                  .type = types[k],
                                  .out = check_type(u)};
                    if (!check_is_float(q.out) || !ref_accepts(q.op, q.type, q.out)) continue;
                    if (q.out == HD_F16 && q.type != HD_F16) continue;
                    q.accumulate = how / 2 ? HD_F64 : HD_NONE;
                    q.bound = seed % 3 ? HD_F64 : q.out;
                    q.n = sizes[(seed * 7 + (uint64_t)round) % 12];
                    q.spread = q.type == HD_F64 ? 3 : q.out == HD_F16 ? 2 : 12;
                    if (q.out == HD_F16 && q.n > 1023) q.n = 1023;       // within its range
                    if (!check_is_float(q.type) && q.n > 127) q.n = 127; // within 128 bits
                    q.one_sign = seed % 4 == 0;
                    q.exclusive = seed % 5 == 0;
                    q.segmented = seed / 2 % 3 == 0;
                    q.with_init = seed % 7 < 2;
                    ask(&q, seed);
                }
}

// ---- Edges --------------------------------------------------------------------------------------

static double bound_of(hd_context *ctx, const float *x, int64_t n, const hd_operator *op)
{
    float out;
    double bound;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), op, HD_VIEW(&out, 1),
                            &(hd_reduce_options){.bound = HD_REF(HD_VIEW(&bound, 1))}));
    return bound;
}

static void test_edges(void)
{
    const float inf = INFINITY, most = 0x1.fffffep127f, least = 0x1p-149f;
    for (int t = 0; t < target_count; t++)
        for (int k = 0; k < 2; k++) {
            hd_context *ctx = targets[t].ctx;
            const hd_operator *op = k ? HD_SUM_COMPENSATED : HD_SUM;
            const char *name = targets[t].name;
            CHECK(bound_of(ctx, NULL, 0, op) == 0, "nothing on %s", name);
            CHECK(bound_of(ctx, (float[]){3}, 1, op) == 0, "one on %s", name);
            CHECK(bound_of(ctx, (float[]){0, -0.0f}, 2, op) == 0, "zeros on %s", name);
            CHECK(isinf(bound_of(ctx, (float[]){1, inf}, 2, op)), "infinity on %s", name);
            CHECK(isinf(bound_of(ctx, (float[]){1, NAN}, 2, op)), "NaN on %s", name);
            CHECK(isinf(bound_of(ctx, (float[]){most, most}, 2, op)), "overflow on %s", name);
            CHECK(isinf(bound_of(ctx, (float[]){most, -1}, 2, op)), "the greatest on %s", name);
            CHECK(isinf(bound_of(ctx, (float[]){0x1p125f, 1}, 2, op)), "near it on %s", name);
            CHECK(isfinite(bound_of(ctx, (float[]){0x1p123f, 1}, 2, op)), "below on %s", name);
            const double tiny = bound_of(ctx, (float[]){least, least}, 2, op);
            CHECK(tiny >= 0 && tiny < 0x1p-149, "least numbers: %g on %s", tiny, name);
        }
}

// Elements 3 to 6 of a segmented scan are (x3 + (x4 + x5)) + x6, where x4 passes three additions:
// each rounds by nearly u here, and d(4) u is 2 u.
static void test_heads(void)
{
    const float above = 0x1.000002p-24f, x[7] = {0, 0, 0, above, 1, above, above};
    const int64_t offsets[] = {0, 3, 7};
    for (int t = 0; t < target_count; t++) {
        float out[7];
        double bound[7];
        CHECK_OK(targets[t].ctx, hd_scan(targets[t].ctx, HD_VIEW(x, 7), HD_SUM, HD_VIEW(out, 7),
                                         &(hd_scan_options){.segments = HD_REF(HD_VIEW(offsets, 3)),
                                                            .bound = HD_REF(HD_VIEW(bound, 7))}));
        const double error = fabs((double)out[6] - (1 + 3 * (double)above));
        CHECK(error > 2.99 * 0x1p-24, "the error is %g on %s", error, targets[t].name);
        CHECK(bound[6] >= error, "bound %g of an error of %g on %s", bound[6], error,
              targets[t].name);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_edges();
    test_heads();
    test_random();
    return check_finish();
}
