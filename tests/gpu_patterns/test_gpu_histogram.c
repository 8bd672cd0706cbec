// SPDX-License-Identifier: Apache-2.0
//
// Histograms by the GPU's kernels, on the model machine and on a card where there is one, against
// the serial backend, bit for bit: every rule, types, one and two axes, clamped or not, numbers of
// bins around what shared memory is made to hold, equal and scattered values, awkward sizes,
// addresses off by one element, added to what is there, those outside; weights of integers and of
// floats.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_FUNCTION(modulo, int64_t, HD_NO_SOURCE, (int32_t, x), { return x % 13; })
HD_FUNCTION(halved, float, HD_NO_SOURCE, (int32_t, x, float, y), { return x * 0.5f + y; })

static hd_context *ctx, *serial;
static const char *backend;

typedef enum rule { BY_VALUE, EVEN, EDGES, LETTERS, FUNCTION, MAPPED } rule;

typedef struct way {
    rule rule;
    hd_type type, out;
    int64_t bins, columns; // columns: of a second axis
    bool clamp, add;
    hd_type weights, edges;
    const hd_operator *sum;
    bool any;
} way;

static const way ways[] = {
    {BY_VALUE, HD_U8, HD_I64, 256, 0, false, false, 0, 0, NULL, false},
    {BY_VALUE, HD_I8, HD_U32, 100, 0, true, true, 0, 0, NULL, false},
    {BY_VALUE, HD_U32, HD_U64, 1000, 0, false, false, 0, 0, NULL, false},
    {BY_VALUE, HD_I64, HD_I32, 40, 0, true, false, 0, 0, NULL, false},
    {BY_VALUE, HD_U64, HD_I64, 300, 0, true, true, 0, 0, NULL, false},
    {BY_VALUE, HD_BOOL, HD_I64, 2, 0, false, false, 0, 0, NULL, false},
    {BY_VALUE, HD_U16, HD_I64, 20000, 0, false, false, 0, 0, NULL, false},
    {BY_VALUE, HD_I32, HD_I64, 7, 11, false, false, 0, 0, NULL, false},
    {EVEN, HD_F32, HD_I64, 100, 0, false, false, 0, 0, NULL, false},
    {EVEN, HD_F64, HD_U32, 10, 0, true, true, 0, 0, NULL, false},
    {EVEN, HD_F16, HD_I64, 33, 5, false, false, 0, 0, NULL, false},
    {EVEN, HD_I16, HD_I64, 64, 0, false, false, 0, 0, NULL, false},
    {EDGES, HD_F32, HD_I64, 17, 0, false, false, 0, HD_F64, NULL, false},
    {EDGES, HD_I32, HD_I64, 12, 0, true, false, 0, HD_I32, NULL, false},
    {EDGES, HD_U64, HD_I64, 12, 0, false, false, 0, HD_U64, NULL, false},
    {LETTERS, HD_U8, HD_I64, 7, 0, false, false, 0, 0, NULL, false},
    {FUNCTION, HD_I32, HD_I64, 13, 0, false, false, 0, 0, NULL, false},
    {MAPPED, HD_I32, HD_I64, 50, 0, true, false, 0, 0, NULL, false},
    {BY_VALUE, HD_U8, HD_I64, 200, 0, false, false, HD_I32, 0, NULL, false},
    {EVEN, HD_F32, HD_F32, 19, 0, false, false, HD_F32, 0, NULL, false},
    {BY_VALUE, HD_I32, HD_F64, 50, 3, false, true, HD_F32, 0, NULL, false},
    {BY_VALUE, HD_U8, HD_F64, 90, 0, true, false, HD_F64, 0, HD_SUM_COMPENSATED, false},
    {BY_VALUE, HD_U8, HD_F32, 90, 0, true, false, HD_F32, 0, NULL, true},
    {BY_VALUE, HD_U8, HD_F32, 90, 0, false, false, HD_F32, 0, HD_SUM_EXACT, false},
    {BY_VALUE, HD_I32, HD_F64, 50, 3, false, true, HD_F64, 0, HD_SUM_EXACT, false},
    {EVEN, HD_F32, HD_F64, 19, 0, true, true, HD_I64, 0, HD_SUM_EXACT, false},
};
enum { WAYS = sizeof ways / sizeof *ways };

HD_FUNCTION(eight, int32_t, HD_NO_SOURCE,
            (int32_t, a, int32_t, b, int32_t, c, int32_t, d, int32_t, e, int32_t, f, int32_t, g,
             int32_t, h),
            { return a + b + c + d + e + f + g - h; })

