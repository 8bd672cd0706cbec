// SPDX-License-Identifier: Apache-2.0
// What boxes of an image are good for: their mean and variance, and a threshold by the mean.
#include <inttypes.h>
#include <math.h>

#include "../support/team.h"
#include "box_means.h"
#include "box_rows.h"
#include "core/system/float_state.h"

HD_FUNCTION(product, int64_t, HD_NO_SOURCE, (int64_t, rows, int64_t, columns),
            { return rows * columns; })

// n * sum(x^2) - (sum x)^2, both products exact as two f64 each (n is below 2^53).
HD_SOURCE(
    statistics,
    static inline double mean_of(double sum, int64_t rows, int64_t columns) {
        return sum / (double)(rows * columns);
    } static inline double variance_of(double sum, double squares, int64_t rows, int64_t columns) {
        const double n = (double)(rows * columns);
        const double a = n * squares, b = sum * sum;
        const double difference = (a - b) + (fma(n, squares, -a) - fma(sum, sum, -b));
        return difference > 0 ? difference / (n * n) : difference == difference ? 0 : difference;
    })
HD_FUNCTION(mean_i64, double, statistics, (int64_t, sum, int64_t, rows, int64_t, columns),
            { return mean_of((double)sum, rows, columns); })
HD_FUNCTION(mean_f64, double, statistics, (double, sum, int64_t, rows, int64_t, columns),
            { return mean_of(sum, rows, columns); })
HD_FUNCTION(mean_i64_to_f32, float, statistics, (int64_t, sum, int64_t, rows, int64_t, columns),
            { return (float)mean_of((double)sum, rows, columns); })
HD_FUNCTION(mean_f64_to_f32, float, statistics, (double, sum, int64_t, rows, int64_t, columns),
            { return (float)mean_of(sum, rows, columns); })
HD_FUNCTION(variance_i64, double, statistics,
            (int64_t, sum, int64_t, squares, int64_t, rows, int64_t, columns),
            { return variance_of((double)sum, (double)squares, rows, columns); })
HD_FUNCTION(variance_f64, double, statistics,
            (double, sum, double, squares, int64_t, rows, int64_t, columns),
            { return variance_of(sum, squares, rows, columns); })
HD_FUNCTION(variance_i64_to_f32, float, statistics,
            (int64_t, sum, int64_t, squares, int64_t, rows, int64_t, columns),
            { return (float)variance_of((double)sum, (double)squares, rows, columns); })
HD_FUNCTION(variance_f64_to_f32, float, statistics,
            (double, sum, double, squares, int64_t, rows, int64_t, columns),
            { return (float)variance_of(sum, squares, rows, columns); })

// [integers][f32]
static const hd_function *const means[2][2] = {{mean_f64, mean_f64_to_f32},
                                               {mean_i64, mean_i64_to_f32}};
static const hd_function *const variances[2][2] = {{variance_f64, variance_f64_to_f32},
                                                   {variance_i64, variance_i64_to_f32}};

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

typedef struct output {
    const char *name;
    const hd_view *view;
    hd_type type, or_type;
} output;

static hd_status check_outputs(hd__frame *f, hd_view in, const output *out, int n)
{
    hd_status status = HD_OK;
    bool any = false;
    for (int k = 0; k < n && status == HD_OK; k++) {
        if (!is_given(out[k].view)) continue;
        const hd_view v = *out[k].view;
        any = true;
        if (v.type != out[k].type && v.type != out[k].or_type)
            return hd__frame_fail(f, HD_ERROR_TYPE, "%s: expected %s%s%s, got %s", out[k].name,
                                  hd_type_name(out[k].type), out[k].or_type ? " or " : "",
                                  out[k].or_type ? hd_type_name(out[k].or_type) : "",
                                  hd_type_name(v.type));
        if (v.ndim != 2 || v.shape[0] != in.shape[0] || v.shape[1] != in.shape[1])
            return hd__frame_fail(f, HD_ERROR_SHAPE,
                                  "%s: expected the shape of in, %" PRId64 " x %" PRId64,
                                  out[k].name, in.shape[0], in.shape[1]);
        status = hd__frame_check_out(f, out[k].name, v);
        if (status == HD_OK) status = hd__frame_check_apart(f, out[k].name, v, "in", in);
        for (int j = 0; j < k && status == HD_OK; j++)
            if (is_given(out[j].view))
                status = hd__frame_check_apart(f, out[k].name, v, out[j].name, *out[j].view);
    }
    if (status == HD_OK && !any)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "no output is given; expected one or more");
    return status;
}

