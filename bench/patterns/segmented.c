// SPDX-License-Identifier: Apache-2.0
//
// The rows of segmented sums of f32: segments of 16; power-law lengths of mean 16; power-law
// lengths of mean 4096. GB/s counts the bytes of the values; the peak is the fastest read of them.
#include "bench/harness/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVEN    "16 each"
#define SHORT   "power law 16"
#define LONG    "power law 4096"
#define LONGEST ((int64_t)1 << 20)

static const bench_case cases[] = {
    {"sum", "f32", EVEN, PEER_SUM, PEER_F32, PEER_F32, NULL, NULL},
    {"sum", "f32", SHORT, PEER_SUM, PEER_F32, PEER_F32, NULL, NULL},
    {"sum", "f32", LONG, PEER_SUM, PEER_F32, PEER_F32, NULL, NULL},
};

// A power law p(L) ~ L^-2 between `shortest` and LONGEST has the mean
//     shortest * ln(LONGEST / shortest) / (1 - shortest / LONGEST),
// which is solved for `shortest` by halving.
static double shortest_for(double mean)
{
    double low = 0.01, high = mean;
    for (int i = 0; i < 60; i++) {
        const double s = (low + high) / 2;
        const double got = s * log(LONGEST / s) / (1 - s / LONGEST);
        if (got < mean)
            low = s;
        else
            high = s;
    }
    return low;
}

static int64_t power_length(double shortest, int64_t j)
{
    const double u = (double)(data_mix((uint64_t)j) >> 11) * 0x1p-53;
    const int64_t length = (int64_t)(shortest / (1 - u * (1 - shortest / LONGEST)) + 0.5);
    return length < 1 ? 1 : length;
}

// Offsets over n elements; none is empty. Of a power law one segment, halfway, is the longest.
static int64_t *make_offsets(int64_t n, double mean, bool even, int64_t *segments)
{
    int64_t *offsets = malloc((size_t)(n + 1) * sizeof *offsets);
    if (!offsets) return NULL;
    const double shortest = shortest_for(mean);
    const int64_t middle = (int64_t)((double)n / mean / 2);
    int64_t at = 0, j = 0;
    for (offsets[0] = 0; at < n; offsets[++j] = at) {
        const int64_t length = even          ? (int64_t)mean
                               : j == middle ? LONGEST
                                             : power_length(shortest, j);
        at = at + length < n ? at + length : n;
    }
    *segments = j;
    int64_t *fitted = realloc(offsets, (size_t)(j + 1) * sizeof *offsets);
    return fitted ? fitted : offsets;
}

static bool check(const bench_row *row)
{
    const peer_job *job = &row->job;
    const float *x = job->in, *y = job->out;
    bool right = true;
#pragma omp parallel for reduction(&& : right) schedule(guided, 64)
    for (int64_t j = 0; j < job->segments; j++) {
        double s = 0;
        for (int64_t i = job->offsets[j]; i < job->offsets[j + 1]; i++) s += x[i];
        right = right && y[j] == (float)s;
    }
    return right;
}

static bool prepare(data *d, bench_row *row)
{
    const char *variant = row->what->variant;
    peer_job *job = &row->job;
    const double mean = strcmp(variant, LONG) == 0 ? 4096 : 16;
    job->offsets = make_offsets(job->n, mean, strcmp(variant, EVEN) == 0, &job->segments);
    if (!job->offsets) return false;
    data_fill_in(d, FILL_WHOLE, PEER_F32, job->n);
    row_set(row, PEER_SEGMENTED, d->in, d->out, job->segments);
    row->extra[0] = HD_VIEW_OF(HD_I64, job->offsets, job->segments + 1);
    row->reduce.segments = &row->extra[0];
    row->with_options = true;
    row->bytes = row->peak_bytes = job->n * (int64_t)sizeof(float);
    row->peak = PEAK_READ;
    row->check = check;
    return true;
}

static void finish(bench_row *row)
{
    free((void *)(uintptr_t)row->job.offsets);
    row->job.offsets = NULL;
}

static const int64_t sizes[] = {3000001, (int64_t)1 << 24, 0};

const bench_pattern pattern_segmented = {
    .name = "segmented",
    .formula = "bytes of the values read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
