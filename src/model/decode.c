// SPDX-License-Identifier: Apache-2.0
//
// Instructions made into operations: which function runs each, and where its operands are.
#include "model/control.h"
#include "model/flow.h"
#include "model/numbers.h"
#include "model/program.h"
#include "model/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct decoder {
    slot_map slots;
    const ptx_instruction *i;
    operation *o;
} decoder;

// ---- Errors -------------------------------------------------------------------------------------

// "kernel k, line 12: 'ld.global.v4.f32': ..."
static bool refuse(decoder *d, const char *format, ...)
{
    loaded_module *m = d->slots.module;
    va_list arguments;
    char name[160];
    size_t n = (size_t)snprintf(name, sizeof name, "%s", hd__ptx_opcode_name(d->i->op));
    for (int k = 0; k < d->i->mods && n < sizeof name; k++)
        n += (size_t)snprintf(name + n, sizeof name - n, ".%s",
                              hd__ptx_modifier_name((ptx_modifier)d->i->mod[k]));
    for (int k = 0; k < d->i->types && n < sizeof name; k++)
        n += (size_t)snprintf(name + n, sizeof name - n, ".%s",
                              hd__ptx_type_name((ptx_type)d->i->type[k]));
    if (m->error[0] != 0) return false;
    const int at = snprintf(m->error, sizeof m->error, "%s, line %d: '%s': ", d->slots.text->name,
                            (int)d->i->line, name);
    va_start(arguments, format);
    vsnprintf(m->error + at, sizeof m->error - (size_t)at, format, arguments);
    va_end(arguments);
    return false;
}

static bool no_memory(decoder *d)
{
    return refuse(d, "no memory");
}

// ---- Operands -----------------------------------------------------------------------------------

// An immediate as the instruction's type has it.
static uint64_t immediate_bits(const ptx_operand *operand, ptx_type type)
{
    const uint64_t v = operand->value;
    if (operand->float_type == PTX_F64 && type == PTX_F32) return bits_of_f32((float)f64_of(v));
    if (operand->float_type == PTX_F32 && type == PTX_F64)
        return bits_of_f64((double)f32_of((uint32_t)v));
    return v;
}

static uint64_t address_of(const decoder *d, const ptx_operand *operand)
{
    const ptx_variable *v = &d->slots.module->text->variables[operand->number];
    return (uint64_t)(v->address + operand->offset);
}

// The slot of a source of a type; UINT32_MAX: it has none, and the error is set.
static uint32_t source_slot(decoder *d, const ptx_operand *operand, ptx_type type)
{
    const int bytes = type == PTX_PRED ? 4 : hd__ptx_type_bytes(type);
    uint32_t slot = UINT32_MAX;
    switch (operand->kind) {
    case PTX_REGISTER: return d->slots.of_register[operand->number];
    case PTX_SINK: return d->slots.scratch;
    case PTX_IMMEDIATE:
        slot = hd__slot_of_constant(&d->slots,
                                    type == PTX_PRED ? (operand->value ? ~(uint64_t)0 : 0)
                                                     : immediate_bits(operand, type),
                                    bytes);
        break;
    case PTX_SPECIAL: slot = hd__slot_of_special(&d->slots, operand->number); break;
    case PTX_ADDRESS:
        slot = d->slots.module->text->variables[operand->number].space == PTX_LOCAL
                   ? hd__slot_of_local(&d->slots, (int64_t)address_of(d, operand))
                   : hd__slot_of_constant(&d->slots, address_of(d, operand), bytes);
        break;
    default: refuse(d, "an operand of a kind it does not take"); return UINT32_MAX;
    }
    if (slot == UINT32_MAX) no_memory(d);
    return slot;
}

static bool set_source(decoder *d, int k, ptx_type type, uint32_t *slot, bool *negated)
{
    if (k >= d->i->operands) return refuse(d, "too few operands");
    const ptx_operand *operand = &d->i->operand[k];
    *slot = source_slot(d, operand, type);
    if (negated != NULL)
        *negated = operand->negated;
    else if (operand->negated)
        return refuse(d, "'!' of what is no predicate");
    return *slot != UINT32_MAX;
}

