// SPDX-License-Identifier: Apache-2.0
//
// The rows of polynomials: of degree 8 and 64 at n points, and n coefficients at one point. Peers:
// the coefficients, the lowest first, and the points. GB/s counts bytes read and written once; the
// peak is the fastest copy of the points, or a read of the coefficients.
#include "algorithm_row.h"

#include <heddle_algorithms.h>

static const int64_t degree8 = 9, degree64 = 65, all = 0; // coefficients; 0: n, at one point

#define F32 PEER_OTHER_OP, PEER_F32, PEER_F32, NULL
#define F64 PEER_OTHER_OP, PEER_F64, PEER_F64, NULL
static const bench_case cases[] = {
    {"degree 8", "f64", "", F64, &degree8},
    {"degree 8", "f32", "", F32, &degree8},
    {"degree 64", "f64", "", F64, &degree64},
    {"degree n", "f64", "one point", F64, &all},
};

typedef struct state {
    algorithm_row row;
    hd_view coefficients, points;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_polynomial(row->ctx, s->coefficients, s->points, row->out, NULL);
    if (status) row->status = status;
}

// The definition: Horner's rule, in f64.
static void define(const bench_row *row, const void *c, int64_t terms, const void *x,
                   int64_t points)
{
    const state *s = row->state;
    const int32_t type = row->job.type;
    for (int64_t i = 0; i < points; i++) {
        const double at = algorithm_load(x, type, i);
        double r = 0;
        for (int64_t k = terms - 1; k >= 0; k--) r = r * at + algorithm_load(c, type, k);
        algorithm_store(s->row.want, type, i, r);
    }
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    const int64_t n = row->job.n, size = (int64_t)data_type_size(type);
    const int64_t given = *(const int64_t *)row->what->detail, terms = given ? given : n,
                  points = given ? n : 1;
    state *s = algorithm_begin(row, d, "polynomial", sizeof *s);
    if (!s) return false;
    void *other = algorithm_array(&s->row, given ? terms : points, (size_t)size);
    algorithm_fill(d->in, type, n, 1);
    algorithm_output(row, d, points);
    if (s->row.no_memory) return false;
    algorithm_fill(other, type, given ? terms : points, 2);
    if (!given) algorithm_store(other, type, 0, 0.999999);
    const void *c = given ? other : d->in, *x = given ? d->in : other;
    s->coefficients = row_view(type, c, terms), s->points = row_view(type, x, points);
    algorithm_input(&s->row, 0, c, type, terms);
    algorithm_input(&s->row, 1, x, type, points);
    algorithm_peak(row, given ? PEAK_COPY : PEAK_READ, (given ? 2 : 1) * n * size, n * size);
    row->heddle = call;
    s->row.tolerance = type == PEER_F64 ? given ? 1e-12 : 1e-9 : 1e-5;
    define(row, c, terms, x, points);
    return true;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_polynomial = {
    .name = "polynomial",
    .formula = "bytes read and written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = algorithm_finish,
};
