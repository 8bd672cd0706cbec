// SPDX-License-Identifier: Apache-2.0
// What algorithms over lists of edges share: functions for either width of indices, the checks of
// an edge list, numbers that a call gives.
#ifndef HEDDLE_ALGORITHMS_GRAPH_EDGES_H
#define HEDDLE_ALGORITHMS_GRAPH_EDGES_H

#include "../support/indices.h"

// Functions of indices of one width.
typedef struct hd__edge_functions {
    hd_type type;
    const hd_function *differ;      // a != b
    const hd_function *differ_ends; // of (id, a, b): a != b
    const hd_function *lower, *higher;
    const hd_function *is_root;   // of (f, i as i64): f == i
    const hd_function *narrow;    // of an i64
    const hd_function *other_end; // of (best, c as i64, u, v) with the edges as state
    const hd_function *hook;      // of (other, c as i64, best, best of other)
    const hd_function *chosen;    // of (best, id) with the edges as state: id, or -1
} hd__edge_functions;

const hd__edge_functions *hd__edge_functions_of(hd_type type);

// An edge list, checked: rows without gaps of f's memory space.
typedef struct hd__edges {
    const hd__edge_functions *on;
    hd_view u, v;
    int64_t n, m;
} hd__edges;
hd_status hd__edges_open(hd__frame *f, hd_view u, hd_view v, int64_t nodes, hd__edges *e);

// Writes a number to the view of an option, if it is given.
hd_status hd__edges_tell(hd__frame *f, const hd_view *option, int64_t value);

#endif
