// SPDX-License-Identifier: Apache-2.0
// Scan with segments or by key: blocks of (head, value) pairs in all threads, handed on in order.
#include "cpu/runtime/cpu.h"
#include "core/system/float_state.h"
#include "head_pairs.h"
#include "cpu/runtime/ticket_order.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_block.h"
#include "patterns/scan/head_flags.h"

typedef struct plan {
    const hd__scan_job *job;
    hd__cpu_tree_kernels k;
    int threads;
    int64_t block, blocks;
    size_t thread_bytes, element_bytes, key_bytes, pair_bytes, out_bytes;
    unsigned char *memory, *waiting;
} plan;

// What the threads hand on in order.
typedef struct handoff {
    hd__cpu_tickets tickets;
    hd__cpu_pair_tree tree;
    int64_t length; // elements since the last head
} handoff;

// One thread's block.
typedef struct chunk {
    const plan *p;
    hd__cpu_pair_levels l;
    unsigned char *elements, *keys, *finalized, *values, *inits;
    int64_t *counts;
    int64_t start, n, length; // length: as in handoff, before the block
    uint8_t *head_flags;      // of the block, kept: head[0] of the levels is the same array
    _Alignas(HD__ALIGNMENT) unsigned char base[HD_MAX_ELEMENT], after[HD_MAX_ELEMENT];
} chunk;

static hd_status prepare(hd_context *ctx, const hd__scan_job *job, plan *p)
{
    const hd__fold *f = &job->fold;
    p->job = job;
    hd__cpu_tree_kernels_of(ctx, f, &p->k);
    p->threads = hd__cpu_threads_for(ctx, job->in.n, 4 * f->element_size);
    p->block = hd__cpu_block_nodes(p->k.size);
    p->blocks = (job->in.n + p->block - 1) / p->block;
    p->element_bytes = hd__padded(hd__reader_bytes(&job->in, p->block));
    p->key_bytes = job->slices == HD__RUNS
                       ? hd__padded((size_t)(p->block + 1) * hd__size_of(job->keys.type))
                       : 0;
    p->pair_bytes = hd__padded(hd__cpu_pairs_bytes(p->k.size, p->block));
    p->out_bytes = hd__padded((size_t)p->block * f->out_size);
    p->thread_bytes = p->element_bytes + p->key_bytes + p->pair_bytes + p->out_bytes +
                      2 * hd__padded((size_t)p->block * 8) +
                      hd__padded((size_t)p->block * p->k.size);
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->thread_bytes + HD__LEVELS * p->k.size);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->waiting = p->memory + (size_t)p->threads * p->thread_bytes;
    return HD_OK;
}

static void chunk_init(chunk *x, const plan *p, int thread)
{
    const hd__fold *f = &p->job->fold;
    x->p = p;
    x->elements = p->memory + (size_t)thread * p->thread_bytes;
    x->keys = x->elements + p->element_bytes;
    hd__cpu_pairs_layout(p->k.size, p->block, x->keys + p->key_bytes, &x->l);
    x->finalized = x->keys + p->key_bytes + p->pair_bytes;
    x->values = x->finalized + p->out_bytes;
    x->counts = (int64_t *)(x->values + hd__padded((size_t)p->block * 8));
    x->inits = (unsigned char *)x->counts + hd__padded((size_t)p->block * 8);
    x->head_flags = x->l.head[0];
    if (f->init != NULL)
        for (int64_t i = 0; i < p->block; i++)
            memcpy(x->inits + (size_t)i * p->k.size, f->init, p->k.size);
}

static void chunk_upsweep(chunk *x, int64_t block)
{
    const plan *p = x->p;
    x->start = block * p->block;
    x->n = p->job->in.n - x->start < p->block ? p->job->in.n - x->start : p->block;
    memcpy(x->l.value[0], hd__read(&p->job->in, x->start, x->n, x->elements),
           (size_t)x->n * p->k.size);
    hd__head_flags(p->job, x->start, x->n, x->head_flags, x->keys);
    x->l.n[0] = x->n;
    hd__cpu_pairs_upsweep(&p->k, &x->l);
}

static void chunk_handoff(chunk *x, handoff *r)
{
    x->length = r->length;
    if (!hd__cpu_pair_fold(&r->tree, x->base)) memcpy(x->base, x->l.value[0], x->p->k.size);
    hd__cpu_pair_push_block(&r->tree, &x->p->k, &x->l);
    hd__cpu_pair_fold(&r->tree, x->after);
    int64_t last = x->n - 1;
    while (last >= 0 && !x->head_flags[last]) last--;
    r->length = last >= 0 ? x->n - last : r->length + x->n;
}

// counts[i]: elements of the segment up to element i, itself included unless the scan excludes it.
static void count_elements(chunk *x)
{
    int64_t length = x->length;
    for (int64_t i = 0; i < x->n; i++) {
        if (x->head_flags[i]) length = 0;
        x->counts[i] = length + !x->p->job->exclusive;
        length++;
    }
}

// The heads of an exclusive scan have nothing before them.
static void empty_heads(chunk *x)
{
    const hd__fold *f = &x->p->job->fold;
    for (int64_t i = 0; i < x->n; i++)
        if (x->head_flags[i])
            hd__finalize_empty(f, x->finalized + (size_t)i * f->out_size,
                               x->values + (size_t)i * hd__size_of(f->value));
}

static void chunk_downsweep(chunk *x)
{
    const hd__scan_job *job = x->p->job;
    const hd__fold *f = &job->fold;
    hd__cpu_pairs_downsweep(&x->p->k, &x->l, x->base, x->after);
    unsigned char *nodes = x->l.value[0] - (job->exclusive ? x->p->k.size : 0);
    if (f->init != NULL) x->p->k.micro.combine(nodes, x->inits, nodes, x->n, x->p->k.micro.state);
    if (f->counted) count_elements(x);
    hd__finalize(f, nodes, x->n, x->counts, 0, x->finalized, x->values);
    if (job->exclusive) empty_heads(x);
    hd__scatter(&job->out, x->start, x->n, x->finalized);
    if (!hd__is_empty(&job->values)) hd__scatter(&job->values, x->start, x->n, x->values);
}

static void scan_chunks(const plan *p, handoff *r)
{
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        chunk x;
        chunk_init(&x, p, omp_get_thread_num());
        for (int64_t c; (c = hd__cpu_ticket_take(&r->tickets)) < p->blocks;) {
            chunk_upsweep(&x, c);
            hd__cpu_ticket_wait(&r->tickets, c);
            chunk_handoff(&x, r);
            hd__cpu_ticket_done(&r->tickets, c);
            chunk_downsweep(&x);
        }
    }
}

hd_status hd__cpu_segmented_scan(hd_context *ctx, const hd__scan_job *job)
{
    if (job->slices == HD__SEGMENTS)
        HD_TRY(hd__check_all_offsets(ctx, "hd_scan", &job->segments, job->in.n));
    if (job->in.n == 0) return HD_OK;
    if (hd__cpu_has_segmented_simd(ctx, job)) return hd__cpu_segmented_simd(ctx, job);
    plan p;
    HD_TRY(prepare(ctx, job, &p));
    handoff r;
    hd__cpu_tickets_init(&r.tickets, p.threads);
    r.tree.tree = (hd__tree){p.k.op, p.k.size, 0, p.waiting};
    r.length = 0;
    scan_chunks(&p, &r);
    return HD_OK;
}
