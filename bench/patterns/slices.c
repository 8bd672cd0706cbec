// SPDX-License-Identifier: Apache-2.0
//
// The rows of slices: sums of f32 over segments of 4, 32, 256, 4096 and 2^20 and of power-law
// lengths, sums by key and scans by key over runs of mean 64. GB/s counts values, offsets or keys,
// and results; the peak is the fastest read (of a scan: copy) of as many bytes.
#include "bench/harness/pattern.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST ((int64_t)1 << 20)

// Mean lengths; 0: a power law.
static const int64_t of_4 = 4, of_32 = 32, of_256 = 256, of_4096 = 4096, of_2_20 = LONGEST,
                     power = 0, by_key = 64;

#define ROW(name, lengths, op)                                                                     \
    {                                                                                              \
        op, "f32", name, PEER_SUM, PEER_F32, PEER_F32, NULL, &lengths                              \
    }

static const bench_case cases[] = {
    ROW("of 4", of_4, "segments"),       ROW("of 32", of_32, "segments"),
    ROW("of 256", of_256, "segments"),   ROW("of 4096", of_4096, "segments"),
    ROW("of 2^20", of_2_20, "segments"), ROW("power law", power, "segments"),
    ROW("runs of 64", by_key, "by key"), ROW("runs of 64", by_key, "scan by key"),
};

typedef struct kept {
    int64_t *starts; // of segments or runs, and the end of the last
    int64_t count;
    int32_t *keys, *keys_out;
} kept;

// ---- Segments -----------------------------------------------------------------------------------

// p(L) ~ L^-2 from 4 to LONGEST: most are short, most elements are in long ones.
static int64_t power_length(int64_t j)
{
    const double u = (double)(data_mix((uint64_t)j) >> 11) * 0x1p-53;
    return (int64_t)(4 / (1 - u * (1 - 4.0 / LONGEST)));
}

static bool make_segments(kept *k, int64_t n, int64_t length)
{
    const int64_t most = n / (length > 0 ? length : 4) + 2;
    k->starts = malloc((size_t)most * sizeof *k->starts);
    if (!k->starts) return false;
    int64_t at = 0, j = 0;
    for (k->starts[0] = 0; at < n; k->starts[++j] = at) {
        const int64_t one = length > 0 ? length : power_length(j);
        at = at + one < n ? at + one : n;
    }
    k->count = j;
    return true;
}

// ---- Runs ---------------------------------------------------------------------------------------

static bool is_head(int64_t i)
{
    return i == 0 || data_mix((uint64_t)i) % 64 == 0;
}

// A key is the number of the run's first element: neighbours differ.
static void fill_keys(int32_t *keys, int64_t n)
{
    const int64_t share = 1 << 20;
#pragma omp parallel for schedule(dynamic)
    for (int64_t part = 0; part < (n + share - 1) / share; part++) {
        int64_t head = part * share;
        while (!is_head(head)) head--;
        for (int64_t i = part * share; i < (part + 1) * share && i < n; i++) {
            if (is_head(i)) head = i;
            keys[i] = (int32_t)(head & 0x7fffffff);
        }
    }
}

static bool make_runs(kept *k, int64_t n)
{
    k->keys = malloc((size_t)n * sizeof *k->keys);
    k->keys_out = malloc((size_t)n * sizeof *k->keys_out);
    k->starts = malloc((size_t)(n + 1) * sizeof *k->starts);
    if (!k->keys || !k->keys_out || !k->starts) return false;
    fill_keys(k->keys, n);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || k->keys[i] != k->keys[i - 1]) k->starts[k->count++] = i;
    k->starts[k->count] = n;
    return true;
}

// ---- Checks -------------------------------------------------------------------------------------

static bool check_sums(const bench_row *row)
{
    const kept *k = row->state;
    const float *x = row->job.in, *y = row->job.out;
    bool right = true;
#pragma omp parallel for reduction(&& : right) schedule(guided, 64)
    for (int64_t j = 0; j < k->count; j++) {
        double s = 0;
        for (int64_t i = k->starts[j]; i < k->starts[j + 1]; i++) s += x[i];
        right = right && y[j] == (float)s;
    }
    return right;
}

static bool check_scan(const bench_row *row)
{
    const kept *k = row->state;
    const float *x = row->job.in, *y = row->job.out;
    bool right = true;
#pragma omp parallel for reduction(&& : right) schedule(guided, 64)
    for (int64_t j = 0; j < k->count; j++) {
        double s = 0;
        for (int64_t i = k->starts[j]; i < k->starts[j + 1]; i++) {
            s += x[i];
            right = right && y[i] == (float)s;
        }
    }
    return right;
}

// ---- Rows ---------------------------------------------------------------------------------------

static void set_segments(data *d, bench_row *row, kept *k)
{
    row_set(row, PEER_SEGMENTED, d->in, d->out, k->count);
    row->job.offsets = k->starts, row->job.segments = k->count;
    row->extra[0] = HD_VIEW_OF(HD_I64, k->starts, k->count + 1);
    row->reduce.segments = row->with = &row->extra[0];
    row->bytes = row->job.n * 4 + (k->count + 1) * 8 + k->count * 4;
}

static void set_runs(data *d, bench_row *row, kept *k)
{
    row_set(row, PEER_REDUCE_BY_KEY, d->in, d->out, k->count);
    row->extra[0] = HD_VIEW_OF(HD_I32, k->keys, row->job.n);
    row->extra[1] = HD_VIEW_OF(HD_I32, k->keys_out, k->count);
    row->reduce.keys = row->with = &row->extra[0];
    row->reduce.keys_out = row->other = &row->extra[1];
    row->heddle = row_call_reduce;
    row->bytes = row->job.n * 8 + k->count * 8;
}

static void set_scan(data *d, bench_row *row, kept *k)
{
    row_set(row, PEER_SCAN_BY_KEY, d->in, d->out, row->job.n);
    row->extra[0] = HD_VIEW_OF(HD_I32, k->keys, row->job.n);
    row->scan.keys = row->with = &row->extra[0];
    row->heddle = row_call_scan;
    row->bytes = row->job.n * 12;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t length = *(const int64_t *)row->what->detail, n = row->job.n;
    const char *op = row->what->op;
    const bool segments = strcmp(op, "segments") == 0, scan = strcmp(op, "scan by key") == 0;
    kept *k = calloc(1, sizeof *k);
    row->state = k;
    if (!k || !(segments ? make_segments(k, n, length) : make_runs(k, n))) return false;
    data_fill_in(d, FILL_WHOLE, PEER_F32, n);
    (segments ? set_segments : scan ? set_scan : set_runs)(d, row, k);
    row->op = HD_SUM;
    row->with_options = true;
    row->peak = scan ? PEAK_COPY : PEAK_READ;
    row->peak_bytes = n * 4;
    row->peak_scale = (double)row->bytes / ((scan ? 8.0 : 4.0) * (double)n);
    row->check = scan ? check_scan : check_sums;
    return true;
}

static void finish(bench_row *row)
{
    kept *k = row->state;
    if (k) free(k->starts), free(k->keys), free(k->keys_out);
    free(k);
    row->state = NULL;
}

static const int64_t sizes[] = {3000001, (int64_t)1 << 24, 0};

const bench_pattern pattern_slices = {
    .name = "slices",
    .formula = "bytes of values, offsets or keys, and results",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
