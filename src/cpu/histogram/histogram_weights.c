// SPDX-License-Identifier: Apache-2.0
// Weighted histograms. Sums that are exact in any order (integers), and those the caller leaves in
// any order, are added up in tables of the threads. Floats in the order of the source go to
// histogram_sums.c, or, where bins are many, are first sorted by bin, stably; then bins are
// segments of a reduction.
#include "core/arguments.h"
#include "core/convert.h"
#include "core/system/float_state.h"
#include "histogram.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"

typedef struct plan {
    hd_context *ctx;
    const hd__histogram_job *job;
    int threads;
    size_t thread_bytes, table_bytes, binner_bytes;
    unsigned char *memory; // a table, a binner and a reader's scratch for each thread
} plan;

static unsigned char *workspace_of(const plan *p, int t)
{
    return p->memory + (size_t)t * p->thread_bytes;
}

// The bytes that a plan of so many threads needs, with counters or nodes of a size in its tables.
static size_t lay_out(hd_context *ctx, const hd__histogram_job *job, int threads, size_t counter,
                      plan *p)
{
    p->ctx = ctx;
    p->job = job;
    p->threads = threads;
    p->table_bytes = hd__padded((size_t)(job->bins + 1) * counter);
    p->binner_bytes = hd__padded(hd__cpu_binner_bytes(job));
    p->thread_bytes = p->table_bytes + p->binner_bytes +
                      hd__padded(hd__reader_bytes(&job->weights, hd__cpu_tune.histogram_block));
    return (size_t)threads * p->thread_bytes;
}

static hd_status prepare(hd_context *ctx, const hd__histogram_job *job, size_t counter, plan *p)
{
    const int64_t most = hd__cpu_tune.histogram_weight_counters_max / (job->bins + 1);
    int threads = hd__cpu_threads_for(ctx, job->n, 4 * job->first.raw.element_size + 16);
    if (threads > most) threads = most > 1 ? (int)most : 1;
    p->memory = hd__scratch(ctx, lay_out(ctx, job, threads, counter, p));
    return p->memory != NULL ? HD_OK : HD_ERROR_MEMORY;
}

void hd__cpu_histogram_store_node(const hd__histogram_job *job, int64_t b, void *node, bool reached)
{
    const hd__fold *f = &job->fold;
    _Alignas(HD__ALIGNMENT) unsigned char place[8], old[sizeof(hd__limbs_wide)];
    if (!reached && job->add) return;
    if (!reached) {
        hd__finalize_empty(f, place, NULL);
    } else {
        if (job->add) {
            hd__gather(&job->out, b, 1, place);
            hd__load_output(f, place, old);
            hd__combine(f->node, node, old, node, 1);
        }
        hd__finalize(f, node, 1, NULL, 1, place, NULL);
    }
    if (hd__is_contiguous(&job->out))
        hd__copy_node((void *)(uintptr_t)hd__at(&job->out, b), place, f->out_size);
    else
        hd__scatter(&job->out, b, 1, place);
}

// ---- Any order --------------------------------------------------------------------------------

#define ADD(T)                                                                                     \
    for (int64_t i = 0; i < n; i++) ((T *)table)[bin[i]] += ((const T *)nodes)[i]

static void add_weights(const hd__fold *f, const uint32_t *bin, const void *nodes, int64_t n,
                        void *table)
{
    if (f->number == HD_F32) {
        ADD(float);
    } else if (f->number == HD_F64) {
        ADD(double);
    } else {
        switch (f->node_size) {
        case 1: ADD(uint8_t); break;
        case 2: ADD(uint16_t); break;
        case 4: ADD(uint32_t); break;
        default: ADD(uint64_t); break;
        }
    }
}

// Elements outside all bins are counted; their weights go to the last element of the table.
static int64_t add_range(const plan *p, int t)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const hd__histogram_job *job = p->job;
    unsigned char *table = workspace_of(p, t), *scratch = table + p->table_bytes + p->binner_bytes;
    const int64_t end = hd__cpu_histogram_begin(job->n, p->threads, t + 1);
    int64_t outside = 0;
    hd__cpu_binner b;
    hd__cpu_binner_init(&b, p->ctx, job, table + p->table_bytes);
    memset(table, 0, p->table_bytes);
    for (int64_t at = hd__cpu_histogram_begin(job->n, p->threads, t); at < end; at += block) {
        const int64_t n = end - at < block ? end - at : block;
        const uint32_t *bin = hd__cpu_binner_bins(&b, at, n);
        add_weights(&job->fold, bin, hd__read(&job->weights, at, n, scratch), n, table);
        for (int64_t i = 0; i < n; i++) outside += bin[i] == (uint32_t)job->bins;
    }
    return outside;
}

