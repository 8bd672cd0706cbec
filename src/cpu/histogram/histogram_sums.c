// SPDX-License-Identifier: Apache-2.0
// Sums of float weights in the order of the source, where bins are not too many. Each bin has a
// tree, the binary counter of core/tree.h. A round of elements is sorted by bin, stably, within L2;
// what it brings to a bin is then pushed to the bin's tree as perfect nodes.
#include "histogram.h"
#include "core/system/float_state.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_block.h"

typedef struct plan {
    hd_context *ctx;
    const hd__histogram_job *job;
    hd__cpu_tree_kernels k;
    int threads;
    int64_t from, to;     // elements of this round
    int32_t levels;       // nodes a tree may have
    unsigned char *trees; // pending partials, by bin
    int64_t *counts;      // elements in each tree
    uint32_t *bin;        // of the elements of a round
    uint32_t *starts;     // where the bins of a round begin among its sorted weights
    unsigned char *sorted;
    size_t cursors_bytes, binner_bytes, reader_bytes, workspace_bytes;
    unsigned char *workspaces; // for each thread: places, a binner, a reader's scratch, levels
} plan;

// ---- Memory -----------------------------------------------------------------------------------

static unsigned char *take(unsigned char **at, size_t bytes)
{
    unsigned char *taken = *at;
    *at += hd__padded(bytes);
    return taken;
}

// The bytes that a plan of so many threads needs; placed in memory if there is some.
static size_t lay_out(hd_context *ctx, const hd__histogram_job *job, int threads,
                      unsigned char *memory, plan *p)
{
    p->ctx = ctx;
    p->job = job;
    p->threads = threads;
    hd__cpu_tree_kernels_of(ctx, &job->fold, &p->k);
    const size_t bins = (size_t)job->bins, node = job->fold.node_size;
    const size_t round = (size_t)p->threads * hd__cpu_tune.histogram_tree_round;
    p->levels = 65 - __builtin_clzll((unsigned long long)job->n | 1);
    p->cursors_bytes = hd__padded((bins + 1) * sizeof(uint32_t));
    p->binner_bytes = hd__padded(hd__cpu_binner_bytes(job));
    p->reader_bytes = hd__padded(hd__reader_bytes(&job->weights, hd__cpu_tune.histogram_block));
    p->workspace_bytes = p->cursors_bytes + p->binner_bytes + p->reader_bytes +
                         hd__padded(hd__cpu_levels_bytes(&p->k, (int64_t)round));
    const size_t trees = hd__padded(bins * (size_t)p->levels * node);
    const size_t bytes = trees + hd__padded(bins * sizeof *p->counts) +
                         hd__padded(round * sizeof *p->bin) +
                         hd__padded((bins + 2) * sizeof *p->starts) + hd__padded(round * node) +
                         (size_t)p->threads * p->workspace_bytes;
    unsigned char *at = memory;
    if (at == NULL) return bytes;
    p->trees = take(&at, trees);
    p->counts = (int64_t *)take(&at, bins * sizeof *p->counts);
    p->bin = (uint32_t *)take(&at, round * sizeof *p->bin);
    p->starts = (uint32_t *)take(&at, (bins + 2) * sizeof *p->starts);
    p->sorted = take(&at, round * node);
    p->workspaces = at;
    memset(p->counts, 0, bins * sizeof *p->counts);
    return bytes;
}

static hd_status prepare(hd_context *ctx, const hd__histogram_job *job, plan *p)
{
    const int threads = hd__cpu_threads_for(ctx, job->n, 4 * job->first.raw.element_size + 16);
    unsigned char *memory = hd__scratch(ctx, lay_out(ctx, job, threads, NULL, p));
    if (memory == NULL) return HD_ERROR_MEMORY;
    lay_out(ctx, job, threads, memory, p);
    return HD_OK;
}

static uint32_t *cursors_of(const plan *p, int t)
{
    return (uint32_t *)(p->workspaces + (size_t)t * p->workspace_bytes);
}

// ---- A round, sorted by bin -------------------------------------------------------------------

static void count_range(const plan *p, int t)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const int64_t n = p->to - p->from;
    const int64_t begin = hd__cpu_histogram_begin(n, p->threads, t);
    const int64_t end = hd__cpu_histogram_begin(n, p->threads, t + 1);
    uint32_t *counts = cursors_of(p, t);
    hd__cpu_binner b;
    hd__cpu_binner_init(&b, p->ctx, p->job, (unsigned char *)counts + p->cursors_bytes);
    memset(counts, 0, p->cursors_bytes);
    for (int64_t at = begin; at < end; at += block) {
        const int64_t m = end - at < block ? end - at : block;
        const uint32_t *bin = hd__cpu_binner_bins(&b, p->from + at, m);
        memcpy(p->bin + at, bin, (size_t)m * sizeof *bin);
        for (int64_t i = 0; i < m; i++) counts[bin[i]]++;
    }
}

