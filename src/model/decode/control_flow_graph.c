// SPDX-License-Identifier: Apache-2.0
//
// Immediate post-dominators by the iteration of Cooper, Harvey and Kennedy (2001, "A simple, fast
// dominance algorithm") on the reversed graph of basic blocks.
#include "control_flow_graph.h"

#include <stdlib.h>
#include <string.h>

static bool ends(const ptx_instruction *i)
{
    return i->op == PTX_OP_ret || i->op == PTX_OP_exit || i->op == PTX_OP_trap;
}

static bool jumps(const ptx_instruction *i)
{
    return i->op == PTX_OP_bra || i->op == PTX_OP_brx;
}

int32_t hd__model_flow_successors(const ptx_function *f, int32_t i, int32_t *to, int32_t room)
{
    const ptx_instruction *in = &f->code[i];
    int32_t n = 0;
    if (in->op == PTX_OP_bra && in->operand[0].kind == PTX_LABEL) {
        if (n < room) to[n] = f->labels[in->operand[0].number].at;
        n++;
    } else if (in->op == PTX_OP_brx && in->operands > 1 && in->operand[1].kind == PTX_LABEL) {
        const ptx_label *targets = &f->labels[in->operand[1].number];
        for (int32_t k = 0; k < targets->target_count; k++, n++) {
            const ptx_operand *o = &f->pool[targets->target_list + k];
            if (n < room) to[n] = o->kind == PTX_LABEL ? f->labels[o->number].at : f->length;
        }
    } else if (ends(in)) {
        if (n < room) to[n] = f->length;
        n++;
    }
    if ((!jumps(in) && !ends(in)) || in->guard >= 0) {
        if (n < room) to[n] = i + 1;
        n++;
    }
    return n;
}

// Basic blocks; block `count` is the end.
typedef struct graph {
    int32_t count;
    int32_t *first;     // instruction of each block, and the length
    int32_t *block_of;  // each instruction's block
    int32_t *edge, *to; // block b leads to to[edge[b]] .. to[edge[b + 1] - 1]
    int32_t *order;     // position in a post-order of the reversed graph
    int32_t *listed;    // blocks in that order
    int32_t *dominator;
} graph;

static void mark_leaders(const ptx_function *f, uint8_t *leader)
{
    for (int32_t k = 0; k < f->label_count; k++)
        if (f->labels[k].at >= 0) leader[f->labels[k].at] = 1;
    for (int32_t i = 0; i < f->length; i++)
        if (jumps(&f->code[i]) || ends(&f->code[i])) leader[i + 1] = 1;
    leader[0] = 1;
}

static bool find_blocks(const ptx_function *f, graph *g)
{
    uint8_t *leader = calloc((size_t)f->length + 1, 1);
    if (leader == NULL) return false;
    mark_leaders(f, leader);
    for (int32_t i = 0; i < f->length; i++) {
        if (leader[i]) g->first[g->count++] = i;
        g->block_of[i] = g->count - 1;
    }
    g->first[g->count] = f->length;
    g->block_of[f->length] = g->count;
    free(leader);
    return true;
}

static bool find_edges(const ptx_function *f, graph *g)
{
    int32_t total = 0, at = 0;
    for (int32_t b = 0; b < g->count; b++)
        total += hd__model_flow_successors(f, g->first[b + 1] - 1, NULL, 0);
    g->to = malloc(((size_t)total + 1) * sizeof *g->to);
    if (g->to == NULL) return false;
    for (int32_t b = 0; b < g->count; b++) {
        g->edge[b] = at;
        at += hd__model_flow_successors(f, g->first[b + 1] - 1, g->to + at, total - at);
    }
    g->edge[g->count] = at;
    for (int32_t k = 0; k < at; k++) g->to[k] = g->block_of[g->to[k]];
    return true;
}

// Post-order from the end over edges turned round, without recursion. `from` has the reversed
// edges. Blocks that never reach the end (endless loops) get no place.
static void walk(graph *g, const int32_t *start, const int32_t *from, int32_t *stack, int32_t *next)
{
    int32_t depth = 0, placed = 0;
    for (int32_t b = 0; b <= g->count; b++) g->order[b] = -1, next[b] = start[b];
    stack[depth++] = g->count;
    g->order[g->count] = -2; // entered
    while (depth > 0) {
        const int32_t b = stack[depth - 1];
        if (next[b] < start[b + 1]) {
            const int32_t p = from[next[b]++];
            if (g->order[p] == -1) g->order[p] = -2, stack[depth++] = p;
        } else {
            g->order[b] = placed;
            g->listed[placed++] = b;
            depth--;
        }
    }
    for (int32_t k = placed; k <= g->count; k++) g->listed[k] = -1;
}

static bool order_blocks(graph *g)
{
    const size_t n = (size_t)g->count + 2, edges = (size_t)g->edge[g->count];
    int32_t *memory = calloc(3 * n + edges + 1, sizeof *memory);
    if (memory == NULL) return false;
    int32_t *start = memory, *stack = start + n, *next = stack + n, *from = next + n;
    for (size_t k = 0; k < edges; k++) start[g->to[k] + 1]++;
    for (int32_t b = 0; b <= g->count; b++) start[b + 1] += start[b];
    memcpy(next, start, n * sizeof *next);
    for (int32_t b = 0; b < g->count; b++)
        for (int32_t k = g->edge[b]; k < g->edge[b + 1]; k++) from[next[g->to[k]]++] = b;
    walk(g, start, from, stack, next);
    free(memory);
    return true;
}

static int32_t common(const graph *g, int32_t a, int32_t b)
{
    while (a != b) {
        while (g->order[a] < g->order[b]) a = g->dominator[a];
        while (g->order[b] < g->order[a]) b = g->dominator[b];
    }
    return a;
}

static void dominate(graph *g)
{
    for (int32_t b = 0; b <= g->count; b++) g->dominator[b] = -1;
    g->dominator[g->count] = g->count;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t k = g->count; k >= 0; k--) {
            const int32_t b = g->listed[k];
            if (b < 0 || b == g->count) continue;
            int32_t best = -1;
            for (int32_t e = g->edge[b]; e < g->edge[b + 1]; e++) {
                const int32_t s = g->to[e];
                if (g->order[s] < 0 || g->dominator[s] < 0) continue;
                best = best < 0 ? s : common(g, best, s);
            }
            if (best >= 0 && best != g->dominator[b]) g->dominator[b] = best, changed = true;
        }
    }
}

static bool find_joins(const ptx_function *f, graph *g, int32_t *join)
{
    if (!find_blocks(f, g) || !find_edges(f, g) || !order_blocks(g)) return false;
    dominate(g);
    for (int32_t i = 0; i < f->length; i++) {
        join[i] = -1;
        if (!jumps(&f->code[i])) continue;
        const int32_t reconverges = g->dominator[g->block_of[i]];
        join[i] = reconverges < 0 ? f->length : g->first[reconverges];
    }
    return true;
}

bool hd__model_flow_joins(const ptx_function *f, int32_t *join)
{
    const size_t n = (size_t)f->length + 2;
    graph g = {0};
    int32_t *memory = calloc(6 * n, sizeof *memory);
    if (memory == NULL) return false;
    g.first = memory, g.block_of = memory + n, g.edge = memory + 2 * n;
    g.order = memory + 3 * n, g.listed = memory + 4 * n, g.dominator = memory + 5 * n;
    const bool done = f->length == 0 || find_joins(f, &g, join);
    free(g.to);
    free(memory);
    return done;
}
