// SPDX-License-Identifier: Apache-2.0
//
// Registers by the PTX alone: the most 32-bit values that are alive at once. What ptxas has in
// constant memory or makes anew where it is needed (parameters, numbers, addresses of variables)
// takes none; a few more go to addresses and to instructions that overlap.
#include "model/decode/control_flow_graph.h"
#include "registers.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES   ((size_t)64 << 20) // of the sets
#define MORE        6                  // than are alive at once: by ptxas' figures for bench/model
#define MAX         255
#define SUCCESSORS  64
#define SET(s, k)   ((s)[(k) >> 6] |= (uint64_t)1 << ((k)&63))
#define CLEAR(s, k) ((s)[(k) >> 6] &= ~((uint64_t)1 << ((k)&63)))
#define HAS(s, k)   ((s)[(k) >> 6] >> ((k)&63) & 1)

typedef struct liveness {
    const ptx_function *f;
    size_t words;   // of a set
    uint64_t *sets; // alive before each instruction; one more: the end
    uint8_t *cheap; // registers that are made anew
    int8_t *weight;
} liveness;

static bool has_result(const ptx_instruction *i)
{
    switch (i->op) {
    case PTX_OP_bar:
    case PTX_OP_barrier:
    case PTX_OP_nanosleep:
    case PTX_OP_stmatrix:
    case PTX_OP_brx: return false;
    default: return i->operands > 0;
    }
}

// Calls see(state, register) for the registers of an operand.
static void each_register(const liveness *l, const ptx_operand *o, uint64_t *set, bool add)
{
    if (o->kind == PTX_REGISTER || (o->kind == PTX_MEMORY && o->base == PTX_REGISTER)) {
        if (o->number < 0 || o->number >= l->f->register_count) return;
        if (add)
            SET(set, o->number);
        else
            CLEAR(set, o->number);
    }
    for (int32_t k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        each_register(l, &l->f->pool[o->list + k], set, add);
}

static bool is_result(const ptx_instruction *i, int k)
{
    const ptx_operand_kind kind = i->operand[k].kind;
    return k == 0 && has_result(i) && (kind == PTX_REGISTER || kind == PTX_VECTOR);
}

// set: alive behind the instruction; afterwards, before it.
static void step(const liveness *l, int32_t at, uint64_t *set)
{
    const ptx_instruction *i = &l->f->code[at];
    if (i->guard < 0) {
        if (is_result(i, 0)) each_register(l, &i->operand[0], set, false);
        if (i->second.kind == PTX_REGISTER) each_register(l, &i->second, set, false);
    }
    for (int k = 0; k < i->operands; k++)
        if (!is_result(i, k)) each_register(l, &i->operand[k], set, true);
    if (i->guard >= 0) SET(set, i->guard);
}

// Values that ptxas keeps in no register: of parameters, numbers and addresses of variables.
static void find_cheap(liveness *l)
{
    for (int32_t at = 0; at < l->f->length; at++) {
        const ptx_instruction *i = &l->f->code[at];
        if (!is_result(i, 0) || i->operand[0].kind != PTX_REGISTER || i->operands < 2) continue;
        const ptx_operand *from = &i->operand[1];
        const bool of_param = i->op == PTX_OP_ld && ptx_has(i, PTX_MOD_PARAM);
        const bool moved = (i->op == PTX_OP_mov || i->op == PTX_OP_cvta) &&
                           (from->kind == PTX_IMMEDIATE || from->kind == PTX_ADDRESS ||
                            (from->kind == PTX_REGISTER && l->cheap[from->number]));
        l->cheap[i->operand[0].number] = of_param || moved;
    }
    // A register that anything else writes too is none of them.
    for (int32_t at = 0; at < l->f->length; at++) {
        const ptx_instruction *i = &l->f->code[at];
        if (!is_result(i, 0) || i->operand[0].kind != PTX_REGISTER) continue;
        const bool plain = i->op == PTX_OP_mov || i->op == PTX_OP_cvta || i->op == PTX_OP_ld;
        if (!plain) l->cheap[i->operand[0].number] = 0;
    }
}

static bool flow_back(liveness *l)
{
    uint64_t *set = calloc(l->words, sizeof *set);
    if (set == NULL) return false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t at = l->f->length - 1; at >= 0; at--) {
            int32_t to[SUCCESSORS];
            const int32_t n = hd__model_flow_successors(l->f, at, to, SUCCESSORS);
            memset(set, 0, l->words * sizeof *set);
            for (int32_t k = 0; k < n && k < SUCCESSORS; k++)
                for (size_t w = 0; to[k] >= 0 && w < l->words; w++)
                    set[w] |= l->sets[(size_t)to[k] * l->words + w];
            step(l, at, set);
            uint64_t *kept = l->sets + (size_t)at * l->words;
            if (memcmp(kept, set, l->words * sizeof *set) == 0) continue;
            memcpy(kept, set, l->words * sizeof *set);
            changed = true;
        }
    }
    free(set);
    return true;
}

static int32_t most_alive(const liveness *l)
{
    int32_t most = 0;
    for (int32_t at = 0; at < l->f->length; at++) {
        const uint64_t *set = l->sets + (size_t)at * l->words;
        int32_t alive = 0;
        for (int32_t k = 0; k < l->f->register_count; k++)
            if (HAS(set, k)) alive += l->weight[k];
        if (alive > most) most = alive;
    }
    return most;
}

int32_t hd__model_registers_estimate(const ptx_function *f)
{
    liveness l = {.f = f, .words = ((size_t)f->register_count + 63) / 64 + 1};
    const size_t bytes = ((size_t)f->length + 1) * l.words * sizeof *l.sets;
    int32_t most = 0;
    if (bytes > MAX_BYTES) return MAX;
    l.sets = calloc(1, bytes);
    l.cheap = calloc((size_t)f->register_count + 1, 1);
    l.weight = calloc((size_t)f->register_count + 1, 1);
    if (l.sets != NULL && l.cheap != NULL && l.weight != NULL) {
        find_cheap(&l);
        for (int32_t k = 0; k < f->register_count; k++) {
            const int size = hd__model_ptx_type_bytes(f->registers[k].type);
            const bool predicate = hd__model_ptx_type_kind(f->registers[k].type) == PTX_PREDICATE;
            l.weight[k] = (int8_t)(predicate || l.cheap[k] ? 0 : (size + 3) / 4);
        }
        if (flow_back(&l)) most = most_alive(&l) + MORE;
    }
    free(l.sets);
    free(l.cheap);
    free(l.weight);
    return most > MAX ? MAX : most;
}
