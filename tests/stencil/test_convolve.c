// SPDX-License-Identifier: Apache-2.0
//
// Convolution: every backend, thread count and instruction set, types, borders, masks (odd, even,
// larger than the image, separable ones), anchors, channels, batches and layouts, against
// neighbours.h. Also the lecture's 7 x 7 example, properties, and every error.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/neighbours.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    hd_type type, mask_type, out_type;
    int32_t mask_axes;
    int64_t rows, columns; // of the mask
    near_grid grid;        // z is 1
    bool channels, separable, flip, own_anchor, dense;
    int64_t anchor[2];
} question;

// ---- The answer ------------------------------------------------------------------------------

static void list(int64_t rows, int64_t columns, int64_t ay, int64_t ax, int64_t (*to)[3])
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++, to++)
            (*to)[0] = 0, (*to)[1] = i - ay, (*to)[2] = j - ax;
}

// The mask is column * row; out gets the sums, not yet rounded to out's type.
static void answer(const question *q, const double *in, const double *mask, const double *column,
                   const double *row, double *out)
{
    const near_sum sum = near_sum_of(q->type, q->mask_type, q->out_type);
    const int64_t n = near_count(&q->grid), elements = q->rows * q->columns;
    const int64_t ay = q->own_anchor && q->mask_axes == 2 ? q->anchor[0] : q->rows / 2;
    const int64_t ax = q->own_anchor ? q->anchor[q->mask_axes - 1] : q->columns / 2;
    int64_t(*offset)[3] = check_memory((size_t)elements * sizeof *offset);
    if (!q->separable) {
        list(q->rows, q->columns, ay, ax, offset);
        near_weighted(&q->grid, sum, in, elements, (const int64_t(*)[3])offset, mask, out);
    } else {
        double *between = check_memory((size_t)n * sizeof *between);
        near_grid sides = q->grid;
        list(q->rows, 1, ay, 0, offset);
        near_weighted(&q->grid, sum, in, q->rows, (const int64_t(*)[3])offset, column, between);
        const near_grid lonely = {1, {1, 1, 1, 1}, HD_BORDER_CONSTANT, q->grid.beyond};
        near_weighted(&lonely, sum, &q->grid.beyond, q->rows, (const int64_t(*)[3])offset, column,
                      &sides.beyond);
        list(1, q->columns, 0, ax, offset);
        near_weighted(&sides, sum, between, q->columns, (const int64_t(*)[3])offset, row, out);
        free(between);
    }
    free(offset);
}

// ---- Asking ----------------------------------------------------------------------------------

static void fill_mask(const question *q, uint64_t *state, double *mask, double *column, double *row)
{
    const bool whole = !check_is_float(q->mask_type);
    const int64_t elements = q->rows * q->columns;
    const bool positive = whole && !check_is_signed(q->mask_type);
    for (int64_t i = 0; i < q->rows; i++)
        column[i] = (double)(check_below(state, 6) + 1) * (whole ? 1 : 0.125);
    for (int64_t j = 0; j < q->columns; j++)
        row[j] = (double)(check_below(state, 9) - (positive ? 0 : 4));
    row[0] = 1; // so that the elements of the row have no common divisor
    for (int64_t i = 0; i < elements; i++)
        mask[i] = q->separable ? column[i / q->columns] * row[i % q->columns]
                  : whole      ? (double)(check_below(state, 15) - (positive ? 0 : 7))
                               : (double)(check_below(state, 2001) - 1000) / 3000.0;
    if (!q->separable && elements > 1) mask[0] = 0, mask[1] = 1;
}

static int32_t shape_of(const question *q, int64_t shape[4])
{
    int32_t axes = 0;
    if (q->grid.batches > 1) shape[axes++] = q->grid.batches;
    if (q->mask_axes == 2) shape[axes++] = q->grid.n[1];
    shape[axes++] = q->grid.n[2];
    if (q->channels) shape[axes++] = q->grid.n[3];
    return axes;
}

