// SPDX-License-Identifier: Apache-2.0
//
// The rows of map: 2a + b of f32, and a conversion. GB/s counts bytes read and written; the peak of
// 2a + b is the fastest triad of them.
#include "bench/harness/pattern.h"

#include "bench/peer/peer_map.h"

#include <stdlib.h>

HD_FUNCTION(axpy, float, HD_NO_SOURCE, (float, a, float, b), { return 2 * a + b; })

static const bench_case cases[] = {
    {"2a+b", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, NULL},
    {"convert", "u8", "to f32", PEER_MIN, PEER_U8, PEER_F32, NULL, NULL},
};

typedef struct state {
    peer_map more;
    float *with;
    hd_map_options options;
    hd_view view;
} state;

static void call(bench_row *row)
{
    state *s = row->state;
    const bool two = row->what->peer_op == PEER_OTHER_OP;
    const hd_status status =
        hd_map(row->ctx, row->in, two ? axpy : NULL, row->out, two ? &s->options : NULL);
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    const state *s = row->state;
    const float *y = row->job.out;
    int64_t wrong = 0;
    if (row->what->peer_op == PEER_OTHER_OP) {
        const float *a = row->job.in;
#pragma omp parallel for reduction(+ : wrong)
        for (int64_t i = 0; i < row->job.n; i++) wrong += y[i] != 2 * a[i] + s->with[i];
    } else {
        const uint8_t *a = row->job.in;
#pragma omp parallel for reduction(+ : wrong)
        for (int64_t i = 0; i < row->job.n; i++) wrong += y[i] != a[i];
    }
    return wrong == 0;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    const bool two = row->what->peer_op == PEER_OTHER_OP;
    state *s = calloc(1, sizeof *s);
    row->state = s;
    if (!s) return false;
    s->with = aligned_alloc(4096, (size_t)(n * 4 + 4095) / 4096 * 4096 + 65536);
    if (!s->with) return false;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) s->with[i] = (float)(i % 1000);
    data_fill_in(d, two ? FILL_WHOLE : FILL_BITS, row->what->peer_type, n);
    row_set(row, PEER_MAP, d->in, d->out, n);
    s->more.with = s->with;
    row->job.more = &s->more;
    s->view = HD_VIEW(s->with, n);
    s->options.with = (hd_views){&s->view, 1};
    if (two) row->with = &s->view;
    row->heddle = call;
    row->check = check;
    row->bytes = n * (two ? 12 : 5);
    row->peak = PEAK_TRIAD;
    row->peak_bytes = two ? n * 4 : 0;
    row->peak_other = s->with;
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (s) free(s->with);
    free(s);
}

static const int64_t sizes[] = {1 << 10, 1 << 16, 1 << 20, 3000001, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_map = {
    .name = "map",
    .formula = "bytes read and written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
