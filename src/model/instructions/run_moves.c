// SPDX-License-Identifier: Apache-2.0
//
// mov: copies, packing and unpacking of vectors, and special registers that change while a warp
// runs.
#include "model/exec/lanes.h"
#include "run.h"

static void move_32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, A);
}

static void move_64(machine *m, const operation *o)
{
    EACH(uint64_t, uint64_t, A);
}

static void move_predicate(machine *m, const operation *o)
{
    uint32_t *d = SLOT(m, o->d), a = *(const uint32_t *)SLOT(m, o->a);
    if (o->negate_a) a = ~a;
    *d = (*d & ~m->mask) | (a & m->mask);
}

// mov.b64 d, {a, b}: o->bytes each, the first lowest.
static void pack(machine *m, const operation *o)
{
    const uint32_t *slots = m->frame->program->list + o->list;
    const int bits = 8 * o->bytes;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        uint64_t value = 0;
        for (int k = 0; k < o->vector; k++) {
            const uint32_t *from = SLOT(m, slots[k]);
            value |= ((uint64_t)from[l] & (((uint64_t)1 << bits) - 1)) << (k * bits);
        }
        if (o->bytes * o->vector == 8)
            ((uint64_t *)SLOT(m, o->d))[l] = value;
        else
            ((uint32_t *)SLOT(m, o->d))[l] = (uint32_t)value;
    }
}

static void unpack(machine *m, const operation *o)
{
    const uint32_t *slots = m->frame->program->list + o->list;
    const int bits = 8 * o->bytes;
    const bool wide = o->bytes * o->vector == 8;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const uint64_t value =
            wide ? ((const uint64_t *)SLOT(m, o->a))[l] : ((const uint32_t *)SLOT(m, o->a))[l];
        for (int k = 0; k < o->vector; k++)
            if (slots[k] != UINT32_MAX)
                ((uint32_t *)SLOT(m, slots[k]))[l] =
                    (uint32_t)(value >> (k * bits) & (((uint64_t)1 << bits) - 1));
    }
}

// Clocks tick by one for each instruction the warp has run.
static void read_clock(machine *m, const operation *o)
{
    const uint64_t now = m->clock;
    const bool high = o->mode == PTX_SR_CLOCK_HI || o->mode == PTX_SR_GLOBALTIMER_HI;
    const bool wide = o->mode == PTX_SR_CLOCK64 || o->mode == PTX_SR_GLOBALTIMER;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        if (wide)
            ((uint64_t *)SLOT(m, o->d))[l] = now;
        else
            ((uint32_t *)SLOT(m, o->d))[l] = (uint32_t)(high ? now >> 32 : now);
    }
}

static bool is_clock(const ptx_operand *o)
{
    return o->kind == PTX_SPECIAL && o->number >= PTX_SR_CLOCK &&
           o->number <= PTX_SR_GLOBALTIMER_HI;
}

bool hd__model_reads_clock(const ptx_instruction *i)
{
    return i->operands == 2 && is_clock(&i->operand[1]);
}

run_operation *hd__model_dispatch_move(const ptx_instruction *i, operation *o)
{
    const ptx_type type = (ptx_type)i->type[0];
    const int bytes = hd__model_ptx_type_bytes(type);
    if (i->operands != 2) return NULL;
    if (is_clock(&i->operand[1])) {
        o->mode = (uint8_t)i->operand[1].number;
        return read_clock;
    }
    if (type == PTX_PRED) return move_predicate;
    const bool packs = i->operand[1].kind == PTX_VECTOR, unpacks = i->operand[0].kind == PTX_VECTOR;
    if (packs || unpacks) {
        const int count = i->operand[packs ? 1 : 0].count;
        if (bytes > 8 || count < 2 || bytes % count != 0 || bytes / count > 4) return NULL;
        o->vector = (uint8_t)count, o->bytes = (uint8_t)(bytes / count);
        return packs ? pack : unpack;
    }
    return bytes == 8 ? move_64 : bytes <= 4 ? move_32 : NULL;
}
