// SPDX-License-Identifier: Apache-2.0
// compile: $<$<CONFIG:Release>:-O3>
//
// hd_map: functions of one to eight inputs over sizes and layouts, in place and not; copies and
// conversions between every two types, against numbers as long doubles.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_FUNCTION(axpy, float, HD_NO_SOURCE, (float, a, float, b), { return 2 * a + b; })
HD_FUNCTION(square, int32_t, HD_NO_SOURCE, (int32_t, x),
            { return (int32_t)((uint32_t)x * (uint32_t)x); })
HD_FUNCTION(is_odd, bool, HD_NO_SOURCE, (int64_t, x), { return x & 1; })
HD_FUNCTION(
    eight, int64_t, HD_NO_SOURCE,
    (int8_t, a, uint8_t, b, int16_t, c, uint16_t, d, int32_t, e, uint32_t, f, int64_t, g, bool, h),
    { return a + 2 * b + 3 * c + 4 * d + 5 * (int64_t)e + 6 * (int64_t)f + 7 * (g >> 8) + h; })
HD_SOURCE(
    pairs, typedef struct { float x, y, z; } triple;)
HD_FUNCTION(turn, triple, pairs, (triple, p, float, s), {
    const triple q = {p.y * s, p.z * s, p.x * s};
    return q;
})

static const check_target *targets;
static int target_count;

static void *values(hd_type type, int64_t n, uint64_t seed)
{
    void *x = check_memory(hd_type_size(type) * (size_t)n);
    check_fill(type, x, n, CHECK_ORDINARY, seed);
    return x;
}

// ---- Functions ------------------------------------------------------------------------------

static void test_two(int64_t n, check_layout layout, int way)
{
    float *a = values(HD_F32, n, 1), *b = values(HD_F32, n, 2);
    float *want = check_memory(4 * (size_t)n), *got = check_memory(4 * (size_t)n);
    for (int64_t i = 0; i < n; i++) want[i] = 2 * a[i] + b[i];
    check_array x = check_new(HD_F32, n, layout, way & 1), y = check_new(HD_F32, n, layout, true),
                z = check_new(HD_F32, n, layout, way & 2);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        check_put(&x, a), check_put(&y, b);
        const check_array *out = way % 3 == 0 ? &z : way % 3 == 1 ? &x : &y; // in place: either
        CHECK_OK(ctx,
                 hd_map(ctx, x.view, axpy, out->view, &(hd_map_options){.with = HD_VIEWS(y.view)}));
        check_get(out, got);
        CHECK_SAME(HD_F32, got, want, n, "axpy of %" PRId64 " (%s, way %d) on %s", n,
                   check_layout_name(layout), way, targets[t].name);
        CHECK(check_gaps(out), "wrote between elements on %s", targets[t].name);
    }
    check_drop(&x), check_drop(&y), check_drop(&z);
    free(a), free(b), free(want), free(got);
}

static void test_eight(int64_t n)
{
    static const hd_type types[] = {HD_I8, HD_U8, HD_I16, HD_U16, HD_I32, HD_U32, HD_I64, HD_BOOL};
    void *x[8];
    hd_view v[8];
    check_array a[8];
    int64_t *want = check_memory(8 * (size_t)n), *got = check_memory(8 * (size_t)n);
    for (int k = 0; k < 8; k++) {
        x[k] = values(types[k], n, (uint64_t)k);
        a[k] = check_new(types[k], n, (check_layout)(k % 3), k & 1);
        check_put(&a[k], x[k]);
        v[k] = a[k].view;
    }
    for (int64_t i = 0; i < n; i++)
        want[i] = ((int8_t *)x[0])[i] + 2 * ((uint8_t *)x[1])[i] + 3 * ((int16_t *)x[2])[i] +
                  4 * ((uint16_t *)x[3])[i] + 5 * (int64_t)((int32_t *)x[4])[i] +
                  6 * (int64_t)((uint32_t *)x[5])[i] + 7 * (((int64_t *)x[6])[i] >> 8) +
                  ((bool *)x[7])[i];
    for (int t = 0; t < target_count; t++) {
        const hd_map_options options = {.with = {v + 1, 7}};
        CHECK_OK(targets[t].ctx, hd_map(targets[t].ctx, v[0], eight, HD_VIEW(got, n), &options));
        CHECK_SAME(HD_I64, got, want, n, "eight inputs on %s", targets[t].name);
    }
    for (int k = 0; k < 8; k++) check_drop(&a[k]), free(x[k]);
    free(want), free(got);
}

