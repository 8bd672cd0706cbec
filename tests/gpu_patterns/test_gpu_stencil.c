// SPDX-License-Identifier: Apache-2.0
//
// Stencils by the GPU's kernels, on the model machine and on a card where there is one, against the
// serial backend, bit for bit: one to three dimensions, stars, boxes and offsets that are far,
// every border, kept ones too, types, channels, batches, pitches, several steps, functions; views
// of the host and of the device. The memory around the output stays.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_FUNCTION(median, float, HD_NO_SOURCE, (float, a, float, b, float, c), {
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
})
HD_FUNCTION(grows, bool, HD_NO_SOURCE, (int32_t, a, int32_t, b, int32_t, c),
            { return a < b && b < c; })
HD_FUNCTION(any_of, bool, HD_NO_SOURCE, (bool, a, bool, b, bool, c), { return a || b || c; })

typedef enum kind { STAR, STAR_8, BOX, FAR, ASKEW, FUNCTION } kind;

typedef struct row {
    hd_type in, out, weights;
    int64_t batches, shape[3]; // 0: not there; z, y, x
    int64_t channels;
    kind kind;
    hd_border border;
    int64_t steps, pitch;
} row;

static const row rows[] = {
    {HD_F32, HD_F32, HD_F64, 0, {9, 13, 40}, 0, STAR, HD_BORDER_KEEP, 1, 0},
    {HD_F32, HD_F32, HD_F64, 0, {20, 7, 70}, 0, STAR, HD_BORDER_ZERO, 3, 1},
    {HD_F32, HD_F32, HD_F64, 2, {5, 20, 33}, 0, STAR, HD_BORDER_WRAP, 2, 0},
    {HD_F32, HD_F32, HD_F64, 0, {12, 11, 30}, 0, STAR_8, HD_BORDER_REFLECT, 1, 0},
    {HD_F32, HD_F32, HD_F32, 0, {1, 1, 1}, 0, STAR, HD_BORDER_REFLECT, 2, 0},
    {HD_F64, HD_F64, HD_F64, 0, {6, 12, 21}, 0, STAR, HD_BORDER_SYMMETRIC, 2, 0},
    {HD_F32, HD_F32, HD_F32, 0, {5, 9, 21}, 0, BOX, HD_BORDER_CONSTANT, 1, 0},
    {HD_F32, HD_F32, HD_F32, 0, {5, 9, 21}, 3, BOX, HD_BORDER_REPLICATE, 2, 0},
    {HD_F32, HD_F32, HD_F32, 0, {0, 40, 70}, 0, BOX, HD_BORDER_KEEP, 3, 2},
    {HD_F32, HD_F32, HD_F64, 0, {0, 40, 70}, 4, STAR, HD_BORDER_KEEP, 1, 0},
    {HD_F32, HD_F32, HD_F64, 3, {0, 0, 1000}, 0, STAR, HD_BORDER_KEEP, 4, 0},
    {HD_F32, HD_F32, HD_F32, 0, {0, 0, 3001}, 0, ASKEW, HD_BORDER_WRAP, 2, 0},
    {HD_F32, HD_F32, HD_F32, 0, {7, 8, 21}, 0, ASKEW, HD_BORDER_REFLECT, 1, 0},
    {HD_F32, HD_F32, HD_F32, 0, {7, 8, 21}, 0, FAR, HD_BORDER_WRAP, 2, 0},
    {HD_F32, HD_F32, HD_F32, 0, {0, 60, 70}, 2, FAR, HD_BORDER_KEEP, 1, 1},
    {HD_U8, HD_U8, HD_F32, 0, {0, 20, 33}, 3, BOX, HD_BORDER_REFLECT, 2, 0},
    {HD_I32, HD_I32, HD_I32, 0, {4, 10, 33}, 0, STAR, HD_BORDER_KEEP, 2, 0},
    {HD_U8, HD_I16, HD_I32, 0, {4, 10, 33}, 0, STAR, HD_BORDER_CONSTANT, 1, 0},
    {HD_F16, HD_F16, HD_F32, 0, {4, 10, 33}, 0, STAR, HD_BORDER_KEEP, 1, 0},
    {HD_U16, HD_F32, HD_F64, 0, {4, 10, 33}, 0, STAR, HD_BORDER_WRAP, 1, 0},
    {HD_F32, HD_F32, HD_F32, 0, {0, 20, 33}, 0, FUNCTION, HD_BORDER_REFLECT, 3, 1},
    {HD_F32, HD_F32, HD_F32, 0, {0, 0, 500}, 2, FUNCTION, HD_BORDER_KEEP, 1, 0},
    {HD_I32, HD_BOOL, HD_F32, 0, {5, 6, 33}, 0, FUNCTION, HD_BORDER_CONSTANT, 1, 0},
    {HD_BOOL, HD_BOOL, HD_F32, 0, {0, 20, 33}, 0, FUNCTION, HD_BORDER_ZERO, 2, 0},
};
enum { COUNT = sizeof rows / sizeof *rows };

// ---- Arrays -------------------------------------------------------------------------------------

typedef struct array {
    hd_view view;
    char *memory;
    int64_t elements;
} array;

