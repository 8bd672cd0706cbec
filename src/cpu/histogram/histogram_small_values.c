// SPDX-License-Identifier: Apache-2.0
// Histograms of bytes and of 16-bit values: whatever the rule, each value is counted by itself
// first, and the 256 or 65,536 counts then go to the bins of their values. Letters, even bins and
// edges thus cost what one bin a value costs.
#include "histogram.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"

HD__CPU_BRINGS(const hd__cpu_histogram_kernels, histogram_kernels)

#define ROUND    ((int64_t)1 << 31) // elements after which 32 bits are emptied
#define MAX_BINS (1 << 17)          // more than any values reach

typedef struct plan {
    hd_context *ctx;
    const hd__histogram_job *job;
    int threads;
    int64_t values;            // 256 or 65,536
    uint32_t *of_value;        // counts of the values
    uint32_t *of_bin;          // counts of bins, with one more for what is outside
    unsigned char *binner;     // memory of one binner
    unsigned char *tables;     // bytes: counts and the kernel's scratch for each thread
    hd__cpu_counters counters; // 16-bit values
} plan;

#define THREAD_BYTES (256 * sizeof(uint32_t) + HD__CPU_BYTES_SCRATCH)

static bool pays(const hd__histogram_job *job)
{
    const size_t size = job->first.raw.element_size;
    if (job->axes != 1 || !job->first.in.direct || !hd__is_number(job->first.raw.element))
        return false;
    if (job->bins > MAX_BINS) return false;
    return (size == 1 && job->n >= hd__cpu_tune.histogram_u8_min) ||
           (size == 2 && job->n >= hd__cpu_tune.histogram_u16_min);
}

// The bytes that a plan of so many threads needs.
static size_t lay_out(hd_context *ctx, const hd__histogram_job *job, int threads, plan *p)
{
    const size_t size = job->first.raw.element_size;
    p->ctx = ctx;
    p->job = job;
    p->values = size == 1 ? 256 : 65536;
    p->threads = threads;
    const size_t tables = size == 1 ? (size_t)p->threads * THREAD_BYTES
                                    : hd__cpu_counters_bytes(&p->counters, p->values, p->threads);
    return (size_t)p->values * sizeof(uint32_t) +
           hd__padded((size_t)(job->bins + 1) * sizeof(uint32_t)) +
           hd__padded(hd__cpu_binner_bytes(job)) + tables;
}

static void place(plan *p, unsigned char *memory)
{
    p->of_value = (uint32_t *)memory;
    p->of_bin = p->of_value + p->values;
    p->binner =
        (unsigned char *)p->of_bin + hd__padded((size_t)(p->job->bins + 1) * sizeof(uint32_t));
    p->tables = p->binner + hd__padded(hd__cpu_binner_bytes(p->job));
    if (p->values != 256) hd__cpu_counters_init(&p->counters, p->tables);
}

static hd_status prepare(hd_context *ctx, const hd__histogram_job *job, plan *p)
{
    const int threads = hd__cpu_threads_for(ctx, job->n, 2 * job->first.raw.element_size);
    unsigned char *memory = hd__scratch(ctx, lay_out(ctx, job, threads, p));
    if (memory == NULL) return HD_ERROR_MEMORY;
    place(p, memory);
    return HD_OK;
}

static uint32_t *table_of(const plan *p, int t)
{
    return (uint32_t *)(p->tables + (size_t)t * THREAD_BYTES);
}

// Thread t's range of elements from .. from + n - 1.
static void count_range(const plan *p, int64_t from, int64_t n, int t)
{
    const hd__cpu_histogram_kernels *m = hd__cpu_micro_table(p->ctx)->histogram;
    const int64_t begin = hd__cpu_histogram_begin(n, p->threads, t);
    const int64_t length = hd__cpu_histogram_begin(n, p->threads, t + 1) - begin;
    const char *x = hd__at(&p->job->first.in.view[0], from + begin);
    if (p->values != 256) {
        m->count_words(&p->counters.of_thread[t], (const uint16_t *)x, length);
        return;
    }
    uint32_t *table = table_of(p, t);
    memset(table, 0, 256 * sizeof *table);
    m->count_bytes((const uint8_t *)x, length, table, table + 256);
}

