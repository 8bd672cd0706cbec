// SPDX-License-Identifier: Apache-2.0
// A stencil as it is defined: step by step over the whole array; weighted sums by weighted_sum.h,
// functions of neighbours here, a row at a time.
#include "patterns/stencil/stencil.h"
#include "serial.h"
#include "weighted_sum.h"

#include <string.h>

static hd_status apply_function(hd_context *ctx, const hd__stencil_job *job, const hd__grid *g)
{
    hd__grid results = *g; // whose rows are written as they are
    results.sum = g->out.type;
    const int64_t n = g->shape[HD__X] * g->shape[HD__CHANNEL], count = job->offset_count;
    const size_t row = hd__padded((size_t)n * hd__size_of(g->in.type));
    unsigned char *memory =
        hd__scratch(ctx, (size_t)count * row + (size_t)n * hd__size_of(g->out.type));
    if (memory == NULL) return HD_ERROR_MEMORY;
    const void *in[HD_MAX_INPUTS];
    for (int64_t t = 0; t < count; t++) in[t] = memory + (size_t)t * row;
    unsigned char *out = memory + (size_t)count * row;
    const int64_t rows = g->shape[HD__Z] * g->shape[HD__Y];
    for (int64_t r = 0; r < g->batches * rows; r++) {
        const hd__row at = {r / rows, r % rows / g->shape[HD__Y], r % g->shape[HD__Y], 0,
                            g->shape[HD__X]};
        for (int64_t t = 0; t < count; t++) {
            const int64_t *o = job->offset[t];
            const hd__row from = {at.batch, at.z + o[0], at.y + o[1], o[2], at.n};
            hd__grid_read(g, &from, memory + (size_t)t * row);
        }
        hd__apply(job->function, out, in, n);
        hd__grid_write(&results, &at, out);
    }
    return HD_OK;
}

// Border keep: the points at the edge once more, as they were.
static void keep_edges(const hd__stencil_job *job, const hd__grid *g)
{
    const size_t size = hd__size_of(g->in.type);
    const int64_t width = g->shape[HD__X], rows = g->shape[HD__Z] * g->shape[HD__Y];
    for (int64_t r = 0; r < g->batches * rows; r++) {
        hd__row at = {r / rows, r % rows / g->shape[HD__Y], r % g->shape[HD__Y], 0, 1};
        int64_t begin, end;
        hd__changed(job, at.z, at.y, &begin, &end);
        for (at.x0 = 0; at.x0 < width; at.x0++) {
            if (at.x0 >= begin && at.x0 < end) continue;
            const int64_t from = hd__grid_in_offset(g, at.batch) + at.z * g->in_stride[HD__Z] +
                                 at.y * g->in_stride[HD__Y] + at.x0 * g->in_stride[HD__X];
            const int64_t to = hd__grid_out_offset(g, at.batch) + at.z * g->out_stride[HD__Z] +
                               at.y * g->out_stride[HD__Y] + at.x0 * g->out_stride[HD__X];
            for (int64_t c = 0; c < g->shape[HD__CHANNEL]; c++)
                memcpy((void *)(uintptr_t)hd__at(&g->out, to + c * g->out_stride[HD__CHANNEL]),
                       hd__at(&g->in, from + c * g->in_stride[HD__CHANNEL]), size);
        }
    }
}

static hd_status one_step(hd_context *ctx, const hd__stencil_job *job, const hd__grid *g)
{
    const hd__mask_offsets mask = {job->offset_count, job->offset, job->weight, NULL};
    if (job->function != NULL)
        HD_TRY(apply_function(ctx, job, g));
    else
        HD_TRY(hd__weighted_sum(ctx, g, &mask));
    if (g->border == HD_BORDER_KEEP) keep_edges(job, g);
    return HD_OK;
}

// One batch, step by step from one array to another and back.
static hd_status all_steps(hd_context *ctx, const hd__stencil_job *job, int64_t batch, void *a,
                           void *b)
{
    hd__grid whole = job->grid;
    whole.in.data = (void *)(uintptr_t)hd__at(&whole.in, hd__grid_in_offset(&job->grid, batch));
    whole.out.data = (void *)(uintptr_t)hd__at(&whole.out, hd__grid_out_offset(&job->grid, batch));
    whole.batch_axes = 0;
    whole.batches = 1;
    for (int64_t s = 0; s < job->steps; s++) {
        hd__grid g = whole;
        if (s > 0) hd__grid_set_in(&g, whole.in.type, s % 2 ? a : b);
        if (s + 1 < job->steps) hd__grid_set_out(&g, whole.out.type, s % 2 ? b : a);
        HD_TRY(one_step(ctx, job, &g));
    }
    return HD_OK;
}

hd_status hd__serial_stencil(hd_context *ctx, const void *any, const char **why)
{
    const hd__stencil_job *job = any;
    (void)why; // never declines
    if (job->steps == 1) return one_step(ctx, job, &job->grid);
    const size_t bytes = (size_t)hd__grid_points(&job->grid) * hd__size_of(job->grid.in.type);
    unsigned char *memory = hd__allocate(ctx, 2 * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd_status status = HD_OK;
    for (int64_t b = 0; b < job->grid.batches && status == HD_OK; b++)
        status = all_steps(ctx, job, b, memory, memory + bytes);
    hd__release(ctx, memory, 2 * bytes);
    return status;
}
