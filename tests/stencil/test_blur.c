// SPDX-License-Identifier: Apache-2.0
//
// Gaussian blur: every backend, thread count and instruction set, u8, u16, f32, f64, channels,
// borders, layouts, against a reference of its own; weights that sum to one, constant images, how
// near boxes come to the Gaussian, and every error.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/neighbours.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    hd_type type;
    near_grid grid;
    double sigma;
    int64_t radius; // 0: three sigma
    bool channels, dense, boxes;
} question;

// ---- Weights, by the C library's exp ---------------------------------------------------------

// Weights -radius .. radius as f64; the library's may differ in the last bits.
static void gaussian(double sigma, int64_t radius, double *w)
{
    double sum = 0;
    for (int64_t k = -radius; k <= radius; k++)
        sum += w[radius + k] = exp(-(double)(k * k) / (2 * sigma * sigma));
    for (int64_t k = 0; k <= 2 * radius; k++) w[k] /= sum;
}

// As multiples of 2^-15, rounded from the outside in.
static void whole_gaussian(double sigma, int64_t radius, double *w)
{
    gaussian(sigma, radius, w);
    double outside = 0, before = 0;
    for (int64_t k = radius; k > 0; k--) {
        outside += w[radius + k];
        const double units = floor(outside * 32768 + 0.5);
        w[radius + k] = w[radius - k] = units - before;
        before = units;
    }
    w[radius] = 32768 - 2 * before;
}

static int64_t radius_of(const question *q)
{
    return q->radius > 0 ? q->radius : (int64_t)ceil(3 * q->sigma);
}

// ---- The answer of u8 ------------------------------------------------------------------------

static void pass(const near_grid *g, const double *in, int64_t radius, const double *w, bool down,
                 int shift, double *out)
{
    int64_t(*offset)[3] = check_memory((size_t)(2 * radius + 1) * sizeof *offset);
    for (int64_t k = -radius; k <= radius; k++) {
        offset[radius + k][0] = 0;
        offset[radius + k][1] = down ? k : 0;
        offset[radius + k][2] = down ? 0 : k;
    }
    near_weighted(g, NEAR_WHOLE, in, 2 * radius + 1, (const int64_t(*)[3])offset, w, out);
    for (int64_t i = 0; i < near_count(g); i++) out[i] = floor(ldexp(out[i], -shift) + 0.5);
    free(offset);
}

static void answer_whole(const question *q, const double *in, double *out)
{
    const int extra = 7;
    const int64_t radius = radius_of(q), n = near_count(&q->grid);
    double *w = check_memory((size_t)(2 * radius + 1) * sizeof *w);
    double *between = check_memory((size_t)n * sizeof *between);
    near_grid sides = q->grid;
    sides.beyond = ldexp(q->grid.beyond, extra);
    whole_gaussian(q->sigma, radius, w);
    pass(&q->grid, in, radius, w, true, 15 - extra, between);
    pass(&sides, between, radius, w, false, 15 + extra, out);
    free(w), free(between);
}

// ---- Asking ----------------------------------------------------------------------------------

typedef struct arrays {
    check_array in, out;
    void *x, *got;
    int64_t n;
} arrays;

static arrays make(const question *q, uint64_t seed)
{
    uint64_t state = seed;
    int64_t shape[4], stride[4];
    int32_t axes = 0;
    if (q->grid.batches > 1) shape[axes++] = q->grid.batches;
    shape[axes++] = q->grid.n[1], shape[axes++] = q->grid.n[2];
    if (q->channels) shape[axes++] = q->grid.n[3];
    check_strides(axes, shape, &state, stride);
    arrays a = {.n = near_count(&q->grid)};
    a.in = check_new_nd(q->type, axes, shape, q->dense ? NULL : stride, seed & 1);
    a.out = check_new_nd(q->type, axes, shape, q->dense ? NULL : stride, seed & 2);
    a.x = check_memory((size_t)a.n * 8), a.got = check_memory((size_t)a.n * 8);
    check_fill(q->type, a.x, a.n, CHECK_ORDINARY, seed);
    check_put(&a.in, a.x);
    return a;
}

