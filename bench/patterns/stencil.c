// SPDX-License-Identifier: Apache-2.0
//
// The rows of stencils: the star of seven points in three dimensions, f32, n points in a cube, one
// step and eight steps in one call; points at the edges are kept. GB/s counts each step as one
// reading and one writing of the array, the peak is one copy of it.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS      2000
#define MASK_POINTS 7
#define REACH       8 // the most steps there are
#define SPAN        (2 * REACH + 1)

static const int64_t one = 1, eight = 8;

#define CASE(steps, count)                                                                         \
    {                                                                                              \
        "7 points", "f32", steps, PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &count                  \
    }
static const bench_case cases[] = {CASE("3-D", one), CASE("3-D, 8 steps", eight)};

typedef struct state {
    peer_neighbours more;
    int64_t offsets[MASK_POINTS * 3];
    double weights[MASK_POINTS];
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_view weights = HD_VIEW(s->weights, MASK_POINTS);
    const hd_view offsets = hd_view_nd(HD_I64, s->offsets, 2, (int64_t[]){MASK_POINTS, 3}, NULL);
    const hd_stencil_options options = {.border = HD_BORDER_KEEP, .iterations = s->more.steps};
    const hd_status status = hd_stencil(row->ctx, row->in, offsets, weights, row->out, &options);
    if (status) row->status = status;
}

// Point p after all steps, from the cube of neighbours that can reach it.
static double expected(const peer_neighbours *m, const float *x, const int64_t p[3])
{
    static double a[SPAN][SPAN][SPAN], b[SPAN][SPAN][SPAN];
    const int64_t n = m->width;
    for (int64_t i = 0; i < SPAN * SPAN * SPAN; i++) {
        const int64_t q[3] = {p[0] + i / (SPAN * SPAN) - REACH, p[1] + i / SPAN % SPAN - REACH,
                              p[2] + i % SPAN - REACH};
        const bool inside = q[0] >= 0 && q[1] >= 0 && q[2] >= 0 && q[0] < n && q[1] < n && q[2] < n;
        (&a[0][0][0])[i] = inside ? x[(q[0] * n + q[1]) * n + q[2]] : 0;
    }
    for (int64_t s = 1; s <= m->steps; s++) {
        memcpy(b, a, sizeof a);
        const int64_t low = REACH - (m->steps - s), high = REACH + (m->steps - s);
        for (int64_t z = low; z <= high; z++)
            for (int64_t y = low; y <= high; y++)
                for (int64_t k = low; k <= high; k++) {
                    const int64_t at[3] = {p[0] + z - REACH, p[1] + y - REACH, p[2] + k - REACH};
                    bool edge = false;
                    for (int c = 0; c < 3; c++) edge = edge || at[c] <= 0 || at[c] >= n - 1;
                    if (edge) continue;
                    b[z][y][k] = m->centre * a[z][y][k] +
                                 m->side * (a[z - 1][y][k] + a[z + 1][y][k] + a[z][y - 1][k] +
                                            a[z][y + 1][k] + a[z][y][k - 1] + a[z][y][k + 1]);
                }
        memcpy(a, b, sizeof a);
    }
    return a[REACH][REACH][REACH];
}

static bool check(const bench_row *row)
{
    const peer_neighbours *m = row->job.more;
    const float *y = row->job.out;
    const int64_t n = m->width;
    const int64_t points = m->steps > 1 ? POINTS / 10 : POINTS;
    for (int64_t k = 0; k < points; k++) {
        int64_t i = (int64_t)(data_mix((uint64_t)k) % (uint64_t)row->job.n);
        if (k < 40) i = k % 2 ? row->job.n - 1 - k : n * n + n + k;
        const int64_t p[3] = {i / (n * n), i / n % n, i % n};
        if (fabs(y[i] - expected(m, row->job.in, p)) > 1e-5) return false;
    }
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    peer_job *job = &row->job;
    state *s = calloc(1, sizeof *s);
    if (!s) return false;
    const int64_t side = (int64_t)cbrt((double)job->n + 0.5);
    job->n = side * side * side;
    s->more = (peer_neighbours){.depth = side,
                                .height = side,
                                .width = side,
                                .channels = 1,
                                .centre = 0.4f,
                                .side = 0.1f,
                                .steps = *(const int64_t *)row->what->detail};
    s->more.scratch = malloc((size_t)job->n * sizeof(float));
    hd_laplacian(3, 2, 1, s->offsets, s->weights);
    for (int t = 0; t < MASK_POINTS; t++) s->weights[t] = (double)(t == 3 ? 0.4f : 0.1f);
    row->state = s;
    job->more = &s->more;
    data_fill_in(d, FILL_WHOLE, PEER_F32, job->n);
    row_set(row, PEER_STENCIL, d->in, d->out, job->n);
    const int64_t sizes[] = {side, side, side};
    row->in = hd_view_nd(HD_F32, d->in, 3, sizes, NULL);
    row->out = hd_view_nd(HD_F32, d->out, 3, sizes, NULL);
    row->heddle = call;
    row->check = check;
    row->peak_bytes = job->n * (int64_t)sizeof(float);
    row->bytes = 2 * s->more.steps * row->peak_bytes;
    row->peak = PEAK_COPY;
    return s->more.scratch != NULL;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (s) free(s->more.scratch);
    free(s);
}

static const int64_t sizes[] = {(int64_t)1 << 24, (int64_t)257 * 257 * 257, (int64_t)1 << 27, 0};

const bench_pattern pattern_stencil = {
    .name = "stencil",
    .formula = "bytes of the values read and of those written, each step",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
