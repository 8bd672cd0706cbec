// SPDX-License-Identifier: Apache-2.0
//
// Where the operands of an instruction are, and what is said of those that cannot be.
#include "decode.h"
#include "model/instructions/numbers.h"

#include <stdarg.h>
#include <stdio.h>

// ---- Errors -------------------------------------------------------------------------------------

// "kernel k, line 12: 'ld.global.v4.f32': ..."
bool hd__model_decode_refuse(decoder *d, const char *format, ...)
{
    loaded_module *m = d->slots.module;
    va_list arguments;
    char name[160];
    size_t n = (size_t)snprintf(name, sizeof name, "%s", hd__model_ptx_opcode_name(d->i->op));
    for (int k = 0; k < d->i->mods && n < sizeof name; k++)
        n += (size_t)snprintf(name + n, sizeof name - n, ".%s",
                              hd__model_ptx_modifier_name((ptx_modifier)d->i->mod[k]));
    for (int k = 0; k < d->i->types && n < sizeof name; k++)
        n += (size_t)snprintf(name + n, sizeof name - n, ".%s",
                              hd__model_ptx_type_name((ptx_type)d->i->type[k]));
    if (m->error[0] != 0) return false;
    const int at = snprintf(m->error, sizeof m->error, "%s, line %d: '%s': ", d->slots.text->name,
                            (int)d->i->line, name);
    va_start(arguments, format);
    vsnprintf(m->error + at, sizeof m->error - (size_t)at, format, arguments);
    va_end(arguments);
    return false;
}

bool hd__model_decode_no_memory(decoder *d)
{
    return hd__model_decode_refuse(d, "no memory");
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

uint32_t hd__model_decode_slot(decoder *d, const ptx_operand *operand, ptx_type type)
{
    const int bytes = type == PTX_PRED ? 4 : hd__model_ptx_type_bytes(type);
    uint32_t slot = UINT32_MAX;
    switch (operand->kind) {
    case PTX_REGISTER: return d->slots.of_register[operand->number];
    case PTX_SINK: return d->slots.scratch;
    case PTX_IMMEDIATE:
        slot = hd__model_slot_of_constant(&d->slots,
                                          type == PTX_PRED ? (operand->value ? ~(uint64_t)0 : 0)
                                                           : immediate_bits(operand, type),
                                          bytes);
        break;
    case PTX_SPECIAL: slot = hd__model_slot_of_special(&d->slots, operand->number); break;
    case PTX_FUNCTION:
        slot = hd__model_slot_of_constant(
            &d->slots, FUNCTION_WINDOW + (uint64_t)operand->number * FUNCTION_STEP, bytes);
        break;
    case PTX_ADDRESS:
        slot = d->slots.module->text->variables[operand->number].space == PTX_LOCAL
                   ? hd__model_slot_of_local(&d->slots, (int64_t)address_of(d, operand))
                   : hd__model_slot_of_constant(&d->slots, address_of(d, operand), bytes);
        break;
    default: hd__model_decode_refuse(d, "an operand of a kind it does not take"); return UINT32_MAX;
    }
    if (slot == UINT32_MAX) hd__model_decode_no_memory(d);
    return slot;
}

bool hd__model_decode_source(decoder *d, int k, ptx_type type, uint32_t *slot, bool *negated)
{
    if (k >= d->i->operands) return hd__model_decode_refuse(d, "too few operands");
    const ptx_operand *operand = &d->i->operand[k];
    *slot = hd__model_decode_slot(d, operand, type);
    if (negated != NULL)
        *negated = operand->negated;
    else if (operand->negated)
        return hd__model_decode_refuse(d, "'!' of what is no predicate");
    return *slot != UINT32_MAX;
}

bool hd__model_decode_result(decoder *d, int k)
{
    if (k >= d->i->operands) return hd__model_decode_refuse(d, "too few operands");
    const ptx_operand *operand = &d->i->operand[k];
    if (operand->kind == PTX_SINK)
        d->o->d = d->slots.scratch;
    else if (operand->kind == PTX_REGISTER)
        d->o->d = d->slots.of_register[operand->number];
    else
        return hd__model_decode_refuse(d, "the result is no register");
    return true;
}

bool hd__model_decode_layout(decoder *d, const ptx_operand *operand, ptx_type type)
{
    if (operand->kind != PTX_REGISTER) return true;
    const ptx_type of_register = d->slots.text->registers[operand->number].type;
    if (layout_of(of_register) == layout_of(type)) return true;
    return hd__model_decode_refuse(d, "a register of type .%s where .%s is expected",
                                   hd__model_ptx_type_name(of_register),
                                   hd__model_ptx_type_name(type));
}

bool hd__model_decode_list(decoder *d, const ptx_operand *vector, ptx_type type, ptx_type layout,
                           bool results)
{
    d->o->list = (uint32_t)d->slots.program->list_count;
    for (int32_t k = 0; k < vector->count; k++) {
        const ptx_operand *element = &d->slots.text->pool[vector->list + k];
        if (results && element->kind != PTX_REGISTER && element->kind != PTX_SINK)
            return hd__model_decode_refuse(d, "a result that is no register");
        const uint32_t slot = hd__model_decode_slot(d, element, type);
        if (slot == UINT32_MAX || !hd__model_decode_layout(d, element, layout)) return false;
        if (!hd__model_registers_append(&d->slots, slot)) return hd__model_decode_no_memory(d);
    }
    return true;
}

int hd__model_register_bytes(const decoder *d, const ptx_operand *operand, int otherwise)
{
    if (operand->kind == PTX_VECTOR) {
        for (int32_t k = 0; k < operand->count; k++) {
            const ptx_operand *element = &d->slots.text->pool[operand->list + k];
            if (element->kind == PTX_REGISTER)
                return hd__model_ptx_type_bytes(d->slots.text->registers[element->number].type);
        }
        return otherwise;
    }
    return operand->kind == PTX_REGISTER
               ? hd__model_ptx_type_bytes(d->slots.text->registers[operand->number].type)
               : otherwise;
}
