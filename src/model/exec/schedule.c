// SPDX-License-Identifier: Apache-2.0
//
// Warps of a block in turns, divergent paths of a warp one after another, instructions of a
// divergent path.
#include "schedule.h"
#include "copies.h"
#include "observer.h"

#include <stdlib.h>
#include <string.h>

#define QUANTUM 512 // instructions of a warp before the next one's turn
#define ROUNDS  64  // turns of all warps of a block before the next block's, if it does not poll
#define PATIENCE                                                                                   \
    16 // turns a divergent path that polls memory spins before those that wait for it go first
#define LONGEST 4096 // the same for one that does not poll: a long loop is no spinning

// ---- One warp -----------------------------------------------------------------------------------

static void notify_instruction(const machine *m, const operation *o)
{
    for (const subscriber *h = m->subscribers[EVENT_INSTRUCTION]; h->by != NULL; h++)
        h->by->instruction(h->state, m, o);
}

// Instructions that no lane can leave: no guards, no branches, no waiting.
static int32_t run_straight(machine *m, const operation *o, int lanes, int64_t budget)
{
    const int32_t count = o->straight < budget ? o->straight : (int32_t)budget;
    const operation *end = o + count;
    machine_ran(m, o, count, lanes);
    if (m->subscribers[EVENT_INSTRUCTION]->by == NULL) {
        for (; o < end; o++) o->run(m, o);
    } else {
        for (; o < end; o++) {
            notify_instruction(m, o);
            o->run(m, o);
        }
    }
    m->clock += (uint64_t)count;
    m->block->steps += (uint64_t)count;
    return count;
}

// The lanes whose masks are that of the first one.
static uint32_t lanes_of_first(const machine *m, const operation *o, uint32_t lanes)
{
    const uint32_t *members = SLOT(m, o->e), first = members[__builtin_ctz(lanes)];
    uint32_t others = 0, same = 0;
    for (int l = 0; l < WARP; l++) others |= members[l] ^ first;
    if (others == 0) return lanes;
    for (int l = 0; l < WARP; l++) same |= (uint32_t)(members[l] == first) << l;
    return same & lanes;
}

// Lanes that name different masks, as tiles of a warp do: each group by itself, one after another.
// If one of them must wait they part.
static bool run_groups(machine *m, const operation *o)
{
    const uint32_t *members = SLOT(m, o->e), all = m->mask;
    for (uint32_t left = all, group; left != 0; left &= ~group) {
        group = lanes_of_first(m, o, left);
        if ((members[__builtin_ctz(left)] & m->warp->alive & ~all) == 0) continue;
        hd__model_lanes_diverge(m, o, group);
        return false;
    }
    machine_ran(m, o, 1, __builtin_popcount(all));
    notify_instruction(m, o);
    for (uint32_t left = all; left != 0 && !m->moved && !m->failed; left &= ~m->mask) {
        m->mask = lanes_of_first(m, o, left);
        o->run(m, o);
    }
    return !m->moved && !m->failed;
}

// One instruction that may need more. false: the divergent path is no longer what it was.
static bool run_one(machine *m, const operation *o, int32_t at)
{
    m->next = at + 1;
    if (o->guard >= 0) {
        const uint32_t p = *(const uint32_t *)SLOT(m, o->guard);
        m->mask &= o->guard_negated ? ~p : p;
    }
    m->clock++, m->block->steps++;
    if (o->gathers && m->mask != 0) {
        if (lanes_of_first(m, o, m->mask) != m->mask) return run_groups(m, o);
        const uint32_t *members = SLOT(m, o->e);
        uint32_t lanes;
        if (!hd__model_lanes_gather(m, o, members[__builtin_ctz(m->mask)], &lanes)) return false;
        m->mask = lanes;
    }
    machine_ran(m, o, 1, __builtin_popcount(m->mask));
    notify_instruction(m, o);
    if (m->mask == 0 && !o->always) return true;
    o->run(m, o);
    return !m->moved && !m->failed;
}

