// SPDX-License-Identifier: Apache-2.0
// Histograms with very many bins: elements are first distributed by ranges of 65,536 bins, as the
// low 16 bits of their bin; then each range is counted by itself, within L2.
//
//   count        the elements of each thread that fall into each range
//   distribute   their low 16 bits to the cursor of their range, a cache line at a time
//   finish       each range into its bins of out, ranges taken by threads as they come free
#include "histogram.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"

HD__CPU_BRINGS(const hd__cpu_histogram_kernels, histogram_kernels)

#define RANGE  65536
#define RANGES (HD_MAX_BINS / RANGE + 1) // and one for what is outside

#define LINE 32 // values of 16 bits that are written at once

// One thread's room.
typedef struct workspace {
    int64_t cursor[RANGES]; // counts, then places
    int64_t end[RANGES];    // of the places
    bool changed;           // a function named other bins when it was asked again
    uint16_t line[RANGES][LINE];
    uint8_t filled[RANGES];
} workspace;

typedef struct plan {
    hd_context *ctx;
    const hd__histogram_job *job;
    int threads;
    int64_t ranges;   // those of bins
    int64_t from, to; // elements of this round
    int64_t starts[RANGES + 1];
    uint16_t *distributed;
    workspace *workspaces;
    hd__cpu_counters counters; // of one range, for each thread
    size_t binner_bytes;
    unsigned char *binners;
} plan;

static hd_status prepare(hd_context *ctx, const hd__histogram_job *job, plan *p)
{
    const int64_t round_max = hd__cpu_tune.histogram_range_round;
    const int64_t round = job->n < round_max ? job->n : round_max;
    p->ctx = ctx;
    p->job = job;
    p->threads = hd__cpu_threads_for(ctx, job->n, 4 * job->first.raw.element_size);
    p->ranges = (job->bins + RANGE - 1) / RANGE;
    p->binner_bytes = hd__padded(hd__cpu_binner_bytes(job));
    const size_t distributed = hd__padded((size_t)round * sizeof *p->distributed);
    const size_t workspaces = hd__padded((size_t)p->threads * sizeof *p->workspaces);
    const size_t counters = hd__padded(hd__cpu_counters_bytes(&p->counters, RANGE, p->threads));
    unsigned char *memory = hd__scratch(ctx, distributed + workspaces + counters +
                                                 (size_t)p->threads * p->binner_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    p->distributed = (uint16_t *)memory;
    p->workspaces = (workspace *)(memory + distributed);
    hd__cpu_counters_init(&p->counters, memory + distributed + workspaces);
    p->binners = memory + distributed + workspaces + counters;
    return HD_OK;
}

// ---- Count and deal ---------------------------------------------------------------------------

static void count_block(workspace *r, const uint32_t *bin, int64_t n)
{
    for (int64_t i = 0; i < n; i++) r->cursor[bin[i] / RANGE]++;
}

static void distribute_block(uint16_t *distributed, workspace *r, const uint32_t *bin, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t range = bin[i] / RANGE;
        const uint8_t filled = r->filled[range];
        r->line[range][filled] = (uint16_t)bin[i];
        r->filled[range] = (uint8_t)(filled + 1);
        if (filled + 1 < LINE) continue;
        r->filled[range] = 0;
        r->changed |= r->end[range] - r->cursor[range] < LINE;
        if (r->changed) continue;
        memcpy(distributed + r->cursor[range], r->line[range], sizeof r->line[range]);
        r->cursor[range] += LINE;
    }
}

// What is left in the lines. Each range has as many elements as were counted, or a function
// changed.
static void distribute_rest(uint16_t *distributed, workspace *r)
{
    for (int64_t k = 0; k < RANGES; k++) {
        r->changed |= r->end[k] - r->cursor[k] != r->filled[k];
        if (!r->changed)
            memcpy(distributed + r->cursor[k], r->line[k], r->filled[k] * sizeof(uint16_t));
    }
}

// Thread t's range of the round, counted or distributed.
static void walk_range(const plan *p, int t, bool distributes)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const int64_t n = p->to - p->from;
    const int64_t end = p->from + hd__cpu_histogram_begin(n, p->threads, t + 1);
    workspace *r = &p->workspaces[t];
    hd__cpu_binner b;
    hd__cpu_binner_init(&b, p->ctx, p->job, p->binners + (size_t)t * p->binner_bytes);
    if (!distributes) memset(r->cursor, 0, sizeof r->cursor);
    r->changed = false;
    memset(r->filled, 0, sizeof r->filled);
    for (int64_t at = p->from + hd__cpu_histogram_begin(n, p->threads, t); at < end; at += block) {
        const int64_t m = end - at < block ? end - at : block;
        const uint32_t *bin = hd__cpu_binner_bins(&b, at, m);
        if (distributes)
            distribute_block(p->distributed, r, bin, m);
        else
            count_block(r, bin, m);
    }
    if (distributes) distribute_rest(p->distributed, r);
}

