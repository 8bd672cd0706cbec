// SPDX-License-Identifier: Apache-2.0
// hd_nth and hd_quantiles: check their arguments and hand the job to a backend.
#include "nth.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "rows.h"

#include <stdio.h>

HD__BRINGS(nth)
HD__BRINGS_PASS(nth)

// What both calls have.
typedef struct request {
    hd_view in, at, out; // at: ranks or probabilities
    const char *at_name;
    const hd_view *indices, *segments;
    int32_t axis;
} request;

// Memory of a job: ranks or probabilities, then offsets.
typedef struct numbers {
    void *memory;
    size_t bytes;
    void *at;
    int64_t *offsets;
} numbers;

// ---- Shapes ---------------------------------------------------------------------------------

static bool fits(const request *r, const hd__nth_job *job, int32_t axis, const hd_view *v)
{
    if (!hd__is_empty(r->segments))
        return v->ndim == 2 && v->shape[0] == job->rows && v->shape[1] == job->m;
    if (axis < 0) return hd__same_shape(v, &r->at);
    hd_view like = r->in;
    like.shape[axis] = job->m;
    return hd__same_shape(v, &like);
}

static hd_status check_fit(hd_context *ctx, const request *r, const hd__nth_job *job, int32_t axis,
                           const char *name, const hd_view *v)
{
    char got[HD__SHAPE_TEXT], want[HD__SHAPE_TEXT];
    hd_view like = axis < 0 ? r->at : r->in;
    if (fits(r, job, axis, v)) return HD_OK;
    if (axis >= 0) like.shape[axis] = job->m;
    if (!hd__is_empty(r->segments)) {
        like.ndim = 2;
        like.shape[0] = job->rows, like.shape[1] = job->m;
    }
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has shape %s; expected %s", job->call, name,
                    hd__shape_text(v, got), hd__shape_text(&like, want));
}

static hd_status check_at(hd_context *ctx, const request *r, const hd__nth_job *job)
{
    const bool ranks = job->method < 0, plain = r->axis == 0 && hd__is_empty(r->segments);
    HD_TRY(hd__check_input_as(ctx, &r->at, "%s: %s", job->call, r->at_name));
    HD_TRY(hd__check_on_host(ctx, job->call, r->at_name, &r->at));
    if (ranks ? !hd__is_integer(r->at.type) : r->at.type != HD_F32 && r->at.type != HD_F64)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s are %s; expected %s", job->call, r->at_name,
                        hd_type_name(r->at.type), ranks ? "an integer type" : "f32 or f64");
    if (plain || r->at.ndim == 1) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s have %d dimensions; expected one", job->call,
                    r->at_name, (int)r->at.ndim);
}

static hd_status check_rows(hd_context *ctx, const request *r, hd__nth_job *job, int32_t *axis)
{
    const bool segments = !hd__is_empty(r->segments);
    *axis = -1;
    job->rows = 1, job->length = hd__count(&r->in);
    if (segments && r->axis != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: axis and segments exclude each other",
                        job->call);
    if (segments) {
        if (r->in.ndim != 1)
            return hd__fail(ctx, HD_ERROR_SHAPE, "%s: segments need one dimension, in has %d",
                            job->call, (int)r->in.ndim);
        HD_TRY(hd__check_offsets(ctx, job->call, r->segments, 1));
        HD_TRY(hd__check_on_host(ctx, job->call, "segments", r->segments));
        job->rows = r->segments->shape[0] - 1;
        return HD_OK;
    }
    if (r->axis == 0) return HD_OK;
    HD_TRY(hd__check_axis(ctx, job->call, r->axis, r->in.ndim, axis));
    if (r->in.space == HD_IMPLICIT && r->in.ndim != 1)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: rows along an axis are in memory", job->call);
    job->length = r->in.shape[*axis];
    job->rows = 1;
    for (int32_t k = 0; k < r->in.ndim; k++)
        if (k != *axis) job->rows *= r->in.shape[k];
    return HD_OK;
}

