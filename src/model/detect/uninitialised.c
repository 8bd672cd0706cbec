// SPDX-License-Identifier: Apache-2.0
//
// Reads of uninitialised bytes, by shadow valid bits. Allocations begin invalid, variables of a
// module have their initial values; shared and local memory begin invalid with every block. A read
// of local memory is reported only where no byte of it is valid: compilers copy structures with
// their gaps. A value of local memory that is only copied is reported when it comes to memory that
// others see.
#include "findings.h"
#include "races.h"
#include "model/exec/valid_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What was written in a block: shared memory, then the local memory of each thread.
typedef struct valid_block {
    uint64_t *bits;
    int64_t shared_words, local_words; // local: of one thread
    int32_t threads;
    struct valid_block *next, *made;
} valid_block;

// A register that was loaded from local memory that nobody wrote.
typedef struct unset_register {
    const uint8_t *at;
    uint32_t lanes;
} unset_register;

enum { MAX_UNSET = 16 }; // the last ones

typedef struct valid_state {
    finding_list list;
    valid_block *spare, *made;
    unset_register unset[MAX_UNSET];
    int32_t unset_count; // ever
} valid_state;

static size_t words_of(const valid_block *b)
{
    return (size_t)(b->shared_words + b->local_words * b->threads);
}

static valid_block *new_block(valid_state *s, const block *of)
{
    valid_block *b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    b->shared_words = VALID_WORDS(of->shared_bytes);
    b->local_words = VALID_WORDS(of->warp[0].local_bytes);
    b->threads = of->warps * WARP;
    b->bits = calloc(words_of(b) + 1, sizeof *b->bits);
    if (b->bits == NULL) {
        free(b);
        return NULL;
    }
    b->made = s->made;
    s->made = b;
    return b;
}

// Whether a function, or one that it calls, does anything that lasts; *last becomes its last write
// to shared or local memory, which does not.
static bool has_effect(const program *p, const operation **last)
{
    for (int32_t k = 0; k < p->length; k++) switch (p->code[k].op) {
        case PTX_OP_ld:
        case PTX_OP_ldu:
            if (p->code[k].order != ORDER_WEAK) return true; // it may wait
            break;
        case PTX_OP_st:
        case PTX_OP_atom:
        case PTX_OP_red:
            if (p->code[k].space != PTX_SHARED && p->code[k].space != PTX_LOCAL) return true;
            *last = &p->code[k];
            break;
        case PTX_OP_stmatrix:
        case PTX_OP_wmma:
        case PTX_OP_call:
        case PTX_OP_trap:
        case PTX_OP_cp: return true;
        default: break;
        }
    return false;
}

// A kernel that takes pointers and stores nothing: its author forgot to.
static void check_effect(valid_state *s, const machine *m)
{
    const program *p = m->grid->program;
    const ptx_module *module = p->module;
    const operation *last = NULL;
    bool pointers = false;
    for (int32_t k = 0; k < p->text->param_count; k++)
        pointers |= module->variables[p->text->params[k]].bytes == 8;
    if (m->block->index != 0 || !pointers || has_effect(p, &last)) return;
    finding *f = hd__model_finding_add(&s->list, m, HD_HAZARD_UNINITIALISED,
                                       last != NULL ? last : &p->code[0], NULL);
    if (f != NULL && f->text[0] == 0)
        snprintf(f->text, sizeof f->text, "%s stores nothing%s: whatever it computes is lost",
                 p->text->name, last != NULL ? " in global memory" : "");
}

static void begin_block(void *any, const machine *m)
{
    valid_state *s = any;
    check_effect(s, m);
    valid_block *b = s->spare;
    if (b != NULL) {
        s->spare = b->next;
        memset(b->bits, 0, words_of(b) * sizeof *b->bits);
    } else {
        b = new_block(s, m->block);
    }
    s->list.lost |= b == NULL;
    m->block->valid = b;
}

static void end_block(void *any, const machine *m)
{
    valid_state *s = any;
    valid_block *b = m->block->valid;
    if (b == NULL) return;
    b->next = s->spare;
    s->spare = b;
    m->block->valid = NULL;
}

