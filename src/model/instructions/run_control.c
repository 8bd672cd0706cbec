// SPDX-License-Identifier: Apache-2.0
//
// Control: branches, calls, ends, barriers, fences.
#include "model/exec/reconvergence.h"
#include "model/exec/observer.h"
#include "run.h"

static void notify_branch(machine *m, const operation *o, uint32_t mask, uint32_t taken)
{
    const branch_event e = {o, mask, taken};
    for (const subscriber *h = m->subscribers[EVENT_BRANCH]; h->by != NULL; h++)
        h->by->branch(h->state, m, &e);
}

static void branch(machine *m, const operation *o)
{
    const uint32_t all = m->now->mask, taken = m->mask;
    if (o->guard >= 0) notify_branch(m, o, all, taken);
    if (taken == all)
        m->next = o->target;
    else if (taken != 0) {
        m->happened[o->site]++;
        hd__model_split_diverges(m, o, taken, o->target);
    }
}

// brx.idx: each lane by its own index into the list of targets.
static void branch_by_index(machine *m, const operation *o)
{
    const uint32_t *index = SLOT(m, o->a);
    const uint32_t *targets = m->frame->program->list + o->list;
    uint32_t left = m->mask;
    if (left == 0) return;
    notify_branch(m, o, m->now->mask, m->mask);
    const int32_t next = m->next;
    if (left != m->now->mask) { // lanes that do not branch go on
        m->happened[o->site]++;
        hd__model_split_diverges(m, o, m->now->mask & ~left, next);
        if (m->failed) return;
    }
    for (;;) {
        const int first = __builtin_ctz(left);
        const uint32_t k = index[first];
        if (k >= (uint32_t)o->count) {
            hd__model_machine_fail(m, o, "index %u of a list of %d targets", k, (int)o->count);
            return;
        }
        uint32_t same = 0;
        for (int l = 0; l < WARP; l++) same |= (uint32_t)(index[l] == k) << l;
        same &= left;
        if (same == left) { // the last group is the divergent path itself
            if (m->moved)
                m->now->at = (int32_t)targets[k];
            else
                m->next = (int32_t)targets[k];
            return;
        }
        if (!m->moved) m->happened[o->site]++;
        hd__model_split_diverges(m, o, same, (int32_t)targets[k]);
        if (m->failed) return;
        left &= ~same;
    }
}

static void call(machine *m, const operation *o)
{
    hd__model_split_calls(m, o, o->callee, m->mask);
}

// Whether a function takes and gives what a call through a pointer has for it.
static bool fits(const machine *m, const operation *o, const program *callee)
{
    const ptx_function *f = callee->text;
    const uint32_t *list = m->frame->program->list + o->list;
    const ptx_variable *variables = callee->module->variables;
    if (!f->defined || f->entry || f->param_count != o->vector || f->result_count != o->bytes)
        return false;
    for (int k = 0; k < f->param_count; k++, list += 3)
        if (list[2] != (uint64_t)variables[f->params[k]].bytes) return false;
    for (int k = 0; k < f->result_count; k++, list += 3)
        if (list[2] != (uint64_t)variables[f->results[k]].bytes) return false;
    return true;
}

// Lanes whose pointers differ call one after another.
static void call_pointer(machine *m, const operation *o)
{
    const uint64_t *pointer = SLOT(m, o->a);
    const uint64_t to = pointer[__builtin_ctz(m->mask)], off = to - FUNCTION_WINDOW;
    uint32_t same = 0;
    for (int l = 0; l < WARP; l++) same |= (uint32_t)(pointer[l] == to) << l;
    const uint64_t number = off / FUNCTION_STEP;
    if (off % FUNCTION_STEP != 0 || number >= (uint64_t)m->grid->program_count ||
        !fits(m, o, &m->grid->programs[number])) {
        hd__model_machine_fail(m, o, "a call of 0x%llx, where no function with these parameters is",
                               (unsigned long long)to);
        return;
    }
    hd__model_split_calls(m, o, &m->grid->programs[number], same & m->mask);
}

static void return_from(machine *m, const operation *o)
{
    if (m->mask != m->now->mask) notify_branch(m, o, m->now->mask, m->mask);
    hd__model_split_returns(m);
}

static void exit_lanes(machine *m, const operation *o)
{
    if (m->mask != m->now->mask) notify_branch(m, o, m->now->mask, m->mask);
    hd__model_lanes_exit(m, m->mask);
}

static void trap(machine *m, const operation *o)
{
    const int lane = __builtin_ctz(m->mask);
    hd__model_machine_fail(m, o, "trap in block (%d,%d,%d), thread %d", (int)m->block->at[0],
                           (int)m->block->at[1], (int)m->block->at[2],
                           (int)(m->warp->number * WARP + lane));
}

static void nothing(machine *m, const operation *o)
{
    (void)m, (void)o;
}

// ---- Barriers -----------------------------------------------------------------------------------

static bool barrier_arguments(machine *m, const operation *o, int32_t *number, int32_t *named)
{
    const int lane = __builtin_ctz(m->mask);
    const uint32_t which = ((const uint32_t *)SLOT(m, o->a))[lane];
    const uint32_t count = o->b == UINT32_MAX ? 0 : ((const uint32_t *)SLOT(m, o->b))[lane];
    *number = (int32_t)which, *named = (int32_t)count;
    if (which < BARRIERS && count <= 1024 && count % WARP == 0) return true;
    hd__model_machine_fail(m, o, "barrier %u of %u threads; expected 0 to 15, and a multiple of 32",
                           which, count);
    return false;
}

