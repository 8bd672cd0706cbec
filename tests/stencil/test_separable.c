// SPDX-License-Identifier: Apache-2.0
//
// Separable masks: every mask of rank one is found, whatever its type and the exponents of its
// elements, and none that is one bit away from it; and where the two passes overflow, the result is
// that of the direct sum, on every target, for every type, against neighbours.h.
#define _GNU_SOURCE
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/neighbours.h"

static const check_target *targets;
static int target_count;

// ---- Which masks -----------------------------------------------------------------------------

enum { MAX = 6, POINTS = 4 };

static void keep_line(void *user, const char *line)
{
    strncat(user, line, 300);
}

// Whether the library takes this mask of 64-bit elements, or of f32, as a column times a row.
static bool is_found(hd_context *ctx, char *line, hd_type type, const void *mask, int64_t rows,
                     int64_t columns)
{
    double x[POINTS] = {0}, y[POINTS]; // of any type
    const hd_type of = type == HD_I64 ? HD_I32 : type;
    const int64_t shape[] = {2, 2}, mask_shape[] = {rows, columns};
    line[0] = 0;
    CHECK_OK(ctx, hd_convolve(ctx, hd_view_nd(of, x, 2, shape, NULL),
                              hd_view_nd(type, mask, 2, mask_shape, NULL),
                              hd_view_nd(of, y, 2, shape, NULL), NULL));
    return strstr(line, "separable") != NULL;
}

typedef struct factor {
    int64_t whole[MAX];
    int exponent[MAX];
} factor;

static factor make_factor(hd_type type, int64_t n, bool zeros, uint64_t *state)
{
    factor f;
    const int bits = type == HD_F32   ? 12
                     : type == HD_F64 ? 26
                                      : 31,
              spread = type == HD_F32 ? 130 : 1000;
    const int about = type == HD_I64 ? 0 : (int)check_below(state, 2 * spread) - spread;
    const int around = 1 + (int)check_below(state, type == HD_I64 ? 1 : spread);
    for (int64_t i = 0; i < n; i++) {
        f.whole[i] = 1 + check_below(state, ((int64_t)1 << (1 + check_below(state, bits))) - 1);
        if (check_below(state, 2)) f.whole[i] = -f.whole[i];
        if (zeros && i > 0 && check_below(state, 4) == 0) f.whole[i] = 0;
        f.exponent[i] = about + (int)check_below(state, around) - around / 2;
    }
    return f;
}

// The product of two factors as elements of the type; false if one is no number of it.
static bool make_mask(hd_type type, const factor *c, int64_t rows, const factor *r, int64_t columns,
                      void *mask)
{
    for (int64_t k = 0; k < rows * columns; k++) {
        const int64_t i = k / columns, j = k % columns, whole = c->whole[i] * r->whole[j];
        const int exponent = c->exponent[i] + r->exponent[j];
        const double x = ldexp((double)whole, exponent);
        if (type == HD_I64) {
            ((int64_t *)mask)[k] = whole;
            continue;
        }
        const double kept = type == HD_F32 ? (double)(float)x : x;
        if (!isfinite(kept) || ldexp(kept, -exponent) != (double)whole) return false;
        if (type == HD_F32)
            ((float *)mask)[k] = (float)x;
        else
            ((double *)mask)[k] = x;
    }
    return true;
}

// One element by its last bit: 0 is not among them.
static void change(hd_type type, void *mask, int64_t at)
{
    if (type == HD_I64) ((int64_t *)mask)[at] ^= 1;
    if (type == HD_F32) ((float *)mask)[at] = nextafterf(((float *)mask)[at], 0);
    if (type == HD_F64) ((double *)mask)[at] = nextafter(((double *)mask)[at], 0);
}

