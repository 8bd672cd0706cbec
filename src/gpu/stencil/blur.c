// SPDX-License-Identifier: Apache-2.0
// The pass of hd_blur over integers: whole weights down the columns, rounded to u16, then along the
// rows.
#include "separable.h"

#include <string.h>

enum {
    RADIUS_MOST = 127,
    EXTRA = 7, // of u8, as patterns/stencil/blur.c has it
    WEIGHT_BITS = 15
};

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
    const hd__gpu_mask_offsets mask = {.count = count,
                                       .offset = (const int64_t(*)[3])offset,
                                       .weight = weight,
                                       .rounding = *rounding};
    const hd_status status = hd__gpu_stencil_points(a->ctx, a->gpu, p, &mask);
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

// The Gaussian of u8 in one launch; false: it does not fit.
static bool fits_strips(const pass *a, const hd__gpu_grid_pass *p, const hd__gpu_separable *how)
{
    const hd__blur_job *job = a->job;
    return how->gaussian && job->extra == EXTRA && job->row.times == 1 &&
           job->column.shift == WEIGHT_BITS - EXTRA && hd__gpu_separable_fits(a->gpu, p, how);
}

static hd_status strips_or_passes(const pass *a)
{
    const hd__blur_job *job = a->job;
    const hd__grid *g = &job->grid;
    const bool flat = hd__gpu_is_flat(g) && g->shape[HD__CHANNEL] <= 4;
    hd__gpu_grid_pass p = hd__gpu_grid_pass_of(g, flat);
    float column[2 * RADIUS_MOST + 1];
    uint32_t row[2 * RADIUS_MOST + 1];
    const int64_t radius = job->radius, count = 2 * radius + 1;
    p.is.sum = HD_U32;
    p.grid.beyond = beyond_of(g);
    const hd__gpu_separable how = {.rows = count,
                                   .columns = count,
                                   .anchor_y = radius,
                                   .anchor_x = radius,
                                   .column = column,
                                   .row = row,
                                   .beyond = p.grid.beyond << job->extra,
                                   .gaussian = !job->boxes && p.is.in == HD_U8};
    if (radius > RADIUS_MOST || !fits_strips(a, &p, &how)) return two_passes(a);
    for (int64_t k = 0; k < count; k++) {
        row[k] = (uint32_t)job->weight[k < radius ? radius - k : k - radius];
        column[k] = (float)row[k];
    }
    return hd__gpu_separable_strips(a->ctx, a->gpu, &p, &how);
}

hd_status hd__gpu_blur(hd_context *ctx, const void *any, const char **why)
{
    hd__blur_job job = *(const hd__blur_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const pass a = {ctx, s.gpu, &job};
    hd_status status = hd__gpu_stage_grid(&s, &job.grid);
    if (status == HD_OK) status = strips_or_passes(&a);
    return hd__gpu_stage_end(&s, status);
}
