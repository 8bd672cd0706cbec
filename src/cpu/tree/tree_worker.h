// SPDX-License-Identifier: Apache-2.0
// What patterns over the tree share beyond one block: a worker's tools for slices of a reader, and
// reductions by all threads.
#ifndef HEDDLE_CPU_TREE_TREE_WORKER_H
#define HEDDLE_CPU_TREE_TREE_WORKER_H

#include "cpu/tree/tree_block.h"
#include "patterns/reduce/reduce.h"

// One thread's tools for slices of a reader: its loops, a reader of its own, scratch.
typedef struct hd__cpu_worker {
    hd__cpu_tree_kernels k;
    hd__reader in;
    int64_t block;           // elements read at a time
    unsigned char *elements; // of them on their way in
    unsigned char *levels;   // above a block
    unsigned char *waiting;  // pending partials of a tree
} hd__cpu_worker;

size_t hd__cpu_worker_bytes(const hd__cpu_tree_kernels *k, const hd__reader *in);
void hd__cpu_worker_init(hd__cpu_worker *w, const hd__cpu_tree_kernels *k, const hd__reader *in,
                         void *memory);

// *node = R(n) of elements start .. start + n - 1, n >= 1, as a slice of its own.
void hd__cpu_worker_reduce(hd__cpu_worker *w, int64_t start, int64_t n, void *node);

// Result `slot` of a reduction: the node over `count` elements with init, finalized, stored. Fails
// only where count is 0 and the operator has no empty value.
hd_status hd__cpu_store_result(hd_context *ctx, const hd__reduce_job *job, void *node,
                               int64_t count, int64_t slot);

// *node = R(n) of the elements of a reader with all threads of the context; carries on `tree` if
// it is not NULL. n >= 1.
hd_status hd__cpu_reduce_parallel(hd_context *ctx, const hd__fold *fold, const hd__reader *in,
                                  hd__tree *tree, void *node);

#endif
