// SPDX-License-Identifier: Apache-2.0
// Scan of everything, reduce then scan (Blelloch 1990), in rounds. In each, every thread but the
// first reduces a chunk of its own; the first scans a small chunk meanwhile, without reducing it
// before. Then the prefix is handed on along the chunks in ticket order, all threads scan theirs,
// and the first scans one more. A chunk stays in the last cache between its two readings.
#include "scan_range.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/ticket_order.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_worker.h"

HD__CPU_BRINGS(const hd__cpu_fused_scans, fused_scans)

// The first thread's two chunks of a round, in sixteenths of the others'. The small one takes as
// long as the others need to sum up theirs; its scan is slower than a sum.
#define SMALL(exact) ((exact) ? 8 : 6)
#define BIG          16

typedef struct plan {
    hd__cpu_tree_kernels k;
    const hd__scan_job *job;
    const hd__reader *in;
    const hd_view *out, *values;
    int threads;
    int64_t own, small, big; // elements of a chunk of a thread, and of the first thread's two
    size_t thread_bytes, scanner_bytes, worker_bytes;
    unsigned char *memory, *waiting;
    // What is handed on along the chunks
    hd__cpu_tickets tickets;
    hd__cpu_scan_state state;
    hd__cpu_affinity affinity;
} plan;

// Rounds are of one size, so that no thread waits in the last for one that has more to do.
static int64_t chunk_size(const plan *p, int64_t n, int small)
{
    const int64_t size = (int64_t)p->in->fold->element_size, block = hd__cpu_block_nodes(p->k.size);
    const int64_t most = hd__cpu_tune.scan_chunk_bytes / size;
    const int64_t least = hd__cpu_tune.scan_chunk_min_bytes / size;
    const int64_t parts = small + 16 * (p->threads - 1) + BIG; // of a round, in sixteenths
    const int64_t rounds = (n - 1) / (most * parts / 16) + 1;
    int64_t own = n / rounds * 16 / parts + 1;
    if (own < least) own = least;
    return (own + block - 1) / block * block;
}

static hd_status prepare(hd_context *ctx, plan *p)
{
    const int64_t n = p->in->n;
    hd__cpu_tree_kernels_of(ctx, &p->job->fold, &p->k);
    p->threads = hd__cpu_threads_for(ctx, n, 2 * hd__cpu_element_cost(p->in)); // read and written
    const int small = SMALL(hd__cpu_scans_exactly(&p->k));
    p->own = chunk_size(p, n, small);
    const int64_t block = hd__cpu_block_nodes(p->k.size);
    p->small = p->own * small / 16 / block * block;
    p->big = p->own * BIG / 16;
    p->scanner_bytes = hd__cpu_scanner_bytes(&p->k, p->in);
    p->worker_bytes = hd__cpu_worker_bytes(&p->k, p->in);
    // A thread has a scanner, a worker to sum up with, a tree of its own, and one for its chunk.
    p->thread_bytes = p->scanner_bytes + p->worker_bytes + 2 * hd__padded(HD__LEVELS * p->k.size);
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->thread_bytes + HD__LEVELS * p->k.size);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->waiting = p->memory + (size_t)p->threads * p->thread_bytes;
    return HD_OK;
}

// One thread's part in the rounds.
typedef struct member {
    plan *p;
    hd__cpu_scanner scanner;
    hd__cpu_worker worker;
    unsigned char *tree_nodes, *part_nodes;
} member;

static void member_init(member *m, plan *p, int thread)
{
    unsigned char *memory = p->memory + (size_t)thread * p->thread_bytes;
    m->p = p;
    hd__cpu_scanner_init(&m->scanner, &p->k, p->in, p->out, p->values, p->job->exclusive, memory);
    hd__cpu_worker_init(&m->worker, &p->k, p->in, memory + p->scanner_bytes);
    m->tree_nodes = memory + p->scanner_bytes + p->worker_bytes;
    m->part_nodes = m->tree_nodes + hd__padded(HD__LEVELS * p->k.size);
}

