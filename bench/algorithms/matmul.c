// SPDX-License-Identifier: Apache-2.0
//
// The rows of products of dense matrices, squares of n elements. Peers: a, b. In the place of bytes
// 2 operations a product are counted (GB/s are GFLOP/s); the peak is that of arithmetic.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <math.h>

enum { CHECKED = 16 }; // rows of the result

static const bench_case cases[] = {
    {"product", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, HD_DOT, NULL},
    {"product", "f64", "", PEER_OTHER_OP, PEER_F64, PEER_F64, HD_DOT, NULL},
};

typedef struct state {
    algorithm_row row;
    int64_t side;
    hd_view a, b, out;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_matmul(row->ctx, s->a, s->b, s->out, NULL);
    if (status) row->status = status;
}

static int64_t checked_row(int64_t side, int k)
{
    return side < CHECKED ? k % side : (side - 1) * k / (CHECKED - 1);
}

// The definition, of some rows: sums in f64.
static void define(const bench_row *row)
{
    const state *s = row->state;
    const int32_t type = row->job.type;
    double *want = s->row.want;
    for (int r = 0; r < CHECKED; r++)
        for (int64_t k = 0, i = checked_row(s->side, r); k < s->side; k++) {
            const double x = algorithm_load(s->a.data, type, i * s->side + k);
            for (int64_t j = 0; j < s->side; j++)
                want[r * s->side + j] += x * algorithm_load(s->b.data, type, k * s->side + j);
        }
}

static bool check(const bench_row *row)
{
    const state *s = row->state;
    const double *want = s->row.want;
    for (int r = 0; r < CHECKED; r++)
        for (int64_t j = 0, i = checked_row(s->side, r); j < s->side; j++) {
            const double got = algorithm_load(row->job.out, row->job.type, i * s->side + j);
            if (!(fabs(got - want[r * s->side + j]) <= s->row.tolerance * (double)s->side))
                return false;
        }
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    state *s = algorithm_begin(row, d, "matmul", sizeof *s);
    if (!s) return false;
    s->side = (int64_t)sqrt((double)row->job.n);
    const int64_t n = row->job.n = s->side * s->side, shape[2] = {s->side, s->side};
    void *b = algorithm_array(&s->row, n, data_type_size(type));
    algorithm_output(row, d, n);
    s->row.want = algorithm_array(&s->row, CHECKED * s->side, sizeof(double));
    if (s->row.no_memory) return false;
    algorithm_fill(d->in, type, n, 1), algorithm_fill(b, type, n, 2);
    s->a = hd_view_nd(row->in.type, d->in, 2, shape, NULL);
    s->b = hd_view_nd(row->in.type, b, 2, shape, NULL);
    s->out = hd_view_nd(row->in.type, d->out, 2, shape, NULL);
    algorithm_input(&s->row, 0, d->in, type, n);
    algorithm_input(&s->row, 1, b, type, n);
    row->bytes = 2 * n * s->side;
    row->peak_flops = (double)row->bytes;
    row->heddle = call;
    row->check = check;
    s->row.tolerance = type == PEER_F64 ? 1e-15 : 1e-6;
    define(row);
    return true;
}

static const int64_t sizes[] = {1 << 16, 1000000, 1 << 20, 1 << 22, 0};

const bench_pattern pattern_matmul = {
    .name = "matmul",
    .formula = "operations in the place of bytes, 2 a product: GFLOP/s",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = algorithm_finish,
};
