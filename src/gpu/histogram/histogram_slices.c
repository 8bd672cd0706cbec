// SPDX-License-Identifier: Apache-2.0
// Histograms of rows and segments: one of everything whose bins are those of all slices, one slice
// after another. An element's bin there follows from its bin and its slice, which of a segment is
// searched in the offsets; those outside are counted by slice where anybody asks.
#include "histogram.h"
#include "core/arguments.h"
#include "patterns/move/map.h"
#include "patterns/scan/head_flags.h"
#include "patterns/sort/rows.h"
#include "patterns/sort/search.h"

enum { BLOCKS = 3 };

typedef struct slicing {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__histogram_job *job;
    hd_view bin, slice; // of each element; the slice's number is slice / row - shift
    hd_view all;        // the bin among those of all slices
    int64_t row, shift;
    hd__gpu_block block[BLOCKS];
    int32_t blocks;
    const char **why;
} slicing;

static hd_status take_array(slicing *s, hd_type type, hd_view *v)
{
    hd__gpu_block *b = &s->block[s->blocks];
    b->bytes = (size_t)s->job->n * hd__size_of(type);
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, b->bytes, &b->at));
    s->blocks++;
    *v = hd__gpu_array(type, b->at, s->job->n);
    return HD_OK;
}

// ---- Slices of elements -------------------------------------------------------------------------

// The number of offsets that are not behind an element: its segment's, counted from 1.
static hd_status search_segments(slicing *s, const int64_t *offsets, int64_t count)
{
    hd__search_job job = {.right = true,
                          .rows = 1,
                          .n = count,
                          .m = s->job->n,
                          .sorted = HD_VIEW(offsets, count),
                          .queries = hd_iota(s->job->n)};
    HD_TRY(
        hd__select_order(s->ctx, "hd_histogram", NULL, HD_I64, false, &job.order, &job.backwards));
    HD_TRY(take_array(s, count >> 31 != 0 ? HD_I64 : HD_I32, &s->slice));
    job.out = s->slice;
    s->row = s->shift = 1;
    return hd__gpu_search(s->ctx, &job, s->why);
}

static hd_status find_slices(slicing *s)
{
    const hd__histogram_job *job = s->job;
    if (job->slices == HD__ROWS) {
        s->slice = hd_iota(job->n);
        s->row = job->n / job->slice_count;
        return HD_OK;
    }
    const int64_t count = job->slice_count + 1;
    const size_t bytes = (size_t)count * sizeof(int64_t);
    int64_t *offsets = hd__allocate(s->ctx, bytes);
    if (offsets == NULL) return HD_ERROR_MEMORY;
    hd__offsets(&job->segments, 0, count, offsets);
    const hd_status status = search_segments(s, offsets, count);
    hd__release(s->ctx, offsets, bytes);
    return status;
}

// ---- Bins of all slices -------------------------------------------------------------------------

#define INPUTS                                                                                     \
    .inputs = 6, .result = HD_U32, .input = {HD_U32, HD_I64, HD_I64, HD_I64, HD_I64, HD_I64},      \
    .result_text = "uint32_t",                                                                     \
    .inputs_text = "(uint32_t, bin, int64_t, from, int64_t, row, int64_t, shift,"                  \
                   " int64_t, slices, int64_t, bins)"

static const hd_function bin_of_all = {
    INPUTS, .name = "bin_of_all",
    .body_text = "{ const int64_t slice = from / row - shift;"
                 " const bool in = slice >= 0 && slice < slices && bin < bins;"
                 " return (uint32_t)(in ? slice * bins + bin : slices * bins); }"};

static const hd_function slice_outside = {
    INPUTS, .name = "slice_outside",
    .body_text = "{ const int64_t slice = from / row - shift;"
                 " const bool out = slice >= 0 && slice < slices && bin >= bins;"
                 " return (uint32_t)(out ? slice : slices); }"};

