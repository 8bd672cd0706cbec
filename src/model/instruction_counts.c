// SPDX-License-Identifier: Apache-2.0
//
// How often each instruction ran, by warps and by threads; branches that parted; barriers.
#include "model/sites.h"

static void instruction(void *any, const machine *m, const operation *o)
{
    hd_model_counts *c = counts_of(any, o);
    c->warp_instructions++;
    c->thread_instructions += __builtin_popcount(m->mask);
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
    .instruction = instruction,
    .branch = branch,
    .barrier = barrier_reached,
    .merge = hd__sites_merge,
    .close = hd__sites_close,
};
