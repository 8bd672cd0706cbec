// SPDX-License-Identifier: Apache-2.0
//
// Out-of-core reductions and scans: after a carry, or because views of the host are larger than
// what is to be on the device at once. The input is cut into chunks that are nodes of the tree,
// each a launch over its own range of the views, in a staging pipeline (staging_ring.h); the tree
// of pending partials is the host's. Where all views are the host's, the few elements before and
// after large chunks are done there.
#include "out_of_core.h"
#include "gpu/reduce/reduce.h"
#include "gpu/scan/scan.h"
#include "staging_ring.h"

#include <string.h>

enum { FEW = 4096 }; // elements that are done on the host

// ---- Chunks of views ----------------------------------------------------------------------------

static bool is_cut(const hd_view *v)
{
    return v->ndim <= 1 && v->space != HD_INDEXED;
}

bool hd__gpu_can_chunk(hd__reader *in, hd_view *out, hd_view *values)
{
    bool all = true;
    for (int k = 0; k < in->inputs; k++) {
        if (in->view[k].ndim > 1) hd__collapse(&in->view[k]);
        all = all && is_cut(&in->view[k]);
    }
    if (out->ndim > 1) hd__collapse(out);
    if (values->ndim > 1) hd__collapse(values);
    return all && is_cut(out) && is_cut(values);
}

hd_view hd__gpu_chunk_of(const hd_view *v, int64_t at, int64_t n)
{
    hd_view chunk = *v;
    if (v->ndim == 0) return chunk;
    chunk.shape[0] = n;
    if (v->space == HD_IMPLICIT) {
        if (!hd__is_constant(v)) chunk.scalar.i.start += at * v->scalar.i.step;
    } else {
        chunk.data = (void *)(uintptr_t)hd__at(v, at * v->stride[0]);
    }
    return chunk;
}

hd__reader hd__gpu_reader_chunk(const hd__reader *in, int64_t at, int64_t n)
{
    hd__reader chunk = *in;
    chunk.n = n;
    chunk.first = in->first + at;
    for (int k = 0; k < in->inputs; k++) chunk.view[k] = hd__gpu_chunk_of(&in->view[k], at, n);
    return chunk;
}

static bool on_host(const hd_view *v)
{
    return v->space != HD_DEVICE;
}

static bool inputs_on_host(const hd__reader *in)
{
    bool all = true;
    for (int k = 0; k < in->inputs; k++) all = all && on_host(&in->view[k]);
    return all;
}

// ---- Blocks -------------------------------------------------------------------------------------

typedef struct plan {
    int most;  // level of a block
    bool host; // everything is on the host
} plan;

static plan plan_for(const hd__gpu_pipeline *pipe, const hd__gpu_chunk_views *views, bool host)
{
    plan p = {62, host};
    if (views->count > 0)
        for (p.most = 0;
             p.most < 40 && hd__gpu_chunk_bytes(views, (int64_t)2 << p.most) <= pipe->bytes;)
            p.most++;
    return p;
}

// The level of the block that begins after `count` elements with `left` to come.
static int level_for(const plan *p, int64_t count, int64_t left)
{
    int level = 0;
    while (level < p->most && ((int64_t)2 << level) <= left && (count >> level & 1) == 0) level++;
    return level;
}

// How many elements the host does next: up to where a block may begin that is worth a launch; 0:
// none.
static int64_t few_for(const plan *p, int64_t count, int64_t left)
{
    const int64_t to_next = FEW - count % FEW;
    if (!p->host || ((int64_t)1 << level_for(p, count, left)) >= FEW) return 0;
    if (p->most < 12) return 0; // blocks are smaller by wish
    return to_next < left ? to_next : left;
}

static hd__gpu_chunk_views chunk_views_of(const hd__reader *in, const hd_view *out,
                                          const hd_view *values)
{
    hd__gpu_chunk_views views = {0};
    for (int k = 0; k < in->inputs; k++) hd__gpu_chunk_add_view(&views, &in->view[k]);
    if (out != NULL) hd__gpu_chunk_add_view(&views, out);
    if (values != NULL) hd__gpu_chunk_add_view(&views, values);
    return views;
}

