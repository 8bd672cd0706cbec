// SPDX-License-Identifier: Apache-2.0
//
// The happens-before order of barriers, synchronisation of a warp, fences.
#include "races.h"

#include <stdlib.h>
#include <string.h>

// ---- Blocks -------------------------------------------------------------------------------------

static void forget_lanes(race_lanes *lanes)
{
    for (int l = 0; lanes != NULL && l < WARP; l++) {
        hd__model_clock_drop(lanes->known[l]);
        for (int s = 0; s < 2; s++) {
            hd__model_clock_drop(lanes->polled[s][l]);
            hd__model_clock_drop(lanes->seen[s][l]);
        }
    }
    if (lanes != NULL) memset(lanes, 0, sizeof *lanes);
}

static void forget_warp(race_warp *w)
{
    race_lanes *lanes = w->lanes;
    hd__model_clock_drop(w->known);
    for (int s = 0; s < 2; s++) {
        hd__model_clock_drop(w->fenced[s]);
        hd__model_clock_drop(w->base[s]);
    }
    forget_lanes(lanes);
    race_taken *pairs = w->pairs;
    memset(w, 0, sizeof *w);
    w->lanes = lanes, w->pairs = pairs;
}

static void forget_barrier(race_barrier *g)
{
    hd__model_clock_drop(g->known);
    for (int s = 0; s < 2; s++) hd__model_clock_drop(g->fenced[s]);
    memset(g, 0, sizeof *g);
}

static void forget(race_block *b)
{
    hd__model_clock_drop(b->known);
    b->known = NULL;
    for (int s = 0; s < 2; s++) {
        hd__model_clock_drop(b->fenced[s]);
        b->fenced[s] = NULL;
    }
    for (int32_t k = 0; k < b->warps; k++) forget_warp(&b->warp[k]);
    for (int k = 0; k <= BARRIERS; k++)
        if (b->barriers[k].used) forget_barrier(&b->barriers[k]);
    b->busy = b->fences = false;
}

static race_block *new_block(race_state *s, const block *of)
{
    race_block *b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    b->warps = of->warps;
    b->shared.words = (of->shared_bytes + CELL_BYTES - 1) / CELL_BYTES;
    b->warp = calloc((size_t)of->warps, sizeof *b->warp);
    b->shared.written = calloc((size_t)b->shared.words + 1, 2 * sizeof *b->shared.written);
    if (b->warp == NULL || b->shared.written == NULL) {
        free(b->warp);
        free(b->shared.written);
        free(b);
        return NULL;
    }
    b->shared.read = b->shared.written + b->shared.words;
    b->made = s->made;
    s->made = b;
    return b;
}

race_block *hd__model_order_begin(race_state *s, const machine *m)
{
    race_block *b = s->spare;
    if (b != NULL) {
        s->spare = b->next;
        memset(b->shared.written, 0, (size_t)b->shared.words * 2 * sizeof *b->shared.written);
    } else {
        b = new_block(s, m->block);
    }
    if (b == NULL) {
        s->lost = true;
        return NULL;
    }
    b->number = (uint32_t)(m->block->index % CLOCK_BLOCKS);
    b->time = s->shadow->base + 1, b->floor = s->shadow->base;
    b->open = true;
    return b;
}

static void drop_block(race_state *s, race_block *b)
{
    unsigned highest = atomic_load(&s->shadow->highest);
    while (b->time > highest &&
           !atomic_compare_exchange_weak(&s->shadow->highest, &highest, b->time)) {
    }
    // floors begin anew too
    for (int32_t k = 0; k < b->warps; k++) {
        b->warp[k].floor = b->warp[k].exchanged = b->warp[k].taken = 0;
        if (b->warp[k].pairs != NULL) memset(b->warp[k].pairs, 0, sizeof *b->warp[k].pairs);
    }
    if (b->busy) forget(b);
    b->open = false;
}

void hd__model_order_end(race_state *s, race_block *b)
{
    drop_block(s, b);
    b->next = s->spare;
    s->spare = b;
}

void hd__model_order_close(race_state *s)
{
    for (race_block *b = s->made, *next; b != NULL; b = next) {
        next = b->made;
        if (b->open) drop_block(s, b);
        for (int32_t k = 0; k < b->warps; k++) {
            free(b->warp[k].lanes);
            free(b->warp[k].pairs);
        }
        free(b->warp);
        free(b->shared.written);
        free(b);
    }
    s->made = s->spare = NULL;
}

