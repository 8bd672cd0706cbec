// SPDX-License-Identifier: Apache-2.0
//
// A module of a model: its PTX, its programs, and the names and lines that users know.
#ifndef HEDDLE_MODEL_MODULE_MODULE_H
#define HEDDLE_MODEL_MODULE_MODULE_H

#include "heddle_model.h"
#include "model/exec/launch.h"
#include "model/ptx/ptx.h"

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

// Lays the module's variables out in device memory, with their initial values, and makes its
// functions ready. false: what and where is in m->error. It is to be freed in any case.
bool hd__model_module_load(loaded_module *m, ptx_module *text, device_memory *memory);
void hd__model_module_free(loaded_module *m);

// Where a module is from.
typedef struct module_source {
    const char *name, *text; // text: what was compiled, or NULL for PTX
    int64_t length;
    const char *const *folders; // the user's, NULL at the end; or NULL
} module_source;

// Names and lines as the user knows them (module_text.c). false: no memory.
bool hd__model_module_describe(hd_model_module *m, const module_source *from);
int32_t hd__model_module_find_kernel(const hd_model_module *m, const char *name);   // or -1
int32_t hd__model_module_find_variable(const hd_model_module *m, const char *name); // or -1
// The text of a source line, by its index into the module's sources; NULL: not known.
const char *hd__model_module_line(const hd_model_module *m, int32_t source);

// Finds the variables of a module that a source text gives initial values to: compilers leave zeros
// out. false: no memory.
bool hd__model_mark_initialised(const hd_model_module *m, const char *text);

#endif
