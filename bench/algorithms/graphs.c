// SPDX-License-Identifier: Apache-2.0
//
// Edges by formula.
#include "graphs.h"

#include <math.h>
#include <string.h>

int32_t graph_root(int32_t *link, int32_t node)
{
    while (link[node] != node) node = link[node] = link[link[node]];
    return node;
}

// One end of an edge by R-MAT's rule (Chakrabarti, Zhan and Faloutsos 2004): each digit of both
// ends at once, with 0.57, 0.19, 0.19 and 0.05.
static void rmat_edge(int64_t k, int digits, int32_t *u, int32_t *v)
{
    int32_t a = 0, b = 0;
    for (int d = 0; d < digits; d++) {
        const double r = algorithm_unit(k * 32 + d);
        a = 2 * a + (r >= 0.76), b = 2 * b + ((r >= 0.57 && r < 0.76) || r >= 0.95);
    }
    *u = a, *v = b;
}

// A square of nodes, in random order of numbers: each is joined to the next one and the one below.
static void grid_edge(int64_t k, int64_t side, int32_t *u, int32_t *v)
{
    const int64_t node = k / 2, x = node % side, y = node / side;
    const int64_t to =
        k % 2 ? (x + 1 < side ? node + 1 : node - x) : (y + 1 < side ? node + side : x);
    const int64_t nodes = side * side, turn = nodes / 3 * 2 + 1; // not a random order: strides
    *u = (int32_t)(node * (turn | 1) % nodes), *v = (int32_t)(to * (turn | 1) % nodes);
}

bool graph_make(graph *g, algorithm_row *a, const char *variant, int64_t n)
{
    const bool rmat = strcmp(variant, GRAPH_RMAT) == 0, grid = strcmp(variant, GRAPH_GRID) == 0;
    const int64_t side = (int64_t)sqrt((double)n / 2) + 1;
    int digits = 1;
    while (digits < 27 && (int64_t)16 << digits <= n) digits++;
    g->nodes = rmat ? (int64_t)1 << digits : grid ? side * side : n;
    g->edges = grid ? 2 * g->nodes : n;
    g->u = algorithm_array(a, g->edges, sizeof *g->u);
    g->v = algorithm_array(a, g->edges, sizeof *g->v);
    if (a->no_memory || g->edges > INT32_MAX) return false;
    for (int64_t k = 0; k < g->edges; k++) {
        if (rmat)
            rmat_edge(k, digits, &g->u[k], &g->v[k]);
        else if (grid)
            grid_edge(k, side, &g->u[k], &g->v[k]);
        else {
            g->u[k] = (int32_t)(data_mix((uint64_t)(2 * k)) % (uint64_t)n);
            g->v[k] = (int32_t)(data_mix((uint64_t)(2 * k + 1)) % (uint64_t)n);
        }
    }
    return true;
}