static race_lanes *lanes_of(race_state *s, race_block *b, race_warp *w)
{
    if (w->lanes == NULL) w->lanes = calloc(1, sizeof *w->lanes);
    if (w->lanes == NULL) s->lost = true;
    b->busy = true;
    return w->lanes;
}

// ---- Knowing ------------------------------------------------------------------------------------

bool hd__model_happens_before(const race_state *s, const race_block *b, int32_t warp, int lane,
                              uint64_t cell)
{
    const uint32_t time = (uint32_t)(cell >> CELL_TIME_AT);
    if (time <= s->shadow->base) return true;
    const race_warp *w = &b->warp[warp];
    const bool warps = (cell & CELL_SEVERAL_WARPS) != 0, lanes = (cell & CELL_SEVERAL) != 0;
    const clock_key key = {(uint32_t)(cell >> CELL_BLOCK_AT) & (CLOCK_BLOCKS - 1),
                           warps ? -1 : (int32_t)(cell >> 5 & 31),
                           lanes ? -1 : (int32_t)(cell & 31)};
    if (key.block == b->number) {
        if (time <= b->floor) return true;
        if (key.warp == warp && (time <= w->floor || key.lane == lane)) return true;
    }
    if (!b->busy) return false;
    return hd__model_clock_time(b->known, key) >= time ||
           hd__model_clock_time(w->known, key) >= time ||
           (w->lanes != NULL && hd__model_clock_time(w->lanes->known[lane], key) >= time);
}

// ---- Fences -------------------------------------------------------------------------------------

// Lanes know what they found in release records. Loads: a fence only; atomics: barriers of the
// block too.
static void acquire(race_state *s, race_lanes *lanes, int l, bool device_wide, bool of_loads)
{
    for (int k = BLOCK_SCOPE; k <= (device_wide ? DEVICE_SCOPE : BLOCK_SCOPE); k++) {
        clock_add(&lanes->known[l], lanes->seen[k][l], &s->lost);
        if (of_loads) clock_add(&lanes->known[l], lanes->polled[k][l], &s->lost);
    }
}

// What lanes of a warp know besides their own accesses.
static vector_clock *knowledge(race_state *s, const race_block *b, const race_warp *w, int32_t warp,
                               uint32_t mask)
{
    vector_clock *v = hd__model_clock_join(b->known, w->known, &s->lost), *more;
    for (uint32_t left = w->lanes != NULL ? mask : 0; left != 0; left &= left - 1)
        clock_add(&v, w->lanes->known[__builtin_ctz(left)], &s->lost);
    const uint32_t base = s->shadow->base;
    more = hd__model_clock_with(v, (clock_key){b->number, -1, -1}, b->floor > base ? b->floor : 0,
                                &s->lost);
    hd__model_clock_drop(v);
    v = hd__model_clock_with(more, (clock_key){b->number, warp, -1}, w->floor > base ? w->floor : 0,
                             &s->lost);
    hd__model_clock_drop(more);
    return v;
}

void hd__model_order_fence(race_state *s, const machine *m, uint32_t mask, access_scope scope,
                           bool acquires, bool releases)
{
    race_block *b = m->block->races;
    race_warp *w = &b->warp[m->warp->number];
    const bool device_wide = scope != SCOPE_CTA;
    if (acquires && w->lanes != NULL)
        for (uint32_t left = mask; left != 0; left &= left - 1)
            acquire(s, w->lanes, __builtin_ctz(left), device_wide, true);
    if (!releases) return;
    vector_clock *v = knowledge(s, b, w, m->warp->number, mask);
    for (int k = BLOCK_SCOPE; k <= (device_wide ? DEVICE_SCOPE : BLOCK_SCOPE); k++) {
        clock_add(&w->base[k], v, &s->lost);
        for (uint32_t left = mask; left != 0; left &= left - 1)
            w->at[k][__builtin_ctz(left)] = b->time;
    }
    hd__model_clock_drop(v);
    b->busy = b->fences = true;
    order_advance(b);
}

