// SPDX-License-Identifier: Apache-2.0
//
// hd_reduce_many: every built-in operator at once over every type, size and layout gives the bits
// of the reference; along axes, by functions, by operators of the user's, of implicit views.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

enum { MAX = 24 };
static const check_target *targets;
static int target_count;

HD_FUNCTION(scaled, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })
HD_FUNCTION(is_odd, bool, HD_NO_SOURCE, (int32_t, x), { return (x & 1) != 0; })
HD_OPERATOR(first_of, int32_t, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a; })

// All operators that take the type, each with its default output; some twice, with another one.
static int operators_of(hd_type type, const hd_operator **ops, hd_type *types)
{
    int count = 0;
    for (int k = 0; hd_operator_at(k) != NULL; k++) {
        const hd_operator *op = hd_operator_at(k);
        if (op == HD_DOT || ref_default(op, type) == HD_NONE || count >= MAX - 1) continue;
        ops[count] = op;
        types[count++] = ref_default(op, type);
        if (op == HD_SUM && ref_accepts(op, type, HD_F64) && types[count - 1] != HD_F64) {
            ops[count] = op;
            types[count++] = HD_F64;
        }
    }
    return count;
}

static void test_all(hd_type type, int64_t n, check_layout layout, check_pattern pattern,
                     uint64_t seed)
{
    const hd_operator *ops[MAX];
    hd_type types[MAX];
    hd_view out[MAX];
    _Alignas(16) unsigned char got[MAX][16], want[MAX][16];
    const int count = operators_of(type, ops, types);
    void *x = check_memory(hd_type_size(type) * (size_t)n + 1);
    check_array a = check_new(type, n, layout, seed & 1);
    check_fill(type, x, n, pattern, seed);
    check_put(&a, x);
    for (int k = 0; k < count; k++) {
        ref_reduce(ops[k], type, x, n, types[k], want[k], NULL,
                   &(ref_how){.ddof = ops[k] == HD_VARIANCE});
        out[k] = hd_view_of(types[k], got[k], 1);
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        memset(got, 0x5a, sizeof got);
        const hd_reduce_many_options options = {.ddof = 1};
        CHECK_OK(ctx, hd_reduce_many(ctx, a.view, (hd_operators){ops, count},
                                     (hd_views){out, count}, &options));
        for (int k = 0; k < count; k++)
            CHECK_SAME(types[k], got[k], want[k], 1, "%s of %" PRId64 " %s (%s, %s) on %s",
                       hd_operator_name(ops[k]), n, hd_type_name(type), check_layout_name(layout),
                       check_pattern_name(pattern), targets[t].name);
    }
    check_drop(&a);
    free(x);
}

// Along an axis: what hd_reduce gives on the first target; it has tests of its own.
static void test_axis(hd_type type, int32_t ndim, const int64_t *shape, int32_t axis, uint64_t seed)
{
    const hd_operator *ops[] = {HD_MIN, HD_SUM, HD_ARGMAX, HD_MEAN, HD_VARIANCE, HD_MAX};
    enum { COUNT = sizeof ops / sizeof *ops };
    int64_t stride[3], rest[3], n = 1, rows = 1;
    uint64_t state = seed;
    for (int k = 0, r = 0; k < ndim; k++) {
        n *= shape[k];
        if (k == axis) continue;
        rest[r++] = shape[k];
        rows *= shape[k];
    }
    check_strides(ndim, shape, &state, stride);
    check_array a = check_new_nd(type, ndim, shape, seed % 3 ? NULL : stride, seed & 1);
    void *x = check_memory(hd_type_size(type) * (size_t)n + 1);
    check_fill(type, x, n, CHECK_ORDINARY, seed);
    check_put(&a, x);
    unsigned char *memory = check_memory(2 * COUNT * 8 * (size_t)rows + 1);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_view out[COUNT];
        memset(memory, 0x5a, COUNT * 8 * (size_t)rows);
        for (int k = 0; k < COUNT; k++) {
            const hd_type to = hd_default_output(ops[k], type);
            unsigned char *want = memory + (size_t)(COUNT + k) * 8 * (size_t)rows;
            out[k] = hd_view_nd(to, memory + (size_t)k * 8 * (size_t)rows, ndim - 1, rest, NULL);
            hd_view plain = out[k];
            plain.data = want;
            if (t == 0)
                CHECK_OK(ctx, hd_reduce(ctx, a.view, ops[k], plain,
                                        &(hd_reduce_options){.axis = HD_AXIS(axis)}));
        }
        CHECK_OK(ctx,
                 hd_reduce_many(ctx, a.view, (hd_operators){ops, COUNT}, (hd_views){out, COUNT},
                                &(hd_reduce_many_options){.axis = HD_AXIS(axis)}));
        for (int k = 0; k < COUNT; k++)
            CHECK_SAME(out[k].type, out[k].data, memory + (size_t)(COUNT + k) * 8 * (size_t)rows,
                       rows, "%s of rows along %d of %s on %s", hd_operator_name(ops[k]), (int)axis,
                       hd_type_name(type), targets[t].name);
    }
    check_drop(&a);
    free(x);
    free(memory);
}

