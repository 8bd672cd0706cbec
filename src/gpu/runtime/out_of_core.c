// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans in pieces: after a carry, or because views of the host are larger than what
// is to be on the device at once. What comes is cut into blocks that are nodes of the tree, each by
// a launch over its own part of the views, on a belt (staging_ring.h); the tree of waiting nodes is
// the host's. Where all views are the host's, the few elements before and after large blocks are
// done there.
#include "out_of_core.h"
#include "gpu/reduce/reduce.h"
#include "gpu/scan/scan.h"
#include "staging_ring.h"

#include <string.h>

enum { FEW = 4096 }; // elements that are done on the host

// ---- Parts of views -----------------------------------------------------------------------------

static bool is_cut(const hd_view *v)
{
    return v->ndim <= 1;
}

bool hd__gpu_can_cut(hd__reader *in, hd_view *out, hd_view *values)
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

hd_view hd__gpu_part(const hd_view *v, int64_t at, int64_t n)
{
    hd_view part = *v;
    if (v->ndim == 0) return part;
    part.shape[0] = n;
    if (v->space == HD_IMPLICIT) {
        if (!hd__is_constant(v)) part.scalar.i.start += at * v->scalar.i.step;
    } else {
        part.data = (void *)(uintptr_t)hd__at(v, at * v->stride[0]);
    }
    return part;
}

