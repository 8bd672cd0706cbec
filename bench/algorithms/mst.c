// SPDX-License-Identifier: Apache-2.0
//
// The rows of minimum spanning forests, n edges of random weights: random ones, R-MAT's, a grid.
// Peers: u, v, weight, the number of nodes; all of them give the total weight, and Heddle's edges
// are compared one by one. GB/s counts bytes of edges and weights read and edges written, once; the
// peak is a read of as many.
#include "graphs.h"

#include <heddle_algorithms.h>
#include <stdlib.h>
#include <string.h>

#define F32 PEER_OTHER_OP, PEER_F32, PEER_F64, HD_MIN, NULL
static const bench_case cases[] = {
    {"forest", "f32", GRAPH_RANDOM, F32},
    {"forest", "f32", GRAPH_RMAT, F32},
    {"forest", "f32", GRAPH_GRID, F32},
};

typedef struct state {
    algorithm_row row;
    graph g;
    float *weight;
    int32_t *edges, *want;
    int64_t count, want_count;
    bool called; // since the last check
    hd_view u, v, weights, edges_view;
} state;

static void call(bench_row *row)
{
    state *s = row->state;
    const hd_status status = hd_spanning_forest(row->ctx, s->u, s->v, s->weights, s->g.nodes,
                                                s->edges_view, HD_VIEW(&s->count, 1),
                                                &(hd_spanning_forest_options){.total = &row->out});
    s->called = true;
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    state *s = row->state;
    const bool called = s->called;
    s->called = false;
    const bool seen = s->edges_view.space == HD_HOST; // what is on a device is in total
    if (called && s->count != s->want_count) return false;
    if (called && seen && memcmp(s->edges, s->want, (size_t)s->count * sizeof *s->want) != 0)
        return false;
    return algorithm_check(row);
}

typedef struct weighted {
    float weight;
    int32_t edge;
} weighted;

static int lighter(const void *x, const void *y)
{
    const weighted *a = x, *b = y;
    if (a->weight != b->weight) return a->weight < b->weight ? -1 : 1;
    return a->edge < b->edge ? -1 : 1;
}

// The definition: edges by rising weight, those that join two trees (Kruskal 1956).
static bool define(state *s)
{
    const graph *g = &s->g;
    weighted *order = malloc((size_t)g->edges * sizeof *order);
    int32_t *link = malloc((size_t)g->nodes * sizeof *link);
    char *taken = calloc(1, (size_t)g->edges);
    double total = 0;
    for (int64_t k = 0; order && k < g->edges; k++) order[k] = (weighted){s->weight[k], (int32_t)k};
    for (int64_t i = 0; link && i < g->nodes; i++) link[i] = (int32_t)i;
    const bool room = order && link && taken;
    if (room) qsort(order, (size_t)g->edges, sizeof *order, lighter);
    for (int64_t k = 0; room && k < g->edges; k++) {
        const int32_t e = order[k].edge, a = graph_root(link, g->u[e]),
                      b = graph_root(link, g->v[e]);
        if (a == b) continue;
        link[a] = b, taken[e] = 1, total += (double)s->weight[e];
    }
    for (int64_t k = 0; room && k < g->edges; k++)
        if (taken[k]) s->want[s->want_count++] = (int32_t)k;
    *(double *)s->row.want = total;
    free(order), free(link), free(taken);
    return room;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t size = sizeof(float);
    state *s = algorithm_begin(row, d, "spanning-forest", sizeof *s);
    if (!s || !graph_make(&s->g, &s->row, row->what->variant, row->job.n)) return false;
    s->weight = algorithm_array(&s->row, s->g.edges, sizeof *s->weight);
    s->edges = algorithm_array(&s->row, s->g.nodes, sizeof *s->edges);
    s->want = algorithm_array(&s->row, s->g.nodes, sizeof *s->want);
    algorithm_output(row, d, 1);
    if (s->row.no_memory) return false;
    for (int64_t k = 0; k < s->g.edges; k++) s->weight[k] = (float)algorithm_unit(k) + 0x1p-30f;
    s->u = HD_VIEW(s->g.u, s->g.edges), s->v = HD_VIEW(s->g.v, s->g.edges);
    s->weights = HD_VIEW(s->weight, s->g.edges), s->edges_view = HD_VIEW(s->edges, s->g.nodes);
    algorithm_input(&s->row, 0, s->g.u, PEER_I32, s->g.edges);
    algorithm_input(&s->row, 1, s->g.v, PEER_I32, s->g.edges);
    algorithm_input(&s->row, 2, s->weight, PEER_F32, s->g.edges);
    algorithm_input(&s->row, 3, &s->g.nodes, PEER_I64, 1);
    const int64_t bytes = (3 * s->g.edges + s->g.nodes) * size;
    algorithm_peak(row, PEAK_READ, bytes, bytes);
    algorithm_on_device(row, 0, &s->u);
    algorithm_on_device(row, 1, &s->v);
    algorithm_on_device(row, 2, &s->weights);
    algorithm_on_device(row, 4, &s->edges_view);
    row->heddle = call;
    row->check = check;
    s->row.tolerance = 1e-5;
    return define(s);
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_mst = {
    .name = "mst",
    .formula = "bytes of the edges read and of those of the forest written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 24,
    .prepare = prepare,
    .finish = algorithm_finish,
};
