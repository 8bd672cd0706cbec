// SPDX-License-Identifier: Apache-2.0
//
// hd_nth and hd_quantiles against a stable sort: every type, layout and awkward size, both
// directions, rows, segments, indices, comparisons; ranks of NaN and of long runs of equals; many
// ranks; quantiles against the formula of the manual.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

typedef struct record {
    int32_t key, id;
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })

// Elements in order, and where they stood.
typedef struct sorted {
    char *keys;
    int64_t *order;
} sorted;

static sorted sorted_of(hd_type type, const void *x, int64_t n, const hd_comparison *comparison,
                        bool descending)
{
    sorted s = {check_memory((size_t)n * hd_type_size(type) + 1),
                check_memory((size_t)n * sizeof(int64_t) + 1)};
    const hd_view order = HD_VIEW(s.order, n);
    hd_context *ctx = targets[target_count - 1].ctx;
    CHECK_OK(ctx,
             hd_sort(ctx, hd_view_of(type, (void *)(uintptr_t)x, n), hd_view_of(type, s.keys, n),
                     HD_NO_VALUES,
                     &(hd_sort_options){
                         .comparison = comparison, .indices = &order, .descending = descending}));
    return s;
}

static void drop(sorted *s)
{
    free(s->keys), free(s->order);
}

// m ranks of n: the ends, the middle, and any.
static void make_ranks(int64_t *ranks, int64_t m, int64_t n, uint64_t *state)
{
    for (int64_t k = 0; k < m; k++)
        ranks[k] = k == 0 ? n / 2 : k == 1 ? n - 1 : k == 2 ? 0 : check_below(state, n);
}

static void check_row(const check_target *t, hd_type type, const sorted *want, const int64_t *ranks,
                      int64_t m, const char *got, const int64_t *at, const char *what)
{
    const size_t size = hd_type_size(type);
    for (int64_t k = 0; k < m; k++) {
        const int bad = memcmp(got + (size_t)k * size, want->keys + (size_t)ranks[k] * size, size);
        CHECK(bad == 0, "%s %s: rank %" PRId64 " of %s", what, hd_type_name(type), ranks[k],
              t->name);
        CHECK(at == NULL || at[k] == want->order[ranks[k]],
              "%s %s: index of rank %" PRId64 " is %" PRId64 ", expected %" PRId64 " on %s", what,
              hd_type_name(type), ranks[k], at[k], want->order[ranks[k]], t->name);
    }
}

static void test_everything(hd_type type, const hd_comparison *comparison, const void *x, int64_t n,
                            int64_t m, check_layout layout, bool descending, uint64_t seed)
{
    check_array a = check_new(type, n, layout, seed & 1);
    int64_t *ranks = check_memory((size_t)m * 8 + 1), *at = check_memory((size_t)m * 8 + 1);
    char *got = check_memory((size_t)m * hd_type_size(type) + 1);
    sorted want = sorted_of(type, x, n, comparison, descending);
    check_put(&a, x);
    make_ranks(ranks, m, n, &seed);
    for (int t = 0; t < target_count; t++)
        for (int indexed = 0; indexed < 2; indexed++) {
            const hd_view indices = HD_VIEW(at, m);
            CHECK_OK(targets[t].ctx,
                     hd_nth(targets[t].ctx, a.view, HD_VIEW(ranks, m), hd_view_of(type, got, m),
                            &(hd_nth_options){.comparison = comparison,
                                              .indices = indexed ? &indices : NULL,
                                              .descending = descending}));
            check_row(&targets[t], type, &want, ranks, m, got, indexed ? at : NULL, "everything");
        }
    check_drop(&a);
    drop(&want);
    free(ranks), free(at), free(got);
}

