// SPDX-License-Identifier: Apache-2.0
// Exact sums on a GPU, whose nodes are too large for the kernels of other reductions: exact_all and
// exact_slices, one launch each.
#include "gpu/codegen/emit_kernel.h"
#include "reduce.h"

#include <string.h>

enum { THREADS = 256, ROWS = 4 };
// A block sums a slice of so many elements on average, else a warp; all blocks sum each row of so
// many, if these are few.
enum { LONG = 1024, LONG_ROW = 1 << 16, FEW_ROWS = 64 };

// hk_exact_how and hk_slices_how of the kernels.
typedef struct exact_how {
    int64_t n, tiles;
} exact_how;

typedef struct slices_how {
    int64_t n, count, room;
    hd__gpu_address count_at, fault;
} slices_how;

static void fill_config(const hd__gpu *gpu, hd__gpu_kernel_config *config, const char *kernel,
                        const hd__reduce_job *job)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    hd__gpu_config_inputs(config, &job->in, 0);
    hd__gpu_config_fold(config, &job->fold);
    config->rows = ROWS;
    config->threads = THREADS;
    config->blocks =
        job->fold.element == HD_F64 ? gpu->tuning.exact_wide_blocks : gpu->tuning.exact_blocks;
    config->out = hd__gpu_layout_of(&job->out);
}

static int64_t blocks_for(const hd__gpu *gpu, const hd__gpu_kernel_config *config, int64_t wanted)
{
    const int64_t most =
        config->blocks * (int64_t)gpu->driver->properties(gpu->device)->multiprocessors;
    return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

static const void *init_of(const hd__fold *f)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    return f->init != NULL ? f->init : nothing;
}

hd_status hd__gpu_exact_all(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                            hd__gpu_address node)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    hd__gpu_address digits;
    fill_config(gpu, &config, "exact_all", job);
    if (node != 0) {
        config.writes_nodes = true;
        config.out = (hd__gpu_layout){.type = HD_U8, .form = HD__GPU_CONTIGUOUS, .aligned = 1};
    }
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job->fold, job->in.map, &kernel));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_COUNTERS, (2 * HD__WIDE_LIMBS + 8) * 8, &digits));
    const exact_how how = {job->in.n, job->in.n / ((int64_t)ROWS * THREADS * config.k)};
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&job->in);
    const hd__gpu_kernel_view out =
        node != 0 ? (hd__gpu_kernel_view){.data = node} : hd__gpu_kernel_view_of(&job->out);
    const void *arguments[] = {&in, &how, &digits, init_of(&job->fold), &out, &out};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = blocks_for(gpu, &config, how.tiles),
                                                 .threads = THREADS,
                                                 .argument_count = 6,
                                                 .arguments = arguments});
}

// Whether elements lie in row-major order without gaps.
static bool lies_dense(const hd_view *v)
{
    int64_t step = 1;
    for (int k = v->ndim - 1; k >= 0; k--) {
        if (v->shape[k] > 1 && v->stride[k] != step) return false;
        step *= v->shape[k];
    }
    return true;
}

// Row r of a view whose rows follow each other in row-major order; false: they are not apart from
// each other.
static bool row_of(const hd_view *v, int64_t r, int64_t length, hd_view *row)
{
    if (v->ndim == 1)
        *row = hd_slice(*v, 0, r * length, length, 1);
    else if (v->shape[v->ndim - 1] == length)
        *row = hd__row_of(v, v->ndim - 1, r);
    else
        return false;
    return true;
}

// Rows one after another, of which there are few.
static hd_status each_row(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job, int64_t rows,
                          bool *done)
{
    const int64_t length = job->in.n / rows;
    *done = false;
    for (int64_t r = 0; r < rows; r++) {
        hd__reduce_job one = *job;
        for (int k = 0; k < job->in.inputs; k++)
            if (!row_of(&job->in.view[k], r, length, &one.in.view[k])) return HD_OK;
        one.in.n = length;
        one.out = hd_view_of(job->out.type, hd__at(&job->out, r), 1);
        one.out.space = job->out.space;
        HD_TRY(hd__gpu_exact_all(ctx, gpu, &one, 0));
    }
    *done = true;
    return HD_OK;
}

static hd_status launch_slices(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                               const hd__gpu_segments *segments, bool adds)
{
    _Alignas(HD__ALIGNMENT) unsigned char empty[16] = {0};
    const int64_t slices = segments->count >= 0 ? segments->count : segments->room;
    const int64_t mean = slices > 0 ? job->in.n / slices : 0;
    const bool is_long = segments->count > 0 && mean >= LONG;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    slices_how how = {job->in.n, segments->count, segments->room, segments->count_at, 0};
    fill_config(gpu, &config, "exact_slices", job);
    config.offsets = hd__gpu_layout_of(&segments->offsets);
    config.items = is_long ? THREADS : 32;
    config.in_place = config.scatters = adds;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job->fold, job->in.map, &kernel));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FAULT, 64, &how.fault));
    gpu->may_fault = true;
    hd__finalize_empty(&job->fold, empty, NULL);
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&job->in);
    const hd__gpu_kernel_view offsets = hd__gpu_kernel_view_of(&segments->offsets),
                              out = hd__gpu_kernel_view_of(&job->out);
    const void *arguments[] = {&in, &how, &offsets, init_of(&job->fold), empty, &out};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){
            .blocks = blocks_for(gpu, &config, (slices * config.items + THREADS - 1) / THREADS),
            .threads = THREADS,
            .argument_count = 6,
            .arguments = arguments});
}

hd_status hd__gpu_exact_slices(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                               const hd__gpu_segments *segments)
{
    const int64_t slices = segments->count >= 0 ? segments->count : segments->room;
    const int64_t mean = slices > 0 ? job->in.n / slices : 0;
    if (job->slices == HD__ROWS && slices <= FEW_ROWS && mean >= LONG_ROW &&
        lies_dense(&job->out)) {
        bool done;
        HD_TRY(each_row(ctx, gpu, job, slices, &done));
        if (done) return HD_OK;
    }
    return launch_slices(ctx, gpu, job, segments, false);
}

hd_status hd__gpu_exact_add(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                            const hd__gpu_segments *segments)
{
    return launch_slices(ctx, gpu, job, segments, true);
}
