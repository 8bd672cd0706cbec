// SPDX-License-Identifier: Apache-2.0
// Scan with segments or by key, of numbers where they lie: the tree of (head, value) pairs by
// groups of eight. Threads take blocks in turn; what is left after the last block goes in ever
// smaller chunks. All else is in segmented.c.
#include "cpu/runtime/cpu.h"
#include "core/system/float_state.h"
#include "head_pairs.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/ticket_order.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_block.h"
#include "patterns/scan/head_flags.h"

#define LEVELS     5                            // of a block: 8^5 elements, in L2
#define LEVELS_MIN 2                            // of the smallest chunk
#define BLOCK      ((int64_t)1 << (3 * LEVELS)) // elements

typedef struct plan {
    const hd__scan_job *job;
    hd__cpu_tree_kernels k;
    int threads;
    int64_t blocks;
    size_t thread_bytes, key_bytes;
    unsigned char *memory, *waiting;
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT];
} plan;

// What is handed on in order.
typedef struct handoff {
    hd__cpu_tickets tickets;
    hd__cpu_pair_tree tree;
} handoff;

// One thread's chunk of 8^levels elements: the nodes of each level, with a slot before them for
// what came before the chunk, and whether they have heads. Level 0 of values is only for outputs on
// their way.
typedef struct chunk {
    const plan *p;
    const unsigned char *in;
    unsigned char *value[LEVELS + 1], *keys;
    uint8_t *head[LEVELS + 1];
    int levels;
    int64_t start;
    _Alignas(HD__ALIGNMENT) unsigned char base[HD_MAX_ELEMENT], after[HD_MAX_ELEMENT];
} chunk;

bool hd__cpu_has_segmented_simd(const hd_context *ctx, const hd__scan_job *job)
{
    hd__cpu_tree_kernels k;
    hd__cpu_tree_kernels_of(ctx, &job->fold, &k);
    return k.micro.segmented_upsweep != NULL && job->in.direct && job->fold.direct_out &&
           job->fold.init == NULL && hd__is_contiguous(&job->out) && hd__is_empty(&job->values);
}

static size_t levels_bytes(size_t size)
{
    size_t bytes = 0;
    for (int l = 0; l <= LEVELS; l++) {
        const size_t n = (size_t)(BLOCK >> (3 * l));
        bytes += hd__padded((n + 1) * size) + hd__padded(n);
    }
    return bytes;
}

static hd_status prepare(hd_context *ctx, const hd__scan_job *job, plan *p)
{
    p->job = job;
    hd__cpu_tree_kernels_of(ctx, &job->fold, &p->k);
    p->blocks = job->in.n / BLOCK;
    p->threads = hd__cpu_threads_for(ctx, job->in.n, 2 * job->fold.element_size);
    if (p->threads > p->blocks) p->threads = p->blocks > 1 ? (int)p->blocks : 1;
    p->key_bytes =
        job->slices == HD__RUNS ? hd__padded((size_t)(BLOCK + 1) * hd__size_of(job->keys.type)) : 0;
    p->thread_bytes = levels_bytes(p->k.size) + p->key_bytes;
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->thread_bytes + HD__LEVELS * p->k.size);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->waiting = p->memory + (size_t)p->threads * p->thread_bytes;
    if (job->exclusive)
        hd__finalize_empty(&job->fold, p->empty, NULL); // hd_scan saw to it: there is one
    return HD_OK;
}

static void chunk_init(chunk *x, const plan *p, int thread)
{
    unsigned char *at = p->memory + (size_t)thread * p->thread_bytes;
    x->p = p;
    for (int l = 0; l <= LEVELS; l++) {
        const size_t n = (size_t)(BLOCK >> (3 * l));
        x->value[l] = at + p->k.size;
        at += hd__padded((n + 1) * p->k.size);
        x->head[l] = at;
        at += hd__padded(n);
    }
    x->keys = at;
}

// The nodes above the elements at in, whose heads are there.
static void chunk_upsweep(chunk *x, const void *in, int64_t start, int levels)
{
    x->in = in;
    x->start = start;
    x->levels = levels;
    for (int l = 0; l < levels; l++)
        x->p->k.micro.segmented_upsweep(x->value[l + 1], x->head[l + 1],
                                        l == 0 ? x->in : x->value[l], x->head[l],
                                        (int64_t)1 << (3 * (levels - l - 1)));
}

static void chunk_handoff(chunk *x, handoff *r)
{
    // Before the first element is nothing; it is a head, and does not look.
    if (!hd__cpu_pair_fold(&r->tree, x->base)) memcpy(x->base, x->in, x->p->k.size);
    hd__cpu_pair_push(&r->tree, 3 * x->levels, x->head[x->levels][0] != 0, x->value[x->levels]);
    hd__cpu_pair_fold(&r->tree, x->after);
}

