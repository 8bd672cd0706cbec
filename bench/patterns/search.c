// SPDX-License-Identifier: Apache-2.0
//
// The rows of searching: as many queries as there are elements, of i32 and of f32, at random and
// rising. GB/s counts the bytes of the queries read and of the places written.
#include "order_data.h"
#include "bench/peer/peer_order.h"

#include <stdlib.h>

#define RISING "rising"
static const bench_case cases[] = {
    {"left", "i32", "", PEER_OTHER_OP, PEER_I32, PEER_I64, NULL, NULL},
    {"left", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_I64, NULL, NULL},
    {"left", "i32", RISING, PEER_OTHER_OP, PEER_I32, PEER_I64, NULL, NULL},
};

typedef struct search_state {
    peer_search more;
    void *sorted;
} search_state;

// None is negative: bits have their order.
static bool check(const bench_row *row)
{
    const search_state *s = row->state;
    const uint32_t *x = s->sorted, *q = row->job.in;
    const int64_t *place = row->job.out, n = s->more.n;
    bool right = true;
#pragma omp parallel for reduction(&& : right)
    for (int64_t j = 0; j < row->job.n; j++)
        right = right && place[j] >= 0 && place[j] <= n && (place[j] == n || x[place[j]] >= q[j]) &&
                (place[j] == 0 || x[place[j] - 1] < q[j]);
    return right;
}

static void call(bench_row *row)
{
    const search_state *s = row->state;
    const hd_view sorted = row_view(row->job.type, s->sorted, s->more.n);
    const hd_status status = hd_search(row->ctx, sorted, row->in, row->out, NULL);
    if (status) row->status = status;
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    const int64_t n = row->job.n;
    search_state *s = calloc(1, sizeof *s);
    if (!s) return false;
    row->state = s;
    s->sorted = malloc((size_t)n * 4);
    if (!s->sorted) return false;
    s->more = (peer_search){s->sorted, n};
    d->fill = FILL_NONE;
    order_fill_rising(type, s->sorted, n, 0);
    order_fill_rising(type, d->in, n, 1);
    uint32_t *q = d->in;
    for (int64_t i = n - 1; i > 0 && row->what->variant[0] == 0; i--) { // in any order
        const int64_t j = (int64_t)(data_mix((uint64_t)i) % (uint64_t)(i + 1));
        const uint32_t kept = q[i];
        q[i] = q[j], q[j] = kept;
    }
    row_set(row, PEER_SEARCH, d->in, d->out, n);
    row->job.more = &s->more;
    row->heddle = call;
    row->bytes = n * 12;
    row->check = check;
    return true;
}

static void finish(bench_row *row)
{
    search_state *s = row->state;
    if (s) free(s->sorted);
    free(s);
    row->state = NULL;
}

static const int64_t sizes[] = {1 << 12, 1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_search = {
    .name = "search",
    .formula = "bytes of the queries + bytes of the places",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = finish,
};
