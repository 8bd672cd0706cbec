// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and blurs by the GPU's kernels, on the model machine and on a card where there is
// one, against the serial backend, bit for bit: types, borders, masks of every shape and larger
// than the image, anchors, channels, batches, pitches, addresses off by one element, separable
// masks that overflow, radii; views of the host and of the device. The memory around the output
// stays.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

typedef enum way { DIRECT, SEPARABLE, OVERFLOWS, GAUSSIAN, BOXES } way;

typedef struct row {
    hd_type in, out, mask;
    int64_t shape[3]; // batches (0: none), height (0: one dimension), width
    int64_t channels; // 0: none
    int64_t rows, columns;
    hd_border border;
    way way;
    int64_t pitch, skip; // elements behind each row, and before the first
    bool flip, anchored, planar;
    double sigma;
} row;

#include "convolve_rows.h"
enum { COUNT = sizeof rows / sizeof *rows };

// ---- Arrays -------------------------------------------------------------------------------------

typedef struct array {
    hd_view view;
    char *memory;
    int64_t elements;
    hd_type type;
} array;

// Of the shape of a row, with its gaps; channels lie together, or are planes.
static array make(const row *w, hd_type type, uint64_t seed)
{
    int64_t shape[4], stride[4], n = 0, step = 1;
    const int64_t c = w->channels > 0 ? w->channels : 1, width = w->shape[2] * (w->planar ? 1 : c);
    const int64_t pitch = width + w->pitch, height = w->shape[1] > 0 ? w->shape[1] : 1;
    const int64_t plane = pitch * height * (w->planar ? c : 1);
    if (w->shape[0] > 0) shape[n] = w->shape[0], stride[n++] = plane;
    if (w->shape[1] > 0) shape[n] = w->shape[1], stride[n++] = pitch;
    shape[n] = w->shape[2], stride[n++] = w->planar ? 1 : c;
    if (w->channels > 0) shape[n] = c, stride[n++] = w->planar ? pitch * height : 1;
    step = w->skip + plane * (w->shape[0] > 0 ? w->shape[0] : 1);
    array a = {.elements = step, .type = type};
    a.memory = check_memory((size_t)step * hd_type_size(type));
    check_fill(type, a.memory, step, CHECK_ORDINARY, seed);
    a.view = hd_view_nd(type, a.memory + w->skip * (int64_t)hd_type_size(type), (int32_t)n, shape,
                        stride);
    return a;
}

static hd_view on_device(const array *a, hd_view *memory)
{
    const int64_t bytes = a->elements * (int64_t)hd_type_size(a->type);
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, memory));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, a->memory, bytes), NULL, *memory, NULL));
    hd_view v = a->view;
    v.data = (char *)memory->data + ((char *)v.data - a->memory);
    v.space = HD_DEVICE;
    return v;
}

// ---- Masks --------------------------------------------------------------------------------------

static hd_view make_mask(const row *w, uint64_t *r, void *memory)
{
    const int64_t shape[] = {w->rows, w->columns}, n = w->rows * w->columns;
    check_fill(w->mask, memory, n, CHECK_ORDINARY, check_next(r));
    float *f = memory;
    double *d = memory;
    int32_t *i = memory;
    for (int64_t k = 0; k < n; k++) {
        const int64_t a = k / w->columns % 5 - 1, b = k % w->columns % 4 + 1;
        if (w->way == DIRECT && w->mask == HD_I32) i[k] %= 1000;
        if (w->way == DIRECT) continue;
        if (w->mask == HD_F32) f[k] = (float)(a * b);
        if (w->mask == HD_F64) d[k] = (double)(a * b);
        if (w->mask == HD_I32) i[k] = (int32_t)(a * b);
    }
    const bool line = w->shape[1] == 0;
    return hd_view_nd(w->mask, memory, line ? 1 : 2, line ? shape + 1 : shape, NULL);
}

