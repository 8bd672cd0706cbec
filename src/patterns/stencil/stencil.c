// SPDX-License-Identifier: Apache-2.0
// hd_stencil: checks its arguments and makes a list of offsets and weights of them.
#include "stencil.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "core/system/float_state.h"
#include "core/operators/probe.h"
#include "stencil_weights.h"

#include <stdio.h>
#include <string.h>

HD__BRINGS(stencil)
HD__BRINGS_PASS(stencil)

static const char call[] = "hd_stencil";

// Offsets further than this are a mistake; with them no index overflows.
#define FARTHEST ((int64_t)1 << 31)

// The neighbourhood before anything is allocated.
typedef struct shape {
    const hd_view *offsets, *weights;
    const hd_function *function; // or NULL: weights
    int32_t axes;
    int64_t offset_count;
    bool box; // weights without offsets
} shape;

static hd_status check_offsets(hd_context *ctx, shape *s)
{
    const hd_view *offsets = s->offsets;
    HD_TRY(hd__check_host_input(ctx, "hd_stencil: offsets", offsets));
    if (!hd__is_integer(offsets->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: offsets are %s; expected an integer type", call,
                        hd_type_name(offsets->type));
    s->axes = offsets->ndim == 2 && offsets->shape[1] <= 3 ? (int32_t)offsets->shape[1]
              : offsets->ndim == 1                         ? 1
                                                           : 0;
    if (s->axes == 0)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: offsets have %d axes, the last of %lld; expected k rows of 1 to 3",
                        call, (int)offsets->ndim, (long long)offsets->shape[offsets->ndim - 1]);
    s->offset_count = offsets->shape[0];
    return HD_OK;
}

static hd_status check_weights(hd_context *ctx, shape *s)
{
    const hd_view *w = s->weights;
    HD_TRY(hd__check_host_input(ctx, "hd_stencil: weights", w));
    if (!hd__is_number(w->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: weights are %s; expected numbers", call,
                        hd_type_name(w->type));
    s->box = hd__is_empty(s->offsets);
    if (s->box && w->ndim > 3)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: weights have %d axes; expected 1 to 3", call,
                        (int)w->ndim);
    if (s->box) {
        s->axes = w->ndim;
        s->offset_count = hd_count(*w);
    } else if (w->ndim != 1 || w->shape[0] != s->offset_count) {
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %lld weights in %d axes for %lld offsets", call,
                        (long long)hd_count(*w), (int)w->ndim, (long long)s->offset_count);
    }
    return HD_OK;
}

static hd_status check_function(hd_context *ctx, const hd_function *f, const hd_view *in,
                                const hd_view *out, const shape *s)
{
    HD_TRY(HD__CHECK_ABI(ctx, call, "function", f));
    if (f->apply == NULL || f->inputs != s->offset_count)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: function %s takes %d inputs; got %lld offsets",
                        call, f->name != NULL ? f->name : "(no name)", (int)f->inputs,
                        (long long)s->offset_count);
    char got[48];
    for (int k = 0; k < f->inputs; k++)
        if (!hd__same_type(f->input[k], in->type)) {
            snprintf(got, sizeof got, "%s", hd_type_name(in->type));
            return hd__fail(ctx, HD_ERROR_TYPE, "%s: input %d of function %s is %s; in is %s", call,
                            k, f->name, hd_type_name(f->input[k]), got);
        }
    HD_TRY(hd__check_state(ctx, call, "function", f->name, &f->state));
    if (hd__same_type(f->result, out->type))
        return hd__check_probe(ctx, call, "function", f->name, f->probe);
    snprintf(got, sizeof got, "%s", hd_type_name(out->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: function %s gives %s; out is %s", call, f->name,
                    hd_type_name(f->result), got);
}

