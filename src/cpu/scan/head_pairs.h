// SPDX-License-Identifier: Apache-2.0
// The tree over (head, value) pairs, for scans with segments or keys: a head on the right forgets
// what is to the left. Levels are powers of two; each is one combine of whole arrays, then the
// heads choose.
#ifndef HEDDLE_CPU_SCAN_HEAD_PAIRS_H
#define HEDDLE_CPU_SCAN_HEAD_PAIRS_H

#include "cpu/tree/tree_block.h"

// Of a block of 2^20 nodes at most: the greatest tree_block_bytes, a byte each.
#define HD__CPU_PAIR_LEVELS 21

typedef struct hd__cpu_pair_levels {
    int32_t top;
    int64_t n[HD__CPU_PAIR_LEVELS];
    unsigned char *value[HD__CPU_PAIR_LEVELS];
    uint8_t *head[HD__CPU_PAIR_LEVELS];
    unsigned char *left, *right; // room for half a block each
} hd__cpu_pair_levels;

// Room for a block of up to n pairs, and how it is laid out. Level 0 is the block itself: the
// caller fills value[0] and head[0].
size_t hd__cpu_pairs_bytes(size_t size, int64_t n);
void hd__cpu_pairs_layout(size_t size, int64_t n, void *memory, hd__cpu_pair_levels *l);

// The levels above level 0, whose n[0] pairs start at an aligned place of their sequence.
void hd__cpu_pairs_upsweep(const hd__cpu_tree_kernels *k, hd__cpu_pair_levels *l);

// value[0] becomes the inclusive prefixes: base came before the block (any valid node where there
// is none: then the first pair is a head), after is the prefix at its end.
void hd__cpu_pairs_downsweep(const hd__cpu_tree_kernels *k, hd__cpu_pair_levels *l,
                             const void *base, const void *after);

// The binary counter of pairs.
typedef struct hd__cpu_pair_tree {
    hd__tree tree;
    bool head[HD__LEVELS];
} hd__cpu_pair_tree;

void hd__cpu_pair_push(hd__cpu_pair_tree *t, int level, bool head, const void *value);
void hd__cpu_pair_push_block(hd__cpu_pair_tree *t, const hd__cpu_tree_kernels *k,
                             const hd__cpu_pair_levels *l);
bool hd__cpu_pair_fold(const hd__cpu_pair_tree *t, void *out);

#endif
