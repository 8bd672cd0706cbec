// SPDX-License-Identifier: Apache-2.0
//
// hd_convex_hull against a monotone chain in 128 bits: squares, discs, circles, lattices with many
// equal and collinear points, lines, points that almost lie on one; corners alone and all that lies
// on edges; every type, several layouts; parabolas that take a step for each bit, the ends of i64;
// device memory, errors, failing memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/there.h"

static const check_target *targets;
static int target_count;

// ---- The definition: Andrew's monotone chain ----------------------------------------------------

typedef struct point {
    int64_t x, y, index;
} point;

static int by_height(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->index < q->index ? -1 : 1;
}

__extension__ typedef __int128 wide;

static int turn_of(const point *a, const point *b, const point *c)
{
    const wide l = (wide)(b->x - a->x) * (c->y - a->y), r = (wide)(b->y - a->y) * (c->x - a->x);
    return (l > r) - (l < r);
}

// Adds p to a chain that turns left; chain[0] stays.
static int64_t add(point *chain, int64_t n, point p, bool collinear)
{
    while (n >= 2 && turn_of(&chain[n - 2], &chain[n - 1], &p) < (collinear ? 0 : 1)) n--;
    chain[n] = p;
    return n + 1;
}

static int64_t chain_hull(const int64_t *xy, int64_t n, bool collinear, int64_t *out)
{
    point *p = check_memory((size_t)n * sizeof *p), *chain = check_memory((size_t)n * sizeof *p);
    int64_t places = 0, count = 0;
    for (int64_t i = 0; i < n; i++) p[i] = (point){xy[2 * i], xy[2 * i + 1], i};
    qsort(p, (size_t)n, sizeof *p, by_height);
    for (int64_t i = 0; i < n; i++)
        if (places == 0 || p[places - 1].x != p[i].x || p[places - 1].y != p[i].y)
            p[places++] = p[i];
    for (int side = 0; side < 2 && places > 0; side++) {
        int64_t k = 0;
        for (int64_t i = 0; i < places; i++)
            k = add(chain, k, p[side ? places - 1 - i : i], collinear);
        if (side == 1 && collinear && k == places && count == places) k = 1; // all on a line
        for (int64_t i = side; i < k - (side ? 1 : 0); i++) out[count++] = chain[i].index;
    }
    free(p), free(chain);
    return count;
}

// ---- Points -------------------------------------------------------------------------------------

enum { SQUARE, DISC, CIRCLE, LATTICE, LINE, ALMOST, SAME, LEVEL, KINDS };

static void make_points(int64_t *xy, int64_t n, int kind, uint64_t *r)
{
    const int64_t a = check_below(r, 1000) - 500, b = check_below(r, 1000) - 500;
    for (int64_t i = 0; i < n; i++) {
        int64_t *p = xy + 2 * i;
        const double angle = (double)check_below(r, 1 << 30) / (1 << 30) * 6.283185307179586;
        const double radius = kind == CIRCLE ? 1 : sqrt((double)check_below(r, 1000) / 1000);
        switch (kind) {
        case DISC:
        case CIRCLE:
            p[0] = (int64_t)(1e6 * radius * cos(angle)),
            p[1] = (int64_t)(1e6 * radius * sin(angle));
            break;
        case LATTICE: p[0] = check_below(r, 5) - 2, p[1] = check_below(r, 4); break;
        case LINE: p[0] = a * check_below(r, 100), p[1] = b * (a ? p[0] / a : 3); break;
        case ALMOST: // off a line by a unit or none, with coordinates of 50 bits
            p[0] = check_below(r, (int64_t)1 << 49), p[1] = p[0] + p[0] / 3 * 2 + check_below(r, 3);
            break;
        case SAME: p[0] = a, p[1] = b; break;
        case LEVEL: p[0] = check_below(r, 50) - 25, p[1] = i % 7 ? 3 : 3 + check_below(r, 2); break;
        default: p[0] = check_below(r, 1 << 20) - 1000, p[1] = check_below(r, 1 << 20); break;
        }
    }
}

// ---- Tests --------------------------------------------------------------------------------------

static void run(const check_target *t, hd_view points, bool collinear, const int64_t *want,
                int64_t corners, const char *what)
{
    const int64_t n = points.shape[0];
    int64_t *got = check_memory((size_t)n * 8), count = -1, steps = -1;
    CHECK_OK(t->ctx, hd_convex_hull(t->ctx, points, HD_VIEW(got, n), HD_VIEW(&count, 1),
                                    &(hd_hull_options){.collinear = collinear,
                                                       .steps = HD_REF(HD_VIEW(&steps, 1))}));
    CHECK(count == corners, "%" PRId64 " corners, expected %" PRId64 ": %s on %s", count, corners,
          what, t->name);
    if (count == corners) CHECK_SAME(HD_I64, got, want, count, "%s on %s", what, t->name);
    CHECK(steps >= 0 && (points.type != HD_I64 || steps <= 64), "%" PRId64 " steps", steps);
    free(got);
}

