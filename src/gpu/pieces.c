// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans in pieces: after a carry, or because views of the host are larger than what is to be
// on the device at once. What comes is cut into blocks that are nodes of the tree, each by a launch over its
// own part of the views; the tree of waiting nodes is the host's. Where all views are the host's, the few
// elements before and after large blocks are done there.
#include "gpu/pieces.h"
#include "gpu/reduce.h"
#include "gpu/scan.h"
#include "serial/serial.h"

#include <string.h>

enum { FEW = 4096 }; // elements that are done on the host

// ---- Parts of views ------------------------------------------------------------------------------

static bool is_cut(const hd_view *v)
{
    return v->ndim <= 1;
}

hd_view hd__gpu_part(const hd_view *v, int64_t at, int64_t n)
{
    hd_view part = *v;
    if (v->ndim == 0) return part;
    part.shape[0] = n;
    if (v->place == HD_IMPLICIT) {
        if (v->stride[0] != 0) part.scalar.i.start += at * v->scalar.i.step;
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
    return v->place != HD_DEVICE;
}

static bool inputs_on_host(const hd__reader *in)
{
    bool all = true;
    for (int k = 0; k < in->inputs; k++) all = all && on_host(&in->view[k]);
    return all;
}

// ---- Blocks --------------------------------------------------------------------------------------

typedef struct plan {
    int most;  // level of a block
    bool host; // everything is on the host
} plan;

static plan plan_for(const hd__gpu *gpu, const hd__reader *in, size_t out_size, bool host)
{
    size_t bytes = out_size;
    for (int k = 0; k < in->inputs; k++)
        if (in->view[k].place != HD_IMPLICIT) bytes += hd__size_of(in->view[k].type);
    plan p = {62, host};
    const size_t room = (size_t)gpu->tuning.stage_bytes;
    if (host)
        for (p.most = 0; p.most < 40 && bytes << (p.most + 1) <= room;) p.most++;
    return p;
}

// The level of the block that begins after `count` elements with `left` to come.
static int level_for(const plan *p, int64_t count, int64_t left)
{
    int level = 0;
    while (level < p->most && ((int64_t)2 << level) <= left && (count >> level & 1) == 0) level++;
    return level;
}

// How many elements the host does next: up to where a block may begin that is worth a launch; 0: none.
static int64_t few_for(const plan *p, int64_t count, int64_t left)
{
    const int64_t to_next = FEW - count % FEW;
    if (!p->host || (1 << level_for(p, count, left) >= FEW)) return 0;
    if (p->most < 12) return 0; // blocks are smaller by wish
    return to_next < left ? to_next : left;
}

bool hd__gpu_wants_pieces(const hd__gpu *gpu, const hd__reader *in, const hd_view *out)
{
    size_t bytes = out->place == HD_HOST ? (size_t)hd_count(*out) * hd__size_of(out->type) : 0;
    for (int k = 0; k < in->inputs; k++)
        if (in->view[k].place == HD_HOST) bytes += (size_t)in->n * hd__size_of(in->view[k].type);
    bool cut = inputs_on_host(in) && is_cut(out);
    for (int k = 0; k < in->inputs; k++) cut = cut && is_cut(&in->view[k]);
    return cut && bytes > (size_t)gpu->tuning.stage_bytes;
}

// ---- The tree ------------------------------------------------------------------------------------

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

// The node of a block, on the host.
static hd_status node_of(hd__gpu_stage *s, const hd__fold *fold, const hd__reader *in, void *node)
{
    hd__reduce_job job = {.fold = *fold, .in = *in, .slices = HD__EVERYTHING};
    hd__address at;
    job.fold.init = NULL;
    HD_TRY(hd__gpu_area(s->ctx, s->gpu, HD__CARRY, 2 * HD_MAX_ELEMENT, &at));
    HD_TRY(hd__gpu_reduce_tiles(s->ctx, s->gpu, &job, at));
    return s->gpu->maker->download(s->ctx, s->gpu->device, node, at, fold->node_size);
}

// Writes the output over the tree to an element of the outputs, on the host or on the device.
static hd_status give(hd__gpu_stage *s, const hd__fold *f, const hd__tree *tree, const hd_view *out,
                      const hd_view *values)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT], result[HD_MAX_ELEMENT],
        value[HD_MAX_ELEMENT];
    if (hd__tree_fold(tree, node)) {
        hd__apply_init(f, node, 1);
        hd__lower(f, node, 1, NULL, tree->count, result, value);
    } else if (!hd__lower_empty(f, result, value)) {
        return hd__fail(s->ctx, HD_ERROR_VALUE,
                        "hd_reduce: result 0 has no elements and operator %s no identity",
                        f->asked->name);
    }
    const hd_view *views[] = {out, values};
    const unsigned char *bytes[] = {result, value};
    for (int k = 0; k < 2; k++) {
        if (hd__is_unset(views[k])) continue;
        if (views[k]->place == HD_HOST) {
            hd__scatter(views[k], 0, 1, bytes[k]);
            continue;
        }
        HD_TRY(s->gpu->maker->upload(s->ctx, s->gpu->device, (hd__address)(uintptr_t)views[k]->data,
                                     bytes[k], hd__size_of(views[k]->type)));
        HD_TRY(s->gpu->maker->wait(s->ctx, s->gpu->device));
    }
    return HD_OK;
}

