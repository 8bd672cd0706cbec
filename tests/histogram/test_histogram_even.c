// SPDX-License-Identifier: Apache-2.0
//
// Even bins at their edges: every edge of 1 to 200 bins and its two neighbours among the numbers of
// the type, in ranges of all sizes, on every target, against the edges of numpy.linspace; clamped,
// as the second axis, and in ranges whose edges are so near each other that some are one number.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/histogram_reference.h"

static const check_target *targets;
static int target_count;

enum { MAX_BINS = 200, MAX_VALUES = 3 * (MAX_BINS + 1) + 8 };

// ---- Values ----------------------------------------------------------------------------------

// Every edge, and what lies beside it in the type; then what is outside.
static int64_t values_of(const axis *a, void *to)
{
    const size_t size = hd_type_size(a->type);
    int64_t n = 0;
    for (int64_t k = 0; k <= a->bins; k++) {
        const double edge = even_edge(a, k), f = (double)(float)edge;
        const bool f32 = a->type == HD_F32;
        const double down =
            f32 ? (double)nextafterf((float)f, -INFINITY) : nextafter(edge, -INFINITY);
        const double up = f32 ? (double)nextafterf((float)f, INFINITY) : nextafter(edge, INFINITY);
        const bool whole = !check_is_float(a->type);
        put_double(a->type, (char *)to + (size_t)n++ * size, whole ? edge - 1 : down);
        put_double(a->type, (char *)to + (size_t)n++ * size, edge);
        put_double(a->type, (char *)to + (size_t)n++ * size, whole ? edge + 1 : up);
    }
    const double range = a->upper - a->lower;
    const double more[] = {NAN,
                           -INFINITY,
                           INFINITY,
                           0x1p-1074,
                           -1e-310,
                           a->lower - range / 3,
                           a->upper + range / 3,
                           a->lower + range / 3};
    for (int i = 0; i < 8; i++)
        if (check_is_float(a->type) || i > 2)
            put_double(a->type, (char *)to + (size_t)n++ * size, more[i]);
    return n;
}

static void check_axis(const axis *a)
{
    char *values = check_memory(MAX_VALUES * 8);
    int64_t want[MAX_BINS] = {0}, got[MAX_BINS], strays = 0, outside;
    const int64_t n = values_of(a, values);
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = bin_of(a, values + (size_t)i * hd_type_size(a->type));
        k < 0 ? (void)strays++ : (void)want[k]++;
    }
    const hd_histogram_options o = {.even = true,
                                    .lower = a->lower,
                                    .upper = a->upper,
                                    .clamp = a->clamp,
                                    .outside = HD_REF(HD_VIEW(&outside, 1))};
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_histogram(targets[t].ctx, hd_view_of(a->type, values, n),
                                              HD_VIEW(got, a->bins), &o));
        CHECK_SAME(HD_I64, got, want, a->bins, "%s in %" PRId64 " bins of %.17g .. %.17g%s on %s",
                   hd_type_name(a->type), a->bins, a->lower, a->upper, a->clamp ? ", clamped" : "",
                   targets[t].name);
        CHECK(outside == strays, "%" PRId64 " outside, expected %" PRId64, outside, strays);
    }
    free(values);
}

static const struct {
    hd_type type;
    double lower, upper;
} ranges[] = {{HD_F64, 0, 1},
              {HD_F32, 0, 1},
              {HD_F64, -1, 1},
              {HD_F64, 0.1, 0.7},
              {HD_F32, 0.1, 0.7},
              {HD_F16, 0, 1},
              {HD_BF16, -3, 5},
              {HD_U8, 0, 255},
              {HD_I32, -1000, 2000},
              {HD_U64, 0, 0x1p64},
              {HD_F64, 1000, 1000.000001},
              {HD_F64, -1e300, 1e300},
              {HD_F64, 0, 1e-300},
              {HD_F64, 0x1p-1022, 0x1p-1010},
              {HD_F64, -0x1p-1060, 0x1p-1015},
              {HD_F64, 1e15, 1e15 + 10},      // 80 numbers in it: edges are equal from 80 bins on
              {HD_F64, 1, 1 + 100 * 0x1p-52}, // a hundred
              {HD_F32, 1, 1 + 100 * 0x1p-52}, // of which f32 has one
              {HD_F64, -0x1p53, -0x1p53 + 0x1p6}}; // 64

