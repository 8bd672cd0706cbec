// SPDX-License-Identifier: Apache-2.0
//
// hd_map_many: each output has the bits of hd_map with its function, over layouts, sizes, types and
// thread counts, in place too; bad arguments are refused; on the model as far as it goes there.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

HD_FUNCTION(sum, float, HD_NO_SOURCE, (float, a, float, b), { return a + b; })
HD_FUNCTION(difference, float, HD_NO_SOURCE, (float, a, float, b), { return a - b; })
HD_FUNCTION(rounded, int16_t, HD_NO_SOURCE, (float, a), { return (int16_t)(a * 100); })
HD_FUNCTION(fused, double, HD_NO_SOURCE, (float, a, float, b, double, c),
            { return (double)a * (double)b + c; })

enum { MAX = 40000, OUTPUTS = 5 };

static const hd_function *functions[OUTPUTS]; // the fourth converts
static const hd_type types[OUTPUTS] = {HD_F32, HD_F64, HD_I16, HD_BF16, HD_F32};

static void test_layout(int64_t n, check_layout layout, uint64_t seed)
{
    check_array in[3], out[OUTPUTS], want[OUTPUTS];
    void *x = check_memory(8 * MAX), *y = check_memory(8 * MAX);
    hd_view views[OUTPUTS];
    for (int k = 0; k < 3; k++) {
        in[k] = check_new(k == 2 ? HD_F64 : HD_F32, n, layout, seed & 1);
        check_fill(in[k].view.type, x, n, CHECK_ORDINARY, seed + (uint64_t)k);
        check_put(&in[k], x);
    }
    const hd_view with[2] = {in[1].view, in[2].view};
    static const int taken[OUTPUTS] = {1, 2, 0, 0, 1};
    for (int k = 0; k < OUTPUTS; k++) {
        out[k] = check_new(types[k], n, layout, seed & 2);
        want[k] = check_new(types[k], n, CHECK_DENSE, false);
        if (layout > CHECK_REVERSED)
            check_drop(&want[k]), want[k] = check_new(types[k], n, layout, 0);
        views[k] = out[k].view;
        CHECK_OK(targets->ctx, hd_map(targets->ctx, in[0].view, functions[k], want[k].view,
                                      &(hd_map_options){.with = {with, taken[k]}}));
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_map_many(ctx, in[0].view, (hd_functions){functions, OUTPUTS},
                                  (hd_views){views, OUTPUTS},
                                  &(hd_map_many_options){.with = {with, 2}}));
        for (int k = 0; k < OUTPUTS; k++) {
            check_get(&out[k], x), check_get(&want[k], y);
            CHECK_SAME(types[k], x, y, n, "output %d of %" PRId64 " (%s) on %s", k, n,
                       check_layout_name(layout), targets[t].name);
            CHECK(check_gaps(&out[k]), "gaps of output %d on %s", k, targets[t].name);
        }
    }
    for (int k = 0; k < 3; k++) check_drop(&in[k]);
    for (int k = 0; k < OUTPUTS; k++) check_drop(&out[k]), check_drop(&want[k]);
    free(x), free(y);
}

// Both outputs are inputs, in turn: every function sees what was there.
static void test_in_place(int64_t n, uint64_t seed)
{
    float *a = check_memory(4 * MAX), *b = check_memory(4 * MAX), *x = check_memory(4 * MAX),
          *y = check_memory(4 * MAX), *want = check_memory(8 * MAX);
    check_fill(HD_F32, a, n, CHECK_ORDINARY, seed);
    check_fill(HD_F32, b, n, CHECK_ORDINARY, seed + 1);
    for (int64_t i = 0; i < n; i++) want[i] = a[i] + b[i], want[MAX + i] = a[i] - b[i];
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        memcpy(x, a, 4 * (size_t)n), memcpy(y, b, 4 * (size_t)n);
        CHECK_OK(ctx, hd_map_many(ctx, HD_VIEW(x, n), HD_FUNCTIONS(sum, difference),
                                  HD_VIEWS(HD_VIEW(y, n), HD_VIEW(x, n)),
                                  &(hd_map_many_options){.with = HD_VIEWS(HD_VIEW(y, n))}));
        CHECK_SAME(HD_F32, y, want, n, "sum of %" PRId64 " on %s", n, targets[t].name);
        CHECK_SAME(HD_F32, x, want + MAX, n, "difference of %" PRId64 " on %s", n, targets[t].name);
    }
    free(a), free(b), free(x), free(y), free(want);
}

static hd_context *ctx;
static const char *where;

static void expect(int line, hd_status expected, hd_status got, const char *text)
{
    if (got != expected || strstr(hd_error(ctx), text) == NULL)
        check_failed(__FILE__, line, "status and text", "%s instead of %s, '%s' without '%s' on %s",
                     hd_status_name(got), hd_status_name(expected), hd_error(ctx), text, where);
}
#define BAD(status, text, functions, out, ...)                                                     \
    expect(__LINE__, HD_ERROR_##status,                                                            \
           hd_map_many(ctx, in, functions, out, &(hd_map_many_options){.with = {__VA_ARGS__}}),    \
           text)

