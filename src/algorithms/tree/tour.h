// SPDX-License-Identifier: Apache-2.0
// The Euler tour of a tree given by its parents (Tarjan and Vishkin 1985): where each node is
// entered and left, and the nodes in preorder.
#ifndef HEDDLE_ALGORITHMS_TREE_TOUR_H
#define HEDDLE_ALGORITHMS_TREE_TOUR_H

#include "../support/indices.h"

// Rows of i64. Arc i of the tour enters node i, arc n + i leaves it.
typedef struct hd__tour {
    int64_t n, root;
    hd_view parent;   // of the root: -1
    hd_view position; // of the 2 n arcs
    hd_view preorder; // number of each node
    hd_view order;    // node of each number
} hd__tour;

// Checks the parents and makes the tour; nothing of the caller's array is kept.
hd_status hd__tour_open(hd__frame *f, hd_view parent, hd__tour *t);

// sizes[i] = the nodes in the subtree of i, a row of n.
hd_status hd__tour_sizes(hd__frame *f, const hd__tour *t, hd_view sizes);

#endif
