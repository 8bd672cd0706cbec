// SPDX-License-Identifier: Apache-2.0
//
// Findings of races in words: who did what where, and who else did.
#include "findings.h"
#include "races.h"

#include <stdio.h>
#include <string.h>

// A lane's name in front, "one of the threads" where a cell stands for several.
static void other_thread(const machine *m, uint64_t cell, char *text, size_t room)
{
    const grid *g = m->grid;
    const int64_t k = (int64_t)(cell >> CELL_BLOCK_AT) & (CLOCK_BLOCKS - 1);
    const int64_t b = k == m->block->index % CLOCK_BLOCKS ? m->block->index : k;
    const int thread = (int)(cell & (CELL_WARP | CELL_LANE));
    const char *more = cell & CELL_SEVERAL_WARPS   ? "threads of several warps"
                       : cell & CELL_SEVERAL_LANES ? "threads of its warp"
                                                   : NULL;
    char where[60];
    snprintf(where, sizeof where, "block (%lld,%lld,%lld)", (long long)(b % g->size[0]),
             (long long)(b / g->size[0] % g->size[1]), (long long)(b / g->size[0] / g->size[1]));
    if (more != NULL)
        snprintf(text, room, "thread %d and other %s of %s", thread, more, where);
    else
        snprintf(text, room, "thread %d of %s", thread, where);
}

static const char *verb(access_kind kind, bool past)
{
    switch (kind) {
    case ACCESS_LOAD: return past ? "read" : "reads";
    case ACCESS_STORE: return past ? "wrote" : "writes";
    default: return past ? "updated" : "updates";
    }
}

static access_kind kind_of(const operation *o, const access_event *e)
{
    switch (o->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu: return ACCESS_LOAD;
    case PTX_OP_atom:
    case PTX_OP_red: return ACCESS_ATOMIC;
    case PTX_OP_mbarrier: return starts_mbarrier(o) ? ACCESS_STORE : ACCESS_ATOMIC;
    case PTX_OP_st: return ACCESS_STORE;
    default: return e->kind == ACCESS_LOAD ? ACCESS_STORE : ACCESS_LOAD;
    }
}

static void line_of(const machine *m, const operation *o, char *text, size_t room)
{
    const ptx_module *module = m->grid->program->module;
    const char *file = hd__model_ptx_source_file(module, o->text->source);
    if (file != NULL)
        snprintf(text, room, "%s:%d", file, (int)module->sources[o->text->source].line);
    else
        snprintf(text, room, "PTX line %d", (int)o->text->line);
}

void hd__model_race_report(race_state *s, const machine *m, const access_event *e, int lane,
                           uint64_t cell)
{
    const operation *o = atomic_load(&s->shadow->site[cell >> CELL_SITE_AT & (MAX_SITES - 1)]);
    finding *f = hd__model_finding_add(&s->list, m, HD_HAZARD_RACE, e->site, o);
    char thread[80], where[160], other[140], line[100];
    if (f == NULL || f->text[0] != 0) return;
    f->object = hd__model_object_at(m, e->space, e->address[lane]);
    hd__model_thread_name(m, lane, thread, sizeof thread);
    hd__model_place_name(m, e->space, e->address[lane], where, sizeof where);
    other_thread(m, cell, other, sizeof other);
    line_of(m, o, line, sizeof line);
    snprintf(f->text, sizeof f->text,
             "%s %s %d bytes at %s, which %s %s at %s: nothing orders them", thread,
             verb(e->kind, false), (int)e->bytes, where, other, verb(kind_of(o, e), true), line);
}
