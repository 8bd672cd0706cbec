// SPDX-License-Identifier: Apache-2.0
//
// Quickhull with all edges split at once, step by step. The rules are those of
// src/algorithms/geometry/.
#include <stdio.h>
#include <string.h>

#include "grid_cells.h"

enum { POINTS = GRID_MAX_VALUES / 2, FARTHEST_OUT = 10000 };
enum { X, Y, EDGE, OUTSIDE, CORNER };

typedef struct hull {
    int32_t n, m; // points; corners, and edges from each to the next
    int64_t x[POINTS], y[POINTS];
    int32_t edge[POINTS]; // that the point is outside of, or -1
    int32_t corner[POINTS];
    int32_t distances; // that were computed
} hull;

// Twice the area of a, b, p: above 0 where p lies right of the line from a to b.
static int64_t right_of(hull *h, int32_t a, int32_t b, int32_t p)
{
    h->distances++;
    return (h->x[p] - h->x[a]) * (h->y[b] - h->y[a]) - (h->x[b] - h->x[a]) * (h->y[p] - h->y[a]);
}

static int32_t end_of(const hull *h, int32_t edge)
{
    return h->corner[(edge + 1) % h->m];
}

// The lowest point, of several the leftmost; the highest, of several the rightmost; and who lies
// right and left of the line between them.
static void begin(hull *h)
{
    int32_t low = 0, high = 0;
    for (int32_t p = 1; p < h->n; p++) {
        if (h->y[p] < h->y[low] || (h->y[p] == h->y[low] && h->x[p] < h->x[low])) low = p;
        if (h->y[p] > h->y[high] || (h->y[p] == h->y[high] && h->x[p] > h->x[high])) high = p;
    }
    h->m = low == high ? 1 : 2;
    h->corner[0] = low, h->corner[1] = high;
    for (int32_t p = 0; p < h->n; p++) {
        const int64_t side = h->m == 1 ? 0 : right_of(h, low, high, p);
        h->edge[p] = side > 0 ? 0 : side < 0 ? 1 : -1;
    }
}

// The farthest point of each edge, or -1; of several the one with the least x, then y.
static void find_farthest(hull *h, int64_t *area, int32_t *farthest)
{
    for (int32_t e = 0; e < h->m; e++) farthest[e] = -1;
    for (int32_t p = 0; p < h->n; p++) {
        const int32_t e = h->edge[p];
        if (e < 0) continue;
        area[p] = right_of(h, h->corner[e], end_of(h, e), p);
        const int32_t q = farthest[e];
        const bool nearer_left =
            q >= 0 && (h->x[p] < h->x[q] || (h->x[p] == h->x[q] && h->y[p] < h->y[q]));
        if (q < 0 || area[p] > area[q] || (area[p] == area[q] && nearer_left)) farthest[e] = p;
    }
}

static void put_step(grid_step *s, const hull *h, const int64_t *area, const int32_t *farthest)
{
    for (int32_t row = EDGE; row <= CORNER; row++) grid_clear_row(s, row);
    for (int32_t p = 0; p < h->n; p++) {
        if (h->edge[p] < 0) continue;
        grid_put(s, EDGE, p, GRID_PLAIN, h->edge[p]);
        grid_put(s, OUTSIDE, p, farthest[h->edge[p]] == p ? 0 : GRID_PLAIN, area[p]);
    }
    for (int32_t k = 0; k < h->m; k++) grid_put(s, CORNER, h->corner[k], 0, k);
}

// The farthest points become corners; what is outside of neither half of an edge is dropped.
static void split(hull *h, const int32_t *farthest)
{
    const hull old = *h;
    int32_t place[POINTS]; // of an edge's first half among the new ones
    h->m = 0;
    for (int32_t e = 0; e < old.m; e++) {
        place[e] = h->m;
        h->corner[h->m++] = old.corner[e];
        if (farthest[e] >= 0) h->corner[h->m++] = farthest[e];
    }
    for (int32_t p = 0; p < h->n; p++) {
        const int32_t e = old.edge[p];
        if (e < 0) continue;
        const int32_t a = old.corner[e], b = end_of(&old, e), f = farthest[e];
        h->edge[p] = right_of(h, a, f, p) > 0   ? place[e]
                     : right_of(h, f, b, p) > 0 ? place[e] + 1
                                                : -1;
    }
}

static int32_t outside(const hull *h)
{
    int32_t count = 0;
    for (int32_t p = 0; p < h->n; p++) count += h->edge[p] >= 0;
    return count;
}

static bool take_points(hull *h, const int64_t *values, int32_t count)
{
    h->n = count / 2;
    if (count < 2 || count % 2 != 0) return false;
    for (int32_t k = 0; k < count; k++) {
        if (values[k] < -FARTHEST_OUT || values[k] > FARTHEST_OUT) return false;
        *(k % 2 ? &h->y[k / 2] : &h->x[k / 2]) = values[k];
    }
    return true;
}

// Values: x and y of each point.
bool grid_draw_hull(grid_drawing *g, const int64_t *values, int32_t count)
{
    static const char *const rows[] = {"x", "y", "edge", "outside by", "corner"};
    hull h = {.n = 0};
    int64_t area[POINTS] = {0};
    int32_t farthest[POINTS], steps = 0;
    if (!take_points(&h, values, count)) return false;
    grid_table(g, rows, 5, "point", h.n);
    begin(&h);
    grid_step *s = grid_next(g, false);
    for (int32_t p = 0; p < h.n; p++) {
        grid_put(s, X, p, GRID_PLAIN, h.x[p]);
        grid_put(s, Y, p, GRID_PLAIN, h.y[p]);
    }
    find_farthest(&h, area, farthest);
    put_step(s, &h, area, farthest);
    grid_caption(s,
                 "the lowest and the highest point are corners; %d points lie outside of the line",
                 (int)outside(&h));
    for (; outside(&h) > 0; steps++) {
        split(&h, farthest);
        find_farthest(&h, area, farthest);
        s = grid_next(g, true);
        put_step(s, &h, area, farthest);
        grid_caption(s,
                     "step %d: the farthest point of each edge is a corner; %d edges, %d outside",
                     (int)steps + 1, (int)h.m, (int)outside(&h));
    }
    grid_sum(g, "%d corner%s: %d distance%s in %d step%s, all edges split at once", (int)h.m,
             h.m == 1 ? "" : "s", (int)h.distances, h.distances == 1 ? "" : "s", (int)steps,
             steps == 1 ? "" : "s");
    return true;
}
