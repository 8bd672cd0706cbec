// SPDX-License-Identifier: Apache-2.0
// Reduction of everything: chunks of a power of two, aligned in the sequence, become nodes of the
// fixed tree in all threads (work stealing); one thread finishes their tree. Rows, segments and
// runs of keys have files of their own.
#include "cpu/reduce/reduce.h"
#include "cpu/runtime/cpu.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_worker.h"

// The largest power of two not over x >= 1.
static int64_t power_below(int64_t x)
{
    return (int64_t)1 << (63 - __builtin_clzll((unsigned long long)x));
}

static int64_t chunk_size(int64_t n, int threads, size_t size)
{
    const int64_t chunk_min = hd__cpu_tune.reduce_chunk_min;
    const int64_t most = power_below(hd__cpu_tune.reduce_chunk_bytes / (int64_t)size);
    const int64_t each = threads > hd__cpu_tune.static_threads_max
                             ? hd__cpu_tune.reduce_chunks_stealing
                             : hd__cpu_tune.reduce_chunks_per_thread;
    const int64_t fair = power_below(n / (each * threads) + 1);
    const int64_t chunk = fair < most ? fair : most;
    return chunk > chunk_min ? chunk : chunk_min;
}

// Pushes elements start .. end - 1 as the largest perfect nodes that the tree's count allows.
static void push_greedily(hd__cpu_worker *w, hd__tree *tree, int64_t start, int64_t end,
                          int64_t most)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    while (start < end) {
        int64_t m = power_below(end - start);
        const int64_t aligned = tree->count & -tree->count;
        if (aligned != 0 && aligned < m) m = aligned;
        if (m > most) m = most;
        hd__cpu_worker_reduce(w, start, m, node);
        hd__tree_push(tree, __builtin_ctzll((unsigned long long)m), node);
        start += m;
    }
}

typedef struct plan {
    int threads;
    int64_t chunk, chunks, start; // full chunks begin at element `start`
    size_t worker_bytes, node_bytes;
    unsigned char *workers, *nodes, *waiting;
} plan;

static hd_status prepare(hd_context *ctx, const hd__cpu_tree_kernels *k, const hd__reader *in,
                         int64_t seen, plan *p)
{
    p->threads = hd__cpu_threads_for(ctx, in->n, hd__cpu_element_cost(in));
    p->chunk = chunk_size(in->n, p->threads, k->limbs ? in->fold->element_size : k->size);
    p->start = (p->chunk - seen % p->chunk) % p->chunk;
    if (p->start > in->n) p->start = in->n;
    p->chunks = p->threads > 1 ? (in->n - p->start) / p->chunk : 0;
    if (p->chunks < 2) p->chunks = 0;
    p->worker_bytes = hd__cpu_worker_bytes(k, in);
    p->node_bytes = hd__padded((size_t)p->chunks * k->size);
    p->workers = hd__scratch(ctx, (size_t)p->threads * p->worker_bytes + p->node_bytes +
                                      HD__LEVELS * k->size);
    if (p->workers == NULL) return HD_ERROR_MEMORY;
    p->nodes = p->workers + (size_t)p->threads * p->worker_bytes;
    p->waiting = p->nodes + p->node_bytes;
    return HD_OK;
}

// Nodes where they lie and a kernel for them: a thread needs nothing of its own.
static void reduce_chunks_in_place(const plan *p, const hd__cpu_tree_kernels *k,
                                   const hd__reader *in)
{
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    const char *first = hd__read(in, p->start, p->chunks * p->chunk, NULL);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, p->chunks, p->threads, 1);
#pragma omp parallel num_threads(p->threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t c, end;
        while (hd__cpu_next_chunk(&stealer, &c, &end))
            for (; c < end; c++)
                k->micro.reduce(p->nodes + (size_t)c * k->size,
                                first + (size_t)(c * p->chunk) * k->size, p->chunk);
    }
}

static void reduce_chunks(const plan *p, const hd__cpu_tree_kernels *k, const hd__reader *in)
{
    if (in->direct && k->micro.reduce != NULL) {
        reduce_chunks_in_place(p, k, in);
        return;
    }
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, p->chunks, p->threads, 1);
#pragma omp parallel num_threads(p->threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        const int t = omp_get_thread_num();
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t c, end;
        hd__cpu_worker w;
        hd__cpu_worker_init(&w, k, in, p->workers + (size_t)t * p->worker_bytes);
        while (hd__cpu_next_chunk(&stealer, &c, &end))
            for (; c < end; c++)
                hd__cpu_worker_reduce(&w, p->start + c * p->chunk, p->chunk,
                                      p->nodes + (size_t)c * k->size);
    }
}