static bool set_result(decoder *d, int k)
{
    if (k >= d->i->operands) return refuse(d, "too few operands");
    const ptx_operand *operand = &d->i->operand[k];
    if (operand->kind == PTX_SINK)
        d->o->d = d->slots.scratch;
    else if (operand->kind == PTX_REGISTER)
        d->o->d = d->slots.of_register[operand->number];
    else
        return refuse(d, "the result is no register");
    return true;
}

static bool set_list(decoder *d, const ptx_operand *vector, ptx_type type)
{
    d->o->list = (uint32_t)d->slots.program->list_count;
    for (int32_t k = 0; k < vector->count; k++) {
        const ptx_operand *element = &d->slots.text->pool[vector->list + k];
        const uint32_t slot = source_slot(d, element, type);
        if (slot == UINT32_MAX) return false;
        if (!hd__slots_append(&d->slots, slot)) return no_memory(d);
    }
    return true;
}

static int register_bytes(const decoder *d, const ptx_operand *operand, int otherwise)
{
    if (operand->kind == PTX_VECTOR) {
        for (int32_t k = 0; k < operand->count; k++) {
            const ptx_operand *element = &d->slots.text->pool[operand->list + k];
            if (element->kind == PTX_REGISTER)
                return hd__ptx_type_bytes(d->slots.text->registers[element->number].type);
        }
        return otherwise;
    }
    return operand->kind == PTX_REGISTER
               ? hd__ptx_type_bytes(d->slots.text->registers[operand->number].type)
               : otherwise;
}

// ---- Memory -------------------------------------------------------------------------------------

static ptx_space space_named(const ptx_instruction *i)
{
    if (ptx_has(i, PTX_MOD_GLOBAL)) return PTX_GLOBAL;
    if (ptx_has(i, PTX_MOD_SHARED) || ptx_has(i, PTX_MOD_SHARED_CTA) ||
        ptx_has(i, PTX_MOD_SHARED_CLUSTER))
        return PTX_SHARED;
    if (ptx_has(i, PTX_MOD_LOCAL)) return PTX_LOCAL;
    if (ptx_has(i, PTX_MOD_CONST)) return PTX_CONST;
    if (ptx_has(i, PTX_MOD_PARAM) || ptx_has(i, PTX_MOD_PARAM_ENTRY) ||
        ptx_has(i, PTX_MOD_PARAM_FUNC))
        return PTX_PARAM;
    return PTX_GENERIC;
}

static access_scope scope_named(const ptx_instruction *i)
{
    return ptx_has(i, PTX_MOD_CTA)       ? SCOPE_CTA
           : ptx_has(i, PTX_MOD_CLUSTER) ? SCOPE_CLUSTER
           : ptx_has(i, PTX_MOD_GPU)     ? SCOPE_GPU
           : ptx_has(i, PTX_MOD_SYS)     ? SCOPE_SYS
                                         : SCOPE_NONE;
}

// Slot a and the offset; type2 is the width of the address's register.
static bool set_address(decoder *d, int k)
{
    operation *o = d->o;
    if (k >= d->i->operands || d->i->operand[k].kind != PTX_MEMORY)
        return refuse(d, "expected an address in brackets");
    ptx_operand base = d->i->operand[k];
    base.kind = base.base;
    o->space = (uint8_t)space_named(d->i);
    o->scope = (uint8_t)scope_named(d->i);
    o->type2 = 8;
    if (base.kind == PTX_REGISTER) {
        o->a = d->slots.of_register[base.number];
        o->type2 = (uint8_t)hd__ptx_type_bytes(d->slots.text->registers[base.number].type);
        o->offset = base.offset;
        if (o->type2 != 4 && o->type2 != 8) return refuse(d, "an address of %d bytes", o->type2);
        return true;
    }
    if (base.kind == PTX_ADDRESS) {
        const ptx_variable *v = &d->slots.module->text->variables[base.number];
        o->space = (uint8_t)v->space;
    }
    o->offset = 0;
    if (base.kind == PTX_IMMEDIATE) base.value += (uint64_t)base.offset;
    o->a = source_slot(d, &base, PTX_U64);
    return o->a != UINT32_MAX;
}

