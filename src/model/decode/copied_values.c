// SPDX-License-Identifier: Apache-2.0
//
// Copy-only loads: their value goes nowhere but into stores, of memory or of a call's parameters,
// perhaps by way of other registers. Code that is not optimised copies structures so, with the gaps
// between their members.
#include "program.h"

#include <stdlib.h>

// What a function does with a register.
enum { MADE = 1, MADE_AGAIN = 2, USED = 4 };
enum { MAX_MOVES = 8 }; // from register to register, against the order of the code

static void use(uint8_t *what, const ptx_function *f, const ptx_operand *o)
{
    if (o->kind == PTX_REGISTER || (o->kind == PTX_MEMORY && o->base == PTX_REGISTER))
        what[o->number] |= USED;
    for (int32_t k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        use(what, f, &f->pool[o->list + k]);
}

static void make(uint8_t *what, const ptx_function *f, const ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) what[o->number] |= what[o->number] & MADE ? MADE_AGAIN : MADE;
    for (int32_t k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        make(what, f, &f->pool[o->list + k]);
}

static bool is_move(const ptx_instruction *i)
{
    return i->op == PTX_OP_mov && i->guard < 0 && i->operands == 2 &&
           i->operand[0].kind == PTX_REGISTER && i->operand[1].kind == PTX_REGISTER;
}

static void note(uint8_t *what, const ptx_function *f, const ptx_instruction *i)
{
    const bool stores = i->op == PTX_OP_st, loads = i->op == PTX_OP_ld;
    if (is_move(i)) return;
    if (i->guard >= 0) what[i->guard] |= USED;
    if (i->second.kind == PTX_REGISTER) use(what, f, &i->second);
    for (int k = 0; k < i->operands; k++) {
        if (stores && k == 1) continue;
        if (loads && k == 0)
            make(what, f, &i->operand[k]);
        else
            use(what, f, &i->operand[k]);
    }
}

// Who uses a copy uses what it was copied from.
static void note_moves(uint8_t *what, const ptx_function *f)
{
    bool more = true;
    for (int k = 0; more && k < MAX_MOVES; k++) {
        more = false;
        for (int32_t at = f->length - 1; at >= 0; at--) {
            if (!is_move(&f->code[at])) continue;
            uint8_t *from = &what[f->code[at].operand[1].number];
            const bool used = what[f->code[at].operand[0].number] & USED && !(*from & USED);
            if (used) *from |= USED;
            more |= used;
        }
    }
}

bool hd__model_mark_copy_only(program *p)
{
    const ptx_function *f = p->text;
    uint8_t *what = calloc((size_t)f->register_count + 1, 1);
    if (what == NULL) return false;
    for (int32_t at = 0; at < f->length; at++) note(what, f, &f->code[at]);
    note_moves(what, f);
    for (int32_t at = 0; at < f->length; at++) {
        const ptx_operand *to = &f->code[at].operand[0];
        if (f->code[at].op != PTX_OP_ld) continue;
        bool passed = to->kind == PTX_REGISTER && what[to->number] == MADE;
        for (int32_t k = 0; to->kind == PTX_VECTOR && k < to->count; k++) {
            const ptx_operand *part = &f->pool[to->list + k];
            passed = (k == 0 || passed) && part->kind == PTX_REGISTER && what[part->number] == MADE;
        }
        p->code[at].copy_only = passed;
    }
    free(what);
    return true;
}
