// SPDX-License-Identifier: Apache-2.0
//
// hd_integral, hd_box_statistics and hd_threshold against loops over the image: integers exactly,
// floats by the tree along each axis and within the stated bounds; boxes of every size, larger than
// the image too; layouts, batches, channels, in place; device memory, errors, failing memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/there.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

// ---- Tables -------------------------------------------------------------------------------------

static hd_view image_view(hd_type type, const void *x, int64_t h, int64_t w)
{
    return hd_view_nd(type, x, 2, (int64_t[]){h, w}, NULL);
}

// Integers: sums in u64, as they wrap.
static void test_integers(int64_t h, int64_t w, hd_type type, check_layout layout, uint64_t *r)
{
    const int64_t n = h * w, m = (h + 1) * (w + 1);
    int64_t *x = check_memory((size_t)n * 8), *want = check_memory((size_t)m * 8);
    int64_t *got = check_memory((size_t)m * 8), *inner = check_memory((size_t)n * 8);
    void *raw = check_memory((size_t)n * 8);
    check_fill(type, raw, n, CHECK_ORDINARY, check_next(r));
    hd_context *serial = targets[0].ctx;
    CHECK_OK(serial, hd_map(serial, hd_view_of(type, raw, n), NULL, HD_VIEW(x, n), NULL));
    memset(want, 0, (size_t)m * 8);
    for (int64_t y = 0; y < h; y++)
        for (int64_t c = 0; c < w; c++)
            want[(y + 1) * (w + 1) + c + 1] =
                (int64_t)((uint64_t)want[y * (w + 1) + c + 1] +
                          (uint64_t)want[(y + 1) * (w + 1) + c] - (uint64_t)want[y * (w + 1) + c] +
                          (uint64_t)x[y * w + c]);
    int64_t stride[2] = {w, 1};
    if (layout != CHECK_DENSE) check_strides(2, (int64_t[]){h, w}, r, stride);
    check_array in = check_new_nd(type, 2, (int64_t[]){h, w}, stride, false);
    check_put(&in, raw);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_integral(ctx, in.view, image_view(HD_I64, got, h + 1, w + 1),
                                  &(hd_integral_options){.exclusive = true}));
        CHECK_SAME(HD_I64, got, want, m, "%" PRId64 " x %" PRId64 " of %s on %s", h, w,
                   hd_type_name(type), targets[t].name);
        CHECK_OK(ctx, hd_integral(ctx, in.view, image_view(HD_I64, inner, h, w), NULL));
        for (int64_t y = 0; y < h; y++)
            CHECK_SAME(HD_I64, inner + y * w, want + (y + 1) * (w + 1) + 1, w, "row %" PRId64, y);
    }
    check_drop(&in);
    free(x), free(want), free(got), free(inner), free(raw);
}

// Floats: hd_scan of the serial backend along each axis, element by element of the tree.
static void test_floats(int64_t h, int64_t w, uint64_t *r)
{
    const int64_t n = h * w;
    float *x = check_memory((size_t)n * 4), *want = check_memory((size_t)n * 4);
    float *got = check_memory((size_t)n * 4), *column = check_memory((size_t)h * 4);
    check_fill(HD_F32, x, n, CHECK_ORDINARY, check_next(r));
    hd_context *serial = targets[0].ctx;
    for (int64_t y = 0; y < h; y++)
        CHECK_OK(serial,
                 hd_scan(serial, HD_VIEW(x + y * w, w), HD_SUM, HD_VIEW(want + y * w, w), NULL));
    for (int64_t c = 0; c < w; c++) {
        for (int64_t y = 0; y < h; y++) column[y] = want[y * w + c];
        CHECK_OK(serial, hd_scan(serial, HD_VIEW(column, h), HD_SUM, HD_VIEW(column, h), NULL));
        for (int64_t y = 0; y < h; y++) want[y * w + c] = column[y];
    }
    for (int t = 0; t < target_count; t++) {
        memcpy(got, x, (size_t)n * 4);
        const hd_view v = image_view(HD_F32, got, h, w); // in place
        CHECK_OK(targets[t].ctx, hd_integral(targets[t].ctx, v, v, NULL));
        CHECK_SAME(HD_F32, got, want, n, "%" PRId64 " x %" PRId64 " on %s", h, w, targets[t].name);
    }
    free(x), free(want), free(got), free(column);
}

