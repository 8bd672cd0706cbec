// SPDX-License-Identifier: Apache-2.0
//
// The rows of histograms: bytes in 256 bins, u32 in 256 to 2^24 bins, f32 in 256 even ones; data
// that are uniform, like text, skewed (Zipf) or all equal. GB/s counts the bytes of the elements;
// the peak is the fastest read of them.
#include "bench/peer/peer_histogram.h"
#include "bench/harness/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum spread { UNIFORM, TEXT, ZIPF, EQUAL } spread;

typedef struct shape {
    int64_t bins;
    spread spread;
    bool weighted;
} shape;

#define EXACT      "256, f32, exact"
#define SHAPE(...) (&(const shape){__VA_ARGS__})
#define COUNT(type, TYPE, variant, ...)                                                            \
    {                                                                                              \
        "count", type, variant, PEER_SUM, TYPE, PEER_U32, NULL, SHAPE(__VA_ARGS__)                 \
    }

static const bench_case cases[] = {
    COUNT("u8", PEER_U8, "256, uniform", 256, UNIFORM, false),
    COUNT("u8", PEER_U8, "256, text", 256, TEXT, false),
    COUNT("u8", PEER_U8, "256, all equal", 256, EQUAL, false),
    COUNT("u32", PEER_U32, "256, uniform", 256, UNIFORM, false),
    COUNT("u32", PEER_U32, "65536, uniform", 65536, UNIFORM, false),
    COUNT("u32", PEER_U32, "65536, Zipf", 65536, ZIPF, false),
    COUNT("u32", PEER_U32, "65536, all equal", 65536, EQUAL, false),
    COUNT("u32", PEER_U32, "2^20, uniform", 1 << 20, UNIFORM, false),
    COUNT("u32", PEER_U32, "2^24, uniform", 1 << 24, UNIFORM, false),
    COUNT("u32", PEER_U32, "2^24, Zipf", 1 << 24, ZIPF, false),
    COUNT("f32", PEER_F32, "256 even", 256, UNIFORM, false),
    {"weights", "u32", "256, f32", PEER_SUM, PEER_U32, PEER_F32, NULL, SHAPE(256, UNIFORM, true)},
    {"exact", "u32", EXACT, PEER_SUM, PEER_U32, PEER_F32, NULL, SHAPE(256, UNIFORM, true)},
};

// What prepare makes and finish frees.
typedef struct state {
    peer_histogram peer;
    hd_histogram_options options;
    void *out, *expected;
    float *weights;
    hd_view weights_view;
} state;

// ---- Data -------------------------------------------------------------------------------------

static double fraction(int64_t i)
{
    return (double)(data_mix((uint64_t)i) >> 11) * 0x1p-53;
}

static int64_t value_at(const shape *s, int64_t i)
{
    const double bins = (double)s->bins;
    if (s->spread == EQUAL) return s->bins / 3;
    if (s->spread == ZIPF) return (int64_t)exp(fraction(i) * log(bins)) - 1; // p(k) ~ 1 / k
    return (int64_t)(fraction(i) * bins);
}

// Words of a text again and again, in no order.
static void fill_text(uint8_t *x, int64_t n)
{
    static const char *const words[] = {
        "the ",      "of ",      "and ",    "to ",     "in ", "a ",          "is ",   "that ",
        "parallel ", "pattern ", "memory ", "thread ", "\n",  "which ",      "Each ", "histogram ",
        "lecture, ", "kernel. ", "with ",   "scan ",   "as ", "Processors ", "by ",   "for "};
    for (int64_t i = 0, w = 0; i < n; w++)
        for (const char *c = words[data_mix((uint64_t)w) % 24]; *c && i < n; c++)
            x[i++] = (uint8_t)*c;
}

static void fill(const bench_row *row, void *to)
{
    const shape *s = row->what->detail;
    if (s->spread == TEXT) {
        fill_text(to, row->job.n);
        return;
    }
#pragma omp parallel for
    for (int64_t i = 0; i < row->job.n; i++) switch (row->what->peer_type) {
        case PEER_U8: ((uint8_t *)to)[i] = (uint8_t)value_at(s, i); break;
        case PEER_U32: ((uint32_t *)to)[i] = (uint32_t)value_at(s, i); break;
        default: ((float *)to)[i] = (float)(data_mix((uint64_t)i) >> 40) * 0x1p-24f;
        }
}

static int64_t bin_at(const peer_job *job, int64_t i)
{
    switch (job->type) {
    case PEER_U8: return ((const uint8_t *)job->in)[i];
    case PEER_U32: return ((const uint32_t *)job->in)[i];
    default: return (int64_t)(((const float *)job->in)[i] * (float)histogram_of(job)->bins);
    }
}

// Weights are small whole numbers: their sums are exact.
static void expect(const peer_job *job, const float *weights, void *to)
{
    for (int64_t i = 0; i < job->n; i++)
        if (weights)
            ((float *)to)[bin_at(job, i)] += weights[i];
        else
            ((uint32_t *)to)[bin_at(job, i)]++;
}

// ---- Rows -------------------------------------------------------------------------------------

static bool check(const bench_row *row)
{
    const state *s = row->state;
    return memcmp(s->out, s->expected, (size_t)s->peer.bins * 4) == 0;
}

static void run_heddle(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_histogram(row->ctx, row->in, row->out, &s->options);
    if (status) row->status = status;
}

static bool allocate(bench_row *row, const shape *what)
{
    state *s = row->state = calloc(1, sizeof *s);
    if (!s) return false;
    s->peer.bins = what->bins;
    s->out = aligned_alloc(64, (size_t)what->bins * 4);
    s->expected = calloc((size_t)what->bins, 4);
    if (what->weighted) s->weights = malloc((size_t)row->job.n * sizeof *s->weights);
    return s->out && s->expected && (!what->weighted || s->weights);
}

static bool prepare(data *d, bench_row *row)
{
    const shape *what = row->what->detail;
    if (!allocate(row, what)) return false;
    state *s = row->state;
    d->fill = FILL_NONE;
    fill(row, d->in);
    for (int64_t i = 0; s->weights && i < row->job.n; i++)
        s->weights[i] = (float)(data_mix((uint64_t)i) & 3);
    row_set(row, PEER_HISTOGRAM, d->in, s->out, what->bins);
    row->job.more = &s->peer;
    row->job.segments = what->bins;
    s->peer.weights = s->weights;
    expect(&row->job, s->weights, s->expected);
    if (row->what->peer_type == PEER_F32) s->options.even = true, s->options.upper = 1;
    s->weights_view = HD_VIEW(s->weights, row->job.n);
    if (strcmp(row->what->variant, EXACT) == 0) s->options.sum = HD_SUM_EXACT;
    s->options.weights = row->with = s->weights ? &s->weights_view : NULL;
    row->heddle = run_heddle;
    row->check = check;
    row->bytes = row->peak_bytes = row->job.n * (int64_t)data_type_size(row->what->peer_type);
    row->peak = PEAK_READ;
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (!s) return;
    free(s->out), free(s->expected), free(s->weights), free(s);
    row->state = NULL;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_histogram = {
    .name = "histogram",
    .formula = "bytes of the elements read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