static void test_refused(void)
{
    float x[8] = {0}, y[8], z[8];
    const int32_t index[8] = {0, 9};
    hd_view in = HD_VIEW(x, 8);
    const hd_view a = HD_VIEW(y, 8), b = HD_VIEW(z, 8), with[] = {b, b};
    BAD(ARGUMENT, "1 functions and 2 outputs", HD_FUNCTIONS(NULL), HD_VIEWS(a, b), NULL, 0);
    BAD(ARGUMENT, "at most 64", ((hd_functions){NULL, 65}), ((hd_views){NULL, 65}), NULL, 0);
    BAD(ARGUMENT, "functions is null", ((hd_functions){NULL, 1}), HD_VIEWS(a), NULL, 0);
    BAD(ARGUMENT, "out 1: function sum takes 2", HD_FUNCTIONS(NULL, sum), HD_VIEWS(a, b), NULL, 0);
    BAD(ARGUMENT, "with[1] is an input of no function", HD_FUNCTIONS(NULL, sum), HD_VIEWS(a, b),
        with, 2);
    BAD(ARGUMENT, "with has -1 views", HD_FUNCTIONS(NULL), HD_VIEWS(a), with, -1);
    BAD(TYPE, "out 1: function rounded gives i16", HD_FUNCTIONS(NULL, rounded), HD_VIEWS(a, b),
        NULL, 0);
    BAD(SHAPE, "out 1: out has shape (7)", HD_FUNCTIONS(NULL, NULL), HD_VIEWS(a, HD_VIEW(z, 7)),
        NULL, 0);
    BAD(ALIAS, "out 1 overlaps out 0", HD_FUNCTIONS(NULL, NULL), HD_VIEWS(a, a), NULL, 0);
    BAD(ALIAS, "out 0: out overlaps in", HD_FUNCTIONS(NULL), HD_VIEWS(hd_slice(in, 0, 7, 8, -1)),
        NULL, 0);
    BAD(ALIAS, "out 0 overlaps a view of with", HD_FUNCTIONS(NULL, sum),
        HD_VIEWS(hd_slice(b, 0, 7, 8, -1), a), with, 1);
    BAD(ARGUMENT, "cannot be written", HD_FUNCTIONS(NULL), HD_VIEWS(hd_iota(8)), NULL, 0);
    in = hd_indexed(in, HD_VIEW(index, 8));
    BAD(VALUE, "hd_map_many: index 1 is 9; expected 0 to 7", HD_FUNCTIONS(NULL, NULL),
        HD_VIEWS(a, b), NULL, 0);
    CHECK_OK(ctx, hd_map_many(ctx, hd_iota(8), HD_FUNCTIONS(NULL, NULL), HD_VIEWS(a, b), NULL));
    CHECK(y[7] == 7 && z[3] == 3, "a progression on %s", where);
    CHECK_OK(ctx, hd_map_many(ctx, hd_iota(8), (hd_functions){NULL, 0}, HD_NO_VALUES, NULL));
}

static void test_model(void)
{
    float x[100], y[100], up[100], down[100];
    if (!hd_backend_available(HD_MODEL, NULL)) return;
    ctx = check_open(HD_MODEL, 0, NULL);
    where = "model";
    for (int i = 0; i < 100; i++) x[i] = (float)i * 0.37f, y[i] = (float)(i % 7);
    const hd_views with = HD_VIEWS(HD_VIEW(y, 100));
    CHECK_OK(ctx, hd_map_many(ctx, HD_VIEW(x, 100), HD_FUNCTIONS(sum, difference),
                              HD_VIEWS(HD_VIEW(up, 100), HD_VIEW(down, 100)),
                              &(hd_map_many_options){.with = with}));
    for (int i = 0; i < 100; i++)
        CHECK(up[i] == x[i] + y[i] && down[i] == x[i] - y[i], "element %d on the model", i);
    memset(down, 0, sizeof down);
    for (int i = 0; i < 100; i++) x[i] = (float)i * 0.37f;
    CHECK_OK(ctx, hd_map_many(ctx, HD_VIEW(x, 100), HD_FUNCTIONS(sum, difference),
                              HD_VIEWS(HD_VIEW(x, 100), HD_VIEW(down, 100)),
                              &(hd_map_many_options){.with = with}));
    for (int i = 0; i < 100; i++)
        CHECK(x[i] == up[i] && down[i] == (float)i * 0.37f - y[i], "element %d in place", i);
    hd_close(ctx);
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 65, 1000, MAX};
    functions[0] = sum, functions[1] = fused, functions[2] = rounded, functions[4] = difference;
    // Small blocks, so that several meet.
    setenv("HEDDLE_TUNE", "cpu.map_many_block_bytes=4096,cpu.grain_bytes=1024", 1);
    target_count = check_targets(&targets);
    uint64_t state = check_seed();
    for (int s = 0; s < 5; s++) {
        for (check_layout l = 0; l < CHECK_LAYOUTS; l++)
            if (sizes[s] < MAX || l == CHECK_DENSE) test_layout(sizes[s], l, check_next(&state));
        test_in_place(sizes[s], check_next(&state));
    }
    for (int t = 0; t < target_count; t++) {
        ctx = targets[t].ctx;
        where = targets[t].name;
        test_refused();
    }
    test_model();
    return check_finish();
}
