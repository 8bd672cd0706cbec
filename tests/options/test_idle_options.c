// SPDX-License-Identifier: Apache-2.0
//
// Options that would be ignored of calls that move, select, count, order and link elements, or take
// their neighbours: every one, and every two.
#include "tests/options/idle_options.h"

// ---- Elements moved -----------------------------------------------------------------------------

#define ROW_OF_FLOATS HD_VIEW_OF(HD_F32, out.main, N)

SET(hd_gather_options, axis, HD_AXIS(0))
SET(hd_gather_options, checked, true)
SET(hd_gather_options, bad, &view_of_number)
SET(hd_gather_options, function, doubled)
SET_AS(hd_gather_options, function_of_two, function, added)
SET(hd_gather_options, with, WITH)
static const option of_gather[] = {SHOWS(hd_gather_options, axis),
                                   QUIET(hd_gather_options, checked),
                                   SHOWS(hd_gather_options, bad),
                                   SHOWS(hd_gather_options, function),
                                   SHOWS(hd_gather_options, function_of_two),
                                   SHOWS(hd_gather_options, with)};

static hd_status gather(const void *p)
{
    const hd_gather_options *o = p;
    if (o->axis == 0) return hd_gather(ctx, view_of_x, HD_VIEW(whole, N), ROW_OF_FLOATS, o);
    return hd_gather(ctx, hd_view_nd(HD_F32, x, 2, (int64_t[]){3, 4}, NULL), HD_VIEW(keys, 2),
                     hd_view_nd(HD_F32, out.main, 2, (int64_t[]){2, 4}, NULL), o);
}

SET(hd_scatter_options, combine, HD_SUM)
SET(hd_scatter_options, order, HD_ANY_ORDER)
SET(hd_scatter_options, unique, true)
SET(hd_scatter_options, checked, true)
SET(hd_scatter_options, accumulate, HD_F64)
SET(hd_scatter_options, bad, &view_of_number)
SET(hd_scatter_options, map, doubled)
SET_AS(hd_scatter_options, map_of_two, map, added)
SET(hd_scatter_options, with, WITH)
static const option of_scatter[] = {
    SHOWS(hd_scatter_options, combine),    QUIET(hd_scatter_options, order),
    QUIET(hd_scatter_options, unique),     QUIET(hd_scatter_options, checked),
    QUIET(hd_scatter_options, accumulate), SHOWS(hd_scatter_options, bad),
    SHOWS(hd_scatter_options, map),        SHOWS(hd_scatter_options, map_of_two),
    SHOWS(hd_scatter_options, with)};

static hd_status scatter(const void *p)
{
    return hd_scatter(ctx, view_of_x, HD_VIEW(whole, N), ROW_OF_FLOATS, p);
}

SET(hd_find_options, value, &two)
SET(hd_find_options, last, true)
SET(hd_find_options, map, falling)
SET_AS(hd_find_options, map_of_two, map, added)
SET(hd_find_options, with, WITH)
static const option of_find[] = {SHOWS(hd_find_options, value), SHOWS(hd_find_options, last),
                                 SHOWS(hd_find_options, map), SHOWS(hd_find_options, map_of_two),
                                 SHOWS(hd_find_options, with)};

static hd_status find(const void *p)
{
    return hd_find(ctx, view_of_x, view_of_number, p);
}

SET(hd_difference_options, axis, HD_AXIS(0))
SET(hd_difference_options, function, added)
SET(hd_difference_options, before, &two)
static const option of_difference[] = {SHOWS(hd_difference_options, axis),
                                       SHOWS(hd_difference_options, function),
                                       SHOWS(hd_difference_options, before)};

static hd_status difference(const void *p)
{
    const hd_difference_options *o = p;
    const int64_t shape[2] = {3, 4};
    if (o->axis == 0) return hd_difference(ctx, view_of_x, ROW_OF_FLOATS, o);
    return hd_difference(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL),
                         hd_view_nd(HD_F32, out.main, 2, shape, NULL), o);
}

SET(hd_random_options, seed, 9)
SET(hd_random_options, offset, 9)
SET(hd_random_options, distribution, HD_NORMAL)
SET(hd_random_options, low, &low)
SET(hd_random_options, high, &high)
static const option of_random[] = {SHOWS(hd_random_options, seed), SHOWS(hd_random_options, offset),
                                   SHOWS(hd_random_options, distribution),
                                   SHOWS(hd_random_options, low), SHOWS(hd_random_options, high)};

static hd_status random_floats(const void *p)
{
    return hd_random(ctx, ROW_OF_FLOATS, p);
}

static hd_status random_integers(const void *p)
{
    return hd_random(ctx, HD_VIEW_OF(HD_I32, out.main, N), p);
}

