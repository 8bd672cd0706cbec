// SPDX-License-Identifier: Apache-2.0
//
// Differences by the GPU's kernel, on the model machine and on a card where there is one, against
// the serial backend, bit for bit: types, sizes around tiles, axes, gaps, in place, an element
// before the first, functions; views of the host and of the device.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_SOURCE(
    two_source, typedef struct two { float x, y; } two;)
HD_FUNCTION(mean_of, double, HD_NO_SOURCE, (double, now, double, before),
            { return (now + before) / 2; })
HD_FUNCTION(changes, bool, HD_NO_SOURCE, (int32_t, now, int32_t, before), { return now != before; })
HD_FUNCTION(differs, bool, HD_NO_SOURCE, (bool, now, bool, before), { return now != before; })
HD_FUNCTION(steps, two, two_source, (two, now, two, before), {
    two r = {now.x - before.x, now.y - before.y};
    return r;
})

typedef struct row {
    hd_type type;
    int32_t ndim;
    int64_t shape[3];
    int32_t axis; // -1: all of it
    int64_t gap;  // elements behind each row
    bool in_place, before;
} row;

static const row rows[] = {
    {HD_F32, 1, {0}, -1, 0, false, false},       {HD_F32, 1, {1}, -1, 0, false, false},
    {HD_F32, 1, {1}, -1, 0, false, true},        {HD_F32, 1, {12345}, -1, 0, false, false},
    {HD_F32, 1, {8192}, -1, 0, false, true},     {HD_F64, 1, {4099}, -1, 1, false, false},
    {HD_I8, 1, {16385}, -1, 0, false, true},     {HD_U8, 1, {300}, -1, 0, false, false},
    {HD_I16, 1, {9001}, -1, 0, false, false},    {HD_U16, 1, {33}, -1, 0, false, true},
    {HD_I32, 1, {4097}, -1, 0, true, false},     {HD_U32, 1, {777}, -1, 2, true, true},
    {HD_I64, 1, {2049}, -1, 0, false, false},    {HD_U64, 1, {3000}, -1, 0, true, false},
    {HD_F16, 1, {9000}, -1, 0, false, false},    {HD_BF16, 1, {2500}, -1, 0, false, true},
    {HD_F32, 2, {37, 131}, 1, 0, false, false},  {HD_F32, 2, {37, 131}, 0, 0, false, true},
    {HD_I32, 2, {64, 64}, -1, 3, false, false},  {HD_I32, 2, {65, 33}, 1, 3, true, true},
    {HD_U8, 3, {11, 13, 67}, 1, 0, false, true}, {HD_U8, 3, {11, 13, 67}, 0, 5, true, false},
    {HD_F64, 3, {7, 1, 300}, 1, 0, false, true}, {HD_I16, 3, {5, 40, 21}, 2, 1, false, false},
};
enum { COUNT = sizeof rows / sizeof *rows };

static int64_t reach_of(const row *w, int64_t *stride)
{
    int64_t step = 1;
    for (int k = w->ndim - 1; k >= 0; k--) {
        stride[k] = step;
        step *= w->shape[k] + (k == w->ndim - 1 ? w->gap : 0);
        if (w->ndim == 1 && w->gap > 0) stride[k] = 1 + w->gap;
    }
    return w->ndim == 1 ? w->shape[0] * (1 + w->gap) : step;
}

