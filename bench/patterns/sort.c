// SPDX-License-Identifier: Apache-2.0
//
// The rows of sort: u32, f32, u64, u8 and u16 evenly spread; u32 sorted, all equal and after Zipf's
// law; pairs of u32; u32 within segments of power-law lengths (of a mean of 16 and of 4096) and of
// one length. GB/s counts the bytes read and written once; the peak is the fastest copy of them.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SORTED   "sorted"
#define EQUAL    "all equal"
#define ZIPF     "Zipf"
#define PAIRS    "pairs"
#define SEGMENTS "segments 16"
#define LONG     "segments 4096"
#define EVEN     "segments of " // a number

static const bench_case cases[] = {
    {"sort", "u32", "", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"sort", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, NULL},
    {"sort", "u64", "", PEER_OTHER_OP, PEER_U64, PEER_U64, NULL, NULL},
    {"sort", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_U8, NULL, NULL},
    {"sort", "u16", "", PEER_OTHER_OP, PEER_U16, PEER_U16, NULL, NULL},
    {"pairs", "u32", PAIRS, PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"easy", "u32", SORTED, PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"easy", "u32", EQUAL, PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"zipf", "u32", ZIPF, PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", SEGMENTS, PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", LONG, PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", EVEN "4", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", EVEN "16", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", EVEN "64", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", EVEN "256", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", EVEN "1024", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", EVEN "4096", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
    {"segments", "u32", EVEN "65536", PEER_OTHER_OP, PEER_U32, PEER_U32, NULL, NULL},
};

typedef struct sort_state {
    peer_sort peers;
    uint32_t *values_in, *values_out; // of the host
    hd_view from, to;                 // the values of a call, on a device where keys are
    bool ours;                        // the last call was Heddle's
    hd_view segments;
    hd_sort_options options;
} sort_state;

// ---- Data ---------------------------------------------------------------------------------------

// Numbers k from 1 on with a frequency of about 1 / k, up to 2^24, mixed so that frequent ones are
// not neighbours.
static uint32_t zipf(int64_t i)
{
    const double u = (double)(data_mix((uint64_t)i) >> 11) * 0x1p-53;
    return (uint32_t)exp2(24 * u);
}

static void fill(data *d, const bench_row *row)
{
    const char *variant = row->what->variant;
    const int64_t n = row->job.n;
    uint32_t *x = d->in;
    const bool equal = strcmp(variant, EQUAL) == 0, rising = strcmp(variant, SORTED) == 0;
    if (!equal && !rising && strcmp(variant, ZIPF) != 0) {
        const bool real = row->what->peer_type == PEER_F32;
        data_fill_in(d, real ? FILL_POSITIVE : FILL_BITS, row->what->peer_type, n);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) x[i] = equal ? 7 : rising ? (uint32_t)(3 * i) : zipf(i);
    d->fill = FILL_NONE;
}

// Lengths after a power law p(L) ~ L^-2 from `shortest` on, whose mean is the variant's; up to
// 2^20.
static int64_t *make_offsets(int64_t n, bool long_ones, int64_t *segments)
{
    const double longest = 1 << 20, shortest = long_ones ? 650 : 1.35;
    int64_t *offsets = malloc((size_t)(n + 2) * sizeof *offsets), at = 0, j = 0;
    if (!offsets) return NULL;
    for (offsets[0] = 0; at < n; offsets[++j] = at) {
        const double u = (double)(data_mix((uint64_t)j) >> 11) * 0x1p-53;
        const int64_t length = (int64_t)(shortest / (1 - u * (1 - shortest / longest)) + 0.5);
        at = at + (length < 1 ? 1 : length) < n ? at + (length < 1 ? 1 : length) : n;
    }
    *segments = j;
    return offsets;
}

static int64_t *make_even_offsets(int64_t n, int64_t length, int64_t *segments)
{
    *segments = (n + length - 1) / length;
    int64_t *offsets = malloc((size_t)(*segments + 1) * sizeof *offsets);
    if (!offsets) return NULL;
    for (int64_t j = 0; j < *segments; j++) offsets[j] = j * length;
    offsets[*segments] = n;
    return offsets;
}

static bool make_segments(bench_row *row, sort_state *s)
{
    const char *variant = row->what->variant;
    peer_job *job = &row->job;
    const size_t even = sizeof EVEN - 1;
    job->offsets = strncmp(variant, EVEN, even) == 0
                       ? make_even_offsets(job->n, atoll(variant + even), &job->segments)
                       : make_offsets(job->n, strcmp(variant, LONG) == 0, &job->segments);
    if (!job->offsets) return false;
    s->segments = HD_VIEW_OF(HD_I64, job->offsets, job->segments + 1);
    s->options.segments = row->with = &s->segments;
    row->with_options = true;
    return true;
}

// ---- Whether it is right ------------------------------------------------------------------------

static uint64_t mixed(int32_t type, const void *x, int64_t i)
{
    switch (type) {
    case PEER_U64: return data_mix(((const uint64_t *)x)[i]);
    case PEER_U8: return data_mix(((const uint8_t *)x)[i]);
    case PEER_U16: return data_mix(((const uint16_t *)x)[i]);
    default: return data_mix(((const uint32_t *)x)[i]);
    }
}

static bool in_order(int32_t type, const void *x, int64_t i)
{
    switch (type) {
    case PEER_U64: return ((const uint64_t *)x)[i - 1] <= ((const uint64_t *)x)[i];
    case PEER_U8: return ((const uint8_t *)x)[i - 1] <= ((const uint8_t *)x)[i];
    case PEER_U16: return ((const uint16_t *)x)[i - 1] <= ((const uint16_t *)x)[i];
    case PEER_F32: return ((const float *)x)[i - 1] <= ((const float *)x)[i];
    default: return ((const uint32_t *)x)[i - 1] <= ((const uint32_t *)x)[i];
    }
}

// Rising, and the same numbers: their mixed bits have the same sum. Per segment, if there are any.
static bool check_keys(const bench_row *row)
{
    const peer_job *job = &row->job;
    const int64_t whole[] = {0, job->n}, *offsets = job->offsets ? job->offsets : whole;
    const int64_t segments = job->offsets ? job->segments : 1;
    bool right = true;
    for (int64_t j = 0; j < segments; j++) {
        const int64_t begin = offsets[j], end = offsets[j + 1];
        uint64_t difference = 0;
#pragma omp parallel for reduction(+ : difference) reduction(&& : right) if (end - begin > 10000)
        for (int64_t i = begin; i < end; i++) {
            difference += mixed(job->type, job->in, i) - mixed(job->type, job->out, i);
            right = right && (i == begin || in_order(job->type, job->out, i));
        }
        right = right && difference == 0;
    }
    return right;
}

// Heddle's are stable: values, which are indices, rise among equal keys. On a device the peers have
// keys and values apart, and are stable as well.
static bool check_pairs(const bench_row *row)
{
    const peer_job *job = &row->job;
    const sort_state *s = row->state;
    const uint32_t *in = job->in, *out = job->out;
    const peer_pair *p = s->peers.pairs_out;
    const bool apart = s->ours || s->to.space == HD_DEVICE;
    bool right = true;
    uint64_t difference = 0;
#pragma omp parallel for reduction(+ : difference) reduction(&& : right)
    for (int64_t i = 0; i < job->n; i++) {
        const uint32_t key = apart ? out[i] : p[i].key;
        const uint32_t value = apart ? s->values_out[i] : p[i].value;
        difference += data_mix((uint64_t)i) - data_mix(value);
        right = right && value < job->n && in[value] == key;
        if (i == 0) continue;
        const uint32_t before = apart ? out[i - 1] : p[i - 1].key;
        right =
            right && (before < key || (before == key && (!apart || s->values_out[i - 1] < value)));
    }
    return right && difference == 0;
}

static bool check(const bench_row *row)
{
    sort_state *s = row->state;
    const bool right = s->peers.pairs ? check_pairs(row) : check_keys(row);
    s->ours = false;
    if (s->peers.pairs_out) memset(s->peers.pairs_out, 0, sizeof(peer_pair) * (size_t)row->job.n);
    return right;
}

// ---- Rows ---------------------------------------------------------------------------------------

static void call_sort(bench_row *row)
{
    sort_state *s = row->state;
    s->ours = true;
    const hd_status status =
        s->values_in ? hd_sort(row->ctx, row->in, row->out, HD_VALUES(s->from, s->to), NULL)
                     : hd_sort(row->ctx, row->in, row->out, HD_NO_VALUES,
                               row->with_options ? &s->options : NULL);
    if (status) row->status = status;
}

static bool make_pairs(bench_row *row, sort_state *s)
{
    const size_t n = (size_t)row->job.n;
    const uint32_t *in = row->job.in;
    s->values_in = malloc(n * sizeof *s->values_in), s->values_out = malloc(n * sizeof *in);
    peer_pair *pairs = malloc(n * sizeof *pairs);
    s->peers.pairs = pairs, s->peers.pairs_out = malloc(n * sizeof *pairs);
    if (!s->values_in || !s->values_out || !pairs || !s->peers.pairs_out) return false;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < row->job.n; i++) {
        s->values_in[i] = (uint32_t)i;
        s->values_out[i] = 0;
        pairs[i] = s->peers.pairs_out[i] = (peer_pair){in[i], (uint32_t)i};
    }
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    const char *variant = row->what->variant;
    peer_job *job = &row->job;
    sort_state *s = row->state = calloc(1, sizeof *s);
    if (!s) return false;
    fill(d, row);
    row_set(row, PEER_SORT, d->in, d->out, job->n);
    job->more = &s->peers;
    row->heddle = call_sort;
    row->check = check;
    row->peak_bytes = job->n * (int64_t)data_type_size(row->what->peer_type);
    if (strcmp(variant, PAIRS) == 0) {
        if (!make_pairs(row, s)) return false;
        s->from = HD_VIEW(s->values_in, job->n), s->to = HD_VIEW(s->values_out, job->n);
        row->with = &s->from, row->other = &s->to;
        row->peak_bytes *= 2;
    }
    if (strncmp(variant, "segments", 8) == 0 && !make_segments(row, s)) return false;
    row->bytes = 2 * row->peak_bytes;
    row->peak = PEAK_COPY;
    if (s->values_in) row->peak_bytes = 0; // the arrays of the peak have no room for it
    return true;
}

static void finish(bench_row *row)
{
    sort_state *s = row->state;
    free((void *)(uintptr_t)row->job.offsets);
    row->job.offsets = NULL;
    if (!s) return;
    free(s->values_in), free(s->values_out);
    free((void *)(uintptr_t)s->peers.pairs), free(s->peers.pairs_out);
    free(s);
    row->state = NULL;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_sort = {
    .name = "sort",
    .formula = "bytes of keys and values, read + written once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = finish,
};