hd_status hd__cpu_reduce_parallel(hd_context *ctx, const hd__fold *fold, const hd__reader *in,
                                  hd__tree *tree, void *node)
{
    hd__cpu_tree_kernels k;
    hd__cpu_tree_kernels_of(ctx, fold, &k);
    plan p;
    HD_TRY(prepare(ctx, &k, in, tree != NULL ? tree->count : 0, &p));
    hd__tree own = {k.op, k.size, 0, p.waiting};
    if (tree == NULL) tree = &own;
    hd__cpu_worker w;
    hd__cpu_worker_init(&w, &k, in, p.workers);
    if (tree->count == 0 && p.chunks == 0 && tree == &own) {
        hd__cpu_worker_reduce(&w, 0, in->n, node);
        return HD_OK;
    }
    const int64_t end = p.start + p.chunks * p.chunk;
    push_greedily(&w, tree, 0, p.start, p.chunk);
    if (p.chunks > 0) reduce_chunks(&p, &k, in);
    const int level = __builtin_ctzll((unsigned long long)p.chunk);
    for (int64_t c = 0; c < p.chunks; c++) hd__tree_push(tree, level, p.nodes + (size_t)c * k.size);
    push_greedily(&w, tree, end, in->n, INT64_MAX);
    hd__tree_fold(tree, node);
    return HD_OK;
}

// ---- Ways around the general one --------------------------------------------------------------

// How many of a tile's n elements a predicate adds up itself, without writing its results.
static int64_t counted_of(const hd__reader *in, int64_t n)
{
    return in->map != NULL && in->map->sum != NULL ? n / HD__SUM_BLOCK * HD__SUM_BLOCK : 0;
}

// Where elements lie, or a tile of them at a time as a function makes them.
static uint64_t wide_sum_of(const hd__reader *in, hd__cpu_wide_sum *sum, int64_t begin, int64_t end,
                            void *tile)
{
    const int64_t block = tile != NULL ? hd__cpu_tune.wide_sum_block : end - begin;
    uint64_t total = 0, part;
    for (int64_t at = begin, m; at < end; at += m) {
        m = end - at < block ? end - at : block;
        const int64_t counted = counted_of(in, m);
        if (counted > 0)
            m = counted, part = (uint64_t)hd__sum_elements(in, at, m, tile);
        else
            sum(&part, tile != NULL ? hd__read_elements(in, at, m, tile) : hd__at(&in->view[0], at),
                m);
        total += part;
    }
    return total;
}

// Narrow integers summed in 64 bits, counts of what a predicate holds for among them: any order
// will do, and nothing is written out wide.
static bool reduce_wide_sum(hd_context *ctx, const hd__reduce_job *job, uint64_t *node)
{
    const hd__fold *f = &job->fold;
    // What a function returns as bool is 0 or 1; what lies in memory may be any byte.
    const bool predicate = job->in.map != NULL && f->element == HD_BOOL;
    const hd_type type = predicate ? HD_U8 : f->element & 0xff;
    hd__cpu_wide_sum *sum = hd__cpu_micro_table(ctx)->wide_sum[type];
    if (!hd__cpu_sums_wide(f) || sum == NULL || job->tree != NULL) return false;
    const int64_t n = job->in.n;
    const bool dense = job->in.map == NULL && hd__is_contiguous(&job->in.view[0]);
    const int threads =
        hd__cpu_threads_for(ctx, n, dense ? f->element_size : hd__cpu_element_cost(&job->in));
    const size_t tile_bytes = hd__padded(hd__elements_bytes(&job->in, hd__cpu_tune.wide_sum_block));
    char *tiles = dense ? NULL : hd__scratch(ctx, (size_t)threads * tile_bytes);
    if (!dense && tiles == NULL) return false;
    uint64_t total = 0;
    if (threads == 1) {
        *node = wide_sum_of(&job->in, sum, 0, n, tiles);
        return true;
    }
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, n, threads, hd__cpu_tune.reduce_unit);
#pragma omp parallel num_threads(threads) reduction(+ : total)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        char *tile = dense ? NULL : tiles + (size_t)omp_get_thread_num() * tile_bytes;
        while (hd__cpu_next_chunk(&stealer, &begin, &end))
            total += wide_sum_of(&job->in, sum, begin, end, tile);
    }
    *node = total;
    return true;
}

// Which of two elements is the extreme, by their indices; -1: there is none yet. Of equal ones it
// is the first.
static int64_t better_of(const hd__reduce_job *job, int64_t i, int64_t j)
{
    if (i < 0 || j < 0) return i < 0 ? j : i;
    const hd__fold *f = &job->fold;
    const int64_t first = i < j ? i : j, second = i < j ? j : i;
    hd__arg_unsigned a, b; // or signed ones, which have the same fields
    hd__load_nodes(f, hd__at(&job->in.view[0], first), 1, first, &a);
    hd__load_nodes(f, hd__at(&job->in.view[0], second), 1, second, &b);
    hd__combine(f->node, &a, &a, &b, 1);
    return a.index;
}