static int vector_length(const ptx_instruction *i)
{
    return ptx_has(i, PTX_MOD_V2) ? 2 : ptx_has(i, PTX_MOD_V4) ? 4 : ptx_has(i, PTX_MOD_V8) ? 8 : 1;
}

static bool decode_load_store(decoder *d)
{
    operation *o = d->o;
    const bool stores = d->i->op == PTX_OP_st;
    const ptx_type type = (ptx_type)d->i->type[0];
    const int data = stores ? 1 : 0;
    if (d->i->operands < 2) return refuse(d, "too few operands");
    const ptx_operand *value = &d->i->operand[data];
    o->bytes = (uint8_t)hd__ptx_type_bytes(type);
    o->vector = (uint8_t)vector_length(d->i);
    o->mode = (uint8_t)register_bytes(d, value, o->bytes == 8 ? 8 : 4);
    if (o->mode < 2) o->mode = 4;
    if ((value->kind == PTX_VECTOR ? value->count : 1) != o->vector)
        return refuse(d, "%d values for a vector of %d", (int)value->count, (int)o->vector);
    if (!set_address(d, stores ? 0 : 1)) return false;
    if (value->kind == PTX_VECTOR) return set_list(d, value, type);
    if (!stores) return set_result(d, 0);
    o->d = source_slot(d, value, type);
    return o->d != UINT32_MAX;
}

static bool decode_atomic(decoder *d)
{
    operation *o = d->o;
    const ptx_type type = (ptx_type)d->i->type[0];
    const int first = d->i->op == PTX_OP_red ? 0 : 1;
    o->bytes = (uint8_t)hd__ptx_type_bytes(type);
    o->vector = (uint8_t)vector_length(d->i);
    if (first == 1 && !set_result(d, 0)) return false;
    if (!set_address(d, first)) return false;
    if (!set_source(d, first + 1, type, &o->b, NULL)) return false;
    return !ptx_has(d->i, PTX_MOD_CAS) || set_source(d, first + 2, type, &o->c, NULL);
}

// ---- Control ------------------------------------------------------------------------------------

static bool decode_branch(decoder *d, const int32_t *join)
{
    const ptx_function *f = d->slots.text;
    const int32_t at = (int32_t)(d->i - f->code);
    d->o->join = join[at];
    if (d->i->op == PTX_OP_bra) {
        if (d->i->operands != 1 || d->i->operand[0].kind != PTX_LABEL)
            return refuse(d, "expected a label");
        d->o->target = f->labels[d->i->operand[0].number].at;
        return true;
    }
    if (d->i->operands < 2 || d->i->operand[1].kind != PTX_LABEL)
        return refuse(d, "expected an index and a list of targets");
    if (!set_source(d, 0, PTX_U32, &d->o->a, NULL)) return false;
    const ptx_label *targets = &f->labels[d->i->operand[1].number];
    d->o->list = (uint32_t)d->slots.program->list_count;
    d->o->count = targets->target_count;
    for (int32_t k = 0; k < targets->target_count; k++) {
        const ptx_operand *t = &f->pool[targets->target_list + k];
        if (t->kind != PTX_LABEL) return refuse(d, "a target that is no label");
        if (!hd__slots_append(&d->slots, (uint32_t)f->labels[t->number].at)) return no_memory(d);
    }
    return true;
}

// Arguments or results: pairs of a variable of the caller and one of the callee.
static bool append_pairs(decoder *d, const ptx_operand *mine, const int32_t *theirs, int32_t count)
{
    const ptx_module *m = d->slots.module->text;
    const int32_t given = mine == NULL ? 0 : mine->count;
    if (given != count) return refuse(d, "%d arguments or results; expected %d", given, count);
    for (int32_t k = 0; k < count; k++) {
        const ptx_operand *o = &d->slots.text->pool[mine->list + k];
        const ptx_variable *to = &m->variables[theirs[k]];
        if (o->kind != PTX_ADDRESS || m->variables[o->number].space != PTX_LOCAL)
            return refuse(d, "an argument that is no parameter variable");
        const ptx_variable *from = &m->variables[o->number];
        const int64_t bytes = from->bytes < to->bytes ? from->bytes : to->bytes;
        if (!hd__slots_append(&d->slots, (uint32_t)(from->address + o->offset)) ||
            !hd__slots_append(&d->slots, (uint32_t)to->address) ||
            !hd__slots_append(&d->slots, (uint32_t)bytes))
            return no_memory(d);
    }
    return true;
}

