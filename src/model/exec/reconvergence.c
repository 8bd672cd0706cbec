// SPDX-License-Identifier: Apache-2.0
//
// Divergent paths, reconvergence points, frames.
#include "reconvergence.h"
#include "copies.h"
#include "observer.h"
#include "loaded_module.h"

#include <stdlib.h>
#include <string.h>

// ---- Memory -------------------------------------------------------------------------------------

static warp_split *new_split(machine *m, uint32_t mask, int32_t at, frame *f, reconvergence *meet)
{
    warp_split *n = m->pool->splits;
    if (n != NULL) {
        m->pool->splits = n->next;
    } else {
        n = malloc(sizeof *n);
        if (n == NULL) {
            hd__model_machine_fail(m, NULL, "no memory for a warp_split of a warp");
            return NULL;
        }
        n->made = m->pool->made_splits;
        m->pool->made_splits = n;
    }
    n->mask = mask, n->at = at, n->frame = f, n->reconvergence = meet;
    n->waiting = WAITS_FOR_NOTHING, n->next = NULL;
    return n;
}

static void drop_split(machine *m, warp_split *f)
{
    f->next = m->pool->splits;
    m->pool->splits = f;
}

static reconvergence *new_reconvergence(machine *m, int32_t at, uint32_t expected, frame *f,
                                        reconvergence *outer)
{
    reconvergence *n = m->pool->reconvergences;
    if (n != NULL) {
        m->pool->reconvergences = n->outer;
    } else {
        n = malloc(sizeof *n);
        if (n == NULL) {
            hd__model_machine_fail(m, NULL, "no memory for a reconvergence of lanes");
            return NULL;
        }
        n->made = m->pool->made_reconvergences;
        m->pool->made_reconvergences = n;
    }
    n->at = at, n->expected = expected, n->arrived = 0;
    n->frame = f, n->returns = false, n->outer = outer;
    return n;
}

static void drop_reconvergence(machine *m, reconvergence *meet)
{
    meet->outer = m->pool->reconvergences;
    m->pool->reconvergences = meet;
}

// A frame's registers and parameters are one chunk of memory, kept for the next frame of the same
// function.
static frame *new_frame(machine *m, const program *p)
{
    frame **link = &m->pool->frames;
    while (*link != NULL && (*link)->program != p) link = &(*link)->next;
    frame *f = *link;
    const size_t params = (size_t)p->frame_bytes * WARP;
    if (f != NULL) {
        *link = f->next;
        memset(f->registers, 0, p->variable_bytes); // constants are still there
    } else {
        const size_t head = (sizeof *f + 63) / 64 * 64;
        f = aligned_alloc(64, (head + p->register_bytes + params + 63) / 64 * 64);
        if (f == NULL) {
            hd__model_machine_fail(m, NULL, "no memory for the registers of %s", p->text->name);
            return NULL;
        }
        f->made = m->pool->made_frames;
        m->pool->made_frames = f;
        f->registers = (uint8_t *)f + head;
        f->params = f->registers + p->register_bytes;
        memcpy(f->registers, p->initial, p->register_bytes);
    }
    f->program = p;
    return f;
}

static void drop_frame(machine *m, frame *f)
{
    f->next = m->pool->frames;
    m->pool->frames = f;
}

void hd__model_pool_close(pool *p)
{
    for (warp_split *f = p->made_splits, *next; f != NULL; f = next) next = f->made, free(f);
    for (reconvergence *t = p->made_reconvergences, *next; t != NULL; t = next)
        next = t->made, free(t);
    for (frame *f = p->made_frames, *next; f != NULL; f = next) next = f->made, free(f);
    *p = (pool){0};
}

// ---- Special registers --------------------------------------------------------------------------

