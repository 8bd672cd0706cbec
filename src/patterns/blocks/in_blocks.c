// SPDX-License-Identifier: Apache-2.0
// Map, gather, search and counts of histograms in blocks, and reduce and scan of everything, joined
// by the tree.
#include "patterns/in_blocks.h"
#include "patterns/histogram/histogram.h"
#include "patterns/move/gather.h"
#include "patterns/move/map.h"
#include "patterns/reduce/reduce.h"
#include "patterns/scan/scan.h"
#include "patterns/sort/search.h"

#define BLOCK_BYTES ((int64_t)16 << 20) // some milliseconds of one core

// Elements of a block, a power of two, as blocks are nodes of the tree then.
static int64_t block_of(hd_type type)
{
    int64_t n = BLOCK_BYTES;
    while (n * (int64_t)hd__size_of(type) > BLOCK_BYTES && n > 4096) n /= 2;
    return n;
}

// Views of one dimension can be cut; one that is not given has none.
static bool is_cut(const hd_view *v)
{
    return v->ndim <= 1;
}

static bool are_cut(const hd__reader *in)
{
    bool all = true;
    for (int k = 0; k < in->inputs; k++) all = all && is_cut(&in->view[k]);
    return all;
}

// Whether a call of n elements is worth blocks: a device reports progress by itself.
static bool is_worth(const hd_context *ctx, int64_t n, int64_t block)
{
    return ctx->progress != NULL && !ctx->on_device && n > block && ctx->first->allocate == NULL;
}

static hd_view cut(const hd_view *v, int64_t at, int64_t n)
{
    hd_view part = *v;
    if (v->ndim == 0) return part;
    if (v->space == HD_INDEXED) return hd_slice(*v, 0, at, n, 1);
    part.shape[0] = n;
    if (v->space != HD_IMPLICIT)
        part.data = (void *)(uintptr_t)hd__at(v, at * v->stride[0]);
    else if (!hd__is_constant(v))
        part.scalar.i.start =
            (int64_t)((uint64_t)v->scalar.i.start + (uint64_t)at * (uint64_t)v->scalar.i.step);
    return part;
}

static hd__reader cut_reader(const hd__reader *in, int64_t at, int64_t n)
{
    hd__reader part = *in;
    part.n = n;
    part.first = in->first + at;
    for (int k = 0; k < in->inputs; k++) part.view[k] = cut(&in->view[k], at, n);
    return part;
}

// ---- One block after another --------------------------------------------------------------------

typedef hd_status run_block(hd_context *ctx, const void *job, void *state, int64_t at, int64_t n);

static hd_status run_blocks(hd_context *ctx, const void *job, void *state, int64_t n, int64_t block,
                            run_block *run)
{
    hd_status status = hd__poll(ctx, 0, n);
    ctx->in_blocks = true;
    for (int64_t at = 0; at < n && status == HD_OK; at += block) {
        const int64_t m = n - at < block ? n - at : block;
        status = run(ctx, job, state, at, m);
        if (status == HD_OK) status = hd__poll(ctx, at + m, n);
    }
    ctx->in_blocks = false;
    return status;
}

// ---- Map and gather -----------------------------------------------------------------------------

static hd_status map_block(hd_context *ctx, const void *any, void *state, int64_t at, int64_t n)
{
    hd__map_job job = *(const hd__map_job *)any;
    const hd__subject *subject = state;
    job.in = cut_reader(&job.in, at, n);
    job.out = cut(&job.out, at, n);
    const hd__subject part = {subject->what, n, subject->type};
    return hd__dispatch(ctx, HD__MAP_PATTERN, &job, &part);
}

hd_status hd__run_map(hd_context *ctx, const hd__map_job *job, const hd__subject *subject)
{
    const int64_t block = block_of(job->out.type);
    if (!is_worth(ctx, job->in.n, block) || !are_cut(&job->in) || !is_cut(&job->out))
        return hd__dispatch(ctx, HD__MAP_PATTERN, job, subject);
    hd__subject s = *subject;
    return run_blocks(ctx, job, &s, job->in.n, block, map_block);
}

typedef struct gathering {
    hd__subject subject;
    int64_t bad;
} gathering;

static hd_status gather_block(hd_context *ctx, const void *any, void *state, int64_t at, int64_t n)
{
    hd__gather_job job = *(const hd__gather_job *)any;
    gathering *g = state;
    int64_t bad = -1;
    job.index = cut(&job.index, at, n);
    job.out = cut(&job.out, at, n);
    for (int k = 0; job.map != NULL && k + 1 < job.map->inputs; k++)
        job.with[k] = cut(&job.with[k], at, n);
    if (job.bad != NULL) job.bad = &bad;
    const hd__subject part = {g->subject.what, n, g->subject.type};
    HD_TRY(hd__dispatch(ctx, HD__GATHER_PATTERN, &job, &part));
    if (g->bad < 0 && bad >= 0) g->bad = at + bad;
    return HD_OK;
}

hd_status hd__run_gather(hd_context *ctx, const hd__gather_job *job, const hd__subject *subject)
{
    const int64_t block = block_of(job->out.type), n = hd__count(&job->out);
    bool cuts = job->axis < 0 && is_cut(&job->index) && is_cut(&job->out);
    for (int k = 0; job->map != NULL && k + 1 < job->map->inputs; k++)
        cuts = cuts && is_cut(&job->with[k]);
    if (!cuts || !is_worth(ctx, n, block))
        return hd__dispatch(ctx, HD__GATHER_PATTERN, job, subject);
    gathering g = {*subject, -1};
    const hd_status status = run_blocks(ctx, job, &g, n, block, gather_block);
    if (job->bad != NULL) *job->bad = g.bad;
    return status;
}

