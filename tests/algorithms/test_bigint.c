// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers of any length: sums, differences, order and texts against school arithmetic;
// carries that run through everything, other bases, rows, lengths, aliasing, errors, failing
// memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>

#include <heddle_algorithms.h>

#include "on_backends.h"

__extension__ typedef unsigned __int128 twice;

// ---- The definition -------------------------------------------------------------------------

static uint64_t school_add(const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n,
                           uint64_t base)
{
    uint64_t carry = 0;
    for (int64_t i = 0; i < n; i++) {
        const twice limit = base ? base : (twice)1 << 64;
        const twice s = (twice)a[i] + b[i] + carry;
        carry = s >= limit;
        out[i] = (uint64_t)(carry ? s - limit : s);
    }
    return carry;
}

static uint64_t school_subtract(const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n,
                                uint64_t base)
{
    uint64_t borrow = 0;
    for (int64_t i = 0; i < n; i++) {
        const twice limit = base ? base : (twice)1 << 64, less = (twice)b[i] + borrow;
        borrow = a[i] < less;
        const twice d = (borrow ? limit : 0) + a[i] - less;
        out[i] = (uint64_t)d;
    }
    return borrow;
}

static int school_compare(const uint64_t *a, const uint64_t *b, int64_t n)
{
    for (int64_t i = n - 1; i >= 0; i--)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

// Limbs of which many pass a carry on: a + b is base - 1, or one more.
static void make(uint64_t *a, uint64_t *b, int64_t n, uint64_t base, int kind, uint64_t *r)
{
    const uint64_t top = base - 1; // of 2^64, written 0, as well
    for (int64_t i = 0; i < n; i++) {
        const uint64_t x = check_next(r), y = check_next(r);
        a[i] = base ? x % base : x;
        b[i] = base ? y % base : y;
        if (kind == 1 && check_below(r, 8)) b[i] = top - a[i]; // passes on
        if (kind == 2) b[i] = top - a[i] + (i == 0 && a[i] > 0);
        if (kind == 3 && check_below(r, 8)) b[i] = a[i];
        if (kind == 4) b[i] = a[i] + (i == n - 1 && a[i] < top);
    }
}

// ---- One number -----------------------------------------------------------------------------

static void ask(int64_t n, int64_t shorter, uint64_t base, int kind, bool in_place,
                hd_context *const *all, const char *const *names, int count, uint64_t *r)
{
    const size_t room = ((size_t)n + 1) * 8;
    uint64_t *a = check_memory(room), *b = check_memory(room), *want = check_memory(room);
    uint64_t *got = check_memory(room);
    make(a, b, n, base, kind, r);
    memset(b + shorter, 0, (size_t)(n - shorter) * 8);
    for (int subtract = 0; subtract < 2; subtract++) {
        const uint64_t carry = (subtract ? school_subtract : school_add)(a, b, want, n, base);
        for (int k = 0; k < count; k++) {
            int64_t carried = -1;
            memcpy(got, a, (size_t)n * 8);
            const hd_view left = HD_VIEW(in_place ? got : a, n), right = HD_VIEW(b, shorter);
            CHECK_OK(all[k], (subtract ? hd_bigint_subtract : hd_bigint_add)(
                                 all[k], left, right, HD_VIEW(got, n),
                                 &(hd_bigint_options){.base = base,
                                                      .carry_out = HD_REF(HD_VIEW(&carried, 1))}));
            CHECK(memcmp(got, want, (size_t)n * 8) == 0 && carried == (int64_t)carry,
                  "%s of %" PRId64 " limbs, kind %d, base %" PRIu64 ", carry %" PRId64 " on %s",
                  subtract ? "difference" : "sum", n, kind, base, carried, names[k]);
        }
    }
    for (int k = 0; k < count; k++) {
        int64_t order = 7;
        CHECK_OK(all[k], hd_bigint_compare(all[k], HD_VIEW(a, n), HD_VIEW(b, shorter),
                                           HD_VIEW(&order, 1), NULL));
        CHECK(order == school_compare(a, b, n), "order %" PRId64 " on %s", order, names[k]);
    }
    free(a), free(b), free(want), free(got);
}

static const uint64_t bases[] = {0, HD_BIGINT_DECIMAL, 2, UINT64_C(1) << 63, 10};

static void test_numbers(const check_target *targets, int count, uint64_t *r)
{
    hd_context *some[64];
    const char *names[64];
    int turn = 0;
    for (int k = 0; check_size(k, 1025) >= 0; k++)
        for (int kind = 0; kind < 5; kind++, turn++) {
            int few = 0;
            for (int t = turn % 5; t < count; t += 7)
                some[few] = targets[t].ctx, names[few++] = targets[t].name;
            const int64_t n = check_size(k, 1025);
            ask(n, turn % 3 ? n : check_below(r, n + 1), bases[turn % 5], kind, turn % 2, some,
                names, few, r);
        }
    some[0] = targets[count - 1].ctx, names[0] = targets[count - 1].name;
    for (int kind = 0; kind < 5; kind++)
        ask(200003 + kind, 200003, 0, kind, kind & 1, some, names, 1, r);
}

// ---- Rows -----------------------------------------------------------------------------------

static void test_rows(hd_context *ctx, uint64_t *r)
{
    static const int64_t shapes[][3] = {{2, 3, 5}, {3, 2, 32}, {1, 4, 17}, {1, 1, 40}, {2, 2, 0}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int gaps = 0; gaps < 2; gaps++) {
            const int64_t n = shapes[k][2], m = shapes[k][0] * shapes[k][1], all = m * n;
            int64_t stride[3], carry[8], order[8];
            uint64_t *a = check_memory((size_t)all * 8 + 8), *b = check_memory((size_t)all * 8 + 8);
            uint64_t *got = check_memory((size_t)all * 8 + 8), want[64];
            check_array v[3];
            for (int64_t i = 0; i < m; i++) make(a + i * n, b + i * n, n, 0, (int)(i % 5), r);
            for (int j = 0; j < 3; j++) {
                check_strides(3, shapes[k], r, stride);
                v[j] = check_new_nd(HD_U64, 3, shapes[k], gaps ? stride : NULL, j & 1);
            }
            check_put(&v[0], a), check_put(&v[1], b);
            CHECK_OK(ctx,
                     hd_bigint_add(ctx, v[0].view, v[1].view, v[2].view,
                                   &(hd_bigint_options){.carry_out = HD_REF(HD_VIEW(carry, m))}));
            CHECK_OK(ctx, hd_bigint_compare(ctx, v[0].view, v[1].view, HD_VIEW(order, m), NULL));
            CHECK(check_gaps(&v[2]), "gaps");
            check_get(&v[2], got);
            for (int64_t i = 0; i < m; i++) {
                const uint64_t one = school_add(a + i * n, b + i * n, want, n, 0);
                CHECK(memcmp(want, got + i * n, (size_t)n * 8) == 0 && carry[i] == (int64_t)one,
                      "row %" PRId64 " of %" PRId64 " limbs", i, n);
                CHECK(order[i] == school_compare(a + i * n, b + i * n, n), "order of row %" PRId64,
                      i);
            }
            for (int j = 0; j < 3; j++) check_drop(&v[j]);
            free(a), free(b), free(got);
        }
}

// ---- Texts ----------------------------------------------------------------------------------

static void test_texts(hd_context *ctx, uint64_t *r)
{
    for (int64_t n = 0; n < 120; n += 1 + n / 9)
        for (int hexadecimal = 0; hexadecimal < 2; hexadecimal++) {
            const int64_t group = hexadecimal ? 16 : 18, count = (n + group - 1) / group;
            const hd_bigint_text_options o = {.hexadecimal = hexadecimal};
            char text[160], back[160], want[32];
            uint64_t limbs[12];
            for (int64_t i = 0; i < n; i++)
                text[i] = (hexadecimal ? "0123456789abcdef"
                                       : "0123456789")[check_below(r, hexadecimal ? 16 : 10)];
            memset(limbs, 0xff, sizeof limbs);
            CHECK_OK(ctx, hd_bigint_parse(ctx, HD_VIEW(text, n), HD_VIEW(limbs, count + 1), &o));
            CHECK(limbs[count] == 0, "a limb too many");
            for (int64_t j = 0; j < count; j++) { // the definition: strtoull of each group
                const int64_t end = n - j * group, begin = end > group ? end - group : 0;
                memcpy(want, text + begin, (size_t)(end - begin));
                want[end - begin] = 0;
                CHECK(limbs[j] == strtoull(want, NULL, hexadecimal ? 16 : 10), "limb %" PRId64, j);
            }
            CHECK_OK(ctx, hd_bigint_format(ctx, HD_VIEW(limbs, count), HD_VIEW(back, count * group),
                                           &o));
            CHECK(memcmp(back + count * group - n, text, (size_t)n) == 0, "%" PRId64 " digits", n);
            for (int64_t i = 0; i < count * group - n; i++)
                CHECK(back[i] == '0', "a zero in front");
            if (n == 0) continue;
            const int64_t at = check_below(r, n);
            text[at] = hexadecimal ? 'g' : 'a';
            char wrong[40];
            snprintf(wrong, sizeof wrong, "byte %" PRId64 " is", at);
            FAILS(ctx, HD_ERROR_VALUE, wrong,
                  hd_bigint_parse(ctx, HD_VIEW(text, n), HD_VIEW(limbs, count), &o));
            text[at] = 'F';
            if (hexadecimal)
                CHECK_OK(ctx, hd_bigint_parse(ctx, HD_VIEW(text, n), HD_VIEW(limbs, count), &o));
        }
}

// ---- Errors, memory, the model machine ------------------------------------------------------

static void test_errors(hd_context *ctx)
{
    static uint64_t a[40], b[40], c[40];
    static int64_t i64[40];
    static char text[40];
    const hd_view va = HD_VIEW(a, 20), vb = HD_VIEW(b, 20), vc = HD_VIEW(c, 20);
    const hd_view two = HD_VIEW(i64, 2), inside = HD_VIEW_OF(HD_I64, c, 1);
    const hd_view rows = hd_view_nd(HD_U64, a, 2, (int64_t[]){2, 10}, NULL);
#define ADD(a, b, c, ...) hd_bigint_add(ctx, a, b, c, &(hd_bigint_options){__VA_ARGS__})
    FAILS(ctx, HD_ERROR_SHAPE, "out has 19 limbs", ADD(va, vb, HD_VIEW(c, 19), 0));
    FAILS(ctx, HD_ERROR_SHAPE, "as many numbers", ADD(rows, vb, vc, 0));
    FAILS(ctx, HD_ERROR_TYPE, "u64", ADD(va, HD_VIEW(i64, 20), vc, 0));
    FAILS(ctx, HD_ERROR_ALIAS, "out overlaps a", ADD(va, vb, HD_VIEW(a + 1, 20), 0));
    FAILS(ctx, HD_ERROR_ARGUMENT, "base is 1", ADD(va, vb, vc, .base = 1));
    FAILS(ctx, HD_ERROR_ARGUMENT, "base", ADD(va, vb, vc, .base = (UINT64_C(1) << 63) + 1));
    FAILS(ctx, HD_ERROR_SHAPE, "carry_out", ADD(va, vb, vc, .carry_out = &two));
    FAILS(ctx, HD_ERROR_ALIAS, "carry_out overlaps out", ADD(va, vb, vc, .carry_out = &inside));
    FAILS(ctx, HD_ERROR_ARGUMENT, "read", ADD(va, vb, hd_read_only(vc), 0));
    b[7] = 10;
    FAILS(ctx, HD_ERROR_VALUE, "b: a limb is 10", ADD(va, vb, vc, .base = 10));
    FAILS(ctx, HD_ERROR_TYPE, "i64", hd_bigint_compare(ctx, va, vb, vc, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "at least 2",
          hd_bigint_parse(ctx, HD_VIEW(text, 20), HD_VIEW(a, 1), NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "expected 36",
          hd_bigint_format(ctx, HD_VIEW(a, 2), HD_VIEW(text, 35), NULL));
    a[1] = HD_BIGINT_DECIMAL;
    FAILS(ctx, HD_ERROR_VALUE, "less than 10^18",
          hd_bigint_format(ctx, HD_VIEW(a, 2), HD_VIEW(text, 36), NULL));
    CHECK(hd_bigint_add(NULL, va, vb, vc, NULL) == HD_ERROR_ARGUMENT, "no context");
    int64_t carry = 5;
    CHECK_OK(ctx, ADD(HD_VIEW(a, 0), HD_VIEW(b, 0), HD_VIEW(c, 0),
                      .carry_out = HD_REF(HD_VIEW(&carry, 1))));
    CHECK(carry == 0, "%" PRId64, carry);
}

static hd_status some_sum(hd_context *ctx)
{
    static uint64_t a[500], b[400], c[500];
    return hd_bigint_add(ctx, HD_VIEW(a, 500), HD_VIEW(b, 400), HD_VIEW(c, 500),
                         &(hd_bigint_options){.base = 10});
}

static void test_device(hd_backend which)
{
    hd_context *ctx = check_open(which, 1, NULL);
    const char *name = hd_backend_name(which);
    uint64_t r = check_seed() + 3, a[70], b[70], c[70], want[70];
    ask(100, 90, 0, 1, true, &ctx, &name, 1, &r);
    ask(33, 33, HD_BIGINT_DECIMAL, 2, false, &ctx, &name, 1, &r);
    make(a, b, 70, 0, 1, &r);
    hd_view da = moved_to_device(ctx, HD_VIEW(a, 70)), db = moved_to_device(ctx, HD_VIEW(b, 70));
    CHECK_OK(ctx, hd_bigint_subtract(ctx, da, db, da, NULL));
    CHECK_OK(ctx, hd_map(ctx, da, NULL, HD_VIEW(c, 70), NULL));
    school_subtract(a, b, want, 70, 0);
    CHECK(memcmp(c, want, sizeof c) == 0, "views of the device of %s", name);
    hd_free(ctx, &da), hd_free(ctx, &db);
    test_texts(ctx, &r);
    hd_close(ctx);
}

int main(void)
{
    uint64_t r = check_seed();
    if (!on_model_alone()) {
        const check_target *targets;
        const int count = check_targets(&targets);
        test_numbers(targets, count, &r);
        test_rows(targets[0].ctx, &r), test_rows(targets[count - 1].ctx, &r);
        test_texts(targets[count - 1].ctx, &r);
        test_errors(targets[0].ctx);
        with_failing_memory(some_sum);
    }
    return finish_on_gpus(test_device);
}
