// SPDX-License-Identifier: Apache-2.0
//
// Architectures by number, and how blocks are spread over the multiprocessors of a chip.
#ifndef HEDDLE_MODEL_EXEC_ARCHITECTURE_H
#define HEDDLE_MODEL_EXEC_ARCHITECTURE_H

#include <stdint.h>

typedef struct architecture {
    int32_t arch;
    const char *chip;
    int32_t multiprocessors, mhz;
    int32_t threads, blocks, registers;                 // of a multiprocessor
    int32_t shared_kib, block_shared_kib, l1_kib;       // l1: with the shared memory in it
    int32_t shared_unit, shared_reserved;               // bytes; reserved: of every block
    int32_t l2_kib;                                     // as far as it counts
    int32_t dram_gb, l2_gb;                             // a second
    int32_t f32_lanes, f64_lanes, int_lanes, sfu_lanes; // a cycle and multiprocessor
} architecture;

// The architecture, or the newest older one: 103 counts as 100. Never NULL.
const architecture *hd__model_architecture(int32_t arch);

// Which multiprocessor runs block b. Blocks go to the groups of multiprocessors in turn, and within
// a group to one after another.
int32_t hd__model_multiprocessor_of(const architecture *a, int64_t block);

#endif
