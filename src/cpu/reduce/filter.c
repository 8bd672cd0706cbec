// SPDX-License-Identifier: Apache-2.0
// Reduction of those elements that a filter lets in, in one pass: threads take chunks by tickets. A
// chunk is flagged and counted, the ticket order says where its elements stand in the sequence of
// all that are let in, then they are packed in the cache and become the aligned nodes of the fixed
// tree over that sequence; one thread joins these.
#include "patterns/select/flags.h"
#include "core/operators/builtin.h"
#include "core/system/float_state.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/runtime/ticket_order.h"
#include "cpu/tree/tree_worker.h"
#include "cpu/select/select_chunk.h"

#define ROUND_BYTES ((int64_t)4 << 20) // of nodes that wait to be joined
#define ROUND_MIN   64                 // chunks, whatever their nodes have

typedef struct plan {
    hd_context *ctx;
    const hd__reduce_job *job;
    hd__cpu_tree_kernels k;
    int threads;
    int64_t chunk, first, end; // elements of a chunk; chunks of this round
    int64_t nodes_max;         // of a chunk
    size_t thread_bytes;       // selectors, tiles, the worker
    unsigned char *memory, *nodes;
    int64_t *counts; // of the round's chunks
    hd__cpu_tickets tickets;
    hd__cpu_affinity affinity;
    int64_t kept; // by the chunks whose turn is over, and by those that the tree has already
} plan;

// One thread: a selector an input, tiles of the elements that are let in, a worker over these.
typedef struct packer {
    hd__cpu_selector select[HD_MAX_INPUTS];
    hd__reader tile;
    hd__cpu_worker worker;
} packer;

// Nodes of aligned elements at .. at + n - 1: the length of the first.
static int64_t node_length(int64_t at, int64_t n)
{
    const int64_t most = (int64_t)1 << (63 - __builtin_clzll((unsigned long long)n));
    const int64_t aligned = at & -at;
    return aligned != 0 && aligned < most ? aligned : most;
}

// Constants stay as they are; everything else is packed.
static bool is_packed(const hd_view *v)
{
    return v->space != HD_IMPLICIT || !hd__is_constant(v);
}

static hd__cpu_selector_needs needs_of(const plan *p, int k)
{
    return (hd__cpu_selector_needs){&p->job->in.view[k], p->job->filter,
                                    k == 0 && p->job->fold.form == HD__ARG, false};
}

// Where the parts of a thread's memory are. With a packer: sets it up; without: measures.
static size_t lay_out(const plan *p, packer *k, unsigned char *memory)
{
    const hd__reader *in = &p->job->in;
    hd__reader tile = *in;
    size_t at = 0;
    for (int i = 0; i < in->inputs; i++) {
        const hd__cpu_selector_needs needs = needs_of(p, i);
        if (k != NULL) hd__cpu_selector_init(&k->select[i], p->ctx, &needs, memory + at);
        at += hd__padded(hd__cpu_selector_bytes(&needs));
        if (!is_packed(&in->view[i])) continue;
        tile.view[i] = hd_view_of(in->view[i].type, memory + at, p->chunk);
        at += hd__padded((size_t)p->chunk * hd__size_of(in->view[i].type));
    }
    tile.n = p->chunk;
    tile.first = 0;
    hd__finish_reader(&tile, &p->job->fold, false);
    if (k != NULL) {
        k->tile = tile;
        hd__cpu_worker_init(&k->worker, &p->k, &k->tile, memory + at);
    }
    return at + hd__padded(hd__cpu_worker_bytes(&p->k, &tile));
}

// ---- A chunk ------------------------------------------------------------------------------------

// Indices within the tile become those in in.
static void set_index(const plan *p, packer *k, int64_t start, void *node)
{
    hd__arg_unsigned *arg = node; // or one of the others, which have the same fields
    arg->index = p->job->in.first + start + k->select[0].positions[arg->index];
}

static void pack_chunk(const plan *p, packer *k, const void *elements, int64_t start, int64_t n,
                       int64_t count)
{
    const uint64_t *bits = k->select[0].bits;
    for (int i = 0; i < p->job->in.inputs; i++) {
        if (!is_packed(&p->job->in.view[i])) continue;
        if (i > 0 || elements == NULL)
            elements = hd__cpu_selector_elements(&k->select[i], start, n);
        hd__cpu_selector_pack(&k->select[i], elements, bits, n, count, &k->tile.view[i], 0, true);
    }
    if (p->job->fold.form == HD__ARG) hd__cpu_selector_positions(&k->select[0], bits, n, count);
}

