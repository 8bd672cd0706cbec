// SPDX-License-Identifier: Apache-2.0
//
// HD_SUM_EXACT against sums made digit by digit (reference_exact.c) and against results known on
// paper: hard inputs of every float type, in any order, by segments, keys, axes and carries, on
// every target.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

// ---- On paper -------------------------------------------------------------------------------

#define MAX_F64 1.7976931348623157e308

static void expect_f64(const double *x, int64_t n, double want)
{
    double got;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_SUM_EXACT, HD_VIEW(&got, 1), NULL));
        CHECK_SAME(HD_F64, &got, &want, 1, "%s: %lld elements", targets[t].name, (long long)n);
    }
    ref_exact_sum(HD_F64, x, n, HD_F64, &got, NULL);
    CHECK_SAME(HD_F64, &got, &want, 1, "the reference: %lld elements", (long long)n);
}

static void expect_f32(const float *x, int64_t n, float want)
{
    float got;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_SUM_EXACT, HD_VIEW(&got, 1), NULL));
        CHECK_SAME(HD_F32, &got, &want, 1, "%s: %lld elements", targets[t].name, (long long)n);
    }
}

#define F64(want, ...)                                                                             \
    expect_f64((const double[]){__VA_ARGS__},                                                      \
               sizeof((const double[]){__VA_ARGS__}) / sizeof(double), want)
#define F32(want, ...)                                                                             \
    expect_f32((const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / sizeof(float), \
               want)

static void test_rounding(void)
{
    F64(0, MAX_F64, MAX_F64, -MAX_F64, -MAX_F64);
    F64((double)INFINITY, MAX_F64, MAX_F64, -0x1p-1074);
    F64(MAX_F64, MAX_F64, 0x1.fffffffffffffp969); // just below half of the last place
    F64((double)INFINITY, MAX_F64, 0x1p970);
    F64(MAX_F64, MAX_F64, 0x1p970, -0x1p-1074);
    F64(1, 1, 0x1p-53); // halves go to even
    F64(1 + 0x1p-51, 1 + 0x1p-52, 0x1p-53);
    F64(1 + 0x1p-52, 1, 0x1p-53, 0x1p-1074); // unless there is anything below
    F64(1, 1, 0x1p-53, -0x1p-1074);
    F64(-1 - 0x1p-52, -1, -0x1p-53, -0x1p-1074);
    F64(0x1p-1074, 1e300, 0x1p-1074, -1e300);
    F64(0x1p-1022, 0x0.8p-1022, 0x0.8p-1022);
    F64(2, 1e100, 1, -1e100, 1);
    F64(2 * 0x1p-1074, 1, 0x1p-1074, -1, 0x1p-1074);
    F32(1, 1, 0x1p-24f);
    F32(1 + 0x1p-23f, 1, 0x1p-24f, 0x1p-149f);
    F32(0, FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX);
    F32(FLT_MAX, FLT_MAX, 0x1.fffffep102f);
    F32(INFINITY, FLT_MAX, 0x1p103f);
    F32(0x1p-149f, 1e30f, 0x1p-149f, -1e30f);
}

static void test_special(void)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    F64(0.0, -0.0, 0.0);
    F64(-0.0, -0.0, -0.0, -0.0);
    F64(0.0, 1, -1);
    F64(0.0, -0.0, 1, -1, -0.0);
    F64(inf, 1, inf, -MAX_F64, -MAX_F64);
    F64(-inf, -inf, 5, -inf);
    F64(nan, inf, -inf);
    F64(nan, 1, nan, inf);
    F32(-0.0f, -0.0f, -0.0f);
    F32(-INFINITY, FLT_MAX, -INFINITY);
    F32(NAN, INFINITY, 1, -INFINITY);
    expect_f64(NULL, 0, 0.0);
}

// ---- Hard inputs ----------------------------------------------------------------------------

// All exponents; all of them with their opposites somewhere; halves with a bit far below; near the
// ends.
enum { EXPONENTS, CANCELLED, HALVES, SUBNORMAL, GREAT, NARROW, SPECIAL, KINDS };

static double number(int kind, hd_type type, uint64_t *state)
{
    const int least = type == HD_F64 ? -1074 : type == HD_F16 ? -24 : type == HD_BF16 ? -133 : -149;
    const int most = type == HD_F64 ? 1023 : type == HD_F16 ? 15 : 127;
    const uint64_t bits = check_next(state);
    const double unit = 1 + (double)(bits >> 12) * 0x1p-52, sign = bits & 1 ? -1 : 1;
    const int span = most - least, any = (int)check_below(state, span + 1) + least;
    switch (kind) {
    case HALVES: return sign * ldexp(1, bits & 6 ? (int)(bits >> 8 & 1) * -53 : any);
    case SUBNORMAL: return sign * ldexp((double)(bits >> 40), least);
    case GREAT: return sign * unit * ldexp(1, most - 1);
    case NARROW: return unit - 1;
    case SPECIAL: return bits >> 1 & 15 ? sign * 0.0 : bits & 32 ? (double)INFINITY : -0.0;
    default: return sign * unit * ldexp(1, any);
    }
}