static void test_batches(void)
{
    enum { B = 3, H = 5, W = 7, C = 2 };
    static int32_t x[B * H * W * C], got[B * H * W * C], want[B * H * W * C];
    check_fill(HD_I32, x, B * H * W * C, CHECK_LITTLE, 5);
    for (int b = 0; b < B; b++)
        for (int y = 0; y < H; y++)
            for (int c = 0; c < W; c++)
                for (int k = 0; k < C; k++) {
                    int32_t sum = 0;
                    for (int j = 0; j <= y; j++)
                        for (int i = 0; i <= c; i++) sum += x[((b * H + j) * W + i) * C + k];
                    want[((b * H + y) * W + c) * C + k] = sum;
                }
    const int64_t shape[] = {B, H, W, C}, flat[] = {B, H, W};
    const hd_integral_options last = {.channels = HD_CHANNELS_LAST};
    const hd_integral_options none = {.channels = HD_CHANNELS_NONE};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_integral(ctx, hd_view_nd(HD_I32, x, 4, shape, NULL),
                                  hd_view_nd(HD_I32, got, 4, shape, NULL), &last));
        CHECK_SAME(HD_I32, got, want, B * H * W * C, "channels on %s", targets[t].name);
        const int64_t by[] = {H * W * C, W * C, C};
        memset(got, 0, sizeof got);
        CHECK_OK(ctx, hd_integral(ctx, hd_view_nd(HD_I32, x, 3, flat, by),
                                  hd_view_nd(HD_I32, got, 3, flat, by), &none));
        for (int k = 0; k < B * H * W * C; k += C)
            CHECK(got[k] == want[k], "element %d of batches on %s", k, targets[t].name);
    }
}

// ---- Boxes --------------------------------------------------------------------------------------

typedef struct box {
    double sum, squares;
    int64_t count, whole;
} box;

static box box_at(const double *x, const int64_t *whole, int64_t h, int64_t w, int64_t y, int64_t c,
                  int64_t height, int64_t width)
{
    box b = {0, 0, 0, 0};
    for (int64_t j = y - height / 2; j < y - height / 2 + height; j++)
        for (int64_t i = c - width / 2; i < c - width / 2 + width; i++) {
            if (j < 0 || j >= h || i < 0 || i >= w) continue;
            b.sum += x[j * w + i], b.squares += x[j * w + i] * x[j * w + i];
            b.whole += whole[j * w + i], b.count++;
        }
    return b;
}

typedef struct boxes {
    void *sum;
    double *mean, *variance;
    float *narrow;
    int64_t *count;
} boxes;

static void call_boxes(const check_target *t, hd_view in, int64_t height, int64_t width,
                       const boxes *got)
{
    const int64_t h = in.shape[0], w = in.shape[1];
    const hd_type sum = in.type == HD_F32 || in.type == HD_F64 ? HD_F64 : HD_I64;
    CHECK_OK(t->ctx,
             hd_box_statistics(
                 t->ctx, in, height, width,
                 &(hd_box_options){.sums = HD_REF(image_view(sum, got->sum, h, w)),
                                   .means = HD_REF(image_view(HD_F64, got->mean, h, w)),
                                   .variances = HD_REF(image_view(HD_F64, got->variance, h, w)),
                                   .counts = HD_REF(image_view(HD_I64, got->count, h, w))}));
    CHECK_OK(t->ctx,
             hd_box_statistics(
                 t->ctx, in, height, width,
                 &(hd_box_options){.means = HD_REF(image_view(HD_F32, got->narrow, h, w))}));
}