hd__reader hd__gpu_reader_part(const hd__reader *in, int64_t at, int64_t n)
{
    hd__reader part = *in;
    part.n = n;
    part.first = in->first + at;
    for (int k = 0; k < in->inputs; k++) part.view[k] = hd__gpu_part(&in->view[k], at, n);
    return part;
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

static plan plan_for(const hd__belt *b, const hd__load *load, bool host)
{
    plan p = {62, host};
    if (load->count > 0)
        for (p.most = 0; p.most < 40 && hd__load_bytes(load, (int64_t)2 << p.most) <= b->bytes;)
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

static hd__load load_of(const hd__reader *in, const hd_view *out, const hd_view *values)
{
    hd__load load = {0};
    for (int k = 0; k < in->inputs; k++) hd__load_view(&load, &in->view[k]);
    if (out != NULL) hd__load_view(&load, out);
    if (values != NULL) hd__load_view(&load, values);
    return load;
}

bool hd__gpu_wants_pieces(const hd__gpu *gpu, const hd__reader *in, const hd_view *out)
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
static hd_status begin_node(hd__belt *b, const hd__slot *s, const hd__fold *fold,
                            const hd__reader *in)
{
    hd__reduce_job job = {.fold = *fold, .in = *in, .slices = HD__EVERYTHING};
    job.fold.init = NULL;
    HD_TRY(hd__gpu_reduce_tiles(b->ctx, b->gpu, &job, hd__belt_node_address(b, s)));
    return hd__belt_node(b, s, fold->node_size);
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
    hd__belt belt;
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
static hd_status settle_node(reduction *r, hd__slot *s)
{
    if (!s->busy) return HD_OK;
    HD_TRY(hd__belt_settle(&r->belt, s));
    hd__tree_push(r->tree, s->level, hd__belt_spare(&r->belt, s));
    return HD_OK;
}

static hd_status settle_nodes(reduction *r)
{
    for (int k = 0; k < HD__SLOTS; k++) HD_TRY(settle_node(r, hd__belt_next(&r->belt)));
    return HD_OK;
}

static hd_status begin_block(reduction *r, int64_t at, int level)
{
    hd__belt *b = &r->belt;
    const int64_t m = (int64_t)1 << level;
    hd__slot *s = hd__belt_next(b);
    HD_TRY(settle_node(r, s));
    hd__belt_take(b, s, m);
    s->level = level;
    hd__reader part = hd__gpu_reader_part(&r->job->in, at, m);
    for (int k = 0; k < part.inputs; k++) HD_TRY(hd__belt_in(b, s, &part.view[k]));
    HD_TRY(hd__belt_loaded(b, s));
    HD_TRY(hd__belt_work(b, s));
    HD_TRY(begin_node(b, s, &r->job->fold, &part));
    return hd__belt_worked(b, s);
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
    const hd__load load = load_of(&job->in, NULL, NULL);
    HD_TRY(hd__belt_open(&r.belt, ctx, gpu, &load, job->in.n));
    r.plan = plan_for(&r.belt, &load, inputs_on_host(&job->in));
    HD_TRY(hd__belt_close(&r.belt, reduce_blocks(&r)));
    return give(ctx, gpu, job, tree);
}

static const char several[] = "a carry over a view of several dimensions is not on the GPU";

hd_status hd__gpu_reduce_pieces(hd_context *ctx, const hd__reduce_job *asked, const char **why)
{
    hd__reduce_job job = *asked;
    hd__gpu *gpu;
    hd__tree tree;
    if (!hd__gpu_can_cut(&job.in, &job.out, &job.values)) {
        *why = several;
        return HD__DECLINED;
    }
    HD_TRY(hd__gpu_of(ctx, &gpu));
    HD_TRY(copy_tree(ctx, &job.fold, job.tree, &tree));
    const hd_status status = reduce_all(ctx, gpu, &job, &tree);
    keep_tree(ctx, &tree, job.tree, status);
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
    hd__belt belt;
    plan plan;
    hd__scan_job part[HD__SLOTS];
    hd__slot *waiting; // its node is under way, its scan not begun
} scanning;

static hd__scan_job scan_part(const hd__scan_job *job, int64_t at, int64_t n, int64_t count)
{
    hd__scan_job part = *job;
    part.in = hd__gpu_reader_part(&job->in, at, n);
    part.in.first = count;
    part.out = hd__gpu_part(&job->out, at, n);
    part.values = hd__gpu_part(&job->values, at, n);
    return part;
}

// The last output of a block, inclusive, is the tree's own fold with the block in it.
static hd_status give_last(scanning *c, const hd__slot *s, const hd__scan_job *part)
{
    char *result = hd__belt_spare(&c->belt, s) + HD__SPARE / 2, *value = result + HD_MAX_ELEMENT;
    HD_TRY(result_of(c->ctx, &part->fold, c->tree, result, value));
    const hd_view *views[] = {&part->out, &part->values};
    const char *bytes[] = {result, value};
    for (int k = 0; k < 2; k++) {
        if (hd__is_empty(views[k])) continue;
        const hd_view last = hd__gpu_part(views[k], part->in.n - 1, 1);
        HD_TRY(c->gpu->driver->copy_in(c->ctx, c->gpu->device, HD__STREAM_WORK,
                                       (hd__address)(uintptr_t)last.data, bytes[k],
                                       hd__size_of(last.type)));
    }
    return HD_OK;
}

// The scan of the block that waits, after the prefix.
static hd_status begin_scan(scanning *c)
{
    _Alignas(HD__ALIGNMENT) unsigned char before[HD_MAX_ELEMENT];
    hd__slot *s = c->waiting;
    if (s == NULL) return HD_OK;
    c->waiting = NULL;
    const hd__scan_job *part = &c->part[s->number];
    HD_TRY(hd__belt_await_node(&c->belt, s));
    const bool any = hd__tree_fold(c->tree, before);
    HD_TRY(hd__gpu_scan_tiles(c->ctx, c->gpu, part, any ? before : NULL));
    hd__tree_push(c->tree, s->level, hd__belt_spare(&c->belt, s));
    if (!part->exclusive) HD_TRY(give_last(c, s, part));
    return hd__belt_worked(&c->belt, s);
}

static hd_status begin_scan_block(scanning *c, int64_t at, int64_t count, int level)
{
    hd__belt *b = &c->belt;
    const int64_t m = (int64_t)1 << level;
    hd__slot *s = hd__belt_next(b);
    HD_TRY(hd__belt_settle(b, s));
    hd__belt_take(b, s, m);
    s->level = level;
    hd__scan_job *part = &c->part[s->number];
    *part = scan_part(c->job, at, m, count);
    for (int k = 0; k < part->in.inputs; k++) HD_TRY(hd__belt_in(b, s, &part->in.view[k]));
    hd__belt_out(s, &part->out);
    hd__belt_out(s, &part->values);
    HD_TRY(hd__belt_loaded(b, s));
    HD_TRY(begin_scan(c)); // of the block before
    HD_TRY(hd__belt_work(b, s));
    HD_TRY(begin_node(b, s, &part->fold, &part->in));
    c->waiting = s;
    return HD_OK;
}

static hd_status settle_scans(scanning *c)
{
    HD_TRY(begin_scan(c));
    for (int k = 0; k < HD__SLOTS; k++) HD_TRY(hd__belt_settle(&c->belt, hd__belt_next(&c->belt)));
    return HD_OK;
}

static hd_status scan_blocks(scanning *c)
{
    const hd__backend *serial = hd__backend_of(HD_SERIAL);
    const char *why;
    int64_t count = c->tree->count;
    for (int64_t at = 0, m; at < c->job->in.n; at += m, count += m) {
        const int64_t left = c->job->in.n - at;
        m = few_for(&c->plan, count, left);
        if (m > 0) {
            HD_TRY(settle_scans(c));
            hd__scan_job part = scan_part(c->job, at, m, count);
            part.tree = c->tree;
            HD_TRY(serial->run[HD__SCAN_PATTERN](c->ctx, &part, &why));
            continue;
        }
        const int level = level_for(&c->plan, count, left);
        m = (int64_t)1 << level;
        HD_TRY(begin_scan_block(c, at, count, level));
    }
    return settle_scans(c);
}

static hd_status scan_all(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job, hd__tree *tree)
{
    scanning c = {.ctx = ctx, .gpu = gpu, .job = job, .tree = tree};
    const bool host = inputs_on_host(&job->in) && on_host(&job->out) && on_host(&job->values);
    const hd__load load = load_of(&job->in, &job->out, &job->values);
    HD_TRY(hd__belt_open(&c.belt, ctx, gpu, &load, job->in.n));
    c.plan = plan_for(&c.belt, &load, host);
    return hd__belt_close(&c.belt, scan_blocks(&c));
}

hd_status hd__gpu_scan_pieces(hd_context *ctx, const hd__scan_job *asked, const char **why)
{
    hd__scan_job job = *asked;
    hd__gpu *gpu;
    hd__tree tree;
    if (!hd__gpu_can_cut(&job.in, &job.out, &job.values)) {
        *why = several;
        return HD__DECLINED;
    }
    HD_TRY(hd__gpu_of(ctx, &gpu));
    HD_TRY(copy_tree(ctx, &job.fold, job.tree, &tree));
    const hd_status status = scan_all(ctx, gpu, &job, &tree);
    keep_tree(ctx, &tree, job.tree, status);
    return status;
}