static void test_masks(void)
{
    static const hd_type types[] = {HD_F32, HD_F64, HD_I64};
    char line[400] = "";
    hd_context *ctx;
    uint64_t state = check_seed();
    int made[3] = {0};
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.trace = keep_line, .trace_user = line}));
    for (int turn = 0; turn < (check_small() ? 600 : 6000); turn++) {
        const hd_type type = types[turn % 3];
        const int64_t rows = 2 + check_below(&state, MAX - 1);
        const int64_t columns = 2 + check_below(&state, MAX - 1);
        const bool zeros = turn % 2;
        const factor c = make_factor(type, rows, zeros, &state);
        const factor r = make_factor(type, columns, zeros, &state);
        double mask[MAX * MAX];
        if (!make_mask(type, &c, rows, &r, columns, mask)) continue;
        made[turn % 3]++;
        CHECK(is_found(ctx, line, type, mask, rows, columns),
              "turn %d: %s mask of %" PRId64 " x %" PRId64 " is not found", turn,
              hd_type_name(type), rows, columns);
        if (zeros) continue;
        change(type, mask, check_below(&state, rows * columns));
        CHECK(!is_found(ctx, line, type, mask, rows, columns),
              "turn %d: %s mask of %" PRId64 " x %" PRId64 " is of another rank", turn,
              hd_type_name(type), rows, columns);
    }
    for (int k = 0; k < 3; k++)
        CHECK(made[k] > 20, "%d masks of %s, seed %" PRIu64, made[k], hd_type_name(types[k]),
              check_seed());
    hd_close(ctx);
}

// A picture of one 1 has the mask's elements: exactly, and so by two passes as well.
static void expect_elements(hd_context *ctx, hd_type type, const void *mask, size_t number)
{
    const int64_t shape[] = {2, 2};
    for (int at = 0; at < POINTS; at++) {
        double x[POINTS] = {0}, y[2][POINTS]; // of the type
        if (type == HD_F32)
            ((float *)(void *)x)[at] = 1;
        else
            x[at] = 1;
        for (int direct = 0; direct < 2; direct++)
            CHECK_OK(ctx, hd_convolve(ctx, hd_view_nd(type, x, 2, shape, NULL),
                                      hd_view_nd(type, mask, 2, shape, NULL),
                                      hd_view_nd(type, y[direct], 2, shape, NULL),
                                      &(hd_convolve_options){.method = direct ? HD_CONVOLVE_DIRECT
                                                                              : HD_CONVOLVE_AUTO}));
        CHECK_SAME(type, y[0], y[1], POINTS, "mask %zu, a 1 at %d", number, at);
    }
}

// Masks whose row over its greatest common divisor, or whose column by what is left, is no number
// of the type: a power of two must move from one to the other.
static void test_far_apart(void)
{
    const float wide[4] = {0x1p-70f, 0x1.8p70f, 0x1.8p-70f, 0x1.2p71f};
    const float low[4] = {0x1.4p-140f, 0x1.4p-100f, 0x1.ep-140f, 0x1.ep-100f};
    const float high[4] = {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX};
    const float least[4] = {0x1p-149f, 0x1p-149f, 0x1p-148f, 0x1p-148f};
    const double huge[4] = {0x1p-1074, 0x1p900, 0x1p-1073, 0x1p901};
    const double small[4] = {3 * 0x1p-600, 5 * 0x1p-600, 9 * 0x1p-600, 15 * 0x1p-600};
    const int64_t whole[4] = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    const int64_t odd[4] = {INT64_C(3) << 60, INT64_C(1) << 60, 9, 3};
    const float infinite[4] = {1, 1, INFINITY, INFINITY};
    const float rank_two[4] = {0, 1, 1, 0};
    const struct {
        hd_type type;
        const void *mask;
        bool found;
    } rows[] = {{HD_F32, wide, true},     {HD_F32, low, true},  {HD_F32, high, true},
                {HD_F32, least, true},    {HD_F64, huge, true}, {HD_F64, small, true},
                {HD_I64, whole, true},    {HD_I64, odd, true},  {HD_F32, infinite, false},
                {HD_F32, rank_two, false}};
    char line[400] = "";
    hd_context *ctx;
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.trace = keep_line, .trace_user = line}));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        CHECK(is_found(ctx, line, rows[k].type, rows[k].mask, 2, 2) == rows[k].found, "mask %zu",
              k);
        if (rows[k].found && rows[k].type != HD_I64)
            expect_elements(ctx, rows[k].type, rows[k].mask, k);
    }
    hd_close(ctx);
}

