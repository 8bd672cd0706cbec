// SPDX-License-Identifier: Apache-2.0
//
// Host threads take blocks in order; each runs the warps of its resident blocks in turns, so that
// blocks that wait for earlier ones always get on.
#include "model/launch.h"
#include "model/control.h"

#include <omp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUANTUM 512 // instructions of a warp before the next one's turn
#define PATIENCE                                                                                   \
    16 // turns a fragment that polls memory spins before those that wait for it go first
#define LONGEST      4096 // the same for one that does not poll: a long loop is no spinning
#define MOST_SHARED  ((int64_t)1 << 20)
#define MOST_THREADS 1024

void hd__machine_fail(machine *m, const operation *o, const char *format, ...)
{
    va_list arguments;
    int n = 0;
    if (m->failed) return;
    m->failed = true;
    if (o != NULL && o->text != NULL) {
        const ptx_module *module = m->grid->program->module;
        const ptx_source *s = o->text->source >= 0 ? &module->sources[o->text->source] : NULL;
        const char *file =
            s != NULL && s->file < module->file_count ? module->files[s->file] : NULL;
        if (file != NULL)
            n = snprintf(m->error, sizeof m->error, "%s:%d: ", file, (int)s->line);
        else
            n = snprintf(m->error, sizeof m->error, "PTX line %d: ", (int)o->text->line);
    }
    if (n < 0 || n >= (int)sizeof m->error) n = 0;
    va_start(arguments, format);
    vsnprintf(m->error + n, sizeof m->error - (size_t)n, format, arguments);
    va_end(arguments);
}

// ---- One warp -----------------------------------------------------------------------------------

static void tell_instruction(const machine *m, const operation *o)
{
    for (int k = 0; m->grid->listeners[k] != NULL; k++)
        if (m->grid->listeners[k]->instruction != NULL)
            m->grid->listeners[k]->instruction(m->states[k], m, o);
}

// Runs a fragment until it parts, waits, ends, or has had its instructions.
static void run_fragment(machine *m, fragment *f, int64_t *budget)
{
    const operation *code = f->frame->program->code;
    const meeting *meet = f->meeting;
    const int32_t joins = meet != NULL && meet->frame == f->frame ? meet->at : -1;
    const uint32_t all = f->mask;
    int32_t at = f->at;
    m->now = f, m->frame = f->frame, m->registers = f->frame->registers, m->moved = false;
    while (*budget > 0) {
        if (at == joins) {
            hd__fragment_arrives(m);
            return;
        }
        const operation *o = &code[at];
        m->mask = all, m->next = at + 1;
        if (o->guard >= 0) {
            const uint32_t p = *(const uint32_t *)SLOT(m, o->guard);
            m->mask &= o->guard_negated ? ~p : p;
        }
        m->clock++, (*budget)--;
        tell_instruction(m, o);
        if (m->mask == 0 && !o->always) {
            at++;
            continue;
        }
        if (o->gathers) {
            const uint32_t *members = SLOT(m, o->e);
            uint32_t lanes;
            if (!hd__lanes_gather(m, o, members[__builtin_ctz(m->mask)], &lanes)) return;
            m->mask = lanes;
        }
        o->run(m, o);
        if (m->moved || m->failed) return;
        at = m->next;
    }
    f->at = at;
}

static void run_warp(machine *m, warp *w, int64_t quantum)
{
    int64_t budget = quantum;
    m->warp = w, m->block = w->block;
    w->turns++;
    for (fragment *f; budget > 0 && !m->failed && (f = hd__warp_ready(w)) != NULL;) {
        const fragment *before = f;
        run_fragment(m, f, &budget);
        if (m->moved)
            w->turns = w->polls = 0;
        else if (before == hd__warp_ready(w) &&
                 w->turns >= (w->polls >= PATIENCE ? PATIENCE : LONGEST)) {
            w->turns = w->polls = 0;
            hd__warp_let_others(m, w);
        }
    }
}

// ---- One block ----------------------------------------------------------------------------------