static void ask(const question *q, const check_target *target, check_array *in, check_array *out,
                hd_view mask, const void *want)
{
    const int64_t n = near_count(&q->grid);
    void *got = check_memory((size_t)n * 8);
    const hd_convolve_options options = {
        .border = q->grid.border,
        .method = q->separable ? HD_CONVOLVE_AUTO : HD_CONVOLVE_DIRECT,
        .channels = q->channels ? HD_CHANNELS_LAST : HD_CHANNELS_NONE,
        .flip = q->flip,
        .constant = q->grid.beyond,
        .anchor = q->own_anchor ? q->anchor : NULL};
    CHECK_OK(target->ctx, hd_convolve(target->ctx, in->view, mask, out->view, &options));
    check_get(out, got);
    CHECK_SAME(q->out_type, got, want, n,
               "%s by %" PRId64 " x %" PRId64 " %s to %s, %" PRId64 " of %" PRId64 " x %" PRId64
               " x %" PRId64 ", border %s%s%s on %s",
               hd_type_name(q->type), q->rows, q->columns, hd_type_name(q->mask_type),
               hd_type_name(q->out_type), q->grid.batches, q->grid.n[1], q->grid.n[2], q->grid.n[3],
               near_border_name(q->grid.border), q->separable ? ", separable" : "",
               q->flip ? ", turned" : "", target->name);
    CHECK(check_gaps(out), "wrote between elements on %s", target->name);
    free(got);
}

static void try(question q, uint64_t seed, int one_target)
{
    uint64_t state = seed;
    const int64_t n = near_count(&q.grid), elements = q.rows * q.columns;
    double *values = check_memory((size_t)n * 8), *sums = check_memory((size_t)n * 8);
    double *mask = check_memory((size_t)elements * 8),
           *factors = check_memory((size_t)(elements + 1) * 16);
    void *x = check_memory((size_t)n * 8), *want = check_memory((size_t)n * 8);
    void *m = check_memory((size_t)elements * 8), *turned = check_memory((size_t)elements * 8);
    check_fill(q.type, x, n, CHECK_ORDINARY, seed);
    near_load_all(q.type, x, values, n);
    fill_mask(&q, &state, mask, factors, factors + q.rows);
    near_store_all(q.mask_type, m, mask, elements);
    near_load_all(q.mask_type, m, mask, elements);
    if (near_sum_of(q.type, q.mask_type, q.out_type) == NEAR_F32)
        for (int64_t i = 0; i < elements; i++) mask[i] = (double)(float)mask[i];
    answer(&q, values, mask, factors, factors + q.rows, sums);
    near_store_all(q.out_type, want, sums, n);
    const size_t size = hd_type_size(q.mask_type);
    for (int64_t i = 0; i < elements; i++)
        memcpy((char *)turned + (size_t)i * size, (char *)m + (size_t)(elements - 1 - i) * size,
               size);
    const hd_view mask_view = hd_view_nd(q.mask_type, q.flip ? turned : m, q.mask_axes,
                                         &(int64_t[]){q.rows, q.columns}[2 - q.mask_axes], NULL);
    int64_t shape[4], stride[4];
    const int32_t axes = shape_of(&q, shape);
    check_strides(axes, shape, &state, stride);
    check_array in = check_new_nd(q.type, axes, shape, q.dense ? NULL : stride, seed & 1);
    if (!q.dense) check_strides(axes, shape, &state, stride);
    check_array out = check_new_nd(q.out_type, axes, shape, q.dense ? NULL : stride, seed & 2);
    check_put(&in, x);
    for (int t = 0; t < target_count; t++)
        if (one_target < 0 || t == 0 || t == 1 + one_target % (target_count - 1))
            ask(&q, &targets[t], &in, &out, mask_view, want);
    check_drop(&in), check_drop(&out);
    free(values), free(sums), free(mask), free(factors);
    free(x), free(want), free(m), free(turned);
}

// ---- What is asked ---------------------------------------------------------------------------

static const struct types {
    hd_type in, mask, out;
} type_rows[] = {{HD_F32, HD_F32, HD_F32}, {HD_U8, HD_F32, HD_U8},    {HD_F64, HD_F64, HD_F64},
                 {HD_U8, HD_I8, HD_U8},    {HD_F32, HD_F64, HD_F32},  {HD_U16, HD_F32, HD_U16},
                 {HD_I32, HD_I32, HD_I32}, {HD_U8, HD_I32, HD_I16},   {HD_F16, HD_F32, HD_F16},
                 {HD_I16, HD_F32, HD_F32}, {HD_U32, HD_F32, HD_U8},   {HD_BF16, HD_F32, HD_F32},
                 {HD_F32, HD_F32, HD_I8},  {HD_BOOL, HD_U8, HD_U16},  {HD_U16, HD_I16, HD_I32},
                 {HD_I8, HD_F64, HD_F64},  {HD_U8, HD_BOOL, HD_BOOL}, {HD_U32, HD_I32, HD_U32}};
