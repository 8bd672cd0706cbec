// SPDX-License-Identifier: Apache-2.0
//
// Algorithms in a caller's floating-point state: other rounding, subnormal numbers flushed to zero,
// in the calling thread and in the threads of the pool. Results have the same bits as without, and
// the calling thread has its state back after each call, also after one that fails.
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/support/check.h"
#include "tests/support/float_states.h"

enum { N = 20000, SIDE = 96, ROWS = 500 };

static float x[N];
static double wide[N], lower[N], diagonal[N], upper[N];
static int32_t row[N], column[N], parent[N];
static int64_t offset[ROWS + 1];
static const char text[] = "0.1 + 0.7 * (3 - 0.3) / 7 - 1e-309 / 3";

typedef struct results {
    float filtered[N], recurred[N], product[SIDE * SIDE], inverse[SIDE * SIDE], rows[ROWS],
        coordinates[ROWS], sums[N];
    double steady[N], sections[N], both[N], ordered[N], solved[N], values[N], wide_product[SIDE],
        mean[SIDE * SIDE], deviation[SIDE * SIDE], evaluated;
    uint8_t dark[SIDE * SIDE];

} results;

static hd_view square(const void *data, hd_type type, int64_t side)
{
    return hd_view_nd(type, data, 2, (const int64_t[]){side, side}, NULL);
}

static void use_signals(hd_context *ctx, results *r)
{
    static const double b[] = {0.3, 0.1, 0.07}, a[] = {1.3, -0.7, 0.11}, three[] = {0.7, -0.2, 0.1};
    static const double flat[] = {1e-309, 2e-309, 1e-309}, over[] = {3e-309, 0, 0}; // subnormal
    static const double sections[] = {0.3, 0.1, 0.07, 1.3, -0.7, 0.11,
                                      0.1, 0.7, 0.2,  0.9, -0.1, 0.3};
    const hd_view s = hd_view_nd(HD_F64, sections, 2, (const int64_t[]){2, 6}, NULL);
    CHECK_OK(ctx, hd_filter(ctx, HD_VIEW(x, N), HD_VIEW(b, 3), HD_VIEW(a, 3),
                            HD_VIEW(r->filtered, N), NULL));
    CHECK_OK(ctx, hd_filter(ctx, HD_VIEW(wide, N), HD_VIEW(b, 3), HD_VIEW(a, 3),
                            HD_VIEW(r->steady, N), &(hd_filter_options){.steady = true}));
    CHECK_OK(ctx, hd_filter(ctx, HD_VIEW(wide, N), HD_VIEW(flat, 3), HD_VIEW(over, 3),
                            HD_VIEW(r->both, N), &(hd_filter_options){.both = true, .pad = 9}));
    CHECK_OK(ctx, hd_filter_sections(ctx, HD_VIEW(wide, N), s, HD_VIEW(r->sections, N), NULL));
    CHECK_OK(ctx,
             hd_recurrence(ctx, HD_VIEW(x, N), HD_VIEW(three, 3), HD_VIEW(r->recurred, N), NULL));
    CHECK_OK(ctx, hd_recurrence(ctx, HD_VIEW(wide, N), HD_VIEW(three, 3), HD_VIEW(r->ordered, N),
                                &(hd_recurrence_options){.backward = true}));
    CHECK_OK(ctx,
             hd_polynomial(ctx, HD_VIEW(three, 3), HD_VIEW(wide, N), HD_VIEW(r->values, N), NULL));
}

static void use_matrices(hd_context *ctx, results *r)
{
    const hd_view p = square(x, HD_F32, SIDE);
    CHECK_OK(ctx, hd_tridiagonal(ctx, HD_VIEW(lower, N), HD_VIEW(diagonal, N), HD_VIEW(upper, N),
                                 HD_VIEW(wide, N), HD_VIEW(r->solved, N),
                                 &(hd_tridiagonal_options){.refinements = 1}));
    CHECK_OK(ctx, hd_matmul(ctx, p, p, square(r->product, HD_F32, SIDE), NULL));
    CHECK_OK(ctx, hd_inverse(ctx, p, square(r->inverse, HD_F32, SIDE), NULL));
    CHECK_OK(ctx, hd_spmv(ctx, HD_VIEW(offset, ROWS + 1), HD_VIEW(column, N), HD_VIEW(x, N),
                          HD_VIEW(x, N), HD_DOT, HD_VIEW(r->rows, ROWS), NULL));
    CHECK_OK(ctx, hd_spmv_coo(ctx, HD_VIEW(row, N), HD_VIEW(column, N), HD_VIEW(x, N),
                              HD_VIEW(x, N), HD_DOT, HD_VIEW(r->coordinates, ROWS), NULL));
    // Regular, but for who takes its pivots for zero.
    static const double small[] = {3e-310, 0, 0, 5e-310};
    CHECK_OK(ctx,
             hd_inverse(ctx, square(small, HD_F64, 2), square(r->wide_product, HD_F64, 2), NULL));
}