static void drop(arrays *a)
{
    check_drop(&a->in), check_drop(&a->out);
    free(a->x), free(a->got);
}

static void blur(const question *q, const check_target *target, arrays *a)
{
    const hd_blur_options options = {.radius = q->radius,
                                     .border = q->grid.border,
                                     .method = q->boxes ? HD_BLUR_BOX : HD_BLUR_GAUSSIAN,
                                     .channels = q->channels ? HD_CHANNELS_LAST : HD_CHANNELS_NONE,
                                     .constant = q->grid.beyond};
    CHECK_OK(target->ctx, hd_blur(target->ctx, a->in.view, q->sigma, a->out.view, &options));
    check_get(&a->out, a->got);
    CHECK(check_gaps(&a->out), "wrote between elements on %s", target->name);
}

#define CHECK_BLUR(q, a, want, target)                                                             \
    CHECK_SAME((q)->type, (a)->got, want, (a)->n,                                                  \
               "%s sigma %g radius %" PRId64 ", %" PRId64 " of %" PRId64 " x %" PRId64             \
               " x %" PRId64 ", border %s%s on %s",                                                \
               hd_type_name((q)->type), (q)->sigma, (q)->radius, (q)->grid.batches,                \
               (q)->grid.n[1], (q)->grid.n[2], (q)->grid.n[3], near_border_name((q)->grid.border), \
               (q)->boxes ? ", boxes" : "", (target)->name)

// u8 has its reference; sums of floats must agree to the bit with each other on every target, and
// test_u16 and test_floats say with what else. Boxes must agree with each other, see test_error.
static void try(const question *q, uint64_t seed, int one_target)
{
    arrays a = make(q, seed);
    const bool whole = q->type == HD_U8 && !q->boxes;
    double *values = check_memory((size_t)a.n * 8), *sums = check_memory((size_t)a.n * 8);
    void *want = check_memory((size_t)a.n * 8);
    near_load_all(q->type, a.x, values, a.n);
    if (whole) {
        answer_whole(q, values, sums);
        near_store_all(q->type, want, sums, a.n);
    } else {
        blur(q, &targets[0], &a);
        memcpy(want, a.got, (size_t)a.n * hd_type_size(q->type));
    }
    for (int t = 0; t < target_count; t++)
        if (one_target < 0 || t == 0 || t == 1 + one_target % (target_count - 1)) {
            blur(q, &targets[t], &a);
            CHECK_BLUR(q, &a, want, &targets[t]);
        }
    free(values), free(sums), free(want);
    drop(&a);
}

static void test_random(void)
{
    static const hd_type types[] = {HD_U8, HD_U8, HD_U16, HD_F32, HD_F64, HD_U8};
    static const int64_t sides[] = {1, 2, 3, 7, 16, 17, 33, 48, 70, 129};
    static const double sigmas[] = {0.1, 0.5, 0.8, 1, 1.7, 2, 3.3, 5, 8, 20};
    const int rounds = check_small() ? 36 : 500; // 36: types, borders and layouts in turn
    uint64_t state = check_seed();
    for (int turn = 0; turn < rounds; turn++) {
        question q = {.type = types[turn % 6]};
        q.channels = turn % 3 != 1;
        q.grid.batches = turn % 7 == 3 ? 2 : 1;
        q.grid.n[0] = 1;
        q.grid.n[1] = sides[check_below(&state, 10)], q.grid.n[2] = sides[check_below(&state, 10)];
        q.grid.n[3] = q.channels ? (int64_t[]){3, 4, 1, 2}[turn / 3 % 4] : 1;
        q.sigma = sigmas[check_below(&state, turn % 9 ? 8 : 10)];
        q.radius = turn % 5 == 2 ? 1 + check_below(&state, 12) : 0;
        q.grid.border = (hd_border)(HD_BORDER_ZERO + turn / 2 % 6);
        q.grid.beyond = q.grid.border == HD_BORDER_CONSTANT ? 77 : 0;
        q.boxes = turn % 6 != 3 && turn % 6 != 4 && turn % 4 == 1;
        if (q.boxes) q.radius = 0;
        q.dense = turn % 8 < 5;
        try(&q, check_next(&state), turn % 5 ? turn : -1);
    }
}