static hd_status call(hd_context *c, const row *w, hd_view in, hd_view mask, hd_view out)
{
    const int32_t channels = w->channels > 0 ? HD_CHANNELS_LAST : HD_CHANNELS_NONE;
    const bool constant = w->border == HD_BORDER_CONSTANT;
    const int64_t anchor[] = {w->shape[1] == 0 ? w->columns - 1 : w->rows - 1, 0};
    if (w->way >= GAUSSIAN)
        return hd_blur(
            c, in, w->sigma, out,
            &(hd_blur_options){.border = (int32_t)w->border,
                               .channels = channels,
                               .constant = constant ? 77 : 0,
                               .method = w->way == BOXES ? HD_BLUR_BOX : HD_BLUR_GAUSSIAN});
    return hd_convolve(c, in, mask, out,
                       &(hd_convolve_options){.border = (int32_t)w->border,
                                              .channels = channels,
                                              .flip = w->flip,
                                              .constant = constant ? 7.5 : 0,
                                              .anchor = w->anchored ? anchor : NULL});
}

// Elements near the greatest, so that the passes of a separable mask overflow here and there.
static void enlarge(const array *a)
{
    float *f = (float *)(void *)a->memory;
    double *d = (double *)(void *)a->memory;
    for (int64_t k = 0; k < a->elements; k++) {
        if (a->type == HD_F32) f[k] = k % 97 < 3 ? 1.5e38f : f[k];
        if (a->type == HD_F32 && k % 501 == 7) f[k] = INFINITY;
        if (a->type == HD_F64) d[k] = k % 97 < 3 ? 8e307 : d[k];
    }
}

static void ask(int j, bool device, uint64_t *r)
{
    const row *w = &rows[j];
    array in = make(w, w->in, check_next(r)), want = make(w, w->out, j + 1), got;
    got = make(w, w->out, j + 1);
    if (w->way == OVERFLOWS) enlarge(&in);
    void *memory = check_memory((size_t)(w->rows * w->columns + 1) * 8);
    const hd_view mask = w->way < GAUSSIAN ? make_mask(w, r, memory) : HD_EMPTY;
    CHECK_OK(serial, call(serial, w, in.view, mask, want.view));
    if (device) {
        hd_view from, to;
        const hd_view a = on_device(&in, &from), b = on_device(&got, &to);
        CHECK_OK(ctx, call(ctx, w, a, mask, b));
        CHECK_OK(ctx, hd_map(ctx, to, NULL, HD_VIEW_OF(HD_U8, got.memory, hd_count(to)), NULL));
        CHECK_OK(ctx, hd_free(ctx, &from));
        CHECK_OK(ctx, hd_free(ctx, &to));
    } else {
        CHECK_OK(ctx, call(ctx, w, in.view, mask, got.view));
    }
    CHECK_SAME(w->out, got.memory, want.memory, got.elements,
               "row %d: %s to %s, mask %" PRId64 " x %" PRId64 ", border %d, %s", j,
               hd_type_name(w->in), hd_type_name(w->out), w->rows, w->columns, (int)w->border,
               backend);
    free(in.memory), free(want.memory), free(got.memory), free(memory);
}

static void test_refusals(void)
{
    float x[9] = {0}, y[9];
    int64_t three = 3;
    hd_view mask;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_F32, 1, &three, &mask));
    CHECK(hd_convolve(ctx, HD_VIEW(x, 9), mask, HD_VIEW(y, 9), NULL) == HD_ERROR_ARGUMENT,
          "a mask on the device, %s", backend);
    CHECK_OK(ctx, hd_free(ctx, &mask));
}

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {
        "convolve_threads=64 convolve_large_threads=64 separable_threads=64 "
        "separable_byte_threads=64",
        "convolve_threads=128 convolve_large_threads=128 convolve_rows=2 convolve_large_rows=1 "
        "separable_threads=128 separable_byte_threads=32 "
        "separable_rows=4 separable_along=5 separable_waves=1",
        "convolve_threads=32 convolve_large_threads=32 convolve_groups=2 convolve_large=1 "
        "convolve_large_groups=1 "
        "separable_threads=32 separable_rows=8 separable_share=1"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int k = 0; k < 3; k++) {
        setenv("HEDDLE_TUNE", tunes[k], 1);
        ctx = check_open(which, 1, NULL);
        for (int j = 0; j < COUNT; j++)
            if (k == 0 || j % 6 == k) ask(j, j % 2 == 0, &r);
        if (k == 0) test_refusals();
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
