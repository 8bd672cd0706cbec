// SPDX-License-Identifier: Apache-2.0
//
// Instructions made into operations: which function runs each, and where its operands are.
#include "model/exec/reconvergence.h"
#include "decode.h"
#include "control_flow_graph.h"
#include "model/instructions/run.h"

#include <stdio.h>
#include <stdlib.h>

// ---- Plain instructions -------------------------------------------------------------------------

static ptx_type doubled(ptx_type type)
{
    switch (type) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    default: return PTX_S64;
    }
}

// The type of source k (1, 2, ...) of an instruction.
static ptx_type source_type(const ptx_instruction *i, int k)
{
    const ptx_type t = (ptx_type)i->type[0];
    switch (i->op) {
    case PTX_OP_shl:
    case PTX_OP_shr: return k == 2 ? PTX_U32 : t;
    case PTX_OP_bfe: return k >= 2 ? PTX_U32 : t;
    case PTX_OP_bfi: return k >= 3 ? PTX_U32 : t;
    case PTX_OP_mad: return k == 3 && ptx_has(i, PTX_MOD_WIDE) ? doubled(t) : t;
    case PTX_OP_setp: return k == 3 ? PTX_PRED : t;
    case PTX_OP_selp: return k == 3 ? PTX_PRED : t;
    case PTX_OP_slct: return k == 3 ? (ptx_type)i->type[1] : t;
    case PTX_OP_set: return k == 3 ? PTX_PRED : (ptx_type)i->type[1];
    case PTX_OP_cvt: return (ptx_type)i->type[1];
    case PTX_OP_dp2a:
    case PTX_OP_dp4a:
    case PTX_OP_vabsdiff4:
    case PTX_OP_fns:
    case PTX_OP_shfl:
    case PTX_OP_prmt:
    case PTX_OP_lop3:
    case PTX_OP_shf: return PTX_U32;
    case PTX_OP_vote: return k == 1 ? PTX_PRED : PTX_U32;
    case PTX_OP_mapa: return k == 2 ? PTX_U32 : t;
    case PTX_OP_getctarank:
    case PTX_OP_isspacep: return PTX_U64;
    default: return t != PTX_NO_TYPE ? t : PTX_U32;
    }
}

static ptx_type result_type(const ptx_instruction *i)
{
    const ptx_type t = (ptx_type)i->type[0];
    const bool wide = ptx_has(i, PTX_MOD_WIDE);
    switch (i->op) {
    case PTX_OP_setp:
    case PTX_OP_testp:
    case PTX_OP_isspacep: return PTX_PRED;
    case PTX_OP_vote: return ptx_has(i, PTX_MOD_BALLOT) ? PTX_U32 : PTX_PRED;
    case PTX_OP_mul:
    case PTX_OP_mad: return wide ? doubled(t) : t;
    case PTX_OP_popc:
    case PTX_OP_clz:
    case PTX_OP_bfind:
    case PTX_OP_match: return PTX_U32;
    default: return t != PTX_NO_TYPE ? t : PTX_U32;
    }
}

// Conversions take registers wider than their types; everything else has them as they are.
static bool check_layouts(decoder *d, int count)
{
    const ptx_instruction *i = d->i;
    const ptx_operand *second = &i->second;
    if (!hd__model_decode_layout(d, second,
                                 i->op == PTX_OP_shfl || i->op == PTX_OP_match ||
                                         i->op == PTX_OP_setp || i->op == PTX_OP_elect ||
                                         i->op == PTX_OP_lop3
                                     ? PTX_PRED
                                     : PTX_B128))
        return false;
    for (int k = 0; k < count; k++) {
        const ptx_operand *operand = &i->operand[k];
        const ptx_type type = k == 0 ? result_type(i) : source_type(i, k);
        if (operand->kind == PTX_SPECIAL && hd__model_ptx_type_bytes(type) == 8 &&
            i->op != PTX_OP_mov && i->op != PTX_OP_cvt)
            return hd__model_decode_refuse(
                d, "%s where 64 bits are expected",
                hd__model_ptx_special_name((ptx_special)operand->number));
        if (i->op == PTX_OP_cvt && operand->kind == PTX_REGISTER) {
            const ptx_type own = d->slots.text->registers[operand->number].type;
            if (own == PTX_PRED || layout_of(own) < layout_of(type) || layout_of(own) > 8)
                return hd__model_decode_refuse(d, "a register of type .%s",
                                               hd__model_ptx_type_name(own));
        } else if (!hd__model_decode_layout(d, operand, type)) {
            return false;
        }
    }
    return true;
}

// Warp instructions with .sync end with the mask of their lanes.
static int mask_operand(const ptx_instruction *i)
{
    const bool of_warp = i->op == PTX_OP_shfl || i->op == PTX_OP_vote || i->op == PTX_OP_match ||
                         i->op == PTX_OP_redux || i->op == PTX_OP_elect;
    return of_warp && ptx_has(i, PTX_MOD_SYNC) ? i->operands - 1 : -1;
}