static void test_large(void)
{
    for (int turn = 0; turn < 6; turn++) {
        question q = {.type = turn % 3 == 2 ? HD_F32 : HD_U8, .channels = true, .dense = true};
        q.grid = (near_grid){1, {1, 301, 211, 3}, HD_BORDER_REFLECT, 0};
        if (check_small()) q.grid.n[1] = 101, q.grid.n[2] = 71;
        q.sigma = turn < 3 ? 2 : 6;
        q.boxes = turn % 3 == 1;
        try(&q, check_seed() + (uint64_t)turn, check_small() ? turn : -1);
    }
}

// ---- Properties ------------------------------------------------------------------------------

// A constant image stays as it is, for every value, sigma and method.
static void test_constant(void)
{
    static const double sigmas[] = {0.2, 0.6, 1, 2.5, 8, 40, 300};
    enum { H = 5, W = 40 };
    for (int k = 0; k < 7; k++)
        for (int method = 0; method < 2; method++)
            for (int t = 0; t < 2; t++) {
                uint16_t x[H * W], y[H * W];
                const bool wide = (k + method) % 2;
                const int value = wide ? 65535 - 4096 * k : 255 - 30 * k;
                for (int i = 0; i < H * W; i++)
                    wide ? (void)(x[i] = (uint16_t)value)
                         : (void)(((uint8_t *)x)[i] = (uint8_t)value);
                const hd_type type = wide ? HD_U16 : HD_U8;
                const int64_t shape[] = {H, W};
                const hd_blur_options o = {.method = (hd_blur_method)method};
                CHECK_OK(targets[t].ctx,
                         hd_blur(targets[t].ctx, hd_view_nd(type, x, 2, shape, NULL), sigmas[k],
                                 hd_view_nd(type, y, 2, shape, NULL), &o));
                CHECK(memcmp(x, y, (size_t)(H * W) * hd_type_size(type)) == 0,
                      "constant %d, sigma %g, method %d on %s", value, sigmas[k], method,
                      targets[t].name);
            }
}

// Against the Gaussian in f64: what numerics.md says of the two methods, on noise.
static void test_error(void)
{
    enum { SIDE = 160 };
    static uint8_t x[SIDE * SIDE], y[SIDE * SIDE];
    static double exact[SIDE * SIDE], in[SIDE * SIDE];
    const int64_t shape[] = {SIDE, SIDE};
    check_fill(HD_U8, x, SIDE * SIDE, CHECK_ORDINARY, check_seed());
    near_load_all(HD_U8, x, in, SIDE * SIDE);
    for (int k = 0; k < 3; k++) {
        const double sigma = (double[]){2, 4, 8}[k];
        hd_context *ctx = targets[0].ctx;
        CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_F64, in, 2, shape, NULL), sigma,
                              hd_view_nd(HD_F64, exact, 2, shape, NULL),
                              &(hd_blur_options){.radius = (int64_t)(6 * sigma)}));
        for (int method = 0; method < 2; method++) {
            double most = 0;
            CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_U8, x, 2, shape, NULL), sigma,
                                  hd_view_nd(HD_U8, y, 2, shape, NULL),
                                  &(hd_blur_options){.method = (hd_blur_method)method}));
            for (int i = 0; i < SIDE * SIDE; i++)
                if (fabs(y[i] - exact[i]) > most) most = fabs(y[i] - exact[i]);
            CHECK(most < (method == 0 ? 1.0
                          : k == 0    ? 6.0
                                      : 3.0),
                  "sigma %g, method %d: off by %g", sigma, method, most);
        }
    }
}