static void sum_values(const plan *p)
{
    if (p->values != 256) {
        hd__cpu_counters_sum(&p->counters, 0, p->values, p->of_value);
        return;
    }
    memcpy(p->of_value, table_of(p, 0), 256 * sizeof *p->of_value);
    for (int t = 1; t < p->threads; t++)
        for (int v = 0; v < 256; v++) p->of_value[v] += table_of(p, t)[v];
}

static void count_round(const plan *p, int64_t from, int64_t n)
{
    hd__cpu_affinity affinity;
    if (p->threads > 1) hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        if (p->threads > 1) hd__cpu_affinity_spread(&affinity);
        if (p->values != 256) {
#pragma omp for schedule(static)
            for (int t = 0; t < p->threads; t++) hd__cpu_counters_clear(&p->counters, t);
        }
#pragma omp for schedule(static) nowait
        for (int t = 0; t < p->threads; t++) count_range(p, from, n, t);
    }
    sum_values(p);
}

// The counts of values to the bins of their values.
static void bin_counts(const plan *p)
{
    const int64_t block = hd__cpu_tune.histogram_block;
    const uint32_t *count = p->of_value;
    hd__cpu_binner b;
    hd__cpu_binner_init(&b, p->ctx, p->job, p->binner);
    memset(p->of_bin, 0, (size_t)(p->job->bins + 1) * sizeof *p->of_bin);
    for (int64_t at = 0; at < p->values; at += block) {
        const int64_t m = p->values - at < block ? p->values - at : block;
        uint8_t bytes[256];
        uint16_t words[HD__CPU_HISTOGRAM_BLOCK_MAX];
        for (int64_t i = 0; i < m; i++)
            words[i] = (uint16_t)(at + i), bytes[i & 255] = (uint8_t)(at + i);
        hd__cpu_binner_values(&b, p->values == 256 ? (void *)bytes : (void *)words, m, b.bin);
        for (int64_t i = 0; i < m; i++) p->of_bin[b.bin[i]] += count[at + i];
    }
}

// Whether bin k is value k, so that the table is the result.
static bool is_plain(const hd__bins *b, int64_t values)
{
    return b->rule == HD__INTEGER_BINS && b->first == 0 && b->count == values &&
           hd__kind_of(b->type) == HD__UNSIGNED;
}

static void store(const plan *p, bool add, int64_t *outside)
{
    if (is_plain(&p->job->first.bins, p->values)) {
        hd__cpu_histogram_store(p->job, add, 0, p->values, p->of_value);
        return;
    }
    bin_counts(p);
    *outside += p->of_bin[p->job->bins];
    hd__cpu_histogram_store(p->job, add, 0, p->job->bins, p->of_bin);
}

hd_status hd__cpu_histogram_small_values(hd_context *ctx, const hd__histogram_job *job, bool *done)
{
    plan p;
    int64_t outside = 0;
    *done = pays(job);
    if (!*done) return HD_OK;
    HD_TRY(prepare(ctx, job, &p));
    for (int64_t from = 0; from < job->n; from += ROUND) {
        const int64_t n = job->n - from < ROUND ? job->n - from : ROUND;
        count_round(&p, from, n);
        store(&p, job->add || from > 0, &outside);
    }
    if (job->outside != NULL) *job->outside = outside;
    return HD_OK;
}

// ---- One thread, in memory of its own -----------------------------------------------------------

size_t hd__cpu_histogram_values_bytes(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    return pays(job) ? lay_out(ctx, job, 1, &p) : 0;
}

bool hd__cpu_histogram_values_alone(hd_context *ctx, const hd__histogram_job *job, void *memory)
{
    plan p;
    int64_t outside = 0;
    if (!pays(job)) return false;
    lay_out(ctx, job, 1, &p);
    place(&p, memory);
    for (int64_t from = 0; from < job->n; from += ROUND) {
        if (p.values != 256) hd__cpu_counters_clear(&p.counters, 0);
        count_range(&p, from, job->n - from < ROUND ? job->n - from : ROUND, 0);
        sum_values(&p);
        store(&p, job->add || from > 0, &outside);
    }
    if (job->outside != NULL) *job->outside = outside;
    return true;
}
