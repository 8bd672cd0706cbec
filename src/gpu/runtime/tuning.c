// SPDX-License-Identifier: Apache-2.0
// The numbers of tuning.def, and what HEDDLE_TUNE makes of them.
#include "gpu/gpu.h"

// A row is a power of two unless its own value or its least is none.
#define IS_POWER(value) (((value) & ((value)-1)) == 0)

static const hd__tunable rows[] = {
#define TUNE(name, value, least, most)                                                             \
    {#name, value, least, most, (least) == 0 || !IS_POWER(value)},
#include "gpu/tuning.def"
#undef TUNE
};

enum { ROWS = sizeof rows / sizeof *rows };

const hd__tuning_table hd__gpu_tuning_table = {rows, ROWS};

hd__gpu_tuning hd__gpu_tuning_here(void)
{
    int64_t values[ROWS];
    int32_t k = 0;
    hd__gpu_tuning t;
    hd__tuning_read(&hd__gpu_tuning_table, values);
#define TUNE(name, value, least, most) t.name = (int32_t)values[k++];
#include "gpu/tuning.def"
#undef TUNE
    return t;
}

int32_t hd__gpu_rows_for(const struct hd__gpu *gpu, int64_t bytes, size_t row, int32_t least,
                         int32_t most)
{
    const char *why;
    const int64_t busy = 2 * (int64_t)gpu->driver->properties(gpu->device)->multiprocessors;
    int32_t rows = least < most ? least : most;
    if (!gpu->driver->compiles(gpu->device, &why)) return most;
    while (rows < most && bytes / (int64_t)((size_t)rows * row) > busy) rows *= 2;
    return rows;
}