static void test_boxes(int64_t h, int64_t w, hd_type type, uint64_t *r)
{
    const int64_t n = h * w;
    double *x = check_memory((size_t)n * 8);
    int64_t *whole = check_memory((size_t)n * 8);
    void *raw = check_memory((size_t)n * 8);
    const boxes got = {check_memory((size_t)n * 8), check_memory((size_t)n * 8),
                       check_memory((size_t)n * 8), check_memory((size_t)n * 4),
                       check_memory((size_t)n * 8)};
    const int64_t sizes[] = {1, 2, 3, 4, 7, h, w, h + w, 2 * h + 1, (int64_t)1 << 62};
    hd_context *serial = targets[0].ctx;
    const bool is_float = type == HD_F32 || type == HD_F64;
    check_fill(type, raw, n, CHECK_ORDINARY, check_next(r));
    CHECK_OK(serial, hd_map(serial, hd_view_of(type, raw, n), NULL, HD_VIEW(x, n), NULL));
    CHECK_OK(serial, hd_map(serial, hd_view_of(type, raw, n), NULL, HD_VIEW(whole, n), NULL));
    double all = 0, all_squares = 0;
    for (int64_t i = 0; i < n; i++) all += fabs(x[i]), all_squares += x[i] * x[i];
    const double steps = 4 * (ceil(log2((double)h)) + ceil(log2((double)w)) + 1) * 0x1p-53;
    for (int k = 0; k < 6; k++) {
        const int64_t height = sizes[check_below(r, 10)], width = sizes[check_below(r, 10)];
        if (height < 1 || width < 1) continue;
        const check_target *t = &targets[k == 0 ? 0 : check_below(r, target_count)];
        call_boxes(t, image_view(type, raw, h, w), height, width, &got);
        for (int64_t i = 0; i < n; i++) {
            // Far borders do not change the reference.
            const int64_t high = height > 2 * h + 1 ? 2 * h + 1 : height;
            const int64_t wide = width > 2 * w + 1 ? 2 * w + 1 : width;
            const box b = box_at(x, whole, h, w, i / w, i % w, high, wide);
            const double count = (double)b.count;
            const double sum = is_float ? ((double *)got.sum)[i] : (double)((int64_t *)got.sum)[i];
            const double variance = (count * b.squares - b.sum * b.sum) / (count * count);
            CHECK(got.count[i] == b.count, "count %" PRId64, got.count[i]);
            if (!is_float)
                CHECK(((int64_t *)got.sum)[i] == b.whole && got.mean[i] == b.whole / count,
                      "sum, mean at %" PRId64 " of %s, box %" PRId64 " x %" PRId64 " on %s", i,
                      hd_type_name(type), height, width, t->name);
            else
                CHECK(fabs(sum - b.sum) <= steps * all * 1.01, "sum %g, expected %g", sum, b.sum);
            CHECK(got.narrow[i] == (float)got.mean[i], "mean in f32");
            CHECK(fabs(got.variance[i] - variance) <=
                      (is_float
                           ? steps * (all_squares / count + 2 * all * fabs(b.sum) / count / count)
                           : 1e-13 * (b.squares / count)) *
                          1.01,
                  "variance %.17g, expected %.17g", got.variance[i], variance);
            CHECK(got.variance[i] >= 0, "variance %g", got.variance[i]);
        }
    }
    free(x), free(whole), free(raw);
    free(got.sum), free(got.mean), free(got.variance), free(got.narrow), free(got.count);
}

