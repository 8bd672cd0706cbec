// SPDX-License-Identifier: Apache-2.0
//
// Counts by source site.
#include "source_sites.h"

#include <stdlib.h>

bool hd__model_sites_open(void *any, const grid *g)
{
    site_table *t = any;
    t->count = g->sites;
    t->at = calloc((size_t)g->sites + 1, sizeof *t->at);
    return t->at != NULL;
}

void hd__model_counts_add(hd_model_counts *into, const hd_model_counts *from)
{
    // Every member is an int64_t.
    int64_t *to = (int64_t *)(void *)into;
    const int64_t *add = (const int64_t *)(const void *)from;
    for (size_t k = 0; k < sizeof *into / sizeof *to; k++) to[k] += add[k];
}

void hd__model_sites_merge(void *into, const void *from)
{
    site_table *to = into;
    const site_table *add = from;
    for (int32_t k = 0; k < to->count; k++) hd__model_counts_add(&to->at[k], &add->at[k]);
}

void hd__model_sites_close(void *any)
{
    site_table *t = any;
    free(t->at);
    t->at = NULL;
}
