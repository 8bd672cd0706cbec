// SPDX-License-Identifier: Apache-2.0
//
// The rows of accurate sums, each beside the plain one: reductions and scans in f64 of f32,
// compensated, and with bounds. GB/s counts the bytes of the elements, of a scan those of its
// outputs as well; the peak is the fastest read or copy of them. Bounds are not counted.
#include "bench/harness/pattern.h"

typedef struct way {
    bool scans, wide, bounded;
} way;

static const way plain = {0}, wide = {.wide = true}, bounded = {.bounded = true},
                 scan = {.scans = true}, wide_scan = {.scans = true, .wide = true};

#define ROW(op, type, variant, TYPE, how)                                                          \
    {                                                                                              \
        op, type, variant, PEER_SUM, TYPE, TYPE, NULL, &(how)                                      \
    }

static const bench_case cases[] = {
    ROW("sum", "f32", "", PEER_F32, plain),
    ROW("sum", "f32", "in f64", PEER_F32, wide),
    ROW("sum", "f32", "bound", PEER_F32, bounded),
    ROW("sum_compensated", "f32", "", PEER_F32, plain),
    ROW("sum_compensated", "f32", "bound", PEER_F32, bounded),
    ROW("sum", "f64", "", PEER_F64, plain),
    ROW("sum", "f64", "bound", PEER_F64, bounded),
    ROW("sum_compensated", "f64", "", PEER_F64, plain),
    ROW("sum", "f32", "scan", PEER_F32, scan),
    ROW("sum", "f32", "scan, in f64", PEER_F32, wide_scan),
    ROW("sum_compensated", "f32", "scan", PEER_F32, scan),
    ROW("sum", "f64", "scan", PEER_F64, scan),
    ROW("sum_compensated", "f64", "scan", PEER_F64, scan),
};

// Elements are small whole numbers: as long as the type holds their sum, it is exact whichever way
// it is made.
static double sum_of(const bench_row *row)
{
    double s = 0;
    const float *x = row->job.in;
    const double *y = row->job.in;
    const bool narrow = row->job.type == PEER_F32;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < row->job.n; i++) s += narrow ? (double)x[i] : y[i];
    return s;
}

static bool check(const bench_row *row)
{
    const way *how = row->what->detail;
    const int64_t last = how->scans ? row->job.n - 1 : 0;
    const bool narrow = row->job.type == PEER_F32;
    const double s = sum_of(row);
    const double got =
        narrow ? (double)((const float *)row->job.out)[last] : ((const double *)row->job.out)[last];
    return close_enough(got, narrow ? (double)(float)s : s, row->job.n);
}

static bool prepare(data *d, bench_row *row)
{
    static double bound;
    const bench_case *what = row->what;
    const way *how = what->detail;
    data_fill_in(d, FILL_WHOLE, what->peer_type, row->job.n);
    row_set(row, how->scans ? PEER_SCAN : PEER_REDUCE, d->in, d->out, how->scans ? row->job.n : 1);
    row->reduce.accumulate = row->scan.accumulate = how->wide ? HD_F64 : HD_NONE;
    if (how->bounded) {
        row->extra[0] = HD_VIEW(&bound, 1);
        row->reduce.bound = row->other = &row->extra[0];
    }
    row->with_options = how->wide || how->bounded;
    row->peak_bytes = row->job.n * (int64_t)data_type_size(what->peer_type);
    row->bytes = (how->scans ? 2 : 1) * row->peak_bytes;
    row->peak = how->scans ? PEAK_COPY : PEAK_READ;
    row->source = d->in;
    row->check = check;
    return true;
}

const bench_pattern pattern_sums = {
    .name = "sums",
    .formula = "bytes of elements, and of a scan's outputs",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .most_bytes = 8,
    .prepare = prepare,
};