static hd_status check(hd__frame *f, hd_view in, const hd_box_options *o)
{
    const bool is_float = in.type == HD_F32 || in.type == HD_F64;
    const output out[] = {{"sums", o->sums, is_float ? HD_F64 : HD_I64, 0},
                          {"means", o->means, HD_F64, HD_F32},
                          {"variances", o->variances, HD_F64, HD_F32},
                          {"counts", o->counts, HD_I64, 0}};
    if (is_given(o->variances) && !is_float && hd_type_size(in.type) > 2)
        return hd__frame_fail(f, HD_ERROR_TYPE,
                              "variances: expected in to have 16 bits or fewer, or floats, got %s",
                              hd_type_name(in.type));
    return check_outputs(f, in, out, 4);
}

// Whether the cores can do it in one pass: integers, whose sums have no order.
static bool fits_rows(const hd__boxes *b, hd_view in, const hd_view *const out[2])
{
    bool fits =
        hd__team_serves(b->f->ctx, b->f->on_device) && in.type != HD_F32 && in.type != HD_F64;
    for (int k = 0; k < 2; k++)
        if (is_given(out[k])) fits &= hd__box_rows_fit(*out[k]);
    return fits;
}

static hd_status tell_rows(hd__boxes *b, hd_view in, const hd_box_options *o)
{
    hd__box_rows r;
    const hd_status status = hd__box_rows_open(b, in, &r);
    if (status != HD_OK) return status;
    if (is_given(o->sums)) r.sums = o->sums->data, r.sums_step = o->sums->stride[0];
    if (is_given(o->means)) {
        r.means_step = o->means->stride[0];
        if (o->means->type == HD_F32)
            r.means_f32 = o->means->data;
        else
            r.means = o->means->data;
    }
    return hd__box_rows_run(b, &r);
}

static hd_status tell(hd__boxes *b, hd_view in, const hd_box_options *o)
{
    hd_context *ctx = b->f->ctx;
    hd_view sum = {0}, squares;
    hd_status status = HD_OK;
    if (is_given(o->counts))
        status = hd_map(ctx, b->rows, product, *o->counts,
                        &(hd_map_options){.with = HD_VIEWS(b->columns)});
    if (!is_given(o->sums) && !is_given(o->means) && !is_given(o->variances)) return status;
    const hd_view *const one_pass[2] = {o->sums, o->means};
    if (status == HD_OK && !is_given(o->variances) && fits_rows(b, in, one_pass))
        return tell_rows(b, in, o);
    const bool only_means =
        is_given(o->means) && !is_given(o->sums) && !is_given(o->variances) && b->f->on_device;
    if (status == HD_OK && only_means && hd__box_means_fit(b, in, *o->means))
        return hd__box_means_run(b, in, *o->means);
    if (status == HD_OK) status = hd__boxes_image(b, in);
    const int of = b->image.type == HD_I64;
    if (is_given(o->sums)) sum = *o->sums;
    if (status == HD_OK && !is_given(o->sums)) status = hd__boxes_scratch(b, b->image.type, &sum);
    if (status == HD_OK) status = hd__boxes_sum(b, false, sum);
    if (status == HD_OK && is_given(o->means))
        status = hd_map(ctx, sum, means[of][o->means->type == HD_F32], *o->means,
                        &(hd_map_options){.with = HD_VIEWS(b->rows, b->columns)});
    if (status != HD_OK || !is_given(o->variances)) return status;
    status = hd__boxes_scratch(b, b->image.type, &squares);
    if (status == HD_OK) status = hd__boxes_sum(b, true, squares);
    if (status != HD_OK) return status;
    return hd_map(ctx, sum, variances[of][o->variances->type == HD_F32], *o->variances,
                  &(hd_map_options){.with = HD_VIEWS(squares, b->rows, b->columns)});
}

hd_status hd_box_statistics(hd_context *ctx, hd_view in, int64_t height, int64_t width,
                            const hd_box_options *options)
{
    hd__frame f;
    hd__boxes b;
    hd_box_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_box_statistics", in);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (status == HD_OK) status = hd__boxes_open(&b, &f, in, height, width);
    if (status == HD_OK) status = check(&f, in, &o);
    if (status == HD_OK && hd_count(in) > 0) status = tell(&b, in, &o);
    return hd__frame_close(&f, status);
}

