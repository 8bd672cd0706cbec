// SPDX-License-Identifier: Apache-2.0
//
// From addresses to places.
#include "access.h"
#include "lanes.h"

#include <string.h>

static ptx_space space_of(uint64_t address)
{
    switch (address >> 40) {
    case SHARED_WINDOW >> 40: return PTX_SHARED;
    case LOCAL_WINDOW >> 40: return PTX_LOCAL;
    case PARAM_WINDOW >> 40: return PTX_PARAM;
    default: return PTX_GLOBAL;
    }
}

static uint8_t *find_global(machine *m, uint64_t address, int bytes)
{
    if (!allocation_holds(m->recent, address, bytes)) {
        allocation *a = hd__model_device_find(m->grid->memory, address);
        if (!allocation_holds(a, address, bytes)) return NULL;
        m->recent = a;
    }
    return m->recent->data + (address - m->recent->address);
}

// A block's own memory is at 0 and at its rank's place.
static uint8_t *find_shared(const machine *m, uint64_t address, int bytes)
{
    const block *b = m->block;
    const uint64_t rank = address / SHARED_OF_RANK;
    if (rank > 0) {
        if (rank - 1 >= (uint64_t)b->cluster->blocks) return NULL;
        b = b->cluster->block[rank - 1];
        address %= SHARED_OF_RANK;
    }
    if (bytes > b->shared_bytes || address > (uint64_t)(b->shared_bytes - bytes)) return NULL;
    return b->shared + address;
}

static uint8_t *find_local(const machine *m, uint64_t address, int bytes, int lane)
{
    const warp *w = m->warp;
    if (bytes > w->local_bytes || address > (uint64_t)(w->local_bytes - bytes)) return NULL;
    return w->local + (size_t)lane * (size_t)w->local_bytes + address;
}

// A kernel's parameters are the grid's, a function's those of its frame.
static uint8_t *find_param(const machine *m, uint64_t address, int bytes, int lane)
{
    const frame *f = m->frame;
    const bool entry = f->caller == NULL;
    const int64_t room = entry ? m->grid->param_bytes : f->program->frame_bytes;
    if (bytes > room || address > (uint64_t)(room - bytes)) return NULL;
    if (entry) return (uint8_t *)(uintptr_t)m->grid->params + address;
    return f->params + (size_t)lane * (size_t)room + address;
}

static uint8_t *find(machine *m, ptx_space space, uint64_t address, int bytes, int lane)
{
    switch (space) {
    case PTX_SHARED: return find_shared(m, address, bytes);
    case PTX_LOCAL: return find_local(m, address, bytes, lane);
    case PTX_PARAM: return find_param(m, address, bytes, lane);
    default: return find_global(m, address, bytes);
    }
}

// ---- Telling ------------------------------------------------------------------------------------

// Whether a strong load or an atomic of this warp finds what its last one found: the same
// instruction, lanes, addresses and values.
static bool polls(const machine *m, const access_event *e)
{
    warp *w = m->warp;
    uint64_t found = 0;
    for (uint32_t left = e->mask & ~(e->outside | e->unaligned); left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        uint64_t value = 0;
        memcpy(&value, e->host[l], e->bytes < 8 ? (size_t)e->bytes : 8);
        found = (found ^ value ^ e->address[l] << 20) * 0x9e3779b97f4a7c15u;
        found ^= found >> 29;
    }
    const bool same =
        w->strong.site == e->site && w->strong.mask == e->mask && w->strong.found == found;
    w->strong.site = e->site, w->strong.mask = e->mask, w->strong.found = found;
    return same;
}

static void notify(machine *m, access_event *e, const access_places *p)
{
    if (e->space == PTX_PARAM) return; // no traffic of its own
    const operation *o = e->site;
    e->address = p->address, e->host = p->host;
    e->order = p->order, e->scope = (access_scope)o->scope;
    if (e->kind == ACCESS_ATOMIC || (e->order != ORDER_WEAK && e->kind == ACCESS_LOAD)) {
        e->poll = e->space != PTX_LOCAL && polls(m, e);
        m->polled |= e->poll;
    }
    notify_access(m, e);
}

// ---- Lane by lane -------------------------------------------------------------------------------