static hd_status check_neighbourhood(hd_context *ctx, shape *s)
{
    const bool weights = !hd__is_empty(s->weights), offsets = !hd__is_empty(s->offsets);
    if (weights == (s->function != NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: expected weights or a function, got %s", call,
                        weights ? "both" : "neither");
    if (s->function != NULL && !offsets)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: a function needs offsets", call);
    if (offsets) HD_TRY(check_offsets(ctx, s));
    if (weights) HD_TRY(check_weights(ctx, s));
    if (s->offset_count == 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: the neighbourhood is empty", call);
    return HD_OK;
}

static hd_status check_steps(hd_context *ctx, const hd_stencil_options *o, hd__stencil_job *job)
{
    const bool keep = job->grid.border == HD_BORDER_KEEP;
    if (o->iterations < 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %lld iterations; expected 0 or more", call,
                        (long long)o->iterations);
    job->steps = o->iterations > 0 ? o->iterations : 1;
    if ((job->steps == 1 && !keep) || job->grid.in.type == job->grid.out.type) return HD_OK;
    char in[48];
    snprintf(in, sizeof in, "%s", hd_type_name(job->grid.in.type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s need in and out of one type; got %s and %s", call,
                    keep ? "kept borders" : "several iterations", in,
                    hd_type_name(job->grid.out.type));
}

// Offset t from the view, or from the box around its middle.
static void take_offset(const shape *s, int64_t t, int64_t to[3])
{
    to[0] = to[1] = to[2] = 0;
    if (s->box) {
        for (int k = s->axes - 1; k >= 0; k--) {
            const int64_t n = s->weights->shape[k];
            to[3 - s->axes + k] = t % n - n / 2;
            t /= n;
        }
        return;
    }
    unsigned char raw[3 * 8];
    hd__gather(s->offsets, t * s->axes, s->axes, raw);
    hd__convert(HD_I64, to + 3 - s->axes, s->offsets->type, raw, s->axes);
}

static hd_status fill_offsets(hd_context *ctx, const shape *s, hd__stencil_job *job,
                              unsigned char *memory)
{
    int64_t(*offset)[3] = (void *)memory;
    unsigned char *weight = memory + (size_t)s->offset_count * sizeof *offset;
    for (int64_t t = 0; t < s->offset_count; t++) {
        take_offset(s, t, offset[t]);
        for (int k = 0; k < 3; k++) {
            if (offset[t][k] < -FARTHEST || offset[t][k] > FARTHEST)
                return hd__fail(ctx, HD_ERROR_ARGUMENT,
                                "%s: offset %lld is %lld; expected at most "
                                "2^31 either way",
                                call, (long long)t, (long long)offset[t][k]);
            if (offset[t][k] < job->least[k]) job->least[k] = offset[t][k];
            if (offset[t][k] > job->most[k]) job->most[k] = offset[t][k];
        }
    }
    if (s->function == NULL) HD_TRY(hd__stencil_weights(ctx, s->weights, job->grid.sum, weight));
    job->offset = (const int64_t(*)[3])offset;
    job->weight = weight;
    job->offset_count = s->offset_count;
    return HD_OK;
}

void hd__changed(const hd__stencil_job *job, int64_t z, int64_t y, int64_t *begin, int64_t *end)
{
    const int64_t *n = job->grid.shape;
    const bool inside = z + job->least[0] >= 0 && z + job->most[0] < n[HD__Z] &&
                        y + job->least[1] >= 0 && y + job->most[1] < n[HD__Y];
    *begin = -job->least[2];
    *end = n[HD__X] - job->most[2];
    if (!inside || *end < *begin) *begin = *end = 0;
}

static hd_status check(hd_context *ctx, const hd_view *in, const hd_view *out,
                       const hd_stencil_options *o, shape *s, hd__stencil_job *job)
{
    HD_TRY(check_neighbourhood(ctx, s));
    HD_TRY(hd__grid_make(ctx, call, in, out, s->axes, o->channels, &job->grid));
    HD_TRY(hd__check_border(ctx, call, o->border, HD_BORDER_ZERO, true, &job->grid.border));
    if (o->function != NULL) {
        HD_TRY(check_function(ctx, o->function, in, out, s));
        job->function = o->function;
        job->grid.sum = in->type;
    } else {
        HD_TRY(hd__select_sum(ctx, call, &job->grid, s->weights->type));
    }
    HD_TRY(check_steps(ctx, o, job));
    return hd__set_beyond(ctx, call, &job->grid, o->constant);
}

hd_status hd_stencil(hd_context *ctx, hd_view in, hd_view offsets, hd_view weights, hd_view out,
                     const hd_stencil_options *options)
{
    HD__FLOAT_STATE;
    hd_stencil_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_stencil_options, options, o));
    HD__AT_LEAST_1D(&in, &offsets, &weights, &out);
    hd__stencil_job job;
    memset(&job, 0, sizeof job);
    shape s = {.offsets = &offsets, .weights = &weights, .function = o->function};
    HD_TRY(check(ctx, &in, &out, o, &s, &job));
    if (hd_count(in) == 0) return HD_OK;
    const size_t bytes = (size_t)s.offset_count * (sizeof *job.offset + sizeof(double));
    unsigned char *memory = hd__allocate(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd_status status = fill_offsets(ctx, &s, &job, memory);
    const hd__subject subject = {job.function != NULL ? job.function->name : "", hd_count(in),
                                 in.type};
    if (status == HD_OK) status = hd__dispatch(ctx, HD__STENCIL_PATTERN, &job, &subject);
    hd__release(ctx, memory, bytes);
    return status;
}