static void take_chunk(plan *p, packer *k, int64_t ticket)
{
    const int64_t start = (p->first + ticket) * p->chunk, left = p->job->in.n - start;
    const int64_t n = left < p->chunk ? left : p->chunk;
    hd__cpu_selector *c = &k->select[0];
    const void *elements =
        p->job->filter->own ? hd__cpu_selector_elements(c, start, n) : NULL; // else not yet
    const int64_t count = hd__cpu_selector_flags(c, start, n, elements, c->bits);
    hd__cpu_ticket_wait(&p->tickets, ticket);
    int64_t at = p->kept;
    p->kept += count;
    hd__cpu_ticket_done(&p->tickets, ticket);
    p->counts[ticket] = count;
    if (count == 0) return;
    pack_chunk(p, k, elements, start, n, count);
    unsigned char *node = p->nodes + (size_t)(ticket * p->nodes_max) * p->k.size;
    for (int64_t done = 0, m; done < count; done += m, at += m, node += p->k.size) {
        m = node_length(at, count - done);
        hd__cpu_worker_reduce(&k->worker, done, m, node);
        if (p->job->fold.form == HD__ARG) set_index(p, k, start, node);
    }
}

static void take_chunks(plan *p, int thread)
{
    packer k;
    lay_out(p, &k, p->memory + (size_t)thread * p->thread_bytes);
    for (;;) {
        const int64_t ticket = hd__cpu_ticket_take(&p->tickets);
        if (p->first + ticket >= p->end) return;
        take_chunk(p, &k, ticket);
    }
}

// ---- Rounds of chunks ---------------------------------------------------------------------------

static void run_round(plan *p)
{
    hd__cpu_tickets_init(&p->tickets, p->threads);
    if (p->threads == 1) {
        take_chunks(p, 0);
        return;
    }
    hd__cpu_affinity_begin(&p->affinity);
#pragma omp parallel num_threads(p->threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&p->affinity);
        take_chunks(p, omp_get_thread_num());
    }
}

static void join_round(const plan *p, hd__tree *tree)
{
    for (int64_t c = 0; c < p->end - p->first; c++) {
        const unsigned char *node = p->nodes + (size_t)(c * p->nodes_max) * p->k.size;
        for (int64_t done = 0, m; done < p->counts[c]; done += m, node += p->k.size) {
            m = node_length(tree->count, p->counts[c] - done);
            hd__tree_push(tree, __builtin_ctzll((unsigned long long)m), node);
        }
    }
}

static int64_t common_chunk(const hd__reader *in)
{
    int64_t chunk = INT64_MAX;
    for (int k = 0; k < in->inputs; k++) {
        const int64_t mine = hd__cpu_select_chunk(hd__size_of(in->view[k].type));
        if (mine < chunk) chunk = mine;
    }
    return chunk;
}

static hd_status prepare(plan *p, int64_t *round, hd__tree *own)
{
    const hd__reader *in = &p->job->in;
    hd__cpu_tree_kernels_of(p->ctx, &p->job->fold, &p->k);
    p->threads = hd__cpu_threads_for(p->ctx, in->n, 2 * hd__cpu_element_cost(in));
    p->chunk = common_chunk(in);
    p->nodes_max = 2 * (64 - __builtin_clzll((unsigned long long)p->chunk));
    const int64_t chunk_bytes = p->nodes_max * (int64_t)p->k.size;
    *round = ROUND_BYTES / chunk_bytes > ROUND_MIN ? ROUND_BYTES / chunk_bytes : ROUND_MIN;
    const int64_t chunks = (in->n + p->chunk - 1) / p->chunk;
    if (*round > chunks) *round = chunks;
    p->thread_bytes = lay_out(p, NULL, (unsigned char *)(uintptr_t)HD__ALIGNMENT);
    const size_t threads_bytes = (size_t)p->threads * p->thread_bytes;
    const size_t node_bytes = hd__padded((size_t)(*round * chunk_bytes)),
                 tree_bytes = hd__padded(HD__LEVELS * p->k.size);
    p->memory = hd__scratch(p->ctx, threads_bytes + node_bytes + tree_bytes +
                                        (size_t)*round * sizeof *p->counts);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->nodes = p->memory + threads_bytes;
    *own = (hd__tree){p->k.op, p->k.size, 0, p->nodes + node_bytes};
    p->counts = (int64_t *)(p->nodes + node_bytes + tree_bytes);
    return HD_OK;
}

hd_status hd__cpu_reduce_filtered(hd_context *ctx, const hd__reduce_job *job)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    plan p = {.ctx = ctx, .job = job};
    hd__tree own, *tree = job->tree != NULL ? job->tree : &own;
    int64_t round;
    HD_TRY(prepare(&p, &round, &own));
    const int64_t chunks = (job->in.n + p.chunk - 1) / p.chunk;
    p.kept = tree->count;
    for (; p.first < chunks; p.first = p.end) {
        p.end = chunks - p.first < round ? chunks : p.first + round;
        run_round(&p);
        join_round(&p, tree);
    }
    hd__tree_fold(tree, node);
    return hd__cpu_store_result(ctx, job, node, tree->count, 0);
}