static void put(hd_type type, void *out, int64_t i, double x)
{
    const float f = (float)x;
    const uint16_t h = type == HD_F16 || type == HD_BF16 ? ref_narrow(type, x) : 0;
    memcpy((char *)out + (size_t)i * hd_type_size(type),
           type == HD_F64   ? (const void *)&x
           : type == HD_F32 ? (const void *)&f
                            : &h,
           hd_type_size(type));
}

static void shuffle(hd_type type, void *x, int64_t n, uint64_t *state)
{
    const size_t size = hd_type_size(type);
    unsigned char one[8];
    for (int64_t i = n - 1; i > 0; i--) {
        char *a = (char *)x + (size_t)i * size,
             *b = (char *)x + (size_t)check_below(state, i + 1) * size;
        memcpy(one, a, size), memcpy(a, b, size), memcpy(b, one, size);
    }
}

static void fill(int kind, hd_type type, void *x, int64_t n, uint64_t *state)
{
    for (int64_t i = 0; i < n; i++) {
        put(type, x, i, number(kind, type, state));
        if (kind != CANCELLED || i % 2 == 0) continue;
        const size_t size = hd_type_size(type);
        char *at = (char *)x + (size_t)i * size;
        memcpy(at, at - size, size);
        at[size - 1] = (char)(at[size - 1] ^ 0x80);
    }
    if (kind == CANCELLED) shuffle(type, x, n, state);
}

static void test_whole(int kind, hd_type type, hd_type out_type, int64_t n, uint64_t *state)
{
    void *x = check_memory((size_t)n * 8 + 8);
    _Alignas(8) unsigned char want[8], got[8];
    fill(kind, type, x, n, state);
    ref_exact_sum(type, x, n, out_type, want, NULL);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(type, x, n), HD_SUM_EXACT,
                                HD_VIEW_OF(out_type, got, 1), NULL));
        CHECK_SAME(out_type, got, want, 1, "%s, kind %d, %lld of %s", targets[t].name, kind,
                   (long long)n, hd_type_name(type));
    }
    shuffle(type, x, n, state);
    hd_context *ctx = targets[n % target_count].ctx;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(type, x, n), HD_SUM_EXACT, HD_VIEW_OF(out_type, got, 1),
                            NULL));
    CHECK_SAME(out_type, got, want, 1, "shuffled, kind %d", kind);
    free(x);
}

// Segments, a carry and the axes of a matrix: each result is that of its elements.
static void test_parts(int kind, hd_type type, int64_t rows, int64_t columns, uint64_t *state)
{
    const int64_t n = rows * columns, shape[] = {rows, columns};
    const size_t size = hd_type_size(type);
    char *x = check_memory((size_t)n * size), *turned = check_memory((size_t)n * size);
    char *want = check_memory((size_t)n * size), *got = check_memory((size_t)n * size);
    char *lines_of[] = {check_memory((size_t)columns * size), check_memory((size_t)rows * size)};
    _Alignas(8) unsigned char whole[8];
    int64_t *offsets = check_memory((size_t)(n + 20) * sizeof *offsets);
    fill(kind, type, x, n, state);
    for (int64_t i = 0; i < n; i++)
        memcpy(turned + (size_t)(i % columns * rows + i / columns) * size, x + (size_t)i * size,
               size);
    const int64_t m = check_offsets(n, n + 20, state, offsets) - 1;
    for (int axis = 0; axis < 2; axis++)
        for (int64_t r = 0, length = axis ? columns : rows; r < n / length; r++)
            ref_exact_sum(type, (axis ? x : turned) + (size_t)(r * length) * size, length, type,
                          lines_of[axis] + (size_t)r * size, NULL);
    for (int64_t j = 0; j < m; j++)
        ref_exact_sum(type, x + (size_t)offsets[j] * size, offsets[j + 1] - offsets[j], type,
                      want + (size_t)j * size, NULL);
    ref_exact_sum(type, x, n, type, whole, NULL);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_view in = HD_VIEW_OF(type, x, n), matrix = hd_view_nd(type, x, 2, shape, NULL);
        for (int axis = 0; axis < 2; axis++) {
            const int64_t lines = axis ? rows : columns;
            CHECK_OK(ctx, hd_reduce(ctx, matrix, HD_SUM_EXACT, HD_VIEW_OF(type, got, lines),
                                    &(hd_reduce_options){.axis = HD_AXIS(axis)}));
            CHECK_SAME(type, got, lines_of[axis], lines, "%s, kind %d, axis %d", targets[t].name,
                       kind, axis);
        }
        CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM_EXACT, HD_VIEW_OF(type, got, m),
                                &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, m + 1))}));
        CHECK_SAME(type, got, want, m, "%s, kind %d, segments", targets[t].name, kind);
        hd_carry *carry;
        CHECK_OK(ctx, hd_carry_open(ctx, &carry));
        for (int64_t at = 0, piece; at < n; at += piece) {
            piece = 1 + check_below(state, n - at);
            CHECK_OK(ctx,
                     hd_reduce(ctx, HD_VIEW_OF(type, x + (size_t)at * size, piece), HD_SUM_EXACT,
                               HD_VIEW_OF(type, got, 1), &(hd_reduce_options){.carry = carry}));
        }
        hd_carry_close(ctx, carry);
        CHECK_SAME(type, got, whole, 1, "%s, kind %d, carried", targets[t].name, kind);
    }
    free(x), free(turned), free(want), free(got), free(offsets);
    free(lines_of[0]), free(lines_of[1]);
}

