// SPDX-License-Identifier: Apache-2.0
//
// Atomics: lane after lane, each with the host's own atomic compare and swap, so that blocks on
// different cores see whole operations.
#include "core/convert.h"
#include "model/exec/access.h"
#include "numbers.h"
#include "run.h"

static uint64_t keep(uint64_t bits, int bytes)
{
    return bytes == 8 ? bits : bits & (((uint64_t)1 << (8 * bytes)) - 1);
}

static float add_half(int type, uint16_t a, uint16_t b)
{
    return type == PTX_F16 ? hd__f16_to_f32(a) + hd__f16_to_f32(b)
                           : hd__bf16_to_f32(a) + hd__bf16_to_f32(b);
}

static uint16_t half_of(int type, float x)
{
    return type == PTX_F16 ? hd__f32_to_f16(x) : hd__f32_to_bf16(x);
}

static uint64_t sum(int type, uint64_t old, uint64_t b)
{
    switch (type) {
    case PTX_F32: return bits_of_f32(f32_of((uint32_t)old) + f32_of((uint32_t)b));
    case PTX_F64: return bits_of_f64(f64_of(old) + f64_of(b));
    case PTX_F16:
    case PTX_BF16: return half_of(type, add_half(type, (uint16_t)old, (uint16_t)b));
    case PTX_F16X2:
    case PTX_BF16X2: {
        const int half = type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
        const uint32_t low = half_of(half, add_half(half, (uint16_t)old, (uint16_t)b));
        const uint32_t high =
            half_of(half, add_half(half, (uint16_t)(old >> 16), (uint16_t)(b >> 16)));
        return high << 16 | low;
    }
    default: return old + b;
    }
}

static bool is_less(int type, uint64_t a, uint64_t b)
{
    switch (type) {
    case PTX_S32: return (int32_t)a < (int32_t)b;
    case PTX_S64: return (int64_t)a < (int64_t)b;
    default: return a < b;
    }
}

static uint64_t changed(const operation *o, uint64_t old, uint64_t b, uint64_t c)
{
    switch (o->mode) {
    case PTX_MOD_ADD: return sum(o->type, old, b);
    case PTX_MOD_MIN: return is_less(o->type, b, old) ? b : old;
    case PTX_MOD_MAX: return is_less(o->type, old, b) ? b : old;
    case PTX_MOD_AND: return old & b;
    case PTX_MOD_OR: return old | b;
    case PTX_MOD_XOR: return old ^ b;
    case PTX_MOD_INC: return (uint32_t)old >= (uint32_t)b ? 0 : old + 1;
    case PTX_MOD_DEC: return old == 0 || (uint32_t)old > (uint32_t)b ? b : old - 1;
    case PTX_MOD_CAS: return old == b ? c : old;
    default: return b; // exch
    }
}

#define SWAP(T)                                                                                    \
    do {                                                                                           \
        T *at = (T *)(void *)host, old = __atomic_load_n(at, __ATOMIC_RELAXED);                    \
        while (!__atomic_compare_exchange_n(at, &old, (T)changed(o, old, b, c), true,              \
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {                 \
        }                                                                                          \
        return old;                                                                                \
    } while (0)

static uint64_t change(const operation *o, uint8_t *host, uint64_t b, uint64_t c)
{
    switch (o->bytes) {
    case 2: SWAP(uint16_t);
    case 4: SWAP(uint32_t);
    default: SWAP(uint64_t);
    }
}

static uint64_t slot_bits(const machine *m, uint32_t slot, int bytes, int l)
{
    const uint64_t bits =
        bytes == 8 ? ((const uint64_t *)SLOT(m, slot))[l] : ((const uint32_t *)SLOT(m, slot))[l];
    return keep(bits, bytes);
}

static void atomic(machine *m, const operation *o)
{
    access_places p;
    hd__model_access_find(m, o, ACCESS_ATOMIC, o->bytes, &p);
    uint32_t *narrow = SLOT(m, o->d);
    uint64_t *wide = SLOT(m, o->d);
    const bool returns = o->op == PTX_OP_atom && o->d != UINT32_MAX;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const uint64_t b = slot_bits(m, o->b, o->bytes, l), c = slot_bits(m, o->c, o->bytes, l);
        const uint64_t old = p.good >> l & 1 ? change(o, p.host[l], b, c) : 0;
        if (!returns) continue;
        if (o->bytes == 8)
            wide[l] = old;
        else
            narrow[l] = (uint32_t)old;
    }
    for (const subscriber *h = m->subscribers[EVENT_STRONG_VALUE]; h->by != NULL; h++)
        h->by->strong_value(h->state, m, o);
}

// Elements of a vector, each by itself: only sums, least and greatest of floats.
static void atomic_vector(machine *m, const operation *o)
{
    access_places p;
    hd__model_access_find(m, o, ACCESS_ATOMIC, o->bytes * o->vector, &p);
    const uint32_t *from = m->frame->program->list + o->list, *to = from + o->vector;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        for (int k = 0; k < o->vector; k++) {
            const uint64_t b = slot_bits(m, from[k], o->bytes, l);
            uint8_t *host = p.good >> l & 1 ? p.host[l] + k * o->bytes : NULL;
            const uint64_t old = host != NULL ? change(o, host, b, 0) : 0;
            if (o->op != PTX_OP_atom) continue;
            if (o->bytes == 8)
                ((uint64_t *)SLOT(m, to[k]))[l] = old;
            else
                ((uint32_t *)SLOT(m, to[k]))[l] = (uint32_t)old;
        }
    }
}

static int atomic_mode(const ptx_instruction *i)
{
    static const ptx_modifier modes[] = {PTX_MOD_ADD, PTX_MOD_MIN,  PTX_MOD_MAX, PTX_MOD_INC,
                                         PTX_MOD_DEC, PTX_MOD_EXCH, PTX_MOD_CAS, PTX_MOD_AND,
                                         PTX_MOD_OR,  PTX_MOD_XOR};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        if (ptx_has(i, modes[k])) return modes[k];
    return 0;
}

run_operation *hd__model_dispatch_atomic(const ptx_instruction *i, operation *o)
{
    const bool of_float = hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_FLOAT;
    o->mode = (uint8_t)atomic_mode(i);
    o->order = ptx_has(i, PTX_MOD_ACQ_REL)   ? ORDER_ACQ_REL
               : ptx_has(i, PTX_MOD_ACQUIRE) ? ORDER_ACQUIRE
               : ptx_has(i, PTX_MOD_RELEASE) ? ORDER_RELEASE
                                             : ORDER_RELAXED;
    if (o->mode == 0 || o->bytes < 2 || o->bytes > 8) return NULL;
    if (o->vector > 1) return of_float && o->mode == PTX_MOD_ADD ? atomic_vector : NULL;
    return of_float && o->mode != PTX_MOD_ADD && o->mode != PTX_MOD_EXCH ? NULL : atomic;
}
