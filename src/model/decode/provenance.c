// SPDX-License-Identifier: Apache-2.0
//
// Which variable an access is of: the one array whose address its own is computed from, by adding
// and subtracting numbers. A register is known when everything that is ever put in it is of one
// variable; what is chosen between two, made by other arithmetic, from a difference of addresses,
// or comes by way of memory is of none, and such accesses are not checked. Dynamic shared memory
// has no end here.
#include "program.h"

#include <stdlib.h>

// What a register holds; from VARIABLE on the address of a variable, by its number.
enum { NEVER_SET, NUMBER, MIXED, VARIABLE };
enum { MAX_PASSES = 64 };

typedef struct origins {
    const ptx_module *module;
    const ptx_function *text;
    int32_t *of; // by register
    bool more;   // a pass has changed something
    bool stored; // something mixed was stored: loads may bring it back
} origins;

static int32_t join(int32_t a, int32_t b)
{
    return a == NEVER_SET ? b : b == NEVER_SET || a == b ? a : MIXED;
}

static int32_t of_variable(const origins *g, int32_t number)
{
    const ptx_variable *v = &g->module->variables[number];
    const bool lasts = v->space == PTX_SHARED || v->space == PTX_GLOBAL || v->space == PTX_CONST;
    return lasts && !v->external && v->bytes > 0 ? VARIABLE + number : MIXED;
}

static int32_t of_operand(const origins *g, const ptx_operand *o)
{
    int32_t all = NEVER_SET;
    switch (o->kind) {
    case PTX_REGISTER: return g->of[o->number];
    case PTX_ADDRESS: return of_variable(g, o->number);
    case PTX_FUNCTION: return MIXED;
    case PTX_VECTOR:
        for (int32_t k = 0; k < o->count; k++) {
            const int32_t one = of_operand(g, &g->text->pool[o->list + k]);
            all = join(all, one >= VARIABLE ? MIXED : one);
        }
        return all;
    default: return NUMBER;
    }
}

static int32_t sum(int32_t a, int32_t b)
{
    if (a == NEVER_SET || b == NEVER_SET) return NEVER_SET;
    return a == NUMBER ? b : b == NUMBER ? a : MIXED;
}

// What comes out of other arithmetic: of numbers only a number.
static int32_t any_of(const origins *g, const ptx_instruction *i, int first, int last)
{
    int32_t all = NUMBER;
    for (int k = first; k <= last && k < i->operands; k++) {
        const int32_t one = of_operand(g, &i->operand[k]);
        if (one == NEVER_SET) return NEVER_SET;
        if (one != NUMBER) all = MIXED;
    }
    return all;
}

// The parameters of a kernel are numbers. Other functions may get, or give back, what was computed
// from addresses.
static int32_t of_load(const origins *g, const ptx_instruction *i)
{
    const bool param = ptx_has(i, PTX_MOD_PARAM);
    const bool wide = i->types > 0 && hd__model_ptx_type_bytes((ptx_type)i->type[0]) == 8;
    const ptx_operand *from = &i->operand[1];
    const bool of_head = g->text->entry && from->kind == PTX_MEMORY && from->base == PTX_ADDRESS &&
                         g->module->variables[from->number].owner == PTX_OF_A_HEAD;
    return g->stored || (param && wide && !of_head) ? MIXED : NUMBER;
}

static int32_t result_of(const origins *g, const ptx_instruction *i)
{
    const ptx_operand *o = i->operand;
    switch (i->op) {
    case PTX_OP_mov:
    case PTX_OP_cvt:
    case PTX_OP_cvta: return of_operand(g, &o[1]);
    case PTX_OP_add: return sum(of_operand(g, &o[1]), of_operand(g, &o[2]));
    case PTX_OP_sub: {
        const int32_t less = of_operand(g, &o[2]);
        return less > NUMBER ? MIXED : sum(of_operand(g, &o[1]), less);
    }
    case PTX_OP_mad: return sum(any_of(g, i, 1, 2), of_operand(g, &o[3]));
    case PTX_OP_selp: return join(of_operand(g, &o[1]), of_operand(g, &o[2]));
    case PTX_OP_ld:
    case PTX_OP_ldu:
    case PTX_OP_atom: return of_load(g, i);
    default: return any_of(g, i, 1, i->operands - 1);
    }
}

static void put(origins *g, const ptx_operand *to, int32_t what)
{
    if (to->kind == PTX_REGISTER) {
        const int32_t now = join(g->of[to->number], what);
        g->more |= now != g->of[to->number];
        g->of[to->number] = now;
    }
    for (int32_t k = 0; to->kind == PTX_VECTOR && k < to->count; k++)
        put(g, &g->text->pool[to->list + k], what >= VARIABLE ? MIXED : what);
}

static void step(origins *g, const ptx_instruction *i)
{
    switch (i->op) {
    case PTX_OP_st:
        if (i->operands > 1 && of_operand(g, &i->operand[1]) == MIXED && !g->stored)
            g->stored = g->more = true;
        break;
    case PTX_OP_call:
        for (int k = 0; k < i->operands; k++) put(g, &i->operand[k], MIXED);
        break;
    case PTX_OP_red:
    case PTX_OP_bra:
    case PTX_OP_brx:
    case PTX_OP_bar:
    case PTX_OP_barrier:
    case PTX_OP_cp:
    case PTX_OP_stmatrix: break;
    default:
        if (i->operands > 0) put(g, &i->operand[0], result_of(g, i));
    }
}

// The address of an access, or NULL. Of an asynchronous copy it is the one in shared memory.
static const ptx_operand *address_of(const ptx_instruction *i)
{
    int at = 0;
    switch (i->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu:
    case PTX_OP_atom: at = 1; break;
    case PTX_OP_st:
    case PTX_OP_red: break;
    case PTX_OP_cp:
        if (!ptx_has(i, PTX_MOD_ASYNC) || ptx_has(i, PTX_MOD_BULK)) return NULL;
        break;
    default: return NULL;
    }
    return i->operands > at && i->operand[at].kind == PTX_MEMORY ? &i->operand[at] : NULL;
}

static int32_t variable_of(const origins *g, const ptx_instruction *i)
{
    const ptx_operand *a = address_of(i);
    if (a == NULL) return -1;
    const int32_t what = a->base == PTX_REGISTER  ? g->of[a->number]
                         : a->base == PTX_ADDRESS ? of_variable(g, a->number)
                                                  : MIXED;
    return what >= VARIABLE ? what - VARIABLE : -1;
}

bool hd__model_mark_variables(program *p)
{
    const ptx_function *f = p->text;
    origins g = {.module = p->module, .text = f, .more = true};
    g.of = calloc((size_t)f->register_count + 1, sizeof *g.of);
    if (g.of == NULL) return false;
    for (int pass = 0; g.more && pass < MAX_PASSES; pass++) {
        g.more = false;
        for (int32_t at = 0; at < f->length; at++) step(&g, &f->code[at]);
    }
    for (int32_t at = 0; at < f->length && !g.more; at++)
        p->code[at].variable = 1 + variable_of(&g, &f->code[at]);
    free(g.of);
    return true;
}
