// SPDX-License-Identifier: Apache-2.0
//
// The rows of connected components, n edges: random ones, R-MAT's, a grid. Peers: u, v, the number
// of nodes; the label of a node is the least node that it is joined to. GB/s counts bytes of edges
// read and labels written, once; the peak is a read of as many.
#include "graphs.h"

#include <heddle_algorithms.h>

#define I32 PEER_OTHER_OP, PEER_I32, PEER_I32, HD_MIN, NULL
static const bench_case cases[] = {
    {"components", "i32", GRAPH_RANDOM, I32},
    {"components", "i32", GRAPH_RMAT, I32},
    {"components", "i32", GRAPH_GRID, I32},
};

typedef struct state {
    algorithm_row row;
    graph g;
    hd_view u, v;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_components(row->ctx, s->u, s->v, row->out, NULL);
    if (status) row->status = status;
}

// The definition: sets that are joined edge by edge, named by their least node.
static void define(state *s)
{
    int32_t *label = s->row.want;
    for (int64_t i = 0; i < s->g.nodes; i++) label[i] = (int32_t)i;
    for (int64_t k = 0; k < s->g.edges; k++) {
        const int32_t a = graph_root(label, s->g.u[k]), b = graph_root(label, s->g.v[k]);
        label[a > b ? a : b] = a > b ? b : a;
    }
    for (int64_t i = 0; i < s->g.nodes; i++) label[i] = label[label[i]];
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t size = sizeof(int32_t);
    state *s = algorithm_begin(row, d, "components", sizeof *s);
    if (!s || !graph_make(&s->g, &s->row, row->what->variant, row->job.n)) return false;
    algorithm_output(row, d, s->g.nodes);
    if (s->row.no_memory) return false;
    s->u = HD_VIEW(s->g.u, s->g.edges), s->v = HD_VIEW(s->g.v, s->g.edges);
    algorithm_input(&s->row, 0, s->g.u, PEER_I32, s->g.edges);
    algorithm_input(&s->row, 1, s->g.v, PEER_I32, s->g.edges);
    algorithm_input(&s->row, 2, &s->g.nodes, PEER_I64, 1);
    const int64_t bytes = (2 * s->g.edges + s->g.nodes) * size;
    algorithm_peak(row, PEAK_READ, bytes, bytes);
    algorithm_on_device(row, 0, &s->u);
    algorithm_on_device(row, 1, &s->v);
    row->heddle = call;
    define(s);
    return true;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_components = {
    .name = "components",
    .formula = "bytes of the edges read and of the labels written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 24,
    .prepare = prepare,
    .finish = algorithm_finish,
};
