// SPDX-License-Identifier: Apache-2.0
// Histograms: threads count their shares into tables of their own, which are then added up. Values
// of one or two bytes, very many bins and weights have files of their own.
#include "cpu/histogram.h"
#include "cpu/isa.h"
#include "cpu/placement.h"

#include <omp.h>

#define BLOCK HD__HISTOGRAM_BLOCK

// Elements after which counters of 32 bits are emptied into out.
#define ROUND ((int64_t)1 << 31)

// Tables a thread counts into in turn, so that an element need not wait for the one before it that
// fell into the same bin: four within the first cache, then one.
#define FOUR_TABLES 2048

typedef struct plan {
    hd_context *ctx;
    const hd__histogram_job *job;
    int threads, copies;
    int64_t stride; // counters from table to table
    size_t thread_bytes, table_bytes;
    unsigned char *memory;
    int64_t from, to; // elements of this round
} plan;

int64_t hd__histogram_share(int64_t n, int threads, int t)
{
    return t >= threads ? n : (int64_t)((__extension__(__int128) n * t / threads) & ~(int64_t)63);
}

// ---- Counts into out --------------------------------------------------------------------------

static void store_some(const hd__histogram_job *job, bool add, int64_t first, int64_t n,
                       const uint32_t *counts)
{
    const hd_view *out = &job->out;
    unsigned char some[8];
    for (int64_t k = 0; k < n; k++) {
        uint64_t sum = 0;
        uint32_t narrow;
        hd__gather(out, first + k, 1, some);
        if (hd__size_of(out->type) == 8) {
            memcpy(&sum, some, 8);
            sum = (add ? sum : 0) + counts[k];
            memcpy(some, &sum, 8);
        } else {
            memcpy(&narrow, some, 4);
            narrow = (add ? narrow : 0) + counts[k];
            memcpy(some, &narrow, 4);
        }
        hd__scatter(out, first + k, 1, some);
    }
}

void hd__histogram_store(const hd__histogram_job *job, bool add, int64_t first, int64_t n,
                         const uint32_t *counts)
{
    const hd_view *out = &job->out;
    if (!hd__is_contiguous(out)) {
        store_some(job, add, first, n, counts);
    } else if (hd__size_of(out->type) == 8) {
        uint64_t *to = (uint64_t *)out->data + first;
        for (int64_t k = 0; k < n; k++) to[k] = (add ? to[k] : 0) + counts[k];
    } else {
        uint32_t *to = (uint32_t *)out->data + first;
        for (int64_t k = 0; k < n; k++) to[k] = (add ? to[k] : 0) + counts[k];
    }
}

// ---- The plain way ----------------------------------------------------------------------------

static uint32_t *table_of(const plan *p, int t)
{
    return (uint32_t *)(p->memory + (size_t)t * p->thread_bytes);
}

static hd_status prepare(hd_context *ctx, const hd__histogram_job *job, plan *p)
{
    p->ctx = ctx;
    p->job = job;
    p->threads = hd__worth_threads(ctx, job->n, 4 * job->first.raw.element_size);
    p->copies = job->bins <= FOUR_TABLES ? 4 : 1;
    p->stride = (job->bins + 1 + 15) / 16 * 16;
    p->table_bytes = (size_t)p->copies * (size_t)p->stride * sizeof(uint32_t);
    p->thread_bytes = p->table_bytes + hd__padded(hd__binner_bytes(job));
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->thread_bytes);
    return p->memory != NULL ? HD_OK : HD_ERROR_MEMORY;
}

// Thread t's share of the round, into its first table.
static void count_share(const plan *p, int t)
{
    uint32_t *table = table_of(p, t);
    const int64_t n = p->to - p->from;
    const int64_t end = p->from + hd__histogram_share(n, p->threads, t + 1);
    hd__binner b;
    hd__binner_init(&b, p->ctx, p->job, (unsigned char *)table + p->table_bytes);
    memset(table, 0, p->table_bytes);
    for (int64_t at = p->from + hd__histogram_share(n, p->threads, t); at < end; at += BLOCK) {
        const int64_t m = end - at < BLOCK ? end - at : BLOCK;
        b.micro->count(hd__binner_bins(&b, at, m), m, table, p->stride, p->copies);
    }
}

// Adds bins first .. first + n - 1 of all tables up in the first, and stores them.
static void merge(const plan *p, int64_t first, int64_t n)
{
    uint32_t *sum = table_of(p, 0) + first;
    for (int t = 0; t < p->threads; t++)
        for (int c = 0; c < p->copies; c++) {
            const uint32_t *other = table_of(p, t) + c * p->stride + first;
            for (int64_t k = 0; other != sum && k < n; k++) sum[k] += other[k];
        }
    const int64_t last = p->job->bins; // the counter there is of what is outside
    const int64_t inside = first + n > last ? last - first : n;
    hd__histogram_store(p->job, p->job->add || p->from > 0, first, inside, sum);
}

#define MERGE 8192 // bins that a thread merges at a time

static void count_round(const plan *p)
{
    hd__placement placement;
    hd__placement_begin(&placement);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        if (p->threads > 1) hd__placement_settle(&placement);
#pragma omp for schedule(static)
        for (int t = 0; t < p->threads; t++) count_share(p, t);
#pragma omp for schedule(static)
        for (int64_t first = 0; first <= p->job->bins; first += MERGE) {
            const int64_t left = p->job->bins + 1 - first;
            merge(p, first, left < MERGE ? left : MERGE);
        }
    }
}

static hd_status count_plainly(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    int64_t outside = 0;
    HD_TRY(prepare(ctx, job, &p));
    for (p.from = 0; p.from == 0 || p.from < job->n; p.from = p.to) {
        p.to = job->n - p.from < ROUND ? job->n : p.from + ROUND;
        count_round(&p);
        outside += table_of(&p, 0)[job->bins];
        if (p.to == job->n) break;
    }
    if (job->outside != NULL) *job->outside = outside;
    return HD_OK;
}

hd_status hd__cpu_histogram(hd_context *ctx, const void *any, const char **why)
{
    const hd__histogram_job *job = any;
    bool done = false;
    (void)why; // never declines
    if (job->weighted) return hd__histogram_weights(ctx, job);
    HD_TRY(hd__histogram_small_values(ctx, job, &done));
    return done ? HD_OK : count_plainly(ctx, job);
}
