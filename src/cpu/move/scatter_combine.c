// SPDX-License-Identifier: Apache-2.0
// Scatter that combines. An operator whose bits do not depend on the order goes into its
// destination source by source. Any other needs the tree over the sources of each destination: they
// are partitioned by bucket, grouped by destination within it, and reduced.
#include "scatter.h"
#include "core/system/float_state.h"
#include "patterns/move/indices.h"
#include "buckets.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_block.h"
#include "cpu/tree/superaccumulator.h"
#include "scatter_buckets.h"

#include <stdlib.h>

#define TILE HD__CPU_SOURCE_TILE

// ---- Source by source -------------------------------------------------------------------------

// out[at[i]] += value[i], or any other operator, one after another.
typedef void add_one(const hd__cpu_tree_kernels *k, void *destination, const void *value);

static void add_u32(const hd__cpu_tree_kernels *k, void *destination, const void *value)
{
    (void)k;
    *(uint32_t *)destination += *(const uint32_t *)value;
}

static void add_u64(const hd__cpu_tree_kernels *k, void *destination, const void *value)
{
    (void)k;
    *(uint64_t *)destination += *(const uint64_t *)value;
}

static void add_f32(const hd__cpu_tree_kernels *k, void *destination, const void *value)
{
    (void)k;
    *(float *)destination += *(const float *)value;
}

static void add_f64(const hd__cpu_tree_kernels *k, void *destination, const void *value)
{
    (void)k;
    *(double *)destination += *(const double *)value;
}

static void combine_one(const hd__cpu_tree_kernels *k, void *destination, const void *value)
{
    k->micro.combine(destination, destination, value, 1, k->micro.state);
}

// Values of records lie at multiples of 4 bytes unless they have 8: users' structures may need
// more.
static void combine_copy(const hd__cpu_tree_kernels *k, void *destination, const void *value)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    memcpy(node, value, k->size);
    k->micro.combine(destination, destination, node, 1, k->micro.state);
}

static add_one *find_add(const hd__fold *f)
{
    if (f->op != HD__SUM) return combine_one;
    switch (f->number) {
    case HD_I32:
    case HD_U32: return add_u32;
    case HD_I64:
    case HD_U64: return add_u64;
    case HD_F32: return add_f32;
    case HD_F64: return add_f64;
    default: return combine_one;
    }
}

// Inlined once for each operator, so that the loop has no call in it.
static inline __attribute__((always_inline)) void add_records(const hd__cpu_tree_kernels *k,
                                                              add_one *add, const char *records,
                                                              size_t step, size_t skip, int64_t n,
                                                              char *destinations)
{
    for (int64_t i = 0; i < n; i++, records += step) {
        uint32_t near;
        memcpy(&near, records, sizeof near);
        add(k, destinations + (size_t)near * k->size, records + skip);
    }
}

static void add_bucket(const hd__cpu_sources *s, const hd__cpu_tree_kernels *k, add_one *add,
                       int64_t b)
{
    int64_t n;
    const char *records = hd__cpu_sources_of(s, b, &n);
    char *destinations = (char *)(uintptr_t)hd__at(&s->job->out, b << s->shift);
    if (add == add_u32)
        add_records(k, add_u32, records, 8, 4, n, destinations);
    else if (add == add_u64)
        add_records(k, add_u64, records, 16, 8, n, destinations);
    else if (add == add_f32)
        add_records(k, add_f32, records, 8, 4, n, destinations);
    else if (add == add_f64)
        add_records(k, add_f64, records, 16, 8, n, destinations);
    else if (k->size % 8 == 0 && k->size != 8)
        add_records(k, combine_copy, records, s->record_bytes, 4, n, destinations);
    else
        add_records(k, add, records, s->record_bytes, s->value_bytes == 8 ? 8 : 4, n, destinations);
}

