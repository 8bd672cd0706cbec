// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a warp with each other: shuffles, votes, matches, reductions. The lanes that a mask
// names have all come here (schedule.c sees to it) and run together.
#include "model/exec/observer.h"
#include "numbers.h"
#include "run.h"

static void put_predicate(machine *m, uint32_t slot, uint32_t bits)
{
    uint32_t *d = SLOT(m, slot);
    *d = (*d & ~m->mask) | (bits & m->mask);
}

static uint32_t predicate(const machine *m, uint32_t slot, bool negated)
{
    const uint32_t bits = *(const uint32_t *)SLOT(m, slot);
    return (negated ? ~bits : bits) & m->mask;
}

// The lane a shuffle reads, or -1: none, and the lane keeps its own. c: the clamp in its low bits,
// the mask that cuts the warp into parts above them.
static int shuffle_source(int mode, int lane, uint32_t b, uint32_t c)
{
    const int delta = (int)(b & 31), clamp = (int)(c & 31), part = (int)(c >> 8 & 31);
    const int last = (lane & part) | (clamp & ~part), first = lane & part;
    int from;
    switch (mode) {
    case PTX_MOD_UP: from = lane - delta; return from >= last ? from : -1;
    case PTX_MOD_DOWN: from = lane + delta; return from <= last ? from : -1;
    case PTX_MOD_BFLY: from = lane ^ delta; return from <= last ? from : -1;
    default: from = first | (delta & ~part); return from <= last ? from : -1;
    }
}

// The lanes have met, and each has the value it came with.
static void notify_exchange(machine *m)
{
    for (const subscriber *h = m->subscribers[EVENT_EXCHANGE]; h->by != NULL; h++)
        h->by->exchange(h->state, m);
}

static void shuffle(machine *m, const operation *o)
{
    notify_exchange(m);
    const uint32_t *a = SLOT(m, o->a), *b = SLOT(m, o->b), *c = SLOT(m, o->c);
    uint32_t *d = SLOT(m, o->d), value[WARP], inside = 0, absent = 0;
    for (int l = 0; l < WARP; l++) {
        const int from = shuffle_source(o->mode, l, b[l], c[l]);
        value[l] = a[from < 0 ? l : from];
        inside |= (uint32_t)(from >= 0) << l;
        absent |= (uint32_t)(from >= 0 && !(m->mask >> from & 1)) << l;
    }
    if ((absent & m->mask) != 0)
        for (const subscriber *h = m->subscribers[EVENT_INACTIVE]; h->by != NULL; h++)
            h->by->inactive(h->state, m, o, absent & m->mask);
    for (int l = 0; l < WARP; l++)
        if (m->mask >> l & 1) d[l] = value[l];
    if (o->text->second.kind == PTX_REGISTER) put_predicate(m, o->d2, inside);
}

static void vote(machine *m, const operation *o)
{
    notify_exchange(m);
    const uint32_t votes = predicate(m, o->a, o->negate_a);
    if (o->mode == PTX_MOD_BALLOT) {
        uint32_t *d = SLOT(m, o->d);
        for (int l = 0; l < WARP; l++)
            if (m->mask >> l & 1) d[l] = votes;
        return;
    }
    const bool yes = o->mode == PTX_MOD_ALL   ? votes == m->mask
                     : o->mode == PTX_MOD_ANY ? votes != 0
                                              : votes == m->mask || votes == 0;
    put_predicate(m, o->d, yes ? ~0u : 0);
}

static void match(machine *m, const operation *o)
{
    notify_exchange(m);
    const uint32_t *narrow = SLOT(m, o->a);
    const uint64_t *wide = SLOT(m, o->a);
    uint32_t *d = SLOT(m, o->d), all = 0;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        uint32_t same = 0;
        for (int k = 0; k < WARP; k++)
            if (m->mask >> k & 1)
                same |= (uint32_t)(o->bytes == 8 ? wide[k] == wide[l] : narrow[k] == narrow[l])
                        << k;
        const bool everyone = same == m->mask;
        d[l] = o->mode == PTX_MOD_ANY || everyone ? same : 0;
        all |= (uint32_t)everyone << l;
    }
    if (o->text->second.kind == PTX_REGISTER) put_predicate(m, o->d2, all);
}

