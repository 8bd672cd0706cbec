// SPDX-License-Identifier: Apache-2.0
// hd_components: connected components; hd_spanning_forest: a minimum spanning forest. Of graphs
// given as lists of edges.
#ifndef HEDDLE_GRAPH_H
#define HEDDLE_GRAPH_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// A graph of n nodes 0 .. n - 1 and m edges: edge k joins u[k] and v[k]. Edges have no direction,
// may come more than once and may join a node to itself. Nodes are of any integer type, in one
// dimension; those of i32, u32, i64 and u64 are taken as they are.

typedef struct hd_components_options {
    size_t size;           // sizeof(hd_components_options), or 0: its size in version 0.1
    const hd_view *count;  // one i64, receives how many components there are
    const hd_view *rounds; // one i64, receives how often edges were looked at
} hd_components_options;

// label[i] = the least node of the component that node i is in. The nodes are as many as label has
// elements.
//
//     int32_t u[] = {0, 3, 4}, v[] = {2, 4, 3}, label[5]; // 0 - 2, 3 - 4 twice, 1
//     hd_components(ctx, HD_VIEW(u, 3), HD_VIEW(v, 3), HD_VIEW(label, 5), NULL); // 0 1 0 3 3
//
//   Method      hooking and pointer jumping: each root hooks onto the least root that an edge joins
//               it to, all chains are followed to their roots, edges within a tree are dropped
//               (Shiloach and Vishkin 1982; Liu and Tarjan 2019, whose proof bounds the rounds by
//               2 log2 n). Work O((n + m) log n) at worst; steps O(log2^2 n). Cores, and devices
//               that have u in their memory, below 2^31 nodes and edges, look at each edge
//               once where rounds are not asked for, in sets that threads join at the same time
//               (Jayanti and Tarjan 2016; Jaiganesh and Burtscher 2018).
//   Aliasing    label may overlap no input.
//   Exactness   exact.
//   Cost        a round reads each edge that is left and two random labels, and passes over the
//               nodes a few times; about 16 bytes an edge and 8 a node of scratch, twice that from
//               2^31 nodes on, and a wait for a device. Looked at once, an edge costs a few random
//               reads, and scratch is 4 bytes a node; on a device 8, and a byte an edge.
//   Returns     HD_ERROR_VALUE for a node out of range (the text names the edge), HD_ERROR_SHAPE if
//               u and v differ in length, HD_ERROR_TYPE if label cannot hold n - 1, and the usual
//               ones.
HD_API HD__CHECKED hd_status hd_components(hd_context *ctx, hd_view u, hd_view v, hd_view label,
                                           const hd_components_options *options);

typedef struct hd_spanning_forest_options {
    size_t size;           // sizeof(hd_spanning_forest_options), or 0: its size in version 0.1
    const hd_view *total;  // one element, receives the sum of the weights of the forest; a type
                           // that hd_reduce with HD_SUM gives
    const hd_view *rounds; // one i64, receives the rounds of the method
} hd_spanning_forest_options;

// A minimum spanning forest: edges receives, rising, the indices of the edges of a tree in each
// component, with the least sum of weights; count, as in hd_compact, how many they are: nodes less
// components. Among equal weights the edge with the lower index is the lighter one, so there is one
// forest. Weights are of any number type and in the order of hd_sort: -0 before +0, NaN heaviest.
//
//   Method      Boruvka 1926: the edges are sorted by weight once; in each round every tree takes
//               its lightest edge to another one (a scatter with HD_MIN of positions), trees that
//               meet become one (pointer jumping), and nodes and edges are contracted. At most
//               log2 n rounds; work O((n + m) log n), steps O(log2^2 n). Devices that have u in
//               their memory, below 2^31 nodes and edges, contract nothing where rounds are not
//               asked for: threads join the trees, as for components, those of the lightest 2 n
//               edges first (Fallin, Gonzalez, Seo and Burtscher 2023).
//   Aliasing    outputs may overlap neither inputs nor each other.
//   Exactness   exact; total is hd_reduce with HD_SUM over the weights in the order of edges, the
//               one tree: the same bits on every backend.
//   Cost        a sort of the weights with their indices, then each round about twelve passes over
//               the edges that are left and ten over the trees; about 28 bytes an edge and 24 a
//               node of scratch. Waits for a device twice a round; without contraction once, for
//               three passes over the edges that are left, 22 bytes an edge and 8 a node.
//   Returns     HD_ERROR_VALUE for a node out of range (the text names the edge); HD_ERROR_SHAPE if
//               edges has too few elements (the text says how many there are; nodes - 1 always
//               suffice), or u, v and weight differ in length; HD_ERROR_TYPE if edges cannot hold
//               m - 1; HD_ERROR_ARGUMENT for a negative number of nodes; and the usual ones.
HD_API HD__CHECKED hd_status hd_spanning_forest(hd_context *ctx, hd_view u, hd_view v,
                                                hd_view weight, int64_t nodes, hd_view edges,
                                                hd_view count,
                                                const hd_spanning_forest_options *options);

#ifdef __cplusplus
}
#endif

#endif
