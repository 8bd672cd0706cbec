// SPDX-License-Identifier: Apache-2.0
// Reduction as it is defined: each slice is pushed, element by element, into the binary counter
// of partial nodes, and the counter is folded. The oracle of every test; speed is no concern.
#include "serial.h"
#include "patterns/reduce/reduce.h"
#include "patterns/scan/head_flags.h"
#include "patterns/select/equal_keys.h"
#include "patterns/select/flags.h"

#define BLOCK 256

typedef struct worker {
    hd_context *ctx;
    const hd__reduce_job *job;
    hd__tree tree;
    unsigned char *node, *result, *value; // one of each
    unsigned char *elements;              // BLOCK of them on their way in
} worker;

static hd_status prepare(hd_context *ctx, const hd__reduce_job *job, worker *w)
{
    const hd__fold *f = &job->fold;
    const size_t slot = HD_MAX_ELEMENT;
    unsigned char *memory = hd__scratch(ctx, HD__LEVELS * f->node_size + 3 * slot +
                                                 hd__reader_bytes(&job->in, BLOCK) + 64);
    if (memory == NULL) return HD_ERROR_MEMORY;
    *w = (worker){.ctx = ctx, .job = job};
    w->node = memory;
    w->result = w->node + slot;
    w->value = w->result + slot;
    w->elements = w->value + slot;
    w->tree = (hd__tree){f->node, f->node_size, 0, w->elements + hd__reader_bytes(&job->in, BLOCK)};
    return HD_OK;
}

// Adds elements start .. start + n - 1 to the tree.
static void push(worker *w, const hd__reader *in, int64_t start, int64_t n, hd__tree *tree)
{
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        const unsigned char *nodes = hd__read(in, start + at, m, w->elements);
        for (int64_t i = 0; i < m; i++) hd__tree_push(tree, 0, nodes + (size_t)i * tree->size);
    }
}

// Output `slot` is the fold of the tree.
static hd_status store(worker *w, const hd__tree *tree, int64_t slot)
{
    const hd__reduce_job *job = w->job;
    const hd__fold *f = &job->fold;
    if (hd__tree_fold(tree, w->node)) {
        hd__apply_init(f, w->node, 1);
        hd__finalize(f, w->node, 1, NULL, tree->count, w->result, w->value);
    } else if (!hd__finalize_empty(f, w->result, w->value)) {
        return hd__fail(w->ctx, HD_ERROR_VALUE,
                        "hd_reduce: result %lld has no elements and operator %s no identity",
                        (long long)slot, f->asked->name);
    }
    hd__scatter(&job->out, slot, 1, w->result);
    if (!hd__is_empty(&job->values)) hd__scatter(&job->values, slot, 1, w->value);
    return HD_OK;
}

// An arg operator's index counts from the start of its own slice.
static hd_status reduce_slice(worker *w, int64_t begin, int64_t end, int64_t slot)
{
    hd__reader in = w->job->in;
    in.first = -begin;
    w->tree.count = 0;
    push(w, &in, begin, end - begin, &w->tree);
    return store(w, &w->tree, slot);
}

static hd_status reduce_everything(worker *w)
{
    const hd__reduce_job *job = w->job;
    hd__tree *tree = job->tree != NULL ? job->tree : &w->tree;
    if (job->filter == NULL) push(w, &job->in, 0, job->in.n, tree);
    for (int64_t i = 0; job->filter != NULL && i < job->in.n; i++)
        if (hd__is_chosen(job->filter, i)) push(w, &job->in, i, 1, tree);
    return store(w, tree, 0);
}

static hd_status reduce_rows(worker *w)
{
    const int64_t rows = hd_count(w->job->out);
    hd__reader row;
    for (int64_t r = 0; r < rows; r++) {
        hd__row_reader(&w->job->in, w->job->axis, r, &row);
        w->tree.count = 0;
        push(w, &row, 0, row.n, &w->tree);
        HD_TRY(store(w, &w->tree, r));
    }
    return HD_OK;
}

static hd_status reduce_segments(worker *w)
{
    const hd__reduce_job *job = w->job;
    HD_TRY(hd__check_all_offsets(w->ctx, "hd_reduce", &job->segments, job->in.n));
    HD_TRY(hd__check_empty_segments(w->ctx, job));
    int64_t bounds[2];
    for (int64_t j = 0; j + 1 < job->segments.shape[0]; j++) {
        hd__offsets(&job->segments, j, 2, bounds);
        HD_TRY(reduce_slice(w, bounds[0], bounds[1], j));
    }
    return HD_OK;
}

// Whether a run begins at element i.
static bool is_head(const hd__reduce_job *job, int64_t i)
{
    uint8_t head;
    _Alignas(HD__ALIGNMENT) unsigned char pair[2 * HD_MAX_ELEMENT];
    hd__key_head_flags(&job->keys, job->comparison, i, 1, &head, pair);
    return head != 0;
}

static hd_status reduce_runs(worker *w)
{
    const hd__reduce_job *job = w->job;
    int64_t runs = 0;
    for (int64_t i = 0; i < job->in.n; i++) runs += is_head(job, i);
    if (job->runs != NULL) *job->runs = runs;
    HD_TRY(hd__check_runs(w->ctx, job, runs));
    for (int64_t begin = 0, slot = 0; begin < job->in.n; slot++) {
        int64_t end = begin + 1;
        while (end < job->in.n && !is_head(job, end)) end++;
        HD_TRY(reduce_slice(w, begin, end, slot));
        if (!hd__is_empty(&job->keys_out)) {
            hd__gather(&job->keys, begin, 1, w->result);
            hd__scatter(&job->keys_out, slot, 1, w->result);
        }
        begin = end;
    }
    return HD_OK;
}

hd_status hd__serial_reduce(hd_context *ctx, const void *any, const char **why)
{
    const hd__reduce_job *job = any;
    (void)why; // never declines
    worker w;
    HD_TRY(prepare(ctx, job, &w));
    switch (job->slices) {
    case HD__ROWS: return reduce_rows(&w);
    case HD__SEGMENTS: return reduce_segments(&w);
    case HD__RUNS: return reduce_runs(&w);
    case HD__EVERYTHING: break;
    }
    return reduce_everything(&w);
}