// A chunk of the first thread: its prefix is there when its ticket is served.
static void scan_directly(member *m, int64_t ticket, int64_t start, int64_t end)
{
    hd__cpu_ticket_wait(&m->p->tickets, ticket);
    hd__cpu_scan_range(&m->scanner, &m->p->state, start, end);
    hd__cpu_ticket_done(&m->p->tickets, ticket);
}

// ---- A chunk of another thread: reduced before its ticket is served, scanned after it -----------

// The sum of a chunk: one node of an exact operator, or the perfect nodes the tree will need. They
// grow, then shrink: as many as two for each level.
typedef struct sum {
    int count;
    int level[2 * HD__LEVELS];
    unsigned char *node; // the smallest growing ones need no more room than a tree has
} sum;

static void sum_up(member *m, int64_t seen, int64_t start, int64_t end, sum *s)
{
    const size_t size = m->p->k.size;
    s->node = m->part_nodes;
    s->count = 0;
    if (hd__cpu_scans_exactly(&m->p->k)) {
        hd__cpu_worker_reduce(&m->worker, start, end - start, s->node);
        return;
    }
    while (start < end) {
        int level = 63 - __builtin_clzll((unsigned long long)(end - start));
        if (seen != 0 && __builtin_ctzll((unsigned long long)seen) < level)
            level = __builtin_ctzll((unsigned long long)seen);
        hd__cpu_worker_reduce(&m->worker, start, (int64_t)1 << level,
                              s->node + (size_t)s->count * size);
        s->level[s->count++] = level;
        start += (int64_t)1 << level;
        seen += (int64_t)1 << level;
    }
}

// Takes a copy of the state as it is before the chunk, and adds the chunk to the shared one.
static void hand_off(member *m, const sum *s, int64_t n, hd__cpu_scan_state *mine, hd__tree *tree)
{
    hd__cpu_scan_state *shared = &m->p->state;
    const hd__cpu_tree_kernels *k = &m->p->k;
    *mine = *shared;
    if (hd__cpu_scans_exactly(k)) {
        k->micro.combine(shared->prefix, shared->prefix, s->node, 1, k->micro.state);
    } else {
        shared->known = false; // its tree is about to move on
        *tree = *shared->tree;
        tree->node = m->tree_nodes;
        for (int level = 0; tree->count >> level != 0; level++)
            if (tree->count >> level & 1)
                memcpy(hd__tree_node(tree, level), hd__tree_node(shared->tree, level), k->size);
        mine->tree = tree;
        for (int i = 0; i < s->count; i++)
            hd__tree_push(shared->tree, s->level[i], s->node + (size_t)i * k->size);
    }
    shared->count += n;
}

static void scan_in_halves(member *m, int64_t ticket, int64_t seen, int64_t start, int64_t end)
{
    hd__cpu_scan_state mine;
    hd__tree tree;
    sum s;
    if (start < end) sum_up(m, seen, start, end, &s);
    hd__cpu_ticket_wait(&m->p->tickets, ticket);
    if (start < end) hand_off(m, &s, end - start, &mine, &tree);
    hd__cpu_ticket_done(&m->p->tickets, ticket);
    if (start < end) hd__cpu_scan_range(&m->scanner, &mine, start, end);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// `seen` elements came before element 0.
static void scan_rounds(member *m, int thread, int threads, int64_t seen)
{
    const plan *p = m->p;
    const int64_t n = p->in->n, round = p->small + (threads - 1) * p->own + p->big;
    int64_t ticket = 0;
    for (int64_t first = 0; first < n; first += round, ticket += threads + 1) {
        const int64_t others = first + p->small, mine = others + (thread - 1) * p->own;
        const int64_t last = others + (threads - 1) * p->own;
        if (thread > 0) {
            scan_in_halves(m, ticket + thread, seen + mine, least(mine, n),
                           least(mine + p->own, n));
        } else {
            scan_directly(m, ticket, first, least(others, n));
            scan_directly(m, ticket + threads, least(last, n), least(last + p->big, n));
        }
    }
}

static void scan_together(plan *p)
{
    const int64_t seen = p->state.count;
    hd__cpu_tickets_init(&p->tickets, p->threads);
    hd__cpu_affinity_begin(&p->affinity);
#pragma omp parallel num_threads(p->threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&p->affinity);
        member m;
        member_init(&m, p, omp_get_thread_num());
        scan_rounds(&m, omp_get_thread_num(), omp_get_num_threads(), seen);
    }
}

