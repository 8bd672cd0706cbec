// SPDX-License-Identifier: Apache-2.0
//
// hd_evaluate against a recursive descent: random expressions of all shapes, to the last bit; long
// chains, deep nests, both types; numbers of all forms; errors with their places; failing memory; a
// device's text.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/failing_memory.h"
#include "tests/support/check.h"

// ---- The definition -------------------------------------------------------------------------

typedef struct reader {
    const char *s;
    bool divides_by_zero;
} reader;

static void skip(reader *r)
{
    r->s += strspn(r->s, " \t\r\n");
}

static double real_sum(reader *r);
static double real_value(reader *r)
{
    skip(r);
    if (*r->s == '-') return r->s++, -real_value(r);
    if (*r->s == '(') {
        r->s++;
        const double x = real_sum(r);
        r->s++;
        skip(r);
        return x;
    }
    char *end;
    const double x = strtod(r->s, &end);
    r->s = end;
    skip(r);
    return x;
}

static double real_product(reader *r)
{
    double x = real_value(r);
    while (*r->s == '*' || *r->s == '/') {
        const char sign = *r->s++;
        const double y = real_value(r);
        x = sign == '*' ? x * y : x / y;
    }
    return x;
}

static double real_sum(reader *r)
{
    double x = real_product(r);
    while (*r->s == '+' || *r->s == '-') {
        const char sign = *r->s++;
        const double y = real_product(r);
        x = sign == '+' ? x + y : x - y;
    }
    return x;
}

static int64_t whole_sum(reader *r);
static int64_t whole_value(reader *r)
{
    skip(r);
    if (*r->s == '-') return r->s++, (int64_t)(0 - (uint64_t)whole_value(r));
    if (*r->s == '(') {
        r->s++;
        const int64_t x = whole_sum(r);
        r->s++;
        skip(r);
        return x;
    }
    char *end;
    const int64_t x = (int64_t)strtoull(r->s, &end, 10);
    r->s = end;
    skip(r);
    return x;
}

static int64_t whole_product(reader *r)
{
    int64_t x = whole_value(r);
    while (*r->s == '*' || *r->s == '/') {
        const char sign = *r->s++;
        const int64_t y = whole_value(r);
        if (sign == '*')
            x = (int64_t)((uint64_t)x * (uint64_t)y);
        else if (y == 0)
            r->divides_by_zero = true;
        else
            x = y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
    }
    return x;
}

static int64_t whole_sum(reader *r)
{
    int64_t x = whole_product(r);
    while (*r->s == '+' || *r->s == '-') {
        const char sign = *r->s++;
        const int64_t y = whole_product(r);
        x = (int64_t)(sign == '+' ? (uint64_t)x + (uint64_t)y : (uint64_t)x - (uint64_t)y);
    }
    return x;
}

// ---- Random expressions ---------------------------------------------------------------------

typedef struct writer {
    char *at, *end;
    uint64_t r;
    bool real, divides;
    int64_t nests; // of 16
    int64_t depth;
} writer;

static void blanks(writer *w)
{
    while (check_below(&w->r, 8) == 0 && w->at < w->end) *w->at++ = ' ';
}

static void write_number(writer *w)
{
    const int64_t whole =
        check_below(&w->r, 10) == 0 ? check_below(&w->r, INT64_MAX) : check_below(&w->r, 100);
    if (!w->real || check_below(&w->r, 3) == 0)
        w->at += sprintf(w->at, "%" PRId64, whole);
    else if (check_below(&w->r, 2))
        w->at += sprintf(w->at, "%" PRId64 ".%" PRId64, whole % 1000, check_below(&w->r, 100000));
    else if (check_below(&w->r, 2))
        w->at += sprintf(w->at, ".%" PRId64 "e%d", whole, (int)check_below(&w->r, 40) - 20);
    else
        w->at += sprintf(w->at, "%" PRId64 ".E-%d", whole, (int)check_below(&w->r, 30));
}

static void write_sum(writer *w, int64_t operands)
{
    for (int64_t k = 0; k < operands; k++) {
        if (k > 0) *w->at++ = "+-*/"[check_below(&w->r, w->divides ? 4 : 3)];
        blanks(w);
        while (check_below(&w->r, 6) == 0) *w->at++ = '-';
        if (check_below(&w->r, 16) < w->nests && w->end - w->at > 400 + 2 * w->depth) {
            *w->at++ = '(', w->depth++;
            write_sum(w, 1 + check_below(&w->r, 6));
            *w->at++ = ')', w->depth--;
        } else {
            write_number(w);
        }
        blanks(w);
        if (w->end - w->at < 200 + 2 * w->depth) return;
    }
}