static uint32_t combined(const operation *o, uint32_t a, uint32_t b)
{
    const bool is_signed = o->type == PTX_S32;
    const bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch (o->mode) {
    case PTX_MOD_ADD: return a + b;
    case PTX_MOD_MIN: return less ? a : b;
    case PTX_MOD_MAX: return less ? b : a;
    case PTX_MOD_AND: return a & b;
    case PTX_MOD_OR: return a | b;
    default: return a ^ b;
    }
}

static void reduce_lanes(machine *m, const operation *o)
{
    notify_exchange(m);
    const uint32_t *a = SLOT(m, o->a);
    uint32_t *d = SLOT(m, o->d), result = 0;
    bool begun = false;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        result = begun ? combined(o, result, a[l]) : a[l];
        begun = true;
    }
    for (int l = 0; l < WARP; l++)
        if (m->mask >> l & 1) d[l] = result;
}

// Of floats: the least or greatest, NaN only if asked for or if there is nothing else.
static void reduce_floats(machine *m, const operation *o)
{
    notify_exchange(m);
    const uint32_t *a = SLOT(m, o->a);
    uint32_t *d = SLOT(m, o->d);
    const bool least = o->mode == PTX_MOD_MIN, nan = ptx_has(o->text, PTX_MOD_NAN);
    const uint32_t keep = ptx_has(o->text, PTX_MOD_ABS) ? 0x7fffffffu : ~0u;
    float best = NAN;
    bool lost = false;
    for (uint32_t left = m->mask; left != 0; left &= left - 1) {
        const float x = f32_of(a[__builtin_ctz(left)] & keep);
        lost |= x != x;
        const bool tie = x == best && (signbit(x) != 0) == least;
        if (x == x && (best != best || (least ? x < best : x > best) || tie)) best = x;
    }
    const uint32_t result = (nan && lost) || best != best ? 0x7fffffffu : bits_of_f32(best);
    for (int l = 0; l < WARP; l++)
        if (m->mask >> l & 1) d[l] = result;
}

static void activemask(machine *m, const operation *o)
{
    uint32_t *d = SLOT(m, o->d);
    for (int l = 0; l < WARP; l++)
        if (m->mask >> l & 1) d[l] = m->mask;
}

// One lane is chosen: the lowest.
static void elect(machine *m, const operation *o)
{
    const uint32_t lowest = m->mask & (0u - m->mask);
    if (o->d != UINT32_MAX) {
        uint32_t *d = SLOT(m, o->d);
        for (int l = 0; l < WARP; l++)
            if (m->mask >> l & 1) d[l] = (uint32_t)__builtin_ctz(m->mask);
    }
    put_predicate(m, o->d2, lowest);
}

static int mode_among(const ptx_instruction *i, const ptx_modifier *modes, int count)
{
    for (int k = 0; k < count; k++)
        if (ptx_has(i, modes[k])) return modes[k];
    return 0;
}

run_operation *hd__model_dispatch_warp(const ptx_instruction *i, operation *o)
{
    static const ptx_modifier shuffles[] = {PTX_MOD_UP, PTX_MOD_DOWN, PTX_MOD_BFLY, PTX_MOD_IDX};
    static const ptx_modifier votes[] = {PTX_MOD_BALLOT, PTX_MOD_ALL, PTX_MOD_ANY, PTX_MOD_UNI};
    static const ptx_modifier reductions[] = {PTX_MOD_ADD, PTX_MOD_MIN, PTX_MOD_MAX,
                                              PTX_MOD_AND, PTX_MOD_OR,  PTX_MOD_XOR};
    switch (i->op) {
    case PTX_OP_shfl:
        o->mode = (uint8_t)mode_among(i, shuffles, 4);
        return o->mode ? shuffle : NULL;
    case PTX_OP_vote: o->mode = (uint8_t)mode_among(i, votes, 4); return o->mode ? vote : NULL;
    case PTX_OP_match:
        o->mode = ptx_has(i, PTX_MOD_ANY) ? PTX_MOD_ANY : PTX_MOD_ALL;
        o->bytes = (uint8_t)hd__model_ptx_type_bytes((ptx_type)i->type[0]);
        return match;
    case PTX_OP_redux:
        o->mode = (uint8_t)mode_among(i, reductions, 6);
        if (i->type[0] == PTX_F32)
            return o->mode == PTX_MOD_MIN || o->mode == PTX_MOD_MAX ? reduce_floats : NULL;
        return o->mode ? reduce_lanes : NULL;
    case PTX_OP_activemask: return activemask;
    case PTX_OP_elect: return i->second.kind == PTX_REGISTER ? elect : NULL;
    default: return NULL;
    }
}
