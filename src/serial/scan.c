// SPDX-License-Identifier: Apache-2.0
// Scan as it is defined: out[i] is the fold of the binary counter after (inclusive) or before
// (exclusive) element i is pushed. With segments or keys the counter holds (head, value) pairs.
#include "serial.h"
#include "patterns/scan/head_flags.h"

#define BLOCK 256

typedef struct worker {
    hd_context *ctx;
    const hd__scan_job *job;
    hd__tree tree;
    bool head[HD__LEVELS]; // of the waiting nodes, where the scan has segments
    int64_t length;        // elements since the last head
    unsigned char *node, *other, *result, *value;
    unsigned char *elements, *keys;
    uint8_t head_flags[BLOCK];
} worker;

static hd_status prepare(hd_context *ctx, const hd__scan_job *job, worker *w)
{
    const hd__fold *f = &job->fold;
    const size_t slot = HD_MAX_ELEMENT, in_bytes = hd__reader_bytes(&job->in, BLOCK);
    const size_t key_bytes =
        job->slices == HD__RUNS ? hd__padded((BLOCK + 1) * hd__size_of(job->keys.type)) : 0;
    unsigned char *memory =
        hd__scratch(ctx, HD__LEVELS * f->node_size + 4 * slot + in_bytes + key_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    w->ctx = ctx;
    w->job = job;
    w->length = 0;
    w->node = memory;
    w->other = w->node + slot;
    w->result = w->other + slot;
    w->value = w->result + slot;
    w->elements = w->value + slot;
    w->keys = w->elements + in_bytes;
    w->tree = (hd__tree){f->node, f->node_size, 0, w->keys + key_bytes};
    return HD_OK;
}

// ---- The tree over (head, value) pairs: a head on the right forgets the left -----------------

static void push_pair(worker *w, bool head, const void *node)
{
    hd__tree *t = &w->tree;
    int k = 0;
    memcpy(w->other, node, t->size);
    for (; t->count >> k & 1; k++) {
        if (!head) hd__combine(t->op, w->other, hd__tree_node(t, k), w->other, 1);
        head |= w->head[k];
    }
    memcpy(hd__tree_node(t, k), w->other, t->size);
    w->head[k] = head;
    t->count++;
}

static bool fold_pairs(const worker *w, void *out)
{
    const hd__tree *t = &w->tree;
    bool any = false;
    for (int k = HD__LEVELS - 1; k >= 0; k--) {
        if (!(t->count >> k & 1)) continue;
        if (any && !w->head[k])
            hd__combine(t->op, out, out, hd__tree_node(t, k), 1);
        else
            memcpy(out, hd__tree_node(t, k), t->size);
        any = true;
    }
    return any;
}

// ---- One row -------------------------------------------------------------------------------

typedef struct target {
    const hd_view *out, *values;
} target;

// Output i from the node in w->node, which is over `count` elements.
static void store(worker *w, target to, int64_t i, bool any, int64_t count)
{
    const hd__fold *f = &w->job->fold;
    if (any) {
        hd__apply_init(f, w->node, 1);
        hd__finalize(f, w->node, 1, NULL, count, w->result, w->value);
    } else {
        hd__finalize_empty(f, w->result, w->value); // hd_scan saw to it that there is one
    }
    hd__scatter(to.out, i, 1, w->result);
    if (!hd__is_empty(to.values)) hd__scatter(to.values, i, 1, w->value);
}

static void scan_row(worker *w, const hd__reader *in, hd__tree *tree, target to)
{
    const bool exclusive = w->job->exclusive;
    for (int64_t at = 0; at < in->n; at += BLOCK) {
        const int64_t m = in->n - at < BLOCK ? in->n - at : BLOCK;
        const unsigned char *nodes = hd__read(in, at, m, w->elements);
        for (int64_t i = 0; i < m; i++) {
            // The element is taken before its output is written: in and out may be one.
            const int64_t before = tree->count;
            bool any = exclusive && hd__tree_fold(tree, w->node);
            hd__tree_push(tree, 0, nodes + (size_t)i * tree->size);
            if (!exclusive) any = hd__tree_fold(tree, w->node);
            store(w, to, at + i, any, exclusive ? before : tree->count);
        }
    }
}

static void scan_segments(worker *w, target to)
{
    const hd__scan_job *job = w->job;
    for (int64_t at = 0; at < job->in.n; at += BLOCK) {
        const int64_t m = job->in.n - at < BLOCK ? job->in.n - at : BLOCK;
        const unsigned char *nodes = hd__read(&job->in, at, m, w->elements);
        hd__head_flags(job, at, m, w->head_flags, w->keys);
        for (int64_t i = 0; i < m; i++) {
            const bool head = w->head_flags[i];
            if (head) w->length = 0;
            bool any = job->exclusive && !head && fold_pairs(w, w->node);
            push_pair(w, head, nodes + (size_t)i * w->tree.size);
            if (!job->exclusive) any = fold_pairs(w, w->node);
            store(w, to, at + i, any, w->length + !job->exclusive);
            w->length++;
        }
    }
}

static void scan_rows(worker *w)
{
    const hd__scan_job *job = w->job;
    const int64_t length = job->out.shape[job->axis];
    const int64_t rows = length > 0 ? hd_count(job->out) / length : 0;
    hd__reader row;
    for (int64_t r = 0; r < rows; r++) {
        hd__row_reader(&job->in, job->axis, r, &row);
        hd_view out = hd__row_of(&job->out, job->axis, r), values = job->values;
        if (!hd__is_empty(&values)) values = hd__row_of(&job->values, job->axis, r);
        w->tree.count = 0;
        scan_row(w, &row, &w->tree, (target){&out, &values});
    }
}

hd_status hd__serial_scan(hd_context *ctx, const void *any, const char **why)
{
    const hd__scan_job *job = any;
    (void)why; // never declines
    worker w;
    HD_TRY(prepare(ctx, job, &w));
    const target to = {&job->out, &job->values};
    if (job->slices == HD__ROWS) {
        scan_rows(&w);
    } else if (job->slices == HD__EVERYTHING) {
        scan_row(&w, &job->in, job->tree != NULL ? job->tree : &w.tree, to);
    } else {
        if (job->slices == HD__SEGMENTS)
            HD_TRY(hd__check_all_offsets(ctx, "hd_scan", &job->segments, job->in.n));
        scan_segments(&w, to);
    }
    return HD_OK;
}