// u16 against the Gaussian of the same radius in f64, where pixels wrap around: 0.9 of a unit, and
// half of one where sums are f64, as numerics.md says, for noise, for black and white, and for
// white alone, which stays white.
static void blur_exactly(const uint16_t *x, int64_t side, const double *w, int64_t radius,
                         double *between, double *out)
{
    for (int64_t i = 0; i < side * side; i++) {
        between[i] = 0;
        for (int64_t k = -radius; k <= radius; k++)
            between[i] +=
                w[radius + k] * x[((i / side + k) % side + side) % side * side + i % side];
    }
    for (int64_t i = 0; i < side * side; i++) {
        out[i] = 0;
        for (int64_t k = -radius; k <= radius; k++)
            out[i] += w[radius + k] * between[i / side * side + ((i + k) % side + side) % side];
    }
}

static void test_u16(void)
{
    enum { SIDE = 75, COUNT = SIDE * SIDE };
    static uint16_t x[COUNT], y[COUNT];
    static double between[COUNT], exact[COUNT], w[400];
    static const double sigmas[] = {0.4, 1, 2, 5, 8, 12, 20.9, 21.1, 50};
    const int64_t shape[] = {SIDE, SIDE};
    uint64_t state = check_seed();
    for (int turn = 0; turn < 27; turn += check_small() ? 4 : 1) {
        const double sigma = sigmas[turn / 3];
        const int64_t radius = (int64_t)ceil(3 * sigma);
        for (int i = 0; i < COUNT; i++) x[i] = (uint16_t)check_next(&state);
        for (int i = 0; i < COUNT && turn % 3 == 1; i++) x[i] = x[i] < 40000 ? 0 : 65535;
        for (int i = 0; i < COUNT && turn % 3 == 2; i++) x[i] = 65535;
        gaussian(sigma, radius, w);
        blur_exactly(x, SIDE, w, radius, between, exact);
        for (int t = 0; t < target_count; t++) {
            hd_context *ctx = targets[t].ctx;
            CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_U16, x, 2, shape, NULL), sigma,
                                  hd_view_nd(HD_U16, y, 2, shape, NULL),
                                  &(hd_blur_options){.border = HD_BORDER_WRAP}));
            double most = 0;
            for (int i = 0; i < COUNT; i++) most = fmax(most, fabs(y[i] - exact[i]));
            CHECK(most <= (radius > 63 ? 0.500001 : 0.9), "sigma %g, turn %d: off by %g on %s",
                  sigma, turn, most, targets[t].name);
        }
    }
}

// Floats against the same in long double.
static void test_floats(void)
{
    enum { H = 30, W = 41 };
    double x[H * W], y[H * W], w[200];
    float xs[H * W], ys[H * W];
    long double sums[H * W];
    check_fill(HD_F32, xs, H * W, CHECK_ORDINARY, check_seed());
    near_load_all(HD_F32, xs, x, H * W);
    const int64_t shape[] = {H, W}, radius = 9;
    gaussian(3, radius, w);
    for (int i = 0; i < H * W; i++) {
        sums[i] = 0;
        for (int64_t a = -radius; a <= radius; a++)
            for (int64_t b = -radius; b <= radius; b++)
                sums[i] += (long double)w[radius + a] * w[radius + b] *
                           x[(i / W + a + H) % H * W + (i % W + b + W) % W];
    }
    for (int t = 0; t < target_count; t++) {
        const hd_blur_options o = {.border = HD_BORDER_WRAP};
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_F64, x, 2, shape, NULL), 3,
                              hd_view_nd(HD_F64, y, 2, shape, NULL), &o));
        CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_F32, xs, 2, shape, NULL), 3,
                              hd_view_nd(HD_F32, ys, 2, shape, NULL), &o));
        for (int i = 0; i < H * W; i++)
            CHECK(fabsl(sums[i] - y[i]) < 1e-14L && fabsl(sums[i] - ys[i]) < 1e-5L,
                  "element %d is %g, should be %Lg", i, y[i], sums[i]);
    }
}

// ---- Errors ----------------------------------------------------------------------------------