bool hd__gpu_needs_out_of_core(const hd__gpu *gpu, const hd__reader *in, const hd_view *out)
{
    size_t bytes = out->space == HD_HOST ? (size_t)hd_count(*out) * hd__size_of(out->type) : 0;
    for (int k = 0; k < in->inputs; k++)
        if (in->view[k].space == HD_HOST) bytes += (size_t)in->n * hd__size_of(in->view[k].type);
    return bytes > (size_t)gpu->tuning.stage_bytes;
}

// ---- The tree -----------------------------------------------------------------------------------

// A copy of the carry's tree, or an empty one: what fails leaves the carry as it was.
static hd_status copy_tree(hd_context *ctx, const hd__fold *f, const hd__tree *from, hd__tree *to)
{
    *to = (hd__tree){f->node, f->node_size, 0, hd__allocate(ctx, HD__LEVELS * f->node_size)};
    if (to->node == NULL) return HD_ERROR_MEMORY;
    if (from != NULL) {
        to->count = from->count;
        memcpy(to->node, from->node, HD__LEVELS * f->node_size);
    }
    return HD_OK;
}

static void keep_tree(hd_context *ctx, hd__tree *tree, hd__tree *carry, hd_status status)
{
    if (carry != NULL && status == HD_OK) {
        memcpy(carry->node, tree->node, HD__LEVELS * tree->size);
        carry->count = tree->count;
    }
    hd__release(ctx, tree->node, HD__LEVELS * tree->size);
}

// Launches what makes the node of a block, in the spare bytes of its slot.
static hd_status begin_node(hd__gpu_pipeline *pipe, const hd__gpu_slot *s, const hd__fold *fold,
                            const hd__reader *in)
{
    hd__reduce_job job = {.fold = *fold, .in = *in, .slices = HD__EVERYTHING};
    job.fold.init = NULL;
    HD_TRY(
        hd__gpu_reduce_tiles(pipe->ctx, pipe->gpu, &job, hd__gpu_pipeline_node_address(pipe, s)));
    return hd__gpu_pipeline_node(pipe, s, fold->node_size);
}

// The output over the tree.
static hd_status result_of(hd_context *ctx, const hd__fold *f, const hd__tree *tree, void *result,
                           void *value)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    if (hd__tree_fold(tree, node)) {
        hd__apply_init(f, node, 1);
        hd__finalize(f, node, 1, NULL, tree->count, result, value);
    } else if (!hd__finalize_empty(f, result, value)) {
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "hd_reduce: result 0 has no elements and operator %s no identity",
                        f->asked->name);
    }
    return HD_OK;
}

// ---- Reduce -------------------------------------------------------------------------------------

typedef struct reduction {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__reduce_job *job;
    hd__tree *tree;
    hd__gpu_pipeline pipeline;
    plan plan;
} reduction;

static hd_status push_few(hd_context *ctx, const hd__reader *in, int64_t at, int64_t n,
                          hd__tree *tree)
{
    enum { BLOCK = 256 };
    const size_t bytes = hd__reader_bytes(in, BLOCK);
    void *scratch = hd__allocate(ctx, bytes + 64);
    if (scratch == NULL) return HD_ERROR_MEMORY;
    for (int64_t end = at + n; at < end; at += BLOCK) {
        const int64_t m = end - at < BLOCK ? end - at : BLOCK;
        const unsigned char *nodes = hd__read(in, at, m, scratch);
        for (int64_t i = 0; i < m; i++) hd__tree_push(tree, 0, nodes + (size_t)i * tree->size);
    }
    hd__release(ctx, scratch, bytes + 64);
    return HD_OK;
}

// The node of a slot's block joins the tree.
static hd_status settle_node(reduction *r, hd__gpu_slot *s)
{
    if (!s->busy) return HD_OK;
    HD_TRY(hd__gpu_pipeline_settle(&r->pipeline, s));
    hd__tree_push(r->tree, s->level, hd__gpu_pipeline_spare(&r->pipeline, s));
    return HD_OK;
}

static hd_status settle_nodes(reduction *r)
{
    for (int k = 0; k < HD__GPU_SLOTS; k++)
        HD_TRY(settle_node(r, hd__gpu_pipeline_next(&r->pipeline)));
    return HD_OK;
}

