// SPDX-License-Identifier: Apache-2.0
//
// Histograms of rows and segments by the GPU's kernels, on the model machine and on a card where
// there is one, against the serial backend, bit for bit: rules, two axes, weights of integers and
// of floats, added to what is there, along every axis, views with gaps, segments of any length with
// elements in front of and behind them, offsets that fall, arrays of the device.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_FUNCTION(halved, float, HD_NO_SOURCE, (int32_t, x), { return x * 0.5f; })

enum { MOST = 6000, MOST_OUT = 40000 };

static hd_context *ctx, *serial;
static const char *backend;

typedef struct way {
    hd_type type, out, weights;
    int64_t bins, columns; // columns: of a second axis
    bool even, edges, map, add, clamp, exact;
} way;

static const way ways[] = {
    {HD_U8, HD_I64, 0, 200, 0, false, false, false, false, false, false},
    {HD_I32, HD_U32, 0, 30, 0, false, false, false, true, true, false},
    {HD_I32, HD_I64, 0, 7, 5, false, false, false, true, false, false},
    {HD_F32, HD_I32, 0, 50, 0, true, false, false, false, false, false},
    {HD_F32, HD_I64, 0, 9, 0, false, true, false, false, false, false},
    {HD_I32, HD_I64, 0, 20, 0, true, false, true, false, true, false},
    {HD_U8, HD_I64, HD_I32, 20, 0, false, false, false, true, false, false},
    {HD_I32, HD_F32, HD_F32, 11, 0, false, false, false, false, false, false},
    {HD_I32, HD_F64, HD_F32, 4, 3, false, false, false, true, false, false},
    {HD_I32, HD_F32, HD_F32, 11, 0, false, false, false, false, false, true},
    {HD_I32, HD_F64, HD_F32, 4, 3, false, false, false, true, false, true},
};
enum { WAYS = sizeof ways / sizeof *ways };

static unsigned char in[4 * MOST], second[4 * MOST], weights[4 * MOST];
static unsigned char before[8 * MOST_OUT], want[8 * MOST_OUT], got[8 * MOST_OUT];
static int64_t outside[2][MOST];

static void fill(hd_type type, void *to, int64_t bins, uint64_t *r)
{
    for (int64_t k = 0; k < MOST; k++) {
        const int64_t v = check_below(r, 30) ? check_below(r, bins + 2) - 1 : check_below(r, 1000);
        if (type == HD_U8)
            ((uint8_t *)to)[k] = (uint8_t)v;
        else if (type == HD_I32)
            ((int32_t *)to)[k] = (int32_t)v;
        else
            ((float *)to)[k] = (float)v + (float)check_below(r, 8) / 8;
    }
}

// Every other element along the last axis, the other way round along the one before.
static hd_view with_gaps(hd_type type, void *data, int32_t ndim, const int64_t *shape)
{
    int64_t stride[HD_MAX_DIMS], at = 0, step = 2;
    for (int k = ndim - 1; k >= 0; step *= shape[k], k--) {
        stride[k] = k == ndim - 2 ? -step : step;
        if (k == ndim - 2) at = step * (shape[k] - 1);
    }
    return hd_view_nd(type, (char *)data + at * (int64_t)hd_type_size(type), ndim, shape, stride);
}

typedef struct side {
    hd_view in, second, weights, out, outside;
} side;

static hd_status call(hd_context *c, const way *w, const side *s, int32_t axis, hd_view offsets)
{
    static const float bounds[] = {0, 1, 1.5, 2, 4, 4, 6, 7, 7.25, 9};
    const hd_view edges = HD_VIEW(bounds, 10);
    const hd_histogram_options o = {.even = w->even,
                                    .upper = w->even ? (double)w->bins : 0,
                                    .edges = w->edges ? &edges : NULL,
                                    .map = w->map ? halved : NULL,
                                    .add = w->add,
                                    .clamp = w->clamp,
                                    .second = w->columns > 0 ? &s->second : NULL,
                                    .weights = w->weights ? &s->weights : NULL,
                                    .axis = axis,
                                    .segments = axis == 0 ? &offsets : NULL,
                                    .sum = w->exact ? HD_SUM_EXACT : NULL,
                                    .outside = &s->outside};
    return hd_histogram(c, s->in, s->out, &o);
}

static hd_view send(hd_view v, hd_view *memory)
{
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, v.ndim, v.shape, memory));
    CHECK_OK(ctx, hd_map(ctx, v, NULL, *memory, NULL));
    return *memory;
}