// One row, with all threads if it is long enough.
static hd_status scan_row(hd_context *ctx, const hd__scan_job *job, const hd__reader *in,
                          hd__tree *tree, const hd_view *out, const hd_view *values)
{
    plan p = {.job = job, .in = in, .out = out, .values = values};
    HD_TRY(prepare(ctx, &p));
    hd__tree own = {p.k.op, p.k.size, 0, p.waiting};
    if (tree == NULL) tree = &own;
    hd__cpu_scan_begin(&p.k, tree, &p.state);
    if (p.threads > 1) {
        scan_together(&p);
    } else {
        hd__cpu_scanner s;
        hd__cpu_scanner_init(&s, &p.k, in, out, values, job->exclusive, p.memory);
        hd__cpu_scan_range(&s, &p.state, 0, in->n);
    }
    hd__cpu_scan_end(&p.k, tree, &p.state);
    return HD_OK;
}

#define SMALL_NODES 4096

// Few elements where they lie: no scratch but the stack, no tree but the block's own.
bool hd__cpu_scan_row(hd_context *ctx, const hd__fold *f, const void *in, int64_t n, void *out)
{
    if (f->op == HD__USER_OP || !f->direct_in || !f->direct_out) return false;
    if (hd__cpu_threads_for(ctx, n, 2 * f->element_size) > 1) return false;
    const hd__cpu_micro *micro = hd__cpu_micro_table(ctx)->row[f->op][f->number];
    if (micro == NULL) return false;
    if (micro->scan != NULL) {
        uint64_t carry;
        memcpy(&carry, f->node->identity, f->node_size);
        micro->scan(out, in, n, &carry);
        return true;
    }
    if (n <= HD__SMALL_SCAN_MAX && micro->scan_small != NULL) {
        micro->scan_small(out, in, n);
        return true;
    }
    if (n > SMALL_NODES) return false;
    uint64_t levels[SMALL_NODES / 4];
    hd__cpu_tree_kernels k = {
        .op = f->node, .size = f->node_size, .identity = f->node->identity, .micro = *micro};
    hd__cpu_scan_small(&k, in, n, out, levels);
    return true;
}

static bool scan_at_once(hd_context *ctx, const hd__scan_job *job)
{
    const hd__fold *f = &job->fold;
    const char *in = job->in.view[0].data;
    char *out = job->out.data;
    if (!job->in.direct || job->tree != NULL || !f->direct_out || f->init != NULL ||
        !hd__is_contiguous(&job->out))
        return false;
    if (!job->exclusive) return hd__cpu_scan_row(ctx, f, in, job->in.n, out);
    // The inclusive one, one place on.
    if (in == out) return false;
    if (job->in.n > 1 && !hd__cpu_scan_row(ctx, f, in, job->in.n - 1, out + f->node_size))
        return false;
    return hd__finalize_empty(f, out, NULL);
}

// ---- Monotone scans: each chunk is scanned, and its maxima, while it is in the cache ------------

#define MONOTONE_NODE 64 // the trees are on the stack

static bool scans_in_chunks(const hd_context *ctx, const hd__scan_job *job, int64_t *chunk)
{
    *chunk = (int64_t)ctx->threads * hd__cpu_tune.scan_monotone_bytes / (int64_t)job->fold.out_size;
    bool fits = job->maxima != NULL && job->in.n > *chunk && job->out.ndim == 1 &&
                job->fold.node_size <= MONOTONE_NODE;
    for (int k = 0; k < job->in.inputs; k++) fits = fits && job->in.view[k].ndim == 1;
    return fits;
}

static hd_status scan_chunk(hd_context *ctx, const hd__scan_job *job, hd__tree *tree, int64_t start,
                            int64_t n)
{
    hd__reader in = job->in;
    in.n = n;
    for (int k = 0; k < in.inputs; k++) in.view[k] = hd_slice(job->in.view[k], 0, start, n, 1);
    const hd_view out = hd_slice(job->out, 0, start, n, 1);
    return scan_row(ctx, job, &in, tree, &out, &job->values);
}

