// SPDX-License-Identifier: Apache-2.0
// The tuning values of the cpu backend: src/cpu/tuning.def, and what HEDDLE_TUNE makes of it.
#include "tuning.h"

#include <pthread.h>

// A setting is called cpu.NAME: the tables of other backends may have the same names.
static const hd__tunable rows[] = {
#define TUNE(name, value, min, max, multiple) {"cpu." #name, value, min, max, multiple},
#include "cpu/tuning.def"
#undef TUNE
};

enum { ROWS = sizeof rows / sizeof *rows };

const hd__tuning_table hd__cpu_tuning_table = {rows, ROWS};

hd__cpu_tuning hd__cpu_tune = {
#define TUNE(name, value, min, max, multiple) .name = value,
#include "cpu/tuning.def"
#undef TUNE
};

static void read_settings(void)
{
    int64_t values[ROWS];
    int32_t k = 0;
    hd__tuning_read(&hd__cpu_tuning_table, values);
#define TUNE(name, value, min, max, multiple) hd__cpu_tune.name = values[k++];
#include "cpu/tuning.def"
#undef TUNE
}

void hd__cpu_tune_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, read_settings);
}
