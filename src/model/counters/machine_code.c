// SPDX-License-Identifier: Apache-2.0
//
// Rules about ptxas. A result that is used once, by the right instruction, is no instruction of its
// own: products that are added, shifts that are added, logic of logic, numbers that are moved.
#include "machine_code.h"

#include <stdlib.h>

#define START 2 // instructions before the first: the stack's address, a descriptor of memory

typedef struct usage {
    int32_t uses, defined_at, definitions;
    int32_t fused; // uses that take the instruction in
} usage;

typedef struct code {
    const ptx_function *f;
    usage *of; // by register
} code;

static void use(code *c, const ptx_operand *o)
{
    if ((o->kind == PTX_REGISTER || (o->kind == PTX_MEMORY && o->base == PTX_REGISTER)) &&
        o->number >= 0 && o->number < c->f->register_count)
        c->of[o->number].uses++;
    for (int32_t k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        use(c, &c->f->pool[o->list + k]);
}

static bool stores(const ptx_instruction *i)
{
    return i->op == PTX_OP_st || i->op == PTX_OP_red || i->op == PTX_OP_bar ||
           i->op == PTX_OP_barrier;
}

static void find_usage(code *c)
{
    for (int32_t at = 0; at < c->f->length; at++) {
        const ptx_instruction *i = &c->f->code[at];
        const bool result = !stores(i) && i->operands > 0 && i->operand[0].kind == PTX_REGISTER;
        if (result) {
            usage *u = &c->of[i->operand[0].number];
            u->defined_at = at, u->definitions++;
        }
        for (int k = result ? 1 : 0; k < i->operands; k++) use(c, &i->operand[k]);
        if (i->guard >= 0) c->of[i->guard].uses++;
    }
}

// The one instruction that made an operand, or NULL.
static const ptx_instruction *made_by(const code *c, const ptx_operand *o)
{
    if (o->kind != PTX_REGISTER || o->number < 0 || o->number >= c->f->register_count) return NULL;
    const usage *u = &c->of[o->number];
    return u->definitions == 1 ? &c->f->code[u->defined_at] : NULL;
}

static bool is_logic(ptx_opcode op)
{
    return op == PTX_OP_and || op == PTX_OP_or || op == PTX_OP_xor || op == PTX_OP_not;
}

// Whether the first becomes part of the second.
static bool fuses(const ptx_instruction *first, const ptx_instruction *second)
{
    const bool adds = second->op == PTX_OP_add || second->op == PTX_OP_sub;
    const bool whole = hd__model_ptx_type_kind((ptx_type)first->type[0]) != PTX_FLOAT;
    if (adds && whole && (first->op == PTX_OP_mul || first->op == PTX_OP_shl)) return true;
    if (adds && whole && first->op == PTX_OP_add &&
        hd__model_ptx_type_bytes((ptx_type)first->type[0]) <= 4)
        return true; // three operands
    if (is_logic(second->op) && is_logic(first->op)) return true;
    return first->op == PTX_OP_cvt && second->op == PTX_OP_mul;
}

// A base of an address that only parameters and special registers made: the same in all lanes.
static bool is_uniform(const code *c, const ptx_operand *o)
{
    if (o->kind != PTX_MEMORY || o->base != PTX_REGISTER) return false;
    const usage *u = &c->of[o->number];
    if (u->definitions != 1) return false;
    const ptx_instruction *i = &c->f->code[u->defined_at];
    return i->op == PTX_OP_cvta || (i->op == PTX_OP_ld && ptx_has(i, PTX_MOD_PARAM));
}

static float of_division(const ptx_instruction *i)
{
    const int bytes = hd__model_ptx_type_bytes((ptx_type)i->type[0]);
    if (hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_FLOAT) return bytes == 8 ? 20 : 9;
    return bytes == 8 ? 70 : i->op == PTX_OP_rem ? 24 : 20;
}

static float of_move(const code *c, const ptx_instruction *i)
{
    (void)c;
    if (i->operands > 1 && i->operand[1].kind == PTX_SPECIAL) return 1;
    return i->operands > 1 && i->operand[1].kind == PTX_REGISTER ? 0.5f : 0.25f;
}

static float instructions_of(const code *c, const ptx_instruction *i)
{
    const int bytes = i->types > 0 ? hd__model_ptx_type_bytes((ptx_type)i->type[0]) : 4;
    const bool is_float =
        i->types > 0 && hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_FLOAT;
    const bool wide = bytes == 8 && !is_float;
    switch (i->op) {
    case PTX_OP_cvta: return 0;
    case PTX_OP_mov: return of_move(c, i);
    case PTX_OP_div:
    case PTX_OP_rem: return of_division(i);
    case PTX_OP_sqrt:
    case PTX_OP_rcp: return ptx_has(i, PTX_MOD_APPROX) ? 3 : bytes == 8 ? 20 : 9;
    case PTX_OP_rsqrt:
    case PTX_OP_ex2:
    case PTX_OP_lg2: return ptx_has(i, PTX_MOD_FTZ) ? 1 : 4;
    case PTX_OP_atom:
    case PTX_OP_red:
        return !is_float && i->operands > 0 &&
                       is_uniform(c, &i->operand[i->op == PTX_OP_red ? 0 : 1])
                   ? 6
                   : 1;
    case PTX_OP_mul:
    case PTX_OP_mad: return wide && !ptx_has(i, PTX_MOD_WIDE) ? 4 : 1;
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_and:
    case PTX_OP_or:
    case PTX_OP_xor:
    case PTX_OP_shl:
    case PTX_OP_shr: return wide ? 2 : 1;
    case PTX_OP_cvt: return wide ? 0.5f : 1;
    case PTX_OP_ret:
    case PTX_OP_exit: return 1;
    default: return 1;
    }
}

// Lanes a cycle and scheduler decide; what is not arithmetic takes one cycle to issue.
static float cycles_of(const ptx_instruction *i, const architecture *a, float instructions)
{
    const bool is_float =
        i->types > 0 && hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_FLOAT;
    const int bytes = i->types > 0 ? hd__model_ptx_type_bytes((ptx_type)i->type[0]) : 4;
    float each = 1;
    switch (i->op) {
    case PTX_OP_ld:
    case PTX_OP_st:
    case PTX_OP_atom:
    case PTX_OP_red: return instructions;
    case PTX_OP_and:
    case PTX_OP_or:
    case PTX_OP_xor:
    case PTX_OP_shl:
    case PTX_OP_shr:
    case PTX_OP_setp:
    case PTX_OP_selp:
    case PTX_OP_min:
    case PTX_OP_max: each = 128.0f / (float)(a->int_lanes + 32); break;
    case PTX_OP_rsqrt:
    case PTX_OP_ex2:
    case PTX_OP_lg2:
    case PTX_OP_sin:
    case PTX_OP_cos: return instructions - 1 + 128.0f / (float)a->sfu_lanes / 4;
    default: break;
    }
    if (is_float && bytes == 8) each = 128.0f / (float)a->f64_lanes;
    if (is_float && bytes == 4 && a->f32_lanes < 128) each = 2;
    return instructions * each;
}

// Every instruction takes at most one in; what all its users took in is none of its own.
static void fuse(const code *c, code_cost *costs)
{
    for (int32_t at = 0; at < c->f->length; at++) {
        const ptx_instruction *i = &c->f->code[at];
        for (int k = 1; k < i->operands; k++) {
            const ptx_instruction *first = made_by(c, &i->operand[k]);
            if (first == NULL || first >= i || !fuses(first, i)) continue;
            c->of[i->operand[k].number].fused++;
            if (costs[at].instructions > 1 && i->op == PTX_OP_add) costs[at].instructions = 1;
            break;
        }
    }
    for (int32_t r = 0; r < c->f->register_count; r++)
        if (c->of[r].fused > 0 && c->of[r].fused == c->of[r].uses)
            costs[c->of[r].defined_at].instructions = 0;
}

bool hd__model_code_costs(const ptx_function *f, const architecture *a, code_cost *costs)
{
    code c = {.f = f, .of = calloc((size_t)f->register_count + 1, sizeof *c.of)};
    if (c.of == NULL) return false;
    find_usage(&c);
    for (int32_t at = 0; at <= f->length; at++) costs[at] = (code_cost){0, 0};
    for (int32_t at = 0; at < f->length; at++)
        costs[at].instructions = instructions_of(&c, &f->code[at]);
    fuse(&c, costs);
    if (f->length > 0) costs[0].instructions += START;
    for (int32_t at = 0; at < f->length; at++)
        costs[at].cycles = cycles_of(&f->code[at], a, costs[at].instructions);
    free(c.of);
    return true;
}
