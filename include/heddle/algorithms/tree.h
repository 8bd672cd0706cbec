// SPDX-License-Identifier: Apache-2.0
// Trees by their Euler tour: hd_tree_parents, hd_tree_order, hd_tree_reduce, hd_tree_ancestors.
#ifndef HEDDLE_TREE_H
#define HEDDLE_TREE_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// A tree of n nodes is an array of parents: parent[i] is the node above node i, the root links to
// itself or to -1 (in an unsigned type: all bits set, where that is no node), as in
// hd_forest_roots. It is of any integer type, in one dimension. Children of a node are in the order
// of their numbers.
//
// What is no tree is HD_ERROR_VALUE: a link to no node (the lowest one is named), no root or more
// than one, a cycle (named as by hd_forest_roots).
//
//   Method      The Euler tour of Tarjan and Vishkin 1985, "An efficient parallel biconnectivity
//               algorithm": each node is entered and left, which makes a linked list of 2 n arcs;
//               the list is ranked (hd_list_rank), and what is asked for follows from the ranks.
//               Work O(n) but for a sort of n integers; steps O(log n) but for the ranking's.
//   Cost        about 100 bytes a node of scratch; a sort of the parents, a ranking of 2 n links,
//               and a few passes. Waits for a device.

typedef struct hd_tree_parents_options {
    size_t size; // sizeof(hd_tree_parents_options), or 0: its size in version 0.1
} hd_tree_parents_options;

// parent = the tree of n - 1 edges without direction, hung up at a root: edge k joins u[k] and
// v[k]. The root links to itself.
//
//   Method      as above: the next arc of a tour after the one from x to y is the one after its
//               twin, from y to x, in the order of edges around y, which a sort brings.
//   Aliasing    parent may overlap no input.
//   Exactness   exact.
//   Returns     HD_ERROR_VALUE for a node out of range, an edge of a node to itself, and for edges
//               that are no tree: the text names the lowest node that is not joined to the root.
//               HD_ERROR_SHAPE where they are not one less than parent has elements,
//               HD_ERROR_ARGUMENT for a root out of range, HD_ERROR_TYPE if parent cannot hold
//               n - 1, and the usual ones.
HD_API HD__CHECKED hd_status hd_tree_parents(hd_context *ctx, hd_view u, hd_view v, int64_t root,
                                             hd_view parent,
                                             const hd_tree_parents_options *options);

typedef struct hd_tree_order_options {
    size_t size; // sizeof(hd_tree_order_options), or 0: its size in version 0.1
    // Each receives a number for each node, as integers that hold it; NULL: not asked for
    const hd_view *depth;     // of links to the root
    const hd_view *preorder;  // of nodes that are entered before it
    const hd_view *postorder; // of nodes that are left before it
    const hd_view *sizes;     // of nodes in its subtree, itself too
    const hd_view *tour;      // 2 n nodes: which is entered or left, one after another
} hd_tree_order_options;

// Numbers of the nodes of a tree. The subtree of node i are the nodes whose preorder numbers are
// preorder[i] .. preorder[i] + sizes[i] - 1. Without options the tree is only checked.
//
//     int32_t parent[] = {-1, 0, 0, 1, 1}, depth[5], order[5];
//     hd_tree_order(ctx, HD_VIEW(parent, 5),
//                   &(hd_tree_order_options){.depth = HD_REF(HD_VIEW(depth, 5)),      // 0 1 1 2 2
//                                            .preorder = HD_REF(HD_VIEW(order, 5))}); // 0 1 4 2 3
//
//   Aliasing    outputs may overlap neither parent nor each other.
//   Exactness   exact.
//   Returns     what is said above; HD_ERROR_SHAPE or HD_ERROR_TYPE for an output that has not as
//               many elements or cannot hold them.
HD_API HD__CHECKED hd_status hd_tree_order(hd_context *ctx, hd_view parent,
                                           const hd_tree_order_options *options);

typedef struct hd_tree_reduce_options {
    size_t size; // sizeof(hd_tree_reduce_options), or 0: its size in version 0.1
} hd_tree_reduce_options;

// out[i] = the reduction by op of the values of all nodes in the subtree of i, in preorder: the
// node itself first. Values are converted to out's type, which op takes and gives; it need not be
// commutative, nor have an identity or an inverse.
//
//   Method      blocks: the values in preorder are reduced in pairs, pairs of pairs and so on; the
//               nodes of a subtree are a range of them, cut into at most 2 log2 n such blocks. Work
//               O(n log n), steps O(log^2 n).
//   Aliasing    out may be values, or overlap them; it may not overlap parent.
//   Exactness   the same bits on every backend. The range b .. e - 1 of preorder numbers is the
//               node, then from b + 1 on ever larger blocks that begin at a multiple of their
//               length, then ever smaller ones, combined from the left: ((node op block) op block)
//               ...; a block of 2 k elements is the first half op the second. A float sum has an
//               error of at most 3 log2 n roundings of the sum of magnitudes.
//   Cost        besides the tour, 2 log2 n passes over one integer for each node that may take a
//               block of that size (in a tree drawn at random few may), and one operation for each
//               block; 4 elements a node of scratch.
//   Returns     what is said above; HD_ERROR_SHAPE if sizes differ, and what hd_scatter with
//               .combine returns for types that do not fit op.
HD_API HD__CHECKED hd_status hd_tree_reduce(hd_context *ctx, hd_view parent, hd_view values,
                                            const hd_operator *op, hd_view out,
                                            const hd_tree_reduce_options *options);

typedef struct hd_tree_ancestors_options {
    size_t size; // sizeof(hd_tree_ancestors_options), or 0: its size in version 0.1
} hd_tree_ancestors_options;

// out[k] = the lowest common ancestor of nodes a[k] and b[k]: the deepest node whose subtree has
// both; a node is its own ancestor.
//
//   Method      the least preorder number of a parent over the nodes between the two in preorder
//               (Berkman and Vishkin 1993): minima of ranges of 1, 2, 4, ... nodes, two of which
//               cover what a query asks for. Work O(n log n + q), steps O(log n).
//   Aliasing    out may be a or b (it is written last), not parent.
//   Exactness   exact.
//   Cost        besides the tour, as many passes over one integer a node as the longest range
//               between the nodes of a query has binary digits; 60 bytes a query of scratch.
//   Returns     what is said above; HD_ERROR_VALUE for a query that is no node (the text names it),
//               HD_ERROR_SHAPE if a, b and out differ in length, HD_ERROR_TYPE if out cannot hold
//               n - 1.
HD_API HD__CHECKED hd_status hd_tree_ancestors(hd_context *ctx, hd_view parent, hd_view a,
                                               hd_view b, hd_view out,
                                               const hd_tree_ancestors_options *options);

#ifdef __cplusplus
}
#endif

#endif