// Runs a divergent path until it diverges, waits, ends, or has had its instructions. One that polls
// has had them: what it waits for comes from others.
static void run_split(machine *m, warp_split *f, int64_t *budget)
{
    const operation *code = f->frame->program->code;
    const reconvergence *meet = f->reconvergence;
    const int32_t joins = meet != NULL && meet->frame == f->frame ? meet->at : -1;
    const uint32_t all = f->mask;
    const int lanes = __builtin_popcount(all);
    int32_t at = f->at;
    m->now = f, m->frame = f->frame, m->registers = f->frame->registers, m->moved = false;
    while (*budget > 0) {
        if (at == joins) {
            hd__model_split_arrives(m);
            return;
        }
        const operation *o = &code[at];
        m->mask = all;
        if (o->straight > 0) {
            const int32_t count = run_straight(m, o, lanes, *budget);
            at += count, *budget -= count;
        } else {
            (*budget)--;
            if (!run_one(m, o, at)) return;
            at = m->next;
        }
        if (m->polled) *budget = 0;
    }
    f->at = at;
}

static void run_warp(machine *m, warp *w, int64_t quantum)
{
    int64_t budget = quantum;
    const bool polled = m->polled; // by other warps
    m->warp = w, m->block = w->block, m->polled = false;
    w->turns++;
    for (warp_split *f; budget > 0 && !m->failed && (f = warp_ready(w)) != NULL;) {
        const warp_split *before = f;
        run_split(m, f, &budget);
        if (m->moved)
            w->turns = w->polls = 0;
        else if (before == warp_ready(w) &&
                 w->turns >= (w->polls >= PATIENCE ? PATIENCE : LONGEST)) {
            w->turns = w->polls = 0;
            hd__model_warp_let_others(m, w);
        }
    }
    m->polled |= polled;
}

// ---- One block ----------------------------------------------------------------------------------

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t x = *state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// 1 to 128 instructions, short ones as often as long ones: what is wrong for one order of two
// neighbouring instructions shows as well as what takes a long delay.
static int64_t shuffled_quantum(uint64_t *random)
{
    const uint64_t x = next_random(random);
    return 1 + (int64_t)((x >> 8) % ((uint64_t)1 << x % 8));
}

void hd__model_blocks_shuffle(host_worker *w)
{
    if (w->random == 0) return;
    const uint64_t k = next_random(&w->random) % (uint64_t)w->count;
    block *first = w->resident[k];
    w->resident[k] = w->resident[0];
    w->resident[0] = first;
}

static void free_block(block *b)
{
    for (int32_t k = 0; b->warp != NULL && k < b->warps; k++) {
        free(b->warp[k].local);
        free(b->warp[k].copies);
    }
    free(b->warp);
    free(b->shared);
    free(b);
}

void hd__model_block_drop(host_worker *w, block *b)
{
    for (int32_t k = 0; k < b->warps; k++) hd__model_warp_drop(&w->machine, &b->warp[k]);
    if (b->cluster != NULL && b->cluster != &b->alone && --b->cluster->held == 0) free(b->cluster);
    b->cluster = NULL;
    b->next = w->spare;
    w->spare = b;
}

void hd__model_blocks_free(host_worker *w)
{
    for (int32_t k = 0; k < w->count; k++) hd__model_block_drop(w, w->resident[k]);
    w->count = 0;
    for (block *b = w->spare, *next; b != NULL; b = next) {
        next = b->next;
        free_block(b);
    }
    w->spare = NULL;
}

// All blocks of a launch have the same sizes.
static block *make_block(const grid *g)
{
    block *b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    const int64_t stack = g->program->stack_bytes;
    b->threads = g->block_size[0] * g->block_size[1] * g->block_size[2];
    b->warps = (b->threads + WARP - 1) / WARP;
    b->shared_bytes = g->shared_bytes;
    b->warp = calloc((size_t)b->warps, sizeof *b->warp);
    b->shared = malloc((size_t)b->shared_bytes + 16);
    bool done = b->warp != NULL && b->shared != NULL;
    for (int32_t k = 0; done && k < b->warps; k++) {
        warp *w = &b->warp[k];
        w->block = b, w->number = k, w->local_bytes = stack;
        if (stack > 0) done = (w->local = calloc(WARP, (size_t)stack)) != NULL;
    }
    if (done) return b;
    free_block(b);
    return NULL;
}

static bool start_warps(machine *m, block *b)
{
    m->block = b;
    for (int32_t k = 0; k < b->warps; k++) {
        warp *w = m->warp = &b->warp[k];
        const int32_t left = b->threads - k * WARP;
        w->turns = w->polls = 0, w->strong.site = NULL, w->cluster_parity = 0;
        hd__model_copies_forget(w);
        if (!hd__model_warp_start(m, w, left >= WARP ? ~0u : (1u << left) - 1)) return false;
    }
    return true;
}