// One question on the serial backend and on this one; with inputs of the device, too.
static void ask(const way *w, int32_t ndim, const int64_t *shape, int32_t axis, hd_view offsets,
                int64_t slices, bool gaps)
{
    int64_t out_shape[5];
    int32_t dims = 0;
    for (int k = 0; axis != 0 && k < ndim; k++)
        if (HD_AXIS(k) != axis) out_shape[dims++] = shape[k];
    if (axis == 0) out_shape[dims++] = slices;
    out_shape[dims++] = w->bins;
    if (w->columns > 0) out_shape[dims++] = w->columns;
    const side s = {gaps ? with_gaps(w->type, in, ndim, shape)
                         : hd_view_nd(w->type, in, ndim, shape, NULL),
                    hd_view_nd(HD_I32, second, ndim, shape, NULL),
                    hd_view_nd(w->weights ? w->weights : HD_I32, weights, ndim, shape, NULL),
                    gaps ? with_gaps(w->out, want, dims, out_shape)
                         : hd_view_nd(w->out, want, dims, out_shape, NULL),
                    HD_VIEW(outside[0], slices)};
    memcpy(want, before, sizeof want);
    const hd_status status = call(serial, w, &s, axis, offsets);
    for (int there = 0; there < 2; there++) {
        side t = s;
        hd_view memory[4] = {HD_EMPTY, HD_EMPTY, HD_EMPTY, HD_EMPTY}, bounds = offsets;
        memcpy(got, before, sizeof got);
        memset(outside[1], 0xee, sizeof outside[1]);
        t.out.data = (unsigned char *)s.out.data - want + got;
        t.outside.data = outside[1];
        if (there) {
            t.in = send(s.in, &memory[0]);
            t.second = send(s.second, &memory[1]);
            t.weights = send(s.weights, &memory[2]);
            if (axis == 0) bounds = send(offsets, &memory[3]);
        }
        const hd_status here = call(ctx, w, &t, axis, bounds);
        CHECK(here == status, "way %d on %s: %s; serial: %s", (int)(w - ways), backend,
              hd_error(ctx), hd_error(serial));
        if (status == HD_OK) {
            CHECK(memcmp(got, want, sizeof got) == 0,
                  "way %d on %s: axis %d, %" PRId64 " slices, gaps %d, there %d", (int)(w - ways),
                  backend, (int)axis, slices, gaps, there);
            CHECK_SAME(HD_I64, outside[1], outside[0], slices, "outside, way %d on %s",
                       (int)(w - ways), backend);
        }
        for (int k = 0; k < 3 + (axis == 0); k++)
            if (there) CHECK_OK(ctx, hd_free(ctx, &memory[k]));
    }
}

static void test_rows(const way *w, uint64_t *r)
{
    static const int64_t shapes[][3] = {{3, 5, 70}, {1, 64, 7}, {9, 1, 33}, {4, 0, 6}, {2, 3, 0}};
    for (int k = 0; k < 5; k++)
        for (int32_t axis = 0; axis < 3; axis++) {
            const int64_t n = shapes[k][0] * shapes[k][1] * shapes[k][2];
            const int64_t slices = (axis == 0 ? 1 : shapes[k][0]) * (axis == 1 ? 1 : shapes[k][1]) *
                                   (axis == 2 ? 1 : shapes[k][2]);
            if (slices * w->bins * 2 * (w->columns > 0 ? w->columns : 1) > MOST_OUT) continue;
            ask(w, 3, shapes[k], HD_AXIS(axis), HD_EMPTY, slices,
                n > 0 && slices > 0 && check_below(r, 2));
        }
}

static void test_segments(const way *w, uint64_t *r)
{
    int64_t offsets[41] = {check_below(r, 3)};
    const int64_t n = 2000;
    for (int64_t m = 1; m <= 40; m += 13) {
        for (int64_t j = 1; j <= m; j++) {
            offsets[j] = offsets[j - 1] + (check_below(r, 3) ? check_below(r, 80) : 0);
            if (offsets[j] > n) offsets[j] = n;
        }
        ask(w, 1, &n, 0, HD_VIEW(offsets, m + 1), m, false);
    }
    offsets[3] = offsets[2] - 1;
    ask(w, 1, &n, 0, HD_VIEW(offsets, 5), 4, false);
    offsets[3] = n + 1;
    ask(w, 1, &n, 0, HD_VIEW(offsets, 4), 3, false);
    ask(w, 1, &n, 0, HD_VIEW(offsets, 1), 0, false);
}

static void test_backend(hd_backend which)
{
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    ctx = check_open(which, 1, NULL);
    for (int64_t k = 0; k < (int64_t)sizeof before; k++) before[k] = (unsigned char)(k % 3);
    for (int k = 0; k < WAYS; k++) {
        fill(ways[k].type, in, ways[k].bins, &r);
        fill(HD_I32, second, ways[k].columns, &r);
        fill(ways[k].weights ? ways[k].weights : HD_I32, weights, 100, &r);
        test_rows(&ways[k], &r);
        test_segments(&ways[k], &r);
    }
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
