// SPDX-License-Identifier: Apache-2.0
//
// Stencils: every backend, thread count and instruction set; weights with offsets, boxes and users'
// functions, one to three dimensions, borders, steps, layouts, against neighbours.h step by step;
// finite differences by the polynomials they are exact for; and the heat equation.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/neighbours.h"

static const check_target *targets;
static int target_count;

enum { MAX_OFFSETS = 30 };

typedef struct question {
    hd_type type, weight_type, out_type;
    int32_t axes;
    int64_t count, steps;
    int64_t offset[MAX_OFFSETS][3];
    double weight[MAX_OFFSETS];
    const hd_function *function;
    near_grid grid;
    bool channels, dense;
} question;

HD_FUNCTION(spread, float, HD_NO_SOURCE, (float, a, float, b, float, c),
            { return (a > b ? a : b) - 0.5f * c; })
HD_FUNCTION(middle, uint8_t, HD_NO_SOURCE, (uint8_t, a, uint8_t, b, uint8_t, c), {
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
})

// ---- The answer ------------------------------------------------------------------------------

static bool leaves(const question *q, const int64_t p[4])
{
    for (int64_t t = 0; t < q->count; t++)
        for (int k = 0; k < 3; k++)
            if (p[k] + q->offset[t][k] < 0 || p[k] + q->offset[t][k] >= q->grid.n[k]) return true;
    return false;
}

static double call_function(const question *q, const double *in, int64_t b, const int64_t p[4])
{
    double x[3];
    for (int64_t t = 0; t < 3; t++) {
        const int64_t at[4] = {p[0] + q->offset[t][0], p[1] + q->offset[t][1],
                               p[2] + q->offset[t][2], p[3]};
        x[t] = near_fetch(&q->grid, in, b, at);
    }
    if (q->function == spread)
        return (double)((float)(x[0] > x[1] ? x[0] : x[1]) - 0.5f * (float)x[2]);
    return x[0] + x[1] + x[2] - fmin(fmin(x[0], x[1]), x[2]) - fmax(fmax(x[0], x[1]), x[2]);
}

// One step; x becomes the result, as out's elements.
static void step(const question *q, double *x, double *scratch)
{
    const int64_t n = near_count(&q->grid);
    const near_sum sum = near_sum_of(q->type, q->weight_type, q->out_type);
    if (q->function == NULL)
        near_weighted(&q->grid, sum, x, q->count, q->offset, q->weight, scratch);
    unsigned char element[8];
    for (int64_t i = 0; i < n; i++) {
        int64_t p[4], rest = i;
        for (int k = 3; k >= 0; k--) p[k] = rest % q->grid.n[k], rest /= q->grid.n[k];
        if (q->function != NULL) scratch[i] = call_function(q, x, rest, p);
        if (q->grid.border == HD_BORDER_KEEP && leaves(q, p)) scratch[i] = x[i];
        near_store(q->out_type, element, scratch[i]);
        scratch[i] = near_load(q->out_type, element);
    }
    memcpy(x, scratch, (size_t)n * sizeof *x);
}

// ---- Asking ----------------------------------------------------------------------------------

static int32_t shape_of(const question *q, int64_t shape[5])
{
    int32_t axes = 0;
    if (q->grid.batches > 1) shape[axes++] = q->grid.batches;
    for (int k = 3 - q->axes; k < 3; k++) shape[axes++] = q->grid.n[k];
    if (q->channels) shape[axes++] = q->grid.n[3];
    return axes;
}

// The neighbourhood as views, and the options.
typedef struct call {
    hd_view offsets, weights;
    hd_stencil_options options;
} call;

static void ask(const question *q, const check_target *target, const call *c, const check_array *in,
                const check_array *out, const void *want)
{
    const int64_t n = near_count(&q->grid);
    void *got = check_memory((size_t)n * 8);
    CHECK_OK(target->ctx,
             hd_stencil(target->ctx, in->view, c->offsets, c->weights, out->view, &c->options));
    check_get(out, got);
    CHECK_SAME(q->out_type, got, want, n,
               "%s to %s, %" PRId64 " offsets, %d axes, %" PRId64 " steps, %" PRId64 " of %" PRId64
               " x %" PRId64 " x %" PRId64 " x %" PRId64 ", border %s%s on %s",
               hd_type_name(q->type), hd_type_name(q->out_type), q->count, q->axes, q->steps,
               q->grid.batches, q->grid.n[0], q->grid.n[1], q->grid.n[2], q->grid.n[3],
               near_border_name(q->grid.border), q->function ? ", function" : "", target->name);
    CHECK(check_gaps(out), "wrote between elements on %s", target->name);
    free(got);
}

