// SPDX-License-Identifier: Apache-2.0
//
// How often each instruction ran, by warps and by threads; branches that parted; barriers.
#include "model/sites.h"

// The machine has kept them as differences.
static void finish(void *any, const machine *m)
{
    site_table *t = any;
    int64_t warps = 0, threads = 0;
    for (int32_t k = 0; k < t->count; k++) {
        warps += m->ran[k][0], threads += m->ran[k][1];
        t->at[k].warp_instructions += warps, t->at[k].thread_instructions += threads;
    }
}

static void branch(void *any, const machine *m, const branch_event *e)
{
    hd_model_counts *c = counts_of(any, e->site);
    (void)m;
    c->branches++;
    c->divergent_branches += e->taken != 0 && e->taken != e->mask;
}

static void barrier_reached(void *any, const machine *m, const barrier_event *e)
{
    (void)m;
    counts_of(any, e->site)->barriers++;
}

const listener hd__instruction_counts = {
    .name = "instructions",
    .state_bytes = sizeof(site_table),
    .open = hd__sites_open,
    .branch = branch,
    .barrier = barrier_reached,
    .finish = finish,
    .merge = hd__sites_merge,
    .close = hd__sites_close,
};
