// SPDX-License-Identifier: Apache-2.0
// hd_merge: checks its arguments and hands the job to a backend.
#include "merge.h"
#include "core/arguments.h"
#include "rows.h"

HD__BRINGS(merge)
HD__BRINGS_PASS(merge)

static const char call[] = "hd_merge";

// ---- Shapes ---------------------------------------------------------------------------------

static hd_status check_types(hd_context *ctx, const char *of, const hd_view *a, const hd_view *b,
                             const hd_view *out)
{
    if (hd__same_type(a->type, b->type) && (hd__is_empty(out) || hd__same_type(a->type, out->type)))
        return HD_OK;
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: a, b and out%s are not of one type", call, of);
}

// Along an axis out is as long as a and b together; the other axes are alike.
static bool fits(const hd_view *a, const hd_view *b, const hd_view *out, int32_t axis)
{
    if (axis < 0) return hd__count(out) == hd__count(a) + hd__count(b);
    bool same = a->ndim == out->ndim && b->ndim == out->ndim;
    for (int32_t k = 0; same && k < a->ndim; k++)
        same = k == axis ? out->shape[k] == a->shape[k] + b->shape[k]
                         : out->shape[k] == a->shape[k] && out->shape[k] == b->shape[k];
    return same;
}

static hd_status check_fit(hd_context *ctx, const char *name, const hd_view *a, const hd_view *b,
                           const hd_view *out, int32_t axis)
{
    char got[HD__SHAPE_TEXT], of_a[HD__SHAPE_TEXT], of_b[HD__SHAPE_TEXT];
    if (fits(a, b, out, axis)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has shape %s; expected %s, a %s and b %s", call,
                    name, hd__shape_text(out, got),
                    axis < 0 ? "as many elements as both together"
                             : "as many as both together along the axis, and else their shape",
                    hd__shape_text(a, of_a), hd__shape_text(b, of_b));
}

// a and b alike but for the axis, whether or not there is an out.
static hd_status check_inputs(hd_context *ctx, const hd_view *a, const hd_view *b, int32_t axis)
{
    hd_view like = *a;
    if (axis < 0) return HD_OK;
    if (b->ndim == a->ndim) like.shape[axis] = b->shape[axis];
    return hd__check_shape_of(ctx, call, "b", b, "a but for the axis", &like);
}

