// SPDX-License-Identifier: Apache-2.0
// Linked lists and forests in arrays: hd_list_rank, hd_list_scan, hd_forest_roots.
#ifndef HEDDLE_LIST_H
#define HEDDLE_LIST_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// Lists live in an array of links: next[i] is the node after node i. The last node of a list links
// to itself, or to -1 (in an unsigned type: all bits set, where that is no node). One array may
// hold any number of lists; nodes lie in it in any order. Links are of any integer type, in one
// dimension.
//
// Not a list is: a link to no node (n or more, or negative and not -1), a node that two others link
// to, a cycle. Each is found, on every backend the same: the lowest node with a bad link; if there
// is none, the lowest node that two others link to; if there is none, the lowest node on a cycle.

// How a list is ranked. Steps are those all processors take together, work is the visits of nodes.
//
//   efficient   sublists, from splitters spread at random, are walked side by side; the short list
//               of sublists is ranked; every node adds its position in its sublist (Helman and
//               JaJa 2001). Work O(n); the steps are the longest sublist, the sublists of the
//               longest list, and 1.
//   Wyllie's    pointer jumping: every node adds its successor's rank to its own and takes the
//               successor's successor for its own, ceil(log2 n) times:
//                   steps ceil(log2 n), work n ceil(log2 n)
//
// The serial backend walks: steps and work n by the first method, as above by Wyllie's.
typedef enum hd_list_method { HD_LIST_EFFICIENT = 0, HD_LIST_WYLLIE } hd_list_method;

typedef struct hd_list_options {
    size_t size;    // sizeof(hd_list_options), or 0: its size in version 0.1
    int32_t method; // hd_list_method
    bool from_head; // ranks count from the first node of each list
    bool exclusive; // hd_list_scan: out[i] is over the nodes before i
    bool backward;  // hd_list_scan: from the last node of each list to its first
    bool reserved_flag;
    const void *init; // hd_list_scan: as in hd_scan_options
    // Nodes, of any integer type: only what can be reached from them are nodes. All other elements
    // of the array may hold anything (lists are scattered in a larger memory: what is theirs is
    // found out by marking). NULL: all
    const hd_view *heads;
    const hd_view *steps, *work; // one i64 each, receive the counts
    const hd_view *lists;        // one i64, receives the number of lists
} hd_list_options;

// out[i] = the number of links from node i to the last node of its list (with .from_head: from the
// first node to i). Elements that belong to no list of .heads receive -1 (all bits set).
//
//     int32_t next[] = {2, 1, 1}, rank[3]; // 0 -> 2 -> 1
//     hd_list_rank(ctx, HD_VIEW(next, 3), HD_VIEW(rank, 3), NULL); // 2 0 1
//
//   Aliasing    out may be next itself; any other overlap is an error.
//   Exactness   exact.
//   Cost        efficient: two visits a node, side by side; about 8 bytes a node of
//               scratch. Wyllie's: two visits a node and step; three times the scratch. Marking
//               from .heads is a walk by one thread; on a device it is pointer jumping over
//               the whole array. More than 2^30 nodes are serial.
//   Returns     HD_ERROR_VALUE with the node for what is no list, HD_ERROR_TYPE if out is no
//               integer type that holds n - 1, and the usual ones.
HD_API HD__CHECKED hd_status hd_list_rank(hd_context *ctx, hd_view next, hd_view out,
                                          const hd_list_options *options);

// out[i] = values[first node of the list] op ... op values[i], in the order of the links; the
// options .exclusive, .backward and .init are those of hd_scan. Operators need not be commutative.
//
//   Aliasing    out may be values itself (same type); any other overlap is an error.
//   Exactness   the values of all lists, one list after another in the order of their first nodes'
//               indices, scanned by hd_scan with a segment for each list: for one list, the bits of
//               hd_scan over its values in order. The same on every backend.
//   Cost        ranking, a scan, and each value moved twice.
//   Returns     as hd_list_rank and hd_scan. values and out have one element for each link.
//               Elements that belong to no list of .heads are left as they are in out.
HD_API HD__CHECKED hd_status hd_list_scan(hd_context *ctx, hd_view next, hd_view values,
                                          const hd_operator *op, hd_view out,
                                          const hd_list_options *options);

typedef struct hd_forest_options {
    size_t size;                 // sizeof(hd_forest_options), or 0: its size in version 0.1
    const hd_view *depth;        // receives the number of links to the root (may be NULL)
    const hd_view *steps, *work; // one i64 each, receive the counts
} hd_forest_options;

// out[i] = the root of the tree that node i is in: the last of parent[i], parent[parent[i]], ...
// A root links to itself, or to -1, as the last node of a list does; a node may have any number of
// children.
//
//   Aliasing    out, or depth, may be parent itself; any other overlap is an error.
//   Exactness   exact.
//   Cost        pointer jumping: parent = parent[parent] for all nodes at once until all are roots,
//               with depth d of the deepest node max(1, ceil(log2 d)) steps, and one that finds
//               nothing to do; the work is n for each. The serial backend follows links: steps and
//               work are the links followed.
//   Returns     HD_ERROR_VALUE with the node for a bad link (the lowest) or a cycle (the lowest
//               node on one), HD_ERROR_TYPE if out or depth is no integer type that holds n - 1.
HD_API HD__CHECKED hd_status hd_forest_roots(hd_context *ctx, hd_view parent, hd_view out,
                                             const hd_forest_options *options);

#ifdef __cplusplus
}
#endif

#endif
