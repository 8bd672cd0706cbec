// SPDX-License-Identifier: Apache-2.0
//
// The row of shuffle: i32 in a random order. GB/s counts bytes read and written; peers have their
// own orders, of which is checked that nothing is lost and hardly anything stays.
#include "bench/harness/pattern.h"

#include <stdlib.h>

static const bench_case cases[] = {
    {"shuffle", "i32", "", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
};

static void call(bench_row *row)
{
    const hd_status status = hd_shuffle(row->ctx, row->in, row->out, NULL);
    if (status) row->status = status;
}

// The input is 0, 1, 2, ...
static bool check(const bench_row *row)
{
    const int32_t *y = row->job.out;
    const int64_t n = row->job.n;
    uint8_t *seen = calloc((size_t)n, 1);
    int64_t wrong = seen == NULL, still = 0;
    for (int64_t i = 0; seen != NULL && i < n; i++) {
        if (y[i] < 0 || y[i] >= n || seen[y[i]])
            wrong++;
        else
            seen[y[i]] = 1;
        still += y[i] == i;
    }
    free(seen);
    return wrong == 0 && still < 20;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    if (n > INT32_MAX) return false;
    int32_t *x = d->in;
    d->fill = FILL_NONE;
    for (int64_t i = 0; i < n; i++) x[i] = (int32_t)i;
    row_set(row, PEER_SHUFFLE, d->in, d->out, n);
    row->heddle = call;
    row->check = check;
    row->bytes = n * 8;
    return true;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_shuffle = {
    .name = "shuffle",
    .formula = "bytes read and written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
};