// ---- Histogram and search ----------------------------------------------------------------------

typedef struct counting {
    hd__subject subject;
    int64_t outside;
} counting;

static hd_status histogram_block(hd_context *ctx, const void *any, void *state, int64_t at,
                                 int64_t n)
{
    hd__histogram_job job = *(const hd__histogram_job *)any;
    counting *c = state;
    int64_t outside = 0;
    job.n = n;
    job.add = job.add || at > 0;
    job.first.in = cut_reader(&job.first.in, at, n);
    if (job.axes == 2) job.second.in = cut_reader(&job.second.in, at, n);
    if (job.outside != NULL) job.outside = &outside;
    const hd__subject part = {c->subject.what, n, c->subject.type};
    HD_TRY(hd__dispatch(ctx, HD__HISTOGRAM_PATTERN, &job, &part));
    c->outside += outside;
    return HD_OK;
}

// Counts add up; sums of weights have an order.
hd_status hd__run_histogram(hd_context *ctx, const hd__histogram_job *job,
                            const hd__subject *subject)
{
    const int64_t block = block_of(job->first.in.view[0].type);
    if (job->weighted || job->slices != HD__EVERYTHING || !is_worth(ctx, job->n, block) ||
        !are_cut(&job->first.in) || (job->axes == 2 && !are_cut(&job->second.in)))
        return hd__dispatch(ctx, HD__HISTOGRAM_PATTERN, job, subject);
    counting c = {*subject, 0};
    const hd_status status = run_blocks(ctx, job, &c, job->n, block, histogram_block);
    if (status == HD_OK && job->outside != NULL) *job->outside = c.outside;
    return status;
}

static hd_status search_block(hd_context *ctx, const void *any, void *state, int64_t at, int64_t n)
{
    hd__search_job job = *(const hd__search_job *)any;
    const hd__subject *subject = state;
    job.m = n;
    job.queries = cut(&job.queries, at, n);
    job.out = cut(&job.out, at, n);
    const hd__subject part = {subject->what, n, subject->type};
    return hd__dispatch(ctx, HD__SEARCH_PATTERN, &job, &part);
}

hd_status hd__run_search(hd_context *ctx, const hd__search_job *job, const hd__subject *subject)
{
    const int64_t block = block_of(job->queries.type);
    if (job->rows != 1 || !is_worth(ctx, job->m, block) || !is_cut(&job->queries) ||
        !is_cut(&job->out))
        return hd__dispatch(ctx, HD__SEARCH_PATTERN, job, subject);
    hd__subject s = *subject;
    return run_blocks(ctx, job, &s, job->m, block, search_block);
}

// ---- Reduce and scan: the tree is carried from block to block -----------------------------------

typedef struct folding {
    hd__subject subject;
    hd__tree tree;
} folding;

static hd_status begin_folding(hd_context *ctx, const hd__fold *f, const hd__subject *subject,
                               folding *state)
{
    state->subject = *subject;
    state->tree = (hd__tree){f->node, f->node_size, 0, NULL};
    state->tree.node = hd__allocate(ctx, HD__LEVELS * f->node_size);
    return state->tree.node != NULL ? HD_OK : HD_ERROR_MEMORY;
}

static void end_folding(hd_context *ctx, folding *state)
{
    hd__release(ctx, state->tree.node, HD__LEVELS * state->tree.size);
}

static hd_status reduce_block(hd_context *ctx, const void *any, void *state, int64_t at, int64_t n)
{
    hd__reduce_job job = *(const hd__reduce_job *)any;
    folding *f = state;
    job.in = cut_reader(&job.in, at, n);
    job.tree = &f->tree;
    const hd__subject part = {f->subject.what, n, f->subject.type};
    return hd__dispatch(ctx, HD__REDUCE_PATTERN, &job, &part);
}

hd_status hd__run_reduce(hd_context *ctx, const hd__reduce_job *job, const hd__subject *subject)
{
    const int64_t block = block_of(job->in.view[0].type);
    folding f;
    if (job->slices != HD__EVERYTHING || job->tree != NULL || job->filter != NULL ||
        !are_cut(&job->in) || !is_worth(ctx, job->in.n, block))
        return hd__dispatch(ctx, HD__REDUCE_PATTERN, job, subject);
    HD_TRY(begin_folding(ctx, &job->fold, subject, &f));
    const hd_status status = run_blocks(ctx, job, &f, job->in.n, block, reduce_block);
    end_folding(ctx, &f);
    return status;
}

static hd_status scan_block(hd_context *ctx, const void *any, void *state, int64_t at, int64_t n)
{
    hd__scan_job job = *(const hd__scan_job *)any;
    folding *f = state;
    job.in = cut_reader(&job.in, at, n);
    job.out = cut(&job.out, at, n);
    job.values = cut(&job.values, at, n);
    job.tree = &f->tree;
    const hd__subject part = {f->subject.what, n, f->subject.type};
    return hd__dispatch(ctx, HD__SCAN_PATTERN, &job, &part);
}

hd_status hd__run_scan(hd_context *ctx, const hd__scan_job *job, const hd__subject *subject)
{
    const int64_t block = block_of(job->in.view[0].type);
    folding f;
    if (job->slices != HD__EVERYTHING || job->tree != NULL || job->maxima != NULL ||
        !are_cut(&job->in) || !is_cut(&job->out) || !is_cut(&job->values) ||
        !is_worth(ctx, job->in.n, block))
        return hd__dispatch(ctx, HD__SCAN_PATTERN, job, subject);
    HD_TRY(begin_folding(ctx, &job->fold, subject, &f));
    const hd_status status = run_blocks(ctx, job, &f, job->in.n, block, scan_block);
    end_folding(ctx, &f);
    return status;
}
