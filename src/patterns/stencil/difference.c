// SPDX-License-Identifier: Apache-2.0
// hd_difference: checks its arguments and hands the job to a backend. The differences of numbers
// are functions like any user's.
#include "difference.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "core/operators/probe.h"

#include <stdio.h>

HD__BRINGS(difference)
HD__BRINGS_PASS(difference)

static const char call[] = "hd_difference";

HD_FUNCTION(minus_8, uint8_t, HD_NO_SOURCE, (uint8_t, x, uint8_t, y), { return (uint8_t)(x - y); })
HD_FUNCTION(minus_16, uint16_t, HD_NO_SOURCE, (uint16_t, x, uint16_t, y),
            { return (uint16_t)(x - y); })
HD_FUNCTION(minus_32, uint32_t, HD_NO_SOURCE, (uint32_t, x, uint32_t, y), { return x - y; })
HD_FUNCTION(minus_64, uint64_t, HD_NO_SOURCE, (uint64_t, x, uint64_t, y), { return x - y; })
HD_FUNCTION(minus_f16, uint16_t, HD_NO_SOURCE, (uint16_t, x, uint16_t, y),
            { return hd__f32_to_f16(hd__f16_to_f32(x) - hd__f16_to_f32(y)); })
HD_FUNCTION(minus_bf16, uint16_t, HD_NO_SOURCE, (uint16_t, x, uint16_t, y),
            { return hd__f32_to_bf16(hd__bf16_to_f32(x) - hd__bf16_to_f32(y)); })
HD_FUNCTION(minus_f32, float, HD_NO_SOURCE, (float, x, float, y), { return x - y; })
HD_FUNCTION(minus_f64, double, HD_NO_SOURCE, (double, x, double, y), { return x - y; })

// Integers wrap: signed ones have the bits of unsigned ones. bool has no difference.
#define minus_i8   minus_8
#define minus_u8   minus_8
#define minus_i16  minus_16
#define minus_u16  minus_16
#define minus_i32  minus_32
#define minus_u32  minus_32
#define minus_i64  minus_64
#define minus_u64  minus_64
#define minus_bool NULL

static const hd_function *const minus_of[HD_TYPE_KINDS] = {
#define X(name, id, ctype, kind) [id] = minus_##name,
#include "core/types.def"
#undef X
};

static hd_status check_plain(hd_context *ctx, hd__difference_job *job)
{
    job->function = hd__is_number(job->in.type) ? minus_of[job->in.type] : NULL;
    job->plain = true;
    if (job->function == NULL)
        return hd__fail(
            ctx, HD_ERROR_TYPE,
            "%s: elements of type %s have no difference; expected numbers, or a function", call,
            hd_type_name(job->in.type));
    if (job->out.type == job->in.type) return HD_OK;
    char got[48];
    snprintf(got, sizeof got, "%s", hd_type_name(job->out.type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected %s, as in", call, got,
                    hd_type_name(job->in.type));
}

static hd_status check_map(hd_context *ctx, const hd_function *map, hd__difference_job *job)
{
    const char *name = map->name != NULL ? map->name : "(no name)";
    job->function = map;
    HD_TRY(HD__CHECK_ABI(ctx, call, "function", map));
    if (map->apply == NULL || map->inputs != 2)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: function %s takes %d inputs; expected 2, an element and the one "
                        "before it",
                        call, name, (int)map->inputs);
    if (!hd__same_type(map->input[0], job->in.type) || !hd__same_type(map->input[1], job->in.type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: function %s does not take two elements of %s",
                        call, name, hd_type_name(job->in.type));
    if (!hd__same_type(map->result, job->out.type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: function %s does not give out's type %s", call,
                        name, hd_type_name(job->out.type));
    if (!hd__same_type(map->result, job->in.type) && job->before == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: before is NULL; function %s, whose result is not of in's type, needs "
                        "an element before the first",
                        call, name);
    HD_TRY(hd__check_state(ctx, call, "function", name, &map->state));
    return hd__check_probe(ctx, call, "function", name, map->probe);
}

static hd_status check(hd_context *ctx, const hd_difference_options *o, hd__difference_job *job)
{
    HD_TRY(hd__check_input(ctx, "hd_difference: in", &job->in));
    HD_TRY(hd__check_output(ctx, "hd_difference: out", &job->out));
    if (job->in.space == HD_IMPLICIT && job->in.ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: an implicit view has one dimension, got %d", call,
                        (int)job->in.ndim);
    HD_TRY(hd__check_shape_of(ctx, call, "out", &job->out, "in", &job->in));
    HD_TRY(o->function != NULL ? check_map(ctx, o->function, job) : check_plain(ctx, job));
    const hd__overlap how = hd__overlaps(&job->out, &job->in);
    if (how == HD__CROSSING)
        return hd__fail(ctx, HD_ERROR_ALIAS, "%s: out overlaps in without being the same view",
                        call);
    job->in_place = how == HD__SAME;
    if (o->axis != 0) return hd__check_axis(ctx, call, o->axis, job->in.ndim, &job->axis);
    return HD_OK;
}

hd_status hd_difference(hd_context *ctx, hd_view in, hd_view out,
                        const hd_difference_options *options)
{
    hd_difference_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_difference_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    hd__difference_job job = {.in = in, .out = out, .before = o->before};
    HD_TRY(check(ctx, o, &job));
    const hd__subject subject = {o->function != NULL ? o->function->name : "", hd_count(in),
                                 in.type};
    if (o->axis == 0) { // one row, which may still lie in several dimensions
        job.axis = -1;
        hd__collapse(&job.in);
        hd__collapse(&job.out);
    }
    return hd__dispatch(ctx, HD__DIFFERENCE_PATTERN, &job, &subject);
}