static hd_status check_rows(hd_context *ctx, const hd_merge_options *o, hd__merge_job *job)
{
    job->na = hd__count(&job->a), job->nb = hd__count(&job->b);
    job->rows = 1, job->axis = -1;
    if (o->axis == 0) return HD_OK;
    if (job->a.space == HD_IMPLICIT || job->b.space == HD_IMPLICIT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: rows along an axis are in memory", call);
    HD_TRY(hd__check_axis(ctx, call, o->axis, job->a.ndim, &job->axis));
    HD_TRY(check_inputs(ctx, &job->a, &job->b, job->axis));
    const int64_t na = job->a.shape[job->axis], nb = job->b.shape[job->axis];
    job->rows = na > 0 ? job->na / na : nb > 0 ? job->nb / nb : 0;
    job->na = na, job->nb = nb;
    return HD_OK;
}

static hd_status check_outputs(hd_context *ctx, const hd__merge_job *job)
{
    if (!hd__is_empty(&job->out))
        HD_TRY(check_fit(ctx, "out", &job->a, &job->b, &job->out, job->axis));
    if (hd__is_empty(&job->indices)) return HD_OK;
    HD_TRY(hd__check_positions(ctx, call, "indices", &job->indices, job->na + job->nb - 1));
    return check_fit(ctx, "indices", &job->a, &job->b, &job->indices, job->axis);
}

// ---- Values ---------------------------------------------------------------------------------

static hd_status check_value(hd_context *ctx, const hd__merge_job *job, const hd_view *given)
{
    hd_view room[3];
    const hd_view *a = hd__view_at_least_1d(&given[0], &room[0]),
                  *b = hd__view_at_least_1d(&given[1], &room[1]);
    const hd_view *out = hd__view_at_least_1d(&given[2], &room[2]);
    HD_TRY(hd__check_input_as(ctx, a, "%s: a of values", call));
    HD_TRY(hd__check_input_as(ctx, b, "%s: b of values", call));
    HD_TRY(hd__check_output_as(ctx, out, "%s: out of values", call));
    HD_TRY(check_types(ctx, " of values", a, b, out));
    HD_TRY(hd__check_shape_of(ctx, call, "a of values", a, "a", &job->a));
    HD_TRY(hd__check_shape_of(ctx, call, "b of values", b, "b", &job->b));
    return check_fit(ctx, "out of values", a, b, out, job->axis);
}

static hd_status check_values(hd_context *ctx, const hd__merge_job *job, const hd_views *values)
{
    if (values->count < 0 || values->count % 3 != 0 || (values->count > 0 && values->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: values are %lld views%s; expected those of a, of b and merged in turn",
                        call, (long long)values->count,
                        values->count > 0 && values->view == NULL ? " at NULL" : "");
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(check_value(ctx, job, &values->view[3 * k]));
    return HD_OK;
}

void hd__merge_value(const hd__merge_job *job, int64_t k, hd_view value[3])
{
    const int64_t length[3] = {job->na, job->nb, job->na + job->nb};
    for (int s = 0; s < 3; s++) {
        value[s] = job->values[3 * k + s];
        hd__at_least_1d(&value[s]);
        hd__put_axis_last(&value[s], job->axis);
        value[s] = hd__range_of(&value[s], job->row * length[s], length[s]);
    }
}

// ---- Overlaps -------------------------------------------------------------------------------

// An output against the inputs and the views of values but one.
static hd_status check_apart(hd_context *ctx, const hd__merge_job *job, const char *name,
                             const hd_view *out, const hd_view *but)
{
    hd_view row, other_row;
    if (hd__is_empty(out)) return HD_OK;
    out = hd__view_at_least_1d(out, &row);
    HD_TRY(hd__check_apart_of(ctx, call, name, out, "a", &job->a));
    HD_TRY(hd__check_apart_of(ctx, call, name, out, "b", &job->b));
    for (int64_t k = 0; k < 3 * job->value_count; k++)
        if (&job->values[k] != but)
            HD_TRY(hd__check_apart_of(ctx, call, name, out,
                                      but != NULL ? "another view of values" : "a view of values",
                                      hd__view_at_least_1d(&job->values[k], &other_row)));
    return HD_OK;
}

// No output overlaps an input or another output.
static hd_status check_aliases(hd_context *ctx, const hd__merge_job *job)
{
    HD_TRY(check_apart(ctx, job, "out", &job->out, NULL));
    HD_TRY(check_apart(ctx, job, "indices", &job->indices, NULL));
    if (!hd__is_empty(&job->out) && !hd__is_empty(&job->indices))
        HD_TRY(hd__check_apart_of(ctx, call, "indices", &job->indices, "out", &job->out));
    for (int64_t k = 0; k < job->value_count; k++) {
        const hd_view *out = &job->values[3 * k + 2];
        HD_TRY(check_apart(ctx, job, "an output of values", out, out));
    }
    return HD_OK;
}

// ---- The call -------------------------------------------------------------------------------

hd__merge_job hd__merge_row(const hd__merge_job *job, int64_t r)
{
    const int64_t na = job->na, nb = job->nb;
    hd__merge_job row = *job;
    row.rows = 1, row.row = r;
    row.a = hd__range_of(&job->a, r * na, na);
    row.b = hd__range_of(&job->b, r * nb, nb);
    row.out = hd__range_of(&job->out, r * (na + nb), na + nb);
    row.indices = hd__range_of(&job->indices, r * (na + nb), na + nb);
    return row;
}

static hd_status check(hd_context *ctx, const hd_merge_options *o, const hd_views *values,
                       hd__merge_job *job)
{
    HD_TRY(hd__check_input_as(ctx, &job->a, "%s: a", call));
    HD_TRY(hd__check_input_as(ctx, &job->b, "%s: b", call));
    if (!hd__is_empty(&job->out)) HD_TRY(hd__check_output_as(ctx, &job->out, "%s: out", call));
    HD_TRY(check_types(ctx, "", &job->a, &job->b, &job->out));
    HD_TRY(hd__select_order(ctx, call, o->comparison, job->a.type, o->descending, &job->order,
                            &job->backwards));
    HD_TRY(check_rows(ctx, o, job));
    HD_TRY(check_outputs(ctx, job));
    HD_TRY(check_values(ctx, job, values));
    return check_aliases(ctx, job);
}

hd_status hd_merge(hd_context *ctx, hd_view a, hd_view b, hd_view out, hd_views values,
                   const hd_merge_options *options)
{
    hd_merge_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_merge_options, options, o));
    HD__AT_LEAST_1D(&a, &b, &out);
    hd__merge_job job = {.a = a,
                         .b = b,
                         .out = out,
                         .indices = *o->indices,
                         .values = values.view,
                         .value_count = values.count / 3};
    HD_TRY(check(ctx, o, &values, &job));
    hd__put_axis_last(&job.a, job.axis);
    hd__put_axis_last(&job.b, job.axis);
    hd__put_axis_last(&job.out, job.axis);
    hd__put_axis_last(&job.indices, job.axis);
    if (o->checked) {
        const hd__ordered_rows rows = {job.order, job.backwards, job.rows};
        HD_TRY(hd__check_order(ctx, call, "a", &job.a, job.na, &rows));
        HD_TRY(hd__check_order(ctx, call, "b", &job.b, job.nb, &rows));
    }
    const hd__subject subject = {o->comparison != NULL ? job.order->name : "",
                                 job.rows * (job.na + job.nb), a.type};
    return hd__dispatch(ctx, HD__MERGE_PATTERN, &job, &subject);
}
