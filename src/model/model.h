// SPDX-License-Identifier: Apache-2.0
//
// The machine behind heddle_model.h: what its files share.
#ifndef HD_MODEL_MODEL_H
#define HD_MODEL_MODEL_H

#include "heddle_model.h"
#include "model/findings.h"
#include "model/launch.h"
#include "model/sites.h"

struct hd_model_module {
    hd_model *model;
    char *ptx;
    ptx_module text;
    loaded_module loaded;
    struct hd_model_module *next;
};

#define MODEL_ERROR_ROOM 16384 // a compiler's log may be long

struct hd_model {
    hd_model_options options; // with defaults filled in
    machine_settings settings;
    int32_t cluster[3]; // of the launches that follow; 0: as the kernel says
    device_memory memory;
    hd_model_module *modules;
    hd_model_report report; // of the last launch
    char error[MODEL_ERROR_ROOM];
    bool usable;
};

// Leaves a text and returns the status.
hd_status hd__model_fail(hd_model *model, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Compiles CUDA C to PTX (compile.c); *ptx is the caller's to free.
hd_status hd__model_compile(hd_model *model, const char *text, int64_t length,
                            const hd_model_load_options *options, char **ptx);

// Makes the report of a launch out of its listeners' states, and gives the last one back.
typedef struct launch_states {
    const listener *const *listeners;
    void *const *states;
    const loaded_module *module;
    const launch *launch;
    double seconds;
} launch_states;
// The host reads bytes of an allocation, from its byte `at` on (leaks.c).
void hd__host_reads(allocation *a, uint64_t at, int64_t bytes);

hd_status hd__report_make(hd_model *model, const launch_states *s, const char *kernel);
void hd__report_free(hd_model_report *report);

// The file of a source line of the module, or NULL.
const char *hd__source_file(const ptx_module *m, int32_t source);

// Parts of the report that have files of their own; false: no memory.
bool hd__report_samples(hd_model_report *report, const launch_states *s);
bool hd__report_trace(hd_model_report *report, const launch_states *s);
extern const listener hd__samples; // samples.c: the worst request of each instruction
extern const listener hd__trace;   // trace.c: every access, in order

#endif