static void check_value(hd_context *ctx, const char *name, const char *text, bool real)
{
    reader r = {text, false};
    const int64_t n = (int64_t)strlen(text);
    const hd_view v = HD_VIEW((const unsigned char *)text, n);
    int64_t whole = 77, error = -7;
    double x = 77;
    const hd_evaluate_options how = {.error = HD_REF(HD_VIEW(&error, 1))};
    if (real) {
        const double want = real_sum(&r);
        CHECK_OK(ctx, hd_evaluate(ctx, v, HD_VIEW(&x, 1), &how));
        CHECK(memcmp(&x, &want, 8) == 0 || (isnan(x) && isnan(want)),
              "%s: %.60s... is %.17g, expected %.17g", name, text, x, want);
        CHECK(error == -1, "error is %" PRId64, error);
        return;
    }
    const int64_t want = whole_sum(&r);
    const hd_status status = hd_evaluate(ctx, v, HD_VIEW(&whole, 1), &how);
    if (r.divides_by_zero)
        CHECK(status == HD_ERROR_VALUE && error >= 0 && text[error] == '/', "%s: %s at %" PRId64,
              name, hd_error(ctx), error);
    else
        CHECK(status == HD_OK && whole == want,
              "%s: %.60s... is %" PRId64 ", expected %" PRId64 " %s", name, text, whole, want,
              hd_error(ctx));
}

static void random_value(hd_context *ctx, const char *name, int64_t length, int turn)
{
    char *text = check_memory((size_t)length + 500);
    writer w = {.at = text,
                .end = text + length + 200,
                .r = check_seed() + (uint64_t)turn,
                .real = turn % 2,
                .divides = turn % 4 != 2,
                .nests = turn / 4 % 9};
    write_sum(&w, 1 + check_below(&w.r, length / 2 + 1));
    *w.at = 0;
    check_value(ctx, name, text, w.real);
    free(text);
}

// n terms in one row; n parentheses around one another, to the left and to the right.
static void test_shapes(hd_context *ctx, const char *name, int64_t n)
{
    char *text = check_memory((size_t)n * 8 + 100), *at = text;
    for (int64_t k = 0; k < n; k++)
        at += sprintf(at, "%s%" PRId64, k % 3 == 0 ? "+" : k % 3 == 1 ? "-" : "*", k % 97);
    check_value(ctx, name, text + 1, true);
    check_value(ctx, name, text + 1, false);
    at = text;
    for (int64_t k = 0; k < n; k++) *at++ = '(';
    at += sprintf(at, "0.5");
    for (int64_t k = 0; k < n; k++) at += sprintf(at, k % 7 == 3 ? "*.9)" : "+%d)", (int)(k % 10));
    check_value(ctx, name, text, true);
    at = text;
    for (int64_t k = 0; k < n; k++) at += sprintf(at, "%d-(", (int)(k % 10));
    at += sprintf(at, "9");
    for (int64_t k = 0; k < n; k++) *at++ = ')';
    *at = 0;
    check_value(ctx, name, text, false);
    free(text);
}

// ---- Rows -----------------------------------------------------------------------------------