// A function whose result has another size than its input; structures; implicit inputs.
static void test_others(int64_t n)
{
    const size_t m = (size_t)n;
    int32_t *whole = values(HD_I32, n, 5), *squares = check_memory(4 * m);
    bool *odd = check_memory(m);
    triple *p = check_memory(12 * m), *q = check_memory(12 * m);
    check_fill(HD_F32, p, 3 * n, CHECK_ORDINARY, 7);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(whole, n), square, HD_VIEW(squares, n), NULL));
        CHECK_OK(ctx, hd_map(ctx, hd_progression(3, 5, n), is_odd, HD_VIEW(odd, n), NULL));
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_TYPE(triple), p, n), turn,
                             HD_VIEW_OF(HD_TYPE(triple), q, n),
                             &(hd_map_options){.with = HD_VIEWS(hd_constant(0.5f, n))}));
        int64_t wrong = 0;
        for (int64_t i = 0; i < n; i++) {
            wrong += (uint32_t)squares[i] != (uint32_t)whole[i] * (uint32_t)whole[i];
            wrong += odd[i] != ((3 + 5 * i) & 1);
            wrong += q[i].x != p[i].y / 2 || q[i].y != p[i].z / 2 || q[i].z != p[i].x / 2;
        }
        CHECK(wrong == 0, "%" PRId64 " of %" PRId64 " wrong on %s", wrong, n, targets[t].name);
        // fills and copies of structures
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_TYPE(triple), p, n), NULL,
                             HD_VIEW_OF(HD_TYPE(triple), q, n), NULL));
        CHECK(n == 0 || memcmp(p, q, 12 * m) == 0, "a copy of structures on %s", targets[t].name);
        CHECK_OK(ctx, hd_map(ctx, hd_constant(42, n), NULL, HD_VIEW(squares, n), NULL));
        for (int64_t i = 0; i < n; i++) wrong += squares[i] != 42;
        CHECK(wrong == 0, "a fill on %s", targets[t].name);
    }
    free(whole), free(squares), free(odd), free(p), free(q);
}

// ---- Conversions ----------------------------------------------------------------------------

// Nearest of three neighbours, ties to the even one: right whatever the rounding before was.
static uint16_t nearest_half(hd_type type, long double x)
{
    const uint16_t start = ref_narrow(type, (double)x);
    uint16_t best = start;
    if ((start & 0x7fff) >= (type == HD_F16 ? 0x7c00 : 0x7f80)) return start;
    for (int step = -1; step <= 1; step += 2) {
        const uint16_t other = (uint16_t)(start + step);
        const long double a = fabsl((long double)ref_to_double(type, &best) - x);
        const long double b = fabsl((long double)ref_to_double(type, &other) - x);
        if (((start ^ other) & 0x8000) == 0 && (b < a || (b == a && (best & 1)))) best = other;
    }
    return best;
}

static uint64_t whole_of(hd_type type, long double x)
{
    const int bits = 8 * (int)hd_type_size(type);
    const bool is_signed = check_is_signed(type);
    const long double most = ldexpl(1, is_signed ? bits - 1 : bits);
    if (x != x) return 0;
    if (x >= most) return UINT64_MAX >> (64 - bits) >> (is_signed ? 1 : 0);
    if (x <= (is_signed ? -most : 0)) return is_signed ? (uint64_t)1 << (bits - 1) : 0;
    return x < 0 ? (uint64_t)(int64_t)truncl(x) : (uint64_t)truncl(x);
}

static void convert_one(hd_type to, void *y, hd_type from, const void *x)
{
    const bool real = check_is_float(from);
    const uint64_t w = real ? 0 : ref_to_whole(from, x);
    const long double v = real                    ? (long double)ref_to_double(from, x)
                          : check_is_signed(from) ? (long double)(int64_t)w
                                                  : (long double)w;
    const uint64_t bits = to == HD_BOOL ? v != 0 : real ? whole_of(to, v) : w;
    if (to == HD_F64)
        *(double *)y = (double)v;
    else if (to == HD_F32)
        *(float *)y = (float)v;
    else if (check_is_float(to))
        *(uint16_t *)y = nearest_half(to, v);
    else
        memcpy(y, &bits, hd_type_size(to)); // little-endian, as everything here
}