// ---- Overflow --------------------------------------------------------------------------------

typedef struct question {
    hd_type in, out;
    int64_t rows, columns; // of the mask
    double column[5], row[5];
    near_grid grid;
    bool channels;
} question;

static void list(int64_t rows, int64_t columns, int64_t (*to)[3])
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++, to++)
            (*to)[0] = 0, (*to)[1] = i - rows / 2, (*to)[2] = j - columns / 2;
}

// The sums by two passes, or where only they are not finite the direct ones.
static void answer(const question *q, const double *in, const double *mask, double *out)
{
    const near_sum sum = near_sum_of(q->in, q->in, q->out);
    const int64_t n = near_count(&q->grid);
    int64_t offset[25][3];
    double *between = check_memory((size_t)n * 8), *direct = check_memory((size_t)n * 8);
    near_grid sides = q->grid;
    list(q->rows, 1, offset);
    near_weighted(&q->grid, sum, in, q->rows, (const int64_t(*)[3])offset, q->column, between);
    const near_grid lonely = {1, {1, 1, 1, 1}, HD_BORDER_CONSTANT, q->grid.beyond};
    near_weighted(&lonely, sum, &q->grid.beyond, q->rows, (const int64_t(*)[3])offset, q->column,
                  &sides.beyond);
    list(1, q->columns, offset);
    near_weighted(&sides, sum, between, q->columns, (const int64_t(*)[3])offset, q->row, out);
    list(q->rows, q->columns, offset);
    near_weighted(&q->grid, sum, in, q->rows * q->columns, (const int64_t(*)[3])offset, mask,
                  direct);
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(out[i]) && isfinite(direct[i])) out[i] = direct[i];
    free(between), free(direct);
}

// Numbers near the greatest of the type, small ones, and here and there one that is not finite.
static void fill(hd_type type, void *to, int64_t n, bool finite, uint64_t *state)
{
    const double most = type == HD_F64 ? DBL_MAX : type == HD_F16 ? 65504 : 0x1.fcp127;
    for (int64_t i = 0; i < n; i++) {
        const int64_t kind = check_below(state, finite ? 12 : 16);
        const double sign = check_below(state, 4) ? 1 : -1;
        double x = kind < 8    ? most / (double)(1 + check_below(state, 8))
                   : kind < 12 ? (double)check_below(state, 1000) / 8
                   : kind < 14 ? INFINITY
                               : NAN;
        if (!finite && check_below(state, 3)) x = (double)check_below(state, 1000) / 8;
        near_store(type, (char *)to + (size_t)i * hd_type_size(type), sign * x);
    }
}

static void try(const question *q, uint64_t seed, int turn)
{
    uint64_t state = seed;
    const int64_t n = near_count(&q->grid), elements = q->rows * q->columns;
    double mask[25], *values = check_memory((size_t)n * 8), *sums = check_memory((size_t)n * 8);
    char *x = check_memory((size_t)n * 8), *got = check_memory((size_t)n * 8);
    char *want = check_memory((size_t)n * 8), m[25 * 8];
    const hd_type mask_type = q->in == HD_F64 || q->out == HD_F64 ? HD_F64 : HD_F32;
    for (int64_t i = 0; i < elements; i++)
        mask[i] = q->column[i / q->columns] * q->row[i % q->columns];
    near_store_all(mask_type, m, mask, elements);
    fill(q->in, x, n, turn % 2, &state);
    near_load_all(q->in, x, values, n);
    answer(q, values, mask, sums);
    near_store_all(q->out, want, sums, n);
    const int64_t shape[] = {q->grid.n[1], q->grid.n[2], q->grid.n[3]};
    const int32_t axes = q->channels ? 3 : 2;
    const hd_convolve_options o = {.border = q->grid.border,
                                   .constant = q->grid.beyond,
                                   .channels = q->channels ? HD_CHANNELS_LAST : HD_CHANNELS_NONE};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx,
                 hd_convolve(ctx, hd_view_nd(q->in, x, axes, shape, NULL),
                             hd_view_nd(mask_type, m, 2, (int64_t[]){q->rows, q->columns}, NULL),
                             hd_view_nd(q->out, got, axes, shape, NULL), &o));
        CHECK_SAME(q->out, got, want, n, "turn %d, seed %" PRIu64 ": %s to %s on %s", turn, seed,
                   hd_type_name(q->in), hd_type_name(q->out), targets[t].name);
    }
    free(values), free(sums), free(x), free(got), free(want);
}