static void test_edges(void)
{
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int64_t bins = 1; bins <= MAX_BINS; bins += check_small() ? 7 : 1)
            for (int clamp = 0; clamp < 2; clamp++)
                check_axis(&(axis){.type = ranges[r].type,
                                   .rule = EVEN,
                                   .bins = bins,
                                   .lower = ranges[r].lower,
                                   .upper = ranges[r].upper,
                                   .clamp = clamp});
}

// The example of the documentation: 0.3 is below edge 3 of ten bins, 3 * 0.1 = 0.30000000000000004.
static void test_known(void)
{
    const double x[] = {0.1, 0.2, 0.3, 0.6, 0.7, 0.9};
    const int64_t want[10] = {0, 1, 2, 0, 0, 1, 1, 0, 0, 1};
    int64_t got[10];
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_histogram(targets[t].ctx, HD_VIEW(x, 6), HD_VIEW(got, 10),
                                              &(hd_histogram_options){.even = true, .upper = 1}));
        CHECK_SAME(HD_I64, got, want, 10, "tenths on %s", targets[t].name);
    }
}

// A value just below lower, whose distance times the scale of very wide bins rounds to zero.
static void test_below(void)
{
    const float x[] = {-0x1p-149f, -0x1p-126f, 0, -0.0f, 1, -0x1p-149f, 2, 3};
    const double y[] = {-0x1p-1074, -0x1p-1022, 0, -0.0, 1, -0x1p-1074, 2, 3};
    int64_t got[1], outside;
    const hd_histogram_options o = {
        .even = true, .upper = 0x1p1000, .outside = HD_REF(HD_VIEW(&outside, 1))};
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_histogram(targets[t].ctx, HD_VIEW(x, 8), HD_VIEW(got, 1), &o));
        CHECK(got[0] == 5 && outside == 3, "f32: %" PRId64 " on %s", got[0], targets[t].name);
        CHECK_OK(targets[t].ctx, hd_histogram(targets[t].ctx, HD_VIEW(y, 8), HD_VIEW(got, 1), &o));
        CHECK(got[0] == 5 && outside == 3, "f64: %" PRId64 " on %s", got[0], targets[t].name);
    }
}

// The second axis has the same rule; many bins go through other counters than few.
static void test_second(void)
{
    enum { ROWS = 3, COLUMNS = 10, MANY = 100000 };
    const axis a = {.type = HD_F64, .rule = EVEN, .bins = COLUMNS, .upper = 1};
    double x[MAX_VALUES];
    int64_t row[MAX_VALUES], want[ROWS * COLUMNS] = {0}, got[ROWS * COLUMNS];
    const int64_t n = values_of(&a, x), shape[] = {ROWS, COLUMNS};
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = bin_of(&a, x + i);
        row[i] = i % ROWS;
        if (k >= 0) want[row[i] * COLUMNS + k]++;
    }
    const axis b = {.type = HD_F64, .rule = EVEN, .bins = MANY, .lower = -0.3, .upper = 0.9};
    double *edge = check_memory(MANY * sizeof *edge);
    uint32_t *ones = check_memory(MANY * sizeof *ones), *many = check_memory(MANY * sizeof *many);
    for (int64_t k = 0; k < MANY; k++) edge[k] = even_edge(&b, k), ones[k] = 1;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(row, n), hd_view_nd(HD_I64, got, 2, shape, NULL),
                                   &(hd_histogram_options){.second = HD_REF(HD_VIEW(x, n)),
                                                           .second_even = true,
                                                           .second_upper = 1}));
        CHECK_SAME(HD_I64, got, want, ROWS * COLUMNS, "two axes on %s", targets[t].name);
        CHECK_OK(ctx,
                 hd_histogram(ctx, HD_VIEW(edge, MANY), HD_VIEW(many, MANY),
                              &(hd_histogram_options){.even = true, .lower = -0.3, .upper = 0.9}));
        CHECK_SAME(HD_U32, many, ones, MANY, "one edge a bin on %s", targets[t].name);
    }
    free(edge), free(ones), free(many);
}

int main(void)
{
    target_count = check_targets(&targets);
    test_known();
    test_below();
    test_second();
    test_edges();
    return check_finish();
}