static void test_points(int64_t n, int kind, int turn, uint64_t *r)
{
    static const hd_type types[] = {HD_F64, HD_I64, HD_F32, HD_I32};
    int64_t *xy = check_memory((size_t)n * 16), *want = check_memory((size_t)n * 16);
    make_points(xy, n, kind, r);
    for (int k = 0; k < 2; k++) {
        char what[80];
        const hd_type type = types[kind == ALMOST ? k : (turn + k) % 4];
        const int64_t corners = chain_hull(xy, n, k, want);
        check_array points = check_new_nd(type, 2, (int64_t[]){n, 2},
                                          turn % 2 ? (int64_t[]){5, -2} : (int64_t[]){2, 1}, false);
        hd_context *ctx = targets[0].ctx;
        CHECK_OK(ctx, hd_map(ctx, hd_view_nd(HD_I64, xy, 2, (int64_t[]){n, 2}, NULL), NULL,
                             points.view, NULL));
        snprintf(what, sizeof what, "kind %d, %" PRId64 " of %s%s", kind, n, hd_type_name(type),
                 k ? ", collinear" : "");
        const int from = n > 3000 ? target_count - 1 : turn % target_count;
        for (int t = from; t < target_count; t += n < 100 ? 3 : target_count)
            run(&targets[t], points.view, k, want, corners, what);
        check_drop(&points);
    }
    free(xy), free(want);
}

// Edges are split one after another by the cores, all at once elsewhere: the steps are the same.
static void test_steps(int64_t n, int kind, uint64_t *r)
{
    int64_t *xy = check_memory((size_t)n * 16), *got = check_memory((size_t)n * 8);
    make_points(xy, n, kind, r);
    for (int k = 0; k < 2; k++) {
        int64_t want = -1, count = 0;
        for (int t = 0; t < target_count && t < 4; t++) {
            int64_t steps = -1;
            CHECK_OK(targets[t].ctx,
                     hd_convex_hull(
                         targets[t].ctx, hd_view_nd(HD_I64, xy, 2, (int64_t[]){n, 2}, NULL),
                         HD_VIEW(got, n), HD_VIEW(&count, 1),
                         &(hd_hull_options){.collinear = k, .steps = HD_REF(HD_VIEW(&steps, 1))}));
            if (t == 0) want = steps;
            CHECK(steps == want, "kind %d: %" PRId64 " steps on %s, %" PRId64 " on %s", kind, steps,
                  targets[t].name, want, targets[0].name);
        }
    }
    free(xy), free(got);
}

// y = x^2 over 2^k, k = -242 .. 254: every point is a corner, and products need all their bits.
static void test_parabola(void)
{
    enum { N = 497 };
    static double xy[2 * N], scaled[2 * N];
    static int64_t want[N];
    for (int i = 0; i < N; i++) {
        xy[2 * i] = ldexp(1, i - 242), xy[2 * i + 1] = xy[2 * i] * xy[2 * i];
        want[i] = i;
    }
    for (int t = 0; t < target_count; t += 4)
        run(&targets[t], hd_view_nd(HD_F64, xy, 2, (int64_t[]){N, 2}, NULL), false, want, N,
            "a parabola");
    // Three points a last bit off a line, at every scale: which side is left to the exact stage.
    for (int e = -430; e <= 450; e += 40)
        for (int off = -1; off <= 1; off++) {
            const double line[8] = {12, 12, 24, 24, 0.5, 0.5 + off * 0x1p-53, 0.5, 0.5};
            for (int k = 0; k < 8; k++) scaled[k] = ldexp(line[k], e);
            const int64_t left[3] = {3, 1, 2}, right[3] = {2, 1, 3}, none[2] = {2, 1};
            run(&targets[0], hd_view_nd(HD_F64, scaled, 2, (int64_t[]){4, 2}, NULL), false,
                off > 0   ? left
                : off < 0 ? right
                          : none,
                off ? 3 : 2, "the last bit");
        }
}

