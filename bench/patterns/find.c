// SPDX-License-Identifier: Apache-2.0
//
// The row of find: the first element that is not zero, which is the last one of all. GB/s counts
// the bytes read; the peak is the fastest read of them.
#include "bench/harness/pattern.h"

#include <string.h>

static const bench_case cases[] = {
    {"not zero", "i32", "the last", PEER_OTHER_OP, PEER_I32, PEER_I64, NULL, NULL},
    {"not zero", "u8", "the last", PEER_OTHER_OP, PEER_U8, PEER_I64, NULL, NULL},
};

static void call(bench_row *row)
{
    const hd_status status = hd_find(row->ctx, row->in, row->out, NULL);
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    return *(const int64_t *)row->job.out == row->job.n - 1;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n, bytes = n * (int64_t)data_type_size(row->what->peer_type);
    memset(d->in, 0, (size_t)bytes);
    d->fill = FILL_NONE;
    if (row->what->peer_type == PEER_U8)
        ((uint8_t *)d->in)[n - 1] = 1;
    else
        ((int32_t *)d->in)[n - 1] = 1;
    row_set(row, PEER_FIND, d->in, d->out, 1);
    row->heddle = call;
    row->check = check;
    row->bytes = row->peak_bytes = bytes;
    row->peak = PEAK_READ;
    return true;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_find = {
    .name = "find",
    .formula = "bytes read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
};