// The lanes of `mask`, all of one space.
static void find_each(machine *m, const operation *o, ptx_space space, uint32_t mask, int bytes,
                      access_kind kind, access_places *p)
{
    access_event e = {.site = o, .kind = kind, .space = space, .mask = mask, .bytes = bytes};
    for (int l = 0; l < WARP; l++) {
        if (!(mask >> l & 1)) continue;
        // The block's own memory, called by its rank, is what it is without.
        if (space == PTX_SHARED && p->address[l] / SHARED_OF_RANK == (uint64_t)m->block->rank + 1)
            p->address[l] %= SHARED_OF_RANK;
        const uint64_t address = p->address[l];
        uint8_t *host = find(m, space, address, bytes, l);
        if (address % (uint64_t)(bytes & -bytes) != 0)
            e.unaligned |= 1u << l, host = NULL;
        else if (host == NULL)
            e.outside |= 1u << l;
        p->host[l] = host;
        if (host != NULL) p->good |= 1u << l;
    }
    p->shape = SHAPE_ANY;
    notify(m, &e, p);
}

// ---- The whole warp at once ---------------------------------------------------------------------

#define FEW 6 // lanes that are looked at one by one rather than all 32 at once

// A chunk of memory: its first address, its length, where it is.
typedef struct chunk {
    uint64_t address;
    int64_t bytes;
    uint8_t *host;
    size_t apart; // of two lanes' own copies; 0: there is one for all
} chunk;

static bool chunk_of(machine *m, ptx_space space, uint64_t address, chunk *p)
{
    const frame *f = m->frame;
    switch (space) {
    case PTX_SHARED: *p = (chunk){0, m->block->shared_bytes, m->block->shared, 0}; return true;
    case PTX_LOCAL:
        *p = (chunk){0, m->warp->local_bytes, m->warp->local, (size_t)m->warp->local_bytes};
        return true;
    case PTX_PARAM:
        if (f->caller == NULL)
            *p = (chunk){0, m->grid->param_bytes, (uint8_t *)(uintptr_t)m->grid->params, 0};
        else
            *p = (chunk){0, f->program->frame_bytes, f->params, (size_t)f->program->frame_bytes};
        return true;
    default:
        if (find_global(m, address, 1) == NULL) return false;
        *p = (chunk){m->recent->address, m->recent->bytes, m->recent->data, 0};
        return true;
    }
}

// How the addresses of the lanes of the mask lie.
static access_shape shape_of(machine *m, const uint64_t *address, int bytes)
{
    const int lead = __builtin_ctz(m->mask);
    const uint64_t first = address[lead], step = (uint64_t)bytes;
    uint64_t row = 0, same = 0;
    if (m->mask == ~0u) {
        for (int l = 0; l < WARP; l++) {
            const uint64_t off = address[l] - first;
            same |= off;
            row |= off - (uint64_t)l * step;
        }
        return row == 0 ? SHAPE_ROW : same == 0 ? SHAPE_SAME : SHAPE_ANY;
    }
    if (__builtin_popcount(m->mask) <= FEW) {
        for (uint32_t left = m->mask; left != 0; left &= left - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(left);
            const uint64_t off = address[l] - first;
            same |= off;
            row |= off - l * step;
        }
    } else {
        machine_spread(m);
        for (int l = 0; l < WARP; l++) {
            const uint64_t off = address[l] - first;
            same |= off & m->lane64[l];
            row |= (off - (uint64_t)l * step) & m->lane64[l];
        }
    }
    if (row == 0 && (m->mask & (m->mask + 1)) == 0) return SHAPE_ROW;
    return same == 0 ? SHAPE_SAME : SHAPE_ANY;
}

// Whether all lanes of the mask lie in a chunk, aligned. `bytes` is a power of two.
static bool all_in(machine *m, const uint64_t *address, int bytes, access_shape shape,
                   const chunk *in)
{
    const uint64_t size = (uint64_t)bytes, low = size - 1;
    if (bytes > in->bytes) return false;
    const uint64_t last = (uint64_t)in->bytes - size;
    const uint64_t lead = address[__builtin_ctz(m->mask)], first = lead - in->address;
    uint64_t wrong = 0;
    if (shape != SHAPE_ANY) {
        const uint64_t beyond =
            shape == SHAPE_ROW ? (uint64_t)(__builtin_popcount(m->mask) - 1) * size : 0;
        return first <= last && beyond <= last - first && (lead & low) == 0;
    }
    if (__builtin_popcount(m->mask) <= FEW) {
        for (uint32_t left = m->mask; left != 0; left &= left - 1) {
            const uint64_t at = address[__builtin_ctz(left)];
            wrong |= (uint64_t)(at - in->address > last) | (at & low);
        }
        return wrong == 0;
    }
    machine_spread(m);
    for (int l = 0; l < WARP; l++) {
        const uint64_t off = address[l] - in->address;
        wrong |= ((off > last ? ~(uint64_t)0 : 0) | (address[l] & low)) & m->lane64[l];
    }
    return wrong == 0;
}