static void report(valid_state *s, const machine *m, const access_event *e, int lane,
                   uint64_t beyond)
{
    finding *f = hd__model_finding_add(&s->list, m, HD_HAZARD_UNINITIALISED, e->site, NULL);
    char thread[80], where[160];
    if (f == NULL || f->text[0] != 0) return;
    f->object = hd__model_object_at(m, e->space, e->address[lane] + beyond);
    snprintf(f->text, sizeof f->text, "%s %s %d bytes at %s, which nobody wrote",
             hd__model_thread_name(m, lane, thread, sizeof thread),
             e->kind == ACCESS_LOAD ? "reads" : "updates", (int)e->bytes,
             hd__model_place_name(m, e->space, e->address[lane] + beyond, where, sizeof where));
}

// The bits of a lane's memory, or NULL: all of it was written. *at becomes the byte in it.
static uint64_t *bits_of(const machine *m, const access_event *e, int lane, uint64_t *at)
{
    *at = e->address[lane];
    if (e->space == PTX_SHARED) {
        const valid_block *b = shared_owner(m, at)->valid;
        return b != NULL ? b->bits : NULL;
    }
    if (e->space == PTX_LOCAL) {
        const valid_block *b = m->block->valid;
        const int64_t thread = m->warp->number * WARP + lane;
        return b != NULL ? b->bits + b->shared_words + thread * b->local_words : NULL;
    }
    const allocation *a =
        e->allocation != NULL ? e->allocation : hd__model_device_find(m->grid->memory, *at);
    if (!allocation_holds(a, *at, 1)) return NULL;
    *at -= a->address;
    return a->shadow;
}

static unset_register *unset_of(valid_state *s, const machine *m, const operation *o)
{
    const int32_t count = s->unset_count < MAX_UNSET ? s->unset_count : MAX_UNSET;
    for (int32_t k = 0; k < count; k++)
        if (s->unset[k].at == m->registers + o->d) return &s->unset[k];
    return NULL;
}

// A copy-only load: the lanes whose bytes were all invalid.
static void remember_unset(valid_state *s, const machine *m, const access_event *e)
{
    uint32_t lanes = 0;
    for (uint32_t left = e->space == PTX_LOCAL ? e->mask & ~(e->outside | e->unaligned) : 0;
         left != 0; left &= left - 1) {
        uint64_t at;
        const uint64_t *bits = bits_of(m, e, __builtin_ctz(left), &at);
        if (bits != NULL && valid_none(bits, at, (uint64_t)e->bytes)) lanes |= left & (0u - left);
    }
    unset_register *u = unset_of(s, m, e->site);
    if (u == NULL && lanes == 0) return;
    if (u == NULL) {
        u = &s->unset[s->unset_count++ % MAX_UNSET];
        if (s->unset_count == 2 * MAX_UNSET) s->unset_count = MAX_UNSET;
        *u = (unset_register){.at = m->registers + e->site->d};
    }
    u->lanes = (u->lanes & ~e->mask) | lanes;
}

// A store of one: local memory stays unwritten, of other memory it is told.
static void store_unset(valid_state *s, const machine *m, const access_event *e, uint32_t lanes)
{
    if (e->space != PTX_LOCAL) {
        finding *f = hd__model_finding_add(&s->list, m, HD_HAZARD_UNINITIALISED, e->site, NULL);
        char thread[80], where[160];
        const int lane = __builtin_ctz(lanes);
        if (f == NULL || f->text[0] != 0) return;
        snprintf(f->text, sizeof f->text, "%s writes %d bytes at %s, a value that nobody set",
                 hd__model_thread_name(m, lane, thread, sizeof thread), (int)e->bytes,
                 hd__model_place_name(m, e->space, e->address[lane], where, sizeof where));
        return;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t at, *bits = bits_of(m, e, __builtin_ctz(lanes), &at);
        if (bits != NULL) valid_clear(bits, at, (uint64_t)e->bytes);
    }
}