SET(hd_compact_options, flags, &view_of_flags)
SET(hd_compact_options, keep, is_high)
SET_AS(hd_compact_options, keep_of_two, keep, is_more)
SET(hd_compact_options, with, WITH)
SET(hd_compact_options, indices, &view_of_indices)
SET(hd_compact_options, invert, true)
static const option of_compact[] = {
    SHOWS(hd_compact_options, flags),       SHOWS(hd_compact_options, keep),
    SHOWS(hd_compact_options, keep_of_two), SHOWS(hd_compact_options, with),
    SHOWS(hd_compact_options, indices),     SHOWS(hd_compact_options, invert)};

static hd_status compact(const void *p)
{
    return hd_compact(ctx, view_of_x, ROW_OF_FLOATS, view_of_number, p);
}

SET(hd_partition_options, flags, &view_of_flags)
SET(hd_partition_options, keep, is_high)
SET_AS(hd_partition_options, keep_of_two, keep, is_more)
SET(hd_partition_options, buckets, &view_of_keys)
SET(hd_partition_options, bucket, side)
SET(hd_partition_options, with, WITH)
SET(hd_partition_options, ways, 5)
SET(hd_partition_options, offsets, &view_of_extra)
SET(hd_partition_options, indices, &view_of_indices)
SET(hd_partition_options, invert, true)
static const option of_partition[] = {
    SHOWS(hd_partition_options, flags),       SHOWS(hd_partition_options, keep),
    SHOWS(hd_partition_options, keep_of_two), SHOWS(hd_partition_options, buckets),
    SHOWS(hd_partition_options, bucket),      SHOWS(hd_partition_options, with),
    SHOWS(hd_partition_options, ways),        SHOWS(hd_partition_options, offsets),
    SHOWS(hd_partition_options, indices),     SHOWS(hd_partition_options, invert)};

static hd_status partition(const void *p)
{
    const hd_partition_options *o = p;
    const int64_t ways = o->ways != 0 ? o->ways : 2;
    view_of_extra = hd_view_of(HD_I64, out.extra, ways + 1);
    return hd_partition(ctx, view_of_x, ROW_OF_FLOATS, HD_VIEW(out.counts, ways), o);
}

// ---- Neighbourhoods -----------------------------------------------------------------------------

SET(hd_stencil_options, function, middle)
SET(hd_stencil_options, border, HD_BORDER_REPLICATE)
SET_AS(hd_stencil_options, border_constant, border, HD_BORDER_CONSTANT)
SET(hd_stencil_options, channels, HD_CHANNELS_NONE)
SET_AS(hd_stencil_options, channels_last, channels, HD_CHANNELS_LAST)
SET(hd_stencil_options, constant, 5)
SET(hd_stencil_options, iterations, 2)
static const option of_stencil[] = {
    SHOWS(hd_stencil_options, function),        SHOWS(hd_stencil_options, border),
    QUIET(hd_stencil_options, border_constant), QUIET(hd_stencil_options, channels),
    SHOWS(hd_stencil_options, channels_last),   SHOWS(hd_stencil_options, constant),
    SHOWS(hd_stencil_options, iterations)};

static hd_status stencil(const void *p)
{
    const hd_stencil_options *o = p;
    return hd_stencil(ctx, view_of_x, HD_VIEW(offsets, 3),
                      o->function != NULL ? HD_EMPTY : HD_VIEW(mask, 3), ROW_OF_FLOATS, o);
}

SET(hd_convolve_options, border, HD_BORDER_REPLICATE)
SET_AS(hd_convolve_options, border_constant, border, HD_BORDER_CONSTANT)
SET(hd_convolve_options, method, HD_CONVOLVE_DIRECT)
SET(hd_convolve_options, channels, HD_CHANNELS_NONE)
SET_AS(hd_convolve_options, channels_last, channels, HD_CHANNELS_LAST)
SET(hd_convolve_options, flip, true)
SET(hd_convolve_options, constant, 5)
SET(hd_convolve_options, anchor, &anchor)
static const option of_convolve[] = {
    SHOWS(hd_convolve_options, border),        QUIET(hd_convolve_options, border_constant),
    QUIET(hd_convolve_options, method),        QUIET(hd_convolve_options, channels),
    SHOWS(hd_convolve_options, channels_last), SHOWS(hd_convolve_options, flip),
    SHOWS(hd_convolve_options, constant),      SHOWS(hd_convolve_options, anchor)};

static hd_status convolve(const void *p)
{
    return hd_convolve(ctx, view_of_x, HD_VIEW(mask, 3), ROW_OF_FLOATS, p);
}