static void try(question *q, uint64_t seed, int one_target)
{
    uint64_t state = seed;
    const int64_t n = near_count(&q->grid);
    double *x = check_memory((size_t)n * 8), *scratch = check_memory((size_t)n * 8);
    void *raw = check_memory((size_t)n * 8), *want = check_memory((size_t)n * 8);
    int64_t offsets[MAX_OFFSETS * 3], shape[5], stride[5];
    unsigned char weights[MAX_OFFSETS * 8];
    check_fill(q->type, raw, n, CHECK_ORDINARY, seed);
    near_load_all(q->type, raw, x, n);
    near_store_all(q->weight_type, weights, q->weight, q->count);
    near_load_all(q->weight_type, weights, q->weight, q->count);
    for (int64_t t = 0; t < q->count; t++)
        for (int k = 0; k < q->axes; k++) offsets[t * q->axes + k] = q->offset[t][3 - q->axes + k];
    for (int64_t s = 0; s < q->steps; s++) step(q, x, scratch);
    near_store_all(q->out_type, want, x, n);
    call c = {.offsets = hd_view_nd(HD_I64, offsets, 2, (int64_t[]){q->count, q->axes}, NULL),
              .options = {.function = q->function,
                          .border = q->grid.border,
                          .channels = q->channels ? HD_CHANNELS_LAST : HD_CHANNELS_NONE,
                          .constant = q->grid.beyond,
                          .iterations = q->steps == 1 ? 0 : q->steps}};
    if (q->function == NULL) c.weights = HD_VIEW_OF(q->weight_type, weights, q->count);
    const int32_t axes = shape_of(q, shape);
    check_strides(axes, shape, &state, stride);
    check_array in = check_new_nd(q->type, axes, shape, q->dense ? NULL : stride, seed & 1);
    check_array out = check_new_nd(q->out_type, axes, shape, q->dense ? NULL : stride, seed & 2);
    check_put(&in, raw);
    for (int t = 0; t < target_count; t++)
        if (one_target < 0 || t == 0 || t == 1 + one_target % (target_count - 1))
            ask(q, &targets[t], &c, &in, &out, want);
    check_drop(&in), check_drop(&out);
    free(x), free(scratch), free(raw), free(want);
}

// ---- What is asked ---------------------------------------------------------------------------

static const struct types {
    hd_type in, weight, out;
} type_rows[] = {{HD_F32, HD_F32, HD_F32}, {HD_F64, HD_F64, HD_F64}, {HD_U8, HD_F32, HD_U8},
                 {HD_I32, HD_I32, HD_I32}, {HD_F16, HD_F32, HD_F16}, {HD_U8, HD_I8, HD_I16},
                 {HD_F32, HD_F64, HD_F64}};
enum { TYPE_ROWS = sizeof type_rows / sizeof *type_rows };

static void random_taps(question *q, uint64_t *state, int64_t reach)
{
    const bool whole = !check_is_float(q->weight_type);
    for (int64_t t = 0; t < q->count; t++) {
        for (int k = 0; k < 3; k++)
            q->offset[t][k] = k < 3 - q->axes ? 0 : check_below(state, 2 * reach + 1) - reach;
        q->weight[t] = whole ? (double)(check_below(state, 7) - 3)
                             : (double)(check_below(state, 2001) - 1000) / 3000.0;
        if (near_sum_of(q->type, q->weight_type, q->out_type) == NEAR_F32)
            q->weight[t] = (double)(float)q->weight[t];
    }
}

