// SPDX-License-Identifier: Apache-2.0
//
// A kernel as a PRAM sees it. Every thread is a processor; a step lasts from one barrier of the
// block to the next. Work is the instructions of all threads; time is, of the block that takes
// longest, the longest thread of each step, added up. The access rule is the weakest that held:
// words that several threads read, or write, in one step. Blocks have no steps in common, so what
// two of them touch they touch together.
#include "findings.h"
#include "races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EREW, CREW, COMMON, ARBITRARY, PRIORITY };

// Who touched a word last, in 64 bits; 0: nobody. Numbers wrap where a kernel has more.
// block 22 | thread 10 | step 20 | site + 1, at most MAX_SITE, 12
typedef uint64_t toucher;
#define MAX_SITE       4095
#define BLOCK_OF(t)    ((t) >> 42)
#define THREAD_OF(t)   ((t) >> 32 & 1023)
#define STEP_OF(t)     ((t) >> 12 & 0xfffff)
#define TOUCH_BLOCK(b) ((uint64_t)(b) << 42)
#define TOUCH_LANE     ((uint64_t)1 << 32)

typedef struct pram_word {
    toucher reader, writer;
} pram_word;

// Parts of words, by their addresses: few kernels have many of them.
typedef struct pram_part {
    uint64_t key; // 0: none
    pram_word word;
} pram_part;

typedef struct pram_warp {
    int64_t all; // instructions of all lanes in this step
    int64_t count[WARP];
} pram_warp;

typedef struct pram_block {
    int64_t time;
    int32_t step, warps;
    pram_warp *warp;
    pram_word *shared;
    struct pram_block *next, *made;
} pram_block;

typedef struct pram_state {
    finding_list list;
    int64_t work, time;
    int32_t rule, allowed;
    const device_memory *memory;
    pram_word **words; // of each allocation, once it was touched
    pram_part *parts;
    int64_t room, used;
    pram_block *spare, *made;
    const operation *site[MAX_SITE + 1];
} pram_state;

static bool open_state(void *any, const grid *g)
{
    pram_state *s = any;
    s->allowed = g->settings->rule;
    s->memory = g->memory;
    s->words = calloc((size_t)g->memory->count + 1, sizeof *s->words);
    return s->words != NULL;
}

// ---- Work and time ------------------------------------------------------------------------------

static pram_block *new_block(pram_state *s, const machine *m)
{
    pram_block *b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    b->warps = m->block->warps;
    b->warp = calloc((size_t)b->warps, sizeof *b->warp);
    b->shared = calloc((size_t)m->block->shared_bytes / 4 + 1, sizeof *b->shared);
    if (b->warp == NULL || b->shared == NULL) {
        free(b->warp);
        free(b->shared);
        free(b);
        return NULL;
    }
    b->made = s->made;
    return s->made = b;
}

static void begin_block(void *any, const machine *m)
{
    pram_state *s = any;
    pram_block *b = s->spare;
    if (b != NULL) {
        s->spare = b->next;
        memset(b->shared, 0, ((size_t)m->block->shared_bytes / 4 + 1) * sizeof *b->shared);
    } else if ((b = new_block(s, m)) == NULL) {
        s->list.lost = true;
        m->block->pram = NULL;
        return;
    }
    b->time = 0, b->step = 0;
    memset(b->warp, 0, (size_t)b->warps * sizeof *b->warp);
    m->block->pram = b;
}

static void instruction(void *any, const machine *m, const operation *o)
{
    pram_block *b = m->block->pram;
    (void)o;
    ((pram_state *)any)->work += __builtin_popcount(m->mask);
    if (b == NULL) return;
    pram_warp *w = &b->warp[m->warp->number];
    if (m->mask == UINT32_MAX)
        w->all++;
    else
        for (int l = 0; l < WARP; l++) w->count[l] += m->mask >> l & 1;
}