static uint32_t special_of(const warp *w, int32_t special, int lane)
{
    const block *b = w->block;
    const grid *g = b->grid;
    const int32_t thread = w->number * WARP + lane;
    const int32_t *size = g->block_size, *c = g->cluster;
    const int64_t index = b->index;
    switch (special) {
    case PTX_SR_TID_X: return (uint32_t)(thread % size[0]);
    case PTX_SR_TID_Y: return (uint32_t)(thread / size[0] % size[1]);
    case PTX_SR_TID_Z: return (uint32_t)(thread / size[0] / size[1]);
    case PTX_SR_NTID_X:
    case PTX_SR_NTID_Y:
    case PTX_SR_NTID_Z: return (uint32_t)size[special - PTX_SR_NTID_X];
    case PTX_SR_CTAID_X:
    case PTX_SR_CTAID_Y:
    case PTX_SR_CTAID_Z: return (uint32_t)b->at[special - PTX_SR_CTAID_X];
    case PTX_SR_NCTAID_X:
    case PTX_SR_NCTAID_Y:
    case PTX_SR_NCTAID_Z: return (uint32_t)g->size[special - PTX_SR_NCTAID_X];
    case PTX_SR_LANEID: return (uint32_t)lane;
    case PTX_SR_WARPID: return (uint32_t)w->number;
    case PTX_SR_NWARPID: return 64;
    case PTX_SR_SMID: return (uint32_t)(index % 132);
    case PTX_SR_NSMID: return 132;
    case PTX_SR_LANEMASK_EQ: return 1u << lane;
    case PTX_SR_LANEMASK_LT: return (1u << lane) - 1;
    case PTX_SR_LANEMASK_LE: return (2u << lane) - 1;
    case PTX_SR_LANEMASK_GT: return ~((2u << lane) - 1);
    case PTX_SR_LANEMASK_GE: return ~((1u << lane) - 1);
    case PTX_SR_DYNAMIC_SMEM: return (uint32_t)g->dynamic_bytes;
    case PTX_SR_TOTAL_SMEM: return (uint32_t)g->shared_bytes;
    case PTX_SR_RESERVED_BEGIN:
    case PTX_SR_RESERVED_0:
    case PTX_SR_RESERVED_1: return (uint32_t)g->reserved_at;
    case PTX_SR_RESERVED_END:
    case PTX_SR_RESERVED_CAP: return (uint32_t)g->reserved_at + RESERVED_BYTES;
    case PTX_SR_CLUSTERID_X:
    case PTX_SR_CLUSTERID_Y:
    case PTX_SR_CLUSTERID_Z: {
        const int k = special - PTX_SR_CLUSTERID_X;
        return (uint32_t)(b->at[k] / c[k]);
    }
    case PTX_SR_NCLUSTERID_X:
    case PTX_SR_NCLUSTERID_Y:
    case PTX_SR_NCLUSTERID_Z: {
        const int k = special - PTX_SR_NCLUSTERID_X;
        return (uint32_t)(g->size[k] / c[k]);
    }
    case PTX_SR_CLUSTER_CTAID_X:
    case PTX_SR_CLUSTER_CTAID_Y:
    case PTX_SR_CLUSTER_CTAID_Z: {
        const int k = special - PTX_SR_CLUSTER_CTAID_X;
        return (uint32_t)(b->at[k] % c[k]);
    }
    case PTX_SR_CLUSTER_NCTAID_X:
    case PTX_SR_CLUSTER_NCTAID_Y:
    case PTX_SR_CLUSTER_NCTAID_Z: return (uint32_t)c[special - PTX_SR_CLUSTER_NCTAID_X];
    case PTX_SR_CLUSTER_CTARANK: return (uint32_t)b->rank;
    case PTX_SR_CLUSTER_NCTARANK: return (uint32_t)b->cluster->blocks;
    case PTX_SR_IS_EXPLICIT_CLUSTER: return b->cluster != &b->alone;
    default: return 0; // clocks are read when they are asked for
    }
}

static bool differs_by_lane(int32_t special)
{
    return (special >= PTX_SR_TID_X && special <= PTX_SR_TID_Z) || special == PTX_SR_LANEID ||
           (special >= PTX_SR_LANEMASK_EQ && special <= PTX_SR_LANEMASK_GE);
}