static bool decode_plain(decoder *d)
{
    operation *o = d->o;
    const ptx_instruction *i = d->i;
    uint32_t *const slot[] = {&o->d, &o->a, &o->b, &o->c, &o->e};
    bool *const negated[] = {NULL, &o->negate_a, &o->negate_b, &o->negate_c, NULL};
    const int mask = mask_operand(i);
    int count = i->operands;
    if (i->op == PTX_OP_lop3 && count >= 5) {
        if (i->operand[4].kind != PTX_IMMEDIATE)
            return hd__model_decode_refuse(d, "the table must be a number");
        o->mode = (uint8_t)i->operand[4].value;
        if (count == 6 && (!hd__model_decode_layout(d, &i->operand[5], PTX_PRED) ||
                           !hd__model_decode_source(d, 5, PTX_PRED, &o->e, &o->negate_c)))
            return false;
        count = 4;
    }
    if (mask >= 0) {
        o->gathers = true;
        if (!hd__model_decode_source(d, mask, PTX_U32, &o->e, NULL)) return false;
        count--;
    }
    if (count > 5) return hd__model_decode_refuse(d, "too many operands");
    if (!check_layouts(d, count)) return false;
    for (int k = 0; k < count; k++) {
        const ptx_operand *operand = &i->operand[k];
        const ptx_type type = k > 0 ? source_type(i, k) : PTX_NO_TYPE;
        if (operand->kind == PTX_VECTOR) {
            const int bytes = hd__model_ptx_type_bytes((ptx_type)i->type[0]);
            const ptx_type part = bytes == 8 && operand->count == 2 ? PTX_B32 : PTX_B16;
            if (i->op != PTX_OP_mov || !hd__model_decode_list(d, operand, part, part, k == 0))
                return hd__model_decode_refuse(d, "a vector where none is known");
        } else if (k == 0) {
            if (!hd__model_decode_result(d, 0)) return false;
        } else if (!hd__model_decode_source(d, k, type, slot[k],
                                            type == PTX_PRED ? negated[k] : NULL)) {
            return false;
        }
    }
    if (i->op == PTX_OP_cvt) {
        if (count < 2) return hd__model_decode_refuse(d, "too few operands");
        // What a conversion asks of its registers.
        o->offset = hd__model_register_bytes(d, &i->operand[0], 4);
        o->bytes = (uint8_t)hd__model_register_bytes(
            d, &i->operand[1], hd__model_ptx_type_bytes((ptx_type)i->type[1]));
        if (o->offset < 2) o->offset = 4;
    }
    return true;
}

static rounding_mode rounding_of(const ptx_instruction *i)
{
    if (ptx_has(i, PTX_MOD_RZ) || ptx_has(i, PTX_MOD_RZI)) return ROUND_ZERO;
    if (ptx_has(i, PTX_MOD_RM) || ptx_has(i, PTX_MOD_RMI)) return ROUND_DOWN;
    if (ptx_has(i, PTX_MOD_RP) || ptx_has(i, PTX_MOD_RPI)) return ROUND_UP;
    return ROUND_NEAREST;
}

static bool decode_operands(decoder *d, const int32_t *join)
{
    switch (d->i->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu:
    case PTX_OP_st: return hd__model_decode_load_store(d);
    case PTX_OP_atom:
    case PTX_OP_red: return hd__model_decode_atomic(d);
    case PTX_OP_bra:
    case PTX_OP_brx: return hd__model_decode_branch(d, join);
    case PTX_OP_call: return hd__model_decode_call(d);
    case PTX_OP_bar:
    case PTX_OP_barrier: return hd__model_decode_barrier(d);
    case PTX_OP_prefetch:
    case PTX_OP_prefetchu:
    case PTX_OP_applypriority:
    case PTX_OP_discard:
    case PTX_OP_createpolicy:
    case PTX_OP_ret:
    case PTX_OP_exit:
    case PTX_OP_trap:
    case PTX_OP_brkpt:
    case PTX_OP_pmevent:
    case PTX_OP_nanosleep:
    case PTX_OP_setmaxnreg:
    case PTX_OP_griddepcontrol:
    case PTX_OP_membar:
    case PTX_OP_fence: return true;
    case PTX_OP_cp:
    case PTX_OP_mbarrier: return hd__model_decode_listed(d);
    case PTX_OP_mma:
    case PTX_OP_ldmatrix:
    case PTX_OP_stmatrix: return hd__model_decode_matrix(d);
    case PTX_OP_wmma: return hd__model_decode_wmma(d);
    default: return decode_plain(d);
    }
}