enum { TYPE_ROWS = sizeof type_rows / sizeof *type_rows };

static void test_images(void)
{
    static const int64_t sides[] = {1, 2, 3, 5, 8, 16, 17, 31, 33, 40, 67};
    static const int64_t masks[][2] = {{3, 3}, {5, 5}, {1, 7}, {4, 2},  {2, 2}, {15, 15},
                                       {7, 1}, {3, 9}, {1, 1}, {6, 11}, {9, 4}};
    const int rounds = check_small() ? 54 : 900; // 54: every row of types
    uint64_t state = check_seed();
    for (int turn = 0; turn < rounds; turn++) {
        const struct types t = type_rows[turn % 3 == 0 ? 0 : turn % TYPE_ROWS];
        const int m = (int)check_below(&state, 11);
        question q = {.type = t.in, .mask_type = t.mask, .out_type = t.out, .mask_axes = 2};
        q.rows = masks[m][0], q.columns = masks[m][1];
        q.grid.batches = turn % 7 == 3 ? 2 : 1;
        q.grid.n[0] = 1;
        q.grid.n[1] = sides[check_below(&state, 11)];
        q.grid.n[2] = sides[check_below(&state, 11)];
        q.channels = turn % 3 == 1;
        q.grid.n[3] = q.channels ? (int64_t[]){1, 3, 4, 2}[turn / 3 % 4] : 1;
        q.grid.border = (hd_border)(HD_BORDER_ZERO + turn % 6);
        q.grid.beyond = q.grid.border == HD_BORDER_CONSTANT ? 3 : 0;
        q.separable = turn % 4 < 2 && q.rows > 1 && q.columns > 1;
        q.flip = turn % 5 == 2 && !q.separable;
        q.own_anchor = turn % 6 == 1;
        q.anchor[0] = check_below(&state, q.rows), q.anchor[1] = check_below(&state, q.columns);
        q.dense = turn % 8 < 5;
        try(q, check_next(&state), turn % 5 ? turn : -1);
    }
}

static void test_rows(void)
{
    const int rounds = check_small() ? 25 : 300;
    uint64_t state = check_seed() + 1;
    for (int turn = 0; turn < rounds; turn++) {
        const struct types t = type_rows[turn % TYPE_ROWS];
        question q = {.type = t.in, .mask_type = t.mask, .out_type = t.out, .mask_axes = 1};
        q.rows = 1, q.columns = 1 + check_below(&state, turn % 9 == 0 ? 40 : 9);
        q.grid.batches = turn % 4 == 2 ? 3 : 1;
        q.grid.n[0] = q.grid.n[1] = 1;
        q.grid.n[2] = check_size(turn % 25, 4097) > 0 ? check_size(turn % 25, 4097) : 1;
        q.channels = turn % 3 == 1;
        q.grid.n[3] = q.channels ? 1 + turn / 3 % 4 : 1;
        q.grid.border = (hd_border)(HD_BORDER_ZERO + turn % 6);
        q.grid.beyond = q.grid.border == HD_BORDER_CONSTANT ? -2 : 0;
        q.own_anchor = turn % 6 == 1;
        q.anchor[0] = check_below(&state, q.columns);
        q.flip = turn % 5 == 2;
        q.dense = turn % 8 < 5;
        try(q, check_next(&state), turn % 5 ? turn : -1);
    }
}