static void test_errors(void)
{
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        uint8_t x[64] = {0}, y[64];
        const int64_t shape[] = {8, 8};
        const hd_view in = hd_view_nd(HD_U8, x, 2, shape, NULL);
        const hd_view out = hd_view_nd(HD_U8, y, 2, shape, NULL);
#define REFUSED(status, word, in, sigma, out, ...)                                                 \
    CHECK(hd_blur(ctx, in, sigma, out, &(hd_blur_options){__VA_ARGS__}) == status &&               \
              strstr(hd_error(ctx), word),                                                         \
          "expected %s, '%s': %s", #status, word, hd_error(ctx))
        CHECK(hd_blur(NULL, in, 1, out, NULL) == HD_ERROR_ARGUMENT, "no context");
        CHECK_OK(ctx, hd_blur(ctx, in, 1, out, NULL));
        REFUSED(HD_ERROR_ARGUMENT, "sigma", in, 0, out, .radius = 0);
        REFUSED(HD_ERROR_ARGUMENT, "sigma", in, -1, out, .radius = 0);
        REFUSED(HD_ERROR_ARGUMENT, "sigma", in, NAN, out, .radius = 0);
        REFUSED(HD_ERROR_ARGUMENT, "sigma", in, INFINITY, out, .radius = 0);
        REFUSED(HD_ERROR_ARGUMENT, "radius", in, 1e9, out, .radius = 0);
        REFUSED(HD_ERROR_ARGUMENT, "radius", in, 1, out, .radius = -1);
        REFUSED(HD_ERROR_ARGUMENT, "radius", in, 1, out, .radius = 1 << 21);
        REFUSED(HD_ERROR_ARGUMENT, "radius", in, 1, out, .radius = 2, .method = HD_BLUR_BOX);
        REFUSED(HD_ERROR_ARGUMENT, "boxes", in, 20000, out, .method = HD_BLUR_BOX);
        REFUSED(HD_ERROR_ARGUMENT, "method", in, 1, out, .method = (hd_blur_method)7);
        REFUSED(HD_ERROR_ARGUMENT, "border", in, 1, out, .border = (hd_border)77);
        REFUSED(HD_ERROR_ARGUMENT, "keep", in, 1, out, .border = HD_BORDER_KEEP);
        REFUSED(HD_ERROR_SHAPE, "axes", HD_VIEW(x, 64), 1, HD_VIEW(y, 64), .radius = 0);
        REFUSED(HD_ERROR_SHAPE, "channels", in, 1, out, .channels = HD_CHANNELS_LAST);
        REFUSED(HD_ERROR_ALIAS, "overlaps", in, 1, in, .radius = 0);
        REFUSED(HD_ERROR_TYPE, "expected u8", hd_view_nd(HD_I8, x, 2, shape, NULL), 1, out,
                .radius = 0);
        REFUSED(HD_ERROR_TYPE, "type of in", in, 1, hd_view_nd(HD_I8, y, 2, shape, NULL),
                .radius = 0);
        float fx[64] = {0}, fy[64];
        REFUSED(HD_ERROR_TYPE, "boxes", hd_view_nd(HD_F32, fx, 2, shape, NULL), 1,
                hd_view_nd(HD_F32, fy, 2, shape, NULL), .method = HD_BLUR_BOX);
        const int64_t none[] = {0, 8};
        CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_U8, NULL, 2, none, NULL), 1,
                              hd_view_nd(HD_U8, NULL, 2, none, NULL), NULL));
        // A third axis may be anything: it has to be said.
        const int64_t deep[] = {4, 4, 4};
        REFUSED(HD_ERROR_ARGUMENT, "HD_CHANNELS_LAST", hd_view_nd(HD_U8, x, 3, deep, NULL), 1,
                hd_view_nd(HD_U8, y, 3, deep, NULL), .radius = 0);
        REFUSED(HD_ERROR_ARGUMENT, "channels are 7", in, 1, out, .channels = (hd_channels)7);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_errors();
    test_constant();
    test_error();
    test_u16();
    test_floats();
    test_random();
    test_large();
    return check_finish();
}