// Values around the bins; now and then far outside. equal: nearly all the same.
static void fill(hd_type type, void *to, int64_t n, int64_t bins, bool equal, uint64_t *r)
{
    const size_t size = hd_type_size(type);
    double *wide = check_memory((size_t)(n + 1) * 8);
    for (int64_t k = 0; k < n; k++) {
        const int64_t far = check_below(r, 50);
        int64_t v = check_below(r, bins + 4) - 2;
        if (equal && far != 7) v = bins / 2;
        wide[k] = (double)v + (check_is_float(type) ? (double)check_below(r, 4) / 4 : 0);
        if (far == 0) wide[k] = -1e9;
        if (far == 1) wide[k] = check_is_float(type) ? NAN : 1e9;
    }
    CHECK_OK(serial, hd_map(serial, HD_VIEW(wide, n), NULL, hd_view_of(type, to, n), NULL));
    if (type == HD_U64 && n > 3) memset((char *)to + 2 * size, 0xff, size);
    free(wide);
}

typedef struct side {
    hd_view in, second, weights, out, with, outside;
} side;

static hd_status call(hd_context *c, const way *w, const side *s, hd_view edges)
{
    const hd_histogram_options o = {
        .even = w->rule == EVEN || w->rule == MAPPED,
        .lower = w->rule == EVEN || w->rule == MAPPED ? 0.5 : 0,
        .upper = w->rule == EVEN || w->rule == MAPPED ? (double)w->bins - 0.7 : 0,
        .edges = w->rule == EDGES ? &edges : NULL,
        .bin = w->rule == FUNCTION ? modulo : NULL,
        .map = w->rule == MAPPED ? halved : NULL,
        .with = w->rule == MAPPED ? HD_VIEWS(s->with) : (hd_views){0},
        .first = w->rule == BY_VALUE ? 1 : 0,
        .letters = w->rule == LETTERS ? 4 : 0,
        .clamp = w->clamp,
        .add = w->add,
        .weights = w->weights != HD_NONE ? &s->weights : NULL,
        .second = w->columns > 0 ? &s->second : NULL,
        .second_even = w->columns > 0 && w->rule == EVEN,
        .second_upper = w->columns > 0 && w->rule == EVEN ? 5 : 0,
        .order = w->any ? HD_ANY_ORDER : 0,
        .outside = &s->outside,
        .sum = w->sum};
    return hd_histogram(c, s->in, s->out, &o);
}

// The same elements on the device, off by some of them.
static hd_view send(hd_view v, int64_t skip, hd_view *memory)
{
    const int64_t size = (int64_t)hd_type_size(v.type), bytes = (hd_count(v) + skip + 1) * size;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, memory));
    hd_view to = *memory;
    to.data = (char *)to.data + skip * size;
    to.shape[0] = hd_count(v) * size;
    CHECK_OK(ctx, hd_map(ctx, hd_view_of(HD_U8, v.data, to.shape[0]), NULL, to, NULL));
    v.data = to.data;
    v.space = HD_DEVICE;
    return v;
}

static void compare(const way *w, const side *want, const side *got, int64_t n, double error)
{
    const int64_t bins = hd_count(want->out);
    const void *a = got->out.data, *b = want->out.data;
    CHECK(*(int64_t *)want->outside.data == *(int64_t *)got->outside.data,
          "outside, way %d, %" PRId64 ": %" PRId64 ", expected %" PRId64, (int)(w - ways), n,
          *(int64_t *)got->outside.data, *(int64_t *)want->outside.data);
    if (error == 0) {
        CHECK_SAME(w->out, a, b, bins, "way %d of %" PRId64 ", %s", (int)(w - ways), n, backend);
        return;
    }
    for (int64_t k = 0; k < bins; k++)
        CHECK(fabsf(((const float *)a)[k] - ((const float *)b)[k]) <= error,
              "any order, bin %" PRId64, k);
}

