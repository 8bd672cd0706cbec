// SPDX-License-Identifier: Apache-2.0
// hd_set_union and the other set operations: check their arguments and hand the job to a backend.
#include "set.h"
#include "core/arguments.h"
#include "flags.h"

HD__BRINGS(set)
HD__BRINGS_PASS(set)

static hd_status check_inputs(hd_context *ctx, const char *call, const hd__set_job *job)
{
    HD_TRY(hd__check_input_as(ctx, &job->a, "%s: a", call));
    HD_TRY(hd__check_input_as(ctx, &job->b, "%s: b", call));
    if (hd__same_type(job->a.type, job->b.type)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: a and b are not of one type", call);
}

static hd_status check_outputs(hd_context *ctx, const char *call, const hd__set_job *job,
                               const hd_view *count)
{
    HD_TRY(hd__check_elements(ctx, call, "out", &job->out, job->a.type));
    if (!hd__is_empty(&job->indices))
        HD_TRY(hd__check_positions(ctx, call, "indices", &job->indices, job->na + job->nb - 1));
    const hd_view *const v[] = {&job->out, &job->indices, count};
    static const char *const names[] = {"out", "indices", "count"};
    for (int k = 0; k < 3; k++) {
        if (hd__is_empty(v[k])) continue;
        HD_TRY(hd__check_apart_of(ctx, call, names[k], v[k], "a", &job->a));
        HD_TRY(hd__check_apart_of(ctx, call, names[k], v[k], "b", &job->b));
        for (int j = 0; j < k; j++)
            HD_TRY(hd__check_apart_of(ctx, call, names[k], v[k], names[j], v[j]));
    }
    return HD_OK;
}

static hd_status check_sorted(hd_context *ctx, const char *call, const hd__set_job *job)
{
    const hd__ordered_rows one = {job->order, job->backwards, 1};
    HD_TRY(hd__check_order(ctx, call, "a", &job->a, job->na, &one));
    return hd__check_order(ctx, call, "b", &job->b, job->nb, &one);
}

// ---- Values -----------------------------------------------------------------------------------

void hd__set_value(const hd__set_job *job, int64_t k, hd_view value[3])
{
    for (int s = 0; s < 3; s++) {
        value[s] = job->values[3 * k + s];
        hd__at_least_1d(&value[s]);
        if (value[s].ndim > 1) hd__collapse(&value[s]);
    }
}

static hd_status check_value(hd_context *ctx, const char *call, const hd__set_job *job,
                             const hd_view *given)
{
    hd_view room[3];
    const hd_view *a = hd__view_at_least_1d(&given[0], &room[0]),
                  *b = hd__view_at_least_1d(&given[1], &room[1]);
    const hd_view *out = hd__view_at_least_1d(&given[2], &room[2]);
    HD_TRY(hd__check_input_as(ctx, a, "%s: a of values", call));
    HD_TRY(hd__check_input_as(ctx, b, "%s: b of values", call));
    HD_TRY(hd__check_output_as(ctx, out, "%s: out of values", call));
    if (!hd__same_type(a->type, b->type) || !hd__same_type(a->type, out->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: a, b and out of values are not of one type", call);
    HD_TRY(hd__check_shape_of(ctx, call, "a of values", a, "a", &job->a));
    return hd__check_shape_of(ctx, call, "b of values", b, "b", &job->b);
}

// An output of values overlaps no other view of the call.
static hd_status check_value_apart(hd_context *ctx, const char *call, const hd__set_job *job,
                                   int64_t k, const hd_view *count)
{
    hd_view room, other;
    const hd_view *out = hd__view_at_least_1d(&job->values[3 * k + 2], &room);
    const hd__named_view others[] = {{"a", &job->a},
                                     {"b", &job->b},
                                     {"out", &job->out},
                                     {"indices", &job->indices},
                                     {"count", count}};
    static const char name[] = "an output of values";
    for (int j = 0; j < 5; j++)
        HD_TRY(hd__check_apart_of(ctx, call, name, out, others[j].name, others[j].view));
    for (int64_t j = 0; j < 3 * job->value_count; j++)
        if (j != 3 * k + 2)
            HD_TRY(hd__check_apart_of(ctx, call, name, out, "another view of values",
                                      hd__view_at_least_1d(&job->values[j], &other)));
    return HD_OK;
}

// The other outputs overlap no input of values.
static hd_status check_apart_values(hd_context *ctx, const char *call, const hd__set_job *job,
                                    const char *name, const hd_view *out)
{
    hd_view room;
    for (int64_t j = 0; j < 3 * job->value_count; j++)
        if (j % 3 != 2)
            HD_TRY(hd__check_apart_of(ctx, call, name, out, "a view of values",
                                      hd__view_at_least_1d(&job->values[j], &room)));
    return HD_OK;
}

static hd_status check_values(hd_context *ctx, const char *call, const hd_views *values,
                              const hd_view *count, hd__set_job *job)
{
    if (values->count < 0 || values->count % 3 != 0 || (values->count > 0 && values->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: values are %lld views%s; expected those of a, of b and of out in turn",
                        call, (long long)values->count,
                        values->count > 0 && values->view == NULL ? " at NULL" : "");
    job->values = values->view;
    job->value_count = values->count / 3;
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(check_value(ctx, call, job, &values->view[3 * k]));
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(check_value_apart(ctx, call, job, k, count));
    HD_TRY(check_apart_values(ctx, call, job, "out", &job->out));
    HD_TRY(check_apart_values(ctx, call, job, "indices", &job->indices));
    return check_apart_values(ctx, call, job, "count", count);
}

static hd_status check_rooms(hd_context *ctx, const char *call, const hd__set_job *job)
{
    hd_view room;
    HD_TRY(hd__check_room(ctx, call, "out", &job->out, *job->count, "elements"));
    HD_TRY(hd__check_room(ctx, call, "indices", &job->indices, *job->count, "elements"));
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(hd__check_room(ctx, call, "out of values",
                              hd__view_at_least_1d(&job->values[3 * k + 2], &room), *job->count,
                              "elements"));
    return HD_OK;
}

// ---- The call ---------------------------------------------------------------------------------

// The job has its views and what it keeps.
static hd_status run(hd_context *ctx, const char *call, hd__set_job *job, hd_view count,
                     const hd_set_options *options)
{
    hd_set_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_set_options, options, o));
    HD__AT_LEAST_1D(&job->a, &job->b, &job->out, &count);
    job->indices = *o->indices;
    HD_TRY(check_inputs(ctx, call, job));
    if (hd__is_device_number(&count))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: count is on a device; expected host memory",
                        call);
    job->na = hd__count(&job->a), job->nb = hd__count(&job->b);
    job->numbers = o->comparison == NULL;
    job->descending = o->descending;
    HD_TRY(hd__select_order(ctx, call, o->comparison, job->a.type, o->descending, &job->order,
                            &job->backwards));
    hd__counting counting = {count, 0};
    HD_TRY(hd__check_counting(ctx, call, "count", &counting, &job->count));
    HD_TRY(check_outputs(ctx, call, job, &count));
    HD_TRY(check_values(ctx, call, &o->value_views, &count, job));
    hd_view *const views[] = {&job->a, &job->b, &job->out, &job->indices};
    for (int k = 0; k < 4; k++)
        if (views[k]->ndim > 1) hd__collapse(views[k]);
    if (o->checked) HD_TRY(check_sorted(ctx, call, job));
    const hd__subject subject = {o->comparison != NULL ? o->comparison->name : call + 7,
                                 job->na + job->nb, job->a.type};
    HD_TRY(hd__dispatch(ctx, HD__SET_PATTERN, job, &subject));
    hd__end_counting(&counting, job->count);
    return check_rooms(ctx, call, job);
}

hd_status hd_set_union(hd_context *ctx, hd_view a, hd_view b, hd_view out, hd_view count,
                       const hd_set_options *options)
{
    hd__set_job job = {.a = a, .b = b, .out = out};
    job.keep_a = job.keep_pairs = job.keep_b = true;
    return run(ctx, "hd_set_union", &job, count, options);
}

hd_status hd_set_intersection(hd_context *ctx, hd_view a, hd_view b, hd_view out, hd_view count,
                              const hd_set_options *options)
{
    hd__set_job job = {.a = a, .b = b, .out = out, .keep_pairs = true};
    return run(ctx, "hd_set_intersection", &job, count, options);
}

hd_status hd_set_difference(hd_context *ctx, hd_view a, hd_view b, hd_view out, hd_view count,
                            const hd_set_options *options)
{
    hd__set_job job = {.a = a, .b = b, .out = out, .keep_a = true};
    return run(ctx, "hd_set_difference", &job, count, options);
}

hd_status hd_set_symmetric_difference(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                      hd_view count, const hd_set_options *options)
{
    hd__set_job job = {.a = a, .b = b, .out = out, .keep_a = true, .keep_b = true};
    return run(ctx, "hd_set_symmetric_difference", &job, count, options);
}
