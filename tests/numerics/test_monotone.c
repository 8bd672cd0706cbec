// SPDX-License-Identifier: Apache-2.0
//
// hd_scan's .monotone: the running maximum of the plain outputs, which the independent reference
// gives, in every form of a scan and on every target. Plain sums of non-negative floats do fall,
// monotone ones never, and a search takes only these.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

#define MAX 600011 // more than the cpu backend takes at a time, of two threads

HD_OPERATOR(saturating, float, HD_NO_SOURCE, HD_ASSOCIATIVE, {
    float s = a + b;
    return s > 100.0f ? 100.0f : s;
})

typedef struct row {
    const hd_operator *op;
    hd_type type, out;
    check_pattern pattern;
} row;

static const row rows[] = {
    {HD_SUM, HD_F32, HD_F32, CHECK_ORDINARY},      {HD_SUM, HD_F64, HD_F64, CHECK_ORDINARY},
    {HD_SUM, HD_F16, HD_F16, CHECK_ORDINARY},      {HD_SUM, HD_BF16, HD_F32, CHECK_SPECIAL},
    {HD_SUM, HD_F32, HD_F32, CHECK_ZEROS},         {HD_SUM, HD_I32, HD_I32, CHECK_ORDINARY},
    {HD_SUM, HD_U8, HD_U64, CHECK_ORDINARY},       {HD_SUM, HD_I16, HD_I16, CHECK_ORDINARY},
    {HD_PRODUCT, HD_F64, HD_F64, CHECK_UNITS},     {HD_MEAN, HD_F32, HD_F32, CHECK_ORDINARY},
    {HD_VARIANCE, HD_F64, HD_F64, CHECK_ORDINARY}, {HD_MIN, HD_F32, HD_F32, CHECK_SPECIAL},
    {HD_MAX, HD_U32, HD_U32, CHECK_ORDINARY},
};
enum { ROWS = sizeof rows / sizeof *rows };

static _Alignas(64) unsigned char in[8 * MAX], want[8 * MAX], got[8 * MAX];
static unsigned char heads[MAX];
static int64_t offsets[MAX];
static int32_t keys[MAX];

// ---- What is expected ---------------------------------------------------------------------------

static bool is_nan(hd_type type, const void *p)
{
    return check_is_float(type) && isnan(ref_to_double(type, p));
}

// Whether b is above a, +0 above -0.
static bool above(hd_type type, const void *a, const void *b)
{
    if (check_is_float(type)) {
        const double x = ref_to_double(type, a), y = ref_to_double(type, b);
        return y > x || (x == y && signbit(x) && !signbit(y));
    }
    const uint64_t x = ref_to_whole(type, a), y = ref_to_whole(type, b);
    return check_is_signed(type) ? (int64_t)y > (int64_t)x : y > x;
}

// The greatest so far stays, and so does a NaN; it begins anew where a segment starts.
static void make_rise(hd_type type, unsigned char *out, int64_t n, bool backward,
                      const unsigned char *starts)
{
    const size_t size = hd_type_size(type);
    for (int64_t k = 1; k < n; k++) {
        const int64_t i = backward ? n - 1 - k : k, before = backward ? i + 1 : i - 1;
        if (starts != NULL && starts[backward ? before : i]) continue;
        unsigned char *here = out + size * (size_t)i, *last = out + size * (size_t)before;
        if (is_nan(type, last) || (!is_nan(type, here) && !above(type, last, here)))
            memcpy(here, last, size);
    }
}

static const void *init_of(const row *r, uint64_t *state)
{
    static double init;
    if (r->op == HD_MEAN || r->op == HD_VARIANCE || check_below(state, 3) > 0) return NULL;
    check_fill(r->out, &init, 1, CHECK_LITTLE, check_next(state));
    return &init;
}

// ---- Every form ---------------------------------------------------------------------------------

typedef enum { WHOLE, BY_OFFSETS, BY_KEYS, FORMS } form;

static void try_form(const check_target *target, const row *r, int64_t n, form form, bool in_place,
                     uint64_t *state)
{
    const bool exclusive = check_below(state, 2), backward = check_below(state, 2);
    hd_scan_options o = {.monotone = true, .exclusive = exclusive, .backward = backward};
    const unsigned char *starts = form == WHOLE ? NULL : heads;
    o.init = init_of(r, state);
    check_fill(r->type, in, n, r->pattern, check_next(state));
    hd_view slices;
    if (form == BY_OFFSETS) {
        const int64_t m = check_offsets(n, MAX, state, offsets);
        ref_heads_of_offsets(offsets, m, heads, n);
        slices = HD_VIEW(offsets, m), o.segments = &slices;
    } else if (form == BY_KEYS) {
        check_keys(HD_I32, keys, n, state);
        ref_heads_of_keys(HD_I32, keys, heads, n);
        slices = HD_VIEW(keys, n), o.keys = &slices;
    }
    ref_scan(r->op, r->type, in, n, r->out, want, NULL,
             &(ref_how){exclusive, backward, 0, o.init, starts, HD_NONE});
    make_rise(r->out, want, n, backward, starts);
    void *to = in_place && r->type == r->out ? in : got;
    CHECK_OK(target->ctx, hd_scan(target->ctx, HD_VIEW_OF(r->type, in, n), r->op,
                                  HD_VIEW_OF(r->out, to, n), &o));
    CHECK_SAME(r->out, to, want, n, "%s of %" PRId64 " %s, form %d%s%s%s on %s",
               hd_operator_name(r->op), n, hd_type_name(r->type), form,
               exclusive ? ", exclusive" : "", backward ? ", backward" : "", o.init ? ", init" : "",
               target->name);
}

