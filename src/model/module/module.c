// SPDX-License-Identifier: Apache-2.0
//
// A module in device memory: its variables laid out with their initial values, its functions ready.
#include "module.h"
#include "model/exec/heap.h"
#include "model/decode/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VARIABLES   ((int64_t)1 << 33) // bytes of all variables of a module
#define MAX_FRAME       ((int64_t)1 << 16) // bytes of parameters of a function
#define RECURSION_BYTES (16 << 10)         // of local memory for functions that call themselves

// Local memory of the deepest chain of calls; recursion gets a fixed amount. What a function needs
// is computed once: stack_bytes is 0 before, UNDER_WAY while its callees are looked at. A call
// through a pointer may be of any function. Chains of more functions than may call each other count
// as recursion.
#define UNDER_WAY (-1)
static int64_t stack_of(loaded_module *m, int32_t number, int depth);

static int64_t below(loaded_module *m, const operation *call, int depth)
{
    int64_t deepest = 0;
    if (call->callee != NULL) return stack_of(m, (int32_t)(call->callee - m->programs), depth + 1);
    for (int32_t k = 0; k < m->text->function_count; k++) {
        if (m->text->functions[k].entry || !m->text->functions[k].defined) continue;
        const int64_t bytes = stack_of(m, k, depth + 1);
        if (bytes > deepest) deepest = bytes;
    }
    return deepest;
}

static int64_t stack_of(loaded_module *m, int32_t number, int depth)
{
    program *p = &m->programs[number];
    int64_t deepest = 0;
    if (p->stack_bytes == UNDER_WAY || depth > DEEPEST_CALL) return RECURSION_BYTES;
    if (p->stack_bytes > 0) return p->stack_bytes;
    p->stack_bytes = UNDER_WAY;
    for (int32_t k = 0; k < p->length; k++) {
        if (p->code[k].op != PTX_OP_call) continue;
        const int64_t bytes = below(m, &p->code[k], depth);
        if (bytes > deepest) deepest = bytes;
    }
    p->stack_bytes = p->local_bytes + deepest;
    return p->stack_bytes;
}

// ---- Variables ----------------------------------------------------------------------------------

static bool place_variables(loaded_module *m, ptx_module *text)
{
    int64_t left = MAX_VARIABLES;
    for (int32_t k = 0; k < text->variable_count; k++) {
        ptx_variable *v = &text->variables[k];
        if (v->space == PTX_SHARED && v->owner < 0 && !v->external) {
            v->address = (m->shared_bytes + v->align - 1) / v->align * v->align;
            m->shared_bytes = v->address + v->bytes;
        }
        if (v->space != PTX_GLOBAL && v->space != PTX_CONST) continue;
        left -= v->bytes;
        allocation *a = left >= 0 ? hd__model_device_allocate(m->memory, v->bytes, v->name) : NULL;
        if (a == NULL) {
            snprintf(m->error, sizeof m->error, "no memory for the variable %s (%lld bytes)",
                     v->name, (long long)v->bytes);
            return false;
        }
        a->constant = v->space == PTX_CONST;
        v->address = (int64_t)a->address;
        a->unset = v->value == NULL && v->relocation_count == 0;
        if (v->value != NULL) memcpy(a->data, v->value, (size_t)v->bytes);
    }
    const int32_t heap = hd__model_ptx_find_function(text, "malloc");
    if (heap < 0 || text->functions[heap].defined || hd__model_heap_open(m->memory)) return true;
    snprintf(m->error, sizeof m->error, "no memory for the heap of kernels");
    return false;
}

// Of shared and local variables a generic address has their window.
static uint64_t address_of(const ptx_variable *v, bool generic)
{
    const uint64_t window = v->space == PTX_SHARED  ? SHARED_WINDOW
                            : v->space == PTX_LOCAL ? LOCAL_WINDOW
                                                    : 0;
    return (uint64_t)v->address + (generic ? window : 0);
}

static void relocate(const loaded_module *m, const ptx_module *text)
{
    for (int32_t k = 0; k < text->variable_count; k++) {
        const ptx_variable *v = &text->variables[k];
        allocation *a =
            v->relocation_count > 0 ? hd__model_device_find(m->memory, (uint64_t)v->address) : NULL;
        for (int32_t r = 0; a != NULL && r < v->relocation_count; r++) {
            const ptx_relocation *what = &v->relocations[r];
            uint64_t to = (uint64_t)what->offset;
            if (what->function >= 0)
                to += FUNCTION_WINDOW + (uint64_t)what->function * FUNCTION_STEP;
            else
                to += address_of(&text->variables[what->variable], what->generic);
            memcpy(a->data + what->at, &to, sizeof to);
        }
    }
}

// The module's shared variables, then those of functions, then a kernel's own (of which one at a
// time runs), then the dynamic ones, whose length a launch knows.
static bool place_shared(loaded_module *m, ptx_module *text)
{
    int64_t *base = calloc((size_t)text->function_count + 1, sizeof *base), end, most = 0;
    if (base == NULL) return false;
    end = (m->shared_bytes + 15) / 16 * 16;
    for (int32_t k = 0; k < text->function_count; k++) {
        if (text->functions[k].entry) continue;
        base[k] = end;
        end += (text->functions[k].shared_bytes + 15) / 16 * 16;
    }
    for (int32_t k = 0; k < text->function_count; k++) {
        if (!text->functions[k].entry) continue;
        base[k] = end;
        if (text->functions[k].shared_bytes > most) most = text->functions[k].shared_bytes;
    }
    m->shared_front = end;
    m->shared_bytes = (end + most + 15) / 16 * 16;
    for (int32_t k = 0; k < text->variable_count; k++) {
        ptx_variable *v = &text->variables[k];
        if (v->space != PTX_SHARED) continue;
        if (v->owner >= 0)
            v->address += base[v->owner];
        else if (v->external)
            v->address = m->shared_bytes;
    }
    free(base);
    return true;
}

bool hd__model_module_load(loaded_module *m, ptx_module *text, device_memory *memory)
{
    *m = (loaded_module){.text = text, .memory = memory};
    m->programs = calloc((size_t)text->function_count + 1, sizeof *m->programs);
    if (m->programs == NULL) {
        snprintf(m->error, sizeof m->error, "no memory for the module");
        return false;
    }
    for (int32_t k = 0; k < text->function_count; k++)
        if (text->functions[k].frame_bytes > MAX_FRAME) {
            snprintf(m->error, sizeof m->error, "%s: %lld bytes of parameters; at most %lld",
                     text->functions[k].name, (long long)text->functions[k].frame_bytes,
                     (long long)MAX_FRAME);
            return false;
        }
    if (!place_variables(m, text)) return false;
    if (!place_shared(m, text)) {
        snprintf(m->error, sizeof m->error, "no memory for the module");
        return false;
    }
    relocate(m, text);
    for (int32_t k = 0; k < text->function_count; k++)
        if (!hd__model_make_program(m, k)) return false;
    for (int32_t k = 0; k < text->function_count; k++)
        if (text->functions[k].entry) stack_of(m, k, 0);
    return true;
}

void hd__model_module_free(loaded_module *m)
{
    for (int32_t k = 0; m->programs != NULL && k < m->text->function_count; k++) {
        free(m->programs[k].code);
        free(m->programs[k].initial);
        free(m->programs[k].list);
        free(m->programs[k].specials);
    }
    free(m->programs);
    m->programs = NULL;
}
