// SPDX-License-Identifier: Apache-2.0
//
// The rows of convex hulls of n points: spread over a square, over a disc, and at whole numbers
// next to a circle of 2^25, where very many are corners. Peers: x and y of each; they give indices
// from the lowest point on, counter-clockwise. GB/s counts bytes of the points.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <math.h>
#include <stdlib.h>

static const bench_case cases[] = {
    {"hull", "f64", "square", PEER_OTHER_OP, PEER_F64, PEER_I64, NULL, NULL},
    {"hull", "f64", "disc", PEER_OTHER_OP, PEER_F64, PEER_I64, NULL, NULL},
    {"hull", "f64", "circle", PEER_OTHER_OP, PEER_F64, PEER_I64, NULL, NULL},
};

typedef struct state {
    algorithm_row row;
    hd_view points, out;
    int64_t count;
} state;

static void call(bench_row *row)
{
    state *s = row->state;
    const hd_status status =
        hd_convex_hull(row->ctx, s->points, s->out, HD_VIEW(&s->count, 1), NULL);
    if (status) row->status = status;
}

static void make_points(double *p, int64_t n, char variant)
{
    for (int64_t i = 0; i < n; i++) {
        const double u = algorithm_unit(2 * i), v = algorithm_unit(2 * i + 1);
        const double radius = variant == 'd' ? sqrt(u) : 1;
        p[2 * i] = variant == 's' ? u : radius * cos(6.283185307179586 * v);
        p[2 * i + 1] = variant == 's' ? v : radius * sin(6.283185307179586 * v);
        for (int k = 0; variant == 'c' && k < 2; k++) p[2 * i + k] = rint(p[2 * i + k] * 0x1p25);
    }
}

// ---- The definition: a monotone chain (Andrew 1979), with the rounding of long doubles ----------

typedef struct point {
    double x, y;
    int64_t index;
} point;

static int compare_points(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static bool turns_left(const point *o, const point *a, const point *b)
{
    return ((long double)a->x - o->x) * ((long double)b->y - o->y) >
           ((long double)a->y - o->y) * ((long double)b->x - o->x);
}

static int64_t chain(const double *xy, int64_t n, point *p, point *hull)
{
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++) p[i] = (point){xy[2 * i], xy[2 * i + 1], i};
    qsort(p, (size_t)n, sizeof *p, compare_points);
    int64_t places = 1; // of several points at a place the first
    for (int64_t i = 1; i < n; i++)
        if (p[i].x != p[i - 1].x || p[i].y != p[i - 1].y) p[places++] = p[i];
    n = places;
    for (int64_t i = 0; i < n; i++) {
        while (k >= 2 && !turns_left(&hull[k - 2], &hull[k - 1], &p[i])) k--;
        hull[k++] = p[i];
    }
    const int64_t half = k + 1;
    for (int64_t i = n - 2; i >= 0; i--) {
        while (k >= half && !turns_left(&hull[k - 2], &hull[k - 1], &p[i])) k--;
        hull[k++] = p[i];
    }
    return k - 1;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n, shape[] = {n, 2};
    state *s = algorithm_begin(row, d, "hull", sizeof *s);
    if (!s) return false;
    double *xy = d->in;
    point *p = algorithm_array(&s->row, n, sizeof *p);
    point *hull = algorithm_array(&s->row, 2 * n + 2, sizeof *hull);
    if (s->row.no_memory) return false;
    make_points(xy, n, row->what->variant[0]);
    const int64_t corners = chain(xy, n, p, hull);
    algorithm_output(row, d, corners);
    if (s->row.no_memory) return false;
    for (int64_t i = 0; i < corners; i++) ((int64_t *)s->row.want)[i] = hull[i].index;
    s->points = hd_view_nd(HD_F64, xy, 2, shape, NULL);
    s->out = HD_VIEW((int64_t *)d->out, corners);
    algorithm_input(&s->row, 0, xy, PEER_F64, 2 * n);
    algorithm_peak(row, PEAK_READ, 16 * n, 16 * n);
    row->heddle = call;
    return true;
}

static const int64_t sizes[] = {1 << 12, 1000003, 1 << 22, 0};

const bench_pattern pattern_hull = {
    .name = "hull",
    .formula = "bytes of the points",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 16,
    .prepare = prepare,
    .finish = algorithm_finish,
};
