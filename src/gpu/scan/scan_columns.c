// SPDX-License-Identifier: Apache-2.0
// Scans along an axis whose elements lie apart, as those of an image's columns do: one launch of
// scan_columns, of blocks that take a few neighbouring columns each.
#include "core/indexed.h"
#include "scan.h"

#include <string.h>

enum { MOST_NODE = 16, FEWEST_STRIPS = 4, AXES = HD_MAX_DIMS - 1 };

// A sector of device memory, which is read as a whole.
enum { SECTOR = 32 };

// hk_columns_how of scan_columns.cu.
typedef struct columns_how {
    int64_t columns, length;
    int32_t axes;
    int64_t shape[AXES], in[HD_MAX_INPUTS][AXES], out[AXES], values[AXES];
} columns_how;

static int64_t distance(int64_t step)
{
    return step < 0 ? -step : step;
}

static int32_t last_axis(const hd_view *v, int32_t but)
{
    for (int32_t k = v->ndim - 1; k >= 0; k--)
        if (k != but && v->shape[k] > 1) return k;
    return -1;
}

static bool has_shape_of(const hd_view *v, const hd_view *out)
{
    if (v->ndim != out->ndim) return false;
    for (int32_t k = 0; k < out->ndim; k++)
        if (v->shape[k] != out->shape[k]) return false;
    return true;
}

// Neighbouring columns fill sectors, and those of one column's elements are others.
static bool lies_across(const hd_view *v, int32_t axis)
{
    const int32_t last = last_axis(v, axis);
    const int64_t size = (int64_t)hd__size_of(v->type);
    return last >= 0 && distance(v->stride[last]) <= 1 && v->shape[last] * size >= SECTOR &&
           distance(v->stride[axis]) * size >= SECTOR;
}

static bool fits(const hd_view *v, const hd_view *out)
{
    return v->space == HD_IMPLICIT ? hd__is_constant(v)
                                   : !hd__is_indexed(v) && has_shape_of(v, out);
}

bool hd__gpu_scans_columns(const hd__scan_job *job)
{
    const hd_view *out = &job->out, *first = &job->in.view[0];
    bool all = first->space != HD_IMPLICIT && job->fold.node_size <= MOST_NODE;
    for (int k = 0; k < job->in.inputs; k++)
        all = all && fits(&job->in.view[k], out) && hd__size_of(job->in.view[k].type) <= MOST_NODE;
    return all && hd__size_of(out->type) <= MOST_NODE &&
           (hd__is_empty(&job->values) || fits(&job->values, out)) && out->ndim >= 2 &&
           out->ndim <= HD_MAX_DIMS && lies_across(out, job->axis) && lies_across(first, job->axis);
}

// A view along the axis, and steps along the others.
static void part(const hd_view *v, int32_t axis, hd_view *along, int64_t *steps)
{
    int n = 0;
    *along = *v;
    if (v->space == HD_IMPLICIT || v->ndim == 0) return;
    for (int32_t k = 0; k < v->ndim; k++)
        if (k != axis) steps[n++] = v->stride[k] * (int64_t)hd__size_of(v->type);
    along->ndim = 1;
    along->shape[0] = v->shape[axis], along->stride[0] = v->stride[axis];
}

static hd__scan_job job_along(const hd__scan_job *job, columns_how *how)
{
    hd__scan_job along = *job;
    *how = (columns_how){.length = job->out.shape[job->axis], .columns = 1};
    for (int32_t k = 0; k < job->out.ndim; k++)
        if (k != job->axis) {
            how->shape[how->axes++] = job->out.shape[k];
            how->columns *= job->out.shape[k];
        }
    for (int k = 0; k < job->in.inputs; k++)
        part(&job->in.view[k], job->axis, &along.in.view[k], how->in[k]);
    part(&job->out, job->axis, &along.out, how->out);
    part(&job->values, job->axis, &along.values, how->values);
    return along;
}

// As many columns as leave every multiprocessor enough blocks, and as many threads of each as its
// elements need.
static void fill_config(const hd__gpu *gpu, hd__gpu_kernel_config *config, const hd__scan_job *job,
                        const columns_how *how)
{
    const int32_t there = gpu->driver->properties(gpu->device)->multiprocessors;
    const size_t size =
        job->fold.node_size > job->fold.element_size ? job->fold.node_size : job->fold.element_size;
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "scan_columns");
    hd__gpu_config_inputs(config, &job->in, 0);
    hd__gpu_config_fold(config, &job->fold);
    hd__gpu_scan_outputs(config, job);
    config->k = 16;
    while (config->k > 1 && (size_t)config->k * size > (size_t)gpu->tuning.scan_column_bytes)
        config->k /= 2;
    config->items = gpu->tuning.scan_columns;
    while (config->items > 8 &&
           how->columns / config->items < there * gpu->tuning.scan_column_blocks)
        config->items /= 2;
    int32_t strips = 32;
    while (strips > FEWEST_STRIPS && (int64_t)strips * config->k / 2 >= how->length) strips /= 2;
    config->threads = config->items * strips;
    config->rows = config->rows_unrolled = config->blocks = 1;
    config->hint = gpu->tuning.scan_hint;
}

hd_status hd__gpu_scan_columns(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *given)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    columns_how how;
    const hd__scan_job job = job_along(given, &how);
    fill_config(gpu, &config, &job, &how);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job.fold, job.in.map, &kernel));
    if (job.exclusive) hd__finalize_empty(&job.fold, empty, empty + 8);
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&job.in);
    const hd__gpu_scan_out to = {hd__gpu_kernel_view_of(&job.out),
                                 hd__gpu_kernel_view_of(&job.values)};
    const void *init = job.fold.init != NULL ? job.fold.init : nothing;
    const void *arguments[] = {&in, &how, init, empty, &to};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = (how.columns + config.items - 1) / config.items,
                          .threads = config.threads,
                          .argument_count = 5,
                          .arguments = arguments});
}
