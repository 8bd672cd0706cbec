// SPDX-License-Identifier: Apache-2.0
// hd_blur: checks its arguments and makes the weights. u8, and boxes, go to the blur of a backend,
// the others to its convolution.
#include "blur.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "convolve.h"
#include "core/system/float_state.h"
#include "gaussian.h"

#include <math.h>
#include <string.h>

HD__BRINGS(convolve)
HD__BRINGS(blur)
HD__BRINGS_PASS(convolve)
HD__BRINGS_PASS(blur)

static const char call[] = "hd_blur";

#define WIDEST        ((int64_t)1 << 20) // radius
#define U8_EXTRA_BITS 7                  // so that the sum of two results still is a u16
#define WEIGHT_BITS   15

// Up to this radius sums of f32 keep u16 within one unit (numerics.md): roundings of one pass
// come to less than (3 radius + 2) / 1024, those of the weights to 1 / 256; 0.38 of both passes,
// and the last one 0.5.
#define MAX_F32_RADIUS 63

static hd_status check_method(hd_context *ctx, const hd_blur_options *o, double sigma, hd_type type)
{
    if (o->method < 0 || o->method > HD_BLUR_BOX)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: method %d is none", call, (int)o->method);
    if (o->method != HD_BLUR_BOX) return HD_OK;
    if (type != HD_U8 && type != HD_U16)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: boxes need u8 or u16; in is %s", call,
                        hd_type_name(type));
    if (o->radius != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: boxes have a radius of their own", call);
    if (sigma > HD__BLUR_WIDEST_BOXES)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: sigma %g; boxes go up to %g", call, sigma,
                        HD__BLUR_WIDEST_BOXES);
    return HD_OK;
}

static hd_status check_options(hd_context *ctx, const hd_blur_options *o, double sigma,
                               hd_type type, int64_t *radius)
{
    if (!(sigma > 0 && sigma < HUGE_VAL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: sigma is %g; expected a positive number", call,
                        sigma);
    HD_TRY(check_method(ctx, o, sigma, type));
    const double three = ceil(3 * sigma);
    *radius = o->radius != 0 ? o->radius : three < 2 * WIDEST ? (int64_t)three : 2 * WIDEST;
    if (o->radius < 0 || *radius > WIDEST)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: radius %lld; expected 1 to 2^20", call,
                        o->radius != 0 ? (long long)o->radius : (long long)*radius);
    return HD_OK;
}

static hd_status check_types(hd_context *ctx, const hd__grid *g)
{
    const hd_type in = g->in.type, out = g->out.type;
    if (in != HD_U8 && in != HD_U16 && in != HD_F32 && in != HD_F64)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: in is %s; expected u8, u16, f32 or f64", call,
                        hd_type_name(in));
    if (out == in) return HD_OK;
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected the type of in", call,
                    hd_type_name(out));
}

// ---- Sums of floats --------------------------------------------------------------------------

// u16 are summed as floats; what lies beyond, a u16 by now, as well.
static void set_sum(hd__grid *g, int64_t radius)
{
    uint16_t beyond;
    if (g->in.type != HD_U16) return;
    memcpy(&beyond, g->beyond, sizeof beyond);
    g->sum = radius > MAX_F32_RADIUS ? HD_F64 : HD_F32;
    hd__convert(g->sum, g->beyond, HD_U16, &beyond, 1);
}

static hd_status blur_floats(hd_context *ctx, const hd__grid *grid, double sigma, int64_t radius)
{
    const int64_t width = 2 * radius + 1;
    const size_t bytes = (size_t)(radius + 1 + width) * sizeof(double);
    double *g = hd__allocate(ctx, bytes);
    if (g == NULL) return HD_ERROR_MEMORY;
    void *row = g + radius + 1;
    hd__gaussian(sigma, radius, g);
    for (int64_t k = 0; k < width; k++) {
        const double w = g[k < radius ? radius - k : k - radius];
        if (grid->sum == HD_F32)
            ((float *)row)[k] = (float)w;
        else
            ((double *)row)[k] = w;
    }
    const hd__convolve_job job = {.grid = *grid,
                                  .rows = width,
                                  .columns = width,
                                  .anchor_y = radius,
                                  .anchor_x = radius,
                                  .column = row,
                                  .row = row,
                                  .separable = true};
    const hd__subject subject = {"Gaussian", hd_count(grid->in), grid->in.type};
    const hd_status status = hd__dispatch(ctx, HD__CONVOLVE_PATTERN, &job, &subject);
    hd__release(ctx, g, bytes);
    return status;
}