static void fill_specials(const warp *w, frame *f)
{
    const program *p = f->program;
    for (int32_t k = 0; k < p->special_count; k++) {
        const special_slot *s = &p->specials[k];
        uint32_t *narrow = (uint32_t *)(void *)(f->registers + s->slot);
        uint64_t *wide = (uint64_t *)(void *)narrow;
        if (s->special < 0) {
            for (int l = 0; l < WARP; l++) wide[l] = (uint64_t)(f->locals + s->offset);
        } else if (s->special == PTX_SR_TID_X &&
                   w->block->grid->block_size[0] == w->block->threads) {
            for (int l = 0; l < WARP; l++) narrow[l] = (uint32_t)(w->number * WARP + l);
        } else if (differs_by_lane(s->special)) {
            for (int l = 0; l < WARP; l++) narrow[l] = special_of(w, s->special, l);
        } else {
            const uint32_t value = special_of(w, s->special, 0);
            for (int l = 0; l < WARP; l++) narrow[l] = value;
        }
    }
}

// ---- Starting and ending ------------------------------------------------------------------------

bool hd__model_warp_start(machine *m, warp *w, uint32_t lanes)
{
    frame *f = new_frame(m, m->grid->program);
    if (f == NULL) return false;
    f->locals = 0, f->back = -1, f->call = NULL, f->caller = NULL;
    w->alive = lanes;
    fill_specials(w, f);
    w->splits = new_split(m, lanes, 0, f, NULL);
    w->first = f;
    return w->splits != NULL;
}

void hd__model_warp_drop(machine *m, warp *w)
{
    for (warp_split *f = w->splits, *next; f != NULL; f = next) {
        next = f->next;
        drop_split(m, f);
    }
    w->splits = NULL;
    if (w->first != NULL) drop_frame(m, w->first);
    w->first = NULL;
}

static void unlink_split(warp *w, const warp_split *f)
{
    warp_split **link = &w->splits;
    while (*link != NULL && *link != f) link = &(*link)->next;
    if (*link != NULL) *link = f->next;
}

static void link_first(warp *w, warp_split *f)
{
    f->next = w->splits;
    w->splits = f;
}

// Where a parameter of a function lies in its frame.
static size_t parameter_place(const program *p, int32_t variable)
{
    return (size_t)p->module->variables[variable].address;
}

// Results of a call go from the callee's frame into the caller's variables.
static void copy_results(machine *m, const frame *callee, uint32_t lanes)
{
    const operation *o = callee->call;
    const frame *caller = callee->caller;
    const uint32_t *list = caller->program->list + o->list + 3u * o->vector;
    const warp *w = m->warp;
    for (int k = 0; k < o->bytes; k++, list += 3) {
        size_t from = list[1];
        if (o->callee == NULL)
            from = parameter_place(callee->program, callee->program->text->results[k]);
        for (int l = 0; l < WARP; l++)
            if (lanes >> l & 1)
                memcpy(w->local + (size_t)l * (size_t)w->local_bytes + caller->locals + list[0],
                       callee->params + (size_t)l * (size_t)callee->program->frame_bytes + from,
                       list[2]);
    }
}

// Ends a reconvergence point: its lanes go on from there, with the reconvergence point around it.
static void finish_reconvergence(machine *m, reconvergence *meet)
{
    frame *f = meet->frame;
    int32_t at = meet->at;
    if (meet->returns) {
        frame *callee = f;
        at = callee->back, f = callee->caller;
        if (meet->arrived != 0) copy_results(m, callee, meet->arrived);
        drop_frame(m, callee);
    }
    if (meet->arrived != 0) {
        warp_split *n = new_split(m, meet->arrived, at, f, meet->outer);
        if (n != NULL) link_first(m->warp, n);
    }
    drop_reconvergence(m, meet);
}

void hd__model_split_arrives(machine *m)
{
    warp_split *f = m->now;
    reconvergence *meet = f->reconvergence;
    meet->arrived |= f->mask;
    unlink_split(m->warp, f);
    drop_split(m, f);
    m->moved = true;
    if (meet->arrived == meet->expected) finish_reconvergence(m, meet);
}

