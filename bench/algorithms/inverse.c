// SPDX-License-Identifier: Apache-2.0
//
// The rows of inverses of dense matrices, squares of n elements: of any and of a triangular one.
// Peers: the matrix. In the place of bytes operations are counted, 2 n^3 and n^3 / 3 of n rows
// (GB/s are GFLOP/s); the peak is that of arithmetic.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <math.h>

enum { CHECKED = 16 }; // rows of the product with the matrix

static const bench_case cases[] = {
    {"inverse", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, HD_DOT, NULL},
    {"inverse", "f64", "", PEER_OTHER_OP, PEER_F64, PEER_F64, HD_DOT, NULL},
    {"inverse", "f64", "lower triangle", PEER_OTHER_OP, PEER_F64, PEER_F64, HD_DOT, NULL},
};

typedef struct state {
    algorithm_row row;
    int64_t side;
    hd_view in, out;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = row->what->variant[0]
                                 ? hd_triangular_inverse(row->ctx, s->in, s->out, NULL)
                                 : hd_inverse(row->ctx, s->in, s->out, NULL);
    if (status) row->status = status;
}

// Some rows of in * out are those of the identity.
static bool check(const bench_row *row)
{
    state *s = row->state;
    const int32_t type = row->job.type;
    double *sum = s->row.want;
    for (int r = 0; r < CHECKED; r++) {
        const int64_t i = s->side < CHECKED ? r % s->side : (s->side - 1) * r / (CHECKED - 1);
        for (int64_t j = 0; j < s->side; j++) sum[j] = i == j ? -1 : 0;
        for (int64_t k = 0; k < s->side; k++) {
            const double x = algorithm_load(s->in.data, type, i * s->side + k);
            for (int64_t j = 0; j < s->side; j++)
                sum[j] += x * algorithm_load(row->job.out, type, k * s->side + j);
        }
        for (int64_t j = 0; j < s->side; j++)
            if (!(fabs(sum[j]) <= s->row.tolerance)) return false;
    }
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    const bool triangle = row->what->variant[0];
    state *s = algorithm_begin(row, d, triangle ? "triangular-inverse" : "inverse", sizeof *s);
    if (!s) return false;
    s->side = (int64_t)sqrt((double)row->job.n);
    const int64_t n = row->job.n = s->side * s->side, shape[2] = {s->side, s->side};
    algorithm_output(row, d, n);
    s->row.want = algorithm_array(&s->row, s->side, sizeof(double));
    if (s->row.no_memory) return false;
    algorithm_fill(d->in, type, n, 1);
    for (int64_t i = 0; i < s->side; i++) {
        for (int64_t j = i + 1; triangle && j < s->side; j++)
            algorithm_store(d->in, type, i * s->side + j, 0);
        algorithm_store(d->in, type, i * s->side + i, 1.0 + sqrt((double)s->side));
    }
    s->in = hd_view_nd(row->in.type, d->in, 2, shape, NULL);
    s->out = hd_view_nd(row->in.type, d->out, 2, shape, NULL);
    algorithm_input(&s->row, 0, d->in, type, n);
    const double cube = (double)n * (double)s->side;
    row->peak_flops = triangle ? cube / 3 : 2 * cube;
    row->bytes = (int64_t)row->peak_flops;
    row->heddle = call;
    row->check = check;
    s->row.tolerance = type == PEER_F64 ? 1e-9 : 0.05;
    return true;
}

static const int64_t sizes[] = {1 << 16, 1000000, 1 << 20, 1 << 22, 0};

const bench_pattern pattern_inverse = {
    .name = "inverse",
    .formula = "operations in the place of bytes: GFLOP/s",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = algorithm_finish,
};