static void test_random(void)
{
    static const int64_t sides[] = {1, 2, 3, 5, 8, 13, 17, 24, 33};
    const int rounds = check_small() ? 120 : 700;
    uint64_t state = check_seed();
    for (int turn = 0; turn < rounds; turn++) {
        const struct types t = type_rows[turn % 2 ? 0 : turn / 2 % TYPE_ROWS];
        question q = {.type = t.in, .weight_type = t.weight, .out_type = t.out};
        q.axes = 1 + turn % 3;
        q.count = 1 + check_below(&state, turn % 5 ? 9 : MAX_OFFSETS);
        q.steps = q.type == q.out_type && turn % 4 == 1 ? 1 + check_below(&state, 9) : 1;
        q.channels = turn % 7 == 3;
        q.grid.batches = turn % 6 == 2 ? 2 : 1;
        q.grid.n[3] = q.channels ? 3 : 1;
        for (int k = 0; k < 3; k++)
            q.grid.n[k] = k < 3 - q.axes ? 1 : sides[check_below(&state, 9)];
        if (q.axes == 1) q.grid.n[2] = 1 + check_below(&state, 3000);
        q.grid.border = (hd_border)(HD_BORDER_ZERO + turn % 7);
        if (q.grid.border == HD_BORDER_KEEP && q.type != q.out_type) q.grid.border = HD_BORDER_WRAP;
        q.grid.beyond = q.grid.border == HD_BORDER_CONSTANT ? 2 : 0;
        q.dense = turn % 8 < 5;
        random_taps(&q, &state, 1 + turn % 3);
        if (turn % 9 == 4) {
            q.count = 3;
            q.function = turn % 2 ? spread : middle;
            q.type = q.out_type = q.weight_type = turn % 2 ? HD_F32 : HD_U8;
        }
        try(&q, check_next(&state), turn % 5 ? turn : -1);
    }
}

// The star of seven points, at sizes where threads and blocks over time divide the work.
static void test_star(void)
{
    static const int64_t sides[][3] = {{40, 50, 70},  {9, 130, 164}, {70, 5, 300}, {1, 300, 260},
                                       {1, 1, 70000}, {6, 8, 246},   {8, 8, 288},  {7, 3, 128},
                                       {5, 7, 161},   {3, 4, 256}};
    for (int turn = 0; turn < 50; turn++) {
        const bool deep = turn % 10 >= 5;
        question q = {.type = HD_F32, .weight_type = HD_F32, .out_type = HD_F32};
        const int row =
            turn < 10 ? turn % 5 : 5 + turn % 5; // all, then those of a few lines of rows
        q.axes = sides[row][0] > 1 ? 3 : sides[row][1] > 1 ? 2 : 1;
        int64_t offsets[HD_MAX_LAPLACIAN * 3];
        q.count = hd_laplacian(q.axes, deep || turn >= 10 ? 2 : 4, 1.5, offsets, q.weight);
        for (int64_t t = 0; t < q.count; t++) {
            for (int k = 0; k < q.axes; k++) q.offset[t][3 - q.axes + k] = offsets[t * q.axes + k];
            q.weight[t] = (double)(float)(0.1 * q.weight[t]);
        }
        q.steps = deep ? 8 : 1 + turn % 3;
        memcpy(q.grid.n, sides[row], sizeof sides[row]);
        q.grid.n[3] = q.grid.batches = 1;
        q.grid.border = (hd_border)(HD_BORDER_ZERO + (turn / 5 + turn * 3 + 1) % 7);
        q.dense = true;
        if (check_small()) q.grid.n[1] = q.grid.n[1] < 20 ? q.grid.n[1] : 20;
        try(&q, check_seed() + (uint64_t)turn, check_small() ? turn : -1);
    }
}

// A box of weights is the list of its elements around the middle.
static void test_boxes(void)
{
    float x[60], w[9], got[60], want[60];
    int64_t offsets[9][2];
    check_fill(HD_F32, x, 60, CHECK_ORDINARY, check_seed());
    check_fill(HD_F32, w, 9, CHECK_ORDINARY, check_seed() + 1);
    for (int t = 0; t < 9; t++) offsets[t][0] = t / 3 - 1, offsets[t][1] = t % 3 - 1;
    const hd_view in = hd_view_nd(HD_F32, x, 2, (int64_t[]){6, 10}, NULL);
    const hd_view box = hd_view_nd(HD_F32, w, 2, (int64_t[]){3, 3}, NULL);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_view out = hd_view_nd(HD_F32, got, 2, (int64_t[]){6, 10}, NULL);
        const hd_view other = hd_view_nd(HD_F32, want, 2, (int64_t[]){6, 10}, NULL);
        CHECK_OK(ctx, hd_stencil(ctx, in, HD_EMPTY, box, out, NULL));
        CHECK_OK(ctx, hd_stencil(ctx, in, hd_view_nd(HD_I64, offsets, 2, (int64_t[]){9, 2}, NULL),
                                 HD_VIEW(w, 9), other, NULL));
        CHECK_SAME(HD_F32, got, want, 60, "box on %s", targets[t].name);
        CHECK_OK(ctx, hd_convolve(ctx, in, box, other,
                                  &(hd_convolve_options){.method = HD_CONVOLVE_DIRECT}));
        CHECK_SAME(HD_F32, got, want, 60, "box against convolution on %s", targets[t].name);
    }
}