// Lanes leave reconvergence points, from the innermost outwards, up to `last` (not included).
static void leave_reconvergences(machine *m, reconvergence *from, const reconvergence *last,
                                 uint32_t lanes)
{
    for (reconvergence *meet = from, *outer; meet != last && meet != NULL; meet = outer) {
        outer = meet->outer;
        meet->expected &= ~lanes;
        if (meet->expected == meet->arrived) finish_reconvergence(m, meet);
    }
}

// Takes lanes away from the current divergent path.
static void take_lanes(machine *m, uint32_t lanes)
{
    warp_split *f = m->now;
    f->mask &= ~lanes;
    f->at = m->next;
    m->moved = true;
    if (f->mask != 0) return;
    unlink_split(m->warp, f);
    drop_split(m, f);
}

void hd__model_lanes_exit(machine *m, uint32_t lanes)
{
    block *b = m->block;
    reconvergence *meet = m->now->reconvergence;
    if (m->warp->copies != NULL) hd__model_copies_finish(m, lanes, COPIES_ALL);
    m->warp->alive &= ~lanes;
    b->left -= __builtin_popcount(lanes);
    b->cluster->left -= __builtin_popcount(lanes);
    take_lanes(m, lanes);
    leave_reconvergences(m, meet, NULL, lanes);
    for (warp_split *f = m->warp->splits; f != NULL; f = f->next) // perhaps they are all here now
        if (f->waiting == WAITS_FOR_LANES) f->waiting = WAITS_FOR_NOTHING;
    for (int k = 0; k < BARRIERS; k++)
        if (b->barriers[k].arrived > 0) hd__model_barrier_check(m, b, k);
    if (b->cluster->arrived > 0) hd__model_cluster_check(m, b->cluster);
}

// Lanes at a return, which may be in the middle of branches: they wait at the call's reconvergence
// point.
void hd__model_split_returns(machine *m)
{
    const uint32_t lanes = m->mask;
    reconvergence *meet = m->now->reconvergence, *call = meet;
    if (m->frame->caller == NULL) {
        hd__model_lanes_exit(m, lanes);
        return;
    }
    while (!call->returns) call = call->outer;
    take_lanes(m, lanes);
    leave_reconvergences(m, meet, call, lanes);
    call->arrived |= lanes;
    m->moved = true;
    if (call->arrived == call->expected) finish_reconvergence(m, call);
}

// ---- Branches and calls -------------------------------------------------------------------------

void hd__model_split_diverges(machine *m, const operation *o, uint32_t taken, int32_t target)
{
    warp_split *f = m->now;
    reconvergence *meet = f->reconvergence;
    if (meet == NULL || meet->at != o->join || meet->frame != f->frame || meet->returns) {
        meet = new_reconvergence(m, o->join, f->mask, f->frame, meet);
        if (meet == NULL) return;
        f->reconvergence = meet;
    }
    f->mask &= ~taken;
    m->moved = true;
    f->at = m->next;
    if (target == o->join) {
        meet->arrived |= taken;
        return;
    }
    warp_split *other = new_split(m, taken, target, f->frame, meet);
    if (other == NULL) return;
    other->next = f->next;
    f->next = other;
}

// A frame of a callee with its arguments, or NULL: the machine has failed.
static frame *enter(machine *m, const operation *o, const program *callee)
{
    frame *caller = m->frame, *f;
    int depth = 0;
    for (const frame *up = caller; up != NULL; up = up->caller) depth++;
    const int64_t locals = caller->locals + caller->program->local_bytes;
    if (depth >= DEEPEST_CALL || locals + callee->local_bytes > m->warp->local_bytes) {
        hd__model_machine_fail(m, o, "calls too deep: %d of them, %lld bytes of local memory",
                               depth, (long long)m->warp->local_bytes);
        return NULL;
    }
    f = new_frame(m, callee);
    if (f == NULL) return NULL;
    f->locals = locals, f->back = m->next, f->call = o, f->caller = caller;
    const uint32_t *list = o->vector > 0 ? caller->program->list + o->list : NULL;
    const warp *w = m->warp;
    for (int k = 0; k < o->vector; k++, list += 3) {
        size_t to = list[1];
        if (o->callee == NULL) to = parameter_place(callee, callee->text->params[k]);
        for (int l = 0; l < WARP; l++)
            if (m->mask >> l & 1)
                memcpy(f->params + (size_t)l * (size_t)callee->frame_bytes + to,
                       w->local + (size_t)l * (size_t)w->local_bytes + caller->locals + list[0],
                       list[2]);
    }
    fill_specials(m->warp, f);
    return f;
}

