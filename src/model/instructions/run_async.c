// SPDX-License-Identifier: Apache-2.0
//
// Copies between global and shared memory that run by themselves: cp.async of 4, 8 or 16 bytes a
// lane, in groups; and its bulk form, whose bytes an mbarrier counts.
#include "model/exec/access.h"
#include "model/exec/copies.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

// ---- Copies of lanes ----------------------------------------------------------------------------

static struct copies *copies_of(machine *m, const operation *o)
{
    if (m->warp->copies == NULL) m->warp->copies = calloc(1, sizeof *m->warp->copies);
    if (m->warp->copies == NULL) hd__model_machine_fail(m, o, "no memory for copies");
    return m->warp->copies;
}

// The bytes may be written from now on: of lanes whose place is in the block's own memory. Others
// fail when they move.
static void notify_early(const machine *m, const copy *c)
{
    const uint64_t bytes = c->site->bytes, end = (uint64_t)m->block->shared_bytes;
    uint32_t inside = 0;
    for (int l = 0; l < WARP; l++)
        inside |= (uint32_t)(c->to[l] % bytes == 0 && c->to[l] + bytes <= end) << l;
    if ((inside &= c->mask) == 0) return;
    const access_event e = {.site = c->site,
                            .kind = ACCESS_STORE,
                            .space = PTX_SHARED,
                            .mask = inside,
                            .address = c->to,
                            .bytes = c->site->bytes};
    for (const subscriber *h = m->subscribers[EVENT_ACCESS(PTX_SHARED, ACCESS_STORE)];
         h->by != NULL; h++)
        if (h->by->early) h->by->access(h->state, m, &e);
}

// [to], [from], bytes {, bytes that are read}
static void copy_lanes(machine *m, const operation *o)
{
    struct copies *all = copies_of(m, o);
    if (all == NULL) return;
    if (all->count == MAX_WAITING) {
        hd__model_copy_move(m, &all->at[0], all->at[0].mask);
        memmove(&all->at[0], &all->at[1], (MAX_WAITING - 1) * sizeof all->at[0]);
        all->count--;
    }
    copy *c = &all->at[all->count++];
    *c = (copy){.site = o, .mask = m->mask};
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const uint64_t read = o->count > 3 && !o->mode ? listed_value(m, o, 3, l) : o->bytes;
        c->to[l] = (uint32_t)listed_value(m, o, 0, l), c->from[l] = listed_value(m, o, 1, l);
        c->read[l] = (uint8_t)(read < o->bytes ? read : o->bytes);
        if (o->mode == 2 && listed_value(m, o, 3, l)) c->read[l] = 0; // the source is ignored
        c->group[l] = all->groups[l];
    }
    notify_early(m, c);
}

static void commit_group(machine *m, const operation *o)
{
    struct copies *all = copies_of(m, o);
    for (int l = 0; all != NULL && l < WARP; l++) all->groups[l] += m->mask >> l & 1;
}

static void wait_group(machine *m, const operation *o)
{
    if (m->warp->copies != NULL) hd__model_copies_finish(m, m->mask, o->offset);
}

// The mbarrier subscribes of the copies so far. Without .noinc it expects one arrival more, which
// this is: nothing changes.
static void arrive_after(machine *m, const operation *o)
{
    if (m->warp->copies != NULL) hd__model_copies_finish(m, m->mask, COPIES_ALL);
    if (o->mode) hd__model_mbarrier_arrive(m, o, 0);
}

// ---- Bulk copies --------------------------------------------------------------------------------

#define CHUNK 128

// The largest power of two that both addresses are multiples of, and that is left.
static int64_t chunk_of(uint64_t a, uint64_t b, int64_t left)
{
    int64_t chunk = CHUNK;
    while (chunk > 16 && (chunk > left || ((a | b) & (uint64_t)(chunk - 1)) != 0)) chunk /= 2;
    return chunk;
}

typedef struct bulk {
    ptx_space from_space, to_space;
    uint64_t from, to;
    int64_t bytes;
} bulk;

static void move_bulk(machine *m, const operation *o, const bulk *b, int lane)
{
    const uint32_t mask = m->mask;
    access_places from = {.order = ORDER_WEAK}, to = {.order = ORDER_WEAK};
    m->mask = 1u << lane;
    for (int64_t done = 0, chunk; done < b->bytes && !m->failed; done += chunk) {
        const uint64_t at = (uint64_t)done;
        chunk = chunk_of(b->from + at, b->to + at, b->bytes - done);
        from.address[lane] = b->from + at, to.address[lane] = b->to + at;
        hd__model_access_places(m, o, b->from_space, ACCESS_LOAD, (int)chunk, &from);
        hd__model_access_places(m, o, b->to_space, ACCESS_STORE, (int)chunk, &to);
        if (from.good != 0 && to.good != 0) memmove(to.host[lane], from.host[lane], (size_t)chunk);
    }
    m->mask = mask;
}

#define MAX_BULK (1 << 20) // bytes: more than any shared memory

static bool bulk_of(machine *m, const operation *o, int lane, bulk *b)
{
    *b = (bulk){.to = listed_value(m, o, 0, lane),
                .from = listed_value(m, o, 1, lane),
                .bytes = (uint32_t)listed_value(m, o, 2, lane),
                .to_space = o->type == PTX_GLOBAL ? PTX_GLOBAL : PTX_SHARED,
                .from_space = o->type2 == PTX_GLOBAL ? PTX_GLOBAL : PTX_SHARED};
    if (b->to_space == PTX_SHARED) b->to = (uint32_t)b->to;
    if (b->from_space == PTX_SHARED) b->from = (uint32_t)b->from;
    if (b->bytes % 16 == 0 && b->bytes <= MAX_BULK && (b->from | b->to) % 16 == 0) return true;
    hd__model_machine_fail(
        m, o, "a bulk copy of %lld bytes from 0x%llx to 0x%llx; all must be multiples of 16",
        (long long)b->bytes, (unsigned long long)b->from, (unsigned long long)b->to);
    return false;
}

