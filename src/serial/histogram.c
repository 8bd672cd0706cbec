// SPDX-License-Identifier: Apache-2.0
// The histogram as it is defined: each element's bin by its rule, one after another; counts, or the
// tree over the weights of a bin in the order in which its elements come.
#include "serial.h"
#include "core/convert.h"
#include "patterns/histogram/histogram.h"

#include <math.h>

#define BLOCK 256

// ---- The rules: a bin, or -1 ------------------------------------------------------------------

static int64_t below(const hd__bins *b)
{
    return b->clamp ? 0 : -1;
}

static int64_t above(const hd__bins *b)
{
    return b->clamp ? b->count - 1 : -1;
}

static int64_t integer_bin(const hd__bins *b, const void *value)
{
    int64_t v;
    hd__convert(HD_I64, &v, b->type, value, 1);
    if (b->type == HD_U64 && v < 0) return above(b); // past every i64
    if (v < b->first) return below(b);
    const uint64_t k = (uint64_t)v - (uint64_t)b->first;
    return k < (uint64_t)b->count ? (int64_t)k : above(b);
}

static int64_t even_bin(const hd__bins *b, const void *value)
{
    double v;
    hd__convert(HD_F64, &v, b->type, value, 1);
    if (isnan(v)) return -1;
    if (v < b->lower) return below(b);
    if (v > b->upper) return above(b);
    int64_t k = 0, end = b->count; // edge[k] <= v < edge[end], or end is above all bins
    while (end - k > 1) {
        const int64_t middle = k + (end - k) / 2;
        if (hd__even_edge(b, (double)middle) <= v)
            k = middle;
        else
            end = middle;
    }
    return k;
}

// The last edge that is not above the value; -1 if all are.
static int64_t whole_edge(const hd__bins *b, int64_t v)
{
    int64_t k = -1, end = b->count + 1; // edges[k] <= v < edges[end]
    while (end - k > 1) {
        const int64_t middle = k + (end - k) / 2;
        if (b->edges.i[middle] <= v)
            k = middle;
        else
            end = middle;
    }
    return k == b->count && b->edges.i[k] == v ? k - 1 : k;
}

static int64_t real_edge(const hd__bins *b, double v)
{
    int64_t k = -1, end = b->count + 1;
    while (end - k > 1) {
        const int64_t middle = k + (end - k) / 2;
        if (b->edges.f[middle] <= v)
            k = middle;
        else
            end = middle;
    }
    return k == b->count && b->edges.f[k] == v ? k - 1 : k;
}

static int64_t edge_bin(const hd__bins *b, const void *value)
{
    int64_t i, k;
    double f;
    if (b->whole) {
        hd__convert(HD_I64, &i, b->type, value, 1);
        k = whole_edge(b, b->type == HD_U64 ? (int64_t)((uint64_t)i ^ HD__TURN_SIGN) : i);
    } else {
        hd__convert(HD_F64, &f, b->type, value, 1);
        if (isnan(f)) return -1;
        k = real_edge(b, f);
    }
    return k < 0 ? below(b) : k >= b->count ? above(b) : k;
}

static int64_t letter_bin(const hd__bins *b, const void *value)
{
    const int letter = (*(const unsigned char *)value | 0x20) - 'a'; // of either case
    return letter >= 0 && letter < 26 ? letter / b->letters : -1;
}

static int64_t bin_of(const hd__bins *b, const void *value)
{
    switch (b->rule) {
    case HD__EVEN_BINS: return even_bin(b, value);
    case HD__EDGE_BINS: return edge_bin(b, value);
    case HD__LETTER_BINS: return letter_bin(b, value);
    case HD__INTEGER_BINS: break;
    }
    return integer_bin(b, value);
}

// ---- The walk -------------------------------------------------------------------------------

typedef struct walker {
    const hd__histogram_job *job;
    unsigned char *first, *second, *result; // scratch of the readers; one node and one result
    int64_t *counts;                        // a bin
    int64_t outside;
    int32_t *bin; // weighted: of each element, -1: outside
} walker;

// The bin of an element whose value, and that of the second axis, are at hand.
static int64_t joint_bin(const hd__histogram_job *job, const void *first, const void *second)
{
    const int64_t row = bin_of(&job->first.bins, first);
    if (job->axes == 1 || row < 0) return row;
    const int64_t column = bin_of(&job->second.bins, second);
    return column < 0 ? -1 : row * job->second.bins.count + column;
}

static void walk(walker *w)
{
    const hd__histogram_job *job = w->job;
    const size_t step = job->first.raw.node_size, second_step = job->second.raw.node_size;
    for (int64_t at = 0; at < job->n; at += BLOCK) {
        const int64_t m = job->n - at < BLOCK ? job->n - at : BLOCK;
        const unsigned char *v = hd__read(&job->first.in, at, m, w->first), *u = v;
        if (job->axes == 2) u = hd__read(&job->second.in, at, m, w->second);
        for (int64_t i = 0; i < m; i++) {
            const int64_t b = joint_bin(job, v + (size_t)i * step,
                                        job->axes == 2 ? u + (size_t)i * second_step : NULL);
            if (b < 0)
                w->outside++;
            else
                w->counts[b]++;
            if (w->bin != NULL) w->bin[at + i] = (int32_t)b;
        }
    }
}