SET(hd_blur_options, radius, 1)
SET(hd_blur_options, border, HD_BORDER_REPLICATE)
SET_AS(hd_blur_options, border_constant, border, HD_BORDER_CONSTANT)
SET(hd_blur_options, method, HD_BLUR_BOX)
SET(hd_blur_options, channels, HD_CHANNELS_NONE)
SET_AS(hd_blur_options, channels_last, channels, HD_CHANNELS_LAST)
SET(hd_blur_options, constant, 5)
static const option of_blur[] = {
    SHOWS(hd_blur_options, radius),          SHOWS(hd_blur_options, border),
    SHOWS(hd_blur_options, border_constant), SHOWS(hd_blur_options, method),
    QUIET(hd_blur_options, channels),        SHOWS(hd_blur_options, channels_last),
    SHOWS(hd_blur_options, constant)};

static hd_status blur_floats(const void *p)
{
    const int64_t shape[2] = {3, 4};
    return hd_blur(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL), 1.5,
                   hd_view_nd(HD_F32, out.main, 2, shape, NULL), p);
}

static hd_status blur_bytes(const void *p)
{
    static uint8_t image[64];
    const int64_t shape[2] = {8, 8};
    for (int k = 0; k < 64; k++) image[k] = (uint8_t)(k * 37 % 251);
    return hd_blur(ctx, hd_view_nd(HD_U8, image, 2, shape, NULL), 1.5,
                   hd_view_nd(HD_U8, out.main, 2, shape, NULL), p);
}

// ---- Bins, orders and links ---------------------------------------------------------------------

SET(hd_histogram_options, even, true)
SET(hd_histogram_options, upper, 6)
SET(hd_histogram_options, lower, -3)
SET(hd_histogram_options, edges, &view_of_edges)
SET(hd_histogram_options, bin, far_side)
SET(hd_histogram_options, map, far_side)
SET(hd_histogram_options, with, WITH)
SET(hd_histogram_options, first, 2)
SET(hd_histogram_options, letters, 4)
SET(hd_histogram_options, order, HD_ANY_ORDER)
SET(hd_histogram_options, clamp, true)
SET(hd_histogram_options, add, true)
SET(hd_histogram_options, accumulate, HD_F64)
SET(hd_histogram_options, weights, &view_of_w)
SET(hd_histogram_options, second, &view_of_keys)
SET(hd_histogram_options, second_even, true)
SET(hd_histogram_options, second_lower, -3)
SET(hd_histogram_options, second_upper, 7)
SET(hd_histogram_options, second_edges, &view_of_edges)
SET(hd_histogram_options, second_first, 1)
SET(hd_histogram_options, outside, &view_of_number)
SET(hd_histogram_options, sum, HD_SUM_EXACT)
SET(hd_histogram_options, segments, &view_of_segment)
SET(hd_histogram_options, axis, HD_AXIS(0))
static const option of_histogram[] = {
    SHOWS(hd_histogram_options, even),         SHOWS(hd_histogram_options, upper),
    SHOWS(hd_histogram_options, lower),        SHOWS(hd_histogram_options, edges),
    SHOWS(hd_histogram_options, bin),          SHOWS(hd_histogram_options, map),
    SHOWS(hd_histogram_options, with),         SHOWS(hd_histogram_options, first),
    SHOWS(hd_histogram_options, letters),      QUIET(hd_histogram_options, order),
    SHOWS(hd_histogram_options, clamp),        SHOWS(hd_histogram_options, add),
    QUIET(hd_histogram_options, accumulate),   SHOWS(hd_histogram_options, weights),
    SHOWS(hd_histogram_options, second),       SHOWS(hd_histogram_options, second_even),
    SHOWS(hd_histogram_options, second_lower), SHOWS(hd_histogram_options, second_upper),
    SHOWS(hd_histogram_options, second_edges), SHOWS(hd_histogram_options, second_first),
    SHOWS(hd_histogram_options, outside),      QUIET(hd_histogram_options, sum),
    SHOWS(hd_histogram_options, segments),     QUIET(hd_histogram_options, axis)};

static hd_status histogram(const void *p)
{
    const hd_histogram_options *o = p;
    const bool weighted = o->weights != NULL;
    int64_t shape[3] = {1}; // of a segment
    int32_t axes = o->segments != NULL;
    shape[axes++] = o->letters != 0 ? 7 : 4;
    if (o->second != NULL) shape[axes++] = 4;
    return hd_histogram(ctx, o->letters != 0 ? HD_VIEW(letters, N) : HD_VIEW(whole, N),
                        hd_view_nd(weighted ? HD_F32 : HD_I64, out.main, axes, shape, NULL), o);
}

