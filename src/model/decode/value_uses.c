// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a loaded value, by the registers it goes through. A value that a shuffle or a
// vote takes has been read before the lanes of its mask go on. A value that is only compared is a
// flag.
#include "program.h"

#include <stdlib.h>

enum { TAKEN = 1, OTHERWISE = 2, COMPARED = 4 };

// Passes against the order of the code. Loops of it that carry a value round more often stay
// unmarked.
enum { MAX_PASSES = 16 };

typedef struct uses {
    const ptx_function *text;
    uint8_t *of; // by register
    bool more;   // a pass has changed something
} uses;

static void add(uses *u, const ptx_operand *o, uint8_t what)
{
    const bool based = o->kind == PTX_MEMORY && o->base == PTX_REGISTER;
    if ((o->kind == PTX_REGISTER || based) && (u->of[o->number] & what) != what) {
        u->of[o->number] |= what;
        u->more = true;
    }
    for (int32_t k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        add(u, &u->text->pool[o->list + k], what);
}

static uint8_t of_operand(const uses *u, const ptx_operand *o)
{
    uint8_t all = o->kind == PTX_REGISTER ? u->of[o->number] : 0;
    for (int32_t k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        all |= of_operand(u, &u->text->pool[o->list + k]);
    return all;
}

static bool exchanges(const ptx_instruction *i)
{
    return i->op == PTX_OP_shfl || i->op == PTX_OP_vote || i->op == PTX_OP_match ||
           i->op == PTX_OP_redux;
}

// The first operand is no result.
static bool has_no_result(const ptx_instruction *i)
{
    switch (i->op) {
    case PTX_OP_st:
    case PTX_OP_red:
    case PTX_OP_bra:
    case PTX_OP_brx:
    case PTX_OP_bar:
    case PTX_OP_barrier:
    case PTX_OP_call:
    case PTX_OP_cp:
    case PTX_OP_mbarrier:
    case PTX_OP_stmatrix: return true;
    default: return false;
    }
}

// Bits of the value, or a number that depends on nothing else: a comparison of it is one of the
// value.
static bool is_transparent(const ptx_instruction *i)
{
    switch (i->op) {
    case PTX_OP_mov:
    case PTX_OP_cvt:
    case PTX_OP_and:
    case PTX_OP_shr:
    case PTX_OP_bfe:
    case PTX_OP_prmt: return true;
    default: return false;
    }
}

// What an instruction does with its sources, knowing what is done with its result.
static void note(uses *u, const ptx_instruction *i)
{
    const bool result = !has_no_result(i) && i->operands > 0;
    const uint8_t after = result ? of_operand(u, &i->operand[0]) | of_operand(u, &i->second) : 0;
    const bool compares = i->op == PTX_OP_setp;
    uint8_t what = exchanges(i) ? TAKEN : after & TAKEN;
    if (compares)
        what |= COMPARED;
    else
        what |= is_transparent(i) ? after & (OTHERWISE | COMPARED) : OTHERWISE;
    for (int k = result ? 1 : 0; k < i->operands; k++) add(u, &i->operand[k], what);
    if (i->guard >= 0) {
        const ptx_operand guard = {.kind = PTX_REGISTER, .number = i->guard};
        add(u, &guard, what & TAKEN);
    }
}

bool hd__model_mark_value_uses(program *p)
{
    const ptx_function *f = p->text;
    uses u = {.text = f, .of = calloc((size_t)f->register_count + 1, 1), .more = true};
    if (u.of == NULL) return false;
    for (int pass = 0; u.more && pass < MAX_PASSES; pass++) {
        u.more = false;
        for (int32_t at = f->length - 1; at >= 0; at--) note(&u, &f->code[at]);
    }
    for (int32_t at = 0; at < f->length; at++) {
        const ptx_instruction *i = &f->code[at];
        if (i->op != PTX_OP_ld) continue;
        const uint8_t after = of_operand(&u, &i->operand[0]);
        p->code[at].taken = (after & TAKEN) != 0;
        p->code[at].compared = (after & (COMPARED | OTHERWISE)) == COMPARED && !u.more;
    }
    free(u.of);
    return true;
}

// ---- Where a value goes -------------------------------------------------------------------------

void hd__model_value_spreads(const ptx_function *f, const ptx_instruction *load, uint8_t *reached)
{
    uses u = {.text = f, .of = reached, .more = true};
    add(&u, &load->operand[0], TAKEN);
    for (int pass = 0; u.more && pass < MAX_PASSES; pass++) {
        u.more = false;
        for (int32_t at = 0; at < f->length; at++) {
            const ptx_instruction *i = &f->code[at];
            bool has = false;
            if (has_no_result(i) || i->operands == 0) continue;
            for (int k = 1; k < i->operands; k++) {
                const ptx_operand *o = &i->operand[k];
                has |= of_operand(&u, o) != 0;
                has |= o->kind == PTX_MEMORY && o->base == PTX_REGISTER && reached[o->number] != 0;
            }
            if (has) add(&u, &i->operand[0], TAKEN);
        }
    }
}

bool hd__model_address_has(const ptx_instruction *access, const uint8_t *reached)
{
    for (int k = 0; k < access->operands; k++) {
        const ptx_operand *o = &access->operand[k];
        if (o->kind == PTX_MEMORY && o->base == PTX_REGISTER && reached[o->number] != 0)
            return true;
    }
    return false;
}