static void test_functions(int64_t n)
{
    float *x = check_memory(4 * (size_t)n + 4), *y = check_memory(4 * (size_t)n + 4),
          *p = check_memory(4 * (size_t)n + 4);
    int32_t *w = check_memory(4 * (size_t)n + 4);
    int64_t odd = 0;
    check_fill(HD_F32, x, n, CHECK_ORDINARY, 1);
    check_fill(HD_F32, y, n, CHECK_ORDINARY, 2);
    check_fill(HD_I32, w, n, CHECK_ORDINARY, 3);
    for (int64_t i = 0; i < n; i++) p[i] = x[i] * y[i], odd += w[i] & 1;
    float least, sum, want_least, want_sum;
    double mean, want_mean;
    int64_t at, want_at, count, i_sum, i_at;
    int32_t first;
    ref_reduce(HD_MIN, HD_F32, p, n, HD_F32, &want_least, NULL, &(ref_how){0});
    ref_reduce(HD_SUM, HD_F32, p, n, HD_F32, &want_sum, NULL, &(ref_how){0});
    ref_reduce(HD_MEAN, HD_F32, p, n, HD_F64, &want_mean, NULL, &(ref_how){0});
    ref_reduce(HD_ARGMIN, HD_F32, p, n, HD_I64, &want_at, NULL, &(ref_how){0});
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_reduce_many_options by = {.map = scaled, .with = HD_VIEWS(HD_VIEW(y, n))};
        CHECK_OK(ctx, hd_reduce_many(ctx, HD_VIEW(x, n),
                                     HD_OPERATORS(HD_MIN, HD_SUM, HD_MEAN, HD_ARGMIN),
                                     HD_VIEWS(HD_VIEW(&least, 1), HD_VIEW(&sum, 1),
                                              HD_VIEW(&mean, 1), HD_VIEW(&at, 1)),
                                     &by));
        CHECK_SAME(HD_F32, &least, &want_least, 1, "least product on %s", targets[t].name);
        CHECK_SAME(HD_F32, &sum, &want_sum, 1, "sum of products on %s", targets[t].name);
        CHECK_SAME(HD_F64, &mean, &want_mean, 1, "mean of products on %s", targets[t].name);
        CHECK(at == want_at, "%" PRId64 " instead of %" PRId64 " on %s", at, want_at,
              targets[t].name);
        bool any;
        CHECK_OK(ctx, hd_reduce_many(ctx, HD_VIEW(w, n), HD_OPERATORS(HD_SUM, HD_ANY),
                                     HD_VIEWS(HD_VIEW(&count, 1), HD_VIEW(&any, 1)),
                                     &(hd_reduce_many_options){.map = is_odd}));
        CHECK(count == odd && any == (odd > 0), "%" PRId64 " odd, expected %" PRId64 " on %s",
              count, odd, targets[t].name);
        CHECK_OK(ctx, hd_reduce_many(ctx, hd_progression(-3, 2, n), HD_OPERATORS(HD_SUM, HD_ARGMAX),
                                     HD_VIEWS(HD_VIEW(&i_sum, 1), HD_VIEW(&i_at, 1)), NULL));
        CHECK(i_sum == n * (n - 1) - 3 * n && i_at == n - 1, "a progression on %s",
              targets[t].name);
        if (n == 0) continue;
        CHECK_OK(ctx, hd_reduce_many(ctx, HD_VIEW(w, n), HD_OPERATORS(first_of, HD_SUM),
                                     HD_VIEWS(HD_VIEW(&first, 1), HD_VIEW(&i_sum, 1)), NULL));
        CHECK(first == w[0], "the user's operator on %s", targets[t].name);
    }
    free(x), free(y), free(p), free(w);
}