// Sizes where threads and tiles divide the work, on every target.
static void test_large(void)
{
    static const int64_t sides[][2] = {{300, 1100}, {1030, 257}, {130, 2100}};
    for (int turn = 0; turn < (check_small() ? 3 : 9); turn++) {
        question q = {.type = HD_F32, .mask_type = HD_F32, .out_type = HD_F32, .mask_axes = 2};
        if (turn % 3 == 2) q.type = q.out_type = HD_U8, q.channels = true;
        q.rows = q.columns = 5;
        q.grid.batches = 1;
        q.grid.n[0] = 1, q.grid.n[3] = q.channels ? 3 : 1;
        q.grid.n[1] = sides[turn % 3][0], q.grid.n[2] = sides[turn % 3][1] / q.grid.n[3];
        if (check_small()) q.grid.n[1] /= 4;
        q.grid.border = HD_BORDER_REFLECT;
        q.separable = turn / 3 == 1;
        q.dense = true;
        if (turn / 3 == 2)
            q.mask_axes = 1, q.rows = 1, q.columns = 31, q.grid.n[2] *= q.grid.n[1],
            q.grid.n[1] = 1;
        try(q, check_seed() + (uint64_t)turn, -1);
    }
}

// Rows longer than what is taken of one at a time between the passes, by few elements and by many,
// and rows at a distance of pages, which are copied apart.
static void test_wide(void)
{
    static const int64_t widths[] = {8192, 8193, 8194, 8196, 12289, 16383, 1024};
    uint64_t state = check_seed() + 2;
    for (int turn = 0; turn < (check_small() ? 7 : 42); turn++) {
        question q = {.type = HD_F32, .mask_type = HD_F32, .out_type = HD_F32, .mask_axes = 2};
        if (turn % 4 < 2)
            q.type = q.mask_type = q.out_type = HD_F64; // of which more pieces make a row
        q.rows = turn % 2 ? 5 : 3, q.columns = (int64_t[]){5, 3, 7, 15}[turn % 4];
        q.grid.batches = q.grid.n[0] = 1;
        q.grid.n[1] = 17 + check_below(&state, 4), q.grid.n[2] = widths[turn % 7];
        q.channels = turn % 5 == 3;
        q.grid.n[3] = q.channels ? 3 : 1;
        if (q.channels) q.grid.n[2] = (q.grid.n[2] + 2) / 3;
        q.grid.border = (hd_border)(HD_BORDER_ZERO + turn % 6);
        q.grid.beyond = q.grid.border == HD_BORDER_CONSTANT ? 3 : 0;
        q.separable = turn % 7 < 6;
        if (!q.separable) q.columns = q.rows;
        q.own_anchor = turn % 3 == 1;
        q.anchor[0] = check_below(&state, q.rows), q.anchor[1] = check_below(&state, q.columns);
        q.dense = true;
        try(q, check_next(&state), -1);
    }
}

// Rows so long that a piece of one is read at two places, far apart.
static void test_long(void)
{
    for (int turn = 0; turn < (check_small() ? 1 : 2); turn++) {
        const hd_type type = turn == 0 ? HD_F64 : HD_F32;
        question q = {.type = type, .mask_type = type, .out_type = type, .mask_axes = 1};
        q.rows = 1, q.columns = turn == 0 ? 5 : 3;
        q.grid.batches = q.grid.n[0] = q.grid.n[1] = q.grid.n[3] = 1;
        q.grid.n[2] = turn == 0 ? 1056013 : 2112007;
        q.grid.border = HD_BORDER_REPLICATE;
        q.dense = true;
        try(q, check_seed() + (uint64_t)turn, -1);
    }
}

// NaN, infinities and zeros of both signs go the way of the sums.
static void test_special(void)
{
    float x[35], want[35];
    for (int i = 0; i < 35; i++) x[i] = i % 7 == 3 ? INFINITY : i % 11 == 5 ? NAN : -0.0f;
    const float mask[3] = {0, 1, 0};
    for (int i = 0; i < 35; i++) {
        float acc = mask[0] * (i > 0 ? x[i - 1] : 0.0f);
        acc = fmaf(mask[1], x[i], acc);
        want[i] = fmaf(mask[2], i < 34 ? x[i + 1] : 0.0f, acc);
    }
    for (int t = 0; t < target_count; t++) {
        float got[35];
        CHECK_OK(targets[t].ctx, hd_convolve(targets[t].ctx, HD_VIEW(x, 35), HD_VIEW(mask, 3),
                                             HD_VIEW(got, 35), NULL));
        CHECK_SAME(HD_F32, got, want, 35, "special values on %s", targets[t].name);
    }
}

// ---- The lecture -----------------------------------------------------------------------------

