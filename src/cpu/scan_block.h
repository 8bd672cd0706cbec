// SPDX-License-Identifier: Apache-2.0
// The scan of one block in two halves, with the hand-over of the prefix between them: what one
// thread does before it knows what came before its block, and what it does after.
#ifndef HD__SCAN_BLOCK_H
#define HD__SCAN_BLOCK_H

#include "cpu/cpu.h"

typedef struct hd__scan_block {
    // Set once a thread
    hd__kernels k;
    const hd__fold *fold;
    const hd__reader *in;
    const hd_view *out, *values;
    bool exclusive, straight; // straight: the kernel writes outputs where they belong
    unsigned char *elements, *levels, *nodes_out, *spread, *lowered, *lowered_values;
    // Between the halves
    int64_t start, n, seen; // seen: elements in the tree before the block
    const void *nodes;
    hd__levels l;
    bool has_base, has_total;
    _Alignas(HD__ALIGNMENT) unsigned char base[HD_MAX_ELEMENT], after[HD_MAX_ELEMENT],
        total[HD_MAX_ELEMENT];
} hd__scan_block;

// Room for blocks of up to `most` nodes.
size_t hd__scan_block_bytes(const hd__kernels *k, const hd__reader *in, int64_t most);
void hd__scan_block_init(hd__scan_block *b, const hd__kernels *k, const hd__reader *in,
                         const hd_view *out, const hd_view *values, bool exclusive, int64_t most,
                         void *memory);
// The same for another row, of a reader of the same kind.
void hd__scan_block_move(hd__scan_block *b, const hd__reader *in, const hd_view *out,
                         const hd_view *values);

// First half: reads elements start .. start + n - 1 and sums them up.
void hd__scan_block_up(hd__scan_block *b, int64_t start, int64_t n);
// Hand-over, in order: takes the prefix from the tree and adds the block to it.
void hd__scan_block_turn(hd__scan_block *b, hd__tree *tree);
// Second half: writes the outputs.
void hd__scan_block_down(hd__scan_block *b);

// All elements of a reader in one thread.
void hd__scan_in_order(hd__scan_block *b, hd__tree *tree, int64_t start, int64_t end, int64_t most);

#endif