static void test_ends(void)
{
    static const int64_t xy[] = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, INT64_MAX, INT64_MIN,
                                 INT64_MIN, INT64_MAX, 0,         0,         INT64_MAX, 0};
    static const int64_t corners[] = {1, 2, 0, 3}, all[] = {1, 2, 5, 0, 3};
    const int64_t thin[] = {INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX, 0, -1, 0, 1, 1, 1};
    static const int64_t diamond[] = {0, 2, 1, 3};
    for (int t = 0; t < target_count; t++) {
        const hd_view v = hd_view_nd(HD_I64, xy, 2, (int64_t[]){6, 2}, NULL);
        run(&targets[t], v, false, corners, 4, "the ends of i64");
        run(&targets[t], v, true, all, 5, "the ends of i64");
        run(&targets[t], hd_view_nd(HD_I64, thin, 2, (int64_t[]){5, 2}, NULL), false, diamond, 4,
            "a thin one");
    }
}

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    double xy[10] = {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5};
    int64_t out[5], n = -1;
    int32_t wide_n;
    uint64_t big[10];
    int8_t few[5];
    const hd_view points = hd_view_nd(HD_F64, xy, 2, (int64_t[]){5, 2}, NULL);
    const hd_view to = HD_VIEW(out, 5), count = HD_VIEW(&n, 1);
    const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p511, 0x1p-500};
    for (int k = 0; k < 5; k++) {
        xy[7] = bad[k], xy[8] = NAN;
        FAILS(HD_ERROR_VALUE, "the y of point 3 is", hd_convex_hull(ctx, points, to, count, NULL));
        xy[6] = bad[k];
        FAILS(HD_ERROR_VALUE, "the x of point 3 is", hd_convex_hull(ctx, points, to, count, NULL));
        xy[6] = 0, xy[7] = 1, xy[8] = 0.5;
    }
    FAILS(HD_ERROR_SHAPE, "room for 3 elements; the hull has 4",
          hd_convex_hull(ctx, points, HD_VIEW(out, 3), count, NULL));
    CHECK(n == 4 && out[0] == 0 && out[1] == 1 && out[2] == 2, "what fits");
    FAILS(HD_ERROR_SHAPE, "n rows of x and y",
          hd_convex_hull(ctx, HD_VIEW(xy, 10), to, count, NULL));
    FAILS(
        HD_ERROR_TYPE, "got u64",
        hd_convex_hull(ctx, hd_view_nd(HD_U64, big, 2, (int64_t[]){5, 2}, NULL), to, count, NULL));
    FAILS(HD_ERROR_TYPE, "out: expected integers",
          hd_convex_hull(ctx, points, HD_VIEW(xy, 5), count, NULL));
    FAILS(HD_ERROR_TYPE, "count: expected one i64",
          hd_convex_hull(ctx, points, to, HD_VIEW(&wide_n, 1), NULL));
    FAILS(HD_ERROR_ALIAS, "count overlaps out",
          hd_convex_hull(ctx, points, to, HD_VIEW(out + 2, 1), NULL));
    CHECK_OK(ctx, hd_convex_hull(ctx, points, HD_VIEW(few, 5), count, NULL));
    CHECK(n == 4 && few[3] == 3, "in i8");
    CHECK_OK(ctx, hd_convex_hull(ctx, hd_view_nd(HD_F64, xy, 2, (int64_t[]){0, 2}, NULL),
                                 HD_VIEW(out, 0), count, NULL));
    CHECK(n == 0, "%" PRId64 " corners of nothing", n);
    CHECK(hd_convex_hull(NULL, points, to, count, NULL) == HD_ERROR_ARGUMENT, "no context");
}

static hd_status failing(hd_context *ctx)
{
    static int64_t xy[600], out[300], n;
    uint64_t r = 7;
    make_points(xy, 300, LATTICE, &r);
    return hd_convex_hull(ctx, hd_view_nd(HD_I64, xy, 2, (int64_t[]){300, 2}, NULL),
                          HD_VIEW(out, 300), HD_VIEW(&n, 1), &(hd_hull_options){.collinear = true});
}

static void test_there(hd_backend which)
{
    enum { N = 30 };
    hd_context *ctx = check_open(which, 0, NULL);
    uint64_t r = check_seed();
    int64_t xy[2 * N], want[2 * N], got[N];
    for (int k = 1; k < 3; k++) {
        const bool collinear = k % 2;
        int64_t count = -1;
        make_points(xy, N, k < 2 ? LATTICE : k == 2 ? ALMOST : DISC, &r);
        const int64_t corners = chain_hull(xy, N, collinear, want);
        const hd_view host = hd_view_nd(HD_I64, xy, 2, (int64_t[]){N, 2}, NULL);
        double real[2 * N];
        for (int i = 0; i < 2 * N; i++) real[i] = (double)xy[i];
        hd_view points =
            there_put(ctx, k < 2 ? host : hd_view_nd(HD_F64, real, 2, (int64_t[]){N, 2}, NULL));
        hd_view out = there_put(ctx, HD_VIEW(want, N));
        CHECK_OK(ctx, hd_convex_hull(ctx, points, out, HD_VIEW(&count, 1),
                                     &(hd_hull_options){.collinear = collinear}));
        there_take(ctx, &out, HD_VIEW(got, N));
        CHECK_OK(ctx, hd_free(ctx, &points));
        CHECK(count == corners, "%" PRId64 " corners on a GPU", count);
        if (count == corners) CHECK_SAME(HD_I64, got, want, count, "%d on a GPU", k);
    }
    hd_close(ctx);
}

int main(void)
{
    uint64_t r = check_seed();
    target_count = check_targets(&targets);
    for (int kind = 0, turn = 0; kind < KINDS; kind++)
        for (int k = 0; k < 7; k++, turn++)
            test_points(k < 5 ? k + 1 : 10 + check_below(&r, k == 5 ? 50 : 500), kind, turn, &r);
    for (int kind = 0; kind < KINDS && !check_small(); kind++) test_points(100003, kind, kind, &r);
    for (int kind = 0; kind < KINDS; kind++) test_steps(1009, kind, &r);
    test_parabola();
    test_ends();
    test_errors();
    there_fail_each(failing);
    const int code = check_on_gpus(test_there);
    return code == CHECK_SKIP ? check_finish() : code;
}
