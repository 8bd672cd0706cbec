// SPDX-License-Identifier: Apache-2.0
// hd_transpose: checks its arguments and hands over a copy between two layouts of one shape.
#include "transpose.h"
#include "core/arguments.h"

#include <stdio.h>

HD__BRINGS(transpose)
HD__BRINGS_PASS(transpose)
HD__BRINGS_PASS(map)

static const char call[] = "hd_transpose";

// Which axis of in each axis of out is.
static hd_status choose_axes(hd_context *ctx, const hd_transpose_options *o, int32_t ndim,
                             int32_t *axes)
{
    bool taken[HD_MAX_DIMS] = {false};
    for (int32_t k = 0; k < ndim; k++) {
        const bool swapped = ndim >= 2 && k >= ndim - 2;
        axes[k] = o->axes != NULL ? o->axes[k] : swapped ? 2 * ndim - 3 - k : k;
        if (axes[k] < 0 || axes[k] >= ndim)
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: axes[%d] is %d; expected an axis from 0 to %d", call, (int)k,
                            (int)axes[k], (int)ndim - 1);
        if (taken[axes[k]])
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: axes[%d] is %d, which is there already; expected each axis once",
                            call, (int)k, (int)axes[k]);
        taken[axes[k]] = true;
    }
    return HD_OK;
}

static hd_status check_fit(hd_context *ctx, const hd_view *in, const hd_view *out,
                           const int32_t *axes)
{
    if (!hd__same_type(in->type, out->type)) {
        char got[48];
        snprintf(got, sizeof got, "%s", hd_type_name(out->type));
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected in's type, %s", call, got,
                        hd_type_name(in->type));
    }
    hd_view turned = *in;
    for (int32_t k = 0; k < in->ndim; k++) turned.shape[k] = in->shape[axes[k]];
    return hd__check_shape_of(ctx, call, "out", out, "in in the new order", &turned);
}

// In place goes a swap of the last two axes, and what leaves everything where it is.
static hd_status check_place(hd_context *ctx, const hd_view *in, const hd_view *out,
                             const int32_t *axes, bool *in_place, bool *nothing)
{
    const int32_t n = in->ndim;
    const hd__overlap how = hd__overlaps(in, out);
    *in_place = *nothing = false;
    if (how == HD__APART) return HD_OK;
    if (how != HD__SAME)
        return hd__fail(ctx, HD_ERROR_ALIAS, "%s: out overlaps in without being the same view",
                        call);
    bool swaps = n >= 2 && axes[n - 1] == n - 2 && axes[n - 2] == n - 1, stays = true;
    for (int32_t k = 0; k < n; k++) {
        stays = stays && axes[k] == k;
        if (k < n - 2) swaps = swaps && axes[k] == k;
    }
    *nothing = stays;
    *in_place = swaps;
    if (stays || swaps) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ALIAS,
                    "%s: out is in itself; only a swap of the last two axes goes in place", call);
}

hd_status hd_transpose(hd_context *ctx, hd_view in, hd_view out,
                       const hd_transpose_options *options)
{
    hd_transpose_options o[1];
    int32_t axes[HD_MAX_DIMS];
    bool nothing;
    hd__transpose_job job;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_transpose_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    HD_TRY(hd__check_input(ctx, "hd_transpose: in", &in));
    if (in.space == HD_IMPLICIT && in.ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: an implicit view has one dimension, got %d", call,
                        (int)in.ndim);
    HD_TRY(hd__check_output(ctx, "hd_transpose: out", &out));
    HD_TRY(choose_axes(ctx, o, in.ndim, axes));
    HD_TRY(check_fit(ctx, &in, &out, axes));
    HD_TRY(check_place(ctx, &in, &out, axes, &job.in_place, &nothing));
    if (nothing || hd_count(in) == 0) return HD_OK;
    job.in = in;
    job.out = out;
    for (int32_t k = 0; k < in.ndim; k++) {
        job.in.shape[k] = in.shape[axes[k]];
        job.in.stride[k] = in.stride[axes[k]];
    }
    hd__normalize_strides(&job.in);
    hd__normalize_strides(&job.out);
    const hd__subject subject = {job.in_place ? "in place" : "", hd_count(in), in.type};
    return hd__dispatch(ctx, HD__TRANSPOSE_PATTERN, &job, &subject);
}