// ---- Threshold ----------------------------------------------------------------------------------

HD_SOURCE(
    thresholds,
    typedef struct {
        double factor;
        int32_t inverted, set;
    } threshold;
    static inline int32_t is_set(double x, double sum, int64_t rows, int64_t columns, double factor,
                                 int32_t inverted) {
        const int32_t bright = x * (double)(rows * columns) > sum * factor;
        return bright != inverted;
    })
HD_FUNCTION_STATE(set_i64, uint8_t, thresholds,
                  (int64_t, x, int64_t, sum, int64_t, rows, int64_t, columns), threshold, {
                      return is_set((double)x, (double)sum, rows, columns, state->factor,
                                    state->inverted)
                                 ? (uint8_t)state->set
                                 : (uint8_t)0;
                  })
HD_FUNCTION_STATE(set_f64, uint8_t, thresholds,
                  (double, x, double, sum, int64_t, rows, int64_t, columns), threshold, {
                      return is_set(x, sum, rows, columns, state->factor, state->inverted)
                                 ? (uint8_t)state->set
                                 : (uint8_t)0;
                  })

static hd_status check_threshold(hd__frame *f, hd_view in, hd_view out, hd_threshold_options *o)
{
    const int64_t eighth = in.ndim == 2 && in.shape[1] / 8 > 3 ? in.shape[1] / 8 : 3;
    if (o->ratio != 0 && o->zero_ratio)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "ratio %g with zero_ratio; expected 0",
                              o->ratio);
    if (o->ratio == 0 && !o->zero_ratio) o->ratio = 0.15;
    if (o->height == 0) o->height = eighth;
    if (o->width == 0) o->width = eighth;
    if (!(o->ratio >= 0 && o->ratio <= 1))
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "ratio %g; expected 0 to 1", o->ratio);
    if (out.type != HD_BOOL && out.type != HD_U8)
        return hd__frame_fail(f, HD_ERROR_TYPE, "out: expected bool or u8, got %s",
                              hd_type_name(out.type));
    return HD_OK;
}

static hd_status threshold_rows(hd__boxes *b, hd_view in, hd_view out, const threshold *how)
{
    hd__box_rows r;
    const hd_status status = hd__box_rows_open(b, in, &r);
    if (status != HD_OK) return status;
    r.set = out.data, r.set_step = out.stride[0];
    r.factor = how->factor, r.inverted = how->inverted, r.value = (uint8_t)how->set;
    return hd__box_rows_run(b, &r);
}

static double below_mean(double ratio)
{
    HD__FLOAT_STATE;
    return 1 - ratio;
}

static hd_status apply_threshold(hd__boxes *b, hd_view in, hd_view out,
                                 const hd_threshold_options *o)
{
    const threshold how = {below_mean(o->ratio), o->invert, out.type == HD_U8 ? 255 : 1};
    const hd_view *const one_pass[2] = {&out, NULL};
    hd_view sum;
    if (fits_rows(b, in, one_pass)) return threshold_rows(b, in, out, &how);
    hd_status status = hd__boxes_image(b, in);
    if (status == HD_OK) status = hd__boxes_scratch(b, b->image.type, &sum);
    if (status == HD_OK) status = hd__boxes_sum(b, false, sum);
    if (status != HD_OK) return status;
    out.type = HD_U8; // a bool is a byte of 0 or 1
    return hd_map(b->f->ctx, b->image,
                  b->image.type == HD_I64 ? HD_WITH_STATE(set_i64, &how)
                                          : HD_WITH_STATE(set_f64, &how),
                  out, &(hd_map_options){.with = HD_VIEWS(sum, b->rows, b->columns)});
}

hd_status hd_threshold(hd_context *ctx, hd_view in, hd_view out,
                       const hd_threshold_options *options)
{
    hd__frame f;
    hd__boxes b;
    hd_threshold_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_threshold", in);
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (status == HD_OK) status = check_threshold(&f, in, out, &o);
    if (status == HD_OK) status = hd__boxes_open(&b, &f, in, o.height, o.width);
    const output outs[] = {{"out", &out, out.type, 0}};
    if (status == HD_OK) status = check_outputs(&f, in, outs, 1);
    if (status == HD_OK && hd_count(in) > 0) status = apply_threshold(&b, in, out, &o);
    return hd__frame_close(&f, status);
}
