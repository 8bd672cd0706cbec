// SPDX-License-Identifier: Apache-2.0
//
// Messages: what a strong write lets go, and who finds it. A release is a fence and then a strong
// write (relaxed, volatile, atomic), or a write that releases by itself; whoever reads what it
// wrote knows what the writer knew, after a fence of its own or if the read acquires. Atomics add
// to what the word carries; other writes replace it.
#include "races.h"

#include <stdlib.h>
#include <string.h>

// ---- The table ----------------------------------------------------------------------------------

static release_record *slot_of(release_record *table, int64_t room, uint64_t key)
{
    uint64_t at = key * 0x9e3779b97f4a7c15u >> 20;
    for (;; at++) {
        release_record *m = &table[at & (uint64_t)(room - 1)];
        if (m->key == key || m->key == 0) return m;
    }
}

static release_record *find(race_shadow *b, uint64_t key)
{
    if (b->release_room == 0) return NULL;
    release_record *m = slot_of(b->releases, b->release_room, key);
    return m->key == key ? m : NULL;
}

static release_record *find_or_add(race_shadow *b, uint64_t key)
{
    const int64_t count = atomic_load(&b->release_count);
    if (2 * (count + 1) > b->release_room) {
        const int64_t room = b->release_room > 0 ? 2 * b->release_room : 64;
        release_record *larger = calloc((size_t)room, sizeof *larger);
        if (larger == NULL) return NULL;
        for (int64_t k = 0; k < b->release_room; k++)
            if (b->releases[k].key != 0)
                *slot_of(larger, room, b->releases[k].key) = b->releases[k];
        free(b->releases);
        b->releases = larger, b->release_room = room;
    }
    release_record *m = slot_of(b->releases, b->release_room, key);
    if (m->key == 0) {
        m->key = key;
        atomic_store(&b->release_count, count + 1);
    }
    return m;
}

static uint64_t key_of(const machine *m, ptx_space space, uint64_t address)
{
    if (space == PTX_GLOBAL) return address;
    const block *b = shared_owner(m, &address);
    return (uint64_t)1 << 63 | (uint64_t)b->index << 24 | address;
}

// ---- Writing ------------------------------------------------------------------------------------

// What a lane's fences let go, or NULL.
static vector_clock *released(race_state *s, const race_block *b, const machine *m, int lane,
                              int scope)
{
    const int32_t warp = m->warp->number;
    const race_warp *w = &b->warp[warp];
    if (w->at[scope][lane] == 0)
        return hd__model_clock_join(b->fenced[scope], w->fenced[scope], &s->lost);
    uint32_t at[WARP] = {0};
    at[lane] = w->at[scope][lane];
    vector_clock *v = hd__model_clock_with_lanes(w->base[scope], b->number, warp, at, &s->lost);
    clock_add(&v, b->fenced[scope], &s->lost);
    clock_add(&v, w->fenced[scope], &s->lost);
    return v;
}

bool hd__model_order_publishes(const race_block *b, int32_t warp, int lane)
{
    const race_warp *w = &b->warp[warp];
    return w->at[BLOCK_SCOPE][lane] != 0 || w->fenced[BLOCK_SCOPE] != NULL ||
           b->fenced[BLOCK_SCOPE] != NULL;
}

bool hd__model_order_carries(const race_state *s, const machine *m, const access_event *e, int lane)
{
    const race_block *b = m->block->races;
    pthread_mutex_lock(&s->shadow->lock);
    const release_record *found = find(s->shadow, key_of(m, e->space, e->address[lane]));
    const bool published =
        found != NULL && found->block_clock != NULL && found->writer_block == b->number;
    pthread_mutex_unlock(&s->shadow->lock);
    return published;
}

bool hd__model_order_found(const machine *m, const access_event *e, int lane, uint64_t cell)
{
    const race_block *b = m->block->races;
    const race_lanes *lanes = b->warp[m->warp->number].lanes;
    return lanes != NULL && lanes->store[lane] != 0 &&
           lanes->store[lane] == (cell & ~(CELL_SEVERAL | (uint64_t)3 << CELL_BYTE_AT)) &&
           lanes->key[lane] == key_of(m, e->space, e->address[lane]);
}