// ---- Whole weights ---------------------------------------------------------------------------

static int bits_of(uint64_t x)
{
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

// A division by `weights`, times 2^extra, of sums of values up to `greatest`.
static hd__rounding divide_by(uint64_t weights, int32_t extra, uint64_t greatest)
{
    hd__rounding r;
    r.down = bits_of(greatest * weights) > 32 ? bits_of(greatest * weights) - 32 : 0;
    // times = 2^shift * 2^(extra + down) / weights in 30 or 31 bits
    r.shift = 30 + bits_of(weights) - extra - r.down;
    r.times = (uint64_t)rint(ldexp(1.0 / (double)weights, r.shift + extra + r.down));
    return r;
}

static void fill_boxes(double sigma, hd__blur_job *job, uint64_t *w, uint64_t *scratch)
{
    job->boxes = true;
    hd__three_boxes(sigma, job->box);
    job->radius = job->box[0] + job->box[1] + job->box[2];
    hd__boxes_whole(job->box, scratch, w);
    uint64_t sum = 1;
    for (int k = 0; k < 3; k++) sum *= (uint64_t)(2 * job->box[k] + 1);
    const uint64_t greatest = job->grid.in.type == HD_U8 ? 255 : 65535;
    job->column = divide_by(sum, job->extra, greatest);
    job->row = divide_by(sum, -job->extra, greatest << job->extra);
}

static void fill_gaussian(double sigma, int64_t radius, hd__blur_job *job, uint64_t *w,
                          uint64_t *scratch)
{
    job->radius = radius;
    hd__gaussian_whole(sigma, radius, (double *)(void *)scratch, w);
    job->column = (hd__rounding){0, WEIGHT_BITS - job->extra, 1};
    job->row = (hd__rounding){0, WEIGHT_BITS + job->extra, 1};
}

static hd_status blur_integers(hd_context *ctx, const hd__grid *grid, bool boxes, double sigma,
                               int64_t radius)
{
    hd__blur_job job = {.grid = *grid, .extra = grid->in.type == HD_U8 ? U8_EXTRA_BITS : 0};
    if (boxes) {
        hd__three_boxes(sigma, job.box);
        radius = job.box[0] + job.box[1] + job.box[2];
    }
    const size_t bytes = (size_t)(radius + 1 + 2 * (2 * radius + 1)) * sizeof(uint64_t);
    uint64_t *w = hd__allocate(ctx, bytes);
    if (w == NULL) return HD_ERROR_MEMORY;
    if (boxes)
        fill_boxes(sigma, &job, w, w + radius + 1);
    else
        fill_gaussian(sigma, radius, &job, w, w + radius + 1);
    job.weight = w;
    const hd__subject subject = {boxes ? "by boxes" : "Gaussian", hd_count(grid->in),
                                 grid->in.type};
    const hd_status status = hd__dispatch(ctx, HD__BLUR_PATTERN, &job, &subject);
    hd__release(ctx, w, bytes);
    return status;
}

hd_status hd_blur(hd_context *ctx, hd_view in, double sigma, hd_view out,
                  const hd_blur_options *options)
{
    HD__FLOAT_STATE;
    hd_blur_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_blur_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    hd__grid grid;
    memset(&grid, 0, sizeof grid);
    const bool boxes = o->method == HD_BLUR_BOX;
    int64_t radius = 0;
    HD_TRY(hd__grid_make(ctx, call, &in, &out, 2, o->channels, &grid));
    HD_TRY(check_types(ctx, &grid));
    HD_TRY(check_options(ctx, o, sigma, in.type, &radius));
    HD_TRY(hd__check_border(ctx, call, o->border, HD_BORDER_REFLECT, false, &grid.border));
    grid.sum = in.type; // floats are summed in their own type, integers read as they are
    HD_TRY(hd__set_beyond(ctx, call, &grid, o->constant));
    if (hd_count(in) == 0) return HD_OK;
    if (in.type == HD_U8 || boxes) return blur_integers(ctx, &grid, boxes, sigma, radius);
    set_sum(&grid, radius);
    return blur_floats(ctx, &grid, sigma, radius);
}
