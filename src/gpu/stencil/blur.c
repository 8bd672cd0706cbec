// SPDX-License-Identifier: Apache-2.0
// The pass of hd_blur over integers: whole weights down the columns, rounded to u16, then along the
// rows.
#include "grid.h"

#include <string.h>

typedef struct pass {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__blur_job *job;
} pass;

static hd_status sum_points(const pass *a, const hd__gpu_grid_pass *p, int axis,
                            const hd__rounding *rounding)
{
    const hd__blur_job *job = a->job;
    const int64_t count = 2 * job->radius + 1;
    const size_t bytes = (size_t)count * (sizeof(int64_t[3]) + sizeof(uint64_t));
    int64_t(*offset)[3] = hd__allocate(a->ctx, bytes);
    if (offset == NULL) return HD_ERROR_MEMORY;
    uint64_t *weight = (uint64_t *)(void *)(offset + count);
    memset(offset, 0, bytes);
    for (int64_t k = 0; k < count; k++) {
        offset[k][axis] = k - job->radius;
        weight[k] = job->weight[k < job->radius ? job->radius - k : k - job->radius];
    }
    const hd__gpu_taps taps = {.count = count,
                               .offset = (const int64_t(*)[3])offset,
                               .weight = weight,
                               .rounding = *rounding};
    const hd_status status = hd__gpu_stencil_points(a->ctx, a->gpu, p, &taps);
    hd__release(a->ctx, offset, bytes);
    return status;
}

// An element of in's type as u64; times 2^extra it is what the columns' pass makes of it.
static uint64_t beyond_of(const hd__grid *g)
{
    uint16_t wide;
    if (g->border != HD_BORDER_CONSTANT) return 0;
    memcpy(&wide, g->beyond, sizeof wide);
    return g->in.type == HD_U8 ? g->beyond[0] : wide;
}

static hd_status two_passes(const pass *a)
{
    const hd__blur_job *job = a->job;
    hd__gpu_grid_pass first = hd__gpu_grid_pass_of(&job->grid, false), second;
    const size_t bytes = (size_t)first.points * sizeof(uint16_t);
    hd__gpu_address between;
    first.is.sum = HD_U64;
    first.is.rounds = true;
    first.grid.beyond = beyond_of(&job->grid);
    second = first;
    second.grid.beyond = first.grid.beyond << job->extra;
    HD_TRY(hd__gpu_allocate(a->ctx, a->gpu, bytes, &between));
    hd__gpu_grid_pass_to(&first, HD_U16, between);
    hd__gpu_grid_pass_from(&second, HD_U16, between);
    hd_status status = sum_points(a, &first, 1, &job->column);
    if (status == HD_OK) status = sum_points(a, &second, 2, &job->row);
    hd__gpu_release(a->gpu, between, bytes);
    return status;
}

hd_status hd__gpu_blur(hd_context *ctx, const void *any, const char **why)
{
    hd__blur_job job = *(const hd__blur_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const pass a = {ctx, s.gpu, &job};
    hd_status status = hd__gpu_stage_grid(&s, &job.grid);
    if (status == HD_OK) status = two_passes(&a);
    return hd__gpu_stage_end(&s, status);
}
