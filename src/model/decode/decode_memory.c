// SPDX-License-Identifier: Apache-2.0
//
// Operands of accesses: addresses, vectors, and instructions with many of them.
#include "decode.h"
#include "model/instructions/run.h"

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
        return hd__model_decode_refuse(d, "expected an address in brackets");
    ptx_operand base = d->i->operand[k];
    base.kind = base.base;
    o->space = (uint8_t)space_named(d->i);
    o->scope = (uint8_t)scope_named(d->i);
    o->type2 = 8;
    if (base.kind == PTX_REGISTER) {
        o->a = d->slots.of_register[base.number];
        o->type2 = (uint8_t)hd__model_ptx_type_bytes(d->slots.text->registers[base.number].type);
        o->offset = base.offset;
        if (o->type2 != 4 && o->type2 != 8)
            return hd__model_decode_refuse(d, "an address of %d bytes", o->type2);
        return true;
    }
    if (base.kind == PTX_ADDRESS) {
        const ptx_variable *v = &d->slots.module->text->variables[base.number];
        o->space = (uint8_t)v->space;
    }
    o->offset = 0;
    if (base.kind == PTX_IMMEDIATE) base.value += (uint64_t)base.offset;
    o->a = hd__model_decode_slot(d, &base, PTX_U64);
    return o->a != UINT32_MAX;
}

static int vector_length(const ptx_instruction *i)
{
    return ptx_has(i, PTX_MOD_V2) ? 2 : ptx_has(i, PTX_MOD_V4) ? 4 : ptx_has(i, PTX_MOD_V8) ? 8 : 1;
}

bool hd__model_decode_load_store(decoder *d)
{
    operation *o = d->o;
    const bool stores = d->i->op == PTX_OP_st;
    const ptx_type type = (ptx_type)d->i->type[0];
    const int data = stores ? 1 : 0;
    if (d->i->operands < 2) return hd__model_decode_refuse(d, "too few operands");
    const ptx_operand *value = &d->i->operand[data];
    o->bytes = (uint8_t)hd__model_ptx_type_bytes(type);
    if (o->bytes == 0) return hd__model_decode_refuse(d, "what is moved has no type");
    o->vector = (uint8_t)vector_length(d->i);
    o->mode = (uint8_t)hd__model_register_bytes(d, value, o->bytes == 8 ? 8 : 4);
    if (o->mode < 2) o->mode = 4;
    if ((value->kind == PTX_VECTOR ? value->count : 1) != o->vector)
        return hd__model_decode_refuse(d, "%d values for a vector of %d", (int)value->count,
                                       (int)o->vector);
    if (!set_address(d, stores ? 0 : 1)) return false;
    const ptx_type layout = o->mode == 8 ? PTX_B64 : o->mode == 16 ? PTX_B128 : PTX_B32;
    if (value->kind == PTX_VECTOR) return hd__model_decode_list(d, value, type, layout, !stores);
    if (!hd__model_decode_layout(d, value, layout)) return false;
    if (!stores) return hd__model_decode_result(d, 0);
    o->d = hd__model_decode_slot(d, value, type);
    return o->d != UINT32_MAX;
}

static bool append_vector(decoder *d, int k, ptx_type type, bool results)
{
    if (k >= d->i->operands || d->i->operand[k].kind != PTX_VECTOR ||
        d->i->operand[k].count != d->o->vector)
        return hd__model_decode_refuse(d, "expected %d values in braces", (int)d->o->vector);
    return hd__model_decode_list(d, &d->i->operand[k], type, type, results);
}

bool hd__model_decode_atomic(decoder *d)
{
    operation *o = d->o;
    const ptx_type type = (ptx_type)d->i->type[0];
    const int first = d->i->op == PTX_OP_red ? 0 : 1;
    o->bytes = (uint8_t)hd__model_ptx_type_bytes(type);
    if (o->bytes == 0) return hd__model_decode_refuse(d, "what is updated has no type");
    o->vector = (uint8_t)vector_length(d->i);
    for (int k = 0; k < d->i->operands; k++)
        if (!hd__model_decode_layout(d, &d->i->operand[k], type)) return false;
    if (!set_address(d, first)) return false;
    if (o->vector > 1) { // the values, then the registers for what was there
        if (!append_vector(d, first + 1, type, false)) return false;
        const uint32_t list = o->list;
        if (first == 1 && !append_vector(d, 0, type, true)) return false;
        o->list = list;
        return true;
    }
    if (first == 1 && !hd__model_decode_result(d, 0)) return false;
    if (!hd__model_decode_source(d, first + 1, type, &o->b, NULL)) return false;
    return !ptx_has(d->i, PTX_MOD_CAS) || hd__model_decode_source(d, first + 2, type, &o->c, NULL);
}

