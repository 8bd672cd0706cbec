// SPDX-License-Identifier: Apache-2.0
//
// Warnings of a launch: what is no hazard by itself, but makes the verdict worth less. Each kind
// has an observer of its own.
#ifndef HEDDLE_MODEL_DETECT_WARNINGS_H
#define HEDDLE_MODEL_DETECT_WARNINGS_H

#include "heddle_model.h"
#include "model/exec/observer.h"

typedef struct warning {
    hd_model_warning_kind kind;
    const operation *site, *other; // other: NULL, or the second place
    const allocation *of;          // the variable, or NULL
    int64_t times;
    int64_t block; // of the first one: decides between threads of the host
    char text[600];
} warning;

typedef struct warning_list {
    warning *at;
    int32_t count, room;
} warning_list;

// The warning of a site or of a variable, new or known; NULL: no room. A new one has no text yet.
warning *hd__model_warning_add(warning_list *list, hd_model_warning_kind kind,
                               const operation *site, const allocation *of);
void hd__model_warnings_merge(warning_list *into, const warning_list *from);
void hd__model_warnings_free(warning_list *list);

// Observers whose state begins with a warning_list.
extern const observer hd__model_early_exits;     // lanes that ended before a barrier of their warp
extern const observer hd__model_unset_variables; // variables of a module that nobody set

// Whether a machine has variables that nobody has set yet.
bool hd__model_has_unset(const device_memory *memory);
// After a launch: variables it stored to count as set from now on; they are no warnings of this
// one.
void hd__model_unset_finish(void *state);

#endif
