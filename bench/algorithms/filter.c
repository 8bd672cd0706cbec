// SPDX-License-Identifier: Apache-2.0
//
// The rows of recursive filters: of order 2, 4 and 8, four sections of order 2 (with sections x 6
// coefficients), forward and backward, and many short signals. Peers: b, a (or sections), signals,
// the length of one. GB/s counts bytes read and written once; the peak is the fastest copy.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <string.h>

#define MAX 9

// Butterworth low passes, a tenth of the sampling rate, and sections of one of order 8.
typedef struct filter_case {
    const char *work;
    int order, sections; // sections 0: b and a
    int64_t length;      // of a signal; 0: all
    bool both;
    double b[MAX], a[MAX];
} filter_case;

static const filter_case order2 = {"filter",
                                   2,
                                   0,
                                   0,
                                   false,
                                   {0.0674552738890719, 0.134910547778144, 0.0674552738890719},
                                   {1, -1.14298050253990, 0.412801598096189}};
static const filter_case order4 = {
    "filter",
    4,
    0,
    0,
    false,
    {0.00482434335771623, 0.0192973734308649, 0.0289460601462974, 0.0192973734308649,
     0.00482434335771623},
    {1, -2.36951300718204, 2.31398841441588, -1.05466540587857, 0.187379492368185}};
static const filter_case order8 = {
    "filter",
    8,
    0,
    0,
    false,
    {1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 4e-3, 3e-3, 2e-3, 1e-3},
    {1, -0.5, 0.25, -0.125, 0.0625, -0.03125, 0.015625, -0.0078125, 0.00390625}};
static const filter_case both2 = {"filter-both",
                                  2,
                                  0,
                                  0,
                                  true,
                                  {0.0674552738890719, 0.134910547778144, 0.0674552738890719},
                                  {1, -1.14298050253990, 0.412801598096189}};
static const filter_case short2 = {"filter",
                                   2,
                                   0,
                                   1000,
                                   false,
                                   {0.0674552738890719, 0.134910547778144, 0.0674552738890719},
                                   {1, -1.14298050253990, 0.412801598096189}};
static const filter_case sections4 = {"filter-sections",
                                      2,
                                      4,
                                      0,
                                      false,
                                      {0.0674552738890719, 0.134910547778144, 0.0674552738890719},
                                      {1, -1.14298050253990, 0.412801598096189}};

#define F32 PEER_OTHER_OP, PEER_F32, PEER_F32, NULL
#define F64 PEER_OTHER_OP, PEER_F64, PEER_F64, NULL
static const bench_case cases[] = {
    {"order 2", "f64", "", F64, &order2},
    {"order 2", "f32", "", F32, &order2},
    {"order 4", "f64", "", F64, &order4},
    {"order 8", "f64", "", F64, &order8},
    {"4 sections", "f64", "", F64, &sections4},
    {"4 sections", "f32", "", F32, &sections4},
    {"order 2", "f64", "both ways", F64, &both2},
    {"order 2", "f64", "signals of 1000", F64, &short2},
};

typedef struct state {
    algorithm_row row;
    double b[MAX], a[MAX], sections[24]; // 4 x 6
    int64_t length;
} state;

static hd_view signals(const state *s, hd_view v)
{
    const int64_t n = hd_count(v), shape[2] = {n / s->length, s->length};
    return shape[0] == 1 ? v : hd_view_nd(v.type, v.data, 2, shape, NULL);
}

static void call(bench_row *row)
{
    const filter_case *c = row->what->detail;
    state *s = row->state;
    const int64_t shape[2] = {c->sections, 6};
    const hd_view in = signals(s, row->in), out = signals(s, row->out);
    const hd_filter_options o = {.both = c->both};
    const hd_status status =
        c->sections ? hd_filter_sections(row->ctx, in,
                                         hd_view_nd(HD_F64, s->sections, 2, shape, NULL), out, &o)
                    : hd_filter(row->ctx, in, HD_VIEW(s->b, c->order + 1),
                                HD_VIEW(s->a, c->order + 1), out, &o);
    if (status) row->status = status;
}

// The definition: one loop, in f64.
static void filter(const filter_case *c, double *x, int64_t n, int64_t step)
{
    double d[MAX + 1] = {0};
    for (int64_t i = 0; i < n; i++) {
        double *at = x + i * step;
        const double in = *at, out = c->b[0] * in + d[0];
        for (int j = 0; j < c->order; j++) d[j] = c->b[j + 1] * in - c->a[j + 1] * out + d[j + 1];
        *at = out;
    }
}

static bool define(state *s, const filter_case *c, const bench_row *row, int64_t n)
{
    double *x = algorithm_array(&s->row, n, sizeof *x);
    if (!x || s->row.no_memory) return false;
    for (int64_t i = 0; i < n; i++) x[i] = algorithm_load(row->job.in, row->job.type, i);
    for (int64_t at = 0; at < n; at += s->length) {
        for (int k = 0; k < (c->sections ? c->sections : 1); k++) filter(c, x + at, s->length, 1);
        if (c->both) filter(c, x + at + s->length - 1, s->length, -1);
    }
    for (int64_t i = 0; i < n; i++) algorithm_store(s->row.want, row->job.type, i, x[i]);
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    const filter_case *c = row->what->detail;
    const int32_t type = row->what->peer_type;
    state *s = algorithm_begin(row, d, c->work, sizeof *s);
    if (!s) return false;
    s->length = c->length && row->job.n >= c->length ? c->length : row->job.n;
    const int64_t n = row->job.n / s->length * s->length;
    memcpy(s->b, c->b, sizeof s->b), memcpy(s->a, c->a, sizeof s->a);
    for (int k = 0; k < c->sections; k++) {
        memcpy(s->sections + 6 * k, c->b, 3 * sizeof *c->b);
        memcpy(s->sections + 6 * k + 3, c->a, 3 * sizeof *c->a);
    }
    row->job.n = n;
    algorithm_fill(d->in, type, n, 1);
    algorithm_output(row, d, n);
    algorithm_input(&s->row, 0, d->in, type, n);
    algorithm_input(&s->row, 1, c->sections ? s->sections : s->b, PEER_F64,
                    c->sections ? 6 * c->sections : c->order + 1);
    algorithm_input(&s->row, 2, s->a, PEER_F64, c->order + 1);
    algorithm_input(&s->row, 3, &s->length, PEER_I64, 1);
    const int64_t bytes = n * (int64_t)data_type_size(type);
    algorithm_peak(row, PEAK_COPY, 2 * bytes, bytes);
    row->heddle = call;
    s->row.tolerance = type == PEER_F64 ? 1e-11 : 1e-4;
    return define(s, c, row, n);
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_filter = {
    .name = "filter",
    .formula = "bytes read and written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = algorithm_finish,
};
