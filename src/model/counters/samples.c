// SPDX-License-Identifier: Apache-2.0
//
// Keeps, for each instruction, the request to memory that took the most beyond what its bytes need,
// with the addresses of its lanes: what a picture of the access is drawn from.
#include "source_sites.h"

#include <stdlib.h>
#include <string.h>

typedef struct site_sample {
    hd_model_sample what;
    const operation *site; // NULL: none yet
    int64_t block;
    int64_t excess;
} site_sample;

typedef struct sample_table {
    site_sample *at; // by operation.site
    int32_t count;
} sample_table;

static bool open_table(void *any, const grid *g)
{
    sample_table *t = any;
    t->at = calloc((size_t)g->sites + 1, sizeof *t->at);
    if (t->at != NULL) t->count = g->sites;
    return t->at != NULL;
}

static void close_table(void *any)
{
    free(((sample_table *)any)->at);
}

// Whether the new one is worse. Of equals that of the earlier block and warp stays, so that neither
// the number of host threads nor the order of warps matters.
static bool is_worse(const site_sample *new, const site_sample *old)
{
    if (old->site == NULL) return true;
    if (new->excess != old->excess) return new->excess > old->excess;
    const int64_t a = new->what.sectors + new->what.wavefronts;
    const int64_t b = old->what.sectors + old->what.wavefronts;
    if (a != b) return a > b;
    if (new->block != old->block) return new->block < old->block;
    return new->what.warp < old->what.warp;
}

static void access(void *any, const machine *m, const access_event *e)
{
    hd_model_counts c = {0};
    if (e->space == PTX_SHARED)
        hd__model_count_shared(&c, e, m->grid->settings);
    else if (e->space == PTX_GLOBAL && e->site->space != PTX_CONST)
        hd__model_count_global(&c, e, m->grid->settings);
    else
        return;
    site_sample s = {.what = {.access = (hd_model_access)e->kind,
                              .shared = e->space == PTX_SHARED,
                              .bytes = e->bytes,
                              .mask = e->mask,
                              .warp = m->warp->number,
                              .sectors = c.sectors,
                              .ideal_sectors = c.ideal_sectors,
                              .lines = c.lines,
                              .wavefronts = c.wavefronts,
                              .conflicts = c.conflicts},
                     .site = e->site,
                     .block = m->block->index,
                     .excess = c.sectors - c.ideal_sectors + c.conflicts};
    site_sample *kept = &((sample_table *)any)->at[e->site->site];
    if (!is_worse(&s, kept)) return;
    memcpy(s.what.block, m->block->at, sizeof s.what.block);
    for (int l = 0; l < WARP; l++) s.what.address[l] = e->mask >> l & 1 ? e->address[l] : 0;
    *kept = s;
}

static void merge(void *into, const void *from)
{
    sample_table *to = into;
    const sample_table *add = from;
    for (int32_t k = 0; k < to->count; k++)
        if (add->at[k].site != NULL && is_worse(&add->at[k], &to->at[k])) to->at[k] = add->at[k];
}

const observer hd__model_samples = {
    .name = "samples",
    .state_bytes = sizeof(sample_table),
    .open = open_table,
    .access = access,
    .merge = merge,
    .close = close_table,
};

// ---- In the report ------------------------------------------------------------------------------

static int64_t excess_of(const hd_model_sample *s)
{
    return s->sectors - s->ideal_sectors + s->conflicts;
}

static int compare_samples(const void *a, const void *b)
{
    const hd_model_sample *x = a, *y = b;
    if (excess_of(x) != excess_of(y)) return excess_of(x) > excess_of(y) ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->ptx_line < y->ptx_line ? -1 : x->ptx_line > y->ptx_line;
}

static const sample_table *table_of(const launch_states *s)
{
    for (int k = 0; s->observers[k] != NULL; k++)
        if (s->observers[k] == &hd__model_samples) return s->states[k];
    return NULL;
}

bool hd__model_report_samples(hd_model_report *r, const launch_states *s)
{
    const sample_table *t = table_of(s);
    const ptx_module *m = s->module->text;
    if (t == NULL) return true;
    hd_model_sample *all = calloc((size_t)t->count + 1, sizeof *all);
    if (all == NULL) return false;
    int32_t count = 0;
    for (int32_t k = 0; k < t->count; k++) {
        const site_sample *from = &t->at[k];
        if (from->site == NULL) continue;
        const int32_t source = from->site->text->source;
        all[count] = from->what;
        all[count].file = hd__model_ptx_source_file(m, source);
        all[count].line = source >= 0 ? m->sources[source].line : 0;
        all[count++].ptx_line = from->site->text->line;
    }
    qsort(all, (size_t)count, sizeof *all, compare_samples);
    r->samples = all, r->sample_count = count;
    return true;
}
