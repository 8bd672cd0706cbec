// SPDX-License-Identifier: Apache-2.0
//
// Writes the requests of blocks down and hands them on, wave by wave: as many blocks as the chip
// holds at once. A host thread that ends the last block of a wave runs it through the caches while
// the others go on.
#include "caches.h"
#include "source_sites.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES ((int64_t)1 << 24) // of a wave: 256 MiB
#define LOCAL_LINES ((uint64_t)1 << 54)
#define MAX_PARTS   (WARP * 2) // lines of a request

struct caches {
    const architecture *a;
    hierarchy *hierarchy;
    int64_t blocks, wave_blocks, max_entries;
    int32_t warps, resident;
    pthread_mutex_t lock;
    block_trace **waiting; // of wave w + k at k * wave_blocks; NULL: not done
    int64_t wave, waves_waiting, *done;
    bool running, failed;
    int64_t wavefronts;
};

caches *hd__model_caches_new(const architecture *a, const occupancy *o, int64_t blocks,
                             int32_t warps)
{
    caches *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->a = a, c->blocks = blocks, c->warps = warps;
    c->resident = o->blocks > 0 ? o->blocks : 1;
    c->wave_blocks = (int64_t)c->resident * a->multiprocessors;
    const int64_t in_wave = blocks < c->wave_blocks ? blocks : c->wave_blocks;
    c->max_entries = MAX_ENTRIES / (in_wave > 0 ? in_wave : 1);
    c->hierarchy = hd__model_hierarchy_new(a, o);
    if (c->hierarchy == NULL || pthread_mutex_init(&c->lock, NULL) != 0) {
        hd__model_hierarchy_free(c->hierarchy);
        free(c);
        return NULL;
    }
    return c;
}

static void free_trace(block_trace *t)
{
    if (t == NULL) return;
    free(t->at);
    free(t->warp_time);
    free(t);
}