// The first table, which holds all sums, to out.
static void store_tables(const plan *p)
{
    for (int64_t b = 0; b < p->job->bins; b++)
        hd__cpu_histogram_store_node(p->job, b,
                                     workspace_of(p, 0) + (size_t)b * p->job->fold.node_size, true);
}

static hd_status add_in_tables(hd_context *ctx, const hd__histogram_job *job)
{
    const hd__fold *f = &job->fold;
    int64_t outside = 0;
    plan p;
    HD_TRY(prepare(ctx, job, f->node_size, &p));
#pragma omp parallel for num_threads(p.threads) reduction(+ : outside) if (p.threads > 1)          \
    schedule(static)
    for (int t = 0; t < p.threads; t++) {
        HD__FLOAT_STATE;
        outside += add_range(&p, t);
    }
    for (int t = 1; t < p.threads; t++)
        hd__combine(f->node, workspace_of(&p, 0), workspace_of(&p, 0), workspace_of(&p, t),
                    job->bins);
    store_tables(&p);
    if (job->outside != NULL) *job->outside = outside;
    return HD_OK;
}

// ---- In order ---------------------------------------------------------------------------------

typedef struct sorting {
    plan p;
    size_t size; // of a weight
    uint32_t *bin;
    int64_t *starts;       // bins + 2 of them: where the weights of each bin begin
    unsigned char *sorted; // weights by bin; those outside last
    unsigned char *sums;   // nodes of bins, where out needs another step
} sorting;

static int64_t *counts_of(const sorting *s, int t)
{
    return (int64_t *)workspace_of(&s->p, t);
}

static void count_range(const sorting *s, int t)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const hd__histogram_job *job = s->p.job;
    const int64_t end = hd__cpu_histogram_begin(job->n, s->p.threads, t + 1);
    int64_t *counts = counts_of(s, t);
    hd__cpu_binner b;
    hd__cpu_binner_init(&b, s->p.ctx, job, workspace_of(&s->p, t) + s->p.table_bytes);
    memset(counts, 0, s->p.table_bytes);
    for (int64_t at = hd__cpu_histogram_begin(job->n, s->p.threads, t); at < end; at += block) {
        const int64_t n = end - at < block ? end - at : block;
        const uint32_t *bin = hd__cpu_binner_bins(&b, at, n);
        memcpy(s->bin + at, bin, (size_t)n * sizeof *bin);
        for (int64_t i = 0; i < n; i++) counts[bin[i]]++;
    }
}

// Counts become places: bin by bin, and within a bin thread by thread.
static void counts_to_cursors(const sorting *s)
{
    int64_t at = 0;
    for (int64_t b = 0; b <= s->p.job->bins; b++) {
        s->starts[b] = at;
        for (int t = 0; t < s->p.threads; t++) {
            const int64_t count = counts_of(s, t)[b];
            counts_of(s, t)[b] = at;
            at += count;
        }
    }
}

#define MOVE(T)                                                                                    \
    for (int64_t i = 0; i < n; i++) ((T *)s->sorted)[place[bin[i]]++] = ((const T *)from)[i]

static void sort_range(const sorting *s, int t)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const hd_view *weights = &s->p.job->weights.view[0];
    const int64_t end = hd__cpu_histogram_begin(s->p.job->n, s->p.threads, t + 1);
    int64_t *place = counts_of(s, t);
    unsigned char *gathered = workspace_of(&s->p, t) + s->p.table_bytes; // the binner is done
    for (int64_t at = hd__cpu_histogram_begin(s->p.job->n, s->p.threads, t); at < end;
         at += block) {
        const int64_t n = end - at < block ? end - at : block;
        const uint32_t *bin = s->bin + at;
        const void *from =
            hd__is_contiguous(weights) ? (const void *)hd__at(weights, at) : (const void *)gathered;
        if (from == gathered) hd__gather(weights, at, n, gathered);
        switch (s->size) {
        case 1: MOVE(uint8_t); break;
        case 2: MOVE(uint16_t); break;
        case 4: MOVE(uint32_t); break;
        default: MOVE(uint64_t); break;
        }
    }
}

static void sort_by_bin(const sorting *s)
{
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(s->p.threads) if (s->p.threads > 1)
    {
        HD__FLOAT_STATE;
        if (s->p.threads > 1) hd__cpu_affinity_spread(&affinity);
#pragma omp for schedule(static)
        for (int t = 0; t < s->p.threads; t++) count_range(s, t);
#pragma omp single
        counts_to_cursors(s);
#pragma omp for schedule(static) nowait
        for (int t = 0; t < s->p.threads; t++) sort_range(s, t);
    }
}