// Segments, of offsets of two types, in groups of several lengths: what hd_reduce gives on the
// first target.
static void test_segments(int64_t n, int64_t most, bool indexed, uint64_t seed)
{
    const hd_operator *ops[] = {HD_MIN, HD_SUM, HD_ARGMAX, HD_MEAN, HD_VARIANCE, HD_PRODUCT};
    enum { COUNT = sizeof ops / sizeof *ops };
    uint64_t state = seed;
    float *x = check_memory(4 * (size_t)n + 4);
    int32_t *index = check_memory(4 * (size_t)n + 4);
    int64_t *offsets = check_memory(8 * (size_t)(most + 1));
    int32_t *narrow = check_memory(4 * (size_t)(most + 1));
    check_fill(HD_F32, x, n, CHECK_ORDINARY, seed);
    for (int64_t i = 0; i < n; i++) index[i] = (int32_t)(i * 7919 % n);
    const int64_t m = check_offsets(n, most + 1, &state, offsets) - 1;
    for (int64_t j = 0; j <= m; j++) narrow[j] = (int32_t)offsets[j];
    const hd_view segments = seed % 2 ? HD_VIEW(offsets, m + 1) : HD_VIEW(narrow, m + 1);
    const hd_view in = indexed ? hd_indexed(HD_VIEW(x, n), HD_VIEW(index, n)) : HD_VIEW(x, n);
    unsigned char *memory = check_memory(2 * COUNT * 8 * (size_t)m + 1);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_view out[COUNT];
        memset(memory, 0x5a, COUNT * 8 * (size_t)m);
        for (int k = 0; k < COUNT; k++) {
            out[k] = hd_view_of(ops[k] == HD_ARGMAX ? HD_I64 : HD_F32,
                                memory + (size_t)k * 8 * (size_t)m, m);
            hd_view plain = out[k];
            plain.data = memory + (size_t)(COUNT + k) * 8 * (size_t)m;
            if (t == 0)
                CHECK_OK(ctx, hd_reduce(ctx, in, ops[k], plain,
                                        &(hd_reduce_options){.segments = &segments}));
        }
        CHECK_OK(ctx, hd_reduce_many(ctx, in, (hd_operators){ops, COUNT}, (hd_views){out, COUNT},
                                     &(hd_reduce_many_options){.segments = &segments}));
        for (int k = 0; k < COUNT; k++)
            CHECK_SAME(out[k].type, out[k].data, memory + (size_t)(COUNT + k) * 8 * (size_t)m, m,
                       "%s of %" PRId64 " segments of %" PRId64 "%s on %s",
                       hd_operator_name(ops[k]), m, n, indexed ? ", indexed" : "", targets[t].name);
    }
    free(x), free(index), free(offsets), free(narrow), free(memory);
}

