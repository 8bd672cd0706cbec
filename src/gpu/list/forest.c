// SPDX-License-Identifier: Apache-2.0
// The pass of hd_forest_roots: pointer jumping until nothing moves.
#include "list.h"

typedef struct forest {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__forest_job job; // its views are of the device
    hd_view parent;     // as it was given
    int64_t n;
    hd__gpu_address control, jumps[2];
} forest;

static hd_status find_roots(forest *f)
{
    const int64_t minus_one = hd__gpu_minus_one(f->job.parent.type);
    const hd__gpu_kernel_view parent = hd__gpu_kernel_view_of(&f->job.parent);
    const hd__gpu_kernel_config links = hd__gpu_list_config("forest_links", &f->job.parent),
                                check = hd__gpu_list_config("forest_check", NULL);
    const void *linking[] = {&parent, &f->n, &minus_one, &f->jumps[0], &f->control};
    HD_TRY(hd__gpu_list_launch(f->ctx, f->gpu, &links, f->n, linking, 5));
    HD_TRY(hd__gpu_list_jump(f->ctx, f->gpu, f->jumps, f->n, f->control));
    const void *checking[] = {&f->jumps[0], &f->n, &f->control};
    return hd__gpu_list_launch(f->ctx, f->gpu, &check, f->n, checking, 3);
}

static hd_status explain(forest *f)
{
    hd__forest_job job = f->job;
    job.parent = f->parent;
    if (f->parent.space != HD_DEVICE) return hd__explain_forest(f->ctx, &job);
    hd_status status = hd__gpu_links_here(f->ctx, f->gpu, &f->parent, &job.parent);
    if (status == HD_OK) status = hd__explain_forest(f->ctx, &job);
    if (job.parent.space == HD_HOST)
        hd__release(f->ctx, job.parent.data, (size_t)f->n * hd__size_of(job.parent.type));
    return status;
}

static hd_status write_roots(forest *f)
{
    hd__gpu_kernel_config config = hd__gpu_list_config("forest_write", NULL);
    config.integer[HD__GPU_PUT_INDEX] = hd__gpu_layout_of(&f->job.out);
    config.integer[HD__GPU_PUT_LENGTH] = hd__gpu_layout_of(&f->job.depth);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&f->job.out),
                              depth = hd__gpu_kernel_view_of(&f->job.depth);
    const void *arguments[] = {&f->jumps[0], &f->n, &out, &depth};
    return hd__gpu_list_launch(f->ctx, f->gpu, &config, f->n, arguments, 4);
}

static hd_status run(hd__gpu_stage *s, forest *f)
{
    hd__gpu_list_control found;
    HD_TRY(hd__gpu_stage_in(s, &f->job.parent));
    HD_TRY(hd__gpu_stage_out(s, &f->job.out));
    HD_TRY(hd__gpu_stage_out(s, &f->job.depth));
    HD_TRY(f->gpu->driver->clear(f->ctx, f->gpu->device, f->control, sizeof found));
    HD_TRY(find_roots(f));
    HD_TRY(f->gpu->driver->download(f->ctx, f->gpu->device, &found, f->control, sizeof found));
    if (found.fault != 0) return explain(f);
    f->job.counts->steps = found.steps;
    f->job.counts->work = f->n * found.steps;
    return write_roots(f);
}

hd_status hd__gpu_forest(hd_context *ctx, const void *any, const char **why)
{
    const hd__forest_job *job = any;
    forest f = {.ctx = ctx, .job = *job, .parent = job->parent, .n = job->parent.shape[0]};
    hd__gpu_stage s = {.ctx = ctx};
    if (f.n > HD__GPU_LIST_MAX) {
        *why = "more than 2^30 nodes";
        return HD__DECLINED;
    }
    HD_TRY(hd__gpu_of(ctx, &f.gpu));
    s.gpu = f.gpu;
    const size_t row = ((size_t)f.n * 8 + 255) / 256 * 256, bytes = 512 + 2 * row;
    HD_TRY(hd__gpu_allocate(ctx, f.gpu, bytes, &f.control));
    f.jumps[0] = f.control + 512;
    f.jumps[1] = f.jumps[0] + row;
    const hd_status status = run(&s, &f);
    hd__gpu_release(f.gpu, f.control, bytes);
    return hd__gpu_stage_end(&s, status);
}