static void end_step(pram_block *b)
{
    int64_t longest = 0;
    for (int32_t k = 0; k < b->warps; k++) {
        const pram_warp *w = &b->warp[k];
        for (int l = 0; l < WARP; l++)
            if (w->all + w->count[l] > longest) longest = w->all + w->count[l];
    }
    memset(b->warp, 0, (size_t)b->warps * sizeof *b->warp);
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

// ---- Where it is kept ---------------------------------------------------------------------------

static pram_part *slot_of(pram_part *parts, int64_t room, uint64_t key)
{
    uint64_t at = key * 0x9e3779b97f4a7c15u >> 16;
    for (;; at++) {
        pram_part *p = &parts[at & (uint64_t)(room - 1)];
        if (p->key == key || p->key == 0) return p;
    }
}

static pram_word *part_of(pram_state *s, uint64_t key)
{
    if (2 * (s->used + 1) > s->room) {
        const int64_t room = s->room > 0 ? 2 * s->room : 1024;
        pram_part *larger = calloc((size_t)room, sizeof *larger);
        if (larger == NULL) {
            s->list.lost = true;
            return NULL;
        }
        for (int64_t k = 0; k < s->room; k++)
            if (s->parts[k].key != 0) *slot_of(larger, room, s->parts[k].key) = s->parts[k];
        free(s->parts);
        s->parts = larger, s->room = room;
    }
    pram_part *p = slot_of(s->parts, s->room, key);
    if (p->key == 0) p->key = key, s->used++;
    return &p->word;
}

// The words from an address of global memory on.
static pram_word *words_at(pram_state *s, uint64_t address)
{
    const device_memory *m = s->memory;
    int32_t low = 0, high = m->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (m->all[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    const allocation *a = m->all[low - 1];
    pram_word **words = &s->words[low - 1];
    if (*words == NULL) *words = calloc((size_t)a->bytes / 4 + 1, sizeof **words);
    if (*words == NULL) s->list.lost = true;
    return *words != NULL ? *words + (address - a->address) / 4 : NULL;
}

// A part of a word has a key by its address and its length.
static pram_word *place(pram_state *s, const machine *m, const access_event *e, int lane)
{
    uint64_t at = e->address[lane];
    const block *b = e->space == PTX_SHARED ? shared_owner(m, &at) : NULL;
    if (e->bytes < 4)
        return part_of(s, ((b != NULL ? ((uint64_t)b->index + 1) << 36 : 0) + at) << 2 |
                              (uint64_t)e->bytes);
    if (b == NULL) return words_at(s, at);
    return b->pram != NULL ? ((pram_block *)b->pram)->shared + at / 4 : NULL;
}

// ---- The rule -----------------------------------------------------------------------------------

static bool together(toucher a, toucher me)
{
    const toucher x = a ^ me;
    if (a == 0) return false;
    return BLOCK_OF(x) != 0 || (THREAD_OF(x) != 0 && STEP_OF(x) == 0);
}

static void keep_rule(pram_state *s, const machine *m, const access_event *e, int lane, toucher by,
                      int32_t rule)
{
    static const char *const names[] = {"EREW", "CREW", "common CRCW", "arbitrary CRCW",
                                        "priority CRCW"};
    if (rule > s->rule) s->rule = rule;
    if (s->allowed == 0 || rule < s->allowed) return;
    char thread[80], where[160];
    finding *f =
        hd__model_finding_add(&s->list, m, HD_HAZARD_RULE, e->site, s->site[by & MAX_SITE]);
    if (f == NULL || f->text[0] != 0) return;
    snprintf(f->text, sizeof f->text,
             "%s %s %s in the same step as thread %d of block %lld: %s, where %s was asked for",
             hd__model_thread_name(m, lane, thread, sizeof thread),
             rule == CREW ? "reads" : "writes",
             hd__model_place_name(m, e->space, e->address[lane], where, sizeof where),
             (int)THREAD_OF(by), (long long)BLOCK_OF(by), names[rule], names[s->allowed - 1]);
}

// Of several that write: the same value; by an atomic of which the least or the greatest stays,
// whoever is first; or else any of them.
static int32_t rule_of(const machine *m, const access_event *e, int lane)
{
    if (e->kind == ACCESS_STORE)
        return hd__model_writes_the_same(m, e, lane, (access_part){0, e->bytes}) ? COMMON
                                                                                 : ARBITRARY;
    const bool least = ptx_has(e->site->text, PTX_MOD_MIN) || ptx_has(e->site->text, PTX_MOD_MAX);
    return least ? PRIORITY : ARBITRARY;
}

// Whether it is still worth knowing that a rule was needed.
static bool reports(const pram_state *s, int32_t rule)
{
    return s->rule < rule || (s->allowed > 0 && rule >= s->allowed);
}

static void touch(pram_state *s, const machine *m, const access_event *e, int lane, toucher me,
                  pram_word *w)
{
    if (e->kind == ACCESS_LOAD) {
        if (together(w->reader, me) && reports(s, CREW)) keep_rule(s, m, e, lane, w->reader, CREW);
        w->reader = me;
        return;
    }
    if (together(w->writer, me) && reports(s, PRIORITY))
        keep_rule(s, m, e, lane, w->writer, rule_of(m, e, lane));
    w->writer = me;
}

static void access(void *any, const machine *m, const access_event *e)
{
    pram_state *s = any;
    const pram_block *b = m->block->pram;
    if (e->site->space == PTX_CONST || b == NULL) return;
    const int32_t site = e->site->site < MAX_SITE - 1 ? e->site->site + 1 : MAX_SITE;
    const toucher head = TOUCH_BLOCK(m->block->index) |
                         (uint64_t)(m->warp->number * WARP) * TOUCH_LANE |
                         ((uint64_t)b->step & 0xfffff) << 12 | (uint64_t)site;
    const int words = e->bytes < 4 ? 1 : e->bytes / 4;
    const bool row = e->shape == SHAPE_ROW && e->bytes >= 4;
    pram_word *w = NULL;
    s->site[site] = e->site;
    for (uint32_t left = e->mask & ~(e->outside | e->unaligned); left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        w = row && w != NULL ? w + words : place(s, m, e, lane);
        if (w == NULL) return;
        for (int k = 0; k < words; k++)
            touch(s, m, e, lane, head + (uint64_t)lane * TOUCH_LANE, w + k);
    }
}

// ---- Ending -------------------------------------------------------------------------------------

void hd__model_pram_report(const void *any, hd_model_report *r)
{
    const pram_state *s = any;
    r->work = s->work, r->steps = s->time, r->rule = s->rule;
}

static void merge(void *into, const void *from)
{
    pram_state *to = into;
    const pram_state *add = from;
    hd__model_findings_merge(&to->list, &add->list);
    to->work += add->work;
    if (add->time > to->time) to->time = add->time;
    if (add->rule > to->rule) to->rule = add->rule;
}

static void close_state(void *any)
{
    pram_state *s = any;
    for (pram_block *b = s->made, *next; b != NULL; b = next) {
        next = b->made;
        free(b->warp);
        free(b->shared);
        free(b);
    }
    for (int32_t k = 0; s->words != NULL && k < s->memory->count; k++) free(s->words[k]);
    free(s->words);
    free(s->parts);
    hd__model_findings_free(&s->list);
}

const observer hd__model_pram = {
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