static void bulk_from(machine *m, const operation *o)
{
    bulk b;
    for (uint32_t left = m->mask; left != 0 && !m->failed; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (bulk_of(m, o, lane, &b)) move_bulk(m, o, &b, lane);
    }
}

// The bytes come to shared memory, and an mbarrier is notified; with .multicast to that place of
// every block of a mask.
static void bulk_to(machine *m, const operation *o)
{
    bulk b;
    for (uint32_t left = m->mask; left != 0 && !m->failed; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (!bulk_of(m, o, lane, &b)) return;
        const uint64_t bar = (uint32_t)listed_value(m, o, 3, lane);
        if (!o->mode) {
            move_bulk(m, o, &b, lane);
            hd__model_mbarrier_complete(m, o->also, bar, lane, b.bytes);
            continue;
        }
        const uint32_t blocks = (uint32_t)listed_value(m, o, 4, lane);
        for (uint64_t rank = 0; rank < (uint64_t)m->block->cluster->blocks; rank++) {
            if (!(blocks >> rank & 1)) continue;
            const uint64_t base = (rank + 1) * SHARED_OF_RANK;
            bulk there = b;
            there.to = base + b.to % SHARED_OF_RANK;
            move_bulk(m, o, &there, lane);
            hd__model_mbarrier_complete(m, o->also, base + bar % SHARED_OF_RANK, lane, b.bytes);
        }
    }
}

// Bulk copies to global memory are made at once, and a prefetch to the L2 changes nothing.
static void nothing(machine *m, const operation *o)
{
    (void)m, (void)o;
}

// ---- Dispatch -----------------------------------------------------------------------------------

// The k-th space that an instruction names.
static ptx_space space_at(const ptx_instruction *i, int k)
{
    for (int j = 0; j < i->mods; j++) {
        const int mod = i->mod[j];
        const bool shared =
            mod == PTX_MOD_SHARED || mod == PTX_MOD_SHARED_CTA || mod == PTX_MOD_SHARED_CLUSTER;
        if ((shared || mod == PTX_MOD_GLOBAL) && k-- == 0) return shared ? PTX_SHARED : PTX_GLOBAL;
    }
    return PTX_GENERIC;
}

static run_operation *dispatch_bulk(const ptx_instruction *i, operation *o)
{
    if (ptx_has(i, PTX_MOD_COMMIT_GROUP) || ptx_has(i, PTX_MOD_WAIT_GROUP)) return nothing;
    if (ptx_has(i, PTX_MOD_PREFETCH))
        return i->operands >= 2 && ptx_has(i, PTX_MOD_L2) && space_at(i, 0) == PTX_GLOBAL ? nothing
                                                                                          : NULL;
    o->type = (uint8_t)space_at(i, 0), o->type2 = (uint8_t)space_at(i, 1);
    o->mode = ptx_has(i, PTX_MOD_MULTICAST_CLUSTER);
    if (o->type == PTX_GENERIC || o->type2 == PTX_GENERIC || i->operands < 3) return NULL;
    if (o->type == PTX_GLOBAL) return o->type2 == PTX_SHARED && !o->mode ? bulk_from : NULL;
    if (i->operands < 4 + (int)o->mode || !ptx_has(i, PTX_MOD_COMPLETE_TX_BYTES)) return NULL;
    return bulk_to;
}

static run_operation *dispatch_wait(const ptx_instruction *i, operation *o)
{
    o->offset = COPIES_ALL;
    if (ptx_has(i, PTX_MOD_WAIT_ALL)) return i->operands == 0 ? wait_group : NULL;
    if (i->operands != 1 || i->operand[0].kind != PTX_IMMEDIATE) return NULL;
    o->offset = (int64_t)(i->operand[0].value & INT32_MAX);
    return wait_group;
}

run_operation *hd__model_dispatch_async(const ptx_instruction *i, operation *o)
{
    if (!ptx_has(i, PTX_MOD_ASYNC)) return NULL;
    if (ptx_has(i, PTX_MOD_BULK)) return dispatch_bulk(i, o);
    if (ptx_has(i, PTX_MOD_COMMIT_GROUP)) return i->operands == 0 ? commit_group : NULL;
    if (ptx_has(i, PTX_MOD_WAIT_GROUP) || ptx_has(i, PTX_MOD_WAIT_ALL)) return dispatch_wait(i, o);
    if (ptx_has(i, PTX_MOD_MBARRIER)) {
        o->mode = ptx_has(i, PTX_MOD_NOINC);
        o->order = ORDER_RELEASE;
        return i->operands == 1 && ptx_has(i, PTX_MOD_ARRIVE) ? arrive_after : NULL;
    }
    if (space_at(i, 0) != PTX_SHARED || space_at(i, 1) != PTX_GLOBAL || i->operands < 3 ||
        i->operand[2].kind != PTX_IMMEDIATE)
        return NULL;
    o->bytes = (uint8_t)i->operand[2].value;
    // What the fourth operand is: bytes to read (0), a cache policy (1), "ignore the source" (2).
    const int extra = i->operands - 3 - ptx_has(i, PTX_MOD_L2_CACHE_HINT);
    o->mode = extra < 1 ? 1 : 0;
    if (extra == 1 && (o->b >> 3 & 1)) o->mode = 2;
    return o->bytes == 4 || o->bytes == 8 || o->bytes == 16 ? copy_lanes : NULL;
}