// The cores slide boxes over bands of rows; the serial backend has the table's corners. There are
// gaps between the rows of outputs.
static void test_rows(int64_t h, int64_t w, hd_type type, uint64_t *r)
{
    const int64_t n = h * w, pitch = w + 3, room = h * pitch;
    const int64_t box[][2] = {{1, 1}, {15, 4}, {2, 31}, {h / 2 + 1, w + 9}, {3 * h, 5}, {181, 182}};
    void *raw = check_memory((size_t)n * 8);
    int64_t *sum[2] = {check_memory((size_t)room * 8), check_memory((size_t)room * 8)};
    double *mean[2] = {check_memory((size_t)room * 8), check_memory((size_t)room * 8)};
    uint8_t *set[2] = {check_memory((size_t)room), check_memory((size_t)room)};
    const int64_t shape[] = {h, w}, stride[] = {pitch, 1};
    check_fill(type, raw, n, CHECK_ORDINARY, check_next(r));
    for (size_t k = 0; k < sizeof box / sizeof *box; k++)
        for (int t = 0; t < target_count; t++) {
            hd_context *ctx = targets[t].ctx;
            const int of = t > 0;
            const hd_view in = image_view(type, raw, h, w),
                          sums = hd_view_nd(HD_I64, sum[of], 2, shape, stride),
                          means = hd_view_nd(HD_F64, mean[of], 2, shape, stride),
                          bits = hd_view_nd(HD_U8, set[of], 2, shape, stride);
            memset(sum[of], 7, (size_t)room * 8), memset(mean[of], 7, (size_t)room * 8);
            memset(set[of], 7, (size_t)room);
            CHECK_OK(ctx, hd_box_statistics(ctx, in, box[k][0], box[k][1],
                                            &(hd_box_options){.sums = &sums, .means = &means}));
            CHECK_OK(ctx, hd_threshold(ctx, in, bits,
                                       &(hd_threshold_options){.height = box[k][0],
                                                               .width = box[k][1],
                                                               .ratio = 0.25,
                                                               .invert = k % 2 == 1}));
            if (t == 0) continue;
            CHECK_SAME(HD_I64, sum[1], sum[0], room, "sums of %s, box %zu, on %s",
                       hd_type_name(type), k, targets[t].name);
            CHECK_SAME(HD_F64, mean[1], mean[0], room, "means of %s, box %zu, on %s",
                       hd_type_name(type), k, targets[t].name);
            CHECK_SAME(HD_U8, set[1], set[0], room, "thresholds of %s, box %zu, on %s",
                       hd_type_name(type), k, targets[t].name);
        }
    free(raw);
    for (int k = 0; k < 2; k++) free(sum[k]), free(mean[k]), free(set[k]);
}

// ---- Threshold ----------------------------------------------------------------------------------

static void test_threshold(int64_t h, int64_t w, uint64_t *r)
{
    const int64_t n = h * w, height = 5, width = 8;
    uint8_t *x = check_memory((size_t)n), *got = check_memory((size_t)n);
    double *wide = check_memory((size_t)n * 8);
    int64_t *whole = check_memory((size_t)n * 8);
    for (int64_t i = 0; i < n; i++) wide[i] = x[i] = (uint8_t)check_below(r, 100), whole[i] = x[i];
    for (int t = 0; t < target_count; t++)
        for (int inverted = 0; inverted < 2; inverted++) {
            hd_context *ctx = targets[t].ctx;
            const hd_threshold_options how = {
                .height = height, .width = width, .ratio = 0.25, .invert = inverted};
            const hd_type type = inverted ? HD_BOOL : HD_U8;
            CHECK_OK(ctx, hd_threshold(ctx, image_view(HD_U8, x, h, w), image_view(type, got, h, w),
                                       &how));
            for (int64_t i = 0; i < n; i++) {
                const box b = box_at(wide, whole, h, w, i / w, i % w, height, width);
                const bool bright = 4 * x[i] * b.count > 3 * b.whole;
                CHECK(got[i] == (bright != inverted ? (inverted ? 1 : 255) : 0),
                      "%" PRId64 " is %d on %s", i, got[i], targets[t].name);
            }
        }
    free(x), free(got), free(wide), free(whole);
}