typedef struct worker {
    machine machine;
    pool pool;
    block **resident;
    int32_t count, room;
    uint64_t random;
} worker;

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

static void drop_block(machine *m, block *b)
{
    if (b == NULL) return;
    for (int32_t k = 0; b->warp != NULL && k < b->warps; k++) {
        hd__warp_drop(m, &b->warp[k]);
        free(b->warp[k].local);
    }
    free(b->warp);
    free(b->shared);
    free(b);
}

static bool start_warps(machine *m, block *b)
{
    const int64_t stack = m->grid->program->stack_bytes;
    for (int32_t k = 0; k < b->warps; k++) {
        warp *w = &b->warp[k];
        const int32_t left = b->threads - k * WARP;
        *w = (warp){.block = b, .number = k, .local_bytes = stack};
        if (stack > 0) {
            w->local = malloc((size_t)stack * WARP);
            if (w->local == NULL) return false;
        }
        m->warp = w, m->block = b;
        if (!hd__warp_start(m, w, left >= WARP ? ~0u : (1u << left) - 1)) return false;
    }
    return true;
}

static block *new_block(machine *m, int64_t index)
{
    const grid *g = m->grid;
    block *b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    b->grid = m->grid, b->index = index;
    b->at[0] = (int32_t)(index % g->size[0]);
    b->at[1] = (int32_t)(index / g->size[0] % g->size[1]);
    b->at[2] = (int32_t)(index / g->size[0] / g->size[1]);
    b->threads = b->left = g->block_size[0] * g->block_size[1] * g->block_size[2];
    b->warps = (b->threads + WARP - 1) / WARP;
    b->shared_bytes = g->shared_bytes;
    b->cluster_blocks = 1;
    b->self = b, b->cluster = &b->self;
    b->warp = calloc((size_t)b->warps, sizeof *b->warp);
    b->shared = calloc(1, (size_t)b->shared_bytes + 16);
    if (b->warp == NULL || b->shared == NULL || !start_warps(m, b)) {
        drop_block(m, b);
        return NULL;
    }
    return b;
}

static void tell_block(machine *m, bool begins)
{
    for (int k = 0; m->grid->listeners[k] != NULL; k++) {
        const listener *l = m->grid->listeners[k];
        void (*tell)(void *, const machine *) = begins ? l->begin_block : l->end_block;
        if (tell != NULL) tell(m->states[k], m);
    }
}

// All of its threads wait, and none can come to free them: says where.
static void deadlock(machine *m, const block *b)
{
    for (int32_t k = 0; k < b->warps; k++)
        for (const fragment *f = b->warp[k].fragments; f != NULL; f = f->next) {
            const operation *o = &f->frame->program->code[f->at];
            const bool lanes = f->waiting == WAITS_FOR_LANES;
            hd__machine_fail(m, o,
                             "block (%d,%d,%d): lanes %08x of warp %d wait at %s for threads that "
                             "never come (%d of %d threads have ended)",
                             (int)b->at[0], (int)b->at[1], (int)b->at[2], (unsigned)f->mask, (int)k,
                             lanes ? "this instruction" : "this barrier",
                             (int)(b->threads - b->left), (int)b->threads);
            return;
        }
}

// Every warp of a block has a turn. false: the block is done.
static bool run_block(worker *w, block *b)
{
    machine *m = &w->machine;
    const int32_t first =
        w->random != 0 ? (int32_t)(next_random(&w->random) % (uint64_t)b->warps) : 0;
    bool ran = false;
    for (int32_t k = 0; k < b->warps && !m->failed; k++) {
        warp *v = &b->warp[(first + k) % b->warps];
        if (hd__warp_ready(v) == NULL) continue;
        run_warp(m, v, w->random != 0 ? shuffled_quantum(&w->random) : QUANTUM);
        ran = true;
    }
    if (b->left == 0 || m->failed) return false;
    if (!ran) deadlock(m, b);
    return !m->failed;
}

// ---- Host threads -------------------------------------------------------------------------------

typedef struct team {
    launch *launch;
    grid grid;
    atomic_llong next;
    atomic_bool stop, told;
    int32_t resident;
    pthread_mutex_t print_lock;
} team;

