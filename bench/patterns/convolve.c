// SPDX-License-Identifier: Apache-2.0
//
// The rows of convolution: f32 in one dimension and in two, by masks that separate and others, with
// zeros beyond the edges. n elements, a square in two dimensions. Inputs and weights are such that
// all sums are exact; every contestant is checked at some thousand points.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_neighbours.h"

#include <math.h>
#include <stdlib.h>

#define POINTS 5000 // that are checked

typedef struct shape {
    int64_t rows, columns;
    bool separable;
} shape;

static const shape line5 = {1, 5, false}, line31 = {1, 31, false}, square5 = {5, 5, false},
                   square15 = {15, 15, false}, product5 = {5, 5, true}, product15 = {15, 15, true};

#define CASE(op, shape)                                                                            \
    {                                                                                              \
        op, "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &shape                             \
    }
static const bench_case cases[] = {
    CASE("5", line5),
    CASE("31", line31),
    CASE("5x5", square5),
    CASE("15x15", square15),
    CASE("separable 5", product5),
    CASE("separable 15", product15),
};

typedef struct state {
    peer_neighbours more;
    float mask[225], column[31], row[31];
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_view mask =
        s->more.rows == 1
            ? HD_VIEW(s->mask, s->more.columns)
            : hd_view_nd(HD_F32, s->mask, 2, (int64_t[]){s->more.rows, s->more.columns}, NULL);
    const hd_status status = hd_convolve(row->ctx, row->in, mask, row->out, NULL);
    if (status) row->status = status;
}

static float expected(const peer_neighbours *m, const float *x, int64_t p)
{
    const int64_t y0 = p / m->width - m->rows / 2, x0 = p % m->width - m->columns / 2;
    double sum = 0;
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++)
            if (y0 + i >= 0 && y0 + i < m->height && x0 + j >= 0 && x0 + j < m->width)
                sum += (double)m->mask[i * m->columns + j] * x[(y0 + i) * m->width + x0 + j];
    return (float)sum;
}

static bool check(const bench_row *row)
{
    const peer_neighbours *m = row->job.more;
    const float *y = row->job.out;
    for (int64_t k = 0; k < POINTS; k++) {
        int64_t p = (int64_t)(data_mix((uint64_t)k) % (uint64_t)row->job.n);
        if (k < 40) p = k % 2 ? row->job.n - 1 - k : k; // near the corners
        if (fabsf(y[p] - expected(m, row->job.in, p)) > 1e-3f) return false;
    }
    return true;
}

// Weights that are multiples of 1/64. A mask that shall not separate has one element changed.
static void fill_masks(state *s, const shape *what)
{
    for (int64_t i = 0; i < what->rows; i++)
        s->column[i] = (float)(1 + (i < what->rows - i ? i : what->rows - 1 - i)) / 8;
    for (int64_t j = 0; j < what->columns; j++)
        s->row[j] = (float)(1 + (j < what->columns - j ? j : what->columns - 1 - j)) / 8;
    for (int64_t i = 0; i < what->rows; i++)
        for (int64_t j = 0; j < what->columns; j++)
            s->mask[i * what->columns + j] = s->column[i] * s->row[j];
    if (!what->separable) s->mask[0] += 0.5f;
}

static bool prepare(data *d, bench_row *row)
{
    const shape *what = row->what->detail;
    peer_job *job = &row->job;
    state *s = calloc(1, sizeof *s);
    if (!s) return false;
    const int64_t side = (int64_t)sqrt((double)job->n);
    fill_masks(s, what);
    s->more = (peer_neighbours){.depth = 1,
                                .height = what->rows == 1 ? 1 : side,
                                .width = what->rows == 1 ? job->n : side,
                                .channels = 1,
                                .rows = what->rows,
                                .columns = what->columns,
                                .mask = s->mask,
                                .column = what->separable ? s->column : NULL,
                                .row = what->separable ? s->row : NULL};
    job->n = s->more.height * s->more.width;
    row->state = s;
    job->more = &s->more;
    data_fill_in(d, FILL_WHOLE, PEER_F32, job->n);
    row_set(row, PEER_CONVOLVE, d->in, d->out, job->n);
    const int64_t sizes[] = {s->more.height, s->more.width};
    if (what->rows > 1) { // else a signal of one axis
        row->in = hd_view_nd(HD_F32, d->in, 2, sizes, NULL);
        row->out = hd_view_nd(HD_F32, d->out, 2, sizes, NULL);
    }
    row->heddle = call;
    row->check = check;
    row->peak_bytes = job->n * (int64_t)sizeof(float);
    row->bytes = 2 * row->peak_bytes;
    row->peak = PEAK_COPY;
    return true;
}

static void finish(bench_row *row)
{
    free(row->state);
}

static const int64_t sizes[] = {(int64_t)1 << 24, (int64_t)3001 * 3001, 0};

const bench_pattern pattern_convolve = {
    .name = "convolve",
    .formula = "bytes of the values read and of those written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