static void test_bad_segments(const check_target *t)
{
    enum { N = 200000 };
    static float x[N];
    static int32_t index[N];
    float sum[3] = {7, 7, 7}, least[3] = {7, 7, 7};
    int32_t some[3] = {7, 7, 7};
    const struct {
        int64_t offset[4];
        const char *word;
    } bad[] = {{{0, 9, 8, N}, "offset 2 is 8"},
               {{0, 9, 9, N + 1}, "offset 3"},
               {{-1, 9, 9, N}, "offset 0 is -1"},
               {{0, INT64_MIN, 9, N}, "offset 1"}};
    const hd_operators two = HD_OPERATORS(HD_SUM, HD_MIN);
    const hd_views out = HD_VIEWS(HD_VIEW(sum, 3), HD_VIEW(least, 3));
    for (int k = 0; k < 4; k++) {
        const hd_view segments = HD_VIEW(bad[k].offset, 4);
        CHECK(hd_reduce_many(t->ctx, HD_VIEW(x, N), two, out,
                             &(hd_reduce_many_options){.segments = &segments}) == HD_ERROR_VALUE &&
                  strstr(hd_error(t->ctx), bad[k].word) && sum[0] == 7 && least[2] == 7,
              "offsets %d on %s: %s", k, t->name, hd_error(t->ctx));
    }
    const int64_t good[4] = {0, 5, 5, N};
    const hd_view segments = HD_VIEW(good, 4);
    CHECK(hd_reduce_many(t->ctx, HD_VIEW(index, N), HD_OPERATORS(HD_SUM, first_of),
                         HD_VIEWS(HD_VIEW(least, 3), HD_VIEW(some, 3)),
                         &(hd_reduce_many_options){.segments = &segments}) == HD_ERROR_VALUE &&
              strstr(hd_error(t->ctx), "segment 1 has no elements") && least[0] == 7,
          "an empty segment on %s: %s", t->name, hd_error(t->ctx));
    CHECK(hd_reduce_many(t->ctx, HD_VIEW(x, N), two, out,
                         &(hd_reduce_many_options){.segments = &segments, .axis = HD_AXIS(0)}) ==
                  HD_ERROR_ARGUMENT &&
              strstr(hd_error(t->ctx), "exclude"),
          "axis and segments on %s", t->name);
    CHECK(hd_reduce_many(t->ctx, HD_VIEW(x, N), two, HD_VIEWS(HD_VIEW(sum, 3), HD_VIEW(least, 2)),
                         &(hd_reduce_many_options){.segments = &segments}) == HD_ERROR_SHAPE &&
              strstr(hd_error(t->ctx), "out 1"),
          "too few outputs on %s: %s", t->name, hd_error(t->ctx));
    index[N - 1] = -1; // read by the last segment alone
    CHECK(hd_reduce_many(t->ctx, hd_indexed(HD_VIEW(x, N), HD_VIEW(index, N)), two, out,
                         &(hd_reduce_many_options){.segments = &segments}) == HD_ERROR_VALUE,
          "a bad index on %s: %s", t->name, hd_error(t->ctx));
    index[N - 1] = 0;
}

int main(void)
{
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    const int64_t large[] = {131071, 131072, 300007};
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        int64_t n;
        for (int s = 0; (n = check_size(s, 5000)) >= 0; s++)
            test_all(check_type(k), n, (check_layout)(seed % CHECK_LAYOUTS),
                     (check_pattern)(seed / 7 % CHECK_PATTERNS), seed),
                seed++;
        test_all(check_type(k), large[check_small() ? 0 : k % 3],
                 seed % 2 ? CHECK_DENSE : (check_layout)(seed % CHECK_LAYOUTS),
                 seed % 3 ? CHECK_ORDINARY : CHECK_SPECIAL, seed);
        seed++;
    }
    static const int64_t shapes[][3] = {{3, 5, 7},     {1000, 300, 0}, {300, 1001, 0},
                                        {40, 50, 300}, {200000, 2, 0}, {2, 200000, 0},
                                        {7, 1, 9},     {0, 4, 0},      {4, 0, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int axis = 0; axis < 3; axis++, seed++) {
            const int32_t ndim = shapes[s][2] == 0 ? 2 : 3;
            if (axis < ndim) test_axis(seed % 2 ? HD_F32 : HD_I16, ndim, shapes[s], axis, seed);
        }
    const int64_t sizes[] = {0, 1, 33, 5000, 200003};
    for (int s = 0; s < 5; s++) test_functions(sizes[s]);
    static const int64_t segments[] = {1, 40, 3000, 20000};
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < 4; k++, seed++)
            test_segments(sizes[s] > 0 ? sizes[s] : 1, segments[k], seed % 5 == 3, seed);
    test_segments(300007, 60000, false, seed);
    for (int t = 0; t < target_count; t++) test_bad_segments(&targets[t]);
    return check_finish();
}
