// SPDX-License-Identifier: Apache-2.0
//
// How often each instruction ran, by warps and by threads; divergent branches; barriers.
#include "source_sites.h"

static void count(hd_model_counts *c, const operation *o, int64_t happened)
{
    switch (o->op) {
    case PTX_OP_bra:
    case PTX_OP_brx:
        if (o->op == PTX_OP_bra && o->guard < 0) break;
        c->branches += c->warp_instructions;
        c->divergent_branches += happened;
        break;
    case PTX_OP_bar:
    case PTX_OP_barrier: c->barriers += happened; break;
    default: break;
    }
}

// The machine has kept them by itself, instructions as differences.
static void finish(void *any, const machine *m)
{
    site_table *t = any;
    int64_t warps = 0, threads = 0;
    for (int32_t k = 0; k < t->count; k++) {
        warps += m->ran[k][0], threads += m->ran[k][1];
        t->at[k].warp_instructions = warps, t->at[k].thread_instructions = threads;
    }
    for (int32_t k = 0; k < m->grid->program_count; k++) {
        const program *p = &m->grid->programs[k];
        for (int32_t i = 0; p->code != NULL && i < p->length; i++)
            count(&t->at[p->code[i].site], &p->code[i], m->happened[p->code[i].site]);
    }
}

const observer hd__model_instruction_counts = {
    .name = "instructions",
    .state_bytes = sizeof(site_table),
    .open = hd__model_sites_open,
    .finish = finish,
    .merge = hd__model_sites_merge,
    .close = hd__model_sites_close,
};
