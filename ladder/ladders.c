// SPDX-License-Identifier: Apache-2.0
// The list of ladders, their steps by name, and the texts of their kernels.
#include "ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

extern const hd__embedded ladder_texts[];

#define LADDER(name) extern const ladder ladder_##name;
#include "ladders.def"
#undef LADDER

static const ladder *const ladders[] = {
#define LADDER(name) &ladder_##name,
#include "ladders.def"
#undef LADDER
    NULL,
};

const ladder *ladder_number(int32_t k)
{
    return ladders[k];
}

const ladder *ladder_named(const char *name)
{
    for (int k = 0; ladders[k] != NULL; k++)
        if (strcmp(ladders[k]->name, name) == 0) return ladders[k];
    return NULL;
}

int32_t ladder_step_named(const ladder *l, const char *name)
{
    char *end;
    const long number = strtol(name, &end, 10);
    if (*name != 0 && *end == 0)
        return number >= 0 && number < l->step_count ? (int32_t)number : -1;
    for (int32_t k = 0; k < l->step_count; k++)
        if (strcmp(l->steps[k].name, name) == 0) return k;
    return -1;
}

// A kernel's own file, which comes behind those that it includes.
static const char *kernel_source(const char *kernel)
{
    const hd__gpu_source *file = hd__gpu_kernel_sources(kernel);
    while (file != NULL && file[1].name != NULL) file++;
    return file != NULL ? file->text : NULL;
}

const char *ladder_source(const ladder *l, const ladder_step *r)
{
    char name[128];
    if (r->call != NULL) return kernel_source(r->file);
    snprintf(name, sizeof name, "%s/%s.cu", l->name, r->source != NULL ? r->source : r->name);
    for (const hd__embedded *e = ladder_texts; e->name != NULL; e++)
        if (strcmp(e->name, name) == 0) return e->text;
    return NULL;
}
