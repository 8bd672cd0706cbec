// SPDX-License-Identifier: Apache-2.0
// The reduction tree over contiguous nodes in one thread: reduce and scan of a block (the upsweep
// and downsweep of Blelloch 1990, by groups of eight), built from the few loops an operator brings.
#ifndef HEDDLE_CPU_TREE_TREE_BLOCK_H
#define HEDDLE_CPU_TREE_TREE_BLOCK_H

#include "core/operators/fold.h"
#include "core/tree.h"
#include "cpu/runtime/micro.h"

// An operator's loops for one call: micro-kernels of the context's instruction set where it has
// them, else the operator's own, else made from its combine.
typedef struct hd__cpu_tree_kernels {
    const hd_operator *op;
    size_t size;                 // of a node
    const void *identity;        // true to the bit, or NULL
    hd__cpu_micro micro;         // reduce, scan and segments may be NULL
    hd__cpu_moments_of *moments; // of a variance of such elements, or NULL
    hd__cpu_sum_of *sum;         // of a float sum straight from such elements, or NULL
    hd__cpu_sum_of *sum_numbers; // and from the numbers that they become, or NULL
    const hd__cpu_fused_scan
        *fused;    // of a scan straight from such elements to such outputs, or NULL
    hd_type limbs; // of an exact sum: the number of its nodes, else HD_NONE
    const hd__cpu_exact_kernels *exact; // with limbs
    hd__cpu_squares_of *squares;        // of a norm of such elements, or NULL
    hd__cpu_micro sums;                 // with squares: of f64
} hd__cpu_tree_kernels;

void hd__cpu_tree_kernels_of(const hd_context *ctx, const hd__fold *fold, hd__cpu_tree_kernels *k);

// How many nodes make a block that fits L1, or L2: powers of two.
int64_t hd__cpu_block_nodes(size_t node_size);
int64_t hd__cpu_stream_block_nodes(size_t node_size);

// Bytes of scratch for the levels above a block of n nodes.
size_t hd__cpu_levels_bytes(const hd__cpu_tree_kernels *k, int64_t n);

// *out = R(n), n >= 1. Nodes may be many; levels holds those above one block.
void hd__cpu_reduce_nodes(const hd__cpu_tree_kernels *k, const void *in, int64_t n, void *out,
                          void *levels);

// The levels above a block of n nodes, kept between the two halves of its scan.
typedef struct hd__cpu_levels {
    int32_t top;  // levels 1 .. top have nodes
    int64_t n[8]; // nodes at each level; n[0] is the block
    unsigned char
        *node[8]; // level k > 0: node[k] + size is its first node, one slot is free before
} hd__cpu_levels;

// First half: the levels above a block, whose start must be aligned in its sequence to a power of
// two of at least n; `done` says that level 1 has been filled already (see `ahead` below). Then the
// block's perfect nodes are pushed into a tree.
void hd__cpu_levels_init(const hd__cpu_tree_kernels *k, int64_t n, void *memory, hd__cpu_levels *l);
void hd__cpu_scan_upsweep(const hd__cpu_tree_kernels *k, const void *in, bool done,
                          hd__cpu_levels *l);
void hd__cpu_push_block(const hd__cpu_tree_kernels *k, const void *in, const hd__cpu_levels *l,
                        hd__tree *tree);

// Second half, in two steps. Levels above the block become prefixes: base is NULL where the block
// begins its sequence, `after` is R at the end of the block. Gives the prefixes of groups of
// HD__TREE_ARITY nodes, the base first where there is one or an identity; `top` has room for a
// node.
const void *hd__cpu_levels_downsweep(const hd__cpu_tree_kernels *k, hd__cpu_levels *l,
                                     const void *base, const void *after, void *top);

// Both steps: out[i] = base and the block's nodes up to i. out may be in. Where ahead is not NULL,
// it is another block of as many nodes, a multiple of HD__TREE_ARITY, and level 1 of ahead_levels
// is filled on the way; that takes a kernel for it and a base or an identity.
void hd__cpu_scan_downsweep(const hd__cpu_tree_kernels *k, const void *in, hd__cpu_levels *l,
                            const void *base, const void *after, void *out, const void *ahead,
                            hd__cpu_levels *ahead_levels);

// The scan of a sequence of one block, nothing before it.
void hd__cpu_scan_small(const hd__cpu_tree_kernels *k, const void *in, int64_t n, void *out,
                        void *memory);

#endif
