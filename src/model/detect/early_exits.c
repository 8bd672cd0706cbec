// SPDX-License-Identifier: Apache-2.0
//
// Barriers that part of a warp never comes to, because it has left the kernel: "if (i >= n)
// return;" before __syncthreads(). Threads that have ended are not waited for on sm_70 and later,
// so this is no hazard; the manual asks for a barrier that all threads of the block reach. Whole
// warps that have left are not reported: barriers count warps, and every generation lets those go.
#include "findings.h"
#include "warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct exit_block {
    struct {
        const operation *diverged[WARP]; // by lane: the last divergent branch it took
        const operation *at[BARRIERS];   // where the warp waits
    } warp[WARP];
    struct exit_block *next, *made;
} exit_block;

typedef struct exit_state {
    warning_list list;
    exit_block *spare, *made;
} exit_state;

static void begin_block(void *any, const machine *m)
{
    exit_state *s = any;
    exit_block *b = s->spare;
    if (b != NULL) {
        s->spare = b->next;
        memset(b->warp, 0, (size_t)m->block->warps * sizeof *b->warp);
    } else {
        b = calloc(1, sizeof *b); // NULL: nothing is reported of this block
        if (b != NULL) b->made = s->made, s->made = b;
    }
    m->block->exits = b;
}

static void end_block(void *any, const machine *m)
{
    exit_state *s = any;
    exit_block *b = m->block->exits;
    if (b == NULL) return;
    b->next = s->spare;
    s->spare = b;
    m->block->exits = NULL;
}

static void branch(void *any, const machine *m, const branch_event *e)
{
    exit_block *b = m->block->exits;
    (void)any;
    if (b == NULL || e->taken == 0 || e->taken == e->mask) return;
    for (uint32_t left = e->mask; left != 0; left &= left - 1)
        b->warp[m->warp->number].diverged[__builtin_ctz(left)] = e->site;
}

// Barriers for a count of threads know how many to wait for.
static void barrier_reached(void *any, const machine *m, const barrier_event *e)
{
    exit_block *b = m->block->exits;
    (void)any;
    if (b == NULL || e->number >= BARRIERS || e->site->b != UINT32_MAX) return;
    b->warp[m->warp->number].at[e->number] = e->site;
}

// ---- Texts --------------------------------------------------------------------------------------

// "lane 31", "lanes 7 to 31", "lanes 80000001".
static const char *lanes_name(uint32_t lanes, char *text, size_t room)
{
    const int first = __builtin_ctz(lanes), last = 31 - __builtin_clz(lanes);
    if (first == last)
        snprintf(text, room, "lane %d", first);
    else if (__builtin_popcount(lanes) == last - first + 1)
        snprintf(text, room, "lanes %d to %d", first, last);
    else
        snprintf(text, room, "lanes %08x", (unsigned)lanes);
    return text;
}

static void place_name(const machine *m, const operation *o, char *text, size_t room)
{
    const ptx_module *module = m->grid->program->module;
    const char *file = o != NULL ? hd__model_ptx_source_file(module, o->text->source) : NULL;
    if (o == NULL)
        text[0] = 0;
    else if (file != NULL)
        snprintf(text, room, " at %s:%d", file, (int)module->sources[o->text->source].line);
    else
        snprintf(text, room, " at PTX line %d", (int)o->text->line);
}

static void warn(exit_state *s, const machine *m, int32_t k, uint32_t gone, const operation *site)
{
    const exit_block *b = m->block->exits;
    const int32_t *at = m->block->at;
    char lanes[40], place[300];
    warning *w = hd__model_warning_add(&s->list, HD_WARNING_EARLY_EXIT, site, NULL);
    if (w == NULL || w->text[0] != 0) return;
    w->other = b->warp[k].diverged[__builtin_ctz(gone)];
    w->block = m->block->index;
    place_name(m, w->other, place, sizeof place);
    snprintf(w->text, sizeof w->text,
             "%s of warp %d of block (%d,%d,%d) left the kernel%s, before this barrier; threads "
             "that have ended are not waited for on sm_70 and later, but CUDA asks that all of the "
             "block come",
             lanes_name(gone, lanes, sizeof lanes), (int)k, (int)at[0], (int)at[1], (int)at[2],
             place);
}

// The barrier lets all go on: who was not there has ended, or is reported as a hazard.
static void release(void *any, const machine *m, int32_t number)
{
    exit_block *b = m->block->exits;
    if (b == NULL || number >= BARRIERS) return;
    for (int32_t k = 0; k < m->block->warps; k++) {
        const int32_t threads = m->block->threads - k * WARP;
        const uint32_t all = threads >= WARP ? ~0u : (1u << threads) - 1;
        const uint32_t gone = all & ~m->block->warp[k].alive;
        const operation *site = b->warp[k].at[number];
        b->warp[k].at[number] = NULL;
        if (site != NULL && gone != 0) warn(any, m, k, gone, site);
    }
}

static void merge(void *into, const void *from)
{
    hd__model_warnings_merge(into, from);
}

static void close_state(void *any)
{
    exit_state *s = any;
    for (exit_block *b = s->made, *next; b != NULL; b = next) {
        next = b->made;
        free(b);
    }
    s->made = s->spare = NULL;
    hd__model_warnings_free(&s->list);
}

const observer hd__model_early_exits = {
    .name = "early exits",
    .state_bytes = sizeof(exit_state),
    .begin_block = begin_block,
    .end_block = end_block,
    .branch = branch,
    .barrier = barrier_reached,
    .release = release,
    .merge = merge,
    .close = close_state,
};