// ---- Reduce --------------------------------------------------------------------------------------

static hd_status reduce_block(hd__gpu_stage *s, const hd__fold *f, hd__reader *in, hd__tree *tree,
                              int level)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    for (int k = 0; k < in->inputs; k++) HD_TRY(hd__gpu_stage_in(s, &in->view[k]));
    HD_TRY(node_of(s, f, in, node));
    hd__tree_push(tree, level, node);
    return HD_OK;
}

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

static hd_status reduce_all(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                            hd__tree *tree)
{
    const plan p = plan_for(gpu, &job->in, 0, inputs_on_host(&job->in));
    for (int64_t at = 0, m; at < job->in.n; at += m) {
        m = few_for(&p, tree->count, job->in.n - at);
        if (m > 0) {
            HD_TRY(push_few(ctx, &job->in, at, m, tree));
            continue;
        }
        const int level = level_for(&p, tree->count, job->in.n - at);
        m = (int64_t)1 << level;
        hd__reader part = hd__gpu_reader_part(&job->in, at, m);
        hd__gpu_stage s = {.ctx = ctx, .gpu = gpu};
        HD_TRY(hd__gpu_stage_end(&s, reduce_block(&s, &job->fold, &part, tree, level)));
    }
    hd__gpu_stage s = {.ctx = ctx, .gpu = gpu};
    return give(&s, &job->fold, tree, &job->out, &job->values);
}

static const char several[] = "a carry over a view of several dimensions is not on the GPU";

hd_status hd__gpu_reduce_pieces(hd_context *ctx, const hd__reduce_job *job, const char **why)
{
    hd__gpu *gpu;
    hd__tree tree;
    for (int k = 0; k < job->in.inputs; k++)
        if (!is_cut(&job->in.view[k])) {
            *why = several;
            return HD__DECLINED;
        }
    HD_TRY(hd__gpu_of(ctx, &gpu));
    HD_TRY(copy_tree(ctx, &job->fold, job->tree, &tree));
    const hd_status status = reduce_all(ctx, gpu, job, &tree);
    keep_tree(ctx, &tree, job->tree, status);
    return status;
}

// ---- Scan ----------------------------------------------------------------------------------------

// Every output but the last is the scan of the block after the prefix; the last is the tree's own fold
// with the block in it.
static hd_status scan_block(hd__gpu_stage *s, hd__scan_job *job, hd__tree *tree, int level)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT], before[HD_MAX_ELEMENT];
    for (int k = 0; k < job->in.inputs; k++) HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->values));
    const bool any = hd__tree_fold(tree, before);
    HD_TRY(node_of(s, &job->fold, &job->in, node));
    HD_TRY(hd__gpu_scan_tiles(s->ctx, s->gpu, job, any ? before : NULL));
    hd__tree_push(tree, level, node);
    if (job->exclusive) return HD_OK;
    const int64_t last = job->in.n - 1;
    const hd_view out = hd__gpu_part(&job->out, last, 1),
                  values = hd__gpu_part(&job->values, last, 1);
    return give(s, &job->fold, tree, &out, &values);
}

static hd__scan_job scan_part(const hd__scan_job *job, int64_t at, int64_t n, hd__tree *tree)
{
    hd__scan_job part = *job;
    part.in = hd__gpu_reader_part(&job->in, at, n);
    part.in.first = tree->count;
    part.out = hd__gpu_part(&job->out, at, n);
    part.values = hd__gpu_part(&job->values, at, n);
    part.tree = tree;
    return part;
}

static hd_status scan_all(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job, hd__tree *tree)
{
    const bool host = inputs_on_host(&job->in) && on_host(&job->out) && on_host(&job->values);
    const plan p = plan_for(gpu, &job->in, job->fold.out_size, host);
    for (int64_t at = 0, m; at < job->in.n; at += m) {
        const char *why;
        m = few_for(&p, tree->count, job->in.n - at);
        if (m > 0) {
            const hd__scan_job part = scan_part(job, at, m, tree);
            HD_TRY(hd__serial_scan(ctx, &part, &why));
            continue;
        }
        const int level = level_for(&p, tree->count, job->in.n - at);
        m = (int64_t)1 << level;
        hd__scan_job part = scan_part(job, at, m, tree);
        hd__gpu_stage s = {.ctx = ctx, .gpu = gpu};
        HD_TRY(hd__gpu_stage_end(&s, scan_block(&s, &part, tree, level)));
    }
    return HD_OK;
}

hd_status hd__gpu_scan_pieces(hd_context *ctx, const hd__scan_job *job, const char **why)
{
    hd__gpu *gpu;
    hd__tree tree;
    bool cut = is_cut(&job->out) && is_cut(&job->values);
    for (int k = 0; k < job->in.inputs; k++) cut = cut && is_cut(&job->in.view[k]);
    if (!cut) {
        *why = several;
        return HD__DECLINED;
    }
    HD_TRY(hd__gpu_of(ctx, &gpu));
    HD_TRY(copy_tree(ctx, &job->fold, job->tree, &tree));
    const hd_status status = scan_all(ctx, gpu, job, &tree);
    keep_tree(ctx, &tree, job->tree, status);
    return status;
}