static void ask(const way *w, int64_t n, bool equal, int turn, uint64_t *r)
{
    const int64_t all = w->bins * (w->columns > 0 ? w->columns : 1);
    const int64_t shape[] = {w->bins, w->columns};
    char *x = check_memory((size_t)n * 8 + 8), *y = check_memory((size_t)n * 8 + 8),
         *z = check_memory((size_t)n * 8 + 8), *out[2], *f = check_memory((size_t)n * 4 + 8);
    int64_t outside[2] = {-3, -3}, edges[64];
    fill(w->type, x, n, w->bins, equal, r);
    fill(w->type, y, n, w->columns + 1, equal, r);
    check_fill(w->weights != HD_NONE ? w->weights : HD_U8, z, n, CHECK_UNITS, check_next(r));
    for (int64_t k = 0; k < n; k++) ((float *)f)[k] = (float)check_below(r, 9);
    if (w->rule == LETTERS)
        for (int64_t k = 0; k < n; k++) x[k] = (char)check_below(r, 256);
    for (int64_t k = 0; k <= w->bins && k < 64; k++)
        edges[k] = w->edges == HD_I32 ? 0 : 3 * k + k % 2;
    for (int64_t k = 0; k <= w->bins && k < 64; k++) {
        if (w->edges == HD_I32) ((int32_t *)edges)[k] = (int32_t)(2 * k - 3);
        if (w->edges == HD_F64) ((double *)edges)[k] = (double)k * 1.25 - 2;
    }
    for (int k = 0; k < 2; k++) {
        out[k] = check_memory((size_t)all * 8);
        for (int64_t j = 0; j < all; j++)
            memcpy(out[k] + j * (int64_t)hd_type_size(w->out),
                   w->out == HD_F64 ? (void *)&(double){(double)j}
                                    : (void *)&(int64_t){hd_type_size(w->out) == 4 ? 5 : j},
                   hd_type_size(w->out));
    }
    side want = {hd_view_of(w->type, x, n),
                 hd_view_of(w->type, y, n),
                 w->weights != HD_NONE ? hd_view_of(w->weights, z, n) : HD_EMPTY,
                 w->columns > 0 ? hd_view_nd(w->out, out[0], 2, shape, NULL)
                                : hd_view_of(w->out, out[0], all),
                 HD_VIEW((float *)f, n),
                 HD_VIEW(&outside[0], 1)};
    side got = want;
    got.out.data = out[1];
    got.outside.data = &outside[1];
    const hd_view at = w->edges != HD_NONE ? hd_view_of(w->edges, edges, w->bins + 1) : HD_EMPTY;
    CHECK_OK(serial, call(serial, w, &want, at));
    if (turn % 3 == 0) {
        CHECK_OK(ctx, call(ctx, w, &got, at));
    } else { // on the device
        hd_view memory[6];
        side there = {send(got.in, turn % 2, &memory[0]),
                      send(got.second, 0, &memory[1]),
                      w->weights != HD_NONE ? send(got.weights, turn % 2, &memory[2]) : HD_EMPTY,
                      send(got.out, 1, &memory[3]),
                      send(got.with, 1, &memory[4]),
                      send(got.outside, 0, &memory[5])};
        CHECK_OK(ctx, call(ctx, w, &there, at));
        CHECK_OK(ctx, hd_sync(ctx));
        there.out.ndim = 1, there.out.shape[0] = all, there.out.stride[0] = 1;
        CHECK_OK(ctx, hd_map(ctx, there.out, NULL, hd_view_of(w->out, out[1], all), NULL));
        CHECK_OK(ctx, hd_map(ctx, there.outside, NULL, got.outside, NULL));
        for (int k = 0; k < 6; k++)
            if (k != 2 || w->weights != HD_NONE) CHECK_OK(ctx, hd_free(ctx, &memory[k]));
    }
    compare(w, &want, &got, n, w->any ? 1e-2 : 0);
    free(x), free(y), free(z), free(f), free(out[0]), free(out[1]);
}