// A barrier counts warps: threads of a warp that are elsewhere come by themselves.
static void barrier_sync(machine *m, const operation *o)
{
    int32_t number, named;
    if (!barrier_arguments(m, o, &number, &named)) return;
    barrier *bar = &m->block->barriers[number];
    const uint32_t lanes = m->mask;
    bar->named = named;
    m->happened[o->site]++;
    bar->arrived += __builtin_popcount(lanes);
    // A count is of whole warps: lanes that never were, or have ended, count as here.
    if (named > 0 && o->mode == 0 && lanes == m->warp->alive)
        bar->arrived += WARP - __builtin_popcount(lanes);
    if (o->mode != 0) {
        const uint32_t p = *(const uint32_t *)SLOT(m, o->c);
        bar->count += __builtin_popcount((o->negate_c ? ~p : p) & lanes);
    }
    const bool arrives_only = ptx_has(o->text, PTX_MOD_ARRIVE);
    const barrier_event e = {o, number, lanes, bar->arrived >= (named ? named : m->block->left)};
    if (!arrives_only) {
        m->now->waiting = number;
        m->now->at = m->next - 1;
        m->moved = true;
    }
    for (const subscriber *h = m->subscribers[EVENT_BARRIER]; h->by != NULL; h++)
        h->by->barrier(h->state, m, &e);
    hd__model_barrier_check(m, m->block, number);
}

// The barrier of a cluster: arriving and waiting are two instructions.
static void cluster_arrive(machine *m, const operation *o)
{
    cluster *c = m->block->cluster;
    warp *w = m->warp;
    m->happened[o->site]++;
    w->cluster_parity = (w->cluster_parity & ~m->mask) | (c->phase & 1 ? m->mask : 0);
    c->arrived += __builtin_popcount(m->mask);
    const barrier_event e = {o, CLUSTER_BARRIER, m->mask, c->arrived >= c->left};
    for (const subscriber *h = m->subscribers[EVENT_BARRIER]; h->by != NULL; h++)
        h->by->barrier(h->state, m, &e);
    hd__model_cluster_check(m, c);
}

static void cluster_wait(machine *m, const operation *o)
{
    const uint32_t now = m->block->cluster->phase & 1 ? ~0u : 0;
    (void)o;
    if (((m->warp->cluster_parity ^ now) & m->mask) == m->mask) return; // that phase is over
    m->now->waiting = CLUSTER_BARRIER;
    m->now->at = m->next - 1;
    m->moved = true;
}

static void warp_sync(machine *m, const operation *o)
{
    // The lanes have been gathered: that is all.
    for (const subscriber *h = m->subscribers[EVENT_WARP_SYNC]; h->by != NULL; h++)
        h->by->warp_sync(h->state, m, o);
}

static void fence(machine *m, const operation *o)
{
    for (const subscriber *h = m->subscribers[EVENT_FENCE]; h->by != NULL; h++)
        h->by->fence(h->state, m, o);
}

// ---- Dispatch -----------------------------------------------------------------------------------

static run_operation *dispatch_barrier(const ptx_instruction *i, operation *o)
{
    if (ptx_has(i, PTX_MOD_WARP)) return warp_sync;
    if (ptx_has(i, PTX_MOD_CLUSTER))
        return ptx_has(i, PTX_MOD_ARRIVE) ? cluster_arrive
               : ptx_has(i, PTX_MOD_WAIT) ? cluster_wait
                                          : NULL;
    if (!ptx_has(i, PTX_MOD_RED)) return barrier_sync;
    o->mode = ptx_has(i, PTX_MOD_POPC)  ? PTX_MOD_POPC
              : ptx_has(i, PTX_MOD_AND) ? PTX_MOD_AND
                                        : PTX_MOD_OR;
    return barrier_sync;
}

run_operation *hd__model_dispatch_control(const ptx_instruction *i, operation *o)
{
    switch (i->op) {
    case PTX_OP_bra: o->always = true; return branch;
    case PTX_OP_brx: return branch_by_index;
    case PTX_OP_call: return o->callee != NULL ? call : call_pointer;
    case PTX_OP_ret: return return_from;
    case PTX_OP_exit: return exit_lanes;
    case PTX_OP_trap: return trap;
    case PTX_OP_brkpt:
    case PTX_OP_pmevent:
    case PTX_OP_nanosleep:
    case PTX_OP_setmaxnreg:
    case PTX_OP_griddepcontrol: return nothing;
    case PTX_OP_bar:
    case PTX_OP_barrier: return dispatch_barrier(i, o);
    case PTX_OP_membar:
    case PTX_OP_fence:
        o->order = ptx_has(i, PTX_MOD_SC) ? ORDER_SC : ORDER_ACQ_REL;
        o->scope = ptx_has(i, PTX_MOD_CTA)       ? SCOPE_CTA
                   : ptx_has(i, PTX_MOD_CLUSTER) ? SCOPE_CLUSTER
                   : ptx_has(i, PTX_MOD_SYS)     ? SCOPE_SYS
                                                 : SCOPE_GPU;
        return fence;
    default: return NULL;
    }
}
