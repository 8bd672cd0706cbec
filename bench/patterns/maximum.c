// SPDX-License-Identifier: Apache-2.0
//
// The rows of the maximum by the methods of the PRAM, f32, against peers that find the index of the
// greatest any way they like. GB/s counts the bytes read; the peak is the fastest read of them.
#include "bench/harness/pattern.h"

#include <heddle_teaching.h>

static const hd_maximum_method cascade = HD_MAXIMUM_CASCADE, tree = HD_MAXIMUM_TREE,
                               double_log = HD_MAXIMUM_DOUBLE_LOG;
static const bench_case cases[] = {
    {"argmax", "f32", "cascade", PEER_ARGMAX, PEER_F32, PEER_I64, NULL, &cascade},
    {"argmax", "f32", "tree", PEER_ARGMAX, PEER_F32, PEER_I64, NULL, &tree},
    {"argmax", "f32", "double-log", PEER_ARGMAX, PEER_F32, PEER_I64, NULL, &double_log},
};

static bool check(const bench_row *row)
{
    const float *x = row->job.in;
    const int64_t at = *(const int64_t *)row->job.out;
    bool right = at >= 0 && at < row->job.n;
#pragma omp parallel for reduction(&& : right)
    for (int64_t i = 0; i < row->job.n; i++) right = right && x[i] <= x[at];
    return right;
}

static void call(bench_row *row)
{
    hd_maximum_result result;
    const hd_maximum_options options = {.method = *(const hd_maximum_method *)row->what->detail};
    hd_status status = hd_maximum(row->ctx, row->in, &result, &options);
    if (status == HD_OK && row->out.space == HD_DEVICE) // where the check looks
        status = hd_map(row->ctx, HD_VIEW(&result.index, 1), NULL, row->out, NULL);
    else if (status == HD_OK)
        *(int64_t *)row->job.out = result.index;
    if (status) row->status = status;
}

static bool prepare(data *d, bench_row *row)
{
    data_fill_in(d, FILL_POSITIVE, PEER_F32, row->job.n);
    row_set(row, PEER_REDUCE, d->in, d->out, 1);
    row->heddle = call;
    row->bytes = row->peak_bytes = row->job.n * (int64_t)sizeof(float);
    row->peak = PEAK_READ;
    row->check = check;
    return true;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 24, 0};

const bench_pattern pattern_maximum = {
    .name = "maximum",
    .formula = "bytes read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
};
