// SPDX-License-Identifier: Apache-2.0
//
// Variance far from zero: elements are an offset plus small whole numbers k on the type's grid, and
// the expected value is that of the k alone, in whole numbers of 128 bits. Every form of reduce and
// scan, every target; a scan's prefixes have the bits of reductions, and targets those of the
// serial definition.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"

__extension__ typedef __int128 whole;

#define MAX 5000

static hd_context *serial;
static int64_t ks[MAX];
static double elements[MAX]; // of any type

// ---- Elements and what is expected of them ------------------------------------------------------

typedef struct kind {
    hd_type type;
    hd_type out;
    bool wide; // the mean has two parts
} kind;

static const kind kinds[] = {
    {HD_F64, HD_F64, true},  {HD_I64, HD_F64, true},  {HD_U64, HD_F64, true},
    {HD_I32, HD_F64, true},  {HD_U32, HD_F64, true},  {HD_I16, HD_F64, false},
    {HD_F32, HD_F64, false}, {HD_F32, HD_F32, false},
};

enum { RANDOM, RISING, OUTLIER, ALTERNATING, SHAPES };

static void fill_ks(int shape, int64_t n, int64_t spread, uint64_t *state)
{
    for (int64_t i = 0; i < n; i++) {
        if (shape == RANDOM) ks[i] = check_below(state, 2 * spread + 1) - spread;
        if (shape == RISING) ks[i] = i * (2 * spread + 1) / n - spread;
        if (shape == OUTLIER) ks[i] = i == n / 3 ? spread : 0;
        if (shape == ALTERNATING) ks[i] = i % 2 ? spread : -spread;
    }
}

// The offset, as a whole number of units, of which the type's grid there is made.
static int64_t draw_offset(hd_type type, uint64_t *state)
{
    const int64_t r = (int64_t)(check_next(state) >> 1);
    const int sign = check_below(state, 2) ? 1 : -1;
    switch (type) {
    case HD_F64: return sign * (r >> (12 + check_below(state, 40)));
    case HD_I64: return sign * (r >> (1 + check_below(state, 50)));
    case HD_U64: return INT64_MAX - (1 << 22) - (r >> (1 + check_below(state, 50))) / 2;
    case HD_I32: return sign * (INT32_MAX - 5000 - check_below(state, 100));
    case HD_U32: return (int64_t)UINT32_MAX - 5000 - check_below(state, 100);
    case HD_I16: return sign * (32000 - check_below(state, 100));
    default: return sign * (10000000 + check_below(state, 1000));
    }
}

static int64_t draw_spread(hd_type type, uint64_t *state)
{
    const int64_t most = type == HD_I16                     ? 700
                         : type == HD_F32                   ? 100
                         : type == HD_I32 || type == HD_U32 ? 4000
                                                            : 1 << 20;
    return 1 + check_below(state, check_below(state, 2) ? 3 : most);
}

// Element i; unit is that of floats. U64 goes on past what an int64_t holds.
static void put(hd_type type, int64_t i, int64_t offset, double unit)
{
    const int64_t x = offset + ks[i];
    switch (type) {
    case HD_F64: ((double *)elements)[i] = (double)x * unit; break;
    case HD_I64: ((int64_t *)elements)[i] = x; break;
    case HD_U64: ((uint64_t *)elements)[i] = (uint64_t)x * 2; break;
    case HD_I32: ((int32_t *)elements)[i] = (int32_t)x; break;
    case HD_U32: ((uint32_t *)elements)[i] = (uint32_t)x; break;
    case HD_I16: ((int16_t *)elements)[i] = (int16_t)x; break;
    default: ((float *)elements)[i] = (float)x;
    }
}

// The variance of ks[from] .. ks[to - 1], of which `step` is the distance of two neighbours.
static double expected(int64_t from, int64_t to, int32_t ddof, double step)
{
    const int64_t n = to - from;
    whole sum = 0, squares = 0;
    for (int64_t i = from; i < to; i++) sum += ks[i], squares += (whole)ks[i] * ks[i];
    if (n <= ddof) return (double)NAN;
    const long double spread = (long double)(n * squares - sum * sum);
    return (double)(spread / ((long double)n * (long double)(n - ddof))) * step * step;
}

// ---- A question and its judgement ---------------------------------------------------------------

