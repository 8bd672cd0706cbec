// SPDX-License-Identifier: Apache-2.0
//
// Whose turn it is: the blocks that a host thread has, their warps, and the divergent paths of a
// warp.
#ifndef HEDDLE_MODEL_EXEC_SCHEDULE_H
#define HEDDLE_MODEL_EXEC_SCHEDULE_H

#include "reconvergence.h"

// A host thread: its machine and the blocks that run on it in turns.
typedef struct host_worker {
    machine machine;
    pool pool;
    block **resident;
    int32_t count, room;
    block *spare;    // blocks that ended, with their memory, for the next ones
    uint64_t random; // 0: turns in order
    uint64_t limit;  // instructions before it gives up, or UINT64_MAX
} host_worker;

// A block ready to begin, or NULL: no memory. c: its cluster of several, or NULL; rank: in it.
block *hd__model_block_new(host_worker *w, int64_t index, cluster *c, int32_t rank);
void hd__model_block_drop(host_worker *w, block *b); // keeps its memory for the next one
void hd__model_blocks_free(host_worker *w);          // gives all of it back

// With a seed: another one of the resident blocks goes first.
void hd__model_blocks_shuffle(host_worker *w);

// Warps of a block have their turns, for as long as it gets on by itself. false: the block is done,
// or the machine has failed.
bool hd__model_block_run(host_worker *w, block *b);

#endif