static void try_axes(const check_target *target, const row *r, uint64_t *state)
{
    const int64_t shape[] = {19, 23};
    const size_t size = hd_type_size(r->type), out_size = hd_type_size(r->out);
    const bool backward = check_below(state, 2);
    check_fill(r->type, in, 19 * 23, r->pattern, check_next(state));
    for (int32_t axis = 0; axis < 2; axis++) {
        const hd_scan_options o = {.monotone = true, .axis = HD_AXIS(axis), .backward = backward};
        const hd_view from = hd_view_nd(r->type, in, 2, shape, NULL);
        CHECK_OK(target->ctx,
                 hd_scan(target->ctx, from, r->op, hd_view_nd(r->out, got, 2, shape, NULL), &o));
        const int64_t length = shape[axis], step = axis == 0 ? 23 : 1, apart = axis == 0 ? 1 : 23;
        for (int64_t j = 0; j < 19 * 23 / length; j++) {
            unsigned char line[8 * 23], out[8 * 23], row_got[8 * 23];
            for (int64_t i = 0; i < length; i++) {
                memcpy(line + size * (size_t)i, in + size * (size_t)(j * apart + i * step), size);
                memcpy(row_got + out_size * (size_t)i,
                       got + out_size * (size_t)(j * apart + i * step), out_size);
            }
            ref_scan(r->op, r->type, line, length, r->out, out, NULL,
                     &(ref_how){.backward = backward});
            make_rise(r->out, out, length, backward, NULL);
            CHECK_SAME(r->out, row_got, out, length, "row %" PRId64 " of axis %d on %s", j,
                       (int)axis, target->name);
        }
    }
}

// Pieces of odd lengths, an empty one among them, have the bits of one call.
static void try_carry(const check_target *target, const row *r, int64_t n, bool exclusive,
                      uint64_t *state)
{
    hd_context *ctx = target->ctx;
    const size_t size = hd_type_size(r->type), out_size = hd_type_size(r->out);
    hd_carry *carry;
    check_fill(r->type, in, n, r->pattern, check_next(state));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(r->type, in, n), r->op, HD_VIEW_OF(r->out, want, n),
                          &(hd_scan_options){.monotone = true, .exclusive = exclusive}));
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    const hd_scan_options o = {.monotone = true, .exclusive = exclusive, .carry = carry};
    for (int64_t at = 0, m = 0; at < n; at += m, m = 1 + check_below(state, n / 7)) {
        if (m > n - at) m = n - at;
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(r->type, in + size * (size_t)at, m), r->op,
                              HD_VIEW_OF(r->out, got + out_size * (size_t)at, m), &o));
    }
    CHECK_SAME(r->out, got, want, n, "%s of %s in pieces on %s", hd_operator_name(r->op),
               hd_type_name(r->type), target->name);
    hd_scan_options other = o;
    other.monotone = false;
    CHECK(hd_scan(ctx, HD_VIEW_OF(r->type, in, 1), r->op, HD_VIEW_OF(r->out, got, 1), &other) ==
                  HD_ERROR_ARGUMENT &&
              strstr(hd_error(ctx), "monotone") != NULL,
          "a carry goes on without monotone: %s", hd_error(ctx));
    hd_carry_close(ctx, carry);
}

// ---- Distributions ------------------------------------------------------------------------------

static int64_t falls(const float *x, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 1; i < n; i++) count += x[i] < x[i - 1];
    return count;
}