static const int32_t lecture[7][7] = {
    {1, 2, 3, 4, 5, 6, 7}, {2, 3, 4, 5, 6, 7, 8}, {3, 4, 5, 6, 7, 8, 9}, {4, 5, 6, 7, 8, 5, 6},
    {5, 6, 7, 8, 5, 6, 7}, {6, 7, 8, 9, 0, 1, 2}, {7, 8, 9, 0, 1, 2, 3}};
static const int32_t lecture_mask[5][5] = {
    {1, 2, 3, 2, 1}, {2, 3, 4, 3, 2}, {3, 4, 5, 4, 3}, {2, 3, 4, 3, 2}, {1, 2, 3, 2, 1}};

static void test_lecture(void)
{
    const hd_view in = hd_view_nd(HD_I32, lecture, 2, (int64_t[]){7, 7}, NULL);
    const hd_view mask = hd_view_nd(HD_I32, lecture_mask, 2, (int64_t[]){5, 5}, NULL);
    for (int t = 0; t < target_count; t++) {
        int32_t out[7][7];
        const hd_view to = hd_view_nd(HD_I32, out, 2, (int64_t[]){7, 7}, NULL);
        CHECK_OK(targets[t].ctx, hd_convolve(targets[t].ctx, in, mask, to, NULL));
        CHECK(out[2][2] == 321, "the lecture's 321 at (2, 2) is %d on %s", out[2][2],
              targets[t].name);
        // The lecture's 1-D case: 3 4 5 4 3 over 1 .. 7, zeros beyond; and 3 x 3 with pitch 4.
        const float row[7] = {1, 2, 3, 4, 5, 6, 7}, five[5] = {3, 4, 5, 4, 3};
        float sums[7], pitched[12] = {1, 2, 3, -9, 4, 5, 6, -9, 7, 8, 9, -9}, small[9];
        CHECK_OK(targets[t].ctx, hd_convolve(targets[t].ctx, HD_VIEW(row, 7), HD_VIEW(five, 5),
                                             HD_VIEW(sums, 7), NULL));
        CHECK(sums[2] == 57 && sums[1] == 38, "57 and 38, got %g and %g", sums[2], sums[1]);
        const hd_view pitch = hd_view_nd(HD_F32, pitched, 2, (int64_t[]){3, 3}, (int64_t[]){4, 1});
        const hd_view nine = hd_view_nd(HD_F32, small, 2, (int64_t[]){3, 3}, NULL);
        const float ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
        CHECK_OK(targets[t].ctx,
                 hd_convolve(targets[t].ctx, pitch,
                             hd_view_nd(HD_F32, ones, 2, (int64_t[]){3, 3}, NULL), nine, NULL));
        CHECK(small[4] == 45 && small[0] == 12 && small[8] == 28, "the padding is not read");
    }
}

static void keep_line(void *user, const char *line)
{
    snprintf(user, 400, "%s", line);
}

// ---- Separable masks -------------------------------------------------------------------------

// AUTO gives the bits of two passes or of one, as numerics.md says of the mask.
static void test_separable(void)
{
    static const struct {
        float m[4];
        bool separable;
    } rows[] = {{{9, 3, 3, 1}, true},     {{0, 0, 2, 6}, true},  {{0.1f, 0.1f, 0.1f, 0.1f}, true},
                {{15, 21, 35, 49}, true}, {{1, 2, 3, 7}, false}, {{0.1f, 0.2f, 0.3f, 0.7f}, false},
                {{-2, 4, 1, -2}, true},   {{0, 0, 0, 0}, false}, {{1e-30f, 1e30f, 1e30f, 1}, false},
                {{NAN, 1, 1, 1}, false}};
    for (int k = 0; k < 10; k++) {
        const float *m = rows[k].m;
        char line[400] = "";
        hd_context *ctx;
        const hd_context_options o = {.trace = keep_line, .trace_user = line};
        CHECK_OK(ctx, hd_open(&ctx, &o));
        const float x[4] = {1, 2, 3, 4};
        float y[4];
        const int64_t shape[] = {2, 2};
        CHECK_OK(ctx, hd_convolve(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL),
                                  hd_view_nd(HD_F32, m, 2, shape, NULL),
                                  hd_view_nd(HD_F32, y, 2, shape, NULL), NULL));
        CHECK(!!strstr(line, "separable") == rows[k].separable, "mask %g %g %g %g: %s", m[0], m[1],
              m[2], m[3], line);
        hd_close(ctx);
    }
}