bool hd__model_split_calls(machine *m, const operation *o, const program *callee, uint32_t lanes)
{
    warp_split *now = m->now;
    const uint32_t later = m->mask & ~lanes; // they call something else, after these
    if (lanes != now->mask) {                // lanes that call nothing wait behind the call
        reconvergence *behind =
            new_reconvergence(m, m->next, now->mask, now->frame, now->reconvergence);
        if (behind == NULL) return false;
        behind->arrived = now->mask & ~m->mask;
        now->reconvergence = behind;
    }
    if (later != 0) {
        warp_split *other = new_split(m, later, (int32_t)(o - now->frame->program->code),
                                      now->frame, now->reconvergence);
        if (other == NULL) return false;
        other->next = now->next;
        now->next = other;
    }
    m->mask = now->mask = lanes;
    m->moved = true;
    frame *f = enter(m, o, callee);
    reconvergence *meet =
        f != NULL ? new_reconvergence(m, callee->length, lanes, f, now->reconvergence) : NULL;
    if (meet == NULL) return false;
    meet->returns = true;
    now->frame = f, now->reconvergence = meet, now->at = 0;
    return true;
}

// ---- Waiting ------------------------------------------------------------------------------------

static void release(warp_split *f, const barrier *bar)
{
    const operation *o = &f->frame->program->code[f->at];
    f->waiting = WAITS_FOR_NOTHING;
    f->at++;
    if (o->d == UINT32_MAX) return;
    uint32_t *d = (uint32_t *)(void *)(f->frame->registers + o->d);
    const bool all = o->mode == PTX_MOD_AND && bar->count == bar->arrived;
    const bool any = o->mode == PTX_MOD_OR && bar->count > 0;
    if (o->mode == PTX_MOD_POPC)
        for (int l = 0; l < WARP; l++) d[l] = f->mask >> l & 1 ? (uint32_t)bar->count : d[l];
    else
        *d = (*d & ~f->mask) | (all || any ? f->mask : 0);
}

// Lanes of a warp that came to the barrier one after another go on together.
static void release_warp(machine *m, warp *w, int32_t number, const barrier *bar)
{
    warp_split *first = NULL;
    for (warp_split *f = w->splits, *next; f != NULL; f = next) {
        next = f->next;
        if (f->waiting != number) continue;
        release(f, bar);
        if (first == NULL || first->at != f->at || first->frame != f->frame ||
            first->reconvergence != f->reconvergence) {
            first = f;
            continue;
        }
        first->mask |= f->mask;
        unlink_split(w, f);
        drop_split(m, f);
    }
}

void hd__model_barrier_check(machine *m, block *b, int32_t number)
{
    barrier *bar = &b->barriers[number];
    const int32_t expected = bar->named > 0 ? bar->named : b->left;
    if (bar->arrived < expected) return;
    for (int32_t k = 0; k < b->warps; k++) release_warp(m, &b->warp[k], number, bar);
    *bar = (barrier){0};
    for (const subscriber *h = m->subscribers[EVENT_RELEASE]; h->by != NULL; h++)
        h->by->release(h->state, m, number);
}

