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
    case PTX_FUNCTION:
        slot = hd__slot_of_constant(
            &d->slots, FUNCTION_WINDOW + (uint64_t)operand->number * FUNCTION_STEP, bytes);
        break;
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

// How a slot of a type is laid out: a mask, or 32 lanes of 4, 8 or 16 bytes.
static int layout_of(ptx_type type)
{
    const int bytes = hd__ptx_type_bytes(type);
    return type == PTX_PRED ? 1 : bytes <= 4 ? 4 : bytes;
}

// A register must have the layout that the instruction reads or writes.
static bool check_layout(decoder *d, const ptx_operand *operand, ptx_type type)
{
    if (operand->kind != PTX_REGISTER) return true;
    const ptx_type of_register = d->slots.text->registers[operand->number].type;
    if (layout_of(of_register) == layout_of(type)) return true;
    return refuse(d, "a register of type .%s where .%s is expected", hd__ptx_type_name(of_register),
                  hd__ptx_type_name(type));
}

// type: of the elements; layout: a type whose layout their registers have.
static bool set_list(decoder *d, const ptx_operand *vector, ptx_type type, ptx_type layout)
{
    d->o->list = (uint32_t)d->slots.program->list_count;
    for (int32_t k = 0; k < vector->count; k++) {
        const ptx_operand *element = &d->slots.text->pool[vector->list + k];
        const uint32_t slot = source_slot(d, element, type);
        if (slot == UINT32_MAX || !check_layout(d, element, layout)) return false;
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
    const ptx_type layout = o->mode == 8 ? PTX_B64 : o->mode == 16 ? PTX_B128 : PTX_B32;
    if (value->kind == PTX_VECTOR) return set_list(d, value, type, layout);
    if (!check_layout(d, value, layout)) return false;
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
    for (int k = 0; k < d->i->operands; k++)
        if (!check_layout(d, &d->i->operand[k], type)) return false;
    if (!set_address(d, first)) return false;
    if (o->vector > 1) { // the values, then the registers for what was there
        for (int k = first + 1; k != 0 - first; k -= first + 1) {
            if (k >= d->i->operands || d->i->operand[k].kind != PTX_VECTOR ||
                d->i->operand[k].count != o->vector)
                return refuse(d, "expected %d values in braces", (int)o->vector);
            const uint32_t list = o->list;
            if (!set_list(d, &d->i->operand[k], type, type)) return false;
            if (list != UINT32_MAX) o->list = list;
        }
        return true;
    }
    if (first == 1 && !set_result(d, 0)) return false;
    if (!set_source(d, first + 1, type, &o->b, NULL)) return false;
    return !ptx_has(d->i, PTX_MOD_CAS) || set_source(d, first + 2, type, &o->c, NULL);
}

// Instructions of many addresses: every operand becomes four words of the list, its slot, the bytes
// of its register, and an offset. o->count says how many there are; bits of b, c, d which are
// predicates, which are wide, and which can take a result.
static bool decode_listed(decoder *d)
{
    operation *o = d->o;
    o->list = (uint32_t)d->slots.program->list_count;
    o->count = d->i->operands;
    o->b = o->c = o->d = 0;
    o->space = (uint8_t)space_named(d->i);
    o->scope = (uint8_t)scope_named(d->i);
    for (int k = 0; k < d->i->operands; k++) {
        ptx_operand operand = d->i->operand[k];
        const bool memory = operand.kind == PTX_MEMORY;
        uint64_t offset = 0;
        if (memory) operand.kind = operand.base;
        if (memory && operand.kind != PTX_ADDRESS) offset = (uint64_t)operand.offset;
        const bool named = operand.kind == PTX_REGISTER;
        const ptx_type of_register =
            named ? d->slots.text->registers[operand.number].type : PTX_U64;
        const uint32_t bytes =
            of_register == PTX_PRED ? 0 : (uint32_t)hd__ptx_type_bytes(of_register);
        const uint32_t slot = source_slot(d, &operand, PTX_U64);
        if (slot == UINT32_MAX) return false;
        o->b |= (uint32_t)(bytes == 0) << k, o->c |= (uint32_t)(bytes == 8) << k;
        o->d |= (uint32_t)(!memory && (named || operand.kind == PTX_SINK)) << k;
        if (bytes > 8 || operand.negated) return refuse(d, "operand %d is of no known kind", k + 1);
        if (!hd__slots_append(&d->slots, slot) || !hd__slots_append(&d->slots, bytes) ||
            !hd__slots_append(&d->slots, (uint32_t)offset) ||
            !hd__slots_append(&d->slots, (uint32_t)(offset >> 32)))
            return no_memory(d);
    }
    return true;
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

// Arguments or results: three words each, the place of the caller's variable, that of the callee's
// (of a call through a pointer it is found when it is made), and how many bytes.
static bool append_pairs(decoder *d, const ptx_operand *mine, const int32_t *theirs, int32_t count)
{
    const ptx_module *m = d->slots.module->text;
    const int32_t given = mine == NULL ? 0 : mine->count;
    if (given != count) return refuse(d, "%d arguments or results; expected %d", given, count);
    for (int32_t k = 0; k < count; k++) {
        const ptx_operand *o = &d->slots.text->pool[mine->list + k];
        if (o->kind != PTX_ADDRESS || m->variables[o->number].space != PTX_LOCAL)
            return refuse(d, "an argument that is no parameter variable");
        const ptx_variable *from = &m->variables[o->number];
        const ptx_variable *to = theirs != NULL ? &m->variables[theirs[k]] : from;
        if (o->offset < 0 || o->offset > from->bytes)
            return refuse(d, "an argument outside of its variable");
        const int64_t room = from->bytes - o->offset;
        const int64_t bytes = room < to->bytes ? room : to->bytes;
        if (!hd__slots_append(&d->slots, (uint32_t)(from->address + o->offset)) ||
            !hd__slots_append(&d->slots, (uint32_t)to->address) ||
            !hd__slots_append(&d->slots, (uint32_t)bytes))
            return no_memory(d);
    }
    return true;
}

// call (results), %rd1, (arguments), prototype
static bool decode_indirect(decoder *d, int at, const ptx_operand *results,
                            const ptx_operand *arguments)
{
    const int32_t argument_count = arguments != NULL ? arguments->count : 0;
    const int32_t result_count = results != NULL ? results->count : 0;
    if (argument_count > 255 || result_count > 255) return refuse(d, "too many parameters");
    if (!check_layout(d, &d->i->operand[at], PTX_B64) ||
        !set_source(d, at, PTX_U64, &d->o->a, NULL))
        return false;
    d->o->vector = (uint8_t)argument_count, d->o->bytes = (uint8_t)result_count;
    return append_pairs(d, arguments, NULL, argument_count) &&
           append_pairs(d, results, NULL, result_count);
}

static bool decode_call(decoder *d)
{
    const ptx_module *m = d->slots.module->text;
    int at = 0;
    while (at < d->i->operands && d->i->operand[at].kind == PTX_VECTOR) at++;
    if (at >= d->i->operands || at > 1) return refuse(d, "expected a function");
    const ptx_operand *results = at > 0 ? &d->i->operand[0] : NULL;
    const bool has_arguments = at + 1 < d->i->operands && d->i->operand[at + 1].kind == PTX_VECTOR;
    const ptx_operand *arguments = has_arguments ? &d->i->operand[at + 1] : NULL;
    d->o->list = (uint32_t)d->slots.program->list_count;
    if (d->i->operand[at].kind == PTX_REGISTER) return decode_indirect(d, at, results, arguments);
    if (d->i->operand[at].kind != PTX_FUNCTION) return refuse(d, "expected a function");
    const int32_t number = d->i->operand[at].number;
    const ptx_function *f = &m->functions[number];
    d->o->vector = (uint8_t)f->param_count, d->o->bytes = (uint8_t)f->result_count;
    if (f->param_count > 255 || f->result_count > 255) return refuse(d, "too many parameters");
    if (f->entry) return refuse(d, "a kernel cannot be called");
    if (!append_pairs(d, arguments, f->params, f->param_count) ||
        !append_pairs(d, results, f->results, f->result_count))
        return false;
    d->o->callee = &d->slots.module->programs[number];
    if (f->defined) return true;
    d->o->run = hd__builtin_named(f->name, f->param_count);
    return d->o->run != NULL || refuse(d, "the function '%s' is not there", f->name);
}

// bar.sync a, b   bar.red.popc.u32 d, a, b, p   bar.warp.sync mask
static bool decode_barrier(decoder *d)
{
    operation *o = d->o;
    const ptx_instruction *i = d->i;
    o->d = o->b = UINT32_MAX;
    if (ptx_has(i, PTX_MOD_CLUSTER)) return true;
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
    case PTX_OP_dp2a:
    case PTX_OP_dp4a:
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
    if (!check_layout(d, second,
                      i->op == PTX_OP_shfl || i->op == PTX_OP_match || i->op == PTX_OP_setp ||
                              i->op == PTX_OP_elect || i->op == PTX_OP_lop3
                          ? PTX_PRED
                          : PTX_B128))
        return false;
    for (int k = 0; k < count; k++) {
        const ptx_operand *operand = &i->operand[k];
        const ptx_type type = k == 0 ? result_type(i) : source_type(i, k);
        if (operand->kind == PTX_SPECIAL && hd__ptx_type_bytes(type) == 8 && i->op != PTX_OP_mov &&
            i->op != PTX_OP_cvt)
            return refuse(d, "%s where 64 bits are expected",
                          hd__ptx_special_name((ptx_special)operand->number));
        if (i->op == PTX_OP_cvt && operand->kind == PTX_REGISTER) {
            const ptx_type own = d->slots.text->registers[operand->number].type;
            if (own == PTX_PRED || layout_of(own) < layout_of(type) || layout_of(own) > 8)
                return refuse(d, "a register of type .%s", hd__ptx_type_name(own));
        } else if (!check_layout(d, operand, type)) {
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
        if (i->operand[4].kind != PTX_IMMEDIATE) return refuse(d, "the table must be a number");
        o->mode = (uint8_t)i->operand[4].value;
        if (count == 6 && (!check_layout(d, &i->operand[5], PTX_PRED) ||
                           !set_source(d, 5, PTX_PRED, &o->e, &o->negate_c)))
            return false;
        count = 4;
    }
    if (mask >= 0) {
        o->gathers = true;
        if (!set_source(d, mask, PTX_U32, &o->e, NULL)) return false;
        count--;
    }
    if (count > 5) return refuse(d, "too many operands");
    if (!check_layouts(d, count)) return false;
    for (int k = 0; k < count; k++) {
        const ptx_operand *operand = &i->operand[k];
        const ptx_type type = k > 0 ? source_type(i, k) : PTX_NO_TYPE;
        if (operand->kind == PTX_VECTOR) {
            const int bytes = hd__ptx_type_bytes((ptx_type)i->type[0]);
            const ptx_type part = bytes == 8 && operand->count == 2 ? PTX_B32 : PTX_B16;
            if (i->op != PTX_OP_mov || !set_list(d, operand, part, part))
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
    case PTX_OP_setmaxnreg:
    case PTX_OP_griddepcontrol:
    case PTX_OP_membar:
    case PTX_OP_fence: return true;
    case PTX_OP_cp:
    case PTX_OP_mbarrier: return decode_listed(d);
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
    if (!hd__operands_fit(i)) return refuse(d, "%d operands", (int)i->operands);
    if (!decode_operands(d, join)) return false;
    choose_operation *chooser = hd__chooser_of(i);
    if (o->run == NULL && hd__modifiers_known(i, chooser)) o->run = chooser(i, o);
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

// Bulk copies do two things: what the mbarrier is told has an operation of its own, behind the code.
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
    p->code = calloc((size_t)f->length + 1 + count_bulk(f), sizeof *p->code);
    int32_t *join = malloc(((size_t)f->length + 1) * sizeof *join);
    bool done = p->code != NULL && join != NULL && hd__slots_begin(&d.slots, m, number) &&
                hd__flow_joins(f, join);
    if (!done) snprintf(m->error, sizeof m->error, "%s: no memory", f->name);
    done = done && decode_code(&d, p, join);
    if (done) measure(p, join);
    hd__slots_end(&d.slots);
    free(join);
    return done;
}