static bool open_states(machine *m, const listener *const *listeners, void **states)
{
    m->states = states;
    for (int k = 0; listeners[k] != NULL; k++) {
        states[k] = calloc(1, listeners[k]->state_bytes > 0 ? listeners[k]->state_bytes : 1);
        if (states[k] == NULL) return false;
        if (listeners[k]->open != NULL && !listeners[k]->open(states[k], m->grid)) return false;
    }
    return true;
}

static void close_states(const listener *const *listeners, void **states)
{
    for (int k = 0; listeners[k] != NULL; k++) {
        if (states[k] != NULL && listeners[k]->close != NULL) listeners[k]->close(states[k]);
        free(states[k]);
        states[k] = NULL;
    }
}

static void fill_resident(team *t, worker *w)
{
    machine *m = &w->machine;
    while (w->count < t->resident && !m->failed) {
        const int64_t index = atomic_fetch_add(&t->next, 1);
        if (index >= t->grid.blocks) return;
        block *b = new_block(m, index);
        if (b == NULL) {
            hd__machine_fail(m, NULL, "no memory for block %lld", (long long)index);
            return;
        }
        m->block = b;
        tell_block(m, true);
        w->resident[w->count++] = b;
    }
}

// Another one of the resident blocks goes first.
static void shuffle_resident(worker *w)
{
    const uint64_t k = next_random(&w->random) % (uint64_t)w->count;
    block *first = w->resident[k];
    w->resident[k] = w->resident[0];
    w->resident[0] = first;
}

static void run_blocks(team *t, worker *w)
{
    machine *m = &w->machine;
    for (;;) {
        fill_resident(t, w);
        if (w->count == 0 || m->failed || atomic_load_explicit(&t->stop, memory_order_relaxed))
            return;
        if (w->random != 0) shuffle_resident(w);
        for (int32_t k = 0; k < w->count && !m->failed;) {
            block *b = w->resident[k];
            if (run_block(w, b)) {
                k++;
                continue;
            }
            if (m->failed) return;
            m->block = b;
            tell_block(m, false);
            drop_block(m, b);
            w->resident[k] = w->resident[--w->count];
        }
        if (t->launch->most_steps > 0 && m->clock > t->launch->most_steps)
            hd__machine_fail(m, NULL, "stopped after %llu instructions of a host thread",
                             (unsigned long long)m->clock);
    }
}

static void work(team *t, int number, void **states)
{
    worker *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    const listener *const *listeners = t->grid.listeners;
    bool done = w != NULL;
    char error[512] = "no memory for the machine";
    if (done) {
        memset(w, 0, sizeof *w);
        machine *m = &w->machine;
        m->grid = &t->grid, m->pool = &w->pool, m->spread = 0;
        if (t->launch->seed != 0)
            w->random = t->launch->seed * 0x9e3779b97f4a7c15u + (uint64_t)number + 1;
        w->resident = calloc((size_t)t->resident, sizeof *w->resident);
        done = w->resident != NULL && open_states(m, listeners, states);
        if (done) run_blocks(t, w);
        if (m->failed) memcpy(error, m->error, sizeof error);
        done = done && !m->failed;
        for (int32_t k = 0; k < w->count; k++) drop_block(m, w->resident[k]);
        free(w->resident);
        hd__pool_close(&w->pool);
        free(w);
    }
    if (done) return;
    atomic_store(&t->stop, true);
    // The first to fail says why.
    if (!atomic_exchange(&t->told, true)) memcpy(t->launch->error, error, sizeof error);
}

static bool refuse(launch *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(l->error, sizeof l->error, format, arguments);
    va_end(arguments);
    return false;
}