// Rows of a matrix along either axis, and the same elements as segments.
static void test_rows(hd_type type, const char *x, int64_t rows, int64_t n, int64_t m,
                      uint64_t seed)
{
    const size_t size = hd_type_size(type);
    const bool descending = seed & 1;
    char *turned = check_memory((size_t)(rows * n) * size + 1),
         *got = check_memory((size_t)(rows * m) * size + 1);
    int64_t *ranks = check_memory((size_t)m * 8 + 1),
            *at = check_memory((size_t)(rows * m) * 8 + 1);
    int64_t *offsets = check_memory((size_t)(rows + 1) * 8);
    for (int64_t i = 0; i < rows * n; i++)
        memcpy(turned + (size_t)(i % n * rows + i / n) * size, x + (size_t)i * size, size);
    for (int64_t r = 0; r <= rows; r++) offsets[r] = r * n;
    make_ranks(ranks, m, n, &seed);
    const int64_t in_shape[2] = {n, rows}, out_shape[2] = {m, rows}, flat[2] = {rows, m};
    const hd_view columns = hd_view_nd(type, turned, 2, in_shape, NULL),
                  out = hd_view_nd(type, got, 2, out_shape, NULL),
                  indices = hd_view_nd(HD_I64, at, 2, out_shape, NULL),
                  cut = HD_VIEW(offsets, rows + 1), flat_out = hd_view_nd(type, got, 2, flat, NULL),
                  flat_indices = hd_view_nd(HD_I64, at, 2, flat, NULL);
    char *one = check_memory((size_t)m * size + 1);
    int64_t *one_at = check_memory((size_t)m * 8 + 1);
    for (int t = 0; t < target_count; t++)
        for (int by_segments = 0; by_segments < 2; by_segments++) {
            const hd_nth_options along = {
                .axis = HD_AXIS(0), .indices = &indices, .descending = descending};
            const hd_nth_options within = {
                .segments = &cut, .indices = &flat_indices, .descending = descending};
            CHECK_OK(targets[t].ctx,
                     by_segments
                         ? hd_nth(targets[t].ctx, hd_view_of(type, (void *)(uintptr_t)x, rows * n),
                                  HD_VIEW(ranks, m), flat_out, &within)
                         : hd_nth(targets[t].ctx, columns, HD_VIEW(ranks, m), out, &along));
            for (int64_t r = 0; r < rows; r++) {
                sorted want = sorted_of(type, x + (size_t)(r * n) * size, n, NULL, descending);
                for (int64_t k = 0; k < m; k++) {
                    const int64_t from = by_segments ? r * m + k : k * rows + r;
                    memcpy(one + (size_t)k * size, got + (size_t)from * size, size);
                    one_at[k] = at[from] - (by_segments ? r * n : 0);
                }
                check_row(&targets[t], type, &want, ranks, m, one, one_at,
                          by_segments ? "segment" : "column");
                drop(&want);
            }
        }
    free(turned), free(got), free(ranks), free(at), free(offsets), free(one), free(one_at);
}

// ---- Quantiles --------------------------------------------------------------------------------

static double quantile(const double *x, int64_t n, double p, hd_quantile_method method)
{
    const double h = p * (double)(n - 1), i = floor(h), t = h - i;
    const double a = x[(int64_t)i], b = x[(int64_t)i + (t > 0)];
    const double between = method == HD_MIDPOINT && t > 0 ? 0.5 : t;
    if (method == HD_LOWER) return a;
    if (method == HD_HIGHER) return b;
    if (method == HD_NEAREST) return t < 0.5 || (t == 0.5 && fmod(i, 2) == 0) ? a : b;
    if (t == 0 || a == b) return a;
    const double apart = b - a, part = apart * (between < 0.5 ? between : 1 - between);
    return between < 0.5 ? a + part : b - part;
}

static double number_of(hd_type type, const void *x)
{
    if (check_is_float(type)) return ref_to_double(type, x);
    return check_is_signed(type) ? (double)(int64_t)ref_to_whole(type, x)
                                 : (double)ref_to_whole(type, x);
}

