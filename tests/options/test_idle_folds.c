// SPDX-License-Identifier: Apache-2.0
//
// Options of hd_reduce, hd_scan and hd_slide that would be ignored: every one, and every two, of
// every kind of operator.
#include <stdio.h>

#include "tests/options/idle_options.h"

// ---- Folds --------------------------------------------------------------------------------------

static const hd_operator *op;
static hd_type out_type;
static hd_view view_of_values;

static const void *init_of_op(void)
{
    return out_type == HD_F32 ? (const void *)&init : &index_init;
}

SET(hd_reduce_options, axis, HD_AXIS(0))
SET(hd_reduce_options, ddof, 1)
SET(hd_reduce_options, init, init_of_op())
SET(hd_reduce_options, segments, &view_of_segment)
SET(hd_reduce_options, keys, &view_of_keys)
SET(hd_reduce_options, keys_out, &view_of_indices)
SET(hd_reduce_options, runs, &view_of_number)
SET(hd_reduce_options, map, falling)
SET_AS(hd_reduce_options, map_of_two, map, added)
SET(hd_reduce_options, with, WITH)
SET(hd_reduce_options, values, &view_of_values)
SET(hd_reduce_options, accumulate, HD_F64)
SET(hd_reduce_options, residual, &view_of_extra)
SET(hd_reduce_options, bound, &view_of_counts)
SET(hd_reduce_options, flags, &view_of_flags)
SET(hd_reduce_options, keep, is_high)
SET_AS(hd_reduce_options, keep_of_two, keep, is_more)
SET(hd_reduce_options, invert, true)
SET(hd_reduce_options, comparison, by_halves)
static const option of_reduce[] = {
    SHOWS(hd_reduce_options, axis),        SHOWS(hd_reduce_options, ddof),
    SHOWS(hd_reduce_options, init),        SHOWS(hd_reduce_options, segments),
    SHOWS(hd_reduce_options, keys),        SHOWS(hd_reduce_options, keys_out),
    SHOWS(hd_reduce_options, runs),        SHOWS(hd_reduce_options, map),
    SHOWS(hd_reduce_options, map_of_two),  SHOWS(hd_reduce_options, with),
    SHOWS(hd_reduce_options, values),      QUIET(hd_reduce_options, accumulate),
    SHOWS(hd_reduce_options, residual),    SHOWS(hd_reduce_options, bound),
    SHOWS(hd_reduce_options, flags),       SHOWS(hd_reduce_options, keep),
    SHOWS(hd_reduce_options, keep_of_two), SHOWS(hd_reduce_options, invert),
    SHOWS(hd_reduce_options, comparison)};

static hd_status reduce(const void *p)
{
    const hd_reduce_options *o = p;
    const int64_t n = o->keys != NULL ? 8 : o->axis != 0 ? 4 : 1;
    view_of_extra = HD_VIEW_OF(out_type, out.extra, n);
    view_of_counts = hd_view_of(HD_F64, out.counts, n);
    view_of_values = HD_VIEW_OF(HD_F32, out.values, n);
    if (o->axis == 0) return hd_reduce(ctx, view_of_x, op, HD_VIEW_OF(out_type, out.main, n), o);
    return hd_reduce(ctx, hd_view_nd(HD_F32, x, 2, (int64_t[]){3, 4}, NULL), op,
                     HD_VIEW_OF(out_type, out.main, n), o);
}

