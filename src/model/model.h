// SPDX-License-Identifier: Apache-2.0
//
// The machine behind heddle_model.h: what its files share.
#ifndef HEDDLE_MODEL_MODEL_H
#define HEDDLE_MODEL_MODEL_H

#include "heddle_model.h"
#include "model/detect/findings.h"
#include "model/exec/launch.h"
#include "model/decode/source_sites.h"

// The lines of a source file, without the blanks around them; none where it is not there.
typedef struct source_lines {
    const char **line;
    int32_t count;
} source_lines;

struct hd_model_module {
    hd_model *model;
    char *ptx;
    ptx_module text;
    loaded_module loaded;
    int32_t *registers;     // of each function, by ptxas; 0: unknown. NULL: it was not asked
    const char **names;     // of functions, as they were written
    const char **variables; // names of those that users know, NULL at the end
    source_lines *lines;    // by the number of the file
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
    char compiler[16];      // a copy: the option may not last
    int32_t clang_arch;     // the newest that clang was found to know, or 0
    int32_t clang_words;    // how it is told that arguments may be undefined: compile_clang.c
    char error[MODEL_ERROR_ROOM];
    bool usable;
    bool own_texts; // what it compiles is the library's own, not somebody's file
};

// What it compiles from here on is the library's own: NVRTC need not run apart.
void hd__model_own_texts(hd_model *model);

// Leaves a text and returns the status.
hd_status hd__model_fail(hd_model *model, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Compiles CUDA C to PTX (compile.c); *ptx is the caller's to free.
hd_status hd__model_compile(hd_model *model, const char *text, int64_t length,
                            const hd_model_load_options *options, char **ptx);

// Where a module is from.
typedef struct module_source {
    const char *name, *text; // text: what was compiled, or NULL for PTX
    int64_t length;
    const char *const *folders; // the user's, NULL at the end; or NULL
} module_source;

// Names and lines as the user knows them (module_text.c). false: no memory.
bool hd__module_describe(hd_model_module *m, const module_source *from);
int32_t hd__module_find_kernel(const hd_model_module *m, const char *name);   // or -1
int32_t hd__module_find_variable(const hd_model_module *m, const char *name); // or -1
// The text of a source line, by its index into the module's sources; NULL: not known.
const char *hd__module_line(const hd_model_module *m, int32_t source);

// Makes the report of a launch out of its listeners' states, and gives the last one back.
typedef struct launch_states {
    const listener *const *listeners;
    void *const *states;
    const loaded_module *module;
    const launch *launch;
    double seconds;
    const hd_model_module *owner;
} launch_states;
// Work, time and rule out of hd__pram's state.
void hd__pram_report(const void *state, hd_model_report *r);

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
