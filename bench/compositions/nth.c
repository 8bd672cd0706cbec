// SPDX-License-Identifier: Apache-2.0
//
// The rows of elements by rank: the median of f32 and of i32. GB/s counts the bytes read; the peak
// is the fastest read of them.
#include "bench/harness/pattern.h"

#include <string.h>

static const bench_case cases[] = {
    {"median", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, NULL},
    {"median", "i32", "", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
};

static void call(bench_row *row)
{
    int64_t rank = row->job.n / 2;
    const hd_status status = hd_nth(row->ctx, row->in, HD_VIEW(&rank, 1), row->out, NULL);
    if (status) row->status = status;
}

// Fewer are less than there are ranks before it, and with those that equal it more.
static bool check(const bench_row *row)
{
    const uint32_t *x = row->job.in; // none is negative: bits have their order
    const int64_t rank = row->job.n / 2;
    int64_t less = 0, equal = 0;
    uint32_t median;
    memcpy(&median, row->job.out, sizeof median);
#pragma omp parallel for reduction(+ : less, equal)
    for (int64_t i = 0; i < row->job.n; i++) less += x[i] < median, equal += x[i] == median;
    return less <= rank && rank < less + equal;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    if (n < 1) return false;
    d->fill = FILL_NONE;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const uint32_t bits = (uint32_t)(data_mix((uint64_t)i) >> 33);
        if (row->what->peer_type == PEER_I32)
            ((int32_t *)d->in)[i] = (int32_t)bits;
        else
            ((float *)d->in)[i] = (float)bits;
    }
    row_set(row, PEER_OTHER_OP, d->in, d->out, 1);
    row->job.pattern = -1; // no peer has it
    row->heddle = call;
    row->check = check;
    row->bytes = row->peak_bytes = n * 4;
    row->peak = PEAK_READ;
    return true;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_nth = {
    .name = "nth",
    .formula = "bytes read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
};