typedef struct question {
    const check_target *target;
    kind kind;
    int64_t n;
    int32_t ddof;
    double step;
    int shape;
    int64_t offset;
} question;

// What numerics.md promises: 16 u, and 8 u (or 16 u^2, of wide means) of how many standard
// deviations the mean is from 0.
static double error_of(const question *q, double variance)
{
    const double far = fabs((double)q->offset * q->step) / sqrt(variance);
    const double output = q->kind.out == HD_F32 ? 0x1p-24 : 0;
    return 0x1p-49 + output + far * (q->kind.wide ? 0x1p-102 : 0x1p-50);
}

static void judge(const question *q, const char *what, double got, double want)
{
    const bool fits = isnan(want) ? isnan(got)
                      : want == 0 ? got == 0
                                  : fabs(got - want) <= error_of(q, want) * want;
    CHECK(fits,
          "%s of %" PRId64 " %s, offset %" PRId64 ", shape %d, on %s: %.17g, expected %.17g (%.2g, "
          "at most %.2g)",
          what, q->n, hd_type_name(q->kind.type), q->offset, q->shape, q->target->name, got, want,
          fabs(got - want) / want, error_of(q, want));
}

// ---- One call after another: the serial definition is judged, others have its bits --------------

static double number_of(hd_type type, const void *array, int64_t i)
{
    return type == HD_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

static hd_view view_of(const question *q, int64_t from, int64_t to)
{
    return HD_VIEW_OF(q->kind.type, (char *)elements + hd_type_size(q->kind.type) * (size_t)from,
                      to - from);
}

// What the serial definition gave for the calls of a question, one after another; every target is
// asked the same ones.
static double record[4 * MAX];
static int64_t recorded;

static void compare(const question *q, const char *what, const double *got, int64_t outs)
{
    double *want = record + recorded;
    recorded += outs;
    CHECK(recorded <= 4 * MAX, "%" PRId64 " results", recorded);
    if (q->target->ctx == serial)
        memcpy(want, got, hd_type_size(q->kind.out) * (size_t)outs);
    else
        CHECK_SAME(q->kind.out, got, want, outs, "%s of %" PRId64 " %s on %s", what, q->n,
                   hd_type_name(q->kind.type), q->target->name);
}

static void reduce(const question *q, hd_view in, hd_reduce_options o, int64_t outs, double *got)
{
    hd_context *ctx = q->target->ctx;
    o.ddof = q->ddof;
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_VARIANCE, HD_VIEW_OF(q->kind.out, got, outs), &o));
    compare(q, "reduce", got, outs);
}

static void scan(const question *q, hd_scan_options o, double *got)
{
    const hd_view in = view_of(q, 0, q->n);
    hd_context *ctx = q->target->ctx;
    o.ddof = q->ddof;
    CHECK_OK(ctx, hd_scan(ctx, in, HD_VARIANCE, HD_VIEW_OF(q->kind.out, got, q->n), &o));
    compare(q, "scan", got, q->n);
}

static void try_reduce(const question *q)
{
    double got;
    reduce(q, view_of(q, 0, q->n), (hd_reduce_options){0}, 1, &got);
    judge(q, "reduce", number_of(q->kind.out, &got, 0), expected(0, q->n, q->ddof, q->step));
}

// Rows of two dimensions along both axes.
static void try_axes(const question *q)
{
    enum { SIDE = 23 };
    double got[SIDE];
    if (q->n < SIDE * SIDE) return;
    const hd_view all = hd_view_nd(q->kind.type, elements, 2, (int64_t[]){SIDE, SIDE}, NULL);
    reduce(q, all, (hd_reduce_options){.axis = HD_AXIS(0)}, SIDE, got);
    reduce(q, all, (hd_reduce_options){.axis = HD_AXIS(1)}, SIDE, got);
    for (int64_t r = 0; r < SIDE; r++)
        judge(q, "row", number_of(q->kind.out, got, r),
              expected(r * SIDE, (r + 1) * SIDE, q->ddof, q->step));
}

