// SPDX-License-Identifier: Apache-2.0
//
// The caller's floating-point state: other rounding, subnormal numbers flushed to zero, in the
// calling thread and in the threads of the pool. Results have the same bits as without, and every
// thread has its own state back after each call.
#include <string.h>

#include <heddle_teaching.h>

#include "tests/support/check.h"
#include "tests/support/every_call/every_call.h"
#include "tests/support/float_states.h"

enum { N = 70001, BINS = 50, SIDE = 264 };

static float x[N], tiny[N], below_zero[N]; // the last two are subnormal
static double wide[N], edges[BINS];        // edges as numpy.linspace(-0.1, 0.7, BINS + 1) has them
static int32_t keys[N], index_of[N];

HD_FUNCTION(halved, float, HD_NO_SOURCE, (float, v), { return v / 3.0f + 0.1f; })
HD_OPERATOR(blended, float, HD_NO_SOURCE, 0, { return a * 0.75f + b * 0.3f; })

HD_OPERATOR(minus, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a - b; })

// ---- Results ------------------------------------------------------------------------------------

typedef struct results {
    float sum, least, mean, variance, scan[N], map[N], by_key[N], blended[N], bins[BINS], to[100];
    float smooth[SIDE * SIDE], turned[SIDE * SIDE], sorted[N];
    float small_sum, small_scan[100];
    double wide_sum, wide_least, edges[9];
    int64_t counts[BINS], found, kept;
    float tiny_kept[N];
    uint8_t blurred[SIDE * SIDE];
    float from_tiny, by_wide_mask[SIDE], by_wide_weights[SIDE];
    double norm, greatest, blurred_wide[SIDE];
    int64_t at_greatest, on_edges[BINS];
} results;

// ---- What is computed before a backend has the call, and after it -------------------------------

// An init is brought into the type of the tree; the value of a maximum comes out of its own; edges
// of bins, masks in another type and Gaussian weights are made; operators are checked.
static void use_around(hd_context *ctx, results *r)
{
    static const float little = 0x1.8p-140f, zeros[4];
    const double far = 1.0 / 3;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(zeros, 4), HD_SUM, HD_VIEW(&r->from_tiny, 1),
                            &(hd_reduce_options){.init = &little, .accumulate = HD_F64}));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(wide, 1), HD_NORM2, HD_VIEW(&r->norm, 1),
                            &(hd_reduce_options){.init = &far}));
    hd_maximum_result greatest;
    CHECK_OK(ctx, hd_maximum(ctx, HD_VIEW(below_zero, N), &greatest, NULL));
    r->greatest = greatest.value.f, r->at_greatest = greatest.index;
    const double mask[] = {0.1, 0.3, 0.7};
    const int64_t line[2] = {1, SIDE};
    CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(edges, BINS), HD_VIEW(r->on_edges, BINS),
                               &(hd_histogram_options){.even = true, .lower = -0.1, .upper = 0.7}));
    CHECK_OK(ctx, hd_convolve(ctx, HD_VIEW(x, SIDE), HD_VIEW(mask, 3),
                              HD_VIEW(r->by_wide_mask, SIDE), NULL));
    CHECK_OK(ctx, hd_stencil(ctx, HD_VIEW(x, SIDE), HD_EMPTY, HD_VIEW(mask, 3),
                             HD_VIEW(r->by_wide_weights, SIDE), NULL));
    CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_F64, wide, 2, line, NULL), 2.5,
                          hd_view_nd(HD_F64, r->blurred_wide, 2, line, NULL), NULL));
    const hd_status refused = hd_check_operator(ctx, minus, HD_VIEW(below_zero, 1000), NULL);
    CHECK(refused == HD_ERROR_OPERATOR, "minus is associative for subnormal numbers");
}

static void use(hd_context *ctx, results *r)
{
    static uint8_t picture[SIDE * SIDE];
    static const float mask[] = {0.1f, 0.3f, 0.7f, 0.3f, 0.1f};
    const hd_view in = HD_VIEW(x, N);
    for (int i = 0; i < SIDE * SIDE; i++) picture[i] = (uint8_t)(i * 31 >> 3);
    memset(r, 0, sizeof *r);
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(&r->sum, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(tiny, N), HD_MIN, HD_VIEW(&r->least, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_MEAN, HD_VIEW(&r->mean, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_VARIANCE, HD_VIEW(&r->variance, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(wide, N), HD_SUM, HD_VIEW(&r->wide_sum, 1), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(wide, N), HD_MIN, HD_VIEW(&r->wide_least, 1), NULL));
    CHECK_OK(ctx, hd_scan(ctx, in, HD_SUM, HD_VIEW(r->scan, N), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 100), HD_SUM, HD_VIEW(&r->small_sum, 1), NULL));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 100), HD_SUM, HD_VIEW(r->small_scan, 100), NULL));
    CHECK_OK(ctx, hd_map(ctx, in, halved, HD_VIEW(r->map, N), NULL));
    CHECK_OK(ctx, hd_scan(ctx, in, blended, HD_VIEW(r->blended, N), NULL));
    CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(r->by_key, N),
                            &(hd_reduce_options){.keys = HD_REF(HD_VIEW(keys, N))}));
    CHECK_OK(ctx, hd_histogram(ctx, in, HD_VIEW(r->bins, BINS),
                               &(hd_histogram_options){
                                   .even = true, .lower = -1, .upper = 1, .weights = HD_REF(in)}));
    CHECK_OK(ctx, hd_histogram(ctx, in, HD_VIEW(r->counts, BINS),
                               &(hd_histogram_options){.even = true, .lower = -0.3, .upper = 0.7}));
    CHECK_OK(ctx, hd_scatter(ctx, in, HD_VIEW(index_of, N), HD_VIEW(r->to, 100),
                             &(hd_scatter_options){.combine = HD_SUM}));
    CHECK_OK(ctx, hd_find(ctx, HD_VIEW(tiny, N), HD_VIEW(&r->found, 1), NULL));
    CHECK_OK(ctx, hd_compact(ctx, HD_VIEW(tiny, N), HD_VIEW(r->tiny_kept, N), HD_VIEW(&r->kept, 1),
                             NULL));
    CHECK_OK(ctx, hd_sort(ctx, HD_VIEW(tiny, N), HD_VIEW(r->sorted, N), HD_NO_VALUES, NULL));
    const int64_t side[2] = {SIDE, SIDE};
    CHECK_OK(ctx, hd_convolve(ctx, HD_VIEW(x, SIDE * SIDE), HD_VIEW(mask, 5),
                              HD_VIEW(r->smooth, SIDE * SIDE), NULL));
    CHECK_OK(ctx, hd_blur(ctx, hd_view_nd(HD_U8, picture, 2, side, NULL), 2.5,
                          hd_view_nd(HD_U8, r->blurred, 2, side, NULL), NULL));
    CHECK_OK(ctx,
             hd_stencil(ctx, HD_VIEW(x, SIDE * SIDE), HD_EMPTY, HD_VIEW(mask, 5),
                        HD_VIEW(r->turned, SIDE * SIDE), &(hd_stencil_options){.iterations = 3}));
    CHECK(hd_finite_difference(2, 8, 0.3, r->edges) == 9, "a difference of order 8");
}