// A function of as many inputs as there can be, and a second axis; exact sums of a constant.
static void test_inputs(void)
{
    enum { LENGTH = 700, SIDE = 6 };
    int32_t x[8][LENGTH], second[LENGTH];
    int64_t out[2][SIDE * SIDE], outside[2];
    double sums[2][SIDE];
    uint64_t r = check_seed();
    const double tenth = 0.1;
    for (int i = 0; i < LENGTH; i++) {
        for (int k = 0; k < 8; k++) x[k][i] = (int32_t)check_below(&r, 2);
        second[i] = (int32_t)check_below(&r, SIDE + 1);
    }
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        CHECK_OK(c, hd_histogram(c, HD_VIEW(x[0], LENGTH),
                                 hd_view_nd(HD_I64, out[k], 2, (int64_t[]){SIDE, SIDE}, NULL),
                                 &(hd_histogram_options){
                                     .map = eight,
                                     .with = HD_VIEWS(HD_VIEW(x[1], LENGTH), HD_VIEW(x[2], LENGTH),
                                                      HD_VIEW(x[3], LENGTH), HD_VIEW(x[4], LENGTH),
                                                      HD_VIEW(x[5], LENGTH), HD_VIEW(x[6], LENGTH),
                                                      HD_VIEW(x[7], LENGTH)),
                                     .second = HD_REF(HD_VIEW(second, LENGTH)),
                                     .outside = HD_REF(HD_VIEW(&outside[k], 1))}));
        CHECK_OK(c, hd_histogram(c, HD_VIEW(second, LENGTH), HD_VIEW(sums[k], SIDE),
                                 &(hd_histogram_options){
                                     .weights = HD_REF(hd_constant_of(HD_F64, &tenth, LENGTH)),
                                     .sum = HD_SUM_EXACT}));
    }
    CHECK_SAME(HD_I64, out[1], out[0], SIDE * SIDE, "eight inputs on %s", backend);
    CHECK(outside[0] == outside[1], "outside of eight inputs on %s", backend);
    CHECK_SAME(HD_F64, sums[1], sums[0], SIDE, "a constant summed exactly on %s", backend);
}

// Floats at every edge and beside it, far outside and NaN, in ranges that positions of f32 tell
// apart more or less well, or not at all.
static void test_edges(void)
{
    enum { BESIDE = 5, FAR = 8, BINS_MAX = 1000 };
    static const struct {
        double lower, upper;
        int64_t bins;
    } ranges[] = {
        {0, 1, 256},         {-3.7, 11.3, 1000}, {1000, 1001, 7},   {0, 0x1p24, 256},
        {1e30, 3e30, 100},   {-1, 1e-3, 999},    {1e6, 1e6 + 1, 9}, {-2e-40, 3e-40, 10},
        {16777216, 2e7, 33}, {-0.1, 0.3, 1},
    };
    static float x[BESIDE * (BINS_MAX + 1) + FAR];
    static const float far[FAR] = {NAN, INFINITY, -INFINITY, 0, -1e20f, 1e20f, -4e6f, 6e37f};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        int64_t n = 0, count[2][BINS_MAX], outside[2];
        const double step = (ranges[k].upper - ranges[k].lower) / (double)ranges[k].bins;
        for (int64_t edge = 0; edge <= ranges[k].bins; edge++) {
            float v = (float)(ranges[k].lower + (double)edge * step);
            for (int j = 0; j < BESIDE / 2; j++) v = nextafterf(v, -INFINITY);
            for (int j = 0; j < BESIDE; j++, v = nextafterf(v, INFINITY)) x[n++] = v;
        }
        for (int j = 0; j < FAR; j++) x[n++] = far[j];
        for (int clamp = 0; clamp < 2; clamp++) {
            for (int j = 0; j < 2; j++) {
                hd_context *c = j ? ctx : serial;
                CHECK_OK(c, hd_histogram(c, HD_VIEW(x, n), HD_VIEW(count[j], ranges[k].bins),
                                         &(hd_histogram_options){
                                             .even = true,
                                             .lower = ranges[k].lower,
                                             .upper = ranges[k].upper,
                                             .clamp = clamp,
                                             .outside = HD_REF(HD_VIEW(&outside[j], 1))}));
            }
            CHECK_SAME(HD_I64, count[1], count[0], ranges[k].bins, "edges of range %d on %s",
                       (int)k, backend);
            CHECK(outside[0] == outside[1], "outside of range %d on %s: %" PRId64, (int)k, backend,
                  outside[1]);
        }
    }
}

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {
        "histogram_threads=64", "histogram_threads=64 histogram_bytes=512",
        "histogram_threads=64 histogram_bytes=64 histogram_ranges=2"};
    static const int64_t sizes[] = {0, 1, 255, 2048, 3001};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int t = 0; t < 3; t++) {
        setenv("HEDDLE_TUNE", tunes[t], 1);
        ctx = check_open(which, 1, NULL);
        for (int k = 0; k < WAYS; k++)
            for (int s = 0; s < 5; s++)
                if (which == HD_CUDA || t == 0 || (ways[k].weights == HD_NONE && k % 4 == t))
                    ask(&ways[k], sizes[s], s % 2, s + k, &r);
        if (t == 0) test_inputs();
        test_edges();
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