// ---- Finite differences ----------------------------------------------------------------------

static double power(double x, int k)
{
    double p = 1;
    for (int i = 0; i < k; i++) p *= x;
    return p;
}

// A central difference of order p for derivative d is exact for polynomials up to degree p + d - 1.
static void test_differences(void)
{
    double w[HD_MAX_DIFFERENCE];
    for (int d = 1; d <= 2; d++)
        for (int order = 2; order <= 8; order += 2) {
            const int32_t count = hd_finite_difference(d, order, 0.5, w);
            CHECK(count == order + 1, "derivative %d order %d: %d weights", d, order, count);
            for (int degree = 0; degree <= order + d - 1; degree++) {
                double sum = 0, most = 0;
                for (int k = 0; k < count; k++) {
                    const double term = w[k] * power(1.25 + 0.5 * (k - order / 2), degree);
                    sum += term, most = fmax(most, fabs(term));
                }
                const double exact = d > degree ? 0
                                     : d == 1   ? degree * power(1.25, degree - 1)
                                                : degree * (degree - 1) * power(1.25, degree - 2);
                CHECK(fabs(sum - exact) <= 1e-13 * (1 + most), "x^%d: %.17g, exactly %.17g", degree,
                      sum, exact);
            }
        }
    CHECK(hd_finite_difference(3, 2, 1, w) == 0 && hd_finite_difference(1, 3, 1, w) == 0 &&
              hd_finite_difference(1, 10, 1, w) == 0 && hd_finite_difference(1, 2, 0, w) == 0 &&
              hd_finite_difference(1, 2, NAN, w) == 0 && hd_finite_difference(1, 2, 1, NULL) == 0 &&
              hd_finite_difference(2, 0, 1, w) == 0,
          "what is not known");
    int64_t offsets[HD_MAX_LAPLACIAN * 3];
    double star[HD_MAX_LAPLACIAN];
    CHECK(hd_laplacian(3, 8, 1, offsets, star) == 25 && hd_laplacian(0, 2, 1, offsets, star) == 0 &&
              hd_laplacian(4, 2, 1, offsets, star) == 0 && hd_laplacian(2, 2, 1, NULL, star) == 0,
          "counts of Laplacians");
    hd_laplacian(3, 2, 1, offsets, star);
    static const int64_t expected[] = {-1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0,
                                       0,  0, 0, 1, 0,  1, 0, 1, 0,  0};
    CHECK(memcmp(offsets, expected, sizeof expected) == 0 && star[3] == -6 && star[0] == 1,
          "the star of seven points");
}

// Weights sum to exactly zero in the order of the points, and a field of one power of two has
// derivatives of exactly zero, in f64 and in f32, to which the weights are rounded together.
static void check_zero(int32_t dims, int32_t order, double spacing, hd_type type, double value)
{
    enum { COUNT = 12 * 12 * 12 };
    static double x[COUNT], y[COUNT];
    static const int64_t shape[] = {12, 12, 12};
    const int64_t n = dims == 1 ? 12 : dims == 2 ? 144 : COUNT;
    int64_t offsets[HD_MAX_LAPLACIAN * 3];
    double w[HD_MAX_LAPLACIAN], sum = 0;
    const int32_t count = dims == 0 ? hd_finite_difference(1, order, spacing, w)
                                    : hd_laplacian(dims, order, spacing, offsets, w);
    for (int32_t k = 0; k < count; k++) sum += w[k];
    CHECK(count > 0 && sum == 0, "order %d in %d dimensions, spacing %g: %d weights sum to %g",
          order, dims, spacing, count, sum);
    for (int64_t i = 0; i < n; i++)
        near_store(type, (char *)x + (size_t)i * hd_type_size(type), value);
    const hd_stencil_options o = {.border = HD_BORDER_WRAP};
    hd_view at = HD_EMPTY;
    if (dims > 0) at = hd_view_nd(HD_I64, offsets, 2, (int64_t[]){count, dims}, NULL);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const int32_t axes = dims > 0 ? dims : 1;
        CHECK_OK(ctx, hd_stencil(ctx, hd_view_nd(type, x, axes, shape, NULL), at, HD_VIEW(w, count),
                                 hd_view_nd(type, y, axes, shape, NULL), &o));
        for (int64_t i = 0; i < (dims > 0 ? n : 12); i++)
            CHECK(near_load(type, (char *)y + (size_t)i * hd_type_size(type)) == 0,
                  "%s, order %d in %d dimensions, spacing %g: %g at %" PRId64 " on %s",
                  hd_type_name(type), order, dims, spacing,
                  near_load(type, (char *)y + (size_t)i * hd_type_size(type)), i, targets[t].name);
    }
}

