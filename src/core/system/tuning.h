// SPDX-License-Identifier: Apache-2.0
// Tuning values and the variable HEDDLE_TUNE, which sets them for experiments and tests. A tuning
// value decides how fast a backend is, never what it gives. Each backend has a table of its own
// (src/cpu/tuning.def, src/gpu/tuning.def); the parser is the same for all.
#ifndef HEDDLE_CORE_SYSTEM_TUNING_H
#define HEDDLE_CORE_SYSTEM_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hd__tunable {
    const char *name;
    int64_t value, min, max;
    int64_t multiple; // a value is a multiple of this; 0: a power of two
} hd__tunable;

typedef struct hd__tuning_table {
    const hd__tunable *row;
    int32_t count;
} hd__tuning_table;

// values[k] becomes what HEDDLE_TUNE sets row k to, else the row's own value. Settings that the
// table does not allow are passed over: hd__tuning_check reports them.
void hd__tuning_read(const hd__tuning_table *table, int64_t *values);

// Whether each setting of HEDDLE_TUNE ("name=number", separated by commas or spaces) is a row of
// one of the tables and within its range. False: `why` says what is wrong with the first that is
// not.
bool hd__tuning_check(const hd__tuning_table *const *tables, int32_t count, char *why, size_t size);

#endif
