// SPDX-License-Identifier: Apache-2.0
// Convolution as it is defined: the elements of the mask in row-major order; a separable one as two
// such passes, columns first, over the whole of each image.
#include "patterns/stencil/convolve.h"
#include "serial.h"
#include "weighted_sum.h"

#include <string.h>

// The offsets of a mask of rows x columns.
static void list_offsets(const hd__convolve_job *job, int64_t rows, int64_t columns,
                         int64_t (*to)[3])
{
    const int64_t ay = rows > 1 || !job->separable ? job->anchor_y : 0;
    const int64_t ax = columns > 1 || !job->separable ? job->anchor_x : 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++, to++)
            (*to)[0] = 0, (*to)[1] = i - ay, (*to)[2] = j - ax;
}

// One image (a grid of one batch): first down its columns, then along its rows.
static hd_status two_passes(hd_context *ctx, const hd__convolve_job *job, hd__grid *g,
                            int64_t (*offset)[3], void *between)
{
    hd__grid first = *g, second = *g;
    hd__grid_set_out(&first, g->sum, between);
    hd__grid_set_in(&second, g->sum, between);
    hd__beyond_column(job, second.beyond);
    list_offsets(job, job->rows, 1, offset);
    HD_TRY(hd__weighted_sum(
        ctx, &first,
        &(hd__mask_offsets){job->rows, (const int64_t(*)[3])offset, job->column, NULL}));
    list_offsets(job, 1, job->columns, offset);
    return hd__weighted_sum(
        ctx, &second,
        &(hd__mask_offsets){job->columns, (const int64_t(*)[3])offset, job->row, job->overflowed});
}

// Batch b of a grid as a grid of its own.
static hd__grid one_batch(const hd__grid *g, int64_t b)
{
    hd__grid one = *g;
    one.in.data = (void *)(uintptr_t)hd__at(&g->in, hd__grid_in_offset(g, b));
    one.out.data = (void *)(uintptr_t)hd__at(&g->out, hd__grid_out_offset(g, b));
    one.batch_axes = 0;
    one.batches = 1;
    return one;
}

static hd_status separable(hd_context *ctx, const hd__convolve_job *job, int64_t (*offset)[3])
{
    const size_t bytes = (size_t)hd__grid_points(&job->grid) * hd__size_of(job->grid.sum);
    void *between = hd__allocate(ctx, bytes);
    if (between == NULL) return HD_ERROR_MEMORY;
    hd_status status = HD_OK;
    for (int64_t b = 0; b < job->grid.batches && status == HD_OK; b++) {
        hd__grid one = one_batch(&job->grid, b);
        status = two_passes(ctx, job, &one, offset, between);
    }
    hd__release(ctx, between, bytes);
    return status;
}

hd_status hd__serial_convolve(hd_context *ctx, const void *any, const char **why)
{
    const hd__convolve_job *job = any;
    (void)why; // never declines
    const int64_t count = job->separable ? (job->rows > job->columns ? job->rows : job->columns)
                                         : job->rows * job->columns;
    const size_t bytes = (size_t)count * sizeof(int64_t[3]);
    int64_t(*offset)[3] = hd__allocate(ctx, bytes);
    if (offset == NULL) return HD_ERROR_MEMORY;
    hd_status status;
    if (job->separable) {
        status = separable(ctx, job, offset);
    } else {
        list_offsets(job, job->rows, job->columns, offset);
        status = hd__weighted_sum(
            ctx, &job->grid,
            &(hd__mask_offsets){count, (const int64_t(*)[3])offset, job->mask, NULL});
    }
    hd__release(ctx, offset, bytes);
    return status;
}
