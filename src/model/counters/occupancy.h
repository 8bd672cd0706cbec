// SPDX-License-Identifier: Apache-2.0
//
// How many blocks of a kernel a multiprocessor holds at once, and what keeps it from holding more.
#ifndef HEDDLE_MODEL_COUNTERS_OCCUPANCY_H
#define HEDDLE_MODEL_COUNTERS_OCCUPANCY_H

#include "model/exec/architecture.h"

typedef struct occupancy {
    int32_t blocks, warps; // of a multiprocessor; 0: not even one fits
    double share;          // of the warps it could hold
    const char *limit;     // "registers", "shared memory", "threads", "blocks"
    int32_t by_registers, by_shared, by_threads, by_blocks; // blocks that each allows
    int32_t l1_bytes; // what is left of the L1 beside the shared memory
} occupancy;

// For blocks of `threads`, with so many registers a thread and bytes of shared memory a block.
occupancy hd__model_occupancy(const architecture *a, int32_t threads, int32_t registers,
                              int64_t shared);

#endif
