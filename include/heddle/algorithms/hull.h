// SPDX-License-Identifier: Apache-2.0
// hd_convex_hull: the convex hull of points in the plane. Part of heddle_algorithms.h.
#ifndef HEDDLE_HULL_H
#define HEDDLE_HULL_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_hull_options {
    size_t size;    // sizeof(hd_hull_options), or 0: its size in version 0.1
    bool collinear; // points on the edges, too, each place once; default: corners alone
    bool reserved_flags[7];
    const hd_view *steps; // one i64, receives how many times all edges were split
} hd_hull_options;

// out = the indices of the corners of the convex hull of n points, counter-clockwise, beginning
// with the lowest one (of several, the leftmost). points has the shape (n, 2), x and y of each; out
// has one dimension and any integer type, with room for all corners (n is enough); count, a view of
// one i64, receives how many there are. Of points with the same coordinates the lowest index
// counts. A single place has one corner, points on a line have two. With .collinear points on the
// edges are in the list as well, in their order; of points on a line, all places from the lowest to
// the highest.
//
//   Types       integers but u64, f32, f64.
//   Method      quickhull by segmented reductions and scans (Barber, Dobkin and Huhdanpaa 1996;
//               Blelloch 1990): each edge has the points that lie outside of it; the farthest of
//               them is a corner and splits the edge; what lies inside of the triangle is dropped.
//               All edges are split in the same step. What a step leaves to an edge has at most a
//               quarter of the area, so steps are bounded by the bits of the coordinates (63 of
//               i64), and are about log2 of the corners for points that are spread evenly. Work
//               O(n) a step.
//   Aliasing    out may not overlap points or count.
//   Exactness   exact, as every decision is: of integers by products of 128 bits, of floats by
//               adaptive expansions (Shewchuk 1997).
//               The cores first drop what lies in a rectangle that is inside of the hull (after
//               Akl and Toussaint 1978), and split each edge by itself; the steps are the same.
//   Cost        the cores read all points once, and what is not in the rectangle once more in each
//               step that it is outside of; scratch is 25 bytes a point, of which that is touched,
//               and 32 of each that is left after the first step. Elsewhere the first step reads
//               all points four times; scratch is 56 bytes a point, and 64 more of each that is
//               left.
//               A GPU finds the farthest points by a tournament, log2 of an edge's points rounds.
//   Returns     HD_ERROR_VALUE with the index of the first point that has a coordinate which is not
//               finite, or, of f64, neither 0 nor of a magnitude of 2^-485 to 2^510, where products
//               would not be exact; HD_ERROR_SHAPE if out has too little room: the text and count
//               say how many there are, and the first that fit have been written; HD_ERROR_TYPE if
//               out cannot hold n - 1; and the usual ones.
HD_API HD__CHECKED hd_status hd_convex_hull(hd_context *ctx, hd_view points, hd_view out,
                                            hd_view count, const hd_hull_options *options);

#ifdef __cplusplus
}
#endif

#endif
