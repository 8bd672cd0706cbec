// SPDX-License-Identifier: Apache-2.0
//
// A kernel as a PRAM sees it. Every thread is a processor; a step lasts from one barrier of the
// block to the next. Work is the instructions of all threads; time is, of the block that takes
// longest, the longest thread of each step, added up. The access rule is the weakest that held:
// words that several threads read, or write, in one step. Blocks have no steps in common, so what
// two of them touch they touch together.
#include "model/model.h"
#include "model/races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EREW, CREW, COMMON, ARBITRARY };

typedef struct toucher {
    const operation *site; // NULL: nobody
    int64_t block;
    int32_t thread, step;
} toucher;

typedef struct pram_word {
    uint64_t key; // 0: none
    toucher reader, writer;
} pram_word;

typedef struct pram_block {
    int64_t time;
    int32_t step, threads;
    int64_t *count; // instructions of each thread in this step
    struct pram_block *next, *made;
} pram_block;

typedef struct pram_state {
    finding_list list;
    int64_t work, time;
    int32_t rule, allowed;
    pram_word *words;
    int64_t room, used;
    pram_block *spare, *made;
} pram_state;

static bool open_state(void *any, const grid *g)
{
    ((pram_state *)any)->allowed = g->settings->rule;
    return true;
}

// ---- Work and time ------------------------------------------------------------------------------

static void begin_block(void *any, const machine *m)
{
    pram_state *s = any;
    pram_block *b = s->spare;
    if (b != NULL) {
        s->spare = b->next;
    } else {
        b = calloc(1, sizeof *b);
        if (b != NULL) b->threads = m->block->warps * WARP;
        if (b != NULL) b->count = calloc((size_t)b->threads, sizeof *b->count);
        if (b == NULL || b->count == NULL) {
            free(b);
            s->list.lost = true;
            m->block->pram = NULL;
            return;
        }
        b->made = s->made;
        s->made = b;
    }
    b->time = 0, b->step = 0;
    memset(b->count, 0, (size_t)b->threads * sizeof *b->count);
    m->block->pram = b;
}

static void instruction(void *any, const machine *m, const operation *o)
{
    pram_block *b = m->block->pram;
    (void)o;
    ((pram_state *)any)->work += __builtin_popcount(m->mask);
    if (b == NULL) return;
    int64_t *count = b->count + (size_t)m->warp->number * WARP;
    for (int l = 0; l < WARP; l++) count[l] += m->mask >> l & 1;
}

static void end_step(pram_block *b)
{
    int64_t longest = 0;
    for (int32_t k = 0; k < b->threads; k++) {
        if (b->count[k] > longest) longest = b->count[k];
        b->count[k] = 0;
    }
    b->time += longest;
    b->step++;
}

static void release(void *any, const machine *m, int32_t number)
{
    (void)any, (void)number;
    if (m->block->pram != NULL) end_step(m->block->pram);
}

static void end_block(void *any, const machine *m)
{
    pram_state *s = any;
    pram_block *b = m->block->pram;
    if (b == NULL) return;
    end_step(b);
    if (b->time > s->time) s->time = b->time;
    b->next = s->spare;
    s->spare = b;
    m->block->pram = NULL;
}

// ---- The rule -----------------------------------------------------------------------------------

static pram_word *slot_of(pram_word *words, int64_t room, uint64_t key)
{
    uint64_t at = key * 0x9e3779b97f4a7c15u >> 16;
    for (;; at++) {
        pram_word *w = &words[at & (uint64_t)(room - 1)];
        if (w->key == key || w->key == 0) return w;
    }
}

static pram_word *word_of(pram_state *s, uint64_t key)
{
    if (2 * (s->used + 1) > s->room) {
        const int64_t room = s->room > 0 ? 2 * s->room : 1024;
        pram_word *larger = calloc((size_t)room, sizeof *larger);
        if (larger == NULL) {
            s->list.lost = true;
            return NULL;
        }
        for (int64_t k = 0; k < s->room; k++)
            if (s->words[k].key != 0) *slot_of(larger, room, s->words[k].key) = s->words[k];
        free(s->words);
        s->words = larger, s->room = room;
    }
    pram_word *w = slot_of(s->words, s->room, key);
    if (w->key == 0) w->key = key, s->used++;
    return w;
}

