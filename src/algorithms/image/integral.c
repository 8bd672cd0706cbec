// SPDX-License-Identifier: Apache-2.0
// Summed-area tables (Crow, "Summed-area tables for texture mapping", 1984): a scan along each of
// two axes.
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "../support/team.h"
#include "integral_rows.h"

// Which axes are y and x.
static hd_status find_axes(hd__frame *f, hd_view in, const hd_integral_options *o, int32_t *y)
{
    if (in.ndim < 2 || in.ndim > HD_MAX_DIMS)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "in: expected two axes or more, got %d",
                              (int)in.ndim);
    if (o->channels < HD_CHANNELS_UNSAID || o->channels > HD_CHANNELS_LAST)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "channels %d; expected an hd_channels",
                              (int)o->channels);
    if (in.ndim > 2 && o->channels == HD_CHANNELS_UNSAID)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "in has %d axes: channels must say whether the last one is channels",
                              (int)in.ndim);
    if (in.ndim == 2 && o->channels == HD_CHANNELS_LAST)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "in has two axes, none of which is channels");
    *y = in.ndim - (o->channels == HD_CHANNELS_LAST ? 3 : 2);
    return HD_OK;
}

static hd_status check_shape(hd__frame *f, hd_view in, hd_view out, int32_t y, bool border)
{
    if (out.ndim != in.ndim)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "out has %d axes; expected %d as in",
                              (int)out.ndim, (int)in.ndim);
    for (int32_t k = 0; k < in.ndim; k++) {
        const int64_t want = in.shape[k] + (border && (k == y || k == y + 1));
        if (out.shape[k] != want)
            return hd__frame_fail(f, HD_ERROR_SHAPE,
                                  "out has %" PRId64 " elements along axis %d; expected %" PRId64,
                                  out.shape[k], (int)k, want);
    }
    return HD_OK;
}

static hd_status clear(hd__frame *f, hd_view v)
{
    static const uint8_t zero = 0;
    return hd_map(f->ctx, hd_constant(zero, hd_count(v)), NULL, v, NULL);
}

// A row of zeros and a column of zeros; *inner is the rest.
static hd_status make_border(hd__frame *f, hd_view out, int32_t y, hd_view *inner)
{
    hd_status status = HD_OK;
    for (int32_t axis = y; axis <= y + 1 && status == HD_OK; axis++)
        status = clear(f, hd_slice(out, axis, 0, 1, 1));
    *inner = hd_slice(out, y, 1, out.shape[y] - 1, 1);
    *inner = hd_slice(*inner, y + 1, 1, out.shape[y + 1] - 1, 1);
    return status;
}

static bool has_gaps(hd_view v)
{
    int64_t step = 1;
    for (int32_t k = v.ndim - 1; k >= 0; step *= v.shape[k], k--)
        if (v.shape[k] > 1 && v.stride[k] != step) return true;
    return false;
}

// Rows that a border shifts begin at no multiple of a word: a device writes sums along x as words,
// into scratch, and only those along y beside the border.
static hd_status make_rows(hd__frame *f, hd_view out, hd_view *rows)
{
    hd_view row;
    const hd_status status = hd__frame_row(f, out.type, hd_count(out), &row);
    if (status != HD_OK) return status;
    *rows = hd_view_nd(out.type, row.data, out.ndim, out.shape, NULL);
    rows->space = row.space;
    return HD_OK;
}

static hd_status fill(hd__frame *f, hd_view in, hd_view out, int32_t y)
{
    if (hd__team_serves(f->ctx, f->on_device) && hd__integral_rows_fit(in, out))
        return hd__integral_rows_run(f, in, out);
    hd_view rows = out;
    hd_status status = HD_OK;
    if (f->on_device && has_gaps(out)) status = make_rows(f, out, &rows);
    if (status == HD_OK)
        status = hd_scan(f->ctx, in, HD_SUM, rows, &(hd_scan_options){.axis = HD_AXIS(y + 1)});
    if (status == HD_OK)
        status = hd_scan(f->ctx, rows, HD_SUM, out, &(hd_scan_options){.axis = HD_AXIS(y)});
    return status;
}

hd_status hd_integral(hd_context *ctx, hd_view in, hd_view out, const hd_integral_options *options)
{
    hd__frame f;
    hd_integral_options o = {0};
    int32_t y = 0;
    hd_view inner = out;
    hd_status status = hd__frame_open(&f, ctx, "hd_integral", in);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (status == HD_OK) status = hd__frame_check(&f, "in", in);
    if (status == HD_OK) status = find_axes(&f, in, &o, &y);
    if (status == HD_OK) status = hd__frame_check_out(&f, "out", out);
    if (status == HD_OK) status = check_shape(&f, in, out, y, o.exclusive);
    if (status == HD_OK && o.exclusive) status = hd__frame_check_apart(&f, "out", out, "in", in);
    if (status == HD_OK && o.exclusive) status = make_border(&f, out, y, &inner);
    if (status == HD_OK) status = fill(&f, in, inner, y);
    return hd__frame_close(&f, status);
}