static void test_zero_sums(void)
{
    static const double spacings[] = {1, 0.1, 0.3, 1.0 / 3, 1e-3, 7e5, 1e-9, 12345.678};
    for (int32_t dims = 0; dims <= 3; dims++)
        for (int32_t order = 2; order <= 8; order += 2)
            for (int k = 0; k < 8; k++) {
                check_zero(dims, order, spacings[k], HD_F64, 0x1p-3);
                check_zero(dims, order, spacings[k], HD_F32, 0x1p5);
            }
    // As far as numbers go.
    check_zero(3, 8, 1e-150, HD_F64, 1), check_zero(3, 8, 1e150, HD_F64, 1);
    check_zero(0, 8, 1e-300, HD_F64, 1), check_zero(0, 8, 1e300, HD_F64, 1);
}

// How far f64 weights, and f32 ones made of them, are from the textbook's: a few units of 2^-53 and
// 2^-24 of the sum of magnitudes.
static void test_weights(void)
{
    static const double textbook[] = {-1.0 / 560, 8.0 / 315, -1.0 / 5, 8.0 / 5, -205.0 / 72};
    double w[HD_MAX_DIFFERENCE], sum = 0;
    float x[41] = {0}, y[41];
    hd_finite_difference(2, 8, 0.1, w);
    for (int k = 0; k < 9; k++) sum += fabs(w[k]);
    for (int k = 0; k < 9; k++)
        CHECK(fabs(w[k] - textbook[k < 5 ? k : 8 - k] / (0.1 * 0.1)) <= 0x1p-51 * sum, "weight %d",
              k);
    x[20] = 1; // gives the weights, turned
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_stencil(targets[t].ctx, HD_VIEW(x, 41), HD_EMPTY, HD_VIEW(w, 9),
                                            HD_VIEW(y, 41), NULL));
        for (int k = 0; k < 9; k++)
            CHECK(fabs((double)y[16 + k] - w[8 - k]) <= 0x1p-22 * sum, "f32 weight %d", k);
    }
}

// Spacings whose weights are no numbers; f64 weights that f32 does not hold.
static void test_spacings(void)
{
    double w[HD_MAX_DIFFERENCE];
    static const double bad[][2] = {{1, 1e-309}, {1, 5e-324}, {1, 1.7e308}, {2, 1e-154},
                                    {2, 1e-200}, {2, 1e155},  {2, 1e200},   {2, 1e300}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        CHECK(hd_finite_difference((int32_t)bad[k][0], 8, bad[k][1], w) == 0, "spacing %g",
              bad[k][1]);
    int64_t offsets[HD_MAX_LAPLACIAN * 3];
    double star[HD_MAX_LAPLACIAN];
    CHECK(hd_laplacian(3, 2, 1e-154, offsets, star) == 0 &&
              hd_laplacian(3, 2, 1e160, offsets, star) == 0,
          "spacings of a Laplacian");
    const float x[16] = {1};
    float y[16];
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        for (int k = 0; k < 2; k++) {
            hd_finite_difference(2, 2, k == 0 ? 1e-30 : 1e30, w);
            CHECK(hd_stencil(ctx, HD_VIEW(x, 16), HD_EMPTY, HD_VIEW(w, 3), HD_VIEW(y, 16), NULL) ==
                          HD_ERROR_ARGUMENT &&
                      strstr(hd_error(ctx), k == 0 ? "greatest f32" : "all 3 weights are zero"),
                  "weights of spacing %s: %s", k == 0 ? "1e-30" : "1e30", hd_error(ctx));
        }
    }
}

// ---- Errors ----------------------------------------------------------------------------------