// Adds what fences of lanes of a warp let go to a vector_clock.
static void add_fenced(race_state *s, const race_block *b, int32_t warp, uint32_t mask, int k,
                       vector_clock **to)
{
    const race_warp *w = &b->warp[warp];
    uint32_t at[WARP] = {0}, any = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        any |= at[l] = w->at[k][l];
    }
    clock_add(to, w->fenced[k], &s->lost);
    if (any == 0) return;
    vector_clock *v = hd__model_clock_with_lanes(w->base[k], b->number, warp, at, &s->lost);
    clock_add(to, v, &s->lost);
    hd__model_clock_drop(v);
}

// ---- Synchronisation of a warp -----------------------------------------------------------------

// All lanes of the warp: what one knows all know.
static void meet_all(race_state *s, race_block *b, int32_t warp)
{
    race_warp *w = &b->warp[warp];
    w->floor = b->time;
    order_advance(b);
    if (!b->busy) return;
    for (int l = 0; w->lanes != NULL && l < WARP; l++) {
        clock_add(&w->known, w->lanes->known[l], &s->lost);
    }
    for (int k = BLOCK_SCOPE; b->fences && k <= DEVICE_SCOPE; k++)
        add_fenced(s, b, warp, ~0u, k, &w->fenced[k]);
}

static void meet_some(race_state *s, race_block *b, int32_t warp, uint32_t mask)
{
    race_warp *w = &b->warp[warp];
    race_lanes *lanes = lanes_of(s, b, w);
    uint32_t at[WARP] = {0};
    vector_clock *v = NULL;
    if (lanes == NULL) return;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        at[l] = b->time;
        clock_add(&v, lanes->known[l], &s->lost);
    }
    vector_clock *all = hd__model_clock_with_lanes(v, b->number, warp, at, &s->lost);
    for (uint32_t left = mask; left != 0; left &= left - 1)
        clock_add(&lanes->known[__builtin_ctz(left)], all, &s->lost);
    hd__model_clock_drop(v);
    hd__model_clock_drop(all);
    order_advance(b);
}

void hd__model_order_warp_sync(race_state *s, const machine *m)
{
    race_block *b = m->block->races;
    if ((m->warp->alive & ~m->mask) == 0)
        meet_all(s, b, m->warp->number);
    else
        meet_some(s, b, m->warp->number, m->mask);
}

// ---- Shuffles and votes -------------------------------------------------------------------------

// They order no memory. But a value that was given to one has been read by then, so writes behind
// it come later, also where they are of other lanes of the mask.
void hd__model_order_exchange(race_state *s, const machine *m)
{
    race_block *b = m->block->races;
    race_warp *w = &b->warp[m->warp->number];
    w->exchanged = b->time;
    if ((m->warp->alive & ~m->mask) == 0) {
        w->taken = b->time;
        return;
    }
    if (w->pairs == NULL) w->pairs = calloc(1, sizeof *w->pairs);
    if (w->pairs == NULL) {
        s->lost = true;
        return;
    }
    uint32_t until[WARP] = {0}; // what any of them was told of before, all are told of now
    for (uint32_t left = m->mask; left != 0; left &= left - 1) {
        const uint32_t *known = w->pairs->until[__builtin_ctz(left)];
        for (int r = 0; r < WARP; r++) until[r] = known[r] > until[r] ? known[r] : until[r];
    }
    for (int r = 0; r < WARP; r++) until[r] = m->mask >> r & 1 ? b->time : until[r];
    for (uint32_t left = m->mask; left != 0; left &= left - 1)
        memcpy(w->pairs->until[__builtin_ctz(left)], until, sizeof until);
}

void hd__model_order_read(race_block *b, int32_t warp)
{
    if (b->warp[warp].exchanged == b->time) order_advance(b);
}

bool hd__model_order_was_taken(const race_block *b, int32_t warp, int lane, uint64_t cell)
{
    const uint32_t time = (uint32_t)(cell >> CELL_TIME_AT);
    const race_warp *w = &b->warp[warp];
    if ((cell >> CELL_BLOCK_AT & (CLOCK_BLOCKS - 1)) != b->number ||
        (cell & CELL_SEVERAL_WARPS) != 0 || (int32_t)(cell >> 5 & 31) != warp)
        return false;
    return time <= w->taken || (w->pairs != NULL && time <= w->pairs->until[lane][cell & 31]);
}

// ---- Barriers of a block ------------------------------------------------------------------------

static bool only_arrives(const operation *o)
{
    return ptx_has(o->text, PTX_MOD_ARRIVE);
}