// Whether a compare and swap of a lane finds another value than it compares with: it writes
// nothing.
static bool fails(const machine *m, const access_event *e, int lane)
{
    const operation *o = e->site;
    uint64_t there = 0, wanted = 0;
    if (o->op != PTX_OP_atom || o->mode != PTX_MOD_CAS || e->bytes > 8) return false;
    memcpy(&there, e->host[lane], (size_t)e->bytes);
    wanted = e->bytes == 8 ? ((const uint64_t *)SLOT(m, o->b))[lane]
                           : ((const uint32_t *)SLOT(m, o->b))[lane];
    return memcmp(&there, &wanted, (size_t)e->bytes) != 0;
}

// `store`: the cell of the write, 0 of an atomic, which adds.
static void put(race_state *s, uint64_t key, uint32_t block, uint64_t store,
                vector_clock *block_clock, vector_clock *device_clock)
{
    const bool adds = store == 0;
    race_shadow *shadow = s->shadow;
    pthread_mutex_lock(&shadow->lock);
    release_record *m =
        block_clock != NULL || device_clock != NULL ? find_or_add(shadow, key) : find(shadow, key);
    if (m == NULL) {
        s->lost |= block_clock != NULL || device_clock != NULL;
    } else {
        if (!adds) {
            hd__model_clock_drop(m->device_clock);
            m->device_clock = NULL;
        }
        if (!adds || (m->writer_block != block && block_clock != NULL)) {
            hd__model_clock_drop(m->block_clock);
            m->block_clock = NULL;
        }
        if (block_clock != NULL || !adds) m->writer_block = block;
        m->store = store;
        clock_add(&m->block_clock, block_clock, &s->lost);
        clock_add(&m->device_clock, device_clock, &s->lost);
    }
    pthread_mutex_unlock(&shadow->lock);
}

void hd__model_order_publish(race_state *s, const machine *m, const access_event *e, uint64_t cell)
{
    const race_block *b = m->block->races;
    const bool adds = e->kind == ACCESS_ATOMIC, device_wide = e->scope != SCOPE_CTA;
    if (e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL || e->order == ORDER_SC)
        hd__model_order_fence(s, m, e->mask, e->scope, false, true);
    if (!b->fences && (adds || atomic_load(&s->shadow->release_count) == 0)) return;
    for (uint32_t left = e->mask & ~(e->outside | e->unaligned); left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        if (s->alone && fails(m, e, l)) continue;
        vector_clock *block_clock = b->fences ? released(s, b, m, l, BLOCK_SCOPE) : NULL;
        vector_clock *device_clock =
            b->fences && device_wide ? released(s, b, m, l, DEVICE_SCOPE) : NULL;
        if (!adds || block_clock != NULL || device_clock != NULL)
            put(s, key_of(m, e->space, e->address[l]), b->number,
                adds ? 0 : (cell & ~(uint64_t)CELL_LANE) | (uint64_t)l, block_clock, device_clock);
        hd__model_clock_drop(block_clock);
        hd__model_clock_drop(device_clock);
    }
}

// ---- Reading ------------------------------------------------------------------------------------