static hd_status begin_block(reduction *r, int64_t at, int level)
{
    hd__gpu_pipeline *pipe = &r->pipeline;
    const int64_t m = (int64_t)1 << level;
    hd__gpu_slot *s = hd__gpu_pipeline_next(pipe);
    HD_TRY(settle_node(r, s));
    hd__gpu_pipeline_take(pipe, s, m);
    s->level = level;
    hd__reader chunk = hd__gpu_reader_chunk(&r->job->in, at, m);
    for (int k = 0; k < chunk.inputs; k++) HD_TRY(hd__gpu_pipeline_in(pipe, s, &chunk.view[k]));
    HD_TRY(hd__gpu_pipeline_loaded(pipe, s));
    HD_TRY(hd__gpu_pipeline_work(pipe, s));
    HD_TRY(begin_node(pipe, s, &r->job->fold, &chunk));
    return hd__gpu_pipeline_worked(pipe, s);
}

static hd_status reduce_blocks(reduction *r)
{
    int64_t count = r->tree->count;
    for (int64_t at = 0, m; at < r->job->in.n; at += m, count += m) {
        const int64_t left = r->job->in.n - at;
        m = few_for(&r->plan, count, left);
        if (m > 0) {
            HD_TRY(settle_nodes(r));
            HD_TRY(push_few(r->ctx, &r->job->in, at, m, r->tree));
            continue;
        }
        const int level = level_for(&r->plan, count, left);
        m = (int64_t)1 << level;
        HD_TRY(begin_block(r, at, level));
    }
    return settle_nodes(r);
}

static hd_status give(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                      const hd__tree *tree)
{
    _Alignas(HD__ALIGNMENT) unsigned char result[HD_MAX_ELEMENT], value[HD_MAX_ELEMENT];
    HD_TRY(result_of(ctx, &job->fold, tree, result, value));
    return hd__gpu_give(ctx, gpu, job, result, value);
}

static hd_status reduce_all(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                            hd__tree *tree)
{
    reduction r = {.ctx = ctx, .gpu = gpu, .job = job, .tree = tree};
    const hd__gpu_chunk_views views = chunk_views_of(&job->in, NULL, NULL);
    HD_TRY(hd__gpu_pipeline_open(&r.pipeline, ctx, gpu, &views, job->in.n));
    r.plan = plan_for(&r.pipeline, &views, inputs_on_host(&job->in));
    HD_TRY(hd__gpu_pipeline_close(&r.pipeline, reduce_blocks(&r)));
    return give(ctx, gpu, job, tree);
}

// ---- Views that cannot be cut -------------------------------------------------------------------

// Copies of the device, without gaps, of views of several dimensions and indexed ones.
typedef struct flat_views {
    hd_context *ctx;
    hd__gpu *gpu;
    const char **why;
    hd__gpu_block block[HD_MAX_INPUTS + 2];
    int32_t count;
} flat_views;

static hd_status make_flat(flat_views *f, hd_view *v, int64_t n, bool reads)
{
    const hd_view given = *v;
    hd__gpu_block *b = &f->block[f->count];
    if (is_cut(v)) return HD_OK;
    b->bytes = (size_t)n * hd__size_of(v->type);
    HD_TRY(hd__gpu_allocate(f->ctx, f->gpu, b->bytes, &b->at));
    f->count++;
    *v = hd__gpu_array(v->type, b->at, n);
    return reads ? hd__gpu_copy(f->ctx, given, *v, f->why) : HD_OK;
}

static hd_status make_inputs_flat(flat_views *f, hd__reader *in)
{
    for (int k = 0; k < in->inputs && in->n > 0; k++)
        HD_TRY(make_flat(f, &in->view[k], in->n, true));
    return HD_OK;
}

static hd_status give_back(const flat_views *f, const hd_view *flat, const hd_view *given)
{
    return flat->data != given->data ? hd__gpu_copy(f->ctx, *flat, *given, f->why) : HD_OK;
}