static hd_status add_partitioned(hd_context *ctx, const hd__scatter_job *job,
                                 const hd__cpu_tree_kernels *k, int threads,
                                 hd__cpu_progress *progress)
{
    const int64_t round_max = hd__cpu_tune.scatter_round;
    hd__cpu_sources s;
    const int64_t n = job->in.n, most = n < round_max ? n : round_max;
    const size_t bytes = hd__cpu_sources_plan(&s, job, threads, most, progress);
    void *memory = hd__scratch(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_advise_huge(memory, bytes);
    hd__cpu_sources_layout(&s, memory, most);
    add_one *add = find_add(&job->fold);
    for (s.begin = 0; s.begin < n && !hd__cpu_is_stopped(progress); s.begin = s.end) {
        s.end = n - s.begin < most ? n : s.begin + most;
        hd__cpu_sources_partition(&s);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
        for (int64_t b = 0; b < s.buckets; b++) {
            HD__FLOAT_STATE;
            if (hd__cpu_sources_go_on(&s, b)) add_bucket(&s, k, add, b);
        }
    }
    hd__cpu_sources_report(&s);
    return hd__cpu_progress_status(progress);
}

static hd_status add_straight(hd_context *ctx, const hd__scatter_job *job,
                              const hd__cpu_tree_kernels *k, hd__cpu_progress *progress)
{
    char *tile = hd__scratch(ctx, hd__padded(hd__reader_bytes(&job->in, TILE)) + 1);
    if (tile == NULL) return HD_ERROR_MEMORY;
    add_one *add = find_add(&job->fold);
    int64_t index[TILE], bad = -1;
    for (int64_t at = 0; at < job->in.n; at += TILE) {
        if (!hd__cpu_goes_on_in(progress, 0, 1000, at, job->in.n)) break;
        const int64_t m = job->in.n - at < TILE ? job->in.n - at : TILE;
        const char *values = hd__read(&job->in, at, m, tile);
        hd__indices(&job->index, at, m, index);
        for (int64_t i = 0; i < m; i++)
            if (hd__within(index[i], job->limit))
                add(k, (void *)(uintptr_t)hd__at(&job->out, index[i]),
                    values + (size_t)i * k->size);
            else if (bad < 0)
                bad = at + i;
    }
    if (job->bad != NULL) *job->bad = bad;
    return hd__cpu_progress_status(progress);
}

// ---- The tree over the sources of a place ------------------------------------------------------

// One thread's tools.
typedef struct grouper {
    const hd__cpu_sources *s;
    const hd__cpu_tree_kernels *k;
    char *grouped;    // all sources' nodes (or elements), those of a bucket where its records are
    int64_t *numbers; // a count for each place of a bucket, or a key for each of few sources
    void *levels;     // or tables, of an exact sum
} grouper;

// The nodes of one place in order: reduced, and combined with what is there.
static void finish_destination(const grouper *g, int64_t destination, const char *nodes, int64_t n)
{
    const hd__scatter_job *job = g->s->job;
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    if (g->k->limbs != HD_NONE)
        hd__cpu_limbs_sum(g->k->limbs, job->fold.element, nodes, n, node, g->k->exact, g->levels);
    else if (n == 1)
        memcpy(node, nodes, g->k->size);
    else
        hd__cpu_reduce_nodes(g->k, nodes, n, node, g->levels);
    if (job->fold.direct_out && job->out.type != HD_BOOL && hd__is_contiguous(&job->out)) {
        void *to = (void *)(uintptr_t)hd__at(&job->out, destination);
        g->k->micro.combine(to, to, node, 1, g->k->micro.state);
    } else {
        hd__combine_into(job, destination, node);
    }
}

static uint32_t near_of(const hd__cpu_sources *s, const char *records, int64_t i)
{
    uint32_t near;
    memcpy(&near, records + (size_t)i * s->record_bytes, sizeof near);
    return near;
}

static const char *value_of(const hd__cpu_sources *s, const char *records, int64_t i)
{
    return records + (size_t)i * s->record_bytes + (s->value_bytes == 8 ? 8 : 4);
}

// Many sources for the places there are: counted, laid out by place.
static void group_by_count(const grouper *g, int64_t b, const char *records, int64_t n, char *nodes)
{
    const hd__cpu_sources *s = g->s;
    const size_t size = s->value_bytes;
    const int64_t first = b << s->shift, left = s->job->limit - first;
    const int64_t destinations = left < (int64_t)1 << s->shift ? left : (int64_t)1 << s->shift;
    int64_t *end = g->numbers;
    memset(end, 0, (size_t)(destinations + 1) * sizeof *end);
    for (int64_t i = 0; i < n; i++) end[near_of(s, records, i) + 1]++;
    for (int64_t p = 0; p < destinations; p++) end[p + 1] += end[p];
    for (int64_t i = 0; i < n; i++) { // afterwards end[p] is where place p's nodes end
        const int64_t at = end[near_of(s, records, i)]++;
        hd__copy_node(nodes + (size_t)at * size, value_of(s, records, i), size);
    }
    for (int64_t p = 0, begin = 0; p < destinations; begin = end[p], p++)
        if (end[p] > begin)
            finish_destination(g, first + p, nodes + (size_t)begin * size, end[p] - begin);
}

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Few sources: sorted by place, then by order.
static void group_by_sort(const grouper *g, int64_t b, const char *records, int64_t n, char *nodes)
{
    const hd__cpu_sources *s = g->s;
    const size_t size = s->value_bytes;
    int64_t *key = g->numbers;
    for (int64_t i = 0; i < n; i++) key[i] = (int64_t)near_of(s, records, i) << 32 | i;
    qsort(key, (size_t)n, sizeof *key, by_number);
    for (int64_t i = 0; i < n; i++)
        memcpy(nodes + (size_t)i * size, value_of(s, records, key[i] & UINT32_MAX), size);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && key[end] >> 32 == key[begin] >> 32;) end++;
        finish_destination(g, (b << s->shift) + (key[begin] >> 32), nodes + (size_t)begin * size,
                           end - begin);
    }
}