static void ask(const row *w, bool on_device, uint64_t *r)
{
    int64_t stride[3];
    const int64_t reach = reach_of(w, stride), bytes = reach * (int64_t)hd_type_size(w->type) + 1;
    char *x = check_memory((size_t)bytes), *want = check_memory((size_t)bytes),
         *got = check_memory((size_t)bytes);
    _Alignas(8) unsigned char before[8];
    check_fill(w->type, x, reach, CHECK_ORDINARY, check_next(r));
    check_fill(w->type, before, 1, CHECK_ORDINARY, check_next(r));
    memset(want, 3, (size_t)bytes);
    if (w->in_place) memcpy(want, x, (size_t)bytes);
    memcpy(got, want, (size_t)bytes);
    const hd_difference_options o = {.axis = w->axis >= 0 ? HD_AXIS(w->axis) : 0,
                                     .before = w->before ? before : NULL};
    hd_view in = hd_view_nd(w->type, x, w->ndim, w->shape, stride), out = in;
    out.data = want;
    CHECK_OK(serial, hd_difference(serial, w->in_place ? out : in, out, &o));
    out.data = got;
    hd_view from = HD_EMPTY, to = HD_EMPTY;
    if (on_device) {
        CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, &from));
        CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, &to));
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, x, bytes), NULL, from, NULL));
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, got, bytes), NULL, to, NULL));
        in.data = from.data, out.data = to.data;
        in.space = out.space = HD_DEVICE;
    }
    CHECK_OK(ctx, hd_difference(ctx, w->in_place ? out : in, out, &o));
    if (on_device) {
        CHECK_OK(ctx, hd_map(ctx, to, NULL, HD_VIEW_OF(HD_U8, got, bytes), NULL));
        CHECK_OK(ctx, hd_free(ctx, &from));
        CHECK_OK(ctx, hd_free(ctx, &to));
    }
    CHECK_SAME(w->type, got, want, reach, "row %d, %s, %s", (int)(w - rows), hd_type_name(w->type),
               backend);
    free(x), free(want), free(got);
}

static void test_functions(void)
{
    enum { N = 5003 };
    static int32_t x[N];
    static bool heads[2][N], flags[N];
    static double y[N], means[2][N];
    static two points[N], moved[2][N];
    hd_context *const both[] = {serial, ctx};
    for (int i = 0; i < N; i++) {
        x[i] = i / 3, y[i] = i * i % 1000, flags[i] = i % 7 < 3;
        points[i] = (two){(float)(i * i % 100), (float)i};
    }
    for (int k = 0; k < 2; k++) {
        CHECK_OK(both[k], hd_difference(both[k], HD_VIEW(x, N), HD_VIEW(heads[k], N),
                                        &(hd_difference_options){.function = changes,
                                                                 .before = &(int32_t){-1}}));
        CHECK_OK(both[k], hd_difference(both[k], HD_VIEW(y, N), HD_VIEW(means[k], N),
                                        &(hd_difference_options){.function = mean_of}));
        CHECK_OK(both[k], hd_difference(both[k], HD_VIEW_OF(HD_TYPE(two), points, N),
                                        HD_VIEW_OF(HD_TYPE(two), moved[k], N),
                                        &(hd_difference_options){.function = steps}));
    }
    CHECK_SAME(HD_U8, heads[1], heads[0], N, "changes, %s", backend);
    CHECK_SAME(HD_F64, means[1], means[0], N, "means, %s", backend);
    CHECK_SAME(HD_F32, moved[1], moved[0], 2 * N, "structures, %s", backend);
    for (int k = 0; k < 2; k++)
        CHECK_OK(both[k], hd_difference(both[k], HD_VIEW(flags, N), HD_VIEW(heads[k], N),
                                        &(hd_difference_options){.function = differs}));
    CHECK_SAME(HD_U8, heads[1], heads[0], N, "of bools, %s", backend);
    int64_t z[4];
    CHECK_OK(ctx, hd_difference(ctx, hd_progression(7, 3, 4), HD_VIEW(z, 4), NULL));
    CHECK(z[0] == 7 && z[1] == 3 && z[3] == 3, "a progression, %s", backend);
}

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {"map_threads=128", "map_threads=32 map_rows=2"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int k = 0; k < 2; k++) {
        setenv("HEDDLE_TUNE", tunes[k], 1);
        ctx = check_open(which, 1, NULL);
        for (int j = 0; j < COUNT; j++)
            if (k == 0 || j % 4 == 3) ask(&rows[j], j % 2 == k, &r);
        if (k == 0) test_functions();
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
