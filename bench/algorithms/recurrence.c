// SPDX-License-Identifier: Apache-2.0
//
// The rows of linear recurrences: of order 1 and 2 with constants, and with coefficients for every
// element. Peers: x, the coefficients. GB/s counts bytes read and written once; the peak is the
// fastest copy, or with coefficients the fastest triad, of as many.
#include "algorithm_row.h"

#include <heddle_algorithms.h>

typedef struct recurrence_case {
    const char *work;
    int order;
    bool own; // coefficients of every element
} recurrence_case;

static const recurrence_case constant1 = {"recurrence", 1, false},
                             constant2 = {"recurrence", 2, false},
                             own1 = {"recurrence-own", 1, true}, own2 = {"recurrence-own", 2, true};

#define F32 PEER_OTHER_OP, PEER_F32, PEER_F32, NULL
#define F64 PEER_OTHER_OP, PEER_F64, PEER_F64, NULL
static const bench_case cases[] = {
    {"order 1", "f64", "", F64, &constant1},
    {"order 1", "f32", "", F32, &constant1},
    {"order 2", "f64", "", F64, &constant2},
    {"order 1", "f64", "own coefficients", F64, &own1},
    {"order 1", "f32", "own coefficients", F32, &own1},
    {"order 2", "f64", "own coefficients", F64, &own2},
};

typedef struct state {
    algorithm_row row;
    hd_view coefficients;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_recurrence(row->ctx, row->in, s->coefficients, row->out, NULL);
    if (status) row->status = status;
}

// The definition: one loop, in f64.
static void define(const bench_row *row, const recurrence_case *c, const void *coefficients)
{
    const state *s = row->state;
    const int32_t type = row->job.type;
    double y[2] = {0, 0};
    for (int64_t i = 0; i < row->job.n; i++) {
        double next = algorithm_load(row->job.in, type, i);
        for (int k = 0; k < c->order; k++)
            next += y[k] * algorithm_load(coefficients, type, (c->own ? i * c->order : 0) + k);
        y[1] = y[0], y[0] = next;
        algorithm_store(s->row.want, type, i, next);
    }
}

static bool prepare(data *d, bench_row *row)
{
    const recurrence_case *c = row->what->detail;
    const int32_t type = row->what->peer_type;
    const int64_t n = row->job.n, size = (int64_t)data_type_size(type);
    const int64_t count = (c->own ? n : 1) * c->order;
    state *s = algorithm_begin(row, d, c->work, sizeof *s);
    if (!s) return false;
    void *coefficients = algorithm_array(&s->row, count, (size_t)size);
    algorithm_fill(d->in, type, n, 1);
    algorithm_output(row, d, n);
    if (s->row.no_memory) return false;
    algorithm_fill(coefficients, type, count, 2);
    for (int64_t i = 0; i < count; i++) // sums of |coefficients| below 1: it forgets
        algorithm_store(coefficients, type, i,
                        algorithm_load(coefficients, type, i) * 0.98 / c->order);
    const int64_t shape[2] = {n, c->order};
    s->coefficients = hd_view_of(row->in.type, coefficients, count);
    if (c->own && c->order > 0)
        s->coefficients = hd_view_nd(row->in.type, coefficients, 2, shape, NULL);
    algorithm_input(&s->row, 0, d->in, type, n);
    algorithm_input(&s->row, 1, coefficients, type, count);
    const int64_t bytes = (2 * n + (c->own ? count : 0)) * size;
    algorithm_peak(row, c->own ? PEAK_TRIAD : PEAK_COPY, bytes, c->own ? bytes / 3 : bytes / 2);
    if (c->own) algorithm_on_device(row, 1, &s->coefficients);
    row->host_only = false; // constants are the host's
    row->peak_scale = c->own ? 1 + c->order * 0.5 : 1;
    row->peak_other = coefficients;
    row->heddle = call;
    s->row.tolerance = type == PEER_F64 ? 1e-12 : 1e-5;
    define(row, c, coefficients);
    return true;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_recurrence = {
    .name = "recurrence",
    .formula = "bytes read and written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 16,
    .prepare = prepare,
    .finish = algorithm_finish,
};