static bool decode_call(decoder *d)
{
    const ptx_module *m = d->slots.module->text;
    int at = 0;
    while (at < d->i->operands && d->i->operand[at].kind == PTX_VECTOR) at++;
    if (at >= d->i->operands || d->i->operand[at].kind != PTX_FUNCTION)
        return refuse(d, "calls through pointers are not known");
    const int32_t number = d->i->operand[at].number;
    const ptx_function *f = &m->functions[number];
    const ptx_operand *results = at > 0 ? &d->i->operand[0] : NULL;
    const bool has_arguments = at + 1 < d->i->operands && d->i->operand[at + 1].kind == PTX_VECTOR;
    d->o->list = (uint32_t)d->slots.program->list_count;
    d->o->vector = (uint8_t)f->param_count, d->o->bytes = (uint8_t)f->result_count;
    if (f->param_count > 255 || f->result_count > 255) return refuse(d, "too many parameters");
    if (!append_pairs(d, has_arguments ? &d->i->operand[at + 1] : NULL, f->params,
                      f->param_count) ||
        !append_pairs(d, results, f->results, f->result_count))
        return false;
    d->o->callee = &d->slots.module->programs[number];
    if (f->defined) return true;
    d->o->run = hd__builtin_named(f->name);
    if (d->o->run == NULL) d->o->run = hd__math_named(d->slots.module->text, f, d->o);
    return d->o->run != NULL || refuse(d, "the function '%s' is not there", f->name);
}

// bar.sync a, b   bar.red.popc.u32 d, a, b, p   bar.warp.sync mask
static bool decode_barrier(decoder *d)
{
    operation *o = d->o;
    const ptx_instruction *i = d->i;
    o->d = o->b = UINT32_MAX;
    if (ptx_has(i, PTX_MOD_WARP)) {
        o->gathers = true;
        return set_source(d, 0, PTX_U32, &o->e, NULL);
    }
    int k = 0;
    const bool reduces = ptx_has(i, PTX_MOD_RED);
    if (reduces && !set_result(d, k++)) return false;
    if (!set_source(d, k++, PTX_U32, &o->a, NULL)) return false;
    const int left = i->operands - k - reduces;
    if (left > 0 && !set_source(d, k++, PTX_U32, &o->b, NULL)) return false;
    return !reduces || set_source(d, k, PTX_PRED, &o->c, &o->negate_c);
}

