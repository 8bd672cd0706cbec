// SPDX-License-Identifier: Apache-2.0
//
// The rows of tridiagonal systems: one of n equations whose diagonal dominates, and many of 100.
// Peers: lower, diagonal, upper, right, the length of a system. GB/s counts bytes of the four
// arrays read and of the solution written; the peak is the fastest copy of as many bytes.
#include "algorithm_row.h"

#include <heddle_algorithms.h>

static const int64_t one = 0, many = 100; // equations of a system; 0: n

#define F32 PEER_OTHER_OP, PEER_F32, PEER_F32, NULL
#define F64 PEER_OTHER_OP, PEER_F64, PEER_F64, NULL
static const bench_case cases[] = {
    {"one system", "f64", "", F64, &one},
    {"one system", "f32", "", F32, &one},
    {"systems of 100", "f64", "", F64, &many},
};

enum { LOWER, DIAGONAL, UPPER, RIGHT, ARRAYS };

typedef struct state {
    algorithm_row row;
    hd_view array[ARRAYS], out;
    int64_t length;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status =
        hd_tridiagonal(row->ctx, s->array[LOWER], s->array[DIAGONAL], s->array[UPPER],
                       s->array[RIGHT], algorithm_at(s->out, row->out), NULL);
    if (status) row->status = status;
}

// The definition: elimination from the first equation to the last, in f64.
static bool define(const bench_row *row)
{
    state *s = row->state;
    const int32_t type = row->job.type;
    const int64_t n = row->job.n;
    double *u = algorithm_array(&s->row, n, sizeof *u), *y = algorithm_array(&s->row, n, sizeof *y);
    if (!u || !y) return false;
    for (int64_t i = 0; i < n; i++) {
        const bool first = i % s->length == 0;
        const double below = first ? 0 : algorithm_load(s->array[LOWER].data, type, i);
        const double pivot =
            algorithm_load(s->array[DIAGONAL].data, type, i) - (first ? 0 : below * u[i - 1]);
        u[i] = algorithm_load(s->array[UPPER].data, type, i) / pivot;
        y[i] = (algorithm_load(s->array[RIGHT].data, type, i) - (first ? 0 : below * y[i - 1])) /
               pivot;
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        if (i + 1 < n && (i + 1) % s->length != 0) y[i] -= u[i] * y[i + 1];
        algorithm_store(s->row.want, type, i, y[i]);
    }
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    const int64_t size = (int64_t)data_type_size(type), given = *(const int64_t *)row->what->detail;
    state *s = algorithm_begin(row, d, "tridiagonal", sizeof *s);
    if (!s) return false;
    s->length = given && row->job.n >= given ? given : row->job.n;
    const int64_t n = row->job.n = row->job.n / s->length * s->length;
    const int64_t shape[2] = {n / s->length, s->length};
    algorithm_output(row, d, n);
    for (int k = 0; k < ARRAYS; k++) {
        void *x = k == 0 ? d->in : algorithm_array(&s->row, n, (size_t)size);
        if (!x) return false;
        algorithm_fill(x, type, n, k + 1);
        for (int64_t i = 0; k == DIAGONAL && i < n; i++)
            algorithm_store(x, type, i, 2.5 + algorithm_load(x, type, i) * 0.4);
        for (int64_t i = 0; i < n; i++) { // what no equation has
            const int64_t at = i % s->length;
            if ((k == LOWER && at == 0) || (k == UPPER && at == s->length - 1))
                algorithm_store(x, type, i, 0);
        }
        s->array[k] =
            s->length == n ? row_view(type, x, n) : hd_view_nd(row->in.type, x, 2, shape, NULL);
        algorithm_input(&s->row, k, x, type, n);
    }
    s->out = s->length == n ? row->out : hd_view_nd(row->out.type, d->out, 2, shape, NULL);
    algorithm_input(&s->row, ARRAYS, &s->length, PEER_I64, 1);
    algorithm_peak(row, PEAK_COPY, 5 * n * size, 5 * n * size / 2);
    for (int k = 0; k < ARRAYS; k++) algorithm_on_device(row, k, &s->array[k]);
    row->heddle = call;
    s->row.tolerance = type == PEER_F64 ? 1e-11 : 1e-4;
    return !s->row.no_memory && define(row);
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_tridiagonal = {
    .name = "tridiagonal",
    .formula = "bytes of four arrays read and one written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 20,
    .prepare = prepare,
    .finish = algorithm_finish,
};
