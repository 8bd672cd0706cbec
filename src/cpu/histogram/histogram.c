// SPDX-License-Identifier: Apache-2.0
// Histograms with privatised counters: each thread counts its range into tables of its own, and the
// tables are then added up. Values of one or two bytes, very many bins and weights have files of
// their own.
#include "histogram.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"

#include <string.h>

HD__CPU_BRINGS(const hd__cpu_histogram_kernels, histogram_kernels)

// Elements after which counters of 32 bits are emptied into out.
#define ROUND ((int64_t)1 << 31)

typedef struct plan {
    hd_context *ctx;
    const hd__histogram_job *job;
    bool direct; // values are bins where they lie
    bool fused;  // bins are found and counted in one go
    hd__cpu_counters counters;
    size_t binner_bytes;
    unsigned char *binners; // one a thread
    int64_t from, to;       // elements of this round
} plan;

int64_t hd__cpu_histogram_begin(int64_t n, int threads, int t)
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

void hd__cpu_histogram_store(const hd__histogram_job *job, bool add, int64_t first, int64_t n,
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

// Integers of 32 bits whose bins are their values are counted where they lie; those below 0 and
// above all bins are not counted.
static bool is_direct(const hd__histogram_job *job)
{
    const hd__bins *b = &job->first.bins;
    return job->axes == 1 && b->rule == HD__INTEGER_BINS && b->first == 0 && !b->clamp &&
           (b->type == HD_U32 || b->type == HD_I32) && job->first.in.direct;
}

// f32 in few even bins, the plainest of histograms.
static bool is_fused(const hd__histogram_job *job, bool words)
{
    const hd__bins *b = &job->first.bins;
    return words && job->axes == 1 && b->rule == HD__EVEN_BINS && b->type == HD_F32 &&
           job->first.in.direct;
}

// The bytes that a plan of so many threads needs, and where they are.
static size_t lay_out(hd_context *ctx, const hd__histogram_job *job, int threads, plan *p)
{
    p->ctx = ctx;
    p->job = job;
    p->direct = is_direct(job);
    p->binner_bytes = p->direct ? 0 : hd__padded(hd__cpu_binner_bytes(job));
    return hd__padded(hd__cpu_counters_bytes(&p->counters, job->bins, threads)) +
           (size_t)threads * p->binner_bytes;
}

static void place(plan *p, unsigned char *memory, size_t bytes)
{
    hd__cpu_counters_init(&p->counters, memory);
    p->fused = is_fused(p->job, p->counters.words);
    p->binners = memory + bytes - (size_t)p->counters.threads * p->binner_bytes;
}

static hd_status prepare(hd_context *ctx, const hd__histogram_job *job, plan *p)
{
    int threads = hd__cpu_threads_for(ctx, job->n, 4 * job->first.raw.element_size);
    const int64_t most = hd__cpu_tune.histogram_counters_per_element * job->n /
                         job->bins; // no more tables than elements pay for
    if (threads > 2 && threads > most) threads = most > 2 ? (int)most : 2;
    const size_t bytes = lay_out(ctx, job, threads, p);
    unsigned char *memory = hd__scratch(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    place(p, memory, bytes);
    return HD_OK;
}

static void count(const plan *p, hd__cpu_counter_tables *of_thread, const uint32_t *bins, int64_t n)
{
    const hd__cpu_histogram_kernels *m = hd__cpu_micro_table(p->ctx)->histogram;
    if (p->counters.words)
        m->count_small(of_thread, bins, n);
    else
        m->count_many(of_thread, bins, n);
}

// Thread t's range of the round.
static void count_range(const plan *p, int t)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    hd__cpu_counter_tables *of_thread = &p->counters.of_thread[t];
    const int64_t n = p->to - p->from;
    const int64_t begin = p->from + hd__cpu_histogram_begin(n, p->counters.threads, t);
    const int64_t end = p->from + hd__cpu_histogram_begin(n, p->counters.threads, t + 1);
    if (p->direct) {
        of_thread->most = (uint32_t)p->job->bins - 1;
        count(p, of_thread, (const uint32_t *)hd__at(&p->job->first.in.view[0], begin),
              end - begin);
        return;
    }
    if (p->fused) {
        hd__cpu_micro_table(p->ctx)->histogram->count_even_f32(
            of_thread, &p->job->first.bins, (const float *)hd__at(&p->job->first.in.view[0], begin),
            end - begin);
        return;
    }
    hd__cpu_binner b;
    hd__cpu_binner_init(&b, p->ctx, p->job, p->binners + (size_t)t * p->binner_bytes);
    for (int64_t at = begin; at < end; at += block) {
        const int64_t m = end - at < block ? end - at : block;
        count(p, of_thread, hd__cpu_binner_bins(&b, at, m), m);
    }
}

// Stores a few bins and returns how many elements fell into them.
static int64_t merge(const plan *p, int64_t first)
{
    const int64_t merge_bins = hd__cpu_tune.histogram_merge_bins;
    const int64_t left = p->job->bins - first, n = left < merge_bins ? left : merge_bins;
    uint32_t sums[HD__CPU_HISTOGRAM_MERGE_MAX];
    int64_t inside = 0;
    hd__cpu_counters_sum(&p->counters, first, n, sums);
    for (int64_t k = 0; k < n; k++) inside += sums[k];
    hd__cpu_histogram_store(p->job, p->job->add || p->from > 0, first, n, sums);
    return inside;
}

// Counts a round and returns how many of its elements fell into bins.
static int64_t count_round(const plan *p)
{
    const int threads = p->counters.threads;
    int64_t inside = 0;
    hd__cpu_affinity affinity;
    if (threads > 1) hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        if (threads > 1) hd__cpu_affinity_spread(&affinity);
#pragma omp for schedule(static)
        for (int t = 0; t < threads; t++) hd__cpu_counters_clear(&p->counters, t);
#pragma omp for schedule(static)
        for (int t = 0; t < threads; t++) count_range(p, t);
#pragma omp for schedule(static) reduction(+ : inside) nowait
        for (int64_t first = 0; first < p->job->bins; first += hd__cpu_tune.histogram_merge_bins)
            inside += merge(p, first);
    }
    return inside;
}