static hd_status scan_monotone(hd_context *ctx, const hd__scan_job *job, int64_t chunk)
{
    _Alignas(HD__ALIGNMENT) unsigned char nodes[HD__LEVELS * MONOTONE_NODE],
        peaks[HD__LEVELS * MONOTONE_NODE];
    const hd__scan_job *maxima = job->maxima;
    hd__tree tree = {job->fold.node, job->fold.node_size, 0, nodes};
    hd__tree greatest = {maxima->fold.node, maxima->fold.node_size, 0, peaks};
    for (int64_t start = 0; start < job->in.n; start += chunk) {
        const int64_t n = least(chunk, job->in.n - start);
        HD_TRY(scan_chunk(ctx, job, job->tree != NULL ? job->tree : &tree, start, n));
        HD_TRY(scan_chunk(ctx, maxima, maxima->tree != NULL ? maxima->tree : &greatest, start, n));
    }
    *job->maxima_done = true;
    return HD_OK;
}

// ---- Rows ---------------------------------------------------------------------------------------

static hd_view row_or_unset(const hd_view *v, int32_t axis, int64_t row)
{
    return hd__is_empty(v) ? *v : hd__row_of(v, axis, row);
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
    hd__cpu_tree_kernels k;
    hd__cpu_tree_kernels_of(ctx, &job->fold, &k);
    hd__reader first;
    hd__row_reader(&job->in, job->axis, 0, &first);
    const size_t scanner_bytes = hd__cpu_scanner_bytes(&k, &first);
    const size_t bytes = scanner_bytes + hd__padded(HD__LEVELS * k.size);
    unsigned char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        unsigned char *mine = memory + (size_t)omp_get_thread_num() * bytes;
        hd__cpu_scanner s;
        hd__reader in;
        hd__cpu_scanner_init(&s, &k, &first, &job->out, &job->values, job->exclusive, mine);
#pragma omp for schedule(static)
        for (int64_t r = 0; r < rows; r++) {
            hd__row_reader(&job->in, job->axis, r, &in);
            const hd_view out = hd__row_of(&job->out, job->axis, r);
            const hd_view values = row_or_unset(&job->values, job->axis, r);
            hd__tree tree = {k.op, k.size, 0, mine + scanner_bytes};
            hd__cpu_scan_state state;
            hd__cpu_scan_begin(&k, &tree, &state);
            hd__cpu_scanner_move(&s, &in, &out, &values);
            hd__cpu_scan_range(&s, &state, 0, in.n);
        }
    }
    return HD_OK;
}

hd_status hd__cpu_scan_rows(hd_context *ctx, const hd__scan_job *job)
{
    const int64_t length = job->out.shape[job->axis];
    const int64_t rows = job->in.n > 0 ? job->in.n / length : 0;
    const int threads = hd__cpu_threads_for(ctx, job->in.n, 2 * hd__cpu_element_cost(&job->in));
    if (rows == 0) return HD_OK;
    if (hd__cpu_has_strided_rows(&job->in, job->axis) && job->fold.value == HD_NONE)
        return hd__cpu_scan_strided_rows(ctx, job);
    if (rows < 2 * threads) return scan_long_rows(ctx, job, rows);
    return scan_many_rows(ctx, job, rows, threads);
}

hd_status hd__cpu_scan(hd_context *ctx, const void *any, const char **why)
{
    const hd__scan_job *job = any;
    int64_t chunk;
    (void)why; // never declines
    switch (job->slices) {
    case HD__ROWS: return hd__cpu_scan_rows(ctx, job);
    case HD__EVERYTHING:
        if (job->in.n == 0) return HD_OK;
        if (scans_in_chunks(ctx, job, &chunk)) return scan_monotone(ctx, job, chunk);
        if (scan_at_once(ctx, job)) return HD_OK;
        return scan_row(ctx, job, &job->in, job->tree, &job->out, &job->values);
    default: return hd__cpu_segmented_scan(ctx, job);
    }
}