static void test_distribution(const check_target *target)
{
    float *x = (float *)(void *)in, *sums = (float *)(void *)got;
    const float queries[] = {0, 1, 7000, 1e9f};
    int64_t at[4];
    uint64_t state = 1; // the same on every machine, whatever the seed
    hd_context *ctx = target->ctx;
    const hd_search_options checked = {.checked = true};
    for (int64_t i = 0; i < MAX; i++) {
        const float v = (float)(check_next(&state) >> 40) * 0x1p-24f;
        x[i] = (v * v) * (v * v);
    }
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, MAX), HD_SUM, HD_VIEW(sums, MAX), NULL));
    CHECK(falls(sums, MAX) > 100, "plain sums fall %" PRId64 " times", falls(sums, MAX));
    CHECK(hd_search(ctx, HD_VIEW(sums, MAX), HD_VIEW(queries, 4), HD_VIEW(at, 4), &checked) ==
              HD_ERROR_VALUE,
          "a search takes sums that fall");
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, MAX), HD_SUM, HD_VIEW(sums, MAX),
                          &(hd_scan_options){.monotone = true}));
    CHECK(falls(sums, MAX) == 0, "monotone sums fall %" PRId64 " times", falls(sums, MAX));
    CHECK_OK(ctx,
             hd_search(ctx, HD_VIEW(sums, MAX), HD_VIEW(queries, 4), HD_VIEW(at, 4), &checked));
    CHECK(at[0] == 0 && at[3] == MAX, "places %" PRId64 " and %" PRId64, at[0], at[3]);
}

// ---- Operators ----------------------------------------------------------------------------------

static void refuse(hd_context *ctx, const hd_operator *op, hd_type type, hd_type out,
                   const char *word)
{
    const hd_status status = hd_scan(ctx, HD_VIEW_OF(type, in, 9), op, HD_VIEW_OF(out, got, 9),
                                     &(hd_scan_options){.monotone = true});
    CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_error(ctx), word) != NULL, "%s: %s, %s",
          hd_operator_name(op), hd_status_name(status), hd_error(ctx));
}

static void test_operators(hd_context *ctx)
{
    refuse(ctx, HD_ARGMAX, HD_F32, HD_I64, "indices");
    refuse(ctx, HD_ARGMIN, HD_I32, HD_I64, "indices");
    refuse(ctx, HD_AND, HD_U32, HD_U32, "bits");
    refuse(ctx, HD_XOR, HD_U8, HD_U8, "bits");
    refuse(ctx, HD_ANY, HD_F32, HD_BOOL, "bool");
    refuse(ctx, HD_MAX, HD_BOOL, HD_BOOL, "bool");
    float x[] = {60, 30, -20, 50, 0, -70, 1}, y[7];
    const float rising[] = {60, 90, 90, 100, 100, 100, 100};
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 7), saturating, HD_VIEW(y, 7),
                          &(hd_scan_options){.monotone = true}));
    CHECK_SAME(HD_F32, y, rising, 7, "a user's operator");
    float second[7];
    const hd_scan_options both[] = {{.monotone = true, .residual = HD_REF(HD_VIEW(second, 7))},
                                    {.monotone = true, .bound = HD_REF(HD_VIEW(second, 7))}};
    for (int k = 0; k < 2; k++)
        CHECK(hd_scan(ctx, HD_VIEW(x, 7), HD_SUM_COMPENSATED, HD_VIEW(y, 7), both + k) ==
                      HD_ERROR_ARGUMENT &&
                  strstr(hd_error(ctx), k == 0 ? "residual" : "bound") != NULL,
              "monotone with a second output: %s", hd_error(ctx));
}

static void test_gpu(hd_backend which)
{
    check_target target = {check_open(which, 0, NULL), ""};
    snprintf(target.name, sizeof target.name, "%s", hd_backend_name(which));
    uint64_t state = check_seed();
    try_form(&target, &rows[0], 3001, WHOLE, true, &state);
    try_form(&target, &rows[0], 3001, BY_OFFSETS, false, &state);
    try_carry(&target, &rows[0], 1500, false, &state);
    hd_close(target.ctx);
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 2, 31, 257, 1021, 5003, 70000, MAX};
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t state = check_seed();
    for (int k = 0; k < ROWS; k++)
        for (int t = 0; t < count; t++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                if ((sizes[s] < 6000 || (t % 5 == 1 && k < 6)) &&
                    (!check_small() || s % 4 == (size_t)(t + k) % 4))
                    try_form(&targets[t], &rows[k], sizes[s], (form)check_below(&state, FORMS),
                             check_below(&state, 2), &state);
            try_axes(&targets[t], &rows[k], &state);
            try_carry(&targets[t], &rows[k], 1500, t % 2, &state);
        }
    for (int t = 1; t < count && t <= 2; t++)
        for (int k = 0; k < 2; k++) {
            for (int again = 0; again < (check_small() ? 2 : 4); again++)
                try_form(&targets[t], &rows[k], MAX, WHOLE, again % 2, &state);
            try_carry(&targets[t], &rows[k], MAX, k % 2, &state);
        }
    for (int t = 0; t < count; t += check_small() ? 5 : 1) test_distribution(&targets[t]);
    test_operators(targets[0].ctx);
    const int code = check_on_gpus(test_gpu);
    return code == CHECK_SKIP ? 0 : code;
}
