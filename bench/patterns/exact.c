// SPDX-License-Identifier: Apache-2.0
//
// The rows of exact: exact sums of numbers between -1 and 1, and of all exponents; norms; dot
// products. GB/s counts the bytes read; the peak is the fastest read of them.
#include "bench/harness/pattern.h"

#include <math.h>
#include <stdlib.h>

static const bool hard = true;

#define ROWS(type, TYPE)                                                                           \
    {"sum_exact", type, "", PEER_OTHER_OP, TYPE, TYPE, NULL, NULL},                                \
        {"sum_exact", type, "all exponents", PEER_OTHER_OP, TYPE, TYPE, NULL, &hard},              \
        {"norm2", type, "", PEER_OTHER_OP, TYPE, TYPE, NULL, NULL},                                \
    {                                                                                              \
        "dot", type, "", PEER_OTHER_OP, TYPE, TYPE, NULL, NULL                                     \
    }

static const bench_case cases[] = {ROWS("f32", PEER_F32), ROWS("f64", PEER_F64)};

static void put(void *array, bool wide, int64_t i, double x)
{
    if (wide)
        ((double *)array)[i] = x;
    else
        ((float *)array)[i] = (float)x;
}

static double get(const void *array, bool wide, int64_t i)
{
    return wide ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

// Each number with its opposite in the other half of the array, but for the first, which is 1.5:
// the sum.
static void fill_sum(void *in, bool wide, bool all, int64_t n)
{
    const int span = wide ? 2000 : 240;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n / 2; i++) {
        const uint64_t bits = data_mix((uint64_t)i);
        double x = (double)(int64_t)(bits << 8) * 0x1p-63;
        if (all) x = ldexp(x, (int)(bits >> 50) % span - span / 2);
        put(in, wide, i, x);
        put(in, wide, n - 1 - i, -x);
    }
    if (n % 2) put(in, wide, n / 2, 0);
    put(in, wide, 0, 1.5);
    if (n > 1) put(in, wide, n - 1, 0);
}

static bool check(const bench_row *row)
{
    const bool wide = row->job.type == PEER_F64;
    const double got = get(row->job.out, wide, 0);
    if (row->op == HD_SUM_EXACT) return got == 1.5;
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < row->job.n; i++) s += get(row->job.in, wide, i); // 1 in places, else 0
    const double want = row->op == HD_DOT ? 2 * s : sqrt(s);
    return row->op == HD_DOT ? close_enough(got, want, row->job.n)
                             : got == (wide ? want : (double)(float)want);
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n, size = (int64_t)data_type_size(row->what->peer_type);
    const bool wide = row->what->peer_type == PEER_F64;
    void *with = (char *)d->in + n * size;
    row_set(row, PEER_REDUCE, d->in, d->out, 1);
    row->bytes = n * size;
    d->fill = FILL_NONE; // what is there is not what it was
    if (row->op == HD_SUM_EXACT)
        fill_sum(d->in, wide, row->what->detail != NULL, n);
    else
        data_fill_in(d, FILL_WHOLE, row->what->peer_type, n);
    if (row->op == HD_DOT) {
        d->fill = FILL_NONE;
        hd_view *view = malloc(sizeof *view);
        row->state = view;
        if (!view) return false;
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++) put(with, wide, i, 2);
        *view = row_view(row->what->peer_type, with, n);
        row->with = view;
        row->reduce.with = (hd_views){view, 1};
        row->with_options = true;
        row->bytes *= 2;
    }
    row->peak_bytes = row->bytes;
    row->peak = PEAK_READ;
    row->check = check;
    return true;
}

static void finish(bench_row *row)
{
    free(row->state);
    row->state = NULL;
}

const bench_pattern pattern_exact = {
    .name = "exact",
    .formula = "bytes read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .most_bytes = 16, // two arrays of f64
    .prepare = prepare,
    .finish = finish,
};