// Prefixes level by level; those of the elements into out.
static void chunk_downsweep(chunk *x, void *out)
{
    const size_t s = x->p->k.size;
    memcpy(x->value[x->levels], x->after, s);
    for (int l = x->levels - 1; l >= 0; l--) {
        memcpy(x->value[l + 1] - s, x->base, s);
        x->p->k.micro.segmented_downsweep(l == 0 ? out : x->value[l], l == 0 ? x->in : x->value[l],
                                          x->head[l], x->value[l + 1] - s,
                                          (int64_t)1 << (3 * (x->levels - l - 1)));
    }
}

// out[i] = before[i], or at heads the empty value: by masks, since no branch could be predicted.
static void put_32(uint32_t *out, const uint32_t *before, const uint8_t *head, uint32_t empty,
                   int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t mask = -(uint32_t)head[i];
        out[i] = (empty & mask) | (before[i] & ~mask);
    }
}

static void put_64(uint64_t *out, const uint64_t *before, const uint8_t *head, uint64_t empty,
                   int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t mask = -(uint64_t)head[i];
        out[i] = (empty & mask) | (before[i] & ~mask);
    }
}

// An exclusive scan is the inclusive one, one place on, and empty at heads.
static void put_exclusive(const chunk *x, unsigned char *out, int64_t n)
{
    const size_t s = x->p->k.size;
    const unsigned char *before = x->value[0] - s;
    uint64_t empty = 0;
    memcpy(x->value[0] - s, x->base, s);
    memcpy(&empty, x->p->empty, s);
    if (s == 4) {
        put_32((uint32_t *)out, (const uint32_t *)before, x->head[0], (uint32_t)empty, n);
    } else if (s == 8) {
        put_64((uint64_t *)out, (const uint64_t *)before, x->head[0], empty, n);
    } else {
        memcpy(out, before, (size_t)n * s);
        for (int64_t i = 0; i < n; i++)
            if (x->head[0][i]) memcpy(out + (size_t)i * s, x->p->empty, s);
    }
}

static void finish_chunk(chunk *x, int64_t n)
{
    const hd__scan_job *job = x->p->job;
    unsigned char *out = (unsigned char *)job->out.data + (size_t)x->start * x->p->k.size;
    const bool whole = n == (int64_t)1 << (3 * x->levels);
    if (!job->exclusive && whole) {
        chunk_downsweep(x, out);
        return;
    }
    chunk_downsweep(x, x->value[0]);
    if (job->exclusive)
        put_exclusive(x, out, n);
    else
        memcpy(out, x->value[0], (size_t)n * x->p->k.size);
}

static const void *elements_at(const plan *p, int64_t start)
{
    return hd__read(&p->job->in, start, 1, NULL);
}

static void scan_blocks(const plan *p, handoff *r)
{
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        if (p->threads > 1) hd__cpu_affinity_spread(&affinity);
        chunk x;
        chunk_init(&x, p, omp_get_thread_num());
        for (int64_t c; (c = hd__cpu_ticket_take(&r->tickets)) < p->blocks;) {
            hd__head_flags(p->job, c * BLOCK, BLOCK, x.head[0], x.keys);
            chunk_upsweep(&x, elements_at(p, c * BLOCK), c * BLOCK, LEVELS);
            hd__cpu_ticket_wait(&r->tickets, c);
            chunk_handoff(&x, r);
            hd__cpu_ticket_done(&r->tickets, c);
            finish_chunk(&x, BLOCK);
        }
    }
}

// What the blocks leave: chunks of 8^4 elements and fewer. The last is filled up with heads: no
// prefix before them hangs on those.
static void scan_rest(const plan *p, handoff *r, int64_t start)
{
    unsigned char last[(1 << (3 * LEVELS_MIN)) * 8];
    chunk x;
    chunk_init(&x, p, 0);
    int levels = LEVELS - 1;
    for (int64_t n; start < p->job->in.n; start += n) {
        const int64_t left = p->job->in.n - start;
        while (levels > LEVELS_MIN && left < (int64_t)1 << (3 * levels)) levels--;
        const int64_t room = (int64_t)1 << (3 * levels);
        n = left < room ? left : room;
        hd__head_flags(p->job, start, n, x.head[0], x.keys);
        const void *in = elements_at(p, start);
        if (n < room) {
            memset(last, 0, sizeof last);
            memcpy(last, in, (size_t)n * p->k.size);
            memset(x.head[0] + n, 1, (size_t)(room - n));
            in = last;
        }
        chunk_upsweep(&x, in, start, levels);
        chunk_handoff(&x, r);
        finish_chunk(&x, n);
    }
}

hd_status hd__cpu_segmented_simd(hd_context *ctx, const hd__scan_job *job)
{
    plan p;
    HD_TRY(prepare(ctx, job, &p));
    handoff r;
    hd__cpu_tickets_init(&r.tickets, p.threads);
    r.tree.tree = (hd__tree){p.k.op, p.k.size, 0, p.waiting};
    if (p.blocks > 0) scan_blocks(&p, &r);
    scan_rest(&p, &r, p.blocks * BLOCK);
    return HD_OK;
}
