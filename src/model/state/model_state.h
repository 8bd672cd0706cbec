// SPDX-License-Identifier: Apache-2.0
//
// A model machine: options, settings, device memory, modules, the last report, the last error.
#ifndef HEDDLE_MODEL_STATE_MODEL_STATE_H
#define HEDDLE_MODEL_STATE_MODEL_STATE_H

#include "heddle_model.h"
#include "model/exec/machine.h"

#define MODEL_ERROR_ROOM 16384 // a compiler's log may be long

struct hd_model {
    hd_model_options options; // with defaults filled in
    machine_settings settings;
    int32_t cluster[3]; // of the launches that follow; 0: as the kernel says
    device_memory memory;
    hd_model_module *modules;
    hd_model_report report; // of the last launch
    char compiler[16];      // a copy: the option may not last
    int32_t clang_arch;     // the newest that clang was found to know, or 0
    int32_t clang_words;    // how it is told that arguments may be undefined: compile_clang.c
    char error[MODEL_ERROR_ROOM];
    bool usable;
    bool own_texts; // what it compiles is the library's own, not somebody's file
};

// Leaves a text and returns the status.
hd_status hd__model_fail(hd_model *model, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
