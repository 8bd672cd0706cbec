// SPDX-License-Identifier: Apache-2.0
//
// A module made ready to run: its programs, and where its variables lie.
#ifndef HEDDLE_MODEL_EXEC_LOADED_MODULE_H
#define HEDDLE_MODEL_EXEC_LOADED_MODULE_H

#include "machine.h"

#define DEEPEST_CALL 256 // calls in each other

typedef struct loaded_module {
    const ptx_module *text;
    program *programs; // one for each function of the text
    device_memory *memory;
    int64_t shared_bytes; // where dynamic shared memory begins
    int64_t shared_front; // where a kernel's own shared variables begin
    int32_t sites;        // operations so far
    bool reserved;        // a function asks for the shared memory that the system keeps
    char error[512];
} loaded_module;

#endif