static void drop_flat(flat_views *f)
{
    for (int32_t k = 0; k < f->count; k++)
        hd__gpu_release(f->gpu, f->block[k].at, f->block[k].bytes);
}

// ---- Reduce -------------------------------------------------------------------------------------

static hd_status reduce_flat(flat_views *f, hd__reduce_job *job)
{
    hd__tree tree;
    HD_TRY(make_inputs_flat(f, &job->in));
    HD_TRY(copy_tree(f->ctx, &job->fold, job->tree, &tree));
    const hd_status status = reduce_all(f->ctx, f->gpu, job, &tree);
    keep_tree(f->ctx, &tree, job->tree, status);
    return status;
}

hd_status hd__gpu_reduce_chunks(hd_context *ctx, const hd__reduce_job *asked, const char **why)
{
    hd__reduce_job job = *asked;
    flat_views f = {.ctx = ctx, .why = why};
    hd__gpu_can_chunk(&job.in, &job.out, &job.values); // collapses them; a result is one element
    HD_TRY(hd__gpu_of(ctx, &f.gpu));
    const hd_status status = reduce_flat(&f, &job);
    drop_flat(&f);
    return status;
}

// ---- Scan ---------------------------------------------------------------------------------------

// Every block is read twice on the device: for its node, and, once the nodes before it are in the
// tree, for its scan, which the host begins after the next block's copies.
typedef struct scanning {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__scan_job *job;
    hd__tree *tree;
    hd__gpu_pipeline pipeline;
    plan plan;
    hd__scan_job chunk[HD__GPU_SLOTS];
    hd__gpu_slot *pending; // its node is under way, its scan not begun
} scanning;

static hd__scan_job scan_chunk(const hd__scan_job *job, int64_t at, int64_t n)
{
    hd__scan_job chunk = *job;
    chunk.in = hd__gpu_reader_chunk(&job->in, at, n);
    chunk.in.first = job->in.first + at;
    chunk.out = hd__gpu_chunk_of(&job->out, at, n);
    chunk.values = hd__gpu_chunk_of(&job->values, at, n);
    return chunk;
}

// The last output of a block, inclusive, is the tree's own fold with the block in it.
static hd_status give_last(scanning *c, const hd__gpu_slot *s, const hd__scan_job *chunk)
{
    char *result = hd__gpu_pipeline_spare(&c->pipeline, s) + HD__GPU_SLOT_SPARE / 2,
         *value = result + HD_MAX_ELEMENT;
    HD_TRY(result_of(c->ctx, &chunk->fold, c->tree, result, value));
    const hd_view *views[] = {&chunk->out, &chunk->values};
    const char *bytes[] = {result, value};
    for (int k = 0; k < 2; k++) {
        if (hd__is_empty(views[k])) continue;
        const hd_view last = hd__gpu_chunk_of(views[k], chunk->in.n - 1, 1);
        HD_TRY(c->gpu->driver->copy_in(c->ctx, c->gpu->device, HD__GPU_STREAM_WORK,
                                       (hd__gpu_address)(uintptr_t)last.data, bytes[k],
                                       hd__size_of(last.type)));
    }
    return HD_OK;
}

// The scan of the block that waits, after the prefix.
static hd_status begin_scan(scanning *c)
{
    _Alignas(HD__ALIGNMENT) unsigned char before[HD_MAX_ELEMENT];
    hd__gpu_slot *s = c->pending;
    if (s == NULL) return HD_OK;
    c->pending = NULL;
    const hd__scan_job *chunk = &c->chunk[s->number];
    HD_TRY(hd__gpu_pipeline_await_node(&c->pipeline, s));
    const bool any = hd__tree_fold(c->tree, before);
    HD_TRY(hd__gpu_scan_tiles(c->ctx, c->gpu, chunk, any ? before : NULL));
    hd__tree_push(c->tree, s->level, hd__gpu_pipeline_spare(&c->pipeline, s));
    if (!chunk->exclusive) HD_TRY(give_last(c, s, chunk));
    return hd__gpu_pipeline_worked(&c->pipeline, s);
}

