// SPDX-License-Identifier: Apache-2.0
// The pass of hd_reverse and hd_rotate: copies of views of negative strides and of ranges; in place
// from a copy of the elements.
#include "patterns/move/reverse.h"
#include "gpu/gpu.h"
#include "patterns/sort/rows.h"

static hd_status rotate(hd_context *ctx, const hd__reverse_job *job, int32_t axis, const char **why)
{
    const int64_t head = job->length - job->shift;
    HD_TRY(hd__gpu_copy(ctx, hd_slice(job->in, axis, job->shift, head, 1),
                        hd_slice(job->out, axis, 0, head, 1), why));
    return hd__gpu_copy(ctx, hd_slice(job->in, axis, 0, job->shift, 1),
                        hd_slice(job->out, axis, head, job->shift, 1), why);
}

static hd_status move(hd_context *ctx, const hd__reverse_job *job, const char **why)
{
    if (job->rotates) return rotate(ctx, job, job->axis < 0 ? 0 : job->axis, why);
    const hd_view turned =
        job->axis < 0 ? hd__backwards(&job->in) : hd__flipped(&job->in, job->axis);
    return hd__gpu_copy(ctx, turned, job->out, why);
}

static hd_status move_copy(hd_context *ctx, hd__reverse_job *job, const char **why)
{
    hd__gpu *gpu;
    hd__gpu_address memory;
    const size_t bytes = (size_t)job->n * hd__size_of(job->in.type);
    HD_TRY(hd__gpu_of(ctx, &gpu));
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &memory));
    hd_view copy =
        hd_view_nd(job->in.type, (void *)(uintptr_t)memory, job->in.ndim, job->in.shape, NULL);
    copy.space = HD_DEVICE;
    hd_status status = hd__gpu_copy(ctx, job->in, copy, why);
    job->in = copy;
    if (status == HD_OK) status = move(ctx, job, why);
    hd__gpu_release(gpu, memory, bytes);
    return status;
}

// Rows with gaps, rotated as one: elements one after another, which are rotated, and go back.
static hd_status rotate_flat(hd_context *ctx, hd__gpu *gpu, const hd__reverse_job *job,
                             const char **why)
{
    hd__gpu_address memory;
    const size_t bytes = hd__padded((size_t)job->n * hd__size_of(job->in.type));
    HD_TRY(hd__gpu_allocate(ctx, gpu, 2 * bytes, &memory));
    hd__reverse_job flat = *job;
    flat.in = hd__gpu_array(job->in.type, memory, job->n);
    flat.out = hd__gpu_array(job->in.type, memory + bytes, job->n);
    hd_status status = hd__gpu_copy(ctx, job->in, flat.in, why);
    if (status == HD_OK) status = rotate(ctx, &flat, 0, why);
    if (status == HD_OK) status = hd__gpu_copy(ctx, flat.out, job->out, why);
    hd__gpu_release(gpu, memory, 2 * bytes);
    return status;
}

hd_status hd__gpu_reverse(hd_context *ctx, const void *any, const char **why)
{
    hd__reverse_job job = *(const hd__reverse_job *)any;
    hd__gpu *gpu;
    if (job.n == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    if (job.rotates && job.axis < 0 && (job.in.ndim > 1 || job.out.ndim > 1))
        return rotate_flat(ctx, gpu, &job, why);
    return job.in_place ? move_copy(ctx, &job, why) : move(ctx, &job, why);
}