// ---- Errors, memory, devices --------------------------------------------------------------------

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    static int32_t x[60];
    static int64_t y[60], z[90];
    static float f[60];
    static uint64_t big[60];
    const hd_view in = image_view(HD_I32, x, 5, 6), out = image_view(HD_I64, y, 5, 6);
    const int64_t deep[3] = {2, 5, 6};
    FAILS(HD_ERROR_SHAPE, "expected two axes", hd_integral(ctx, HD_VIEW(x, 6), out, NULL));
    FAILS(HD_ERROR_SHAPE, "along axis 1; expected 6",
          hd_integral(ctx, in, image_view(HD_I64, y, 5, 5), NULL));
    FAILS(HD_ERROR_SHAPE, "expected 7",
          hd_integral(ctx, in, image_view(HD_I64, y, 6, 6),
                      &(hd_integral_options){.exclusive = true}));
    FAILS(HD_ERROR_SHAPE, "channels must say",
          hd_integral(ctx, hd_view_nd(HD_I32, x, 3, deep, NULL),
                      hd_view_nd(HD_I64, y, 3, deep, NULL), NULL));
    FAILS(HD_ERROR_TYPE, "",
          hd_integral(ctx, image_view(HD_I64, y, 5, 6), image_view(HD_I32, x, 5, 6), NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps in",
          hd_integral(ctx, image_view(HD_I64, z, 5, 6), image_view(HD_I64, z + 1, 6, 7),
                      &(hd_integral_options){.exclusive = true}));
    FAILS(HD_ERROR_ARGUMENT, "0 x 3",
          hd_box_statistics(ctx, in, 0, 3, &(hd_box_options){.sums = &out}));
    FAILS(HD_ERROR_ARGUMENT, "no output", hd_box_statistics(ctx, in, 3, 3, NULL));
    FAILS(HD_ERROR_TYPE, "16 bits or fewer",
          hd_box_statistics(ctx, in, 3, 3,
                            &(hd_box_options){.variances = HD_REF(image_view(HD_F32, f, 5, 6))}));
    FAILS(HD_ERROR_TYPE, "integers but u64",
          hd_box_statistics(ctx, image_view(HD_U64, big, 5, 6), 3, 3,
                            &(hd_box_options){.sums = &out}));
    FAILS(HD_ERROR_SHAPE, "the shape of in",
          hd_box_statistics(ctx, in, 3, 3,
                            &(hd_box_options){.sums = HD_REF(image_view(HD_I64, y, 6, 5))}));
    FAILS(HD_ERROR_ALIAS, "counts overlaps sums",
          hd_box_statistics(ctx, in, 3, 3, &(hd_box_options){.sums = &out, .counts = &out}));
    FAILS(HD_ERROR_TYPE, "bool or u8", hd_threshold(ctx, in, out, NULL));
    FAILS(HD_ERROR_ARGUMENT, "zero_ratio",
          hd_threshold(ctx, in, out, &(hd_threshold_options){.ratio = 0.5, .zero_ratio = true}));
    FAILS(HD_ERROR_ARGUMENT, "ratio 2",
          hd_threshold(ctx, in, image_view(HD_U8, f, 5, 6), &(hd_threshold_options){.ratio = 2}));
    CHECK(hd_integral(NULL, in, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    CHECK_OK(ctx, hd_threshold(ctx, image_view(HD_I32, x, 0, 6), image_view(HD_U8, f, 0, 6), NULL));
}

static hd_status failing(hd_context *ctx)
{
    static uint8_t x[600];
    static double variance[600];
    for (int i = 0; i < 600; i++) x[i] = (uint8_t)(i * i);
    return hd_box_statistics(
        ctx, image_view(HD_U8, x, 20, 30), 3, 5,
        &(hd_box_options){.variances = HD_REF(image_view(HD_F64, variance, 20, 30))});
}

static void test_there(hd_backend which)
{
    enum { H = 9, W = 14 };
    hd_context *ctx = check_open(which, 0, NULL), *serial = targets[0].ctx;
    uint8_t x[H * W], set[2][H * W];
    double variance[2][H * W];
    float mean[2][H * W];
    for (int i = 0; i < H * W; i++) x[i] = (uint8_t)(i * 37 % 101);
    const hd_view in = image_view(HD_U8, x, H, W);
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        hd_view v = k ? there_put(c, in) : in;
        hd_view a = image_view(HD_F64, variance[k], H, W), b = image_view(HD_F32, mean[k], H, W);
        hd_view d = image_view(HD_U8, set[k], H, W);
        const hd_view to[] = {a, b, d};
        if (k) a = there_room(c, a), b = there_room(c, b), d = there_room(c, d);
        CHECK_OK(c, hd_box_statistics(c, v, 3, 6, &(hd_box_options){.means = &b, .variances = &a}));
        CHECK_OK(c, hd_threshold(c, v, d, NULL));
        if (!k) continue;
        there_take(c, &a, to[0]), there_take(c, &b, to[1]), there_take(c, &d, to[2]);
        CHECK_OK(c, hd_free(c, &v));
    }
    CHECK_SAME(HD_F64, variance[1], variance[0], H * W, "variances on a GPU");
    CHECK_SAME(HD_F32, mean[1], mean[0], H * W, "means on a GPU");
    CHECK_SAME(HD_U8, set[1], set[0], H * W, "thresholds on a GPU");
    hd_close(ctx);
}

// Means alone, of images of which most is not at a border; tables whose rows lie beside a border.
static void test_there_large(hd_backend which)
{
    enum { H = 67, W = 93, N = H * W, M = (H + 1) * (W + 1) };
    static const hd_type types[] = {HD_U8, HD_I8, HD_U16, HD_I16, HD_BOOL};
    static const int64_t boxes[][2] = {{1, 1}, {15, 15}, {2, 3}, {4, 1}, {16, 23}, {17, 22}};
    hd_context *ctx = check_open(which, 0, NULL), *serial = targets[0].ctx;
    static uint16_t x[N];
    static double mean[2][N];
    static int64_t table[2][M];
    for (int t = 0; t < 5; t++) {
        check_fill(types[t], x, N, CHECK_ORDINARY, 77 + (uint64_t)t);
        const hd_view in = image_view(types[t], x, H, W);
        hd_view there = there_put(ctx, in);
        for (int k = 0; k < 12; k++) {
            const hd_type type = k % 2 ? HD_F32 : HD_F64;
            const hd_view to[] = {image_view(type, mean[0], H, W), image_view(type, mean[1], H, W)};
            hd_view out = there_room(ctx, to[1]);
            const int64_t *box = boxes[k / 2];
            CHECK_OK(serial, hd_box_statistics(serial, in, box[0], box[1],
                                               &(hd_box_options){.means = &to[0]}));
            CHECK_OK(ctx, hd_box_statistics(ctx, there, box[0], box[1],
                                            &(hd_box_options){.means = &out}));
            there_take(ctx, &out, to[1]);
            CHECK_SAME(type, mean[1], mean[0], N, "means of %s in boxes of %d x %d on a GPU",
                       hd_type_name(types[t]), (int)box[0], (int)box[1]);
        }
        const hd_view to[] = {image_view(HD_I64, table[0], H + 1, W + 1),
                              image_view(HD_I64, table[1], H + 1, W + 1)};
        const hd_integral_options border = {.exclusive = true};
        hd_view out = there_room(ctx, to[1]);
        CHECK_OK(serial, hd_integral(serial, in, to[0], &border));
        CHECK_OK(ctx, hd_integral(ctx, there, out, &border));
        there_take(ctx, &out, to[1]);
        CHECK_SAME(HD_I64, table[1], table[0], M, "a table of %s on a GPU", hd_type_name(types[t]));
        CHECK_OK(ctx, hd_free(ctx, &there));
    }
    hd_close(ctx);
}

static void test_gpu(hd_backend which)
{
    test_there(which);
    test_there_large(which);
}

int main(void)
{
    static const hd_type types[] = {HD_U8, HD_I8, HD_U16, HD_I16, HD_BOOL, HD_F32, HD_F64};
    uint64_t r = check_seed();
    target_count = check_targets(&targets);
    for (int k = 0; k < 7; k++) {
        const int64_t h = k == 0 ? 0 : 1 + check_below(&r, 40), w = 1 + check_below(&r, 70);
        if (types[k] < HD_F32) test_integers(h, w, types[k], (check_layout)(k % 2), &r);
        test_floats(1 + check_below(&r, 80), w, &r);
        test_boxes(1 + check_below(&r, 20), 1 + check_below(&r, 20), types[k], &r);
        test_boxes(1 + check_below(&r, 4), 1 + check_below(&r, 4), types[k], &r);
    }
    if (!check_small()) test_integers(301, 407, HD_I64, CHECK_DENSE, &r);
    const hd_type whole[] = {HD_U8, HD_U16, HD_I32, HD_I16, HD_BOOL};
    for (int k = 0; k < 5; k++) test_rows(70 + 20 * k, 37 + k, whole[k], &r);
    for (int k = 0; k < 3; k++) test_integers(67, 41, whole[k], CHECK_DENSE, &r);
    test_batches();
    test_threshold(17, 23, &r);
    test_errors();
    there_fail_each(failing);
    const int code = check_on_gpus(test_gpu);
    return code == CHECK_SKIP ? check_finish() : code;
}
