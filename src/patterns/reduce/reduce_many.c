// SPDX-License-Identifier: Apache-2.0
// hd_reduce_many: checks its arguments, makes a reduction's job of each result, and hands them to a
// backend together.
#include "reduce_many.h"

#include <stdio.h>
#include <string.h>

HD__BRINGS(reduce_many)
HD__BRINGS_PASS(reduce)

static const char call[] = "hd_reduce_many";

static hd_status check_ddof(hd_context *ctx, const hd_operators *operators, int32_t ddof)
{
    for (int64_t k = 0; k < operators->count; k++)
        if (operators->op[k] == HD_VARIANCE) return HD_OK;
    if (ddof == 0) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: ddof is %d and no operator is variance", call,
                    (int)ddof);
}

static hd_status check_lists(hd_context *ctx, const hd_operators *operators, const hd_views *out)
{
    if (operators->count != out->count || out->count < 0 || out->count > HD_MAX_RESULTS)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %lld operators and %lld outputs; expected as many, at most %d", call,
                        (long long)operators->count, (long long)out->count, HD_MAX_RESULTS);
    if (out->count > 0 && (operators->op == NULL || out->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is null", call,
                        out->view == NULL ? "out" : "operators");
    for (int64_t k = 0; k < out->count; k++)
        if (operators->op[k] == HD_DOT)
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: operator %lld is dot, which reads a second array; expected one "
                            "of a single array",
                            call, (long long)k);
    return HD_OK;
}

// The texts are those of hd_reduce: which output they are about goes before them.
static hd_status fail_at(hd_context *ctx, int64_t k, hd_status status)
{
    char text[sizeof ctx->error / 2];
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, ctx->error);
    ctx->error[0] = 0;
    return hd__fail(ctx, status, "%s: out %lld: %s", call, (long long)k, text);
}

static hd_status make_job(hd_context *ctx, const hd_view *in, const hd_operators *operators,
                          const hd_views *out, const hd_reduce_options *o, int64_t k,
                          hd__reduce_job *each)
{
    char name[32], other[32];
    hd_view out_1d = out->view[k];
    hd_reduce_options mine = *o;
    hd__at_least_1d(&out_1d);
    if (operators->op[k] != HD_VARIANCE) mine.ddof = 0;
    const hd_status status =
        hd__make_reduce_job(ctx, in, operators->op[k], &out_1d, &mine, false, &each[k]);
    if (status != HD_OK) return fail_at(ctx, k, status);
    for (int64_t j = 0; j < k; j++) {
        if (hd__rows_apart(&out_1d, &each[j].out)) continue;
        snprintf(name, sizeof name, "out %lld", (long long)k);
        snprintf(other, sizeof other, "out %lld", (long long)j);
        HD_TRY(hd__check_apart_of(ctx, call, name, &out_1d, other, &each[j].out));
    }
    return HD_OK;
}

static hd_status run(hd_context *ctx, const hd_view *in, const hd_operators *operators,
                     const hd_views *out, const hd_reduce_options *o, hd__reduce_job *each)
{
    for (int64_t k = 0; k < out->count; k++) HD_TRY(make_job(ctx, in, operators, out, o, k, each));
    const hd__reduce_many_job job = {out->count, each};
    const hd__subject subject = {out->count == 1 ? each->fold.asked->name : "", each->in.n,
                                 each->fold.element};
    HD_TRY(hd__dispatch(ctx, HD__REDUCE_MANY_PATTERN, &job, &subject));
    return hd__report_reduced(ctx, call, each, in, &o->with);
}

hd_status hd_reduce_many(hd_context *ctx, hd_view in, hd_operators operators, hd_views out,
                         const hd_reduce_many_options *options)
{
    hd_reduce_many_options o[1];
    hd_reduce_options each_o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_reduce_many_options, options, o));
    HD__AT_LEAST_1D(&in);
    HD_TRY(check_lists(ctx, &operators, &out));
    HD_TRY(check_ddof(ctx, &operators, o->ddof));
    if (in.space != HD_INDEXED) HD_TRY(hd__check_input(ctx, "hd_reduce_many: in", &in));
    if (out.count == 0) return HD_OK;
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_reduce_options, NULL, each_o));
    each_o->axis = o->axis;
    each_o->segments = o->segments;
    each_o->map = o->map;
    each_o->with = o->with;
    each_o->ddof = o->ddof;
    const size_t bytes = (size_t)out.count * sizeof(hd__reduce_job);
    hd__reduce_job *each = hd__allocate(ctx, bytes);
    if (each == NULL) return HD_ERROR_MEMORY;
    const hd_status status = run(ctx, &in, &operators, &out, each_o, each);
    hd__release(ctx, each, bytes);
    return status;
}
