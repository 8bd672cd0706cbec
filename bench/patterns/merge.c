// SPDX-License-Identifier: Apache-2.0
//
// The rows of merging two sorted halves of i32 and of f32. GB/s counts the bytes read and written;
// the peak is the fastest copy of them.
#include "order_data.h"

#include <string.h>

static const bench_case cases[] = {
    {"less", "i32", "", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"less", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, NULL},
};

// In order, and the same elements.
static bool check(const bench_row *row)
{
    const uint32_t *x = row->job.in, *y = row->job.out; // none is negative: bits have their order
    uint64_t sum = 0;
    bool right = true;
#pragma omp parallel for reduction(&& : right) reduction(+ : sum)
    for (int64_t i = 0; i < row->job.n; i++) {
        sum += data_mix(x[i]) - data_mix(y[i]);
        right = right && (i == 0 || y[i - 1] <= y[i]);
    }
    return right && sum == 0;
}

static void call(bench_row *row)
{
    const int64_t half = row->job.n / 2;
    const hd_view a = hd_slice(row->in, 0, 0, half, 1);
    const hd_view b = hd_slice(row->in, 0, half, row->job.n - half, 1);
    const hd_status status = hd_merge(row->ctx, a, b, row->out, HD_NO_VALUES, NULL);
    if (status) row->status = status;
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    const int64_t n = row->job.n, half = n / 2;
    d->fill = FILL_NONE;
    order_fill_rising(type, d->in, half, 0);
    order_fill_rising(type, (char *)d->in + half * 4, n - half, 1);
    row_set(row, PEER_MERGE, d->in, d->out, n);
    row->heddle = call;
    row->peak_bytes = n * 4;
    row->bytes = 2 * row->peak_bytes;
    row->peak = PEAK_COPY;
    row->check = check;
    return true;
}

static const int64_t sizes[] = {1 << 12, 1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_merge = {
    .name = "merge",
    .formula = "bytes read + bytes written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
};