static void test_kinds(uint64_t *state)
{
    static const hd_type types[] = {HD_F64, HD_F32, HD_F16, HD_BF16};
    static const int64_t sizes[] = {1, 2, 3, 31, 257, 4095, 70001};
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < 4; k++) {
            for (int s = 0; s < (check_small() ? 6 : 7); s++)
                test_whole(kind, types[k], types[k], sizes[s], state);
            test_whole(kind, types[k], HD_F64, 1001, state);
            test_parts(kind, types[k], 37, 53, state);
            test_parts(kind, types[k], 3, 3001, state);
        }
}

// Large enough for threads and for every table on the way to be emptied more than once.
static void test_large(uint64_t *state)
{
    if (check_small()) return;
    static const hd_type types[] = {HD_F64, HD_F32, HD_BF16};
    for (int k = 0; k < 3; k++) {
        test_whole(EXPONENTS, types[k], types[k], 1000003, state);
        test_whole(NARROW, types[k], types[k], 1000003, state);
    }
}

// All exponents one after another, in every lane of a vector, and what is not finite among them.
// With 8 every number is followed by its opposite, but for subnormals, which are all that is left.
static void test_all_exponents(hd_type type, int64_t n, int special, uint64_t *state)
{
    const bool wide = type == HD_F64;
    const uint64_t top = wide ? 0x7ff : 0xff, infinite = wide ? top << 52 : top << 23;
    const uint64_t sign = wide ? (uint64_t)1 << 63 : (uint64_t)1 << 31;
    uint64_t *x = check_memory((size_t)n * 8);
    double want, got;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t r = check_next(state), exponent = (uint64_t)i * 7 % top;
        uint64_t bits = wide ? r >> 12 | exponent << 52 : (r & 0x7fffff) | exponent << 23;
        bits |= check_next(state) & 1 ? sign : 0;
        if (i % 2 && special & 8) {
            const uint64_t before = wide ? x[i - 1] : ((uint32_t *)x)[i - 1];
            bits = (before & infinite) != 0 ? before ^ sign : before;
        }
        if (i == n / 3 && special & 1) bits = infinite;
        if (i == n / 2 && special & 2) bits = infinite | sign;
        if (i == n - 1 - n / 64 && special & 4) bits = infinite | 1 | (r & 1 ? sign : 0);
        if (wide)
            x[i] = bits;
        else
            ((uint32_t *)x)[i] = (uint32_t)bits;
    }
    ref_exact_sum(type, x, n, HD_F64, &want, NULL);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(type, x, n), HD_SUM_EXACT, HD_VIEW(&got, 1), NULL));
        CHECK_SAME(HD_F64, &got, &want, 1, "%s, all exponents, specials %d, %lld of %s",
                   targets[t].name, special, (long long)n, hd_type_name(type));
    }
    free(x);
}

static void test_tables(uint64_t *state)
{
    static const int64_t sizes[] = {2046, 2048, 4096 + 78, 20000};
    for (int special = 0; special <= 8; special++)
        for (int s = 0; s < 4; s++) {
            test_all_exponents(HD_F64, sizes[s], special, state);
            test_all_exponents(HD_F32, sizes[s], special, state);
        }
}

