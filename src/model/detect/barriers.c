// SPDX-License-Identifier: Apache-2.0
//
// Barriers that not all come to, or not all together: lanes of a warp at different ones, different
// counts, threads that wait for ever; synchronisation of a warp whose lanes never come, and
// shuffles that read a lane which takes no part. Threads that have ended are not waited for (sm_70
// and later).
#include "findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct named_barrier {
    const operation *first; // that came to it, or NULL
    int32_t named;          // the count it gave
    const operation *of_warp[WARP];
    uint32_t lanes[WARP]; // that have come, by warp
} named_barrier;

typedef struct barrier_block {
    named_barrier named_barriers[BARRIERS];
    struct barrier_block *next, *made;
} barrier_block;

typedef struct barrier_state {
    finding_list list;
    barrier_block *spare, *made;
} barrier_state;

static void begin_block(void *any, const machine *m)
{
    barrier_state *s = any;
    barrier_block *b = s->spare;
    if (b != NULL) {
        s->spare = b->next;
    } else {
        b = calloc(1, sizeof *b);
        if (b == NULL) {
            s->list.lost = true;
            m->block->barrier_checks = NULL;
            return;
        }
        b->made = s->made;
        s->made = b;
    }
    for (int k = 0; k < BARRIERS; k++)
        if (b->named_barriers[k].first != NULL)
            memset(&b->named_barriers[k], 0, sizeof b->named_barriers[k]);
    m->block->barrier_checks = b;
}

static void end_block(void *any, const machine *m)
{
    barrier_state *s = any;
    barrier_block *b = m->block->barrier_checks;
    if (b == NULL) return;
    b->next = s->spare;
    s->spare = b;
    m->block->barrier_checks = NULL;
}

// ---- Texts --------------------------------------------------------------------------------------

static const char *block_name(const machine *m, char *text, size_t room)
{
    const int32_t *at = m->block->at;
    snprintf(text, room, "block (%d,%d,%d)", (int)at[0], (int)at[1], (int)at[2]);
    return text;
}

static const char *line_of(const machine *m, const operation *o, char *text, size_t room)
{
    const ptx_module *module = m->grid->program->module;
    const char *file = hd__model_ptx_source_file(module, o->text->source);
    if (file != NULL)
        snprintf(text, room, "%s:%d", file, (int)module->sources[o->text->source].line);
    else
        snprintf(text, room, "PTX line %d", (int)o->text->line);
    return text;
}

// ---- Coming -------------------------------------------------------------------------------------

// bar.sync and barrier.sync.aligned are of whole warps.
static bool is_aligned(const operation *o)
{
    return o->op == PTX_OP_bar || ptx_has(o->text, PTX_MOD_ALIGNED);
}

static void mismatch(barrier_state *s, const machine *m, const barrier_event *e,
                     const named_barrier *g, int32_t named)
{
    char block[60], line[100];
    finding *f = hd__model_finding_add(&s->list, m, HD_HAZARD_BARRIER, e->site, g->first);
    if (f == NULL || f->text[0] != 0) return;
    snprintf(f->text, sizeof f->text,
             "warp %d of %s comes to barrier %d for %d threads, where others came for %d at %s",
             (int)m->warp->number, block_name(m, block, sizeof block), (int)e->number,
             named > 0 ? (int)named : (int)m->block->threads,
             g->named > 0 ? (int)g->named : (int)m->block->threads,
             line_of(m, g->first, line, sizeof line));
}

static void divergent(barrier_state *s, const machine *m, const barrier_event *e,
                      const operation *other)
{
    char block[60], line[100];
    finding *f = hd__model_finding_add(&s->list, m, HD_HAZARD_BARRIER, e->site, other);
    if (f == NULL || f->text[0] != 0) return;
    snprintf(f->text, sizeof f->text,
             "a divergent barrier: lanes %08x of warp %d of %s are here, others of the warp at %s",
             (unsigned)e->mask, (int)m->warp->number, block_name(m, block, sizeof block),
             line_of(m, other, line, sizeof line));
}

static void barrier_reached(void *any, const machine *m, const barrier_event *e)
{
    barrier_block *b = m->block->barrier_checks;
    if (b == NULL || e->number >= BARRIERS) return;
    named_barrier *g = &b->named_barriers[e->number];
    const int32_t warp = m->warp->number;
    const int32_t named = e->site->b == UINT32_MAX
                              ? 0
                              : ((const int32_t *)SLOT(m, e->site->b))[__builtin_ctz(e->mask)];
    if (g->first == NULL) g->first = e->site, g->named = named;
    const int32_t all = m->block->threads;
    if ((named > 0 ? named : all) != (g->named > 0 ? g->named : all)) mismatch(any, m, e, g, named);
    if (g->of_warp[warp] != NULL && g->of_warp[warp] != e->site && is_aligned(e->site))
        divergent(any, m, e, g->of_warp[warp]);
    if (g->of_warp[warp] == NULL) g->of_warp[warp] = e->site;
    g->lanes[warp] |= e->mask;
}