// Counts become places: range by range, and within a range thread by thread.
static void counts_to_cursors(plan *p)
{
    int64_t at = 0;
    for (int64_t k = 0; k < RANGES; k++) {
        p->starts[k] = at;
        for (int t = 0; t < p->threads; t++) {
            const int64_t count = p->workspaces[t].cursor[k];
            p->workspaces[t].cursor[k] = at;
            p->workspaces[t].end[k] = at += count;
        }
    }
    p->starts[RANGES] = at;
}

// ---- Finish -----------------------------------------------------------------------------------

static void count_in_out(const plan *p, bool add, int64_t first, int64_t n, const uint16_t *x,
                         int64_t count)
{
    uint32_t *out = (uint32_t *)p->job->out.data + first;
    if (!add) memset(out, 0, (size_t)n * sizeof *out);
    for (int64_t i = 0; i < count; i++) out[x[i]]++;
}

static void count_in_tables(const plan *p, int t, bool add, int64_t first, int64_t n,
                            const uint16_t *x, int64_t count)
{
    enum { SOME = 1024 };
    uint32_t sums[SOME];
    hd__cpu_counters own = p->counters; // of this thread alone
    own.threads = 1;
    own.of_thread = &p->counters.of_thread[t];
    hd__cpu_counters_clear(&p->counters, t);
    hd__cpu_micro_table(p->ctx)->histogram->count_words(own.of_thread, x, count);
    for (int64_t k = 0; k < n; k += SOME) {
        const int64_t m = n - k < SOME ? n - k : SOME;
        hd__cpu_counters_sum(&own, k, m, sums);
        hd__cpu_histogram_store(p->job, add, first + k, m, sums);
    }
}

// Values of the last bin's range that are above it are outside: the bin of what is outside, where
// that is not a range of its own.
static int64_t finish_range(const plan *p, int64_t range, int t)
{
    const bool add = p->job->add || p->from > 0;
    const int64_t first = range * RANGE, left = p->job->bins - first;
    const int64_t n = left < RANGE ? left : RANGE;
    const int64_t count = p->starts[range + 1] - p->starts[range];
    uint16_t *x = p->distributed + p->starts[range];
    const bool plain = hd__is_contiguous(&p->job->out) && hd__size_of(p->job->out.type) == 4;
    if (n < RANGE) { // the last one, cut short: without those outside
        int64_t inside = 0;
        for (int64_t i = 0; i < count; i++) {
            const uint16_t k = x[i];
            x[inside] = k;
            inside += k < n;
        }
        count_in_tables(p, t, add, first, n, x, inside);
        return inside;
    }
    if (plain && count < hd__cpu_tune.histogram_range_heavy)
        count_in_out(p, add, first, n, x, count);
    else
        count_in_tables(p, t, add, first, n, x, count);
    return count;
}

static bool has_changed(const plan *p)
{
    bool changed = false;
    for (int t = 0; t < p->threads; t++) changed |= p->workspaces[t].changed;
    return changed;
}

// Returns how many elements have a bin, or -1 if a function named others when it was asked again.
static int64_t count_round(plan *p)
{
    int64_t inside = 0;
    hd__cpu_affinity affinity;
    if (p->threads > 1) hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        if (p->threads > 1) hd__cpu_affinity_spread(&affinity);
#pragma omp for schedule(static)
        for (int t = 0; t < p->threads; t++) walk_range(p, t, false);
#pragma omp single
        counts_to_cursors(p);
#pragma omp for schedule(static)
        for (int t = 0; t < p->threads; t++) walk_range(p, t, true);
        const int64_t ranges = has_changed(p) ? 0 : p->ranges;
#pragma omp for schedule(dynamic, 1) reduction(+ : inside) nowait
        for (int64_t range = 0; range < ranges; range++)
            inside += finish_range(p, range, omp_get_thread_num());
    }
    return has_changed(p) ? -1 : inside;
}

hd_status hd__cpu_histogram_ranges(hd_context *ctx, const hd__histogram_job *job, bool *done)
{
    const int64_t round_max = hd__cpu_tune.histogram_range_round;
    *done = job->bins > hd__cpu_tune.histogram_tables_max && job->n >= job->bins / 4;
    if (!*done) return HD_OK;
    plan p;
    int64_t inside = 0;
    HD_TRY(prepare(ctx, job, &p));
    for (p.from = 0; p.from < job->n; p.from = p.to) {
        p.to = job->n - p.from < round_max ? job->n : p.from + round_max;
        const int64_t here = count_round(&p);
        if (here < 0)
            return hd__fail(ctx, HD_ERROR_VALUE,
                            "hd_histogram: the function named another bin for an element when it "
                            "was asked again; expected the same for the same inputs");
        inside += here;
    }
    if (job->outside != NULL) *job->outside = job->n - inside;
    return HD_OK;
}