void hd__model_order_observe(race_state *s, const machine *m, const race_pending *p)
{
    race_block *b = m->block->races;
    race_shadow *shadow = s->shadow;
    const bool acquires =
        p->order == ORDER_ACQUIRE || p->order == ORDER_ACQ_REL || p->order == ORDER_SC;
    race_warp *w = &b->warp[m->warp->number];
    if (atomic_load(&shadow->release_count) == 0) return;
    if (w->lanes == NULL && (w->lanes = calloc(1, sizeof *w->lanes)) == NULL) {
        s->lost = true;
        return;
    }
    b->busy = true;
    for (uint32_t left = p->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        vector_clock *(*to)[WARP] = p->kind == ACCESS_ATOMIC ? w->lanes->seen : w->lanes->polled;
        vector_clock **to_block = acquires ? &w->lanes->known[l] : &to[BLOCK_SCOPE][l];
        vector_clock **to_device = acquires ? &w->lanes->known[l] : &to[DEVICE_SCOPE][l];
        vector_clock *block_clock = NULL, *device_clock = NULL;
        pthread_mutex_lock(&shadow->lock);
        const release_record *found = find(shadow, key_of(m, p->space, p->address[l]));
        if (found != NULL) w->lanes->key[l] = found->key, w->lanes->store[l] = found->store;
        if (found != NULL) { // one that polls finds the same again and again
            if (found->writer_block == b->number && found->block_clock != *to_block)
                block_clock = hd__model_clock_hold(found->block_clock);
            if (p->scope != SCOPE_CTA && found->device_clock != *to_device)
                device_clock = hd__model_clock_hold(found->device_clock);
        }
        pthread_mutex_unlock(&shadow->lock);
        clock_add(to_block, block_clock, &s->lost);
        clock_add(to_device, device_clock, &s->lost);
        hd__model_clock_drop(block_clock);
        hd__model_clock_drop(device_clock);
    }
}

// ---- Launches -----------------------------------------------------------------------------------

static void clear_releases(race_shadow *b)
{
    for (int64_t k = 0; k < b->release_room; k++) {
        hd__model_clock_drop(b->releases[k].block_clock);
        hd__model_clock_drop(b->releases[k].device_clock);
    }
    free(b->releases);
    b->releases = NULL, b->release_room = 0;
    atomic_store(&b->release_count, 0);
}

static race_shadow *shadow_of(device_memory *memory)
{
    race_shadow *b = memory->races;
    if (b != NULL) return b;
    b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    if (pthread_mutex_init(&b->lock, NULL) != 0) {
        free(b);
        return NULL;
    }
    return memory->races = b;
}

// Constants are never written by kernels.
static bool make_cells(allocation *a)
{
    if (a->races != NULL || a->freed || a->constant) return true;
    race_cells *c = calloc(1, sizeof *c);
    if (c == NULL) return false;
    c->words = (a->bytes + CELL_BYTES - 1) / CELL_BYTES;
    c->written = calloc((size_t)c->words + 1, 2 * sizeof *c->written); // brought in when touched
    if (c->written == NULL) {
        free(c);
        return false;
    }
    c->read = c->written + c->words;
    a->races = c;
    return true;
}

static void clear_cells(device_memory *memory)
{
    for (int32_t k = 0; k < memory->count; k++) {
        const race_cells *c = memory->all[k]->races;
        if (c != NULL) memset(c->written, 0, (size_t)c->words * 2 * sizeof *c->written);
    }
}

bool hd__model_races_begin(device_memory *memory, int32_t sites)
{
    race_shadow *b = shadow_of(memory);
    if (b == NULL) return false;
    for (int32_t k = 0; k < memory->count; k++)
        if (!make_cells(memory->all[k])) return false;
    b->base = atomic_load(&b->highest);
    if (b->base > MAX_TIME / 2) {
        clear_cells(memory);
        b->base = 0;
        atomic_store(&b->highest, 0);
    }
    b->launch++;
    b->site_count = 0;
    hd__model_race_bytes_begin(b, memory->live_bytes);
    b->number = calloc((size_t)sites + 1, sizeof *b->number);
    return b->number != NULL;
}

void hd__model_races_end(device_memory *memory)
{
    race_shadow *b = memory->races;
    if (b == NULL) return;
    clear_releases(b);
    for (int32_t k = 0; k < memory->count; k++)
        if (memory->all[k]->races != NULL) hd__model_race_bytes_clear(memory->all[k]->races);
    hd__model_race_bytes_end(b);
    free(b->number);
    b->number = NULL;
}

void hd__model_races_forget(allocation *a)
{
    race_cells *c = a->races;
    if (c == NULL) return;
    free(c->written);
    free(c);
    a->races = NULL;
}

void hd__model_races_close(device_memory *memory)
{
    race_shadow *b = memory->races;
    for (int32_t k = 0; k < memory->count; k++) hd__model_races_forget(memory->all[k]);
    if (b == NULL) return;
    pthread_mutex_destroy(&b->lock);
    free(b);
    memory->races = NULL;
}