void hd__model_caches_free(caches *c)
{
    if (c == NULL) return;
    for (int64_t k = 0; c->waiting != NULL && k < c->waves_waiting * c->wave_blocks; k++)
        free_trace(c->waiting[k]);
    free(c->waiting);
    free(c->done);
    hd__model_hierarchy_free(c->hierarchy);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

bool hd__model_caches_counts(caches *c, cache_counts *counts)
{
    *counts = hd__model_hierarchy_counts(c->hierarchy);
    counts->wavefronts = c->wavefronts;
    // What was not followed is taken to go as the rest did.
    const double more =
        counts->followed > 0 ? 1.0 + (double)counts->lost / (double)counts->followed : 1.0;
    int64_t *all[] = {&counts->l1_hits,      &counts->l1_misses, &counts->l2_hits,
                      &counts->l2_misses,    &counts->l2_reads,  &counts->l2_writes,
                      &counts->l2_atomics,   &counts->dram_read, &counts->dram_written,
                      &counts->l2_parts,     &counts->hottest,   &counts->hottest_floats,
                      &counts->hottest_swaps};
    for (size_t k = 0; counts->lost > 0 && k < sizeof all / sizeof *all; k++)
        *all[k] = (int64_t)((double)*all[k] * more);
    return !c->failed;
}

// ---- Waves --------------------------------------------------------------------------------------

static int64_t blocks_of_wave(const caches *c, int64_t wave)
{
    const int64_t left = c->blocks - wave * c->wave_blocks;
    return left < c->wave_blocks ? left : c->wave_blocks;
}

// Room for waves up to `wave`. With the lock.
static bool make_room(caches *c, int64_t wave)
{
    const int64_t needed = wave - c->wave + 1;
    if (needed <= c->waves_waiting) return true;
    block_trace **waiting =
        realloc(c->waiting, (size_t)(needed * c->wave_blocks) * sizeof *waiting);
    if (waiting == NULL) return false;
    c->waiting = waiting;
    int64_t *done = realloc(c->done, (size_t)needed * sizeof *done);
    if (done == NULL) return false;
    c->done = done;
    for (int64_t w = c->waves_waiting; w < needed; w++) {
        memset(waiting + w * c->wave_blocks, 0, (size_t)c->wave_blocks * sizeof *waiting);
        done[w] = 0;
    }
    c->waves_waiting = needed;
    return true;
}

// Runs the waves that are complete, in their order. With the lock, which it lets go meanwhile.
static void run_waves(caches *c)
{
    if (c->running) return;
    c->running = true;
    while (c->waves_waiting > 0 && c->done[0] == blocks_of_wave(c, c->wave)) {
        const int64_t count = c->done[0];
        block_trace **traces = malloc((size_t)(count + 1) * sizeof *traces);
        if (traces == NULL) {
            c->failed = true;
            break;
        }
        memcpy(traces, c->waiting, (size_t)count * sizeof *traces);
        c->waves_waiting--, c->wave++;
        memmove(c->waiting, c->waiting + c->wave_blocks,
                (size_t)(c->waves_waiting * c->wave_blocks) * sizeof *traces);
        memmove(c->done, c->done + 1, (size_t)c->waves_waiting * sizeof *c->done);
        pthread_mutex_unlock(&c->lock);
        const bool good = hd__model_hierarchy_run(c->hierarchy, traces, count);
        for (int64_t k = 0; k < count; k++) free_trace(traces[k]);
        free(traces);
        pthread_mutex_lock(&c->lock);
        if (!good) c->failed = true;
    }
    c->running = false;
}

static void hand_in(caches *c, block_trace *t)
{
    const int64_t wave = t->block / c->wave_blocks;
    pthread_mutex_lock(&c->lock);
    if (c->failed || !make_room(c, wave)) {
        c->failed = true;
        free_trace(t);
    } else {
        const int64_t w = wave - c->wave;
        c->waiting[w * c->wave_blocks + t->block % c->wave_blocks] = t;
        c->done[w]++;
        run_waves(c);
    }
    pthread_mutex_unlock(&c->lock);
}

// ---- The observer: one state a host thread ------------------------------------------------------

typedef struct recorder {
    caches *shared;
    block_trace *blocks; // that run here
    int64_t wavefronts;
    uint32_t swap_lanes; // of the compare and swap under way, and where
    uint64_t swap_at[WARP];
} recorder;

static void fail(recorder *r)
{
    pthread_mutex_lock(&r->shared->lock);
    r->shared->failed = true;
    pthread_mutex_unlock(&r->shared->lock);
}

static bool open(void *any, const grid *g)
{
    ((recorder *)any)->shared = g->caches;
    return true;
}

static void begin_block(void *any, const machine *m)
{
    recorder *r = any;
    block_trace *t = r->shared != NULL ? calloc(1, sizeof *t) : NULL;
    if (t != NULL) t->warp_time = calloc((size_t)m->block->warps + 1, sizeof *t->warp_time);
    if (t == NULL || t->warp_time == NULL) {
        if (r->shared != NULL) fail(r);
        free(t);
        return;
    }
    t->block = m->block->index, t->warps = m->block->warps, t->last_warp = -1;
    t->next = r->blocks;
    r->blocks = t;
}

// The trace of the block that runs, in front of the list.
static block_trace *trace_of(recorder *r, const machine *m)
{
    block_trace *t = r->blocks;
    if (t != NULL && t->block == m->block->index) return t;
    for (block_trace **at = &r->blocks; *at != NULL; at = &(*at)->next)
        if ((*at)->block == m->block->index) {
            t = *at;
            *at = t->next;
            t->next = r->blocks;
            r->blocks = t;
            return t;
        }
    return NULL;
}

static void end_block(void *any, const machine *m)
{
    recorder *r = any;
    block_trace *t = trace_of(r, m);
    if (t == NULL) return;
    r->blocks = t->next;
    hand_in(r->shared, t);
}

// Behind a barrier all warps are at the same time.
static void release(void *any, const machine *m, int32_t number)
{
    block_trace *t = trace_of(any, m);
    uint32_t latest = 0;
    (void)number;
    if (t == NULL) return;
    for (int32_t w = 0; w < t->warps; w++)
        if (t->warp_time[w] > latest) latest = t->warp_time[w];
    for (int32_t w = 0; w < t->warps; w++) t->warp_time[w] = latest;
}

// ---- Requests into lines ------------------------------------------------------------------------

typedef struct request {
    trace_entry part[MAX_PARTS];
    int count;
} request;

static trace_entry *part_of(request *q, uint64_t line, trace_kind kind)
{
    for (int k = q->count - 1; k >= 0; k--)
        if (q->part[k].line == line) return &q->part[k];
    if (q->count == MAX_PARTS) return NULL;
    q->part[q->count] = (trace_entry){.line = line, .kind = (unsigned)kind & 15};
    return &q->part[q->count++];
}

static void add_bytes(request *q, trace_kind kind, uint64_t address, uint64_t bytes)
{
    for (uint64_t end = address + bytes; address < end;) {
        const uint64_t next = (address / CACHE_SECTOR + 1) * CACHE_SECTOR;
        const uint64_t here = (next < end ? next : end) - address;
        const unsigned s = (unsigned)(address / CACHE_SECTOR % CACHE_SECTORS);
        trace_entry *p = part_of(q, address / CACHE_LINE, kind);
        if (p == NULL) return;
        p->sectors |= 1u << s & 15;
        const unsigned sum = p->bytes[s] + (unsigned)here;
        p->bytes[s] = (uint8_t)(sum < CACHE_SECTOR ? sum : CACHE_SECTOR);
        address += here;
    }
}

static void split_global(request *q, const access_event *e, trace_kind kind)
{
    const int first = __builtin_ctz(e->mask);
    if (e->shape == SHAPE_ROW) {
        add_bytes(q, kind, e->address[0],
                  (uint64_t)__builtin_popcount(e->mask) * (uint64_t)e->bytes);
    } else if (e->shape == SHAPE_SAME) {
        add_bytes(q, kind, e->address[first], (uint64_t)e->bytes);
    } else {
        for (uint32_t left = e->mask & ~e->outside; left != 0; left &= left - 1)
            add_bytes(q, kind, e->address[__builtin_ctz(left)], (uint64_t)e->bytes);
    }
}

static bool adds_floats(const access_event *e)
{
    const ptx_instruction *i = e->site->text;
    return ptx_has(i, PTX_MOD_ADD) && i->types > 0 &&
           hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_FLOAT;
}

// Atomics: how often each sector is sent, instead of bytes.
static void split_atomic(request *q, const access_event *e)
{
    const bool floats = adds_floats(e);
    split_global(q, e, floats ? TRACE_FLOATS : TRACE_ATOMIC);
    for (int k = 0; k < q->count; k++)
        for (unsigned s = 0; s < CACHE_SECTORS; s++) {
            trace_entry *p = &q->part[k];
            if (!(p->sectors >> s & 1)) continue;
            const int32_t n = hd__model_atomic_sends(e, p->line * CACHE_SECTORS + s, CACHE_SECTOR);
            if (floats && e->bytes == 8 && n == 1 && p->bytes[s] > 2 * 8) p->kind = TRACE_DOUBLES;
            p->bytes[s] = (uint8_t)n;
        }
}

// Word w of a thread's local memory lies beside word w of the others of its warp: 128 bytes. A warp
// gets the place of one that has ended before it on the same multiprocessor.
static void split_local(request *q, const caches *c, const machine *m, const access_event *e,
                        trace_kind kind)
{
    const int64_t on_chip = m->block->index % c->wave_blocks;
    const uint64_t words = (uint64_t)(m->warp->local_bytes + 3) / 4;
    const uint64_t first =
        LOCAL_LINES + ((uint64_t)on_chip * (uint64_t)c->warps + (uint64_t)m->warp->number) * words;
    for (uint32_t left = e->mask & ~e->outside; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        for (int32_t b = 0; b < e->bytes; b += 4)
            add_bytes(q, kind,
                      (first + (e->address[l] + (uint64_t)b) / 4) * CACHE_LINE + 4u * (unsigned)l,
                      (uint64_t)(e->bytes < 4 ? e->bytes : 4));
    }
}

// Every word that lanes ask for is a question of its own: a broadcast is one.
static void split_constant(request *q, const access_event *e)
{
    uint64_t seen[WARP];
    int count = 0;
    for (uint32_t left = e->mask & ~e->outside; left != 0; left &= left - 1) {
        const uint64_t word = e->address[__builtin_ctz(left)] / 4;
        int k = count - 1;
        while (k >= 0 && seen[k] != word) k--;
        if (k >= 0) continue;
        seen[count++] = word;
        trace_entry *p = part_of(q, word / 16, TRACE_CONSTANT);
        if (p != NULL) p->bytes[0]++;
    }
}

// A store right behind one of the same warp to the same lines: the L1 sends both as one.
static bool joins_last(block_trace *t, const request *q, int32_t warp, uint32_t time)
{
    if (t->last_warp != warp || t->count - t->last_first != q->count || q->count == 0) return false;
    trace_entry *last = t->at + t->last_first;
    for (int k = 0; k < q->count; k++)
        if (last[k].kind != TRACE_STORE || q->part[k].kind != TRACE_STORE ||
            last[k].line != q->part[k].line || last[k].time + 1 != time)
            return false;
    for (int k = 0; k < q->count; k++) {
        last[k].sectors |= q->part[k].sectors;
        for (int s = 0; s < CACHE_SECTORS; s++) {
            const unsigned sum = last[k].bytes[s] + (unsigned)q->part[k].bytes[s];
            last[k].bytes[s] = (uint8_t)(sum < CACHE_SECTOR ? sum : CACHE_SECTOR);
        }
    }
    return true;
}

static bool append(recorder *r, block_trace *t, const request *q, int32_t warp)
{
    const uint32_t time = t->warp_time[warp]++;
    if (joins_last(t, q, warp, time)) return true;
    if (t->count + q->count > r->shared->max_entries) {
        for (int k = 0; k < q->count; k++)
            t->sectors_lost += __builtin_popcount((unsigned)q->part[k].sectors);
        return true;
    }
    if (t->count + q->count > t->room) {
        const int64_t room = 2 * t->room + q->count + 64;
        trace_entry *at = realloc(t->at, (size_t)room * sizeof *at);
        if (at == NULL) return false;
        t->at = at, t->room = room;
    }
    t->last_warp = warp, t->last_first = t->count;
    for (int k = 0; k < q->count; k++) {
        t->at[t->count] = q->part[k];
        t->at[t->count++].time = time;
    }
    return true;
}

// The L1 has the banks of the shared memory; it looks up about three lines a cycle.
static int64_t wavefronts_of(const access_event *e, const machine_settings *s)
{
    hd_model_counts c = {0};
    if (e->shape == SHAPE_SAME) return 1;
    if (e->shape == SHAPE_ROW)
        return ((int64_t)__builtin_popcount(e->mask) * e->bytes + CACHE_LINE - 1) / CACHE_LINE;
    if (e->space == PTX_LOCAL) return 1;
    access_event as_shared = *e;
    as_shared.space = PTX_SHARED;
    hd__model_count_shared(&c, &as_shared, s);
    return c.wavefronts;
}

// Adds this host thread's sums to those of all.
static void finish(void *any, const machine *m)
{
    recorder *r = any;
    (void)m;
    if (r->shared == NULL) return;
    pthread_mutex_lock(&r->shared->lock);
    r->shared->wavefronts += r->wavefronts;
    pthread_mutex_unlock(&r->shared->lock);
}

// ---- Compare and swap ---------------------------------------------------------------------------

static void remember_swap(recorder *r, const access_event *e)
{
    const operation *o = e->site;
    // A result in the place of what it is compared with tells nothing.
    if (!ptx_has(o->text, PTX_MOD_CAS) || o->d == UINT32_MAX || o->d == o->b) return;
    r->swap_lanes = e->mask & ~e->outside;
    memcpy(r->swap_at, e->address, sizeof r->swap_at);
}

static bool has_swapped(const machine *m, const operation *o, int l)
{
    if (o->bytes == 8)
        return ((const uint64_t *)SLOT(m, o->d))[l] == ((const uint64_t *)SLOT(m, o->b))[l];
    const uint32_t differ =
        ((const uint32_t *)SLOT(m, o->d))[l] ^ ((const uint32_t *)SLOT(m, o->b))[l];
    return (o->bytes == 2 ? differ & 0xffff : differ) == 0;
}

// The lanes that found what they compared with: those that try again wait for them.
static void strong_value(void *any, const machine *m, const operation *o)
{
    recorder *r = any;
    request q;
    q.count = 0;
    for (uint32_t left = r->swap_lanes & m->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        if (!has_swapped(m, o, l)) continue;
        const unsigned s = (unsigned)(r->swap_at[l] / CACHE_SECTOR % CACHE_SECTORS);
        trace_entry *p = part_of(&q, r->swap_at[l] / CACHE_LINE, TRACE_SWAP);
        if (p == NULL) break;
        p->sectors |= 1u << s & 15;
        p->bytes[s]++;
    }
    r->swap_lanes = 0;
    block_trace *t = q.count > 0 ? trace_of(r, m) : NULL;
    if (t == NULL || t->count + q.count > r->shared->max_entries) return;
    if (!append(r, t, &q, m->warp->number)) fail(r);
    t->warp_time[m->warp->number]--; // it is no request of its own
}

static void access(void *any, const machine *m, const access_event *e)
{
    recorder *r = any;
    block_trace *t = trace_of(r, m);
    request q;
    q.count = 0;
    r->swap_lanes = 0;
    if (t == NULL || (e->mask & ~e->outside) == 0) return;
    const trace_kind kind = e->kind == ACCESS_STORE    ? TRACE_STORE
                            : e->kind == ACCESS_ATOMIC ? TRACE_ATOMIC
                            : e->order != ORDER_WEAK   ? TRACE_STRONG
                                                       : TRACE_LOAD;
    if (kind == TRACE_ATOMIC) remember_swap(r, e);
    if (e->poll) return; // how often a thread looks depends on the host
    if (e->site->space == PTX_CONST) {
        split_constant(&q, e);
    } else if (e->space == PTX_LOCAL) {
        split_local(&q, r->shared, m, e, kind == TRACE_STRONG ? TRACE_LOAD : kind);
    } else if (kind == TRACE_ATOMIC) {
        split_atomic(&q, e);
    } else {
        split_global(&q, e, kind);
    }
    if (e->site->space != PTX_CONST) {
        const int64_t banks = wavefronts_of(e, m->grid->settings), lines = (q.count + 2) / 3;
        r->wavefronts += banks > lines ? banks : lines;
    }
    if (!append(r, t, &q, m->warp->number)) fail(r);
}

static void close_recorder(void *any)
{
    recorder *r = any;
    for (block_trace *t = r->blocks, *next; t != NULL; t = next) {
        next = t->next;
        free_trace(t);
    }
    r->blocks = NULL;
}

const observer hd__model_caches_observer = {
    .name = "caches",
    .state_bytes = sizeof(recorder),
    .spaces = 1u << PTX_GLOBAL | 1u << PTX_LOCAL | 1u << PTX_CONST,
    .open = open,
    .begin_block = begin_block,
    .end_block = end_block,
    .access = access,
    .release = release,
    .strong_value = strong_value,
    .finish = finish,
    .close = close_recorder,
};