// ---- Few elements, or far fewer than bins -----------------------------------------------------

// Tables would take longer to clear and to add up than the elements to count: they go to out
// itself.
static bool is_sparse(const hd__histogram_job *job)
{
    return (job->n <= hd__cpu_tune.histogram_in_place_max ||
            job->n < job->bins / hd__cpu_tune.histogram_sparse_ratio) &&
           hd__is_contiguous(&job->out);
}

static void count_in_place(hd_context *ctx, const hd__histogram_job *job, void *memory)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const size_t size = hd__size_of(job->out.type);
    uint64_t *wide = size == 8 ? job->out.data : NULL;
    uint32_t *narrow = job->out.data;
    const bool direct = is_direct(job);
    int64_t inside = 0;
    hd__cpu_binner b;
    if (!direct) hd__cpu_binner_init(&b, ctx, job, memory);
    if (!job->add) memset(job->out.data, 0, (size_t)job->bins * size);
    for (int64_t at = 0; at < job->n; at += block) {
        const int64_t m = job->n - at < block ? job->n - at : block;
        const uint32_t *bin = direct ? (const uint32_t *)hd__at(&job->first.in.view[0], at)
                                     : hd__cpu_binner_bins(&b, at, m);
        for (int64_t i = 0; i < m; i++) {
            if (bin[i] >= (uint32_t)job->bins) continue;
            inside++;
            if (wide != NULL)
                wide[bin[i]]++;
            else
                narrow[bin[i]]++;
        }
    }
    if (job->outside != NULL) *job->outside = job->n - inside;
}

static hd_status count_sparse(hd_context *ctx, const hd__histogram_job *job)
{
    void *memory = NULL;
    if (!is_direct(job)) {
        memory = hd__scratch(ctx, hd__cpu_binner_bytes(job));
        if (memory == NULL) return HD_ERROR_MEMORY;
    }
    count_in_place(ctx, job, memory);
    return HD_OK;
}