static void test_rows(hd_context *ctx, const char *name)
{
    static const char *const good[] = {
        "1",
        " 1 ",
        "-1",
        "--1",
        "1--1",
        "2*-3",
        "-2*3",
        "(1)",
        "((-(1)))",
        "1+2*3",
        "1-2-3",
        "8/4/2",
        "2*(3+4)*5",
        "-(2)*-(3)",
        "1e308*10",
        "1/3*3",
        "0.1+0.2",
        "1.",
        ".5e1",
        "4.9e-324",
        "123456789012345678901234567890",
        "0.3",
        "2.2250738585072011e-308",
        "9007199254740993",
        "179769313486231580793728971405301e276",
        "1\n+\t2\r",
        "0/0",
        "1/0",
        "-0",
        "5-0*-1",
        "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"};
    static const char *const whole[] = {"9223372036854775807",
                                        "-9223372036854775808",
                                        "-9223372036854775808/-1",
                                        "-7/2",
                                        "7/-2",
                                        "9223372036854775807+1",
                                        "3037000500*3037000500",
                                        "007"};
    static const struct {
        const char *text, *what;
        int64_t at;
        bool real;
    } bad[] = {
        {"", "expected an operand", 0, true},
        {"  ", "expected an operand", 2, true},
        {"1+", "got the end", 2, true},
        {"(1", "expected ) for this (", 0, true},
        {"1+(2*(3+4)", "expected ) for this (", 2, true},
        {"(1)+((2)", "expected ) for this (", 4, true},
        {"1)", "expected no ) without its (", 1, false},
        {"(1))+(2", "expected no ) without its (", 3, false},
        {"()", "expected an operand before", 1, true},
        {"1 2", "none before a number", 2, true},
        {"(1)(2)", "none before a number", 3, true},
        {"1+*2", "expected an operand before", 2, true},
        {"*2", "expected an operand before", 0, true},
        {"+2", "expected an operand before", 0, true},
        {"1.2.3", "none before a number", 3, true},
        {"1+x", "expected a number", 2, true},
        {"1e", "expected a number", 1, true},
        {"1.5", "an integer of 64 bits", 0, false},
        {"2+1e3", "an integer of 64 bits", 2, false},
        {"9223372036854775808", "an integer of 64 bits", 0, false},
        {"1-9223372036854775808", "an integer of 64 bits", 2, false},
        {"-9223372036854775809", "an integer of 64 bits", 1, false},
        {"99999999999999999999999", "an integer of 64 bits", 0, false},
        {"1/0", "a division by zero", 1, false},
        {"5/(3-3)+1/0", "a division by zero", 1, false},
        {"1/((1/0)-1)", "a division by zero", 5, false},
        {"1/(1/(2-2))", "a division by zero", 4, false},
    };
    int64_t out = 0, error = -7;
    double x;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) check_value(ctx, name, good[k], true);
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        check_value(ctx, name, whole[k], false);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const hd_view text =
            HD_VIEW((const unsigned char *)bad[k].text, (int64_t)strlen(bad[k].text));
        const hd_status status =
            hd_evaluate(ctx, text, bad[k].real ? HD_VIEW(&x, 1) : HD_VIEW(&out, 1),
                        &(hd_evaluate_options){.error = HD_REF(HD_VIEW(&error, 1))});
        CHECK(status == HD_ERROR_VALUE && error == bad[k].at && strstr(hd_error(ctx), bad[k].what),
              "\"%s\": %s at %" PRId64 ", expected %" PRId64, bad[k].text, hd_error(ctx), error,
              bad[k].at);
    }
}

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(hd_context *ctx)
{
    unsigned char text[16] = "1+2";
    double x[2];
    float f;
    const hd_view t = HD_VIEW(text, 3);
    FAILS(HD_ERROR_TYPE, "result is f32", hd_evaluate(ctx, t, HD_VIEW(&f, 1), NULL));
    FAILS(HD_ERROR_TYPE, "text has 1 dimensions of f64",
          hd_evaluate(ctx, HD_VIEW(x, 1), HD_VIEW(x, 1), NULL));
    FAILS(HD_ERROR_SHAPE, "result has 2", hd_evaluate(ctx, t, HD_VIEW(x, 2), NULL));
    FAILS(HD_ERROR_ARGUMENT, "error is f64",
          hd_evaluate(ctx, t, HD_VIEW(x, 1),
                      &(hd_evaluate_options){.error = HD_REF(HD_VIEW(x + 1, 1))}));
    CHECK(hd_evaluate(NULL, t, HD_VIEW(x, 1), NULL) == HD_ERROR_ARGUMENT, "no context");
}

static void test_memory(void)
{
    static const char text[] = "(1+2)*(3-(4/5))*6.25e100 - 1";
    bool met = true;
    double x;
    for (long long k = 0; met && k < 500; k++) {
        failing_ledger l = {.fail_at = -1};
        hd_context *ctx = NULL;
        CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){
                                        .allocator = {failing_allocate, failing_release, &l}}));
        l.fail_at = l.calls + k;
        const hd_status status = hd_evaluate(
            ctx, HD_VIEW((const unsigned char *)text, (int64_t)strlen(text)), HD_VIEW(&x, 1), NULL);
        met = l.calls > l.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "allocation %lld: %s", k, hd_error(ctx));
        hd_close(ctx);
        CHECK(l.alive == 0, "allocation %lld: %lld blocks lost", k, l.alive);
    }
}

static void test_gpu(hd_backend which)
{
    hd_context *ctx = check_open(which, 1, NULL);
    static const char text[] = "(1+2)*(3-(4/5))*6.25e-1 - -1.75";
    const int64_t n = (int64_t)strlen(text);
    const double want = (1. + 2.) * (3. - (4. / 5.)) * 6.25e-1 - -1.75;
    double x = 0;
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &n, &v));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW((const unsigned char *)text, n), NULL, v, NULL));
    CHECK_OK(ctx, hd_evaluate(ctx, v, HD_VIEW(&x, 1), NULL));
    CHECK(x == want, "%s: %.17g, expected %.17g", hd_backend_name(which), x, want);
    CHECK_OK(ctx, hd_free(ctx, &v));
    random_value(ctx, hd_backend_name(which), 300, 21);
    hd_close(ctx);
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    const int turns = check_small() ? 100 : 300;
    for (int t = 0; t < count; t++) {
        for (int turn = 0; turn < (t < 2 ? turns : 20); turn++)
            random_value(targets[t].ctx, targets[t].name, 1 + turn * 7, turn + 1000 * t);
        for (int turn = 0; turn < 8 && t < 6; turn++)
            random_value(targets[t].ctx, targets[t].name, check_small() ? 15000 : 100000,
                         turn + 7 * t);
        if (t < 2) test_rows(targets[t].ctx, targets[t].name);
        if (t < 4) test_shapes(targets[t].ctx, targets[t].name, check_small() ? 3000 : 30000);
    }
    test_errors(targets[0].ctx);
    test_memory();
    const int code = check_on_gpus(test_gpu);
    return code == CHECK_SKIP ? check_finish() : code;
}
