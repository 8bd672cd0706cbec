// SPDX-License-Identifier: Apache-2.0
// Histograms of rows along an axis and of segments: each slice as a job of its own, for the
// backends that have them.
#include "histogram.h"
#include "patterns/scan/head_flags.h"

hd_status hd__histogram_check_slices(hd_context *ctx, const hd__histogram_job *job)
{
    if (job->slices != HD__SEGMENTS) return HD_OK;
    return hd__check_all_offsets(ctx, "hd_histogram", &job->segments, job->n);
}

void hd__histogram_begin_slices(const hd__histogram_job *job, hd__histogram_job *part)
{
    *part = *job;
    part->slices = HD__EVERYTHING;
    part->slice_count = 1;
    part->outside = NULL;
    part->outside_to = HD_EMPTY;
}

static void bounds_of(const hd__histogram_job *job, int64_t j, int64_t bounds[2])
{
    bounds[0] = 0;
    bounds[1] = 0;
    if (job->slices == HD__ROWS)
        bounds[1] = job->first.in.view[0].shape[job->axis];
    else
        hd__offsets(&job->segments, j, 2, bounds);
}

int64_t hd__histogram_slice_length(const hd__histogram_job *job, int64_t j)
{
    int64_t bounds[2];
    bounds_of(job, j, bounds);
    return bounds[1] - bounds[0];
}

// The bins of slice j: the last axes of out, one or two.
static hd_view bins_of(const hd__histogram_job *job, int64_t j)
{
    const hd_view *out = &job->out;
    const int others = out->ndim - job->axes;
    hd_view bins = *out;
    uint64_t offset = 0; // wraps on the way: axes of one element may have any stride
    for (int k = others - 1; k >= 0; k--) {
        offset += (uint64_t)(j % out->shape[k]) * (uint64_t)out->stride[k];
        j /= out->shape[k];
    }
    bins.ndim = job->axes;
    for (int k = 0; k < job->axes; k++) {
        bins.shape[k] = out->shape[others + k];
        bins.stride[k] = out->stride[others + k];
    }
    bins.data = (void *)(uintptr_t)hd__at(out, (int64_t)offset);
    hd__collapse(&bins);
    return bins;
}

// A segment of views of one dimension.
static void cut_reader(const hd__reader *in, const int64_t bounds[2], hd__reader *part)
{
    part->n = bounds[1] - bounds[0];
    for (int k = 0; k < in->inputs; k++)
        part->view[k] = hd_slice(in->view[k], 0, part->n > 0 ? bounds[0] : 0, part->n, 1);
    hd__finish_reader(part, in->fold, false);
}

static void slice_reader(const hd__histogram_job *job, const hd__reader *in, int64_t j,
                         const int64_t bounds[2], hd__reader *part)
{
    if (job->slices == HD__ROWS)
        hd__row_reader(in, job->axis, j, part);
    else
        cut_reader(in, bounds, part);
}

void hd__histogram_slice(const hd__histogram_job *job, int64_t j, hd__histogram_job *part)
{
    int64_t bounds[2];
    bounds_of(job, j, bounds);
    part->n = bounds[1] - bounds[0];
    part->out = bins_of(job, j);
    slice_reader(job, &job->first.in, j, bounds, &part->first.in);
    if (job->axes == 2) slice_reader(job, &job->second.in, j, bounds, &part->second.in);
    if (job->weighted) slice_reader(job, &job->weights, j, bounds, &part->weights);
}

void hd__histogram_give_outside(const hd__histogram_job *job, int64_t j, int64_t outside)
{
    if (!hd__is_empty(&job->outside_to)) hd__scatter(&job->outside_to, j, 1, &outside);
}
