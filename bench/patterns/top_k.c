// SPDX-License-Identifier: Apache-2.0
//
// The rows of the top k: 10, 1000 and 100,000 of f32, 10 of i32, also where each of 256 values
// comes often. GB/s counts the bytes read; the peak is the fastest read of them.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_order.h"

#include <stdlib.h>
#include <string.h>

static const peer_top_k ten = {10}, thousand = {1000}, many = {100000};
static const bench_case cases[] = {
    {"greatest", "f32", "10", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &ten},
    {"greatest", "f32", "1000", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &thousand},
    {"greatest", "f32", "100000", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &many},
    {"greatest", "i32", "10", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &ten},
    {"greatest", "i32", "10 of 256 values", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &ten},
};

static int64_t count_of(const bench_row *row)
{
    const peer_top_k *more = row->what->detail;
    return more->k < row->job.n ? more->k : row->job.n;
}

static bool falls(const uint32_t *y, int64_t k)
{
    for (int64_t i = 1; i < k; i++)
        if (y[i - 1] < y[i]) return false;
    return true;
}

// They fall, and just k elements are not less than the last of them (or more, where it is there
// more than once).
static bool check(const bench_row *row)
{
    const uint32_t *x = row->job.in, *y = row->job.out; // none is negative: bits have their order
    const int64_t k = count_of(row);
    const uint32_t last = y[k - 1];
    int64_t greater = 0, equal = 0, kept = 0;
#pragma omp parallel for reduction(+ : greater, equal)
    for (int64_t i = 0; i < row->job.n; i++) greater += x[i] > last, equal += x[i] == last;
    for (int64_t i = 0; i < k; i++) kept += y[i] > last;
    return falls(y, k) && kept == greater && greater + equal >= k;
}

static void call(bench_row *row)
{
    const hd_status status =
        hd_top_k(row->ctx, row->in, count_of(row), row->out, HD_NO_VALUES, NULL);
    if (status) row->status = status;
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    const int64_t n = row->job.n;
    const uint32_t mask = strstr(row->what->variant, "256") != NULL ? 255 : UINT32_MAX;
    d->fill = FILL_NONE;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const uint32_t bits = (uint32_t)(data_mix((uint64_t)i) >> 33) & mask;
        if (type == PEER_I32)
            ((int32_t *)d->in)[i] = (int32_t)bits;
        else
            ((float *)d->in)[i] = (float)bits;
    }
    row_set(row, PEER_TOP_K, d->in, d->out, count_of(row));
    row->job.more = row->what->detail;
    row->heddle = call;
    row->bytes = row->peak_bytes = n * 4;
    row->peak = PEAK_READ;
    row->check = check;
    return true;
}

static const int64_t sizes[] = {1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_top_k = {
    .name = "top_k",
    .formula = "bytes read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
};