// One question for the whole warp, the usual case. false: lane by lane, please.
static bool find_together(machine *m, const operation *o, ptx_space space, int bytes,
                          access_kind kind, access_places *p)
{
    chunk in;
    if ((bytes & (bytes - 1)) != 0 || !chunk_of(m, space, p->address[__builtin_ctz(m->mask)], &in))
        return false;
    const access_shape shape = shape_of(m, p->address, bytes);
    if (!all_in(m, p->address, bytes, shape, &in)) return false;
    const uintptr_t first = (uintptr_t)in.host; // lanes that do not ask may be anywhere
    if (in.apart == 0) {
        EACH_LANE
        for (int l = 0; l < WARP; l++)
            p->host[l] = (uint8_t *)(first + (uintptr_t)(p->address[l] - in.address));
    } else {
        for (int l = 0; l < WARP; l++)
            p->host[l] = (uint8_t *)(first + (uintptr_t)l * in.apart +
                                     (uintptr_t)(p->address[l] - in.address));
    }
    p->good = m->mask;
    p->shape = in.apart == 0 ? shape : SHAPE_ANY;
    if (space == PTX_PARAM) return true;
    access_event e = {.site = o,
                      .kind = kind,
                      .space = space,
                      .mask = m->mask,
                      .bytes = bytes,
                      .shape = shape,
                      .allocation = space == PTX_GLOBAL || space == PTX_CONST ? m->recent : NULL};
    notify(m, &e, p);
    return true;
}

// ---- Spaces -------------------------------------------------------------------------------------

// Generic addresses that are all of one window, made into those of its space. false: they are not.
static bool settle(machine *m, access_places *p, ptx_space *space)
{
    *space = space_of(p->address[__builtin_ctz(m->mask)]);
    uint64_t others = 0;
    machine_spread(m);
    if (*space == PTX_GLOBAL) {
        for (int l = 0; l < WARP; l++)
            others |= (uint64_t)(p->address[l] - SHARED_WINDOW < 3 * SHARED_WINDOW) & m->lane64[l];
        return others == 0;
    }
    const uint64_t window = p->address[__builtin_ctz(m->mask)] >> 40 << 40;
    for (int l = 0; l < WARP; l++) others |= (p->address[l] ^ window) >> 40 & m->lane64[l];
    if (others != 0) return false;
    EACH_LANE
    for (int l = 0; l < WARP; l++) p->address[l] &= WINDOW_BYTES - 1;
    return true;
}

void hd__model_access_places(machine *m, const operation *o, ptx_space space, access_kind kind,
                             int bytes, access_places *p)
{
    p->good = 0;
    if (space != PTX_GENERIC || settle(m, p, &space)) {
        if (!find_together(m, o, space, bytes, kind, p))
            find_each(m, o, space, m->mask, bytes, kind, p);
        return;
    }
    uint32_t of_space[PTX_PARAM + 1] = {0};
    for (int l = 0; l < WARP; l++) {
        const ptx_space of_lane = space_of(p->address[l]);
        of_space[of_lane] |= (m->mask >> l & 1u) << l;
        if (of_lane != PTX_GLOBAL) p->address[l] &= WINDOW_BYTES - 1;
    }
    for (int s = 0; s <= PTX_PARAM; s++)
        if (of_space[s] != 0) find_each(m, o, (ptx_space)s, of_space[s], bytes, kind, p);
}

void hd__model_access_find(machine *m, const operation *o, access_kind kind, int bytes,
                           access_places *p)
{
    if (kind == ACCESS_ATOMIC || o->order != ORDER_WEAK) m->warp->polls++;
    const uint64_t *wide = SLOT(m, o->a), offset = (uint64_t)o->offset;
    const uint32_t *narrow = SLOT(m, o->a);
    if (o->type2 == 8) { // the register of the address
        EACH_LANE
        for (int l = 0; l < WARP; l++) p->address[l] = wide[l] + offset;
    } else {
        EACH_LANE
        for (int l = 0; l < WARP; l++) p->address[l] = narrow[l] + offset;
    }
    p->order = (access_order)o->order;
    if (o->space == PTX_SHARED) // a shared address has 32 bits, whatever its register's width
        for (int l = 0; l < WARP; l++) p->address[l] = (uint32_t)p->address[l];
    hd__model_access_places(m, o, (ptx_space)o->space, kind, bytes, p);
}