// Whole numbers at which rounding twice goes wrong, ends of types, and everything just beside.
static void add_edges(hd_type type, void *x, int64_t n)
{
    static const double reals[] = {0.5,     -0.5,  127.9,  128,     -128.9,       255.99,  256,
                                   65535.5, 65536, -32769, 0x1p31,  0x1p32,       -0x1p31, 0x1p63,
                                   0x1p64,  1e30,  -1e30,  -0x1p63, 2147483647.5, 9.3e18,  -0.0};
    const int count = (int)(sizeof reals / sizeof *reals);
    for (int k = 0; k < count && k < n; k++) {
        unsigned char *at = (unsigned char *)x + (size_t)k * hd_type_size(type);
        if (type == HD_F64) memcpy(at, &reals[k], 8);
        if (type == HD_F32) memcpy(at, &(float){(float)reals[k]}, 4);
        if (type == HD_F16 || type == HD_BF16)
            memcpy(at, &(uint16_t){ref_narrow(type, reals[k])}, 2);
        const uint64_t odd = ((uint64_t)0x101 << (k + 36) | 1) >> (k % 3);
        const uint64_t tie = (uint64_t)0x81000001 << (k % 8);
        if (hd_type_size(type) == 8 && type != HD_F64) memcpy(at, k & 1 ? &odd : &tie, 8);
        if (hd_type_size(type) == 4 && type != HD_F32)
            memcpy(at, &(uint32_t){(uint32_t)tie >> 1}, 4);
    }
}

static void test_conversion(hd_type from, hd_type to, int64_t n, check_pattern pattern)
{
    const size_t m = (size_t)n;
    unsigned char *x = check_memory(8 * m), *want = check_memory(8 * m), *got = check_memory(8 * m);
    check_fill(from, x, n, pattern, check_seed() + (uint64_t)n);
    if (pattern != CHECK_ORDINARY) add_edges(from, x, n);
    for (int64_t i = 0; i < n; i++)
        convert_one(to, want + (size_t)i * hd_type_size(to), from,
                    x + (size_t)i * hd_type_size(from));
    const check_layout layout = (check_layout)((from + to + (hd_type)n) % CHECK_LAYOUTS);
    check_array a = check_new(from, n, layout, to & 1), b = check_new(to, n, layout, from & 1);
    check_put(&a, x);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_map(targets[t].ctx, a.view, NULL, b.view, NULL));
        check_get(&b, got);
        CHECK_SAME(to, got, want, n, "%s to %s (%s, %s) on %s", hd_type_name(from),
                   hd_type_name(to), check_pattern_name(pattern), check_layout_name(layout),
                   targets[t].name);
        CHECK(check_gaps(&b), "wrote between elements on %s", targets[t].name);
    }
    check_drop(&a), check_drop(&b);
    free(x), free(want), free(got);
}

// A transposed copy by strides alone.
static void test_transposed(void)
{
    enum { R = 37, C = 53 };
    static double x[R][C], y[C][R];
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++) x[r][c] = 1000 * r + c;
    for (int t = 0; t < target_count; t++) {
        memset(y, 0, sizeof y);
        const hd_view in = hd_view_nd(HD_F64, x, 2, (int64_t[]){C, R}, (int64_t[]){1, C});
        const hd_view out = hd_view_nd(HD_F64, y, 2, (int64_t[]){C, R}, NULL);
        CHECK_OK(targets[t].ctx, hd_map(targets[t].ctx, in, NULL, out, NULL));
        int wrong = 0;
        for (int r = 0; r < R; r++)
            for (int c = 0; c < C; c++) wrong += y[c][r] != x[r][c];
        CHECK(wrong == 0, "%d wrong on %s", wrong, targets[t].name);
    }
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1009, 4096, 65537, 300007};
    target_count = check_targets(&targets);
    const int count = check_small() ? 9 : 12;
    for (int k = 0; k < count; k++) {
        for (int layout = 0; layout < CHECK_LAYOUTS; layout++)
            test_two(sizes[k], (check_layout)layout, k + layout);
        test_two(sizes[k], CHECK_DENSE, k + 1);
        test_two(sizes[k], CHECK_DENSE, k + 2);
        test_eight(sizes[k]);
        test_others(sizes[k]);
    }
    for (int f = 0; check_type(f); f++)
        for (int t = 0; check_type(t); t++) {
            test_conversion(check_type(f), check_type(t), 300, CHECK_ORDINARY);
            test_conversion(check_type(f), check_type(t), 301, CHECK_SPECIAL);
            test_conversion(check_type(f), check_type(t), 65, CHECK_WIDE);
        }
    test_conversion(HD_F32, HD_U8, 200003, CHECK_ORDINARY);
    test_conversion(HD_I64, HD_BF16, 200003, CHECK_ORDINARY);
    test_transposed();
    return check_finish();
}