// Instructions of many addresses: every operand becomes four words of the list, its slot, the bytes
// of its register, and an offset. o->count says how many there are; bits of b, c, d which are
// predicates, which are wide, and which can take a result.
bool hd__model_decode_listed(decoder *d)
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
            of_register == PTX_PRED ? 0 : (uint32_t)hd__model_ptx_type_bytes(of_register);
        const uint32_t slot = hd__model_decode_slot(d, &operand, PTX_U64);
        if (slot == UINT32_MAX) return false;
        o->b |= (uint32_t)(bytes == 0) << k, o->c |= (uint32_t)(bytes == 8) << k;
        o->d |= (uint32_t)(!memory && (named || operand.kind == PTX_SINK)) << k;
        if (bytes > 8 || operand.negated)
            return hd__model_decode_refuse(d, "operand %d is of no known kind", k + 1);
        if (!hd__model_registers_append(&d->slots, slot) ||
            !hd__model_registers_append(&d->slots, bytes) ||
            !hd__model_registers_append(&d->slots, (uint32_t)offset) ||
            !hd__model_registers_append(&d->slots, (uint32_t)(offset >> 32)))
            return hd__model_decode_no_memory(d);
    }
    return true;
}

// All lanes of the warp must be here.
static bool gather_warp(decoder *d)
{
    d->o->gathers = true;
    d->o->e = hd__model_slot_of_constant(&d->slots, UINT32_MAX, 4);
    return d->o->e != UINT32_MAX || hd__model_decode_no_memory(d);
}

// Matrices in registers: the slots of all operands in braces, one after another. All lanes of the
// warp take part.
bool hd__model_decode_matrix(decoder *d)
{
    operation *o = d->o;
    const ptx_instruction *i = d->i;
    const uint32_t list = (uint32_t)d->slots.program->list_count;
    const bool product = i->op == PTX_OP_mma, stores = i->op == PTX_OP_stmatrix;
    const int chunks = ptx_has(i, PTX_MOD_X4) ? 4 : ptx_has(i, PTX_MOD_X2) ? 2 : 1;
    const ptx_type type = product && i->types > 0 && i->type[0] == PTX_F64 ? PTX_F64 : PTX_B32;
    if (!product && !set_address(d, stores ? 0 : 1)) return false;
    for (int k = 0; k < i->operands; k++) {
        if (!product && k == (stores ? 0 : 1)) continue;
        const int count = product ? hd__model_matrix_registers(i, k) : chunks;
        if (count == 0) return hd__model_decode_refuse(d, "the model does not know this form");
        o->vector = (uint8_t)count;
        if (!append_vector(d, k, type, k == 0)) return false;
    }
    o->list = list, o->bytes = 4;
    return gather_warp(d);
}

// Loads: registers, an address, and perhaps how far apart rows are (slot b, where c is not 0);
// stores: the address first; products: four times registers.
bool hd__model_decode_wmma(decoder *d)
{
    operation *o = d->o;
    const ptx_instruction *i = d->i;
    const uint32_t list = (uint32_t)d->slots.program->list_count;
    const bool product = ptx_has(i, PTX_MOD_MMA), stores = ptx_has(i, PTX_MOD_STORE);
    const int least = product ? 4 : 2;
    if (i->operands < least || i->operands > (product ? 4 : 3))
        return hd__model_decode_refuse(d, "%d operands", (int)i->operands);
    for (int k = 0; k < least; k++) {
        if (!product && k == (stores ? 0 : 1)) continue;
        const int count = hd__model_wmma_registers(i, k);
        if (count == 0) return hd__model_decode_refuse(d, "the model does not know this form");
        o->vector = (uint8_t)count;
        if (!append_vector(d, k, PTX_B32, k == 0 && !stores)) return false;
    }
    if (!product && !set_address(d, stores ? 0 : 1)) return false;
    o->list = list, o->c = i->operands == 3;
    if (o->c != 0 && (!hd__model_decode_layout(d, &i->operand[2], PTX_U32) ||
                      !hd__model_decode_source(d, 2, PTX_U32, &o->b, NULL)))
        return false;
    return gather_warp(d);
}