static void try_scan(const question *q, bool exclusive)
{
    static double got[MAX];
    double prefix;
    const hd_type out = q->kind.out;
    scan(q, (hd_scan_options){.exclusive = exclusive}, got);
    if (q->target->ctx != serial) return;
    for (int64_t i = 0; i < q->n; i += 1 + i / 7) {
        const int64_t to = i + !exclusive;
        judge(q, "scan", number_of(out, got, i), expected(0, to, q->ddof, q->step));
        CHECK_OK(serial,
                 hd_reduce(serial, view_of(q, 0, to), HD_VARIANCE, HD_VIEW_OF(out, &prefix, 1),
                           &(hd_reduce_options){.ddof = q->ddof}));
        CHECK_SAME(out, (char *)got + hd_type_size(out) * (size_t)i, &prefix, 1,
                   "prefix of %" PRId64, to);
    }
}

// Segments of a scan begin anywhere in the tree.
static void try_segments(const question *q)
{
    static double got[MAX];
    if (q->n < 300) return;
    const int64_t offsets[] = {0, 1, 8, 77, 77, 200, q->n};
    enum { SEGMENTS = sizeof offsets / sizeof *offsets - 1 };
    const hd_view heads = HD_VIEW(offsets, SEGMENTS + 1);
    reduce(q, view_of(q, 0, q->n), (hd_reduce_options){.segments = HD_REF(heads)}, SEGMENTS, got);
    for (int j = 0; j < SEGMENTS; j++)
        judge(q, "segment", number_of(q->kind.out, got, j),
              expected(offsets[j], offsets[j + 1], q->ddof, q->step));
    scan(q, (hd_scan_options){.segments = HD_REF(heads)}, got);
    if (q->target->ctx != serial) return;
    for (int j = 0; j < SEGMENTS; j++)
        for (int64_t i = offsets[j]; i < offsets[j + 1]; i += 1 + i / 9)
            judge(q, "segmented scan", number_of(q->kind.out, got, i),
                  expected(offsets[j], i + 1, q->ddof, q->step));
}

static void try_carry(const question *q)
{
    double got = 0, want = 0;
    hd_carry *carry;
    hd_context *ctx = q->target->ctx;
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    const hd_reduce_options o = {.ddof = q->ddof, .carry = carry};
    for (int64_t at = 0, m = 1; at < q->n; at += m, m += 37) {
        const int64_t end = at + m < q->n ? at + m : q->n;
        CHECK_OK(ctx, hd_reduce(ctx, view_of(q, at, end), HD_VARIANCE,
                                HD_VIEW_OF(q->kind.out, &got, 1), &o));
    }
    hd_carry_close(ctx, carry);
    reduce(q, view_of(q, 0, q->n), (hd_reduce_options){0}, 1, &want);
    CHECK_SAME(q->kind.out, &got, &want, 1, "pieces of %" PRId64 " on %s", q->n, q->target->name);
}

static void try_question(const question *q)
{
    recorded = 0;
    try_reduce(q);
    try_axes(q);
    try_scan(q, false);
    try_scan(q, true);
    try_segments(q);
    try_carry(q);
}

// The first target is the serial backend.
static void test_kind(kind kind, const check_target *targets, int count, int64_t n, uint64_t *state)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        const int64_t offset = draw_offset(kind.type, state);
        const double unit = kind.type == HD_F64 ? ldexp(1, (int)check_below(state, 60) - 20) : 1;
        fill_ks(shape, n, draw_spread(kind.type, state), state);
        for (int64_t i = 0; i < n; i++) put(kind.type, i, offset, unit);
        const double step = kind.type == HD_U64 ? 2 : unit;
        const int32_t ddof = (int32_t)check_below(state, 2);
        for (int t = 0; t < count; t++)
            try_question(&(question){&targets[t], kind, n, ddof, step, shape, offset});
    }
}

// ---- On a card or its model: a few --------------------------------------------------------------

static void test_gpu(hd_backend which)
{
    check_target targets[] = {{serial, "serial"}, {check_open(which, 0, NULL), ""}};
    snprintf(targets[1].name, sizeof targets[1].name, "%s", hd_backend_name(which));
    uint64_t state = check_seed();
    for (int k = 0; k < 2; k++) test_kind(kinds[k], targets, 2, 701, &state);
    hd_close(targets[1].ctx);
}

int main(void)
{
    static const int64_t sizes[] = {1, 2, 3, 63, 64, 65, 129, 700, 1021, 4099};
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t state = check_seed();
    serial = targets[0].ctx;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            test_kind(kinds[k], targets, count, sizes[s], &state);
    const int code = check_on_gpus(test_gpu);
    return code == CHECK_SKIP ? 0 : code;
}