static hd_status check_apart(hd_context *ctx, const request *r, const hd__nth_job *job)
{
    const hd_view *const outs[] = {&job->out, &job->indices};
    static const char *const names[] = {"out", "indices"};
    for (int k = 0; k < 2; k++) {
        if (hd__is_empty(outs[k])) continue;
        HD_TRY(hd__check_apart_of(ctx, job->call, names[k], outs[k], "in", &r->in));
        HD_TRY(hd__check_apart_of(ctx, job->call, names[k], outs[k], r->at_name, &r->at));
        HD_TRY(hd__check_apart_of(ctx, job->call, names[k], outs[k], "segments", r->segments));
    }
    if (hd__is_empty(&job->indices)) return HD_OK;
    return hd__check_apart_of(ctx, job->call, "indices", &job->indices, "out", &job->out);
}

// ---- Numbers --------------------------------------------------------------------------------

static hd_status check_ranks(hd_context *ctx, const hd__nth_job *job, const int64_t *ranks)
{
    int64_t n = job->rows > 0 ? hd__nth_row_length(job, 0) : INT64_MAX;
    for (int64_t k = 1; job->offsets != NULL && k < job->rows; k++)
        if (hd__nth_row_length(job, k) < n) n = hd__nth_row_length(job, k);
    for (int64_t k = 0; k < job->m; k++)
        if (ranks[k] < 0 || ranks[k] >= n)
            return hd__fail(ctx, HD_ERROR_VALUE,
                            "%s: rank %lld is %lld; expected 0 to %lld, below the elements%s",
                            job->call, (long long)k, (long long)ranks[k], (long long)n - 1,
                            job->offsets != NULL ? " of the shortest segment" : "");
    return HD_OK;
}

static hd_status check_probabilities(hd_context *ctx, const hd__nth_job *job, const double *p)
{
    for (int64_t k = 0; k < job->m; k++)
        if (!(p[k] >= 0 && p[k] <= 1))
            return hd__fail(ctx, HD_ERROR_VALUE, "%s: probability %lld is %g; expected 0 to 1",
                            job->call, (long long)k, p[k]);
    return HD_OK;
}

static hd_status take_numbers(hd_context *ctx, const request *r, hd__nth_job *job, numbers *own)
{
    const bool ranks = job->method < 0, segments = !hd__is_empty(r->segments);
    const hd_type type = ranks ? HD_I64 : HD_F64;
    own->bytes = (size_t)(2 * job->m + (segments ? job->rows : 0) + 1) * 8;
    own->memory = hd__allocate(ctx, own->bytes);
    if (own->memory == NULL) return HD_ERROR_MEMORY;
    own->at = own->memory;
    char *raw = (char *)own->memory + 8 * job->m;
    own->offsets = (int64_t *)own->memory + 2 * job->m;
    if (segments) {
        HD_TRY(hd__take_offsets(ctx, job->call, r->segments, job->rows, hd__count(&r->in),
                                own->offsets));
        job->offsets = own->offsets;
    }
    hd__gather(&r->at, 0, job->m, raw);
    hd__convert(type, own->at, r->at.type, raw, job->m);
    if (ranks && r->at.type == HD_U64) // beyond 2^63 they are negative, and refused
        memcpy(own->at, raw, 8 * (size_t)job->m);
    if (ranks) job->ranks = own->at;
    if (!ranks) job->probability = own->at;
    return ranks ? check_ranks(ctx, job, own->at) : check_probabilities(ctx, job, own->at);
}

// ---- The calls ------------------------------------------------------------------------------

static hd_status dispatch(hd_context *ctx, const request *r, hd__nth_job *job, int32_t axis)
{
    const hd__subject subject = {job->ranks == NULL ? "quantiles"
                                 : job->numbers     ? ""
                                                    : job->order->name,
                                 hd__count(&r->in), r->in.type};
    if (job->m == 0 || job->rows == 0) return HD_OK;
    hd__put_axis_last(&job->in, axis);
    hd__put_axis_last(&job->out, axis);
    hd__put_axis_last(&job->indices, axis);
    return hd__dispatch(ctx, HD__NTH_PATTERN, job, &subject);
}

