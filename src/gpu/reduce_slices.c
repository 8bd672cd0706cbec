// SPDX-License-Identifier: Apache-2.0
// Reductions of rows and of segments: one launch of reduce_slices, or, for few long rows, one of
// reduce_tiles each.
#include "core/heads.h"
#include "gpu/preamble.h"
#include "gpu/reduce.h"

#include <string.h>

enum { THREADS = 256 };

// Rows from which each has a launch of its own, if there are few: a warp takes 100 us for so many.
#define LONG_ROW  ((int64_t)1 << 17)
#define MANY_ROWS 512

// hd_slices_how of kernels/slices.cu.
typedef struct slices_how {
    int64_t slices, length, n, has_empty;
} slices_how;

static void fill_shape(hd__shape *s, const hd__reduce_job *job)
{
    memset(s, 0, sizeof *s);
    strcpy(s->kernel, "reduce_slices");
    hd__shape_inputs(s, &job->in, 0);
    hd__shape_fold(s, &job->fold);
    s->k = 1; // a slice may begin anywhere
    s->rows = 8;
    while (s->rows > 1 && (size_t)s->rows * job->fold.node_size > 64) s->rows /= 2;
    s->threads = THREADS;
    s->blocks = 1;
    s->out = hd__layout_of(&job->out);
    s->values = hd__layout_of(&job->values);
    s->has_values = !hd__is_unset(&job->values);
    if (job->slices == HD__SEGMENTS) s->offsets = hd__layout_of(&job->segments);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                        const slices_how *how)
{
    static const char *const files[] = {"warp.h", "chunk.h", "slices.cu", NULL};
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    hd__shape shape;
    hd__kernel *kernel;
    hd__address fault;
    fill_shape(&shape, job);
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, &job->fold, job->in.map, files, &kernel));
    HD_TRY(hd__gpu_area(ctx, gpu, HD__FAULT, 64, &fault));
    gpu->may_fault = true;
    slices_how h = *how;
    h.has_empty = hd__lower_empty(&job->fold, empty, empty + 8);
    hd__kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__kernel_view_of(&job->in.view[k]);
    hd__kernel_view offsets = {0};
    if (job->slices == HD__SEGMENTS) offsets = hd__kernel_view_of(&job->segments);
    const hd__kernel_view out = hd__kernel_view_of(&job->out);
    const hd__kernel_view values = hd__kernel_view_of(&job->values);
    const void *init = job->fold.init != NULL ? job->fold.init : nothing;
    const void *arguments[] = {&in, &h, &offsets, init, empty, &out, &values, &fault};
    const int64_t warps = THREADS / 32;
    return gpu->maker->launch(ctx, gpu->device, kernel,
                              &(hd__launch){.blocks = (h.slices + warps - 1) / warps,
                                            .threads = THREADS,
                                            .argument_count = 8,
                                            .arguments = arguments});
}

// ---- Rows ----------------------------------------------------------------------------------------

// The same view with an axis moved behind the others: its rows follow each other in row-major order.
static void turn(hd_view *v, int32_t axis)
{
    const int64_t shape = v->shape[axis], stride = v->stride[axis];
    for (int k = axis; k + 1 < v->ndim; k++) {
        v->shape[k] = v->shape[k + 1];
        v->stride[k] = v->stride[k + 1];
    }
    v->shape[v->ndim - 1] = shape;
    v->stride[v->ndim - 1] = stride;
    hd__collapse(v);
}

// One element of a view, in row-major order.
static hd_view element(const hd_view *v, int64_t k)
{
    hd_view one = hd_view_of(v->type, v->data, 1);
    int64_t offset = 0;
    for (int d = v->ndim - 1; d >= 0; d--) {
        offset += k % v->shape[d] * v->stride[d];
        k /= v->shape[d];
    }
    one.place = v->place;
    one.data = (void *)(uintptr_t)hd__at(v, offset);
    return one;
}

static hd_status reduce_long_rows(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                                  int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        hd__reduce_job one = *job;
        hd__row_reader(&job->in, job->axis, r, &one.in);
        for (int k = 0; k < one.in.inputs; k++)
            if (job->in.view[k].place == HD_DEVICE) {
                hd_view last = job->in.view[k];
                last.shape[job->axis] = 1; // its elements are the rows' first
                one.in.view[k].data = element(&last, r).data;
            }
        one.out = element(&job->out, r);
        if (!hd__is_unset(&job->values)) one.values = element(&job->values, r);
        HD_TRY(hd__gpu_reduce_tiles(ctx, gpu, &one));
    }
    return HD_OK;
}

static hd_status reduce_rows(hd_context *ctx, hd__gpu *gpu, hd__reduce_job *job)
{
    const int64_t length = job->in.view[0].shape[job->axis], rows = hd_count(job->out);
    if (rows == 0) return HD_OK;
    if (length >= LONG_ROW && rows <= MANY_ROWS) return reduce_long_rows(ctx, gpu, job, rows);
    for (int k = 0; k < job->in.inputs; k++) turn(&job->in.view[k], job->axis);
    return launch(ctx, gpu, job, &(slices_how){rows, length, job->in.n, 0});
}

// ---- All of it -----------------------------------------------------------------------------------

// What the host can see is checked here; offsets on the device are checked there.
static hd_status check_segments(hd_context *ctx, const hd__reduce_job *job)
{
    if (job->segments.place == HD_DEVICE) return HD_OK;
    HD_TRY(hd__check_all_offsets(ctx, "hd_reduce", &job->segments, job->in.n));
    return hd__check_empty_segments(ctx, job);
}

// A row without elements has the operator's empty value, if there is one.
static hd_status check_rows(hd_context *ctx, const hd__reduce_job *job)
{
    _Alignas(HD__ALIGNMENT) unsigned char out[HD_MAX_ELEMENT], value[HD_MAX_ELEMENT];
    if (job->in.view[0].shape[job->axis] > 0 || hd_count(job->out) == 0 ||
        hd__lower_empty(&job->fold, out, value))
        return HD_OK;
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "hd_reduce: result 0 has no elements and operator %s no identity",
                    job->fold.asked->name);
}

static hd_status run(hd__gpu_stage *s, hd__reduce_job *job)
{
    for (int k = 0; k < job->in.inputs; k++) HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->values));
    if (job->slices == HD__ROWS) return reduce_rows(s->ctx, s->gpu, job);
    HD_TRY(hd__gpu_stage_in(s, &job->segments));
    for (int k = 0; k < job->in.inputs; k++) hd__collapse(&job->in.view[k]);
    const slices_how how = {job->segments.shape[0] - 1, -1, job->in.n, 0};
    return how.slices > 0 ? launch(s->ctx, s->gpu, job, &how) : HD_OK;
}

hd_status hd__gpu_reduce_slices(hd_context *ctx, const hd__reduce_job *given)
{
    hd__reduce_job job = *given;
    HD_TRY(job.slices == HD__SEGMENTS ? check_segments(ctx, &job) : check_rows(ctx, &job));
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
