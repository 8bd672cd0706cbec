// SPDX-License-Identifier: Apache-2.0
// The scan of a range of elements in one thread, given what came before it.
#ifndef HEDDLE_CPU_SCAN_SCAN_RANGE_H
#define HEDDLE_CPU_SCAN_SCAN_RANGE_H

#include "cpu/runtime/cpu.h"
#include "cpu/tree/tree_block.h"

// What came before: a tree, or, for an exact operator, the prefix alone.
typedef struct hd__cpu_scan_state {
    int64_t count;  // elements
    hd__tree *tree; // NULL for an exact operator with a kernel of its own
    bool known;     // whether `prefix` is R(count): always of an exact operator
    _Alignas(HD__ALIGNMENT) unsigned char prefix[HD_MAX_ELEMENT];
} hd__cpu_scan_state;

// One thread's tools.
typedef struct hd__cpu_scanner {
    hd__cpu_tree_kernels k;
    const hd__fold *fold;
    const hd__reader *in;
    const hd_view *out, *values;
    bool exclusive;
    bool straight; // the kernel writes outputs where they belong
    bool shifted;  // and so it does for an exclusive scan, where in and out are apart
    const hd__cpu_fused_scan
        *fused;    // from elements to outputs, with no node of theirs in memory; or NULL
    int64_t block; // nodes at a time
    unsigned char *elements, *nodes_out, *inits, *finalized, *finalized_values;
    int64_t init_count; // copies of init that are there
    // The levels above this block and above the next, in turn
    int turn;
    unsigned char *levels[2];
    hd__cpu_levels sums[2];
} hd__cpu_scanner;

static inline bool hd__cpu_scans_exactly(const hd__cpu_tree_kernels *k)
{
    return k->micro.scan != NULL;
}

size_t hd__cpu_scanner_bytes(const hd__cpu_tree_kernels *k, const hd__reader *in);
void hd__cpu_scanner_init(hd__cpu_scanner *s, const hd__cpu_tree_kernels *k, const hd__reader *in,
                          const hd_view *out, const hd_view *values, bool exclusive, void *memory);
// The same for another row, of a reader of the same kind.
void hd__cpu_scanner_move(hd__cpu_scanner *s, const hd__reader *in, const hd_view *out,
                          const hd_view *values);

// The state before anything, or after what a carry has seen; and, at the end, back into the carry.
void hd__cpu_scan_begin(const hd__cpu_tree_kernels *k, hd__tree *tree, hd__cpu_scan_state *state);
void hd__cpu_scan_end(const hd__cpu_tree_kernels *k, hd__tree *tree,
                      const hd__cpu_scan_state *state);

// Scans elements start .. end - 1, which follow those of the state, and adds them to it.
void hd__cpu_scan_range(hd__cpu_scanner *s, hd__cpu_scan_state *state, int64_t start, int64_t end);

#endif