static void test_quantiles(hd_type type, int64_t n, check_pattern pattern, uint64_t seed)
{
    enum { M = 7 };
    const double p[M] = {0.5, 0, 1, 0.25, 0.75, 0.1, 1.0 / 3};
    char *x = check_memory((size_t)n * hd_type_size(type) + 1);
    double *numbers = check_memory((size_t)n * sizeof *numbers + 1), got[M];
    check_fill(type, x, n, pattern, seed);
    sorted s = sorted_of(type, x, n, NULL, false);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        const double y = number_of(type, s.keys + (size_t)i * hd_type_size(type));
        if (y == y) numbers[count++] = y;
    }
    for (int t = 0; t < target_count; t++)
        for (int method = HD_LINEAR; method <= HD_MIDPOINT; method++)
            for (int omit = 0; omit < 2; omit++) {
                CHECK_OK(targets[t].ctx,
                         hd_quantiles(targets[t].ctx, hd_view_of(type, x, n), HD_VIEW(p, M),
                                      HD_VIEW(got, M),
                                      &(hd_quantiles_options){.method = method, .omit_nan = omit}));
                for (int k = 0; k < M; k++) {
                    const bool none = count == 0 || (count < n && !omit);
                    const double want =
                        none ? NAN : quantile(numbers, count, p[k], (hd_quantile_method)method);
                    CHECK_SAME(HD_F64, &got[k], &want, 1,
                               "quantile %g, method %d of %" PRId64 " %s", p[k], method, n,
                               hd_type_name(type));
                }
            }
    drop(&s);
    free(x), free(numbers);
}

// A matrix, f32 probabilities and outputs, uneven segments one of which is empty.
static void test_quantile_rows(void)
{
    float x[3][4] = {{4, 1, 3, 2}, {8, 8, 8, 9}, {-1, 0, 1, 100}}, got[3][2];
    const float p[2] = {0.5f, 0.75f};
    const int64_t shape[2] = {3, 4}, out[2] = {3, 2}, offsets[4] = {0, 3, 3, 12};
    const float want[3][2] = {{2.5f, 3.25f}, {8, 8.25f}, {0.5f, 25.75f}};
    const hd_view cut = HD_VIEW(offsets, 4);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_quantiles(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL), HD_VIEW(p, 2),
                                   hd_view_nd(HD_F32, got, 2, out, NULL),
                                   &(hd_quantiles_options){.axis = HD_AXIS(1)}));
        CHECK_SAME(HD_F32, got, want, 6, "rows on %s", targets[t].name);
        CHECK_OK(ctx, hd_quantiles(ctx, HD_VIEW(&x[0][0], 12), HD_VIEW(p, 2),
                                   hd_view_nd(HD_F32, got, 2, out, NULL),
                                   &(hd_quantiles_options){.segments = &cut}));
        const float uneven[3][2] = {{3, 3.5f}, {NAN, NAN}, {8, 8}};
        CHECK_SAME(HD_F32, got, uneven, 6, "segments on %s", targets[t].name);
        int32_t i[12] = {0}, o[6];
        CHECK(hd_quantiles(ctx, HD_VIEW(i, 12), HD_VIEW(p, 2), hd_view_nd(HD_I32, o, 2, out, NULL),
                           &(hd_quantiles_options){.segments = &cut, .method = HD_LOWER}) ==
                  HD_ERROR_VALUE,
              "no NaN of i32 on %s: %s", targets[t].name, hd_error(ctx));
    }
}