SET(hd_sort_options, comparison, by_square)
SET(hd_sort_options, indices, &view_of_indices)
SET(hd_sort_options, segments, &view_of_segment)
SET(hd_sort_options, axis, HD_AXIS(0))
SET(hd_sort_options, descending, true)
static const option of_sort[] = {SHOWS(hd_sort_options, comparison),
                                 SHOWS(hd_sort_options, indices), SHOWS(hd_sort_options, segments),
                                 QUIET(hd_sort_options, axis), SHOWS(hd_sort_options, descending)};

static hd_status sort(const void *p)
{
    return hd_sort(ctx, view_of_x, ROW_OF_FLOATS,
                   HD_VALUES(HD_VIEW(whole, N), HD_VIEW_OF(HD_I32, out.extra, N)), p);
}

SET(hd_top_k_options, comparison, by_square)
SET(hd_top_k_options, indices, &view_of_counts)
SET(hd_top_k_options, axis, HD_AXIS(0))
SET(hd_top_k_options, ascending, true)
static const option of_top_k[] = {SHOWS(hd_top_k_options, comparison),
                                  SHOWS(hd_top_k_options, indices), QUIET(hd_top_k_options, axis),
                                  SHOWS(hd_top_k_options, ascending)};

static hd_status top_k(const void *p)
{
    view_of_counts = HD_VIEW(out.counts, 3);
    return hd_top_k(ctx, view_of_x, 3, HD_VIEW_OF(HD_F32, out.main, 3), HD_NO_VALUES, p);
}

SET(hd_nth_options, comparison, by_square)
SET(hd_nth_options, indices, &view_of_counts)
SET(hd_nth_options, axis, HD_AXIS(0))
SET(hd_nth_options, descending, true)
static const option of_nth[] = {SHOWS(hd_nth_options, comparison), SHOWS(hd_nth_options, indices),
                                QUIET(hd_nth_options, axis), SHOWS(hd_nth_options, descending)};

static hd_status nth(const void *p)
{
    view_of_counts = HD_VIEW(out.counts, 3);
    return hd_nth(ctx, view_of_x, HD_VIEW(ranks, 3), HD_VIEW_OF(HD_F32, out.main, 3), p);
}

SET(hd_list_options, method, HD_LIST_WYLLIE)
SET(hd_list_options, from_head, true)
SET(hd_list_options, exclusive, true)
SET(hd_list_options, backward, true)
SET(hd_list_options, init, &two)
SET(hd_list_options, heads, &view_of_head)
SET(hd_list_options, steps, &view_of_steps)
SET(hd_list_options, work, &view_of_work)
SET(hd_list_options, lists, &view_of_lists)
static const option of_list[] = {
    QUIET(hd_list_options, method),    SHOWS(hd_list_options, from_head),
    SHOWS(hd_list_options, exclusive), SHOWS(hd_list_options, backward),
    SHOWS(hd_list_options, init),      SHOWS(hd_list_options, heads),
    SHOWS(hd_list_options, steps),     SHOWS(hd_list_options, work),
    SHOWS(hd_list_options, lists)};

static hd_status rank(const void *p)
{
    return hd_list_rank(ctx, HD_VIEW(next, N), HD_VIEW_OF(HD_I32, out.main, N), p);
}

static hd_status list_scan(const void *p)
{
    return hd_list_scan(ctx, HD_VIEW(next, N), view_of_x, HD_SUM, ROW_OF_FLOATS, p);
}

int main(void)
{
    ctx = check_open(HD_SERIAL, 1, NULL);
    point_views();
    EVERY("hd_gather", gather, of_gather);
    EVERY("hd_scatter", scatter, of_scatter);
    EVERY("hd_find", find, of_find);
    EVERY("hd_difference", difference, of_difference);
    EVERY("hd_random of f32", random_floats, of_random);
    EVERY("hd_random of i32", random_integers, of_random);
    EVERY("hd_compact", compact, of_compact);
    EVERY("hd_partition", partition, of_partition);
    EVERY("hd_stencil", stencil, of_stencil);
    EVERY("hd_convolve", convolve, of_convolve);
    EVERY("hd_blur of f32", blur_floats, of_blur);
    EVERY("hd_blur of u8", blur_bytes, of_blur);
    EVERY("hd_histogram", histogram, of_histogram);
    EVERY("hd_sort", sort, of_sort);
    EVERY("hd_top_k", top_k, of_top_k);
    EVERY("hd_nth", nth, of_nth);
    EVERY("hd_list_rank", rank, of_list);
    EVERY("hd_list_scan", list_scan, of_list);
    hd_close(ctx);
    return check_finish();
}
