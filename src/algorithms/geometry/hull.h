// SPDX-License-Identifier: Apache-2.0
// One call of hd_convex_hull: points, edges and what lies outside of each edge; and the decisions
// that are made of coordinates, which depend on their type.
#ifndef HEDDLE_ALGORITHMS_GEOMETRY_HULL_H
#define HEDDLE_ALGORITHMS_GEOMETRY_HULL_H

#include <heddle_algorithms.h>

#include "../support/frame.h"

// Functions and operators over coordinates of one type (hull_rules.inc).
typedef struct hd__hull hd__hull;
typedef struct hd__hull_rules {
    hd_type coordinate, corner, candidate;
    const hd_function *is_bad;         // coordinate: no decision is exact with it
    const hd_function *make_corner;    // x, y, index
    const hd_operator *lowest;         // of corners
    const hd_operator *highest;        // of corners
    const hd_function *index_of;       // corner
    const hd_function *strictly_right; // x, y; state: an edge
    const hd_function *strictly_left;  // x, y; state: an edge
    const hd_function *right_or_on;    // the same, or on it, but at neither end
    const hd_function *left_or_on;
    const hd_function *make_candidate;    // x, y, index, ax, ay, bx, by
    const hd_operator *farthest;          // of candidates, from their edge
    const hd_function *splits;            // candidate: its index where it lies outside, else -1
    const hd_function *second_is_farther; // px, py, qx, qy, ax, ay, bx, by
    const hd_function *if_outside;   // x, y, index, ax, ay, bx, by: the index where it is, else -1
    const hd_function *corners_only; // x, y, ax, ay, bx, by, fx, fy: outside of a f: 0, of f b: 1,
    const hd_function *with_collinear; // else -1; and on them, but at no end
    const hd_function *along;          // x, y, ax, ay, bx, by: rises from a to b
    // All of it, by the cores; *good: false where a coordinate is bad
    hd_status (*on_cores)(hd__hull *h, bool *good);
} hd__hull_rules;

extern const hd__hull_rules hd__hull_f64, hd__hull_i64;

struct hd__hull {
    hd__frame f;
    const hd__hull_rules *rules;
    bool collinear;
    int64_t n, steps;
    hd_view x, y; // of the points
    int64_t m;    // edges: the one of corner[s] goes to that of corner[s + 1]
    hd_view corner, offset;
    int64_t outside;        // points outside of some edge: edge s has those from offset[s] on
    hd_view id, edge;       // of each: which point, which edge
    hd_view ax, ay, bx, by; // the ends of each edge
};

// The two first corners and what lies on either side of the line through them.
hd_status hd__hull_begin(hd__hull *h);
// Splits every edge that has points outside, until none has.
hd_status hd__hull_split(hd__hull *h);
// The farthest point of each edge where it lies outside, else -1, as a tournament: neighbours in
// pairs, winners again. It is what a reduction over structures gives in one call; a GPU's compiler
// would take minutes for that.
hd_status hd__hull_tournament(hd__hull *h, hd_view farthest);
// The corners, and what lies on the edges, in their order: *row has *count indices.
hd_status hd__hull_list(hd__hull *h, hd_view *row, int64_t *count);

// ax, ay, bx, by of the edges as they are now.
hd_status hd__hull_ends(hd__hull *h);

#endif