static void test_errors(void)
{
    hd_context *ctx = targets[target_count - 1].ctx;
    float x[4] = {1, 2, 3, 4}, y[4];
    int64_t rank = 4, ranks[2] = {0, -1};
    const double p[2] = {0.5, 1.5};
    int32_t i[2];
    const hd_view in = HD_VIEW(x, 4), one = HD_VIEW(y, 1), two = HD_VIEW(y, 2);
#define REFUSED(status, call) CHECK((call) == (status), "%s: %s", #call, hd_error(ctx))
    REFUSED(HD_ERROR_VALUE, hd_nth(ctx, in, HD_VIEW(&rank, 1), one, NULL));
    REFUSED(HD_ERROR_VALUE, hd_nth(ctx, in, HD_VIEW(ranks, 2), two, NULL));
    REFUSED(HD_ERROR_SHAPE, hd_nth(ctx, in, HD_VIEW(ranks, 2), one, NULL));
    REFUSED(HD_ERROR_TYPE, hd_nth(ctx, in, HD_VIEW(x, 2), two, NULL));
    REFUSED(HD_ERROR_TYPE, hd_nth(ctx, in, HD_VIEW(ranks, 1), HD_VIEW(i, 1), NULL));
    REFUSED(HD_ERROR_ALIAS, hd_nth(ctx, in, HD_VIEW(ranks, 1), HD_VIEW(x, 1), NULL));
    REFUSED(HD_ERROR_VALUE, hd_quantiles(ctx, in, HD_VIEW(p, 2), two, NULL));
    REFUSED(HD_ERROR_TYPE, hd_quantiles(ctx, in, HD_VIEW(p, 1), HD_VIEW(i, 1), NULL));
    REFUSED(HD_ERROR_TYPE, hd_quantiles(ctx, in, HD_VIEW(ranks, 1), one, NULL));
    REFUSED(HD_ERROR_ARGUMENT,
            hd_quantiles(ctx, in, HD_VIEW(p, 1), one, &(hd_quantiles_options){.method = 9}));
#undef REFUSED
}

static void test_records(int64_t n, uint64_t seed)
{
    record *x = check_memory(sizeof *x * (size_t)n);
    for (int64_t i = 0; i < n; i++) x[i] = (record){(int32_t)check_below(&seed, 50), (int32_t)i};
    test_everything(HD_TYPE(record), by_key, x, n, n < 20 ? n : 20, CHECK_STRIDED, seed & 1, seed);
    free(x);
}

int main(void)
{
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        const hd_type type = check_type(k);
        int64_t n;
        for (int s = 0; (n = check_size(s, 5000)) >= 0; s++, seed++) {
            if (n == 0) continue;
            const check_pattern pattern = (check_pattern)(seed % CHECK_PATTERNS);
            char *x = check_memory((size_t)n * hd_type_size(type));
            check_fill(type, x, n, pattern, seed);
            test_everything(type, NULL, x, n, 1 + (int64_t)(seed % 5),
                            (check_layout)(seed % CHECK_LAYOUTS), seed / 2 & 1, seed);
            if (type != HD_BOOL && s % 3 == k % 3) test_quantiles(type, n, pattern, seed);
            free(x);
        }
        char *x = check_memory(150001 * hd_type_size(type));
        check_fill(type, x, 150001, (check_pattern)(seed % CHECK_PATTERNS), seed);
        test_rows(type, x, 60, 35, 3, seed);
        if (k % 3 == 1)
            test_everything(type, NULL, x, 150001, k % 2 == 0 ? 40 : 3, CHECK_DENSE, k & 1, seed);
        // one rank: a window of keys by a sample, which few different keys do not fit in
        if (k % 3 == 2) test_everything(type, NULL, x, 150001, 1, CHECK_DENSE, k & 1, seed);
        if (k % 3 == 2) test_everything(type, NULL, x, 70001, 1, CHECK_STRIDED, false, seed);
        if (k % 5 == 0) test_everything(type, NULL, x, 40001, 700, CHECK_DENSE, k & 1, seed);
        free(x);
        if (type == HD_F64) test_quantiles(type, 70001, CHECK_ORDINARY, seed);
    }
    for (int64_t n = 1; n < 3000; n = n * 3 + 1) test_records(n, seed + (uint64_t)n);
    test_quantile_rows();
    test_errors();
    return check_finish();
}