static bool decode(decoder *d, const int32_t *join)
{
    operation *o = d->o;
    const ptx_instruction *i = d->i;
    *o = (operation){.text = i, .guard = -1, .list = UINT32_MAX, .target = -1, .join = -1};
    o->op = (uint8_t)i->op, o->type = i->type[0], o->type2 = i->type[1], o->vector = 1;
    o->a = o->b = o->c = d->slots.zero;
    o->d = d->slots.scratch, o->d2 = d->slots.scratch, o->e = d->slots.carry;
    o->rounding = (uint8_t)rounding_of(i);
    if (i->guard >= 0) o->guard = (int32_t)d->slots.of_register[i->guard];
    o->guard_negated = i->guard_negated;
    if (i->second.kind == PTX_REGISTER) o->d2 = d->slots.of_register[i->second.number];
    if (!hd__model_operands_fit(i))
        return hd__model_decode_refuse(d, "%d operands", (int)i->operands);
    if (!decode_operands(d, join)) return false;
    dispatch_operation *dispatcher = hd__model_dispatcher_of(i);
    if (o->run == NULL && hd__model_modifiers_known(i, dispatcher)) o->run = dispatcher(i, o);
    return o->run != NULL || hd__model_decode_refuse(d, "the model does not know this form");
}

// What may wait, part, end or look at the clock runs by itself.
static bool is_plain(const operation *o)
{
    switch (o->op) {
    case PTX_OP_bra:
    case PTX_OP_brx:
    case PTX_OP_call:
    case PTX_OP_ret:
    case PTX_OP_exit:
    case PTX_OP_trap:
    case PTX_OP_bar:
    case PTX_OP_barrier:
    case PTX_OP_cp:
    case PTX_OP_mbarrier: return false;
    case PTX_OP_mov: return !hd__model_reads_clock(o->text);
    default: return o->guard < 0 && !o->gathers;
    }
}

// Lengths of straight ways, from the end. One ends where lanes may reconverge, which is asked for
// there.
static void measure(program *p, const int32_t *join)
{
    for (int32_t k = 0; k < p->length; k++)
        if (join[k] >= 0) p->code[join[k]].reconverges = true;
    for (int32_t k = p->length - 1; k >= 0; k--) {
        operation *o = &p->code[k];
        o->straight = !is_plain(o) ? 0 : o[1].reconverges ? 1 : 1 + o[1].straight;
    }
}

// ---- Functions ----------------------------------------------------------------------------------

static void end_of_function(machine *m, const operation *o)
{
    (void)o;
    m->mask = m->now->mask;
    // A kernel that ends without ret; of a function, this is the reconvergence point of its call.
    hd__model_split_returns(m);
}

// Bulk copies do two things: the arrival at the mbarrier has an operation of its own, behind the
// code.
static bool is_bulk(const ptx_instruction *i)
{
    return i->op == PTX_OP_cp && ptx_has(i, PTX_MOD_COMPLETE_TX_BYTES);
}

static size_t count_bulk(const ptx_function *f)
{
    size_t count = 0;
    for (int32_t k = 0; k < f->length; k++) count += is_bulk(&f->code[k]);
    return count;
}

static void add_bulk(decoder *d, operation *o, operation *also)
{
    *also = *o;
    also->op = PTX_OP_mbarrier, also->order = ORDER_RELEASE, also->bytes = 8, also->vector = 1;
    also->site = d->slots.module->sites++;
    o->also = also;
}

static bool decode_code(decoder *d, program *p, const int32_t *join)
{
    operation *spare = p->code + p->length + 1;
    const ptx_function *f = d->slots.text;
    for (int32_t k = 0; k < f->length; k++) {
        d->i = &f->code[k];
        d->o = &p->code[k];
        if (!decode(d, join)) return false;
        d->o->site = d->slots.module->sites++;
        if (is_bulk(d->i)) add_bulk(d, d->o, spare++);
    }
    static const ptx_instruction end = {.op = PTX_OP_ret, .source = -1, .guard = -1};
    p->code[f->length] = (operation){.run = end_of_function, .guard = -1, .text = &end};
    p->code[f->length].op = PTX_OP_ret;
    p->code[f->length].site = d->slots.module->sites++;
    return true;
}

bool hd__model_make_program(loaded_module *m, int32_t number)
{
    const ptx_function *f = &m->text->functions[number];
    program *p = &m->programs[number];
    decoder d = {.i = f->code};
    *p = (program){.text = f, .module = m->text, .length = f->length};
    if (!f->defined) return true;
    p->local_bytes = (f->local_bytes + 15) / 16 * 16;
    p->frame_bytes = (f->frame_bytes + 15) / 16 * 16;
    p->shared_bytes = f->shared_bytes;
    p->code = calloc((size_t)f->length + 1 + count_bulk(f), sizeof *p->code);
    int32_t *join = malloc(((size_t)f->length + 1) * sizeof *join);
    bool done = p->code != NULL && join != NULL && hd__model_registers_begin(&d.slots, m, number) &&
                hd__model_flow_joins(f, join);
    if (!done) snprintf(m->error, sizeof m->error, "%s: no memory", f->name);
    done = done && decode_code(&d, p, join) && hd__model_mark_uniform(p) &&
           hd__model_mark_cas_loads(p) && hd__model_mark_copy_only(p) &&
           hd__model_mark_value_uses(p) && hd__model_mark_variables(p);
    if (done) measure(p, join);
    hd__model_registers_end(&d.slots);
    free(join);
    return done;
}
