// SPDX-License-Identifier: Apache-2.0
//
// Graphs for the rows of components and spanning forests, by the name of a row's variant: n random
// edges between n nodes; n of R-MAT's between n / 8; a grid of n / 2 nodes that wraps around.
#ifndef HEDDLE_BENCH_ALGORITHMS_GRAPHS_H
#define HEDDLE_BENCH_ALGORITHMS_GRAPHS_H

#include "algorithm_row.h"

#define GRAPH_RANDOM "random"
#define GRAPH_RMAT   "R-MAT"
#define GRAPH_GRID   "grid"

typedef struct graph {
    int64_t nodes, edges;
    int32_t *u, *v;
} graph;

// At most n edges, in arrays of the row's. false: no memory.
bool graph_make(graph *g, algorithm_row *a, const char *variant, int64_t n);

// The root of a node in a forest of links, which are shortened on the way.
int32_t graph_root(int32_t *link, int32_t node);

#endif