// All go on. Lanes of a warp that came one after another to the same place have met after all.
static void release(void *any, const machine *m, int32_t number)
{
    barrier_state *s = any;
    barrier_block *b = m->block->barrier_checks;
    if (b == NULL || number >= BARRIERS) return;
    named_barrier *g = &b->named_barriers[number];
    for (int32_t k = 0; k < m->block->warps; k++) {
        const operation *o = g->of_warp[k];
        const uint32_t missing = m->block->warp[k].alive & ~g->lanes[k];
        if (o == NULL || missing == 0 || !is_aligned(o)) continue;
        char block[60];
        finding *f = hd__model_finding_add(&s->list, m, HD_HAZARD_BARRIER, o, NULL);
        if (f != NULL && f->text[0] == 0)
            snprintf(f->text, sizeof f->text,
                     "a divergent barrier: lanes %08x of warp %d of %s come to it, lanes %08x do "
                     "not",
                     (unsigned)g->lanes[k], (int)k, block_name(m, block, sizeof block),
                     (unsigned)missing);
    }
    memset(g, 0, sizeof *g);
}

// ---- Waiting for ever ---------------------------------------------------------------------------

static void stuck_at_barrier(barrier_state *s, const machine *m, const warp *w, const warp_split *f)
{
    const block *b = m->block;
    const operation *o = &f->frame->program->code[f->at];
    const barrier *bar = &b->barriers[f->waiting];
    const int32_t expected = bar->named > 0 ? bar->named : b->left;
    const uint32_t apart = w->alive & ~f->mask;
    char block[60], also[120] = "";
    finding *n = hd__model_finding_add(&s->list, m, HD_HAZARD_BARRIER, o, NULL);
    if (n == NULL || n->text[0] != 0) return;
    if (apart != 0)
        snprintf(also, sizeof also, "; lanes %08x of the same warp are elsewhere", (unsigned)apart);
    snprintf(n->text, sizeof n->text,
             "barrier %d waits for ever in %s: %d threads have come of %d, lanes %08x of warp %d "
             "among them%s",
             (int)f->waiting, block_name(m, block, sizeof block), (int)bar->arrived, (int)expected,
             (unsigned)f->mask, (int)w->number, also);
}

static void stuck_lanes(barrier_state *s, const machine *m, const warp *w, const warp_split *f)
{
    const operation *o = &f->frame->program->code[f->at];
    const uint32_t *members = (const uint32_t *)(const void *)(f->frame->registers + o->e);
    const uint32_t mask = members[__builtin_ctz(f->mask)] & w->alive;
    char block[60];
    finding *n = hd__model_finding_add(&s->list, m, HD_HAZARD_BARRIER, o, NULL);
    if (n == NULL || n->text[0] != 0) return;
    snprintf(n->text, sizeof n->text,
             "lanes %08x of warp %d of %s wait for lanes %08x, which their mask names and which "
             "never come",
             (unsigned)f->mask, (int)w->number, block_name(m, block, sizeof block),
             (unsigned)(mask & ~f->mask));
}

static void stuck(void *any, const machine *m)
{
    for (int32_t k = 0; k < m->block->warps; k++) {
        const warp *w = &m->block->warp[k];
        for (const warp_split *f = w->splits; f != NULL; f = f->next) {
            if (f->waiting == WAITS_FOR_LANES)
                stuck_lanes(any, m, w, f);
            else if (f->waiting >= 0 && f->waiting < BARRIERS)
                stuck_at_barrier(any, m, w, f);
        }
    }
}

// ---- Lanes --------------------------------------------------------------------------------------

static void inactive(void *any, const machine *m, const operation *o, uint32_t lanes)
{
    char thread[80];
    finding *f =
        hd__model_finding_add(&((barrier_state *)any)->list, m, HD_HAZARD_BARRIER, o, NULL);
    if (f == NULL || f->text[0] != 0) return;
    snprintf(f->text, sizeof f->text,
             "%s reads, by a shuffle of lanes %08x, a lane that is not among them: the value is "
             "undefined",
             hd__model_thread_name(m, __builtin_ctz(lanes), thread, sizeof thread),
             (unsigned)m->mask);
}

static void warp_sync(void *any, const machine *m, const operation *o)
{
    const uint32_t *members = SLOT(m, o->e);
    uint32_t outside = 0;
    for (uint32_t left = m->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        outside |= (uint32_t) !(members[l] >> l & 1) << l;
    }
    if (outside == 0) return;
    char thread[80];
    const int lane = __builtin_ctz(outside);
    finding *f =
        hd__model_finding_add(&((barrier_state *)any)->list, m, HD_HAZARD_BARRIER, o, NULL);
    if (f != NULL && f->text[0] == 0)
        snprintf(f->text, sizeof f->text,
                 "%s comes to a reconvergence of lanes %08x, which it is not of",
                 hd__model_thread_name(m, lane, thread, sizeof thread), (unsigned)members[lane]);
}

static void merge(void *into, const void *from)
{
    hd__model_findings_merge(into, from);
}

static void close_state(void *any)
{
    barrier_state *s = any;
    for (barrier_block *b = s->made, *next; b != NULL; b = next) {
        next = b->made;
        free(b);
    }
    s->made = s->spare = NULL;
    hd__model_findings_free(&s->list);
}

const observer hd__model_barriers = {
    .name = "barriers",
    .state_bytes = sizeof(barrier_state),
    .begin_block = begin_block,
    .end_block = end_block,
    .barrier = barrier_reached,
    .release = release,
    .warp_sync = warp_sync,
    .stuck = stuck,
    .inactive = inactive,
    .merge = merge,
    .close = close_state,
};