SET(hd_scan_options, axis, HD_AXIS(0))
SET(hd_scan_options, exclusive, true)
SET(hd_scan_options, backward, true)
SET(hd_scan_options, monotone, true)
SET(hd_scan_options, ddof, 1)
SET(hd_scan_options, init, init_of_op())
SET(hd_scan_options, segments, &view_of_segment)
SET(hd_scan_options, keys, &view_of_keys)
SET(hd_scan_options, map, falling)
SET_AS(hd_scan_options, map_of_two, map, added)
SET(hd_scan_options, with, WITH)
SET(hd_scan_options, values, &view_of_values)
SET(hd_scan_options, accumulate, HD_F64)
SET(hd_scan_options, residual, &view_of_extra)
SET(hd_scan_options, bound, &view_of_counts)
SET(hd_scan_options, comparison, by_halves)
static const option of_scan[] = {
    SHOWS(hd_scan_options, axis),       SHOWS(hd_scan_options, exclusive),
    SHOWS(hd_scan_options, backward),   QUIET(hd_scan_options, monotone),
    SHOWS(hd_scan_options, ddof),       SHOWS(hd_scan_options, init),
    SHOWS(hd_scan_options, segments),   SHOWS(hd_scan_options, keys),
    SHOWS(hd_scan_options, map),        SHOWS(hd_scan_options, map_of_two),
    SHOWS(hd_scan_options, with),       SHOWS(hd_scan_options, values),
    QUIET(hd_scan_options, accumulate), SHOWS(hd_scan_options, residual),
    SHOWS(hd_scan_options, bound),      SHOWS(hd_scan_options, comparison)};

static hd_status scan(const void *p)
{
    const hd_scan_options *o = p;
    const int64_t shape[2] = {3, 4};
    const int32_t axes = o->axis != 0 ? 2 : 1;
    const int64_t *lengths = o->axis != 0 ? shape : (const int64_t[]){N};
    view_of_extra = hd_view_nd(out_type, out.extra, axes, lengths, NULL);
    view_of_counts = hd_view_nd(HD_F64, out.counts, axes, lengths, NULL);
    view_of_values = hd_view_nd(HD_F32, out.values, axes, lengths, NULL);
    return hd_scan(ctx, hd_view_nd(HD_F32, x, axes, lengths, NULL), op,
                   hd_view_nd(out_type, out.main, axes, lengths, NULL), o);
}

SET(hd_slide_options, axis, HD_AXIS(0))
SET(hd_slide_options, ddof, 1)
SET(hd_slide_options, map, falling)
SET(hd_slide_options, with, WITH)
SET(hd_slide_options, accumulate, HD_F64)
static const option of_slide[] = {QUIET(hd_slide_options, axis), SHOWS(hd_slide_options, ddof),
                                  SHOWS(hd_slide_options, map), SHOWS(hd_slide_options, with),
                                  QUIET(hd_slide_options, accumulate)};

static hd_status slide(const void *p)
{
    return hd_slide(ctx, view_of_x, op, 3, HD_VIEW_OF(out_type, out.main, N - 2), p);
}

static void test_folds(void)
{
    const hd_operator *const ops[] = {HD_SUM,   HD_ARGMIN,          HD_MEAN,      HD_VARIANCE,
                                      HD_NORM2, HD_SUM_COMPENSATED, HD_SUM_EXACT, HD_DOT};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        char name[64];
        const bool has_base = ops[k] != HD_DOT;
        op = ops[k], out_type = op == HD_ARGMIN ? HD_I64 : HD_F32;
        snprintf(name, sizeof name, "hd_reduce of %s", hd_operator_name(op));
        every_option(name, reduce, of_reduce, (int)(sizeof of_reduce / sizeof *of_reduce),
                     has_base);
        snprintf(name, sizeof name, "hd_scan of %s", hd_operator_name(op));
        every_option(name, scan, of_scan, (int)(sizeof of_scan / sizeof *of_scan),
                     has_base && op != HD_ARGMIN);
        snprintf(name, sizeof name, "hd_slide of %s", hd_operator_name(op));
        every_option(name, slide, of_slide, (int)(sizeof of_slide / sizeof *of_slide), has_base);
    }
}

int main(void)
{
    ctx = check_open(HD_SERIAL, 1, NULL);
    point_views();
    test_folds();
    hd_close(ctx);
    return check_finish();
}