// ---- Errors ----------------------------------------------------------------------------------

static void test_errors(void)
{
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        float x[64] = {0}, y[64], m[9] = {0};
        const hd_view in = HD_VIEW(x, 64), out = HD_VIEW(y, 64), mask = HD_VIEW(m, 9);
        const hd_view square = hd_view_nd(HD_F32, m, 2, (int64_t[]){3, 3}, NULL);
#define REFUSED(status, word, in, mask, out, ...)                                                  \
    CHECK(hd_convolve(ctx, in, mask, out, &(hd_convolve_options){__VA_ARGS__}) == status &&        \
              strstr(hd_error(ctx), word),                                                         \
          "expected %s, '%s': %s", #status, word, hd_error(ctx))
        CHECK(hd_convolve(NULL, in, mask, out, NULL) == HD_ERROR_ARGUMENT, "no context");
        REFUSED(HD_ERROR_ARGUMENT, "in", HD_VIEW((float *)NULL, 3), mask, out, .flip = false);
        REFUSED(HD_ERROR_ARGUMENT, "out", in, mask, HD_VIEW((float *)NULL, 64), .flip = false);
        REFUSED(HD_ERROR_ARGUMENT, "mask", in, HD_VIEW((float *)NULL, 3), out, .flip = false);
        REFUSED(HD_ERROR_ARGUMENT, "no elements", in, HD_VIEW(m, 0), out, .flip = false);
        REFUSED(HD_ERROR_SHAPE, "shape", in, mask, HD_VIEW(y, 63), .flip = false);
        REFUSED(HD_ERROR_SHAPE, "axes", in, square, out, .flip = false);
        REFUSED(HD_ERROR_SHAPE, "channels", in, mask, out, .channels = HD_CHANNELS_LAST);
        REFUSED(HD_ERROR_SHAPE, "1 or 2", in, hd_view_nd(HD_F32, m, 3, (int64_t[]){1, 3, 3}, NULL),
                out, .flip = false);
        REFUSED(HD_ERROR_ALIAS, "overlaps", in, mask, in, .flip = false);
        REFUSED(HD_ERROR_ALIAS, "mask", in, HD_VIEW(y + 3, 5), out, .flip = false);
        REFUSED(HD_ERROR_ARGUMENT, "anchor", in, mask, out, .anchor = (int64_t[]){9});
        REFUSED(HD_ERROR_ARGUMENT, "anchor", in, mask, out, .anchor = (int64_t[]){-1});
        REFUSED(HD_ERROR_ARGUMENT, "border", in, mask, out, .border = -3);
        REFUSED(HD_ERROR_ARGUMENT, "keep", in, mask, out, .border = HD_BORDER_KEEP);
        REFUSED(HD_ERROR_ARGUMENT, "method", in, mask, out, .method = (hd_convolve_method)9);
        REFUSED(HD_ERROR_ARGUMENT, "constant", HD_VIEW((uint8_t *)x, 9), HD_VIEW((uint8_t *)m, 3),
                HD_VIEW((uint8_t *)y, 9), .border = HD_BORDER_CONSTANT, .constant = INFINITY);
        REFUSED(HD_ERROR_TYPE, "i64", HD_VIEW((int64_t *)(void *)x, 9), mask, HD_VIEW(y, 9),
                .flip = false);
        REFUSED(HD_ERROR_TYPE, "structure", HD_VIEW_OF(HD_STRUCT(float[3]), x, 9), mask,
                HD_VIEW(y, 9), .flip = false);
        REFUSED(HD_ERROR_TYPE, "mask", in, HD_VIEW_OF(HD_STRUCT(float[3]), m, 3), out,
                .flip = false);
        CHECK_OK(ctx, hd_convolve(ctx, HD_VIEW(x, 0), mask, HD_VIEW(y, 0), NULL));
        CHECK_OK(ctx, hd_convolve(ctx, in, hd_constant(0.5f, 4), out, NULL));
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_errors();
    test_separable();
    test_lecture();
    test_special();
    test_rows();
    test_images();
    test_large();
    test_wide();
    test_long();
    return check_finish();
}
