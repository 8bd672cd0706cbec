// SPDX-License-Identifier: Apache-2.0
// Reductions of those elements that a filter lets in: the inputs are compacted, and what is left is
// reduced, so that the tree is the one over the elements that take part.
#include "reduce.h"
#include "patterns/move/gather.h"
#include "patterns/move/map.h"
#include "patterns/select/compact.h"

typedef struct filtered {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__reduce_job job; // its views are of the device
    hd__flags filter;
    int64_t n, kept;
    hd__gpu_block block[HD_MAX_INPUTS + 3]; // of the call
    int32_t blocks;
    hd_view indices; // in the input, of what is kept; empty unless the result is one
    const char **why;
} filtered;

// An array of the call.
static hd_status take_array(filtered *f, hd_type type, int64_t n, hd_view *v)
{
    hd__gpu_block *b = &f->block[f->blocks];
    b->bytes = (size_t)n * hd__size_of(type);
    HD_TRY(hd__gpu_allocate(f->ctx, f->gpu, b->bytes, &b->at));
    f->blocks++;
    *v = hd__gpu_array(type, b->at, n);
    return HD_OK;
}

static hd_status stage_in(hd__gpu_stage *s, hd_view *v)
{
    HD_TRY(hd__gpu_stage_in(s, v));
    hd__collapse(v);
    return HD_OK;
}

static hd_status stage(hd__gpu_stage *s, filtered *f)
{
    hd__reader *in = &f->job.in, *flags = &f->filter.in;
    for (int k = 0; k < in->inputs; k++) HD_TRY(stage_in(s, &in->view[k]));
    for (int k = 0; k < flags->inputs; k++) HD_TRY(stage_in(s, &flags->view[k]));
    return HD_OK;
}

// Several inputs are compacted by flags, which a predicate gives once.
static hd_status make_flags(filtered *f)
{
    hd_view flags;
    if (f->job.in.inputs == 1 || !f->filter.own) return HD_OK;
    HD_TRY(take_array(f, HD_BOOL, f->n, &flags));
    const hd__map_job map = {.in = f->filter.in, .out = flags};
    HD_TRY(hd__gpu_map(f->ctx, &map, f->why));
    f->filter.in = (hd__reader){.n = f->n, .inputs = 1, .view = {flags}};
    f->filter.type = HD_BOOL;
    f->filter.own = false;
    return HD_OK;
}

// Every input of the reduction but constants, which stay as they are.
static hd_status compact(filtered *f, int k)
{
    hd_view *in = &f->job.in.view[k];
    hd__compact_job job = {.in = *in, .flags = f->filter, .n = f->n, .count = &f->kept};
    if (k > 0 && in->space == HD_IMPLICIT && hd__is_constant(in)) return HD_OK;
    HD_TRY(take_array(f, in->type, f->n, &job.out));
    if (k == 0) job.indices = f->indices;
    *in = job.out;
    return hd__gpu_compact(f->ctx, &job, f->why);
}

// The index in the input of an element that was found among those that are kept.
static hd_status give_index(filtered *f, hd_view found, const hd_view *out)
{
    const hd__gather_job job = {
        .in = f->indices, .index = found, .out = *out, .axis = -1, .limit = f->kept};
    return hd__gpu_gather(f->ctx, &job, f->why);
}

static hd_status reduce(filtered *f)
{
    hd__reduce_job *job = &f->job;
    const hd_view out = job->out;
    const bool seeks = job->fold.form == HD__ARG && f->kept > 0;
    job->filter = NULL;
    job->in.n = f->kept;
    for (int k = 0; k < job->in.inputs; k++) job->in.view[k].shape[0] = f->kept;
    if (seeks) {
        HD_TRY(take_array(f, HD_I64, 1, &job->out));
        job->fold.out = HD_I64;
        job->fold.out_size = sizeof(int64_t);
    }
    HD_TRY(hd__gpu_reduce(f->ctx, job, f->why));
    return seeks ? give_index(f, job->out, &out) : HD_OK;
}

static hd_status run(hd__gpu_stage *s, filtered *f)
{
    HD_TRY(stage(s, f));
    if (f->job.fold.form == HD__ARG && f->n > 0) HD_TRY(take_array(f, HD_I64, f->n, &f->indices));
    if (f->n > 0) {
        HD_TRY(make_flags(f));
        for (int k = 0; k < f->job.in.inputs; k++) HD_TRY(compact(f, k));
    }
    return reduce(f);
}

hd_status hd__gpu_reduce_filtered(hd_context *ctx, const hd__reduce_job *job, const char **why)
{
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    filtered f = {
        .ctx = ctx, .gpu = s.gpu, .job = *job, .filter = *job->filter, .n = job->in.n, .why = why};
    f.filter.in.n = f.n;
    const hd_status status = run(&s, &f);
    for (int32_t k = 0; k < f.blocks; k++) hd__gpu_release(s.gpu, f.block[k].at, f.block[k].bytes);
    return hd__gpu_stage_end(&s, status);
}