static void use_others(hd_context *ctx, results *r)
{
    const hd_view image = square(x, HD_F32, SIDE), mean = square(r->mean, HD_F64, SIDE),
                  deviation = square(r->deviation, HD_F64, SIDE);
    CHECK_OK(ctx, hd_box_statistics(ctx, image, 5, 7,
                                    &(hd_box_options){.means = &mean, .variances = &deviation}));
    CHECK_OK(ctx, hd_threshold(ctx, image, square(r->dark, HD_U8, SIDE),
                               &(hd_threshold_options){.ratio = 0.3, .height = 5, .width = 7}));
    CHECK_OK(ctx, hd_tree_reduce(ctx, HD_VIEW(parent, N), HD_VIEW(x, N), HD_SUM,
                                 HD_VIEW(r->sums, N), NULL));
    CHECK_OK(ctx, hd_evaluate(ctx, hd_view_of(HD_U8, text, (int64_t)strlen(text)),
                              HD_VIEW(&r->evaluated, 1), NULL));
}

static void use(hd_context *ctx, results *r)
{
    memset(r, 0, sizeof *r);
    use_signals(ctx, r);
    use_matrices(ctx, r);
    use_others(ctx, r);
}

static void compare(const results *got, const results *want, const char *where, const char *state)
{
#define SAME(member, n)                                                                            \
    CHECK(memcmp(&got->member, &want->member, (n) * sizeof *want->member) == 0,                    \
          #member " on %s, %s", where, state)
    SAME(filtered, N), SAME(steady, N), SAME(both, N), SAME(sections, N), SAME(recurred, N);
    SAME(ordered, N), SAME(values, N), SAME(solved, N), SAME(product, SIDE * SIDE);
    SAME(inverse, SIDE * SIDE), SAME(rows, ROWS), SAME(coordinates, ROWS), SAME(wide_product, 4);
    SAME(mean, SIDE * SIDE), SAME(deviation, SIDE * SIDE), SAME(dark, SIDE * SIDE), SAME(sums, N);
    CHECK(memcmp(&got->evaluated, &want->evaluated, sizeof got->evaluated) == 0,
          "evaluated on %s, %s: %a, expected %a", where, state, got->evaluated, want->evaluated);
#undef SAME
}

static const state usual = {"usual", FE_TONEAREST, false};

static void test_results(const check_target *t)
{
    static results want, got;
    use(t->ctx, &want);
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        set_everywhere(&states[k]);
        use(t->ctx, &got);
        const bool kept = is_set_here(&states[k]);
        set_everywhere(&usual);
        CHECK(kept, "%s on %s: the state was not put back", states[k].name, t->name);
        compare(&got, &want, t->name, states[k].name);
    }
}

static void test_failures(const check_target *t)
{
    const state *s = &states[3];
    set_here(s);
    const hd_status wrong =
        hd_filter(t->ctx, HD_VIEW(x, N), HD_EMPTY, HD_EMPTY, HD_VIEW(x, N), NULL);
    const hd_status none = hd_matmul(NULL, HD_EMPTY, HD_EMPTY, HD_EMPTY, NULL);
    const bool kept = is_set_here(s);
    set_here(&usual);
    CHECK(wrong != HD_OK && none == HD_ERROR_ARGUMENT, "%s, %s", hd_status_name(wrong),
          hd_status_name(none));
    CHECK(kept, "on %s: the state was not put back after an error", t->name);
}

int main(void)
{
    uint64_t r = check_seed();
    const check_target *targets;
    const int count = check_targets(&targets);
    if (!set_flush(false)) return CHECK_SKIP;
    check_fill(HD_F32, x, N, CHECK_ORDINARY, check_seed());
    check_fill(HD_F64, wide, N, CHECK_ORDINARY, check_seed() + 1);
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0) wide[i] = 3e-310 + i * 1e-312;
        row[i] = (int32_t)check_below(&r, ROWS), column[i] = (int32_t)check_below(&r, N);
        lower[i] = 0.1 * (i % 7), upper[i] = -0.3 * (i % 5), diagonal[i] = 2.7 + i % 3;
        parent[i] = i == 0 ? 0 : (int32_t)check_below(&r, i);
    }
    for (int i = 0; i <= ROWS; i++) offset[i] = (int64_t)i * N / ROWS;
    for (int i = 0; i < SIDE; i++) x[i * SIDE + i] += 100;
    for (int t = 0; t < count; t++) {
        test_results(&targets[t]);
        test_failures(&targets[t]);
    }
    return check_finish();
}