static void store_counts(const walker *w)
{
    const hd__histogram_job *job = w->job;
    uint64_t old, sum;
    for (int64_t b = 0; b < job->bins; b++) {
        unsigned char output[8];
        hd__gather(&job->out, b, 1, output);
        hd__convert(HD_U64, &old, job->out.type, output, 1);
        sum = (uint64_t)w->counts[b] + (job->add ? old : 0);
        hd__convert(job->out.type, output, HD_U64, &sum, 1);
        hd__scatter(&job->out, b, 1, output);
    }
}

// ---- Weights --------------------------------------------------------------------------------

// Bin b is the tree over the weights of its elements, of which order lists the indices.
static void store_sum(const walker *w, int64_t b, const int64_t *order, int64_t count)
{
    const hd__histogram_job *job = w->job;
    const hd__fold *f = &job->fold;
    enum { NODE = sizeof(hd__limbs_wide) }; // the largest
    _Alignas(HD__ALIGNMENT) unsigned char node[NODE], output[8], old[NODE],
        waiting[HD__LEVELS * NODE];
    hd__tree tree = {f->node, f->node_size, 0, waiting};
    for (int64_t k = 0; k < count; k++)
        hd__tree_push(&tree, 0, hd__read(&job->weights, order[k], 1, w->result));
    if (!hd__tree_fold(&tree, node)) {
        if (job->add) return;
        hd__finalize_empty(f, output, NULL);
    } else {
        if (job->add) {
            hd__gather(&job->out, b, 1, output);
            hd__load_output(f, output, old);
            hd__combine(f->node, node, old, node, 1);
        }
        hd__finalize(f, node, 1, NULL, count, output, NULL);
    }
    hd__scatter(&job->out, b, 1, output);
}

// Counts become where each bin begins in the list of indices, then where it ends.
static void store_sums(const walker *w, int64_t *order)
{
    int64_t start = 0;
    for (int64_t b = 0; b < w->job->bins; b++) {
        const int64_t count = w->counts[b];
        w->counts[b] = start;
        start += count;
    }
    for (int64_t i = 0; i < w->job->n; i++)
        if (w->bin[i] >= 0) order[w->counts[w->bin[i]]++] = i;
    for (int64_t b = 0; b < w->job->bins; b++) {
        const int64_t begin = b > 0 ? w->counts[b - 1] : 0;
        store_sum(w, b, order + begin, w->counts[b] - begin);
    }
}

static hd_status histogram_of(hd_context *ctx, const hd__histogram_job *job)
{
    const size_t first = hd__padded(hd__reader_bytes(&job->first.in, BLOCK));
    const size_t second = job->axes == 2 ? hd__padded(hd__reader_bytes(&job->second.in, BLOCK)) : 0;
    const size_t weight = job->weighted ? hd__padded(hd__reader_bytes(&job->weights, 1)) : 0;
    const size_t counts = hd__padded((size_t)job->bins * sizeof(int64_t));
    const size_t bins = job->weighted ? hd__padded((size_t)job->n * sizeof(int32_t)) : 0;
    const size_t order = job->weighted ? (size_t)job->n * sizeof(int64_t) : 0;
    unsigned char *memory = hd__scratch(ctx, first + second + weight + counts + bins + order);
    if (memory == NULL) return HD_ERROR_MEMORY;
    walker w = {.job = job, .first = memory};
    w.second = w.first + first;
    w.result = w.second + second;
    w.counts = (int64_t *)(w.result + weight);
    w.bin = job->weighted ? (int32_t *)(w.result + weight + counts) : NULL;
    memset(w.counts, 0, counts);
    walk(&w);
    if (job->outside != NULL) *job->outside = w.outside;
    if (job->weighted)
        store_sums(&w, (int64_t *)(w.result + weight + counts + bins));
    else
        store_counts(&w);
    return HD_OK;
}

static hd_status histograms_of_slices(hd_context *ctx, const hd__histogram_job *job)
{
    hd__histogram_job part;
    HD_TRY(hd__histogram_check_slices(ctx, job));
    hd__histogram_begin_slices(job, &part);
    for (int64_t j = 0; j < job->slice_count; j++) {
        int64_t outside;
        part.outside = &outside;
        hd__histogram_slice(job, j, &part);
        HD_TRY(histogram_of(ctx, &part));
        hd__histogram_give_outside(job, j, outside);
    }
    return HD_OK;
}

hd_status hd__serial_histogram(hd_context *ctx, const void *any, const char **why)
{
    const hd__histogram_job *job = any;
    (void)why; // never declines
    return job->slices == HD__EVERYTHING ? histogram_of(ctx, job) : histograms_of_slices(ctx, job);
}