static bool together(const toucher *a, const toucher *b)
{
    if (a->site == NULL || (a->block == b->block && a->thread == b->thread)) return false;
    return a->block != b->block || a->step == b->step;
}

static void keep_rule(pram_state *s, const machine *m, const access_event *e, int lane,
                      const toucher *other, int32_t rule)
{
    static const char *const names[] = {"EREW", "CREW", "common CRCW", "arbitrary CRCW"};
    if (rule > s->rule) s->rule = rule;
    if (s->allowed == 0 || rule < s->allowed) return;
    char thread[80], where[160];
    finding *f = hd__finding_add(&s->list, m, HD_HAZARD_RULE, e->site, other->site);
    if (f == NULL || f->text[0] != 0) return;
    snprintf(f->text, sizeof f->text,
             "%s %s %s in the same step as thread %d of block %lld: %s, where %s was asked for",
             hd__thread_name(m, lane, thread, sizeof thread), rule == CREW ? "reads" : "writes",
             hd__place_name(m, e->space, e->address[lane], where, sizeof where), (int)other->thread,
             (long long)other->block, names[rule], names[s->allowed - 1]);
}

static void touch(pram_state *s, const machine *m, const access_event *e, int lane, uint64_t key)
{
    const pram_block *b = m->block->pram;
    pram_word *w = word_of(s, key);
    if (w == NULL || b == NULL) return;
    const toucher me = {e->site, m->block->index, m->warp->number * WARP + lane, b->step};
    if (e->kind == ACCESS_LOAD) {
        if (together(&w->reader, &me)) keep_rule(s, m, e, lane, &w->reader, CREW);
        w->reader = me;
        return;
    }
    if (together(&w->writer, &me)) {
        const bool same = e->kind == ACCESS_STORE && hd__writes_the_same(m, e, lane);
        keep_rule(s, m, e, lane, &w->writer, same ? COMMON : ARBITRARY);
    }
    w->writer = me;
}

// Words by their address, bytes and halves by theirs: the two low bits tell them apart.
static void access(void *any, const machine *m, const access_event *e)
{
    if (e->site->space == PTX_CONST) return;
    for (uint32_t left = e->mask & ~(e->outside | e->unaligned); left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        uint64_t at = e->address[lane], of = 0;
        if (e->space == PTX_SHARED) of = ((uint64_t)shared_owner(m, &at)->index + 1) << 36;
        const uint64_t class = e->bytes < 4 ? (uint64_t)e->bytes : 0;
        for (int k = 0; k < e->bytes; k += 4)
            touch(any, m, e, lane, (of + at + (uint64_t)k) << 2 | class);
    }
}

// ---- Ending -------------------------------------------------------------------------------------

void hd__pram_report(const void *any, hd_model_report *r)
{
    const pram_state *s = any;
    r->work = s->work, r->steps = s->time, r->rule = s->rule;
}

static void merge(void *into, const void *from)
{
    pram_state *to = into;
    const pram_state *add = from;
    hd__findings_merge(&to->list, &add->list);
    to->work += add->work;
    if (add->time > to->time) to->time = add->time;
    if (add->rule > to->rule) to->rule = add->rule;
}

static void close_state(void *any)
{
    pram_state *s = any;
    for (pram_block *b = s->made, *next; b != NULL; b = next) {
        next = b->made;
        free(b->count);
        free(b);
    }
    free(s->words);
    hd__findings_free(&s->list);
}

const listener hd__pram = {
    .name = "pram",
    .state_bytes = sizeof(pram_state),
    .spaces = 1u << PTX_GLOBAL | 1u << PTX_SHARED,
    .open = open_state,
    .begin_block = begin_block,
    .end_block = end_block,
    .instruction = instruction,
    .access = access,
    .release = release,
    .merge = merge,
    .close = close_state,
};