// Unaligned to vectors, strided, reversed, through a function.
HD_FUNCTION(halved, double, HD_NO_SOURCE, (double, x), { return x * 0.5; })

static void test_layouts(uint64_t *state)
{
    enum { N = 20011 };
    static double x[N + 3], part[N];
    double want, got;
    fill(EXPONENTS, HD_F64, x, N + 3, state);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        for (int form = 0; form < 4; form++) {
            int64_t n = N;
            for (int64_t i = 0; i < N; i++)
                part[i] = form == 0   ? x[i + 1]
                          : form == 1 ? x[i * 3 % N]
                          : form == 2 ? x[N - 1 - i]
                                      : x[i] * 0.5;
            if (form == 1) n = N / 3;
            for (int64_t i = 0; form == 1 && i < n; i++) part[i] = x[3 * i];
            const hd_view in = form == 0   ? HD_VIEW(x + 1, N)
                               : form == 1 ? hd_slice(HD_VIEW(x, N), 0, 0, n, 3)
                               : form == 2 ? hd_slice(HD_VIEW(x, N), 0, N - 1, N, -1)
                                           : HD_VIEW(x, N);
            const hd_reduce_options o = {.map = form == 3 ? halved : NULL};
            ref_exact_sum(HD_F64, part, n, HD_F64, &want, NULL);
            CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM_EXACT, HD_VIEW(&got, 1), &o));
            CHECK_SAME(HD_F64, &got, &want, 1, "%s, form %d", targets[t].name, form);
        }
    }
}

// A scan's element is the reduction of its prefix; by keys, of its segment.
static void test_scans(uint64_t *state)
{
    enum { N = 700 };
    static double x[N], want[N], got[N];
    static int32_t keys[N];
    static unsigned char heads[N];
    for (int kind = 0; kind < KINDS; kind++) {
        fill(kind, HD_F64, x, N, state);
        check_keys(HD_I32, keys, N, state);
        ref_heads_of_keys(HD_I32, keys, heads, N);
        for (int form = 0; form < 8; form++) {
            const double init = 0x1p-1074;
            ref_how how = {.exclusive = form & 1, .heads = form & 2 ? heads : NULL};
            if (form & 4) how.init = &init;
            hd_scan_options o = {.exclusive = how.exclusive, .init = how.init};
            o.keys = form & 2 ? HD_REF(HD_VIEW(keys, N)) : NULL;
            ref_exact_scan(HD_F64, x, N, HD_F64, want, &how);
            for (int t = 0; t < target_count; t++) {
                hd_context *ctx = targets[t].ctx;
                CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), HD_SUM_EXACT, HD_VIEW(got, N), &o));
                CHECK_SAME(HD_F64, got, want, N, "%s, kind %d, form %d", targets[t].name, kind,
                           form);
            }
        }
    }
}

// The weights of each bin, and what was there.
static void test_histograms(uint64_t *state)
{
    enum { N = 5000, MAX_BINS = 6000 };
    static double weights[N], want[MAX_BINS], got[MAX_BINS], part[N];
    static int32_t values[N];
    fill(EXPONENTS, HD_F64, weights, N, state);
    for (int form = 0; form < 4; form++) {
        const int64_t bins = form & 1 ? 7 : MAX_BINS;
        const bool add = form >= 2;
        for (int64_t i = 0; i < N; i++) values[i] = (int32_t)check_below(state, bins + 1);
        for (int64_t b = 0; b < bins; b++) {
            const double old = 0x1p-1074 * (double)(b % 3);
            int64_t count = 0;
            for (int64_t i = 0; i < N; i++)
                if (values[i] == b) part[count++] = weights[i];
            ref_exact_sum(HD_F64, part, count, HD_F64, &want[b], add ? &old : NULL);
        }
        for (int t = 0; t < target_count; t++) {
            hd_context *ctx = targets[t].ctx;
            for (int64_t b = 0; b < bins; b++) got[b] = 0x1p-1074 * (double)(b % 3);
            CHECK_OK(ctx,
                     hd_histogram(ctx, HD_VIEW(values, N), HD_VIEW(got, bins),
                                  &(hd_histogram_options){.weights = HD_REF(HD_VIEW(weights, N)),
                                                          .sum = HD_SUM_EXACT,
                                                          .add = add}));
            CHECK_SAME(HD_F64, got, want, bins, "%s, form %d, histogram", targets[t].name, form);
        }
    }
}

int main(void)
{
    uint64_t state = check_seed();
    target_count = check_targets(&targets);
    test_rounding();
    test_special();
    test_kinds(&state);
    test_large(&state);
    test_tables(&state);
    test_layouts(&state);
    test_scans(&state);
    test_histograms(&state);
    return check_finish();
}