static hd_status map_bins(const slicing *s, const hd_function *function)
{
    const hd__histogram_job *job = s->job;
    const int64_t n = job->n, number[] = {s->row, s->shift, job->slice_count, job->bins};
    hd__map_job map = {.in = {.map = function, .n = n, .inputs = 6, .view = {s->bin, s->slice}},
                       .out = s->all};
    for (int k = 0; k < 4; k++) map.in.view[2 + k] = hd_constant_of(HD_I64, &number[k], n);
    return hd__gpu_map(s->ctx, &map, s->why);
}

// The histogram of everything whose elements are bins already.
static hd__histogram_job job_of_all(const slicing *s, int64_t bins, hd_view out)
{
    return (hd__histogram_job){
        .first = {.in = {.n = s->job->n, .inputs = 1, .view = {s->all}},
                  .bins = {.rule = HD__INTEGER_BINS, .type = HD_U32, .count = bins}},
        .axes = 1,
        .slices = HD__EVERYTHING,
        .slice_count = 1,
        .n = s->job->n,
        .bins = bins,
        .out = out};
}

static hd_status count_outside(slicing *s)
{
    hd__histogram_job job = job_of_all(s, s->job->slice_count, s->job->outside_to);
    if (hd__is_empty(&s->job->outside_to)) return HD_OK;
    if (job.n > 0) HD_TRY(map_bins(s, &slice_outside));
    return hd__gpu_histogram(s->ctx, &job, s->why);
}

static hd_status count_all(slicing *s)
{
    const hd__histogram_job *job = s->job;
    hd__histogram_job all = job_of_all(s, job->slice_count * job->bins, job->out);
    if (job->n > 0) HD_TRY(map_bins(s, &bin_of_all));
    all.add = job->add;
    all.any_order = job->any_order;
    all.weighted = job->weighted;
    all.weights = job->weights;
    all.fold = job->fold;
    for (int k = 0; job->weighted && job->slices == HD__ROWS && k < all.weights.inputs; k++)
        hd__put_axis_last(&all.weights.view[k], job->axis);
    return hd__gpu_histogram(s->ctx, &all, s->why);
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status run(slicing *s)
{
    if (s->job->n > 0) {
        HD_TRY(take_array(s, HD_U32, &s->bin));
        HD_TRY(hd__gpu_histogram_bins(s->ctx, s->job, (uintptr_t)s->bin.data));
        HD_TRY(find_slices(s));
        HD_TRY(take_array(s, HD_U32, &s->all));
    }
    HD_TRY(count_all(s));
    return count_outside(s);
}

static hd_status run_slices(hd_context *ctx, const hd__histogram_job *job, const char **why)
{
    slicing s = {.ctx = ctx, .job = job, .why = why};
    HD_TRY(hd__histogram_check_slices(ctx, job));
    if (job->slice_count == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const hd_status status = run(&s);
    for (int32_t k = 0; k < s.blocks; k++) hd__gpu_release(s.gpu, s.block[k].at, s.block[k].bytes);
    return status;
}

// Offsets of the device are checked by the host: the call waits.
static hd_status run_fetched(hd_context *ctx, const hd__histogram_job *given, const char **why)
{
    hd__histogram_job job = *given;
    const int64_t count = given->slice_count + 1;
    const size_t bytes = (size_t)count * sizeof(int64_t);
    int64_t *offsets = hd__allocate(ctx, bytes);
    if (offsets == NULL) return HD_ERROR_MEMORY;
    job.segments = hd_view_of(HD_I64, offsets, count);
    hd_status status = hd__gpu_copy(ctx, given->segments, job.segments, why);
    if (status == HD_OK) status = run_slices(ctx, &job, why);
    hd__release(ctx, offsets, bytes);
    return status;
}

hd_status hd__gpu_histogram_slices(hd_context *ctx, const hd__histogram_job *job, const char **why)
{
    if (job->slice_count > 0 && job->bins > (UINT32_MAX - 1) / job->slice_count) {
        *why = "all its bins together have numbers of 32 bits";
        return HD__DECLINED;
    }
    if (job->slices == HD__SEGMENTS && job->segments.space == HD_DEVICE)
        return run_fetched(ctx, job, why);
    return run_slices(ctx, job, why);
}