// Extremes by index: each thread finds its own, the first of the best wins.
static bool reduce_arg(hd_context *ctx, const hd__reduce_job *job, void *node)
{
    const hd__fold *f = &job->fold;
    const hd__cpu_isa_kernels *table = hd__cpu_micro_table(ctx);
    const hd_type type = f->element & 0xff;
    hd__cpu_find_extreme *find = f->op == HD__ARGMIN ? table->argmin[type] : table->argmax[type];
    const bool fits = f->form == HD__ARG && find != NULL && job->in.map == NULL &&
                      job->tree == NULL && hd__is_contiguous(&job->in.view[0]);
    if (!fits) return false;
    const int64_t n = job->in.n;
    const int threads = hd__cpu_threads_for(ctx, n, f->element_size);
    int64_t best[1024];
    if (threads == 1) {
        best[0] = find(job->in.view[0].data, n);
        hd__load_nodes(f, hd__at(&job->in.view[0], best[0]), 1, best[0], node);
        return true;
    }
    for (int t = 0; t < threads; t++) best[t] = -1;
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, n, threads, hd__cpu_tune.reduce_unit);
#pragma omp parallel num_threads(threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        const int t = omp_get_thread_num();
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end, mine = -1;
        while (hd__cpu_next_chunk(&stealer, &begin, &end))
            mine = better_of(job, mine, begin + find(hd__at(&job->in.view[0], begin), end - begin));
        best[t] = mine;
    }
    for (int t = 1; t < threads; t++) best[0] = better_of(job, best[0], best[t]);
    hd__load_nodes(f, hd__at(&job->in.view[0], best[0]), 1, best[0], node);
    return true;
}

// Few elements where they lie: no threads, no scratch, no tables but one look.
bool hd__cpu_reduce_row(hd_context *ctx, const hd__fold *f, const void *in, int64_t n, void *out)
{
    const hd__cpu_isa_kernels *table = hd__cpu_micro_table(ctx);
    if (f->op == HD__USER_OP || hd__cpu_threads_for(ctx, n, f->element_size) > 1) return false;
    if (f->direct_in && f->direct_out) {
        const hd__cpu_micro *micro = table->row[f->op][f->number];
        if (micro == NULL || micro->reduce == NULL) return false;
        micro->reduce(out, in, n);
        return true;
    }
    if (f->form == HD__ARG) {
        hd__cpu_find_extreme *find =
            f->op == HD__ARGMIN ? table->argmin[f->element] : table->argmax[f->element];
        if (find == NULL) return false;
        const int64_t index = find(in, n);
        memcpy(out, &index, sizeof index);
        return true;
    }
    hd__cpu_wide_sum *sum = hd__cpu_sums_wide(f) ? table->wide_sum[f->element] : NULL;
    if (sum == NULL) return false;
    sum(out, in, n);
    return true;
}

static bool reduce_at_once(hd_context *ctx, const hd__reduce_job *job, void *node)
{
    return job->in.direct && job->fold.direct_out && job->tree == NULL &&
           hd__cpu_reduce_row(ctx, &job->fold, job->in.view[0].data, job->in.n, node);
}

static hd_status reduce_everything(hd_context *ctx, const hd__reduce_job *job)
{
    union {
        uint64_t word;
        _Alignas(HD__ALIGNMENT) unsigned char bytes[HD_MAX_ELEMENT];
    } node;
    const int64_t n = job->in.n, seen = job->tree != NULL ? job->tree->count : 0;
    if (n == 0) {
        if (seen > 0) hd__tree_fold(job->tree, node.bytes);
    } else if (!reduce_at_once(ctx, job, node.bytes) && !reduce_wide_sum(ctx, job, &node.word) &&
               !reduce_arg(ctx, job, node.bytes)) {
        HD_TRY(hd__cpu_reduce_parallel(ctx, &job->fold, &job->in, job->tree, node.bytes));
    }
    if (n + seen > 0 && job->fold.direct_out && job->fold.init == NULL) {
        memcpy(job->out.data, node.bytes, job->fold.node_size);
        return HD_OK;
    }
    return hd__cpu_store_result(ctx, job, node.bytes, n + seen, 0);
}

hd_status hd__cpu_reduce(hd_context *ctx, const void *any, const char **why)
{
    const hd__reduce_job *job = any;
    (void)why; // never declines
    if (job->filter != NULL) return hd__cpu_reduce_filtered(ctx, job);
    switch (job->slices) {
    case HD__ROWS: return hd__cpu_reduce_rows(ctx, job);
    case HD__SEGMENTS: return hd__cpu_reduce_segments(ctx, job);
    case HD__RUNS: return hd__cpu_reduce_by_key(ctx, job);
    default: return reduce_everything(ctx, job);
    }
}
