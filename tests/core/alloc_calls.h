// SPDX-License-Identifier: Apache-2.0
//
// A call of everything that allocates, on n elements: test_alloc.c fails each of their allocations.
#ifndef HEDDLE_TESTS_CORE_ALLOC_CALLS_H
#define HEDDLE_TESTS_CORE_ALLOC_CALLS_H

#include "tests/support/check.h"

typedef struct point {
    float x, y, z;
} point;
HD_OPERATOR(larger, point, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a.x >= b.x ? a : b; })
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })

enum { MAX = 70000 };
static float x[MAX], out[MAX], y[MAX];
static int64_t offsets[MAX], indices[MAX];
static int32_t keys[MAX];
static uint16_t halves[MAX], halves_out[MAX];
static int64_t n; // of the present round

static hd_status everything(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, 1), NULL);
}
static hd_status strided(hd_context *ctx)
{
    return hd_reduce(ctx, hd_slice(HD_VIEW(x, n), 0, n - 1, n / 2, -2), HD_VARIANCE,
                     HD_VIEW(out, 1), NULL);
}
static hd_status half(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW_OF(HD_F16, halves, n), HD_MEAN, HD_VIEW_OF(HD_F16, halves_out, 1),
                     NULL);
}
static hd_status mapped(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, 1),
                     &(hd_reduce_options){.map = times, .with = HD_VIEWS(HD_VIEW(y, n))});
}
static hd_status rows(hd_context *ctx)
{
    const hd_view v = hd_view_nd(HD_F32, x, 2, (int64_t[]){n / 100, 100}, NULL);
    return hd_reduce(ctx, v, HD_SUM, HD_VIEW(out, 100), &(hd_reduce_options){.axis = HD_AXIS(0)});
}
static hd_status columns(hd_context *ctx)
{
    const hd_view v = hd_view_nd(HD_F32, x, 2, (int64_t[]){n / 100, 100}, NULL);
    return hd_reduce(ctx, v, HD_ARGMAX, HD_VIEW(indices, n / 100),
                     &(hd_reduce_options){.axis = HD_AXIS(1)});
}
static hd_status segments(hd_context *ctx)
{
    return hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n / 10),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, n / 10 + 1))});
}
static hd_status long_segments(hd_context *ctx)
{
    static const int64_t ends[] = {0, 300000, 600000, 600000};
    return hd_reduce(ctx, hd_constant(0.5f, 600000), HD_SUM, HD_VIEW(out, 3),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(ends, 4))});
}
static hd_status by_key(hd_context *ctx)
{
    int64_t runs;
    return hd_reduce(
        ctx, HD_VIEW(x, n), HD_MAX, HD_VIEW(out, n),
        &(hd_reduce_options){.keys = HD_REF(HD_VIEW(keys, n)), .runs = HD_REF(HD_VIEW(&runs, 1))});
}
static hd_status users(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_reduce(ctx, HD_VIEW_OF(type, x, n / 3), larger, HD_VIEW_OF(type, out, 1), NULL);
}
static hd_status scan(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n), NULL);
}
static hd_status scan_backward(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n),
                   &(hd_scan_options){.backward = true, .exclusive = true});
}
static hd_status scan_half(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW_OF(HD_F16, halves, n), HD_SUM, HD_VIEW_OF(HD_F16, halves_out, n),
                   NULL);
}
static hd_status scan_arg(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_ARGMIN, HD_VIEW(indices, n),
                   &(hd_scan_options){.values = HD_REF(HD_VIEW(out, n))});
}
static hd_status scan_rows(hd_context *ctx)
{
    const hd_view v = hd_view_nd(HD_F32, x, 2, (int64_t[]){n / 100, 100}, NULL);
    const hd_view o = hd_view_nd(HD_F32, out, 2, (int64_t[]){n / 100, 100}, NULL);
    return hd_scan(ctx, v, HD_SUM, o, &(hd_scan_options){.axis = HD_AXIS(0)});
}
static hd_status scan_segments(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n),
                   &(hd_scan_options){.segments = HD_REF(HD_VIEW(offsets, n / 10 + 1))});
}
static hd_status scan_by_key(hd_context *ctx)
{
    return hd_scan(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(out, n),
                   &(hd_scan_options){.keys = HD_REF(HD_VIEW(keys, n)),
                                      .map = times,
                                      .with = HD_VIEWS(hd_constant(0.5f, n))});
}
static hd_status scan_users(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_scan(ctx, HD_VIEW_OF(type, x, n / 3), larger, HD_VIEW_OF(type, out, n / 3), NULL);
}
static hd_status in_pieces(hd_context *ctx, bool monotone)
{
    hd_carry *carry = NULL;
    hd_status status = hd_carry_open(ctx, &carry);
    if (status != HD_OK) return status;
    const hd_scan_options options = {.carry = carry, .monotone = monotone};
    status = hd_scan(ctx, HD_VIEW(x, n / 2), HD_SUM, HD_VIEW(out, n / 2), &options);
    if (status == HD_OK)
        status =
            hd_scan(ctx, HD_VIEW(x + n / 2, n / 2), HD_SUM, HD_VIEW(out + n / 2, n / 2), &options);
    hd_carry_close(ctx, carry);
    return status;
}
static hd_status pieces(hd_context *ctx)
{
    return in_pieces(ctx, false);
}
static hd_status monotone_pieces(hd_context *ctx)
{
    return in_pieces(ctx, true);
}
HD_COMPARISON(by_x, point, HD_NO_SOURCE, { return a.x < b.x; })
static hd_status sort_by(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_sort(ctx, HD_VIEW_OF(type, x, n / 3), HD_VIEW_OF(type, out, n / 3), HD_NO_VALUES,
                   &(hd_sort_options){.comparison = by_x});
}
static hd_status sort_by_indices(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    return hd_sort(
        ctx, HD_VIEW_OF(type, x, n / 3), HD_VIEW_OF(type, out, n / 3),
        HD_VALUES(HD_VIEW(halves, n / 3), HD_VIEW(halves_out, n / 3)),
        &(hd_sort_options){.comparison = by_x, .indices = HD_REF(HD_VIEW(indices, n / 3))});
}
static hd_status merge(hd_context *ctx)
{
    return hd_merge(ctx, HD_VIEW(x, n / 2), hd_slice(HD_VIEW(y, n), 0, 0, n / 3, 2),
                    HD_VIEW(out, n / 2 + n / 3), HD_NO_VALUES, NULL);
}
static hd_status merge_values(hd_context *ctx)
{
    const int64_t m = n / 4;
    return hd_merge(
        ctx, HD_VIEW(x, m), HD_VIEW(y, m), HD_VIEW(out, 2 * m),
        HD_VALUES(HD_VIEW(keys, m), HD_VIEW(keys, m), HD_VIEW((int32_t *)(void *)indices, 2 * m)),
        NULL);
}
// Rows, descending by a comparison, with indices.
static hd_status merge_rows(hd_context *ctx)
{
    const hd_type type = HD_TYPE(point);
    const int64_t m = n / 12, one[] = {2, m}, both[] = {2, 2 * m};
    const hd_view at = hd_view_nd(HD_I64, indices, 2, both, NULL);
    return hd_merge(
        ctx, hd_view_nd(type, x, 2, one, NULL), hd_view_nd(type, y, 2, one, NULL),
        hd_view_nd(type, out, 2, both, NULL), HD_NO_VALUES,
        &(hd_merge_options){
            .comparison = by_x, .indices = &at, .axis = HD_AXIS(1), .descending = true});
}
static hd_status top_rows(hd_context *ctx)
{
    const int64_t in[] = {n / 10, 10}, few[] = {n / 10, 5};
    return hd_top_k(ctx, hd_view_nd(HD_F32, x, 2, in, NULL), 5,
                    hd_view_nd(HD_F32, out, 2, few, NULL),
                    HD_VALUES(hd_view_nd(HD_F32, y, 2, in, NULL),
                              hd_view_nd(HD_F32, out + n / 2, 2, few, NULL)),
                    &(hd_top_k_options){.axis = HD_AXIS(1)});
}
static hd_status search(hd_context *ctx)
{
    return hd_search(ctx, hd_slice(HD_VIEW(x, n), 0, n - 1, n, -1), HD_VIEW(y, n),
                     HD_VIEW(indices, n), &(hd_search_options){.right = true});
}
static hd_status top(hd_context *ctx)
{
    return hd_top_k(ctx, HD_VIEW(x, n), 10, HD_VIEW(out, 10), HD_NO_VALUES,
                    &(hd_top_k_options){.indices = HD_REF(HD_VIEW(indices, 10))});
}
static hd_status top_many(hd_context *ctx)
{
    return hd_top_k(ctx, HD_VIEW(x, n), n / 2, HD_VIEW(out, n / 2), HD_NO_VALUES,
                    &(hd_top_k_options){.indices = HD_REF(HD_VIEW(indices, n / 2))});
}
static hd_status ranks_of(hd_context *ctx, int64_t m)
{
    for (int64_t k = 0; k < m; k++) indices[k] = k * (n - 1) / m;
    return hd_nth(ctx, HD_VIEW(x, n), HD_VIEW(indices, m), HD_VIEW(out, m), NULL);
}
static hd_status nth(hd_context *ctx)
{
    indices[0] = n / 2;
    return hd_nth(ctx, HD_VIEW(x, n), HD_VIEW(indices, 1), HD_VIEW(out, 1), NULL);
}
static hd_status nth_few(hd_context *ctx)
{
    return ranks_of(ctx, 5);
}
static hd_status nth_many(hd_context *ctx)
{
    return ranks_of(ctx, n < 600 ? n : 600);
}
static hd_status quantiles_of_rows(hd_context *ctx)
{
    static const double p[2] = {0.5, 0.9};
    const int64_t in[] = {n / 30, 30}, two[] = {n / 30, 2};
    return hd_quantiles(ctx, hd_view_nd(HD_F32, x, 2, in, NULL), HD_VIEW(p, 2),
                        hd_view_nd(HD_F32, out, 2, two, NULL),
                        &(hd_quantiles_options){.axis = HD_AXIS(1)});
}
static hd_status set_union(hd_context *ctx) // keys fall from their end on
{
    const hd_view a = hd_slice(HD_VIEW(keys, n), 0, n - 1, n / 2, -1), b = HD_VIEW(keys, n / 2);
    int64_t count;
    return hd_set_union(ctx, a, hd_slice(b, 0, n / 2 - 1, n / 2, -1),
                        HD_VIEW((int32_t *)(void *)out, n), HD_VIEW(&count, 1),
                        &(hd_set_options){.descending = true});
}
static hd_status set_values(hd_context *ctx) // of every second element
{
    const hd_view a = HD_VIEW(keys, n / 2), b = HD_VIEW(keys, n / 4);
    const hd_view va = hd_slice(HD_VIEW(x, n), 0, 0, n / 2, 2);
    const hd_view vb = hd_slice(HD_VIEW(x, n), 0, 0, n / 4, 2);
    int64_t count;
    return hd_set_union(ctx, a, b, HD_EMPTY, HD_VIEW(&count, 1),
                        &(hd_set_options){.value_views = HD_VALUES(va, vb, HD_VIEW(out, n))});
}
static hd_status histogram_rows(hd_context *ctx)
{
    const int64_t in[] = {n / 30, 30}, bins[] = {n / 30, 10};
    return hd_histogram(
        ctx, hd_view_nd(HD_F32, x, 2, in, NULL), hd_view_nd(HD_F32, out, 2, bins, NULL),
        &(hd_histogram_options){.axis = HD_AXIS(1),
                                .even = true,
                                .upper = 10,
                                .weights = HD_REF(hd_view_nd(HD_F32, y, 2, in, NULL))});
}
static hd_status many_of_segments(hd_context *ctx)
{
    static int64_t bounds[101];
    for (int64_t j = 0; j <= 100; j++) bounds[j] = n / 100 * j;
    return hd_reduce_many(ctx, HD_VIEW(x, n), HD_OPERATORS(HD_SUM, HD_MAX),
                          HD_VIEWS(HD_VIEW(out, 100), HD_VIEW(out + 100, 100)),
                          &(hd_reduce_many_options){.segments = HD_REF(HD_VIEW(bounds, 101)),
                                                    .map = times,
                                                    .with = HD_VIEWS(HD_VIEW(y, n))});
}
static hd_status slide(hd_context *ctx)
{
    return hd_slide(ctx, HD_VIEW(x, n), HD_MEAN, 5, HD_VIEW(out, n - 4), NULL);
}
static hd_status convolve(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    static const float mask[] = {1, 2, 3, 4, 5, 7};
    return hd_convolve(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL),
                       hd_view_nd(HD_F32, mask, 2, (int64_t[]){2, 3}, NULL),
                       hd_view_nd(HD_F32, out, 2, shape, NULL), NULL);
}
static hd_status convolve_separable(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    static const int8_t mask[] = {1, 2, 2, 4};
    return hd_convolve(ctx, hd_view_nd(HD_I32, keys, 2, shape, NULL),
                       hd_view_nd(HD_I8, mask, 2, (int64_t[]){2, 2}, NULL),
                       hd_view_nd(HD_F32, out, 2, shape, NULL), NULL);
}
// Two passes that are infinite, into another type than that of the sums: both ways are computed
// again.
static hd_status convolve_overflowing(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    static const float mask[] = {3e38f, 3e38f, 3e38f, 3e38f};
    return hd_convolve(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL),
                       hd_view_nd(HD_F32, mask, 2, (int64_t[]){2, 2}, NULL),
                       hd_view_nd(HD_U8, out, 2, shape, NULL), NULL);
}
static hd_status convolve_whole(hd_context *ctx)
{
    static const int8_t mask[] = {1, 2, 1};
    return hd_convolve(ctx, HD_VIEW(keys, n), HD_VIEW(mask, 3), HD_VIEW((int32_t *)(void *)out, n),
                       NULL);
}
static hd_status blur_bytes(hd_context *ctx, hd_blur_method method)
{
    const int64_t shape[] = {n / 100, 100};
    return hd_blur(ctx, hd_view_nd(HD_U8, x, 2, shape, NULL), 3,
                   hd_view_nd(HD_U8, out, 2, shape, NULL), &(hd_blur_options){.method = method});
}
static hd_status blur(hd_context *ctx)
{
    return blur_bytes(ctx, HD_BLUR_GAUSSIAN);
}
static hd_status blur_boxes(hd_context *ctx)
{
    return blur_bytes(ctx, HD_BLUR_BOX);
}
static hd_status blur_words(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    return hd_blur(ctx, hd_view_nd(HD_U16, x, 2, shape, NULL), 1,
                   hd_view_nd(HD_U16, out, 2, shape, NULL), NULL);
}
static hd_status blur_floats(hd_context *ctx)
{
    const int64_t shape[] = {n / 100, 100};
    return hd_blur(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL), 1,
                   hd_view_nd(HD_F32, out, 2, shape, NULL), NULL);
}
static hd_status stencil(hd_context *ctx)
{
    static const float weights[] = {0.25f, 0.5f, 0.25f};
    return hd_stencil(ctx, HD_VIEW(x, n), HD_EMPTY, HD_VIEW(weights, 3), HD_VIEW(out, n),
                      &(hd_stencil_options){.iterations = 6});
}
static hd_status stencil_half(hd_context *ctx)
{
    static const float weights[] = {0.25f, 0.5f, 0.25f};
    return hd_stencil(ctx, HD_VIEW_OF(HD_F16, halves, n), HD_EMPTY, HD_VIEW(weights, 3),
                      HD_VIEW_OF(HD_F16, halves_out, n), &(hd_stencil_options){.iterations = 3});
}
static hd_status stencil_function(hd_context *ctx)
{
    static const int32_t two[] = {-1, 1};
    return hd_stencil(ctx, HD_VIEW(x, n), HD_VIEW(two, 2), HD_EMPTY, HD_VIEW(out, n),
                      &(hd_stencil_options){.function = times});
}
static hd_status check(hd_context *ctx)
{
    return hd_check_operator(ctx, HD_SUM, HD_VIEW(x, 100), NULL);
}
static hd_status owned(hd_context *ctx)
{
    hd_view v = {0};
    const hd_status status = hd_alloc(ctx, HD_F64, 1, &n, &v);
    if (status == HD_OK) return hd_free(ctx, &v);
    return status;
}