static void one_lane(valid_state *s, const machine *m, const access_event *e, int lane)
{
    const uint64_t bytes = (uint64_t)e->bytes;
    uint64_t at, *bits = bits_of(m, e, lane, &at);
    if (bits == NULL) return;
    if (e->kind != ACCESS_STORE && !(e->space == PTX_LOCAL && e->site->copy_only)) {
        const uint64_t until = valid_until(bits, at, bytes);
        if (until < at + bytes && (e->space != PTX_LOCAL || valid_none(bits, at, bytes)))
            report(s, m, e, lane, until - at);
    }
    if (e->kind != ACCESS_LOAD) valid_set(bits, at, bytes);
}

static void one_row(valid_state *s, const machine *m, const access_event *e)
{
    const uint64_t bytes = (uint64_t)e->bytes * (uint64_t)__builtin_popcount(e->mask);
    uint64_t at, *bits = bits_of(m, e, 0, &at);
    if (bits == NULL) return;
    if (e->kind != ACCESS_STORE) {
        const uint64_t until = valid_until(bits, at, bytes);
        const int lane = (int)((until - at) / (uint64_t)e->bytes);
        if (until < at + bytes) report(s, m, e, lane, (until - at) % (uint64_t)e->bytes);
    }
    if (e->kind != ACCESS_LOAD) valid_set(bits, at, bytes);
}

// Words of the block's own shared memory that all were written. false: some were not, or it is
// none.
static bool words_are_valid(const machine *m, const access_event *e)
{
    const valid_block *b = m->block->valid;
    if (e->space != PTX_SHARED || e->bytes != 4 || e->kind != ACCESS_LOAD || b == NULL ||
        (e->outside | e->unaligned) != 0)
        return false;
    uint64_t all = 15;
    for (uint32_t left = e->mask; left != 0; left &= left - 1) {
        const uint64_t at = e->address[__builtin_ctz(left)];
        if (at >= SHARED_OF_RANK) return false;
        all &= b->bits[at / 64] >> (at & 63);
    }
    return all == 15;
}

static void touch(valid_state *s, const machine *m, const access_event *e)
{
    if (e->space != PTX_LOCAL && e->shape == SHAPE_ROW) {
        one_row(s, m, e);
        return;
    }
    if (words_are_valid(m, e)) return;
    uint32_t left = e->mask & ~(e->outside | e->unaligned);
    if (e->space != PTX_LOCAL && e->shape == SHAPE_SAME) left &= 0u - left; // one stands for all
    for (; left != 0; left &= left - 1) one_lane(s, m, e, __builtin_ctz(left));
}

static void access(void *any, const machine *m, const access_event *e)
{
    valid_state *s = any;
    if (e->space == PTX_LOCAL && ptx_has(e->site->text, PTX_MOD_PARAM)) return; // of calls
    if (e->site->space == PTX_CONST) return;
    const bool copy_only = e->kind == ACCESS_LOAD && e->site->copy_only && e->site->vector <= 1;
    if (copy_only && (e->space == PTX_LOCAL || s->unset_count > 0)) remember_unset(s, m, e);
    touch(s, m, e);
    if (s->unset_count == 0 || e->site->op != PTX_OP_st || e->site->vector > 1) return;
    const unset_register *u = unset_of(s, m, e->site);
    const uint32_t lanes = u != NULL ? u->lanes & e->mask & ~(e->outside | e->unaligned) : 0;
    if (lanes != 0) store_unset(s, m, e, lanes);
}

static void merge(void *into, const void *from)
{
    hd__model_findings_merge(into, from);
}

static void close_state(void *any)
{
    valid_state *s = any;
    for (valid_block *b = s->made, *next; b != NULL; b = next) {
        next = b->made;
        free(b->bits);
        free(b);
    }
    s->made = s->spare = NULL;
    hd__model_findings_free(&s->list);
}

const observer hd__model_uninitialised = {
    .name = "uninitialised",
    .state_bytes = sizeof(valid_state),
    .spaces = 1u << PTX_GLOBAL | 1u << PTX_SHARED | 1u << PTX_LOCAL,
    .begin_block = begin_block,
    .end_block = end_block,
    .access = access,
    .merge = merge,
    .close = close_state,
};