static array make(const row *w, hd_type type, uint64_t seed)
{
    int64_t shape[5], stride[5], step;
    int n = 0;
    if (w->batches > 0) shape[n++] = w->batches;
    for (int k = 0; k < 3; k++)
        if (w->shape[k] > 0) shape[n++] = w->shape[k];
    const int last = n - 1;
    if (w->channels > 0) shape[n++] = w->channels;
    step = 1;
    for (int k = n - 1; k >= 0; k--) {
        stride[k] = step;
        step *= shape[k];
        if (k == last) step += w->pitch;
    }
    array a = {.elements = step, .memory = check_memory((size_t)step * hd_type_size(type))};
    check_fill(type, a.memory, step, CHECK_ORDINARY, seed);
    a.view = hd_view_nd(type, a.memory, n, shape, stride);
    return a;
}

// ---- Neighbours ---------------------------------------------------------------------------------

typedef struct neighbours {
    int64_t offset[32 * 3];
    double weight[32];
    float narrow[32];
    int32_t whole[32];
    int64_t count;
} neighbours;

static int axes_of(const row *w)
{
    return w->shape[0] > 0 ? 3 : w->shape[1] > 0 ? 2 : 1;
}

static void fill(const row *w, neighbours *n, uint64_t *r)
{
    const int axes = axes_of(w);
    n->count = w->kind == STAR     ? hd_laplacian(axes, 2, 1.0, n->offset, n->weight)
               : w->kind == STAR_8 ? hd_laplacian(axes, 8, 1.0, n->offset, n->weight)
               : w->kind == FAR    ? 4
                                   : 3;
    for (int k = 0; k < n->count * axes; k++) {
        if (w->kind == FAR) n->offset[k] = (int64_t)check_below(r, 81) - 40;
        if (w->kind >= ASKEW) n->offset[k] = (int64_t)check_below(r, 5) - 1;
    }
    if (w->kind == BOX) n->count = axes == 3 ? 27 : axes == 2 ? 9 : 3;
    for (int k = 0; k < n->count; k++) {
        if (w->kind > STAR_8) n->weight[k] = (double)check_below(r, 1000) / 999 - 0.25;
        n->narrow[k] = (float)n->weight[k];
        n->whole[k] = (int32_t)(n->weight[k] * 9);
    }
}

static hd_status call(hd_context *c, const row *w, const neighbours *n, hd_view in, hd_view out)
{
    const int axes = axes_of(w);
    const int64_t three[] = {3, 3, 3}, shape[] = {n->count, axes};
    const hd_function *const f = w->in == HD_F32 ? median : w->in == HD_I32 ? grows : any_of;
    const void *at = w->weights == HD_F64   ? (const void *)n->weight
                     : w->weights == HD_F32 ? (const void *)n->narrow
                                            : n->whole;
    const hd_view offsets =
        w->kind == BOX ? HD_EMPTY : hd_view_nd(HD_I64, n->offset, 2, shape, NULL);
    const hd_view weights = w->kind == FUNCTION ? HD_EMPTY
                            : w->kind == BOX    ? hd_view_nd(w->weights, at, axes, three, NULL)
                                                : hd_view_of(w->weights, at, n->count);
    return hd_stencil(
        c, in, offsets, weights, out,
        &(hd_stencil_options){.function = w->kind == FUNCTION ? f : NULL,
                              .border = (int32_t)w->border,
                              .channels = w->channels > 0 ? HD_CHANNELS_LAST : HD_CHANNELS_NONE,
                              .constant = w->border != HD_BORDER_CONSTANT ? 0
                                          : w->in == HD_BOOL              ? 1
                                                                          : 7,
                              .iterations = w->steps});
}

static hd_view on_device(const array *a, hd_type type, hd_view *memory)
{
    const int64_t bytes = a->elements * (int64_t)hd_type_size(type);
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, memory));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, a->memory, bytes), NULL, *memory, NULL));
    hd_view v = a->view;
    v.data = memory->data;
    v.space = HD_DEVICE;
    return v;
}

static void ask(int j, bool device, uint64_t *r)
{
    const row *w = &rows[j];
    neighbours n = {0};
    array in = make(w, w->in, check_next(r)), want = make(w, w->out, j + 1),
          got = make(w, w->out, j + 1);
    fill(w, &n, r);
    CHECK_OK(serial, call(serial, w, &n, in.view, want.view));
    if (device) {
        hd_view from, to;
        const hd_view a = on_device(&in, w->in, &from), b = on_device(&got, w->out, &to);
        CHECK_OK(ctx, call(ctx, w, &n, a, b));
        CHECK_OK(ctx, hd_map(ctx, to, NULL, HD_VIEW_OF(HD_U8, got.memory, hd_count(to)), NULL));
        CHECK_OK(ctx, hd_free(ctx, &from));
        CHECK_OK(ctx, hd_free(ctx, &to));
    } else {
        CHECK_OK(ctx, call(ctx, w, &n, in.view, got.view));
    }
    CHECK_SAME(w->out, got.memory, want.memory, got.elements, "row %d: %s, border %d, %s", j,
               hd_type_name(w->in), (int)w->border, backend);
    free(in.memory), free(want.memory), free(got.memory);
}

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {"stencil_threads=64",
                                        "stencil_threads=128 stencil_rows=1 stencil_waves=2",
                                        "stencil_threads=32 stencil_rows=2 stencil_blocks=1"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int k = 0; k < 3; k++) {
        setenv("HEDDLE_TUNE", tunes[k], 1);
        ctx = check_open(which, 1, NULL);
        for (int j = 0; j < COUNT; j++)
            if (k == 0 || j % 6 == k) ask(j, j % 2 == 0, &r);
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
