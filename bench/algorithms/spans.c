// SPDX-License-Identifier: Apache-2.0
//
// The rows of n requests of 0 to 99 served from one pool that is too small for a fifth of them. No
// peer does that. GB/s counts bytes of the wants and of the begins.
#include "algorithm_row.h"

#include <heddle_algorithms.h>

static const bench_case cases[] = {
    {"partial", "i64", "", PEER_OTHER_OP, PEER_I64, PEER_I64, NULL, NULL},
    {"skip", "i64", "", PEER_OTHER_OP, PEER_I64, PEER_I64, NULL, NULL},
};

typedef struct state {
    algorithm_row row;
    int64_t pool;
    bool skips;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_allocate_spans(
        row->ctx, row->in, HD_VIEW(&s->pool, 1), row->out,
        &(hd_spans_options){.policy = s->skips ? HD_SPANS_SKIP : HD_SPANS_PARTIAL});
    if (status) row->status = status;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    state *s = algorithm_begin(row, d, "spans", sizeof *s);
    if (!s) return false;
    int64_t *wants = d->in, at = 0;
    algorithm_output(row, d, n);
    if (s->row.no_memory) return false;
    s->pool = 40 * n, s->skips = row->what->op[0] == 's';
    for (int64_t i = 0; i < n; i++) wants[i] = (int64_t)(data_mix((uint64_t)i) % 100);
    for (int64_t i = 0; i < n; i++) {
        const int64_t left = s->pool - at;
        ((int64_t *)s->row.want)[i] = at;
        at += wants[i] <= left ? wants[i] : s->skips ? 0 : left;
    }
    algorithm_peak(row, PEAK_COPY, 16 * n, 8 * n);
    row->heddle = call;
    return true;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_spans = {
    .name = "spans",
    .formula = "bytes of the wants read and of the begins written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = algorithm_finish,
};
