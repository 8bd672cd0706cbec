// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores. Elements of up to 8 bytes are read and written at once, as the hardware does,
// so that a racy kernel sees old or new values and never torn ones.
#include "model/exec/access.h"
#include "model/exec/lanes.h"
#include "run.h"

#include <string.h>

#define RELAXED __ATOMIC_RELAXED

static uint64_t read_bytes(const uint8_t *at, int bytes)
{
    switch (bytes) {
    case 1: return __atomic_load_n(at, RELAXED);
    case 2: return __atomic_load_n((const uint16_t *)(const void *)at, RELAXED);
    case 4: return __atomic_load_n((const uint32_t *)(const void *)at, RELAXED);
    default: return __atomic_load_n((const uint64_t *)(const void *)at, RELAXED);
    }
}

static void write_bytes(uint8_t *at, int bytes, uint64_t value)
{
    switch (bytes) {
    case 1: __atomic_store_n(at, (uint8_t)value, RELAXED); break;
    case 2: __atomic_store_n((uint16_t *)(void *)at, (uint16_t)value, RELAXED); break;
    case 4: __atomic_store_n((uint32_t *)(void *)at, (uint32_t)value, RELAXED); break;
    default: __atomic_store_n((uint64_t *)(void *)at, value, RELAXED); break;
    }
}

// Slots of a vector's elements: from the list, or the one of the operand itself.
static uint32_t slot_of(const machine *m, const operation *o, int k)
{
    return o->list == UINT32_MAX ? o->d : m->frame->program->list[o->list + (uint32_t)k];
}

// The register of an element may be wider than the element: o->mode has its bytes, and signed
// types fill it with their sign.
static void load(machine *m, const operation *o)
{
    access_places p;
    hd__model_access_find(m, o, ACCESS_LOAD, o->bytes * o->vector, &p);
    const int shift = 64 - 8 * o->bytes;
    const bool is_signed = hd__model_ptx_type_kind((ptx_type)o->type) == PTX_SIGNED;
    for (int k = 0; k < o->vector; k++) {
        const uint32_t slot = slot_of(m, o, k);
        if (slot == UINT32_MAX) continue; // _
        uint32_t *narrow = SLOT(m, slot);
        uint64_t *wide = SLOT(m, slot);
        for (int l = 0; l < WARP; l++) {
            if (!(m->mask >> l & 1)) continue;
            uint64_t bits = p.good >> l & 1 ? read_bytes(p.host[l] + k * o->bytes, o->bytes) : 0;
            if (is_signed) bits = (uint64_t)((int64_t)(bits << shift) >> shift);
            if (o->mode == 8)
                wide[l] = bits;
            else
                narrow[l] = o->mode == 2 ? (uint16_t)bits : (uint32_t)bits;
        }
    }
}

// 32 words one after another, each read at once. Two threads of the host may meet here in a kernel
// that races, as they would on the hardware.
__attribute__((no_sanitize("thread"))) static void copy_row(uint32_t *to, const uint32_t *from)
{
    EACH_LANE
    for (int l = 0; l < WARP; l++) to[l] = from[l];
}

static void load_word(machine *m, const operation *o)
{
    access_places p;
    uint32_t *d = SLOT(m, o->d);
    hd__model_access_find(m, o, ACCESS_LOAD, 4, &p);
    if (p.shape == SHAPE_ROW && m->mask == ~0u) {
        copy_row(d, (const uint32_t *)(const void *)p.host[0]);
        return;
    }
    if (p.shape == SHAPE_SAME && m->mask == ~0u) {
        const uint32_t word = __atomic_load_n((const uint32_t *)(const void *)p.host[0], RELAXED);
        for (int l = 0; l < WARP; l++) d[l] = word;
        return;
    }
    for (uint32_t left = m->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        d[l] = p.good >> l & 1 ? __atomic_load_n((const uint32_t *)(const void *)p.host[l], RELAXED)
                               : 0;
    }
}