static void test_errors(void)
{
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        float x[64] = {0}, y[64], w[5] = {0};
        int64_t o[10] = {0};
        const hd_view in = HD_VIEW(x, 64), out = HD_VIEW(y, 64), five = HD_VIEW(w, 5);
        const hd_view offsets = HD_VIEW(o, 5);
#define REFUSED(status, word, in, offsets, weights, out, ...)                                      \
    CHECK(hd_stencil(ctx, in, offsets, weights, out, &(hd_stencil_options){__VA_ARGS__}) ==        \
                  status &&                                                                        \
              strstr(hd_error(ctx), word),                                                         \
          "expected %s, '%s': %s", #status, word, hd_error(ctx))
        CHECK(hd_stencil(NULL, in, offsets, five, out, NULL) == HD_ERROR_ARGUMENT, "no context");
        CHECK_OK(ctx, hd_stencil(ctx, in, HD_EMPTY, five, out, NULL));
        REFUSED(HD_ERROR_ARGUMENT, "neither", in, HD_EMPTY, HD_EMPTY, out, .iterations = 1);
        REFUSED(HD_ERROR_ARGUMENT, "both", in, HD_EMPTY, five, out, .function = spread);
        REFUSED(HD_ERROR_ARGUMENT, "offsets", in, HD_EMPTY, HD_EMPTY, out, .function = spread);
        REFUSED(HD_ERROR_ARGUMENT, "inputs", in, offsets, HD_EMPTY, out, .function = spread);
        REFUSED(HD_ERROR_TYPE, "in is f32", in, HD_VIEW(o, 3), HD_EMPTY, out, .function = middle);
        REFUSED(HD_ERROR_TYPE, "gives f32", in, HD_VIEW(o, 3), HD_EMPTY,
                HD_VIEW((int32_t *)(void *)y, 64), .function = spread);
        REFUSED(HD_ERROR_SHAPE, "offsets", in, offsets, HD_VIEW(w, 4), out, .iterations = 0);
        REFUSED(HD_ERROR_SHAPE, "1 to 3", in, hd_view_nd(HD_I64, o, 2, (int64_t[]){2, 4}, NULL),
                HD_VIEW(w, 2), out, .iterations = 0);
        REFUSED(HD_ERROR_TYPE, "integer", in, five, five, out, .iterations = 0);
        REFUSED(HD_ERROR_ARGUMENT, "empty", in, HD_EMPTY, HD_VIEW(w, 0), out, .iterations = 0);
        REFUSED(HD_ERROR_ARGUMENT, "iterations", in, HD_EMPTY, five, out, .iterations = -1);
        REFUSED(HD_ERROR_ARGUMENT, "border", in, HD_EMPTY, five, out, .border = (hd_border)99);
        REFUSED(HD_ERROR_SHAPE, "axes", in, HD_EMPTY,
                hd_view_nd(HD_F32, w, 2, (int64_t[]){2, 2}, NULL), out, .iterations = 0);
        REFUSED(HD_ERROR_SHAPE, "shape", in, HD_EMPTY, five, HD_VIEW(y, 63), .iterations = 0);
        REFUSED(HD_ERROR_ALIAS, "overlaps", in, HD_EMPTY, five, in, .iterations = 0);
        REFUSED(HD_ERROR_TYPE, "i64", HD_VIEW(o, 10), HD_EMPTY, five, HD_VIEW(y, 10),
                .iterations = 0);
        REFUSED(HD_ERROR_TYPE, "one type", HD_VIEW((int16_t *)(void *)x, 64), HD_EMPTY, five, out,
                .iterations = 2);
        REFUSED(HD_ERROR_TYPE, "one type", HD_VIEW((int16_t *)(void *)x, 64), HD_EMPTY, five, out,
                .border = HD_BORDER_KEEP);
        REFUSED(HD_ERROR_ARGUMENT, "implicit", hd_iota(64), HD_EMPTY, five, out, .iterations = 0);
        o[3] = INT64_MAX;
        REFUSED(HD_ERROR_ARGUMENT, "2^31", in, offsets, five, out, .iterations = 0);
        CHECK_OK(ctx, hd_stencil(ctx, HD_VIEW(x, 0), HD_EMPTY, five, HD_VIEW(y, 0), NULL));
        REFUSED(HD_ERROR_ARGUMENT, "HD_CHANNELS_NONE",
                hd_view_nd(HD_F32, x, 2, (int64_t[]){8, 8}, NULL), HD_EMPTY, five,
                hd_view_nd(HD_F32, y, 2, (int64_t[]){8, 8}, NULL), .iterations = 1);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_differences();
    test_zero_sums();
    test_weights();
    test_spacings();
    test_boxes();
    test_errors();
    test_random();
    test_star();
    return check_finish();
}
