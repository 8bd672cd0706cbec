// SPDX-License-Identifier: Apache-2.0
//
// The rows of adjacent difference. GB/s counts bytes read and written; the peak is the fastest
// copy.
#include "bench/harness/pattern.h"

static const bench_case cases[] = {
    {"difference", "i32", "", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"difference", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, NULL},
};

static void call(bench_row *row)
{
    const hd_status status = hd_difference(row->ctx, row->in, row->out, NULL);
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    int64_t wrong = 0;
    if (row->job.type == PEER_I32) {
        const int32_t *x = row->job.in, *y = row->job.out;
#pragma omp parallel for reduction(+ : wrong)
        for (int64_t i = 0; i < row->job.n; i++) wrong += y[i] != x[i] - (i > 0 ? x[i - 1] : 0);
    } else {
        const float *x = row->job.in, *y = row->job.out;
#pragma omp parallel for reduction(+ : wrong)
        for (int64_t i = 0; i < row->job.n; i++) wrong += y[i] != x[i] - (i > 0 ? x[i - 1] : 0);
    }
    return wrong == 0;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    data_fill_in(d, FILL_POSITIVE, row->what->peer_type, n);
    row_set(row, PEER_DIFFERENCE, d->in, d->out, n);
    row->heddle = call;
    row->check = check;
    row->peak_bytes = n * 4;
    row->bytes = n * 8;
    row->peak = PEAK_COPY;
    return true;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_difference = {
    .name = "difference",
    .formula = "bytes read and written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
};
