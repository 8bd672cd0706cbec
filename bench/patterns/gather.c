// SPDX-License-Identifier: Apache-2.0
//
// The rows of gather: i32 and f64 by i32 indices, each once: in random order, nearly in order, in
// order. GB/s counts indices and elements read and elements written. No peak: random access has
// none of its own.
#include "bench/harness/pattern.h"

#include "bench/harness/indices.h"
#include "bench/peer/peer_gather.h"

#include <stdlib.h>
#include <string.h>

static const bench_case cases[] = {
    {"gather", "i32", "random", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"gather", "i32", "nearly in order", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"gather", "i32", "in order", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"gather", "f64", "random", PEER_OTHER_OP, PEER_F64, PEER_F64, NULL, NULL},
};

typedef struct state {
    peer_gather more;
    int32_t *index;
    hd_view view; // of it
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_gather(row->ctx, row->in, s->view, row->out, NULL);
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    const state *s = row->state;
    const size_t size = data_type_size(row->job.type);
    const char *x = row->job.in, *y = row->job.out;
    int64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (int64_t i = 0; i < row->job.n; i++)
        wrong += memcmp(y + (size_t)i * size, x + (size_t)s->index[i] * size, size) != 0;
    return wrong == 0;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    const char *variant = row->what->variant;
    state *s = calloc(1, sizeof *s);
    row->state = s;
    if (!s || n > INT32_MAX) return false;
    s->index = strcmp(variant, "random") == 0     ? indices_random(n)
               : strcmp(variant, "in order") == 0 ? indices_in_order(n)
                                                  : indices_nearly(n);
    if (!s->index) return false;
    data_fill_in(d, FILL_POSITIVE, row->what->peer_type, n);
    row_set(row, PEER_GATHER, d->in, d->out, n);
    s->more = (peer_gather){s->index, n};
    row->job.more = &s->more;
    s->view = HD_VIEW(s->index, row->job.n);
    row->with = &s->view;
    row->heddle = call;
    row->check = check;
    row->bytes = n * (4 + 2 * (int64_t)data_type_size(row->what->peer_type));
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (s) free(s->index);
    free(s);
}

static const int64_t sizes[] = {1 << 10, 1 << 16, 1 << 20, 3000001, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_gather = {
    .name = "gather",
    .formula = "bytes of indices and elements read, elements written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = finish,
};
