// SPDX-License-Identifier: Apache-2.0
//
// How many instructions of the hardware an instruction of PTX becomes, and how long they keep a
// scheduler busy: estimates by rules, for what ptxas usually does.
#ifndef HEDDLE_MODEL_COUNTERS_MACHINE_CODE_H
#define HEDDLE_MODEL_COUNTERS_MACHINE_CODE_H

#include "model/exec/architecture.h"
#include "model/ptx/ptx.h"

typedef struct code_cost {
    float instructions; // of the hardware
    float cycles;       // of a warp on one of the four schedulers
} code_cost;

// Costs of each instruction of a function, in an array of its length + 1 (the last: its end).
// false: no memory.
bool hd__model_code_costs(const ptx_function *f, const architecture *a, code_cost *costs);

#endif