void hd__model_cluster_check(machine *m, cluster *c)
{
    if (c->arrived < c->left) return;
    c->arrived = 0, c->phase++;
    for (int32_t k = 0; k < c->blocks; k++)
        for (int32_t j = 0; j < c->block[k]->warps; j++)
            for (warp_split *f = c->block[k]->warp[j].splits; f != NULL; f = f->next)
                if (f->waiting == CLUSTER_BARRIER) f->waiting = WAITS_FOR_NOTHING, f->at++;
    for (const subscriber *h = m->subscribers[EVENT_RELEASE]; h->by != NULL; h++)
        h->by->release(h->state, m, CLUSTER_BARRIER);
}

bool hd__model_lanes_gather(machine *m, const operation *o, uint32_t members, uint32_t *lanes)
{
    warp_split *now = m->now;
    const operation *code = now->frame->program->code;
    members &= m->warp->alive;
    *lanes = m->mask;
    if ((members & ~m->mask) == 0) return true;
    uint32_t here = m->mask;
    for (warp_split *f = m->warp->splits; f != NULL; f = f->next)
        if (f != now && f->waiting == WAITS_FOR_LANES && f->frame == now->frame &&
            code + f->at == o && (f->mask & members) != 0)
            here |= f->mask;
    if ((members & ~here) != 0) {
        now->waiting = WAITS_FOR_LANES;
        now->at = (int32_t)(o - code);
        m->moved = true;
        return false;
    }
    for (warp_split *f = m->warp->splits; f != NULL; f = f->next)
        if (f != now && f->waiting == WAITS_FOR_LANES && f->frame == now->frame &&
            code + f->at == o && (f->mask & members) != 0)
            f->waiting = WAITS_FOR_NOTHING, f->at++;
    *lanes = here;
    return true;
}

void hd__model_lanes_diverge(machine *m, const operation *o, uint32_t first)
{
    warp_split *now = m->now;
    const int32_t at = (int32_t)(o - now->frame->program->code);
    warp_split *other = new_split(m, now->mask & ~first, at, now->frame, now->reconvergence);
    if (other == NULL) return;
    other->next = now->next;
    now->next = other;
    now->mask = first, now->at = at;
    m->moved = true;
}

// Lanes that wait at a reconvergence point go on without the others, which will pass it by
// themselves.
static bool open_reconvergences(machine *m, warp *w)
{
    for (warp_split *f = w->splits; f != NULL; f = f->next)
        for (reconvergence *meet = f->reconvergence; meet != NULL; meet = meet->outer) {
            if (meet->arrived == 0 || meet->returns) continue;
            warp_split *n = new_split(m, meet->arrived, meet->at, meet->frame, meet->outer);
            if (n == NULL) return false;
            meet->expected &= ~meet->arrived;
            meet->arrived = 0;
            link_first(w, n);
            return true;
        }
    return false;
}

// A kernel's end is no reconvergence point: threads that return early do not wait for the others.
static bool is_end(const reconvergence *meet)
{
    const program *p = meet->frame->program;
    const int op = meet->at < p->length ? p->code[meet->at].op : PTX_OP_ret;
    return meet->frame->caller == NULL && (op == PTX_OP_ret || op == PTX_OP_exit);
}

bool hd__model_warp_let_end(machine *m, warp *w)
{
    for (const warp_split *f = w->splits; f != NULL; f = f->next)
        for (reconvergence *meet = f->reconvergence; meet != NULL; meet = meet->outer) {
            if (meet->arrived == 0 || meet->returns || !is_end(meet)) continue;
            warp_split *n = new_split(m, meet->arrived, meet->at, meet->frame, meet->outer);
            if (n == NULL) return false;
            meet->expected &= ~meet->arrived;
            meet->arrived = 0;
            link_first(w, n);
            return true;
        }
    return false;
}

bool hd__model_warp_let_others(machine *m, warp *w)
{
    warp_split *f = warp_ready(w);
    if (f == NULL) return false;
    unlink_split(w, f);
    f->next = NULL;
    warp_split **link = &w->splits;
    while (*link != NULL) link = &(*link)->next;
    *link = f;
    if (warp_ready(w) != f) return true;
    return open_reconvergences(m, w);
}