static hd_status count_plainly(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    int64_t inside = 0;
    HD_TRY(prepare(ctx, job, &p));
    for (p.from = 0;; p.from = p.to) {
        p.to = job->n - p.from < ROUND ? job->n : p.from + ROUND;
        inside += count_round(&p);
        if (p.to == job->n) break;
    }
    if (job->outside != NULL) *job->outside = job->n - inside;
    return HD_OK;
}

// ---- One thread, in memory of its own ---------------------------------------------------------

size_t hd__cpu_histogram_counts_bytes(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    const size_t plain = lay_out(ctx, job, 1, &p); // more than counting in place needs
    const size_t values = hd__cpu_histogram_values_bytes(ctx, job);
    return values > plain ? values : plain;
}

void hd__cpu_histogram_counts_alone(hd_context *ctx, const hd__histogram_job *job, void *memory)
{
    plan p;
    int64_t inside = 0;
    if (is_sparse(job)) {
        count_in_place(ctx, job, memory);
        return;
    }
    if (hd__cpu_histogram_values_alone(ctx, job, memory)) return;
    place(&p, memory, lay_out(ctx, job, 1, &p));
    for (p.from = 0;; p.from = p.to) {
        p.to = job->n - p.from < ROUND ? job->n : p.from + ROUND;
        hd__cpu_counters_clear(&p.counters, 0);
        count_range(&p, 0);
        for (int64_t b = 0; b < job->bins; b += hd__cpu_tune.histogram_merge_bins)
            inside += merge(&p, b);
        if (p.to == job->n) break;
    }
    if (job->outside != NULL) *job->outside = job->n - inside;
}

// ---- All of it --------------------------------------------------------------------------------

hd_status hd__cpu_histogram(hd_context *ctx, const void *any, const char **why)
{
    const hd__histogram_job *job = any;
    bool done = false;
    (void)why; // never declines
    if (job->slices != HD__EVERYTHING) return hd__cpu_histogram_slices(ctx, job);
    if (job->weighted) return hd__cpu_histogram_weights(ctx, job);
    if (is_sparse(job)) return count_sparse(ctx, job);
    HD_TRY(hd__cpu_histogram_small_values(ctx, job, &done));
    if (!done) HD_TRY(hd__cpu_histogram_ranges(ctx, job, &done));
    return done ? HD_OK : count_plainly(ctx, job);
}

// ---- Few elements -------------------------------------------------------------------------------

#define COUNT_FEW(T, id)                                                                           \
    static void count_few_##T(const T *in, int64_t n, size_t size, void *out, uint64_t bins)       \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const uint64_t bin = (uint64_t)in[i];                                                  \
            if (bin >= bins) continue;                                                             \
            if (size == 8)                                                                         \
                ((uint64_t *)out)[bin]++;                                                          \
            else                                                                                   \
                ((uint32_t *)out)[bin]++;                                                          \
        }                                                                                          \
    }
#define WHOLE_NUMBERS(ROW)                                                                         \
    ROW(int8_t, HD_I8)                                                                             \
    ROW(int16_t, HD_I16)                                                                           \
    ROW(int32_t, HD_I32)                                                                           \
    ROW(int64_t, HD_I64)                                                                           \
    ROW(uint8_t, HD_U8)                                                                            \
    ROW(uint16_t, HD_U16)                                                                          \
    ROW(uint32_t, HD_U32)                                                                          \
    ROW(uint64_t, HD_U64)
WHOLE_NUMBERS(COUNT_FEW)

#define COUNT_ROW(T, id)                                                                           \
    case id: count_few_##T(in, n, size, out, (uint64_t)bins); return true;

bool hd__cpu_histogram_row(hd_type type, const void *in, int64_t n, size_t size, void *out,
                           int64_t bins)
{
    if (n > hd__cpu_tune.histogram_row_max || bins > hd__cpu_tune.histogram_row_bins_max ||
        !hd__is_integer(type))
        return false;
    memset(out, 0, (size_t)bins * size);
    switch (type) {
        WHOLE_NUMBERS(COUNT_ROW)
    default: return false;
    }
}
