// SPDX-License-Identifier: Apache-2.0
// The tuning values of the cpu backend, one member a row of src/cpu/tuning.def. They are read once
// a process, by the first hd_open, and never change afterwards. A hot loop copies its value to a
// local.
#ifndef HEDDLE_CPU_RUNTIME_TUNING_H
#define HEDDLE_CPU_RUNTIME_TUNING_H

#include "core/system/tuning.h"

typedef struct hd__cpu_tuning {
#define TUNE(name, value, min, max, multiple) int64_t name;
#include "cpu/tuning.def"
#undef TUNE
} hd__cpu_tuning;

extern hd__cpu_tuning hd__cpu_tune;
extern const hd__tuning_table hd__cpu_tuning_table;

// Reads HEDDLE_TUNE, the first time it is called.
void hd__cpu_tune_once(void);

#endif
