// SPDX-License-Identifier: Apache-2.0
// Scan of everything: threads take chunks that fit the second cache, sum them up, hand the prefix
// on in order, and scan what is still in the cache: memory is read once and written once.
#include "cpu/scan_block.h"
#include "cpu/isa.h"
#include "cpu/turns.h"

#include <omp.h>

typedef struct plan {
    hd__kernels k;
    const hd__scan_job *job;
    int threads;
    int64_t most;          // nodes of a block
    int64_t start, pieces; // full chunks begin at element `start`
    size_t block_bytes;
    unsigned char *memory, *waiting;
} plan;

static hd_status prepare(hd_context *ctx, const hd__scan_job *job, const hd__reader *in,
                         int64_t seen, plan *p)
{
    hd__kernels_of(ctx, &job->fold, &p->k);
    p->job = job;
    p->threads = hd__worth_threads(ctx, in->n, job->fold.element_size);
    p->most = p->threads > 1 ? hd__chunk_nodes(p->k.size) : hd__block_nodes(p->k.size);
    p->start = (p->most - seen % p->most) % p->most;
    if (p->start > in->n) p->start = in->n;
    p->pieces = p->threads > 1 ? (in->n - p->start) / p->most : 0;
    if (p->pieces < 2) p->pieces = 0;
    p->block_bytes = hd__scan_block_bytes(&p->k, in, p->most);
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->block_bytes + HD__LEVELS * p->k.size);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->waiting = p->memory + (size_t)p->threads * p->block_bytes;
    return HD_OK;
}

static void scan_pieces(const plan *p, const hd__reader *in, hd__tree *tree, const hd_view *out,
                        const hd_view *values)
{
    hd__turns turns;
    hd__turns_init(&turns);
#pragma omp parallel num_threads(p->threads)
    {
        hd__scan_block b;
        hd__scan_block_init(&b, &p->k, in, out, values, p->job->exclusive, p->most,
                            p->memory + (size_t)omp_get_thread_num() * p->block_bytes);
        for (int64_t c; (c = hd__turns_take(&turns)) < p->pieces;) {
            hd__scan_block_up(&b, p->start + c * p->most, p->most);
            hd__turns_wait(&turns, c);
            hd__scan_block_turn(&b, tree);
            hd__turns_end(&turns, c);
            hd__scan_block_down(&b);
        }
    }
}

// One row, with all threads if it is long enough.
static hd_status scan_row(hd_context *ctx, const hd__scan_job *job, const hd__reader *in,
                          hd__tree *tree, const hd_view *out, const hd_view *values)
{
    plan p;
    HD_TRY(prepare(ctx, job, in, tree != NULL ? tree->count : 0, &p));
    hd__tree own = {p.k.op, p.k.size, 0, p.waiting};
    if (tree == NULL) tree = &own;
    const int64_t end = p.start + p.pieces * p.most;
    hd__scan_block b;
    hd__scan_block_init(&b, &p.k, in, out, values, job->exclusive, p.most, p.memory);
    hd__scan_in_order(&b, tree, 0, p.start, p.most);
    if (p.pieces > 0) scan_pieces(&p, in, tree, out, values);
    if (p.pieces > 0 && end < in->n) // the pieces' last user of this memory may have been another
        hd__scan_block_init(&b, &p.k, in, out, values, job->exclusive, p.most, p.memory);
    hd__scan_in_order(&b, tree, end, in->n, p.most);
    return HD_OK;
}

#define FEW_NODES 4096

// Few elements where they lie: no scratch but the stack, no tree but the block's own.
bool hd__cpu_scan_row(hd_context *ctx, const hd__fold *f, const void *in, int64_t n, void *out)
{
    if (f->op == HD__USER_OP || hd__worth_threads(ctx, n, f->element_size) > 1) return false;
    const hd__micro *micro = ctx->isa->table->row[f->op][f->number];
    if (micro == NULL) return false;
    if (micro->scan != NULL) {
        uint64_t carry;
        memcpy(&carry, f->node->identity, f->node_size);
        micro->scan(out, in, n, &carry);
        return true;
    }
    if (n > FEW_NODES) return false;
    uint64_t levels[FEW_NODES / 4];
    hd__kernels k = {f->node, f->node_size, f->node->identity, *micro};
    hd__scan_few(&k, in, n, out, levels);
    return true;
}