static void test_overflow(void)
{
    static const hd_type types[][2] = {{HD_F32, HD_F32},  {HD_F64, HD_F64},   {HD_F32, HD_U8},
                                       {HD_BF16, HD_F32}, {HD_F32, HD_F64},   {HD_F64, HD_F32},
                                       {HD_F16, HD_F32},  {HD_BF16, HD_BF16}, {HD_F32, HD_I32}};
    static const double factors[][5] = {{1, 2, 1}, {1, 0, -1}, {1, 1, 1, 1, 1}, {1, -2, 0, 2, -1},
                                        {1, -1},   {0, 0, 1},  {1, 4, 6, 4, 1}, {0.25, 0.5, 0.25}};
    static const int64_t length[] = {3, 3, 5, 5, 2, 3, 5, 3};
    uint64_t state = check_seed() + 1;
    for (int turn = 0; turn < (check_small() ? 60 : 400); turn++) {
        const int64_t c = check_below(&state, 8), r = check_below(&state, 7);
        question q = {.in = types[turn % 9][0], .out = types[turn % 9][1]};
        q.rows = length[c], q.columns = length[r];
        memcpy(q.column, factors[c], sizeof q.column), memcpy(q.row, factors[r], sizeof q.row);
        // The library's column has the powers of two, and its row begins with a positive number if
        // the mask's does: here that is so already.
        q.grid = (near_grid){1,
                             {1, 1 + check_below(&state, 40), 1 + check_below(&state, 70), 1},
                             (hd_border)(HD_BORDER_ZERO + turn % 6),
                             0};
        if (turn % 50 == 7) q.grid.n[1] = 150, q.grid.n[2] = 1100; // many tiles
        if (q.grid.border == HD_BORDER_CONSTANT) q.grid.beyond = turn % 4 ? 0x1p127 : 3;
        q.channels = turn % 5 == 2;
        if (q.channels) q.grid.n[3] = 3;
        try(&q, check_next(&state), turn);
    }
}

// A Sobel mask over a field of one great value: the direct sum is 0, and down a column infinite.
static void test_sobel(void)
{
    enum { SIDE = 9 };
    float x[SIDE * SIDE], y[SIDE * SIDE];
    const float mask[9] = {1, 0, -1, 2, 0, -2, 1, 0, -1};
    const int64_t shape[] = {SIDE, SIDE}, three[] = {3, 3};
    for (int i = 0; i < SIDE * SIDE; i++) x[i] = 1.5e38f;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_convolve_options o = {.border = HD_BORDER_REPLICATE};
        CHECK_OK(ctx, hd_convolve(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL),
                                  hd_view_nd(HD_F32, mask, 2, three, NULL),
                                  hd_view_nd(HD_F32, y, 2, shape, NULL), &o));
        for (int i = 0; i < SIDE * SIDE; i++)
            CHECK(y[i] == 0, "element %d is %g on %s", i, (double)y[i], targets[t].name);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_far_apart();
    test_masks();
    test_sobel();
    test_overflow();
    return check_finish();
}
