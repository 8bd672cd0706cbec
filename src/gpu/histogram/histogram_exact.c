// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of weights: elements sorted by their bins, where each bin begins among them, and the
// exact sums of these segments, in any order, of which the bits are the same.
#include "histogram.h"
#include "gpu/move/gather.h"
#include "gpu/reduce/reduce.h"
#include "gpu/sort/sort_arrays.h"
#include "patterns/sort/search.h"

enum { BLOCKS = 5 };

typedef struct binning {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__histogram_job *job;
    hd_view bin, order, weight, offset; // elements by their bins
    hd__gpu_block block[BLOCKS];
    int32_t blocks;
} binning;

static hd_status take_array(binning *b, hd_type type, int64_t n, hd_view *v)
{
    hd__gpu_block *block = &b->block[b->blocks];
    block->bytes = (size_t)n * hd__size_of(type);
    HD_TRY(hd__gpu_allocate(b->ctx, b->gpu, block->bytes, &block->at));
    b->blocks++;
    *v = hd__gpu_array(type, block->at, n);
    return HD_OK;
}

static hd_status sort_by_bin(binning *b, hd__gpu_address bin)
{
    const int64_t n = b->job->n;
    HD_TRY(take_array(b, HD_U32, n, &b->bin));
    HD_TRY(take_array(b, n >> 32 != 0 ? HD_U64 : HD_U32, n, &b->order));
    const hd__gpu_sort_arrays sort = {.type = HD_U32,
                                      .keeps_keys = true,
                                      .n = n,
                                      .keys = bin,
                                      .keys_out = (uintptr_t)b->bin.data,
                                      .value_bytes = hd__size_of(b->order.type),
                                      .values_out = (uintptr_t)b->order.data};
    return hd__gpu_sort_arrays_run(b->ctx, b->gpu, &sort);
}

// Weights in the order of their bins; a constant needs none.
static hd_status gather_weights(binning *b)
{
    const char *why;
    const int64_t n = b->job->n;
    hd_view in = b->job->weights.view[0];
    HD_TRY(take_array(b, in.type, n, &b->weight));
    if (hd__is_constant(&in)) {
        b->weight = in;
        return HD_OK;
    }
    if (in.space == HD_IMPLICIT) {
        HD_TRY(take_array(b, in.type, n, &in));
        HD_TRY(hd__gpu_copy(b->ctx, b->job->weights.view[0], in, &why));
    }
    const hd__gather_job gather = {
        .in = in, .index = b->order, .out = b->weight, .axis = -1, .limit = n, .bad_to = HD_EMPTY};
    return hd__gpu_gather_launch(b->ctx, b->gpu, &gather, 0, 0);
}

// Elements outside come behind the last bin.
static hd_status find_offsets(binning *b)
{
    const char *why;
    const int64_t count = b->job->bins + 1;
    hd__search_job search = {
        .rows = 1, .n = b->job->n, .m = count, .sorted = b->bin, .queries = hd_iota(count)};
    search.queries.type = HD_U32;
    HD_TRY(hd__select_order(b->ctx, "hd_histogram", NULL, HD_U32, false, &search.order,
                            &search.backwards));
    HD_TRY(take_array(b, HD_I64, count, &b->offset));
    search.out = b->offset;
    return hd__gpu_search(b->ctx, &search, &why);
}

static hd_status sum_bins(binning *b)
{
    const hd__histogram_job *job = b->job;
    const hd__reduce_job reduce = {
        .fold = job->fold,
        .in = {.fold = &job->fold, .n = job->n, .inputs = 1, .view = {b->weight}},
        .slices = HD__SEGMENTS,
        .out = job->out};
    const hd__gpu_segments segments = {.offsets = b->offset, .count = job->bins, .room = job->bins};
    return job->add ? hd__gpu_exact_add(b->ctx, b->gpu, &reduce, &segments)
                    : hd__gpu_exact_slices(b->ctx, b->gpu, &reduce, &segments);
}

hd_status hd__gpu_histogram_exact(hd_context *ctx, hd__gpu *gpu, const hd__histogram_job *job,
                                  hd__gpu_address bin)
{
    binning b = {.ctx = ctx, .gpu = gpu, .job = job};
    hd_status status = sort_by_bin(&b, bin);
    if (status == HD_OK) status = gather_weights(&b);
    if (status == HD_OK) status = find_offsets(&b);
    if (status == HD_OK) status = sum_bins(&b);
    for (int32_t k = 0; k < b.blocks; k++) hd__gpu_release(gpu, b.block[k].at, b.block[k].bytes);
    return status;
}