// The order is chosen, and out's type is right.
static hd_status run(hd_context *ctx, const request *r, hd__nth_job *job)
{
    int32_t axis;
    numbers own = {0};
    HD_TRY(check_at(ctx, r, job));
    job->m = hd__count(&r->at);
    HD_TRY(check_rows(ctx, r, job, &axis));
    HD_TRY(check_fit(ctx, r, job, axis, "out", &r->out));
    job->in = r->in, job->out = r->out, job->indices = *r->indices;
    if (!hd__is_empty(r->indices)) {
        HD_TRY(hd__check_positions(ctx, job->call, "indices", r->indices, job->length - 1));
        HD_TRY(check_fit(ctx, r, job, axis, "indices", r->indices));
    }
    HD_TRY(check_apart(ctx, r, job));
    hd_status status = take_numbers(ctx, r, job, &own);
    if (status == HD_OK) status = dispatch(ctx, r, job, axis);
    hd__release(ctx, own.memory, own.bytes);
    return status;
}

hd_status hd_nth(hd_context *ctx, hd_view in, hd_view ranks, hd_view out,
                 const hd_nth_options *options)
{
    static const char call[] = "hd_nth";
    hd_nth_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_nth_options, options, o));
    HD__AT_LEAST_1D(&in, &ranks, &out);
    HD_TRY(hd__check_input(ctx, "hd_nth: in", &in));
    HD_TRY(hd__check_output(ctx, "hd_nth: out", &out));
    hd__nth_job job = {.call = call, .numbers = o->comparison == NULL, .method = -1};
    job.descending = o->descending;
    HD_TRY(hd__select_order(ctx, call, o->comparison, in.type, o->descending, &job.order,
                            &job.backwards));
    if (!hd__same_type(in.type, out.type)) {
        char got[48];
        snprintf(got, sizeof got, "%s", hd_type_name(out.type));
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected the type of in, %s", call, got,
                        hd_type_name(in.type));
    }
    const request r = {in, ranks, out, "ranks", o->indices, o->segments, o->axis};
    return run(ctx, &r, &job);
}

static hd_status check_quantile_types(hd_context *ctx, const char *call, hd_type in, hd_type out,
                                      int32_t method)
{
    char got[48];
    const bool between = method == HD_LINEAR || method == HD_MIDPOINT;
    if (method < HD_LINEAR || method > HD_MIDPOINT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: method is %d; expected 0 to %d", call,
                        (int)method, (int)HD_MIDPOINT);
    if (!hd__is_number(in) || in == HD_BOOL)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: in is %s; expected numbers", call,
                        hd_type_name(in));
    if (hd__is_float(out) || (!between && out == in)) return HD_OK;
    snprintf(got, sizeof got, "%s", hd_type_name(out));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected a float type%s%s", call, got,
                    between ? "" : ", or ", between ? "" : hd_type_name(in));
}

hd_status hd_quantiles(hd_context *ctx, hd_view in, hd_view probabilities, hd_view out,
                       const hd_quantiles_options *options)
{
    static const char call[] = "hd_quantiles";
    static const hd_view none = {0};
    hd_quantiles_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_quantiles_options, options, o));
    HD__AT_LEAST_1D(&in, &probabilities, &out);
    HD_TRY(hd__check_input(ctx, "hd_quantiles: in", &in));
    HD_TRY(hd__check_output(ctx, "hd_quantiles: out", &out));
    HD_TRY(check_quantile_types(ctx, call, in.type, out.type, o->method));
    hd__nth_job job = {.call = call, .numbers = true, .omit_nan = o->omit_nan};
    job.method = o->method;
    job.order = hd__number_order(in.type, false);
    const request r = {in, probabilities, out, "probabilities", &none, o->segments, o->axis};
    return run(ctx, &r, &job);
}
