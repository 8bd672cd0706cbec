// SPDX-License-Identifier: Apache-2.0
//
// Which addresses are the same in all lanes, as ptxas can see: made of parameters, numbers and the
// block's place alone. Integer atomics on such an address are added up within the warp first, where
// the operation lets them: exchanges, compare and swap, inc and dec go lane by lane.
#include "program.h"

#include <stdlib.h>

static bool is_uniform_special(int32_t special)
{
    switch (special) {
    case PTX_SR_CTAID_X:
    case PTX_SR_CTAID_Y:
    case PTX_SR_CTAID_Z:
    case PTX_SR_NCTAID_X:
    case PTX_SR_NCTAID_Y:
    case PTX_SR_NCTAID_Z:
    case PTX_SR_NTID_X:
    case PTX_SR_NTID_Y:
    case PTX_SR_NTID_Z: return true;
    default: return false;
    }
}

static bool is_uniform(const uint8_t *uniform, const ptx_operand *o)
{
    switch (o->kind) {
    case PTX_IMMEDIATE:
    case PTX_ADDRESS: return true;
    case PTX_REGISTER: return uniform[o->number];
    case PTX_SPECIAL: return is_uniform_special(o->number);
    default: return false;
    }
}

static bool makes_uniform(const ptx_instruction *i, const uint8_t *uniform)
{
    switch (i->op) {
    case PTX_OP_ld: return ptx_has(i, PTX_MOD_PARAM);
    case PTX_OP_mov:
    case PTX_OP_cvta:
    case PTX_OP_cvt:
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mul:
    case PTX_OP_mad:
    case PTX_OP_shl: break;
    default: return false;
    }
    for (int k = 1; k < i->operands; k++)
        if (!is_uniform(uniform, &i->operand[k])) return false;
    return true;
}

static bool can_combine(const ptx_instruction *i)
{
    return hd__model_ptx_type_kind((ptx_type)i->type[0]) != PTX_FLOAT &&
           !ptx_has(i, PTX_MOD_EXCH) && !ptx_has(i, PTX_MOD_CAS) && !ptx_has(i, PTX_MOD_INC) &&
           !ptx_has(i, PTX_MOD_DEC);
}

bool hd__model_mark_uniform(program *p)
{
    const ptx_function *f = p->text;
    uint8_t *uniform = calloc((size_t)f->register_count + 1, 1);
    uint8_t *made = calloc((size_t)f->register_count + 1, 1);
    if (uniform == NULL || made == NULL) {
        free(uniform);
        free(made);
        return false;
    }
    for (int32_t at = 0; at < f->length; at++) {
        const ptx_instruction *i = &f->code[at];
        if (i->operands == 0 || i->operand[0].kind != PTX_REGISTER) continue;
        uint8_t *of = &uniform[i->operand[0].number];
        // Written twice, or only by some lanes: no longer certain.
        *of = made[i->operand[0].number]++ == 0 && i->guard < 0 && makes_uniform(i, uniform);
        if (made[i->operand[0].number] > 2) made[i->operand[0].number] = 2;
    }
    for (int32_t at = 0; at < f->length && at < p->length; at++) {
        const ptx_instruction *i = &f->code[at];
        if (i->op != PTX_OP_atom && i->op != PTX_OP_red) continue;
        const ptx_operand *where = &i->operand[i->op == PTX_OP_atom ? 1 : 0];
        p->code[at].combines = can_combine(i) && where->kind == PTX_MEMORY &&
                               where->base == PTX_REGISTER && uniform[where->number];
    }
    free(uniform);
    free(made);
    return true;
}