static bool check(launch *l, const loaded_module *m, int32_t function)
{
    const ptx_function *f = &m->text->functions[function];
    int64_t threads = 1, blocks = 1;
    if (!f->entry || !f->defined) return refuse(l, "%s is no kernel", f->name);
    for (int k = 0; k < 3; k++) {
        if (l->grid[k] == 0) l->grid[k] = 1;
        if (l->block[k] == 0) l->block[k] = 1;
        if (l->grid[k] < 0 || l->block[k] < 0 || l->block[k] > MOST_THREADS)
            return refuse(l, "grid %d, block %d of axis %d are out of range", (int)l->grid[k],
                          (int)l->block[k], k);
        threads *= l->block[k], blocks *= l->grid[k];
    }
    if (threads > MOST_THREADS)
        return refuse(l, "a block of %lld threads; at most %d", (long long)threads, MOST_THREADS);
    if (f->max_threads > 0 && threads > f->max_threads)
        return refuse(l, "%s: a block of %lld threads, more than its launch bounds allow (%d)",
                      f->name, (long long)threads, (int)f->max_threads);
    if (blocks > (int64_t)1 << 40) return refuse(l, "too many blocks");
    if (l->dynamic_bytes < 0 || l->dynamic_bytes > MOST_SHARED)
        return refuse(l, "%lld bytes of dynamic shared memory", (long long)l->dynamic_bytes);
    if (l->param_bytes != f->param_bytes)
        return refuse(l, "%s takes %lld bytes of parameters, got %lld", f->name,
                      (long long)f->param_bytes, (long long)l->param_bytes);
    return true;
}

static void set_grid(team *t, const loaded_module *m, int32_t function)
{
    launch *l = t->launch;
    grid *g = &t->grid;
    static const listener *const none[] = {NULL};
    static const machine_settings usual = {90, 32, 128, 32, 4, WARP};
    g->program = &m->programs[function];
    g->memory = m->memory;
    g->blocks = 1;
    for (int k = 0; k < 3; k++) {
        g->size[k] = l->grid[k], g->block_size[k] = l->block[k], g->cluster[k] = 1;
        g->blocks *= l->grid[k];
    }
    g->params = l->params, g->param_bytes = l->param_bytes;
    g->dynamic_bytes = l->dynamic_bytes;
    g->shared_bytes = m->shared_bytes + l->dynamic_bytes;
    g->listeners = l->listeners != NULL ? l->listeners : none;
    g->print = l->print, g->print_user = l->print_user, g->print_lock = &t->print_lock;
    g->settings = l->settings != NULL ? l->settings : &usual;
    g->sites = m->sites, g->trace = l->trace;
}

bool hd__launch_run(launch *l, loaded_module *m, int32_t function)
{
    team t = {.launch = l, .print_lock = PTHREAD_MUTEX_INITIALIZER};
    l->error[0] = 0;
    l->refused = !check(l, m, function);
    if (l->refused) return false;
    set_grid(&t, m, function);
    int count = 0;
    while (t.grid.listeners[count] != NULL) count++;
    int threads = l->threads > 0 ? l->threads : 1;
    if (threads > t.grid.blocks) threads = (int)t.grid.blocks;
    t.resident = l->resident > 0 ? l->resident : 8;
    atomic_init(&t.next, 0);
    atomic_init(&t.stop, false);
    atomic_init(&t.told, false);
    void **states = calloc((size_t)threads * ((size_t)count + 1), sizeof *states);
    if (states == NULL) return refuse(l, "no memory for the launch");
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int k = 0; k < threads; k++) work(&t, k, states + (size_t)k * ((size_t)count + 1));
    for (int k = 1; k < threads; k++) {
        void **theirs = states + (size_t)k * ((size_t)count + 1);
        for (int j = 0; j < count; j++)
            if (t.grid.listeners[j]->merge != NULL && states[j] != NULL && theirs[j] != NULL)
                t.grid.listeners[j]->merge(states[j], theirs[j]);
        close_states(t.grid.listeners, theirs);
    }
    if (l->states != NULL)
        memcpy(l->states, states, (size_t)count * sizeof *states);
    else
        close_states(t.grid.listeners, states);
    free(states);
    return l->error[0] == 0;
}

void hd__launch_close(launch *l)
{
    if (l->states != NULL && l->listeners != NULL) close_states(l->listeners, l->states);
}