static bool scan_at_once(hd_context *ctx, const hd__scan_job *job)
{
    const hd__fold *f = &job->fold;
    return job->in.direct && job->tree == NULL && f->direct_out && !job->exclusive &&
           f->init == NULL && hd__is_contiguous(&job->out) &&
           hd__cpu_scan_row(ctx, f, job->in.view[0].data, job->in.n, job->out.data);
}

// ---- Rows ---------------------------------------------------------------------------------------

static hd_view row_or_unset(const hd_view *v, int32_t axis, int64_t row)
{
    return hd__is_unset(v) ? *v : hd__row_of(v, axis, row);
}

static hd_status scan_long_rows(hd_context *ctx, const hd__scan_job *job, int64_t rows)
{
    hd__reader in;
    for (int64_t r = 0; r < rows; r++) {
        hd__row_reader(&job->in, job->axis, r, &in);
        const hd_view out = hd__row_of(&job->out, job->axis, r);
        const hd_view values = row_or_unset(&job->values, job->axis, r);
        HD_TRY(scan_row(ctx, job, &in, NULL, &out, &values));
    }
    return HD_OK;
}

static hd_status scan_many_rows(hd_context *ctx, const hd__scan_job *job, int64_t rows, int threads)
{
    hd__kernels k;
    hd__kernels_of(ctx, &job->fold, &k);
    hd__reader first;
    hd__row_reader(&job->in, job->axis, 0, &first);
    const int64_t most = hd__block_nodes(k.size);
    const size_t block_bytes = hd__scan_block_bytes(&k, &first, most);
    const size_t bytes = block_bytes + (HD__LEVELS * k.size + 63) / 64 * 64;
    unsigned char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        unsigned char *mine = memory + (size_t)omp_get_thread_num() * bytes;
        hd__scan_block b;
        hd__reader in;
        hd__scan_block_init(&b, &k, &first, &job->out, &job->values, job->exclusive, most, mine);
#pragma omp for schedule(static)
        for (int64_t r = 0; r < rows; r++) {
            hd__row_reader(&job->in, job->axis, r, &in);
            const hd_view out = hd__row_of(&job->out, job->axis, r);
            const hd_view values = row_or_unset(&job->values, job->axis, r);
            hd__tree tree = {k.op, k.size, 0, mine + block_bytes};
            hd__scan_block_move(&b, &in, &out, &values);
            hd__scan_in_order(&b, &tree, 0, in.n, most);
        }
    }
    return HD_OK;
}

hd_status hd__cpu_scan_rows(hd_context *ctx, const hd__scan_job *job)
{
    const int64_t length = job->out.shape[job->axis];
    const int64_t rows = job->in.n > 0 ? job->in.n / length : 0;
    const int threads = hd__worth_threads(ctx, job->in.n, job->fold.element_size);
    if (rows == 0) return HD_OK;
    if (hd__has_columns(&job->in, job->axis) && job->fold.form != HD__ARG)
        return hd__cpu_scan_columns(ctx, job);
    if (rows < 2 * threads) return scan_long_rows(ctx, job, rows);
    return scan_many_rows(ctx, job, rows, threads);
}

hd_status hd__cpu_scan(hd_context *ctx, const hd__scan_job *job, const char **why)
{
    (void)why; // never declines
    switch (job->slices) {
    case HD__ROWS: return hd__cpu_scan_rows(ctx, job);
    case HD__EVERYTHING:
        if (job->in.n == 0) return HD_OK;
        if (scan_at_once(ctx, job)) return HD_OK;
        return scan_row(ctx, job, &job->in, job->tree, &job->out, &job->values);
    default: return hd__cpu_scan_heads(ctx, job);
    }
}