static void test_results(const check_target *targets, int count)
{
    static results want, got;
    use(targets[0].ctx, &want);
    use_around(targets[0].ctx, &want);
    for (size_t k = 0; k < sizeof states / sizeof *states; k++)
        for (int t = 0; t < count; t++) {
            if (t > 0 && (t + (int)k) % 3 != 0) continue; // all of them, over the states
            set_everywhere(&states[k]);
            use(targets[t].ctx, &got);
            const bool kept = is_set_everywhere(&states[k]);
            set_everywhere(&states[k]);
            use_around(targets[t].ctx, &got); // after which there are other threads in the pool
            const bool kept_here = is_set_here(&states[k]);
            set_everywhere(&(state){"usual", FE_TONEAREST, false});
            CHECK(kept && kept_here, "%s: %s was not put back", targets[t].name, states[k].name);
            const unsigned char *a = (const void *)&want, *b = (const void *)&got;
            size_t at = 0;
            while (at < sizeof want && a[at] == b[at]) at++;
            CHECK(at == sizeof want, "%s, %s: results differ from byte %zu of %zu on",
                  targets[t].name, states[k].name, at, sizeof want);
        }
}

// Every call puts back what it found, failed ones too.
static void test_every_call(hd_context *ctx)
{
    for (int k = 0; every_call_at(k) != NULL; k++)
        for (int bad = 0; bad < 2; bad++) {
            hd_view v[EVERY_SLOTS];
            int64_t number = 0;
            every_views(every_call_at(k), v);
            if (bad) v[0].ndim = -1;
            const state *s = &states[3];
            set_here(s);
            (void)every_call_at(k)->run(ctx, v, &number);
            const bool kept = is_set_here(s);
            set_here(&(state){"usual", FE_TONEAREST, false});
            CHECK(kept, "%s: the state was not put back", every_call_at(k)->name);
        }
}

// The model machine's own workers.
static void test_gpu(hd_backend which)
{
    enum { FEW = 5000 };
    static float want[FEW], got[FEW];
    hd_context *serial, *ctx;
    if (hd_open(&ctx, &(hd_context_options){.backend = which}) != HD_OK) return;
    CHECK(hd_open(&serial, &(hd_context_options){.backend = HD_SERIAL}) == HD_OK, "serial");
    CHECK_OK(serial, hd_scan(serial, HD_VIEW(x, FEW), HD_SUM, HD_VIEW(want, FEW), NULL));
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        set_everywhere(&states[k]);
        const hd_status status = hd_scan(ctx, HD_VIEW(x, FEW), HD_SUM, HD_VIEW(got, FEW), NULL);
        set_everywhere(&(state){"usual", FE_TONEAREST, false});
        CHECK_OK(ctx, status);
        CHECK_SAME(HD_F32, got, want, FEW, "%s, %s", hd_backend_name(which), states[k].name);
    }
    hd_close(serial);
    hd_close(ctx);
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    if (!set_flush(false)) return CHECK_SKIP;
    check_fill(HD_F32, x, N, CHECK_ORDINARY, check_seed());
    check_fill(HD_F64, wide, N, CHECK_ORDINARY, check_seed() + 1);
    for (int i = 0; i < N; i++) {
        tiny[i] = i < 60000 ? 0 : (float)(i - 30000) * 0x1p-149f; // subnormal
        below_zero[i] = (float)(i % 1000 - 1001) * 0x1p-149f;
        if (i % 3 == 0) wide[i] = 3e-310 + i * 1e-312;
        keys[i] = i / 37, index_of[i] = (int32_t)((int64_t)i * 7919 % 100);
    }
    tiny[5] = -0x1p-149f;
    const double step = (0.7 - -0.1) / BINS;
    for (int k = 0; k < BINS; k++) {
        volatile double away = k * step;
        edges[k] = away + -0.1;
    }
    test_results(targets, count);
    test_every_call(targets[count - 1].ctx);
    (void)check_on_gpus(test_gpu);
    return check_finish();
}