// Bins as segments of a reduction of the sorted weights: into out, or where something is to be
// added to, into nodes first.
static hd_status reduce_bins(hd_context *ctx, const sorting *s)
{
    const hd__histogram_job *job = s->p.job;
    hd__reduce_job reduction = {.fold = job->fold, .slices = HD__SEGMENTS, .out = job->out};
    const int64_t n = s->starts[job->bins];
    reduction.segments = HD_VIEW(s->starts, job->bins + 1);
    if (s->sums != NULL) {
        const hd_type node = HD_STRUCT_OF(job->fold.node_size);
        reduction.fold.out = job->fold.form == HD__PLAIN ? job->fold.number : node;
        reduction.fold.out_size = job->fold.node_size;
        reduction.fold.direct_out = true;
        reduction.out = hd_view_of(reduction.fold.out, s->sums, job->bins);
    }
    reduction.in.map = NULL;
    reduction.in.n = n;
    reduction.in.inputs = 1;
    reduction.in.view[0] = hd_view_of(job->fold.element, s->sorted, n);
    hd__finish_reader(&reduction.in, &reduction.fold, false);
    HD_TRY(hd__cpu_reduce_segments(ctx, &reduction));
    for (int64_t b = 0; s->sums != NULL && b < job->bins; b++)
        hd__cpu_histogram_store_node(job, b, s->sums + (size_t)b * job->fold.node_size,
                                     s->starts[b + 1] > s->starts[b]);
    return HD_OK;
}

static hd_status add_in_order(hd_context *ctx, const hd__histogram_job *job)
{
    sorting s = {.size = job->fold.element_size};
    const size_t n = (size_t)job->n, bins = (size_t)job->bins;
    const size_t bin = hd__padded(n * sizeof *s.bin);
    const size_t starts = hd__padded((bins + 2) * sizeof *s.starts);
    const size_t sorted = hd__padded(n * s.size + 1);
    const size_t sums = job->add ? hd__padded(bins * job->fold.node_size) : 0;
    const size_t bytes = bin + starts + sorted + sums;
    HD_TRY(prepare(ctx, job, sizeof(int64_t), &s.p));
    unsigned char *memory = hd__allocate(ctx, bytes); // the reduction needs the scratch
    if (memory == NULL) return HD_ERROR_MEMORY;
    s.bin = (uint32_t *)memory;
    s.starts = (int64_t *)(memory + bin);
    s.sorted = memory + bin + starts;
    s.sums = job->add ? s.sorted + sorted : NULL;
    sort_by_bin(&s);
    if (job->outside != NULL) *job->outside = job->n - s.starts[job->bins];
    const hd_status status = reduce_bins(ctx, &s);
    hd__release(ctx, memory, bytes);
    return status;
}

// ---- Which way --------------------------------------------------------------------------------

typedef enum way { IN_TABLES, IN_TREES, BY_SORTING } way;

static way way_of(const hd__histogram_job *job)
{
    const bool exact = hd__is_integer(job->fold.number);
    const bool free_order = exact || (job->any_order && job->fold.form == HD__PLAIN);
    if (job->fold.form == HD__LIMBS) return BY_SORTING;
    if (free_order && job->bins <= hd__cpu_tune.histogram_weight_bins_max) return IN_TABLES;
    return !exact && job->bins <= hd__cpu_tune.histogram_tree_bins_max ? IN_TREES : BY_SORTING;
}

hd_status hd__cpu_histogram_weights(hd_context *ctx, const hd__histogram_job *job)
{
    switch (way_of(job)) {
    case IN_TABLES: return add_in_tables(ctx, job);
    case IN_TREES: return hd__cpu_histogram_sums(ctx, job);
    case BY_SORTING: break;
    }
    return add_in_order(ctx, job);
}

// ---- One thread, in memory of its own ---------------------------------------------------------

bool hd__cpu_histogram_weights_are_simple(const hd__histogram_job *job)
{
    return way_of(job) != BY_SORTING;
}

size_t hd__cpu_histogram_weights_bytes(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    return way_of(job) == IN_TREES ? hd__cpu_histogram_sums_bytes(ctx, job)
                                   : lay_out(ctx, job, 1, job->fold.node_size, &p);
}

void hd__cpu_histogram_weights_alone(hd_context *ctx, const hd__histogram_job *job, void *memory)
{
    plan p;
    if (way_of(job) == IN_TREES) {
        hd__cpu_histogram_sums_alone(ctx, job, memory);
        return;
    }
    lay_out(ctx, job, 1, job->fold.node_size, &p);
    p.memory = memory;
    const int64_t outside = add_range(&p, 0);
    store_tables(&p);
    if (job->outside != NULL) *job->outside = outside;
}