// ---- Everything else ----------------------------------------------------------------------------

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
    case PTX_OP_shfl:
    case PTX_OP_prmt:
    case PTX_OP_lop3:
    case PTX_OP_shf: return PTX_U32;
    case PTX_OP_vote: return k == 1 ? PTX_PRED : PTX_U32;
    default: return t != PTX_NO_TYPE ? t : PTX_U32;
    }
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
    if (i->op == PTX_OP_lop3 && count == 5) {
        if (i->operand[4].kind != PTX_IMMEDIATE) return refuse(d, "the table must be a number");
        o->mode = (uint8_t)i->operand[4].value;
        count = 4;
    }
    if (mask >= 0) {
        o->gathers = true;
        if (!set_source(d, mask, PTX_U32, &o->e, NULL)) return false;
        count--;
    }
    if (count > 5) return refuse(d, "too many operands");
    for (int k = 0; k < count; k++) {
        const ptx_operand *operand = &i->operand[k];
        const ptx_type type = k > 0 ? source_type(i, k) : PTX_NO_TYPE;
        if (operand->kind == PTX_VECTOR) {
            const int bytes = hd__ptx_type_bytes((ptx_type)i->type[0]);
            const ptx_type part = bytes == 8 && operand->count == 2 ? PTX_B32 : PTX_B16;
            if (i->op != PTX_OP_mov || !set_list(d, operand, part))
                return refuse(d, "a vector where none is known");
        } else if (k == 0) {
            if (!set_result(d, 0)) return false;
        } else if (!set_source(d, k, type, slot[k], type == PTX_PRED ? negated[k] : NULL)) {
            return false;
        }
    }
    if (i->op == PTX_OP_cvt) {
        if (count < 2) return refuse(d, "too few operands");
        // What a conversion asks of its registers.
        o->offset = register_bytes(d, &i->operand[0], 4);
        o->bytes =
            (uint8_t)register_bytes(d, &i->operand[1], hd__ptx_type_bytes((ptx_type)i->type[1]));
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
    case PTX_OP_st: return decode_load_store(d);
    case PTX_OP_atom:
    case PTX_OP_red: return decode_atomic(d);
    case PTX_OP_bra:
    case PTX_OP_brx: return decode_branch(d, join);
    case PTX_OP_call: return decode_call(d);
    case PTX_OP_bar:
    case PTX_OP_barrier: return decode_barrier(d);
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
    case PTX_OP_griddepcontrol:
    case PTX_OP_membar:
    case PTX_OP_fence:
    case PTX_OP_cp:
    case PTX_OP_mbarrier: return true;
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
    if (!decode_operands(d, join)) return false;
    if (o->run == NULL) o->run = hd__chooser_of(i)(i, o);
    return o->run != NULL || refuse(d, "the model does not know this form");
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
    case PTX_OP_mov: return !hd__reads_clock(o->text);
    default: return o->guard < 0 && !o->gathers;
    }
}

// Lengths of straight ways, from the end. One ends where lanes may meet, which is asked for there.
static void measure(program *p, const int32_t *join)
{
    for (int32_t k = 0; k < p->length; k++)
        if (join[k] >= 0) p->code[join[k]].meets = true;
    for (int32_t k = p->length - 1; k >= 0; k--) {
        operation *o = &p->code[k];
        o->straight = !is_plain(o) ? 0 : o[1].meets ? 1 : 1 + o[1].straight;
    }
}

// ---- Functions ----------------------------------------------------------------------------------

static void end_of_function(machine *m, const operation *o)
{
    (void)o;
    m->mask = m->now->mask;
    // A kernel that ends without ret; of a function, this is the meeting of its call.
    hd__fragment_returns(m);
}

static bool decode_code(decoder *d, program *p, const int32_t *join)
{
    const ptx_function *f = d->slots.text;
    for (int32_t k = 0; k < f->length; k++) {
        d->i = &f->code[k];
        d->o = &p->code[k];
        if (!decode(d, join)) return false;
        d->o->site = d->slots.module->sites++;
    }
    static const ptx_instruction end = {.op = PTX_OP_ret, .source = -1, .guard = -1};
    p->code[f->length] = (operation){.run = end_of_function, .guard = -1, .text = &end};
    p->code[f->length].op = PTX_OP_ret;
    p->code[f->length].site = d->slots.module->sites++;
    return true;
}

bool hd__make_program(loaded_module *m, int32_t number)
{
    const ptx_function *f = &m->text->functions[number];
    program *p = &m->programs[number];
    decoder d = {.i = f->code};
    *p = (program){.text = f, .module = m->text, .length = f->length};
    if (!f->defined) return true;
    p->local_bytes = (f->local_bytes + 15) / 16 * 16;
    p->frame_bytes = (f->frame_bytes + 15) / 16 * 16;
    p->shared_bytes = f->shared_bytes;
    p->code = calloc((size_t)f->length + 1, sizeof *p->code);
    int32_t *join = malloc(((size_t)f->length + 1) * sizeof *join);
    bool done = p->code != NULL && join != NULL && hd__slots_begin(&d.slots, m, number) &&
                hd__flow_joins(f, join);
    if (!done) snprintf(m->error, sizeof m->error, "%s: no memory", f->name);
    done = done && decode_code(&d, p, join) && hd__mark_uniform(p);
    if (done) measure(p, join);
    hd__slots_end(&d.slots);
    free(join);
    return done;
}