static const struct {
    const char *name;
    hd_status (*call)(hd_context *ctx);
} calls[] = {{"reduce", everything},
             {"reduce, strided", strided},
             {"reduce f16", half},
             {"reduce, mapped", mapped},
             {"reduce axis 0", rows},
             {"reduce axis 1", columns},
             {"reduce segments", segments},
             {"reduce keys", by_key},
             {"reduce long segments", long_segments},
             {"reduce, user's", users},
             {"scan", scan},
             {"scan backward", scan_backward},
             {"scan f16", scan_half},
             {"scan argmin", scan_arg},
             {"scan axis", scan_rows},
             {"scan segments", scan_segments},
             {"scan keys", scan_by_key},
             {"scan, user's", scan_users},
             {"pieces", pieces},
             {"monotone pieces", monotone_pieces},
             {"sort_by", sort_by},
             {"sort_by, indices", sort_by_indices},
             {"merge, strided", merge},
             {"merge, values", merge_values},
             {"search, strided", search},
             {"top 10", top},
             {"top half", top_many},
             {"merge, rows", merge_rows},
             {"top, rows", top_rows},
             {"nth, the median", nth},
             {"nth, few", nth_few},
             {"nth, many", nth_many},
             {"quantiles of rows", quantiles_of_rows},
             {"set union, strided", set_union},
             {"set union with values, strided", set_values},
             {"histograms of rows", histogram_rows},
             {"several reductions of segments", many_of_segments},
             {"slide", slide},
             {"convolve", convolve},
             {"convolve, separable", convolve_separable},
             {"convolve, overflowing", convolve_overflowing},
             {"convolve integers", convolve_whole},
             {"blur", blur},
             {"blur by boxes", blur_boxes},
             {"blur u16", blur_words},
             {"blur f32", blur_floats},
             {"stencil", stencil},
             {"stencil f16", stencil_half},
             {"stencil, user's", stencil_function},
             {"check operator", check},
             {"alloc", owned}};
enum { CALLS = sizeof calls / sizeof *calls };

#endif
