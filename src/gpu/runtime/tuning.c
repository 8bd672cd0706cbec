// SPDX-License-Identifier: Apache-2.0
// The numbers of tuning.def, and what HEDDLE_TUNE makes of them.
#include "gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const char *name;
    size_t place;
    int32_t least, most, usual;
} entry;

static const entry table[] = {
#define TUNE(name, value, least, most) {#name, offsetof(hd__tuning, name), least, most, value},
#include "tuning.def"
#undef TUNE
};

// name=number at *at; goes on to the next word.
static void take(const char **at, hd__tuning *t)
{
    const size_t length = strcspn(*at, "= "), rest = strcspn(*at, " ");
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strlen(table[k].name) != length || strncmp(table[k].name, *at, length) != 0) continue;
        const long value = (*at)[length] == '=' ? strtol(*at + length + 1, NULL, 10) : 0;
        const bool any = table[k].least == 0 || (table[k].usual & (table[k].usual - 1)) != 0;
        const bool fits = value >= table[k].least && value <= table[k].most &&
                          (any || (value & (value - 1)) == 0);
        if (fits) *(int32_t *)((char *)t + table[k].place) = (int32_t)value;
    }
    *at += rest;
    while (**at == ' ') ++*at;
}

hd__tuning hd__tuning_here(void)
{
    hd__tuning t = {
#define TUNE(name, value, least, most) .name = value,
#include "tuning.def"
#undef TUNE
    };
    const char *wish = getenv("HEDDLE_TUNE");
    while (wish != NULL && *wish != 0) take(&wish, &t);
    return t;
}

int32_t hd__rows_for(const struct hd__gpu *gpu, int64_t bytes, size_t row, int32_t least,
                     int32_t most)
{
    const char *why;
    const int64_t busy = 2 * (int64_t)gpu->maker->properties(gpu->device)->multiprocessors;
    int32_t rows = least < most ? least : most;
    if (!gpu->maker->compiles(gpu->device, &why)) return most;
    while (rows < most && bytes / (int64_t)((size_t)rows * row) > busy) rows *= 2;
    return rows;
}
