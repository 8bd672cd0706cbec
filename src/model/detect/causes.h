// SPDX-License-Identifier: Apache-2.0
//
// Findings in the order of cause and effect, as a report lists them.
#ifndef HEDDLE_MODEL_DETECT_CAUSES_H
#define HEDDLE_MODEL_DETECT_CAUSES_H

#include "findings.h"
#include "model/exec/loaded_module.h"

// Findings of one hazard at one line, or at one pair of lines: the first of them stands for all.
typedef struct folded_finding {
    const finding *first;
    int64_t times;
    int32_t follows;     // its cause, by its place in the list, or -1
    const char *because; // how it follows, or NULL
} folded_finding;

// Folds `count` findings into `to`, which has room for as many, and sorts: causes in the order they
// came up, each followed by what follows from it. Returns how many are left, or -1: no memory.
int32_t hd__model_findings_order(const loaded_module *module, const finding *const *all,
                                 int32_t count, folded_finding *to);

#endif
