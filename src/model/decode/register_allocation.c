// SPDX-License-Identifier: Apache-2.0
//
// Register allocation: registers, constants and special registers get slots, which are offsets into
// the registers of a frame.
#include "program.h"

#include <stdlib.h>
#include <string.h>

// Room for so many bytes, zeroed; the offset, or UINT32_MAX.
static uint32_t take(register_map *s, uint32_t bytes)
{
    program *p = s->program;
    if (p->register_bytes > (UINT32_MAX >> 2) - bytes) return UINT32_MAX;
    if (p->register_bytes + bytes > s->room) {
        const uint32_t room = 2 * (p->register_bytes + bytes);
        uint8_t *larger = realloc(p->initial, room);
        if (larger == NULL) return UINT32_MAX;
        p->initial = larger, s->room = room;
    }
    memset(p->initial + p->register_bytes, 0, bytes);
    p->register_bytes += bytes;
    return p->register_bytes - bytes;
}

static uint32_t slot_bytes(ptx_type type)
{
    const int bytes = hd__model_ptx_type_bytes(type);
    return bytes <= 4 ? 4 * WARP : (uint32_t)bytes * WARP;
}

bool hd__model_registers_begin(register_map *s, loaded_module *m, int32_t function)
{
    const ptx_function *f = &m->text->functions[function];
    *s = (register_map){.module = m, .text = f, .program = &m->programs[function]};
    s->of_register = malloc(((size_t)f->register_count + 1) * sizeof *s->of_register);
    if (s->of_register == NULL) return false;
    s->zero = take(s, 8 * WARP);
    s->scratch = take(s, 16 * WARP);
    s->carry = take(s, 64);
    if (s->zero == UINT32_MAX || s->scratch == UINT32_MAX || s->carry == UINT32_MAX) return false;
    for (int32_t k = 0; k < f->register_count; k++) {
        const bool predicate = f->registers[k].type == PTX_PRED;
        s->of_register[k] = take(s, predicate ? 64 : slot_bytes(f->registers[k].type));
        if (s->of_register[k] == UINT32_MAX) return false;
    }
    s->program->variable_bytes = s->program->register_bytes;
    return true;
}

void hd__model_registers_end(register_map *s)
{
    free(s->of_register);
    free(s->constants);
    free(s->constant_values);
    free(s->constant_bytes);
}

// ---- Constants: found again by value -----------------------------------------------------------

static uint32_t place_of(const register_map *s, uint64_t value, int bytes)
{
    uint64_t h = (value + (uint64_t)bytes) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(h >> 32) & (uint32_t)(s->constant_room - 1);
    while (s->constant_bytes[at] != 0 &&
           (s->constant_values[at] != value || s->constant_bytes[at] != bytes))
        at = (at + 1) & (uint32_t)(s->constant_room - 1);
    return at;
}

static bool grow_constants(register_map *s)
{
    register_map old = *s;
    s->constant_room = old.constant_room > 0 ? 2 * old.constant_room : 64;
    const size_t n = (size_t)s->constant_room;
    s->constants = malloc(n * sizeof *s->constants);
    s->constant_values = malloc(n * sizeof *s->constant_values);
    s->constant_bytes = calloc(n, 1);
    const bool done = s->constants && s->constant_values && s->constant_bytes;
    for (int32_t k = 0; done && k < old.constant_room; k++) {
        if (old.constant_bytes[k] == 0) continue;
        const uint32_t at = place_of(s, old.constant_values[k], old.constant_bytes[k]);
        s->constants[at] = old.constants[k];
        s->constant_values[at] = old.constant_values[k];
        s->constant_bytes[at] = old.constant_bytes[k];
    }
    free(old.constants);
    free(old.constant_values);
    free(old.constant_bytes);
    return done;
}

uint32_t hd__model_slot_of_constant(register_map *s, uint64_t value, int bytes)
{
    if (bytes < 4) value &= ((uint64_t)1 << (8 * bytes)) - 1, bytes = 4;
    if (bytes == 4) value = (uint32_t)value;
    if (2 * s->constant_count >= s->constant_room && !grow_constants(s)) return UINT32_MAX;
    const uint32_t at = place_of(s, value, bytes);
    if (s->constant_bytes[at] != 0) return s->constants[at];
    const uint32_t slot = take(s, (uint32_t)bytes * WARP);
    if (slot == UINT32_MAX) return slot;
    for (int l = 0; l < WARP; l++)
        memcpy(s->program->initial + slot + (size_t)l * (size_t)bytes, &value, (size_t)bytes);
    s->constants[at] = slot, s->constant_values[at] = value;
    s->constant_bytes[at] = (uint8_t)bytes;
    s->constant_count++;
    return slot;
}

// ---- Filled at the start of a frame -------------------------------------------------------------

static uint32_t add_special(register_map *s, int32_t special, int64_t offset, uint32_t bytes)
{
    program *p = s->program;
    for (int32_t k = 0; k < p->special_count; k++)
        if (p->specials[k].special == special && p->specials[k].offset == offset)
            return p->specials[k].slot;
    if (p->special_count == s->special_room) {
        const int32_t room = s->special_room > 0 ? 2 * s->special_room : 16;
        special_slot *larger = realloc(p->specials, (size_t)room * sizeof *larger);
        if (larger == NULL) return UINT32_MAX;
        p->specials = larger, s->special_room = room;
    }
    const uint32_t slot = take(s, bytes);
    if (slot != UINT32_MAX) p->specials[p->special_count++] = (special_slot){slot, special, offset};
    return slot;
}

uint32_t hd__model_slot_of_special(register_map *s, int32_t special)
{
    if (special >= PTX_SR_RESERVED_BEGIN && special <= PTX_SR_RESERVED_1)
        s->module->reserved = true;
    // Wide enough to be read as 64 bits; the upper halves stay zero only for the narrow ones, which
    // are read as 32.
    return add_special(s, special, 0, 8 * WARP);
}

uint32_t hd__model_slot_of_local(register_map *s, int64_t offset)
{
    return add_special(s, -1, offset, 8 * WARP);
}

bool hd__model_registers_append(register_map *s, uint32_t value)
{
    program *p = s->program;
    if (p->list_count == s->list_room) {
        const int32_t room = s->list_room > 0 ? 2 * s->list_room : 64;
        uint32_t *larger = realloc(p->list, (size_t)room * sizeof *larger);
        if (larger == NULL) return false;
        p->list = larger, s->list_room = room;
    }
    p->list[p->list_count++] = value;
    return true;
}
