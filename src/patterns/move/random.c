// SPDX-License-Identifier: Apache-2.0
// hd_random: checks its arguments and hands the job to a backend.
#include "random.h"
#include "core/arguments.h"
#include "core/convert.h"

HD__BRINGS(random)
HD__BRINGS_PASS(random)

static const char call[] = "hd_random";

static bool is_signed(hd_type type)
{
    return type >= HD_I8 && type <= HD_I64;
}

// The least and the greatest number of an integer type, sign-extended.
static void ends_of(hd_type type, uint64_t *low, uint64_t *high)
{
    const int bits = 8 * (int)hd__size_of(type);
    *low = 0;
    *high = type == HD_BOOL ? 1 : UINT64_MAX >> (64 - bits);
    if (!is_signed(type)) return;
    *high >>= 1;
    *low = ~*high;
}

static hd_status check_range(hd_context *ctx, hd_type type, const hd_random_options *o,
                             hd__random_job *job)
{
    uint64_t low, high;
    ends_of(type, &low, &high);
    if ((o->low == NULL) != (o->high == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is given alone; expected low and high",
                        call, o->low != NULL ? "low" : "high");
    if (o->low != NULL) {
        hd__convert(HD_U64, &low, type, o->low, 1);
        hd__convert(HD_U64, &high, type, o->high, 1);
    }
    const bool falls = is_signed(type) ? (int64_t)high < (int64_t)low : high < low;
    if (falls) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: high is below low", call);
    job->low = low;
    job->count = high - low + 1;
    return HD_OK;
}

static hd_status check(hd_context *ctx, const hd_view *out, const hd_random_options *o,
                       hd__random_job *job)
{
    HD_TRY(hd__check_output(ctx, "hd_random: out", out));
    if (o->distribution != HD_UNIFORM && o->distribution != HD_NORMAL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: distribution %d; expected HD_UNIFORM or "
                        "HD_NORMAL",
                        call, (int)o->distribution);
    if (!hd__is_number(out->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected numbers", call,
                        hd_type_name(out->type));
    job->normal = o->distribution == HD_NORMAL;
    if (!hd__is_float(out->type) && job->normal)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; HD_NORMAL gives floats", call,
                        hd_type_name(out->type));
    if (!hd__is_float(out->type)) return check_range(ctx, out->type, o, job);
    if (o->low != NULL || o->high != NULL)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; a range is for integers", call,
                        hd_type_name(out->type));
    return HD_OK;
}

hd_status hd_random(hd_context *ctx, hd_view out, const hd_random_options *options)
{
    hd_random_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_random_options, options, o));
    HD__AT_LEAST_1D(&out);
    hd__random_job job = {.out = out, .offset = o->offset, .start = hd__mix(o->seed)};
    HD_TRY(check(ctx, &out, o, &job));
    job.n = hd_count(out);
    hd__collapse(&job.out);
    const hd__subject subject = {job.normal ? "normal" : "uniform", job.n, out.type};
    return hd__dispatch(ctx, HD__RANDOM_PATTERN, &job, &subject);
}
