// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a list of edges in text, as heddle components, mst and tree read it: components are
// those of disjoint sets, a forest has nodes less components edges, without a cycle and no heavier
// than Kruskal's, and edges that are a tree give parents.
#include <stdlib.h>

#include <heddle_algorithms.h>

#include "decode.h"

enum { NODES = 64, EDGES = 400 };

static hd_context *ctx;

typedef struct graph {
    int64_t n, m;
    int64_t u[EDGES], v[EDGES], weight[EDGES], set[NODES];
} graph;

static int64_t root_of(graph *g, int64_t i)
{
    while (g->set[i] != i) i = g->set[i];
    return i;
}

// Joins the sets of an edge; whether they were two.
static bool join(graph *g, int64_t e)
{
    const int64_t a = root_of(g, g->u[e]), b = root_of(g, g->v[e]);
    g->set[a < b ? b : a] = a < b ? a : b;
    return a != b;
}

static void begin_sets(graph *g)
{
    for (int64_t i = 0; i < g->n; i++) g->set[i] = i;
}

static void check_components(graph *g)
{
    int64_t label[NODES], count = -1, want = g->n;
    begin_sets(g);
    for (int64_t e = 0; e < g->m; e++) want -= join(g, e);
    if (hd_components(ctx, HD_VIEW(g->u, g->m), HD_VIEW(g->v, g->m), HD_VIEW(label, g->n),
                      &(hd_components_options){.count = HD_REF(HD_VIEW(&count, 1))}) != HD_OK ||
        count != want)
        abort();
    for (int64_t i = 0; i < g->n; i++)
        if (label[i] != root_of(g, i)) abort();
}

// Kruskal's method: the lightest edge first, of equal ones the first.
static void check_forest(graph *g)
{
    int64_t edges[NODES], order[EDGES], count = -1, wanted = 0;
    bool chosen[EDGES] = {false};
    for (int64_t e = 0; e < g->m; e++) {
        int64_t k = e;
        for (; k > 0 && g->weight[order[k - 1]] > g->weight[e]; k--) order[k] = order[k - 1];
        order[k] = e;
    }
    begin_sets(g);
    for (int64_t k = 0; k < g->m; k++)
        if (join(g, order[k])) chosen[order[k]] = true, wanted++;
    if (hd_spanning_forest(ctx, HD_VIEW(g->u, g->m), HD_VIEW(g->v, g->m), HD_VIEW(g->weight, g->m),
                           g->n, HD_VIEW(edges, g->n), HD_VIEW(&count, 1), NULL) != HD_OK ||
        count != wanted)
        abort();
    for (int64_t k = 0; k < count; k++)
        if (!chosen[edges[k]] || (k > 0 && edges[k] <= edges[k - 1])) abort();
    // A tree where every edge was chosen and all nodes are one component.
    int64_t parent[NODES];
    const hd_status status = hd_tree_parents(ctx, HD_VIEW(g->u, g->m), HD_VIEW(g->v, g->m),
                                             g->n - 1, HD_VIEW(parent, g->n), NULL);
    if ((status == HD_OK) != (wanted == g->m && g->m == g->n - 1)) abort();
    if (status == HD_OK && parent[g->n - 1] != g->n - 1) abort();
}

static void take(const io_array *array)
{
    static graph g;
    const hd_view v = array->view;
    if (v.type != HD_I64 || v.ndim != 2 || v.shape[1] < 2 || v.shape[1] > 3 || v.shape[0] > EDGES)
        return;
    const int64_t *cell = v.data, columns = v.shape[1];
    g.n = 0, g.m = v.shape[0];
    for (int64_t e = 0; e < g.m; e++, cell += columns) {
        if (cell[0] < 0 || cell[0] >= NODES || cell[1] < 0 || cell[1] >= NODES) return;
        g.u[e] = cell[0], g.v[e] = cell[1], g.weight[e] = columns == 3 ? cell[2] : 0;
        const int64_t most = cell[0] > cell[1] ? cell[0] : cell[1];
        if (most >= g.n) g.n = most + 1;
    }
    if (g.m == 0) return;
    check_components(&g);
    check_forest(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const io_read_options options = {.type = HD_I64, .format = IO_TEXT};
    if (ctx == NULL && hd_open(&ctx, &(hd_context_options){.backend = HD_SERIAL}) != HD_OK) abort();
    fuzz_decode(data, size, &options, take);
    return 0;
}
