// SPDX-License-Identifier: Apache-2.0
//
// Registers a thread of a kernel needs: what ptxas says where it is here, else an estimate.
#ifndef HEDDLE_MODEL_COUNTERS_REGISTERS_H
#define HEDDLE_MODEL_COUNTERS_REGISTERS_H

#include "core/system/cache_folder.h"
#include "model/sandbox/child.h"
#include "model/ptx/ptx.h"

// An estimate out of the PTX alone: the most that hold values at once. 0: no memory for it.
int32_t hd__model_registers_estimate(const ptx_function *f);

// ptxas, begun now and asked later: it runs beside the launch.
typedef struct ptxas_run {
    child child;
    int in, out; // the PTX; what it prints
    hd__digest digest;
} ptxas_run;

// Begins to assemble a module's PTX for an architecture. false: there is no ptxas, or HEDDLE_PTXAS
// is "none"; else HEDDLE_PTXAS may name the program.
bool hd__model_ptxas_begin(ptxas_run *run, const char *ptx, int32_t arch);

// Waits for it, a few seconds at most, and takes the registers of each function, by its number in
// the module, into `of`; functions that it did not name stay as they are.
void hd__model_ptxas_end(ptxas_run *run, const ptx_module *m, int32_t *of);

#endif