// Counts become places: bin by bin, and within a bin thread by thread.
static void counts_to_cursors(const plan *p)
{
    uint32_t at = 0;
    for (int64_t b = 0; b <= p->job->bins; b++) {
        p->starts[b] = at;
        for (int t = 0; t < p->threads; t++) {
            const uint32_t count = cursors_of(p, t)[b];
            cursors_of(p, t)[b] = at;
            at += count;
        }
    }
}

#define MOVE(T)                                                                                    \
    for (int64_t i = 0; i < m; i++)                                                                \
    ((T *)p->sorted)[cursor[p->bin[at + i]]++] = ((const T *)nodes)[i]

static void sort_range(const plan *p, int t)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const int64_t n = p->to - p->from;
    const int64_t end = hd__cpu_histogram_begin(n, p->threads, t + 1);
    uint32_t *cursor = cursors_of(p, t);
    unsigned char *scratch = (unsigned char *)cursor + p->cursors_bytes + p->binner_bytes;
    for (int64_t at = hd__cpu_histogram_begin(n, p->threads, t); at < end; at += block) {
        const int64_t m = end - at < block ? end - at : block;
        const void *nodes = hd__read(&p->job->weights, p->from + at, m, scratch);
        if (p->k.size == 4)
            MOVE(uint32_t);
        else if (p->k.size == 8)
            MOVE(uint64_t);
        else
            MOVE(hd__pair_f64);
    }
}

// ---- Into the trees ---------------------------------------------------------------------------

static hd__tree tree_of(const plan *p, int64_t b)
{
    const hd__tree tree = {p->k.op, p->k.size, p->counts[b],
                           p->trees + (size_t)(b * p->levels) * p->k.size};
    return tree;
}

// The weights that a round brought to bin b: the largest perfect nodes the tree can take.
static void push_bin(const plan *p, int64_t b, int t)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[16];
    void *levels =
        (unsigned char *)cursors_of(p, t) + p->cursors_bytes + p->binner_bytes + p->reader_bytes;
    hd__tree tree = tree_of(p, b);
    for (uint32_t at = p->starts[b], end = p->starts[b + 1]; at < end;) {
        const int fits = 31 - __builtin_clz(end - at);
        const int aligned = tree.count == 0 ? fits : __builtin_ctzll((uint64_t)tree.count);
        const int level = aligned < fits ? aligned : fits;
        const unsigned char *first = p->sorted + (size_t)at * p->k.size;
        if (level > 0) hd__cpu_reduce_nodes(&p->k, first, (int64_t)1 << level, node, levels);
        hd__tree_push(&tree, level, level > 0 ? node : first);
        at += (uint32_t)1 << level;
    }
    p->counts[b] = tree.count;
}

static void add_round(const plan *p)
{
    hd__cpu_affinity affinity;
    if (p->threads > 1) hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        if (p->threads > 1) hd__cpu_affinity_spread(&affinity);
#pragma omp for schedule(static)
        for (int t = 0; t < p->threads; t++) count_range(p, t);
#pragma omp single
        counts_to_cursors(p);
#pragma omp for schedule(static)
        for (int t = 0; t < p->threads; t++) sort_range(p, t);
#pragma omp for schedule(dynamic, 16) nowait
        for (int64_t b = 0; b < p->job->bins; b++) push_bin(p, b, omp_get_thread_num());
    }
}

// The trees to out.
static void store_sums(const plan *p)
{
    const hd__histogram_job *job = p->job;
    int64_t inside = 0;
    for (int64_t b = 0; b < job->bins; b++) {
        _Alignas(HD__ALIGNMENT) unsigned char node[16] = {0};
        const hd__tree tree = tree_of(p, b);
        hd__cpu_histogram_store_node(job, b, node, hd__tree_fold(&tree, node));
        inside += tree.count;
    }
    if (job->outside != NULL) *job->outside = job->n - inside;
}

hd_status hd__cpu_histogram_sums(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    HD_TRY(prepare(ctx, job, &p));
    for (p.from = 0; p.from < job->n; p.from = p.to) {
        const int64_t left = job->n - p.from,
                      round = (int64_t)p.threads * hd__cpu_tune.histogram_tree_round;
        p.to = p.from + (left < round ? left : round);
        add_round(&p);
    }
    store_sums(&p);
    return HD_OK;
}

// ---- One thread, in memory of its own ---------------------------------------------------------

size_t hd__cpu_histogram_sums_bytes(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    return lay_out(ctx, job, 1, NULL, &p);
}

void hd__cpu_histogram_sums_alone(hd_context *ctx, const hd__histogram_job *job, void *memory)
{
    plan p;
    lay_out(ctx, job, 1, memory, &p);
    for (p.from = 0; p.from < job->n; p.from = p.to) {
        const int64_t left = job->n - p.from, round = hd__cpu_tune.histogram_tree_round;
        p.to = p.from + (left < round ? left : round);
        count_range(&p, 0);
        counts_to_cursors(&p);
        sort_range(&p, 0);
        for (int64_t b = 0; b < job->bins; b++) push_bin(&p, b, 0);
    }
    store_sums(&p);
}
