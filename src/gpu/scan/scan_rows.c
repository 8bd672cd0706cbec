// SPDX-License-Identifier: Apache-2.0
// Scans along an axis: one launch of scan_rows, or, for few long rows, one of scan_tiles each.
#include "gpu/reduce/rows.h"
#include "scan.h"

#include <string.h>

enum { THREADS = 256 };

// hk_rows_how of kernels/scan_rows.cu.
typedef struct rows_how {
    int64_t rows, length;
} rows_how;

// Rows begin where they like: words are read and written only where each begins with one.
static void fill_shape(const hd__gpu *gpu, hd__shape *s, const hd__scan_job *job, int64_t length)
{
    memset(s, 0, sizeof *s);
    strcpy(s->kernel, "scan_rows");
    hd__shape_inputs(s, &job->in, job->fold.out_size);
    if (length % s->k != 0) s->k = 1;
    hd__shape_fold(s, &job->fold);
    s->rows = hd__gpu_scan_depth(gpu, s, &job->fold);
    while (s->rows > 1 && (int64_t)s->rows * 32 * s->k >= 2 * length) s->rows /= 2;
    s->threads = THREADS;
    s->blocks = 1;
    s->turn = (uint8_t)(s->rows < 4 ? s->rows : 4);
    hd__gpu_scan_outputs(s, job);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job, const rows_how *how)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    hd__shape shape;
    hd__kernel *kernel;
    fill_shape(gpu, &shape, job, how->length);
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, &job->fold, job->in.map, &kernel));
    if (job->exclusive) hd__finalize_empty(&job->fold, empty, empty + 8);
    hd__kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__kernel_view_of(&job->in.view[k]);
    const hd__scan_out to = {hd__kernel_view_of(&job->out), hd__kernel_view_of(&job->values)};
    const void *init = job->fold.init != NULL ? job->fold.init : nothing;
    const void *arguments[] = {&in, how, init, empty, &to};
    const int64_t warps = THREADS / 32;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__launch){.blocks = (how->rows + warps - 1) / warps,
                                             .threads = THREADS,
                                             .argument_count = 5,
                                             .arguments = arguments});
}

static hd_status scan_long_rows(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job,
                                int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        hd__scan_job one = *job;
        one.slices = HD__EVERYTHING;
        hd__row_reader(&job->in, job->axis, r, &one.in);
        one.out = hd__row_of(&job->out, job->axis, r);
        if (!hd__is_empty(&job->values)) one.values = hd__row_of(&job->values, job->axis, r);
        HD_TRY(hd__gpu_scan_tiles(ctx, gpu, &one, NULL));
    }
    return HD_OK;
}

hd_status hd__gpu_scan_rows(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *given)
{
    const int64_t length = given->out.shape[given->axis], rows = given->in.n / length;
    if (length >= HD__LONG_ROW && rows <= HD__MANY_ROWS)
        return scan_long_rows(ctx, gpu, given, rows);
    hd__scan_job job = *given;
    for (int k = 0; k < job.in.inputs; k++) hd__turn_axis(&job.in.view[k], job.axis);
    hd__turn_axis(&job.out, job.axis);
    if (!hd__is_empty(&job.values)) hd__turn_axis(&job.values, job.axis);
    return launch(ctx, gpu, &job, &(rows_how){rows, length});
}