void hd__model_order_arrive(race_state *s, const machine *m, const barrier_event *e)
{
    race_block *b = m->block->races;
    race_barrier *g = &b->barriers[e->number];
    const int32_t named = e->number < BARRIERS ? m->block->barriers[e->number].named : 0;
    g->used = true;
    const int32_t warp = m->warp->number;
    if (!only_arrives(e->site)) g->waiting[warp] |= e->mask;
    g->partial |= named > 0 || only_arrives(e->site);
    if (!g->partial) return;
    race_warp *w = &b->warp[warp];
    const bool whole = (m->warp->alive & ~e->mask) == 0;
    b->busy = true;
    for (uint32_t left = w->lanes != NULL ? e->mask : 0; left != 0; left &= left - 1)
        acquire(s, w->lanes, __builtin_ctz(left), true, false);
    vector_clock *v = knowledge(s, b, w, warp, e->mask), *all;
    uint32_t at[WARP] = {0};
    for (uint32_t left = e->mask; left != 0; left &= left - 1) at[__builtin_ctz(left)] = b->time;
    if (whole)
        all = hd__model_clock_with(v, (clock_key){b->number, warp, -1}, b->time, &s->lost);
    else
        all = hd__model_clock_with_lanes(v, b->number, warp, at, &s->lost);
    clock_add(&g->known, all, &s->lost);
    hd__model_clock_drop(v);
    hd__model_clock_drop(all);
    for (int k = BLOCK_SCOPE; b->fences && k <= DEVICE_SCOPE; k++)
        add_fenced(s, b, warp, e->mask, k, &g->fenced[k]);
    order_advance(b);
}

// All of the block have met: their knowledge becomes the block's.
static void release_all(race_state *s, race_block *b)
{
    b->floor = b->time;
    order_advance(b);
    if (!b->busy) return;
    for (int32_t k = 0; k < b->warps; k++) {
        race_warp *w = &b->warp[k];
        for (int l = 0; w->lanes != NULL && l < WARP; l++) {
            acquire(s, w->lanes, l, true, false);
            clock_add(&b->known, w->lanes->known[l], &s->lost);
        }
        clock_add(&b->known, w->known, &s->lost);
        for (int n = BLOCK_SCOPE; b->fences && n <= DEVICE_SCOPE; n++)
            add_fenced(s, b, k, ~0u, n, &b->fenced[n]);
    }
}

static void release_some(race_state *s, race_block *b, race_barrier *g, const block *of)
{
    for (int32_t k = 0; k < b->warps; k++) {
        race_warp *w = &b->warp[k];
        if (g->waiting[k] == 0) continue;
        if ((of->warp[k].alive & ~g->waiting[k]) == 0) {
            clock_add(&w->known, g->known, &s->lost);
            for (int n = BLOCK_SCOPE; n <= DEVICE_SCOPE; n++)
                clock_add(&w->fenced[n], g->fenced[n], &s->lost);
            continue;
        }
        race_lanes *lanes = lanes_of(s, b, w);
        for (uint32_t left = lanes != NULL ? g->waiting[k] : 0; left != 0; left &= left - 1)
            clock_add(&lanes->known[__builtin_ctz(left)], g->known, &s->lost);
    }
}

// Blocks of a cluster know of each other what all of their threads do.
static void release_cluster(race_state *s, const machine *m)
{
    vector_clock *v = NULL;
    const block *of = m->block;
    for (int32_t k = 0; k < of->cluster->blocks; k++) {
        race_block *b = of->cluster->block[k]->races;
        if (b == NULL) continue; // the block has ended
        const uint32_t time = b->time;
        release_all(s, b);
        vector_clock *own =
            hd__model_clock_with(b->known, (clock_key){b->number, -1, -1}, time, &s->lost);
        clock_add(&v, own, &s->lost);
        hd__model_clock_drop(own);
    }
    for (int32_t k = 0; k < of->cluster->blocks; k++) {
        race_block *b = of->cluster->block[k]->races;
        if (b == NULL) continue;
        clock_add(&b->known, v, &s->lost);
        b->busy = true;
    }
    hd__model_clock_drop(v);
}

void hd__model_order_release(race_state *s, const machine *m, int32_t number)
{
    race_block *b = m->block->races;
    race_barrier *g = &b->barriers[number];
    if (number == CLUSTER_BARRIER) {
        release_cluster(s, m);
        return;
    }
    if (!g->partial)
        release_all(s, b);
    else
        release_some(s, b, g, m->block);
    forget_barrier(g);
}