block *hd__model_block_new(host_worker *w, int64_t index, cluster *c, int32_t rank)
{
    machine *m = &w->machine;
    const grid *g = m->grid;
    block *b = w->spare;
    if (b != NULL)
        w->spare = b->next;
    else
        b = make_block(g);
    if (b == NULL) return NULL;
    b->grid = m->grid, b->index = index, b->left = b->threads, b->steps = 0;
    b->at[0] = (int32_t)(index % g->size[0]);
    b->at[1] = (int32_t)(index / g->size[0] % g->size[1]);
    b->at[2] = (int32_t)(index / g->size[0] / g->size[1]);
    b->rank = rank, b->ended = false;
    b->alone = (cluster){.block = {b}, .blocks = 1, .held = 1, .running = 1, .left = b->threads};
    b->cluster = &b->alone;
    if (c != NULL) {
        b->cluster = c;
        c->block[rank] = b;
        c->held++, c->running++, c->left += b->threads;
    }
    memset(b->barriers, 0, sizeof b->barriers);
    memset(b->shared, 0, (size_t)b->shared_bytes + 16);
    if (start_warps(m, b)) return b;
    if (c != NULL) b->cluster = NULL, c->held--; // the caller's
    hd__model_block_drop(w, b);
    return NULL;
}

// All of its threads wait, and none can come to free them: says where.
static void deadlock(machine *m, const block *b)
{
    for (int32_t k = 0; k < b->warps; k++)
        for (const warp_split *f = b->warp[k].splits; f != NULL; f = f->next) {
            const operation *o = &f->frame->program->code[f->at];
            const bool lanes = f->waiting == WAITS_FOR_LANES;
            hd__model_machine_fail(
                m, o,
                "block (%d,%d,%d): lanes %08x of warp %d wait at %s for threads that "
                "never come (%d of %d threads have ended)",
                (int)b->at[0], (int)b->at[1], (int)b->at[2], (unsigned)f->mask, (int)k,
                lanes ? "this instruction" : "this barrier", (int)(b->threads - b->left),
                (int)b->threads);
            return;
        }
}

// Whether a block of the cluster can go on.
static bool can_run(const cluster *c)
{
    for (int32_t k = 0; k < c->blocks; k++)
        for (int32_t j = 0; !c->block[k]->ended && j < c->block[k]->warps; j++)
            if (warp_ready(&c->block[k]->warp[j]) != NULL) return true;
    return false;
}

// Every warp has a turn. false: none of them could run.
static bool run_round(host_worker *w, block *b)
{
    machine *m = &w->machine;
    const int32_t first =
        w->random != 0 ? (int32_t)(next_random(&w->random) % (uint64_t)b->warps) : 0;
    bool ran = false;
    for (int32_t k = 0; k < b->warps && !m->failed; k++) {
        warp *v = &b->warp[first + k < b->warps ? first + k : first + k - b->warps];
        if (warp_ready(v) == NULL) continue;
        run_warp(m, v, w->random != 0 ? shuffled_quantum(&w->random) : QUANTUM);
        ran = true;
    }
    return ran;
}

// All wait: those that have come to the kernel's end need not.
static bool let_end(machine *m, const block *b)
{
    bool any = false;
    for (int32_t k = 0; k < b->warps; k++) any |= hd__model_warp_let_end(m, &b->warp[k]);
    return any;
}

// A block keeps its host thread while it gets on: what it works on is near. One that polls may wait
// for another; with a seed blocks change after every round.
bool hd__model_block_run(host_worker *w, block *b)
{
    machine *m = &w->machine;
    const int rounds = w->random != 0 ? 1 : ROUNDS;
    m->polled = false;
    for (int k = 0; k < rounds && !m->polled && m->clock <= w->limit; k++) {
        const bool ran = run_round(w, b);
        if (b->left == 0 || m->failed) return false;
        if (!ran && can_run(b->cluster)) return true;
        if (!ran && let_end(m, b)) continue;
        if (!ran) {
            m->block = b;
            for (const subscriber *h = m->subscribers[EVENT_STUCK]; h->by != NULL; h++)
                h->by->stuck(h->state, m);
            deadlock(m, b);
            return false;
        }
    }
    return true;
}