static hd_status begin_scan_block(scanning *c, int64_t at, int level)
{
    hd__gpu_pipeline *pipe = &c->pipeline;
    const int64_t m = (int64_t)1 << level;
    hd__gpu_slot *s = hd__gpu_pipeline_next(pipe);
    HD_TRY(hd__gpu_pipeline_settle(pipe, s));
    hd__gpu_pipeline_take(pipe, s, m);
    s->level = level;
    hd__scan_job *chunk = &c->chunk[s->number];
    *chunk = scan_chunk(c->job, at, m);
    for (int k = 0; k < chunk->in.inputs; k++)
        HD_TRY(hd__gpu_pipeline_in(pipe, s, &chunk->in.view[k]));
    hd__gpu_pipeline_out(s, &chunk->out);
    hd__gpu_pipeline_out(s, &chunk->values);
    HD_TRY(hd__gpu_pipeline_loaded(pipe, s));
    HD_TRY(begin_scan(c)); // of the block before
    HD_TRY(hd__gpu_pipeline_work(pipe, s));
    HD_TRY(begin_node(pipe, s, &chunk->fold, &chunk->in));
    c->pending = s;
    return HD_OK;
}

static hd_status settle_scans(scanning *c)
{
    HD_TRY(begin_scan(c));
    for (int k = 0; k < HD__GPU_SLOTS; k++)
        HD_TRY(hd__gpu_pipeline_settle(&c->pipeline, hd__gpu_pipeline_next(&c->pipeline)));
    return HD_OK;
}

static hd_status scan_all_blocks(scanning *c)
{
    const hd__backend *serial = hd__backend_of(HD_SERIAL);
    const char *why;
    int64_t count = c->tree->count;
    for (int64_t at = 0, m; at < c->job->in.n; at += m, count += m) {
        const int64_t left = c->job->in.n - at;
        m = few_for(&c->plan, count, left);
        if (m > 0) {
            HD_TRY(settle_scans(c));
            hd__scan_job chunk = scan_chunk(c->job, at, m);
            chunk.tree = c->tree;
            HD_TRY(serial->run[HD__SCAN_PATTERN](c->ctx, &chunk, &why));
            continue;
        }
        const int level = level_for(&c->plan, count, left);
        m = (int64_t)1 << level;
        HD_TRY(begin_scan_block(c, at, level));
    }
    return settle_scans(c);
}

static hd_status scan_all(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job, hd__tree *tree)
{
    scanning c = {.ctx = ctx, .gpu = gpu, .job = job, .tree = tree};
    const bool host = inputs_on_host(&job->in) && on_host(&job->out) && on_host(&job->values);
    const hd__gpu_chunk_views views = chunk_views_of(&job->in, &job->out, &job->values);
    HD_TRY(hd__gpu_pipeline_open(&c.pipeline, ctx, gpu, &views, job->in.n));
    c.plan = plan_for(&c.pipeline, &views, host);
    return hd__gpu_pipeline_close(&c.pipeline, scan_all_blocks(&c));
}

static hd_status scan_flat(flat_views *f, hd__scan_job *job)
{
    const int64_t n = job->in.n;
    const hd_view out = job->out, values = job->values;
    hd__tree tree;
    HD_TRY(make_inputs_flat(f, &job->in));
    if (n > 0) HD_TRY(make_flat(f, &job->out, n, false));
    if (n > 0) HD_TRY(make_flat(f, &job->values, n, false));
    HD_TRY(copy_tree(f->ctx, &job->fold, job->tree, &tree));
    hd_status status = scan_all(f->ctx, f->gpu, job, &tree);
    if (status == HD_OK) status = give_back(f, &job->out, &out);
    if (status == HD_OK) status = give_back(f, &job->values, &values);
    keep_tree(f->ctx, &tree, job->tree, status);
    return status;
}

hd_status hd__gpu_scan_chunks(hd_context *ctx, const hd__scan_job *asked, const char **why)
{
    hd__scan_job job = *asked;
    flat_views f = {.ctx = ctx, .why = why};
    hd__gpu_can_chunk(&job.in, &job.out, &job.values); // collapses them
    HD_TRY(hd__gpu_of(ctx, &f.gpu));
    const hd_status status = scan_flat(&f, &job);
    drop_flat(&f);
    return status;
}