// 8 bytes: addresses and sizes, above all the parameters of a kernel, which are the same for all.
static void load_double_word(machine *m, const operation *o)
{
    access_places p;
    uint64_t *d = SLOT(m, o->d);
    hd__model_access_find(m, o, ACCESS_LOAD, 8, &p);
    if (p.shape == SHAPE_SAME && m->mask == ~0u) {
        const uint64_t word = __atomic_load_n((const uint64_t *)(const void *)p.host[0], RELAXED);
        for (int l = 0; l < WARP; l++) d[l] = word;
        return;
    }
    for (uint32_t left = m->mask; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        d[l] = p.good >> l & 1 ? __atomic_load_n((const uint64_t *)(const void *)p.host[l], RELAXED)
                               : 0;
    }
}

static void store_word(machine *m, const operation *o)
{
    access_places p;
    const uint32_t *d = SLOT(m, o->d);
    hd__model_access_find(m, o, ACCESS_STORE, 4, &p);
    if (p.shape == SHAPE_ROW && m->mask == ~0u) {
        copy_row((uint32_t *)(void *)p.host[0], d);
        return;
    }
    for (uint32_t left = p.good; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        __atomic_store_n((uint32_t *)(void *)p.host[l], d[l], RELAXED);
    }
}

// A strong load: observers are notified when its values are there.
static void load_strong(machine *m, const operation *o)
{
    load(m, o);
    for (const subscriber *h = m->subscribers[EVENT_STRONG_VALUE]; h->by != NULL; h++)
        h->by->strong_value(h->state, m, o);
}

static void store(machine *m, const operation *o)
{
    access_places p;
    hd__model_access_find(m, o, ACCESS_STORE, o->bytes * o->vector, &p);
    for (int k = 0; k < o->vector; k++) {
        const uint32_t slot = slot_of(m, o, k);
        const uint32_t *narrow = SLOT(m, slot);
        const uint64_t *wide = SLOT(m, slot);
        for (int l = 0; l < WARP; l++)
            if (p.good >> l & 1)
                write_bytes(p.host[l] + k * o->bytes, o->bytes, o->mode == 8 ? wide[l] : narrow[l]);
    }
}

static void nothing(machine *m, const operation *o)
{
    (void)m, (void)o;
}

static access_order order_of(const ptx_instruction *i)
{
    return ptx_has(i, PTX_MOD_VOLATILE) || ptx_has(i, PTX_MOD_MMIO) ? ORDER_VOLATILE
           : ptx_has(i, PTX_MOD_RELAXED)                            ? ORDER_RELAXED
           : ptx_has(i, PTX_MOD_ACQ_REL)                            ? ORDER_ACQ_REL
           : ptx_has(i, PTX_MOD_ACQUIRE)                            ? ORDER_ACQUIRE
           : ptx_has(i, PTX_MOD_RELEASE)                            ? ORDER_RELEASE
                                                                    : ORDER_WEAK;
}

run_operation *hd__model_dispatch_memory(const ptx_instruction *i, operation *o)
{
    switch (i->op) {
    case PTX_OP_prefetch:
    case PTX_OP_prefetchu:
    case PTX_OP_applypriority:
    case PTX_OP_discard:
    case PTX_OP_createpolicy: return nothing;
    case PTX_OP_ld:
    case PTX_OP_ldu:
    case PTX_OP_st: break;
    default: return NULL;
    }
    o->order = (uint8_t)order_of(i);
    if (o->bytes > 8) return NULL;
    const bool one = o->vector == 1 && o->list == UINT32_MAX && o->bytes == o->mode;
    if (i->op == PTX_OP_st) return one && o->bytes == 4 ? store_word : store;
    if (o->order != ORDER_WEAK) return load_strong;
    return one && o->bytes == 4 ? load_word : one && o->bytes == 8 ? load_double_word : load;
}
