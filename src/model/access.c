// SPDX-License-Identifier: Apache-2.0
//
// From addresses to places.
#include "model/access.h"

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
        allocation *a = hd__device_find(m->grid->memory, address);
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
        if (rank - 1 >= (uint64_t)b->cluster_blocks) return NULL;
        b = b->cluster[rank - 1];
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

// The lanes of `mask`, all of one space.
static void find_in(machine *m, const operation *o, ptx_space space, uint32_t mask, int bytes,
                    access_kind kind, access_places *p)
{
    access_event e = {.site = o, .kind = kind, .space = space, .mask = mask, .bytes = bytes};
    for (int l = 0; l < WARP; l++) {
        if (!(mask >> l & 1)) continue;
        const uint64_t address = p->address[l];
        uint8_t *host = find(m, space, address, bytes, l);
        if (address % (uint64_t)(bytes & -bytes) != 0)
            e.unaligned |= 1u << l, host = NULL;
        else if (host == NULL)
            e.outside |= 1u << l;
        p->host[l] = host;
        if (host != NULL) p->good |= 1u << l;
    }
    if (space == PTX_PARAM) return; // no traffic of its own
    e.address = p->address, e.host = p->host;
    e.order = (access_order)o->order, e.scope = (access_scope)o->scope;
    notify_access(m, &e);
}

// The whole warp in one allocation of global memory, aligned: the usual case, without questions.
static bool find_plainly(machine *m, const operation *o, int bytes, access_kind kind,
                         access_places *p)
{
    if (o->space != PTX_GLOBAL || m->mask != ~0u || m->recent == NULL || m->recent->freed ||
        bytes > m->recent->bytes)
        return false;
    const uint64_t first = m->recent->address;
    const uint64_t last = first + (uint64_t)(m->recent->bytes - bytes);
    uint64_t wrong = 0;
    for (int l = 0; l < WARP; l++) {
        const uint64_t at = p->address[l];
        wrong |= (uint64_t)(at < first) | (uint64_t)(at > last) | (at & (uint64_t)(bytes - 1));
    }
    if (wrong != 0 || (bytes & (bytes - 1)) != 0) return false;
    for (int l = 0; l < WARP; l++) p->host[l] = m->recent->data + (p->address[l] - first);
    p->good = ~0u;
    const access_event e = {.site = o,
                            .kind = kind,
                            .space = PTX_GLOBAL,
                            .mask = ~0u,
                            .address = p->address,
                            .host = p->host,
                            .bytes = bytes,
                            .order = (access_order)o->order,
                            .scope = (access_scope)o->scope};
    notify_access(m, &e);
    return true;
}

void hd__access_find(machine *m, const operation *o, access_kind kind, int bytes, access_places *p)
{
    const uint64_t *wide = SLOT(m, o->a);
    const uint32_t *narrow = SLOT(m, o->a);
    const bool is_wide = o->type2 == 8; // the register of the address
    for (int l = 0; l < WARP; l++)
        p->address[l] = (is_wide ? wide[l] : narrow[l]) + (uint64_t)o->offset;
    p->good = 0;
    if (find_plainly(m, o, bytes, kind, p)) return;
    if (o->space != PTX_GENERIC) {
        if (o->space == PTX_SHARED)
            for (int l = 0; l < WARP; l++) p->address[l] = (uint32_t)p->address[l];
        find_in(m, o, (ptx_space)o->space, m->mask, bytes, kind, p);
        return;
    }
    uint32_t of_space[PTX_PARAM + 1] = {0};
    for (int l = 0; l < WARP; l++) {
        const ptx_space space = space_of(p->address[l]);
        of_space[space] |= (m->mask >> l & 1u) << l;
        if (space != PTX_GLOBAL) p->address[l] &= WINDOW_BYTES - 1;
    }
    for (int s = 0; s <= PTX_PARAM; s++)
        if (of_space[s] != 0) find_in(m, o, (ptx_space)s, of_space[s], bytes, kind, p);
}
