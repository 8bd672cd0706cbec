// SPDX-License-Identifier: Apache-2.0
//
// The queue of a warp's copies that run by themselves, and the moving of their bytes.
#include "copies.h"
#include "access.h"

#include <string.h>

void hd__model_copies_forget(warp *w)
{
    if (w->copies == NULL) return;
    w->copies->count = 0;
    memset(w->copies->groups, 0, sizeof w->copies->groups);
}

void hd__model_copy_move(machine *m, const copy *c, uint32_t lanes)
{
    const uint32_t mask = m->mask;
    const operation *o = c->site;
    access_places from = {.order = ORDER_WEAK}, to = {.order = ORDER_WEAK};
    uint32_t reading = 0;
    for (int l = 0; l < WARP; l++) {
        from.address[l] = c->from[l], to.address[l] = c->to[l];
        reading |= (uint32_t)(c->read[l] > 0) << l;
    }
    m->mask = lanes & reading;
    if (m->mask != 0) hd__model_access_places(m, o, PTX_GLOBAL, ACCESS_LOAD, o->bytes, &from);
    m->mask = lanes;
    hd__model_access_places(m, o, PTX_SHARED, ACCESS_STORE, o->bytes, &to);
    m->mask = mask;
    for (uint32_t left = to.good; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        const bool reads = (from.good & reading) >> l & 1;
        memset(to.host[l], 0, o->bytes);
        if (reads) memcpy(to.host[l], from.host[l], c->read[l]);
    }
}

static uint32_t lanes_due(const struct copies *all, const copy *c, uint32_t lanes, int64_t keep)
{
    uint32_t due = 0;
    if (keep == COPIES_ALL) return c->mask & lanes;
    for (uint32_t left = c->mask & lanes; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        due |= (uint32_t)((int64_t)c->group[l] < (int64_t)all->groups[l] - keep) << l;
    }
    return due;
}

void hd__model_copies_finish(machine *m, uint32_t lanes, int64_t keep)
{
    struct copies *all = m->warp->copies;
    int32_t kept = 0;
    for (int32_t k = 0; all != NULL && k < all->count; k++) {
        copy *c = &all->at[k];
        const uint32_t due = lanes_due(all, c, lanes, keep);
        if (due != 0) hd__model_copy_move(m, c, due);
        c->mask &= ~due;
        if (c->mask == 0) continue;
        if (kept != k) all->at[kept] = *c;
        kept++;
    }
    if (all != NULL) all->count = kept;
}
