// SPDX-License-Identifier: Apache-2.0
//
// Optimistic CAS loads: the plain or volatile load before a loop of compare-and-swap, as CUDA's
// guide writes an atomic that the hardware does not have. The loop compares what it read before
// that counts, so it does not race with atomics. Such a load has the address, register and offset,
// of a compare-and-swap of the same function.
#include "program.h"

#include <stdlib.h>

enum { MANY = -2, LONGEST = 8 }; // written more than once; copies of copies

// The register that r is a copy of.
static int32_t origin(const int32_t *from, int32_t r)
{
    for (int k = 0; k < LONGEST && from[r] >= 0; k++) r = from[r];
    return r;
}

static bool is_copy(const ptx_instruction *i)
{
    return (i->op == PTX_OP_mov || i->op == PTX_OP_cvta) && i->guard < 0 && i->operands == 2 &&
           i->operand[1].kind == PTX_REGISTER;
}

// from[r]: the register that r is a copy of; -1: none; MANY.
static void find_copies(const ptx_function *f, int32_t *from, uint8_t *made)
{
    for (int32_t at = 0; at < f->length; at++) {
        const ptx_instruction *i = &f->code[at];
        if (i->operands == 0 || i->operand[0].kind != PTX_REGISTER) continue;
        const int32_t r = i->operand[0].number;
        from[r] = made[r] ? MANY : is_copy(i) ? i->operand[1].number : -1;
        made[r] = 1;
    }
}

static const ptx_operand *place(const ptx_instruction *i)
{
    const ptx_operand *where = &i->operand[1];
    return i->operands > 1 && where->kind == PTX_MEMORY && where->base == PTX_REGISTER ? where
                                                                                       : NULL;
}

bool hd__model_mark_cas_loads(program *p)
{
    const ptx_function *f = p->text;
    const size_t count = (size_t)f->register_count + 1;
    int32_t *from = malloc(count * sizeof *from);
    const operation **swap = calloc(count, sizeof *swap); // by the register of its address
    uint8_t *made = calloc(count, 1);
    const bool good = from != NULL && swap != NULL && made != NULL;
    bool any = false;
    for (size_t k = 0; good && k < count; k++) from[k] = -1;
    if (good) find_copies(f, from, made);
    for (int32_t at = 0; good && at < f->length; at++) {
        const ptx_operand *where = place(&f->code[at]);
        if (f->code[at].op != PTX_OP_atom || !ptx_has(&f->code[at], PTX_MOD_CAS) || where == NULL)
            continue;
        swap[origin(from, where->number)] = &p->code[at];
        any = true;
    }
    for (int32_t at = 0; any && at < f->length; at++) {
        operation *o = &p->code[at];
        const ptx_operand *where = place(&f->code[at]);
        if (o->op != PTX_OP_ld || o->order > ORDER_VOLATILE || where == NULL) continue;
        const operation *s = swap[origin(from, where->number)];
        o->optimistic_load =
            s != NULL && s->offset == o->offset && o->vector <= 1 && s->bytes == o->bytes;
    }
    free(from);
    free(swap);
    free(made);
    return good;
}