// Whether sorting n sources of a bucket is less work than looking at all its places.
static bool is_small(int64_t n, int shift)
{
    return n < (int64_t)1 << shift >> 3;
}

static void group_bucket(const grouper *g, int64_t b)
{
    const hd__cpu_sources *s = g->s;
    int64_t n;
    const char *records = hd__cpu_sources_of(s, b, &n);
    char *nodes = g->grouped + (size_t)s->starts[b * s->chunks] * s->value_bytes;
    if (n == 0) return;
    if (is_small(n, s->shift))
        group_by_sort(g, b, records, n, nodes);
    else
        group_by_count(g, b, records, n, nodes);
}

static hd_status combine_partitioned(hd_context *ctx, const hd__scatter_job *job,
                                     const hd__cpu_tree_kernels *k, int threads,
                                     hd__cpu_progress *progress)
{
    hd__cpu_sources s;
    const int64_t n = job->in.n;
    const size_t sources = hd__cpu_sources_plan(&s, job, threads, n, progress);
    const size_t nodes = hd__padded((size_t)n * s.value_bytes);
    const int64_t destinations = (int64_t)1 << s.shift;
    const size_t numbers =
        hd__padded((size_t)(is_small(n, s.shift) ? n : destinations + 1) * sizeof(int64_t));
    const size_t levels = k->limbs != HD_NONE
                              ? hd__cpu_limbs_bytes()
                              : hd__padded(hd__cpu_levels_bytes(k, hd__cpu_block_nodes(k->size)));
    const size_t bytes = sources + nodes + (size_t)threads * (numbers + levels);
    char *memory = hd__scratch(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_advise_huge(memory, sources + nodes);
    hd__cpu_sources_layout(&s, memory, n);
    s.begin = 0, s.end = n;
    hd__cpu_sources_partition(&s);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        char *own = memory + sources + nodes + (size_t)omp_get_thread_num() * (numbers + levels);
        const grouper g = {&s, k, memory + sources, (int64_t *)own, own + numbers};
        if (k->limbs != HD_NONE) hd__cpu_limbs_clear(g.levels);
#pragma omp for schedule(dynamic, 1)
        for (int64_t b = 0; b < s.buckets; b++)
            if (hd__cpu_sources_go_on(&s, b)) group_bucket(&g, b);
    }
    hd__cpu_sources_report(&s);
    return hd__cpu_progress_status(progress);
}

// Whether any order gives the right bits, and nodes lie in out as they are.
static bool takes_any_order(const hd__scatter_job *job)
{
    const hd__fold *f = &job->fold;
    const bool any = job->any_order || (f->node->flags & HD_EXACT) != 0;
    return any && f->direct_out && f->out != HD_BOOL && hd__is_contiguous(&job->out) &&
           (uintptr_t)job->out.data % (f->out_size < 8 ? f->out_size : 8) == 0;
}

hd_status hd__cpu_scatter_combine(hd_context *ctx, const hd__scatter_job *job)
{
    hd__cpu_tree_kernels k;
    hd__cpu_tree_kernels_of(ctx, &job->fold, &k);
    const int threads = hd__cpu_scatter_threads(ctx, job);
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    if (!takes_any_order(job)) return combine_partitioned(ctx, job, &k, threads, &progress);
    if (threads == 1) return add_straight(ctx, job, &k, &progress);
    return add_partitioned(ctx, job, &k, threads, &progress);
}
