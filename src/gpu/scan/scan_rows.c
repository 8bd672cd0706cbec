// SPDX-License-Identifier: Apache-2.0
// Scans along an axis: one launch of scan_rows, of short rows of scan_short_rows, of neighbouring
// columns of scan_columns, or, for few long rows, one of scan_tiles each.
#include "gpu/reduce/rows.h"
#include "scan.h"

#include <string.h>

enum { THREADS = 256 };

// Rows that a lane takes: of so many elements, whose nodes fit into its registers.
enum { SHORT_ROW = 8, SHORT_BYTES = 352, SHORT_THREADS = 128 };

// hk_rows_how of scan_rows.cu.
typedef struct rows_how {
    int64_t rows, length;
} rows_how;

// Rows begin where they like: words are read and written only where each begins with one.
static void fill_config(const hd__gpu *gpu, hd__gpu_kernel_config *config, const hd__scan_job *job,
                        int64_t length)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "scan_rows");
    hd__gpu_config_inputs(config, &job->in, job->fold.out_size);
    while (length % config->k != 0) config->k /= 2;
    hd__gpu_config_fold(config, &job->fold);
    config->rows = hd__gpu_scan_depth(gpu, config, &job->fold);
    while (config->rows > 1 && (int64_t)config->rows * 32 * config->k >= 2 * length)
        config->rows /= 2;
    config->threads = THREADS;
    config->blocks = 1;
    config->rows_unrolled = (uint8_t)(config->rows < 4 ? config->rows : 4);
    hd__gpu_scan_outputs(config, job);
}

static bool is_short(const hd__fold *f, int64_t length)
{
    const size_t node = f->node_size > f->element_size ? f->node_size : f->element_size;
    return length <= SHORT_ROW && (size_t)length * node <= SHORT_BYTES;
}

static void fill_short_config(const hd__gpu *gpu, hd__gpu_kernel_config *config,
                              const hd__scan_job *job, int64_t length)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "scan_short_rows");
    hd__gpu_config_inputs(config, &job->in, job->fold.out_size);
    for (config->k = 1; config->k < length;) config->k *= 2;
    hd__gpu_config_fold(config, &job->fold);
    config->rows = config->rows_unrolled = 1;
    config->threads = SHORT_THREADS;
    config->hint = gpu->tuning.scan_hint;
    config->blocks = 1;
    hd__gpu_scan_outputs(config, job);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job, const rows_how *how)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    const bool of_lanes = is_short(&job->fold, how->length);
    if (of_lanes)
        fill_short_config(gpu, &config, job, how->length);
    else
        fill_config(gpu, &config, job, how->length);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job->fold, job->in.map, &kernel));
    if (job->exclusive) hd__finalize_empty(&job->fold, empty, empty + 8);
    hd__gpu_kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__gpu_kernel_view_of(&job->in.view[k]);
    const hd__gpu_scan_out to = {hd__gpu_kernel_view_of(&job->out),
                                 hd__gpu_kernel_view_of(&job->values)};
    const void *init = job->fold.init != NULL ? job->fold.init : nothing;
    const void *arguments[] = {&in, how, init, empty, &to};
    const int64_t rows = of_lanes ? SHORT_THREADS : THREADS / 32; // of a block
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (how->rows + rows - 1) / rows,
                                                 .threads = config.threads,
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
    if (length >= HD__GPU_LONG_ROW && rows <= HD__GPU_MANY_ROWS)
        return scan_long_rows(ctx, gpu, given, rows);
    if (length > SHORT_ROW && hd__gpu_scans_columns(given))
        return hd__gpu_scan_columns(ctx, gpu, given);
    hd__scan_job job = *given;
    for (int k = 0; k < job.in.inputs; k++) hd__gpu_move_axis_last(&job.in.view[k], job.axis);
    hd__gpu_move_axis_last(&job.out, job.axis);
    if (!hd__is_empty(&job.values)) hd__gpu_move_axis_last(&job.values, job.axis);
    return launch(ctx, gpu, &job, &(rows_how){rows, length});
}
