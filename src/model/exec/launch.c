// SPDX-License-Identifier: Apache-2.0
//
// Host threads take blocks in order; each runs the warps of its resident blocks in turns, so that
// blocks that wait for earlier ones always get on.
#include "launch.h"
#include "core/system/after_fork.h"
#include "core/system/float_state.h"
#include "architecture.h"
#include "schedule.h"

#include <omp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SHARED     ((int64_t)1 << 20)
#define MAX_STATIC     (48 * 1024)
#define MAX_THREADS    1024
#define MAX_LOCAL      ((int64_t)512 << 10) // bytes of a thread, as the hardware's
#define MAX_MEMORY     ((int64_t)1 << 30) // of registers and local memory of a host thread's blocks
#define BETWEEN_YIELDS 512                // instructions of a host thread whose blocks all wait

// ---- Blocks -------------------------------------------------------------------------------------

static void notify_block(machine *m, bool begins)
{
    for (int k = 0; m->grid->observers[k] != NULL; k++) {
        const observer *l = m->grid->observers[k];
        void (*call)(void *, const machine *) = begins ? l->begin_block : l->end_block;
        if (call != NULL) call(m->states[k], m);
    }
}

static void notify_finish(const machine *m)
{
    for (int k = 0; m->grid->observers[k] != NULL; k++)
        if (m->grid->observers[k]->finish != NULL) m->grid->observers[k]->finish(m->states[k], m);
}

// ---- Host threads -------------------------------------------------------------------------------

typedef struct team {
    launch *launch;
    grid grid;
    atomic_llong next;
    atomic_bool stop, reported;
    int32_t resident;
    int32_t together; // blocks of a cluster
    pthread_mutex_t print_lock;
} team;

static bool open_states(machine *m, const observer *const *observers, void **states)
{
    m->states = states;
    for (int k = 0; observers[k] != NULL; k++) {
        states[k] = calloc(1, observers[k]->state_bytes > 0 ? observers[k]->state_bytes : 1);
        if (states[k] == NULL) return false;
        if (observers[k]->open != NULL && !observers[k]->open(states[k], m->grid)) return false;
    }
    return true;
}

static void close_states(const observer *const *observers, void **states)
{
    for (int k = 0; observers[k] != NULL; k++) {
        if (states[k] != NULL && observers[k]->close != NULL) observers[k]->close(states[k]);
        free(states[k]);
        states[k] = NULL;
    }
}

// Block `rank` of cluster `number`, as a number in the grid.
static int64_t block_of(const grid *g, int64_t number, int32_t rank)
{
    int64_t index = 0;
    for (int k = 2; k >= 0; k--) {
        int64_t before = 1, inner = 1;
        for (int j = 0; j < k; j++) before *= g->size[j] / g->cluster[j], inner *= g->cluster[j];
        const int64_t outer = number / before % (g->size[k] / g->cluster[k]);
        const int64_t at = outer * g->cluster[k] + rank / inner % g->cluster[k];
        index = index * g->size[k] + at;
    }
    return index;
}

// The blocks of a cluster begin together, on one host thread.
static bool begin_cluster(team *t, host_worker *w, int64_t number)
{
    machine *m = &w->machine;
    cluster *c = t->together > 1 ? calloc(1, sizeof *c) : NULL;
    if (t->together > 1 && c == NULL) return false;
    if (c != NULL) c->blocks = t->together;
    for (int32_t rank = 0; rank < t->together; rank++) {
        block *b = hd__model_block_new(
            w, t->together > 1 ? block_of(&t->grid, number, rank) : number, c, rank);
        if (b == NULL) {
            if (rank == 0) free(c); // else the blocks that are there hold it
            return false;
        }
        w->resident[w->count++] = b;
    }
    for (int32_t k = w->count - t->together; k < w->count; k++) {
        m->block = w->resident[k];
        notify_block(m, true);
    }
    return true;
}

static void fill_resident(team *t, host_worker *w)
{
    machine *m = &w->machine;
    const int64_t clusters = t->grid.blocks / t->together;
    while (w->count + t->together <= t->resident && !m->failed) {
        const int64_t number = atomic_fetch_add(&t->next, 1);
        if (number >= clusters) return;
        if (!begin_cluster(t, w, number))
            hd__model_machine_fail(m, NULL, "no memory for block %lld",
                                   (long long)(number * t->together));
    }
}

// A block that has ended stays until all of its cluster have. true: it is gone.
static bool end_block(host_worker *w, int32_t k)
{
    machine *m = &w->machine;
    block *b = w->resident[k];
    if (!b->ended) {
        b->ended = true;
        b->cluster->running--;
        m->block = b;
        notify_block(m, false);
    }
    if (b->cluster->running > 0) return false;
    hd__model_block_drop(w, b);
    w->resident[k] = w->resident[--w->count];
    return true;
}

static void run_blocks(team *t, host_worker *w)
{
    machine *m = &w->machine;
    uint64_t yielded = 0;
    for (;;) {
        fill_resident(t, w);
        if (w->count == 0 || m->failed || atomic_load_explicit(&t->stop, memory_order_relaxed))
            return;
        hd__model_blocks_shuffle(w);
        bool waiting = true;
        for (int32_t k = 0; k < w->count && !m->failed;) {
            block *b = w->resident[k];
            const bool goes_on = !b->ended && hd__model_block_run(w, b);
            if (m->failed) return;
            waiting = waiting && goes_on && m->polled;
            if (goes_on || !end_block(w, k)) k++;
        }
        // What they wait for is another host thread's. Each look is a few instructions: not after
        // every one.
        if (waiting && m->clock - yielded >= BETWEEN_YIELDS) {
            sched_yield();
            yielded = m->clock;
        }
        if (m->clock > w->limit)
            hd__model_machine_fail(m, NULL, "stopped after %llu instructions of a host thread",
                                   (unsigned long long)m->clock);
    }
}

static bool open_worker(team *t, host_worker *w, int number, void **states)
{
    machine *m = &w->machine;
    memset(w, 0, sizeof *w);
    m->grid = &t->grid, m->pool = &w->pool, m->spread = 0;
    if (t->launch->seed != 0)
        w->random = t->launch->seed * 0x9e3779b97f4a7c15u + (uint64_t)number + 1;
    w->limit = t->launch->max_steps > 0 ? t->launch->max_steps : UINT64_MAX;
    w->resident = calloc((size_t)t->resident, sizeof *w->resident);
    m->ran = calloc((size_t)t->grid.sites + 2, sizeof *m->ran);
    m->happened = calloc((size_t)t->grid.sites + 2, sizeof *m->happened);
    return w->resident != NULL && m->ran != NULL && m->happened != NULL &&
           open_states(m, t->grid.observers, states) &&
           hd__model_observe(m, t->grid.observers, states);
}

static void close_worker(host_worker *w)
{
    machine *m = &w->machine;
    hd__model_blocks_free(w);
    hd__model_observe_close(m);
    free(m->ran);
    free(m->happened);
    free(w->resident);
    hd__model_pool_close(&w->pool);
    free(w);
}

static void work(team *t, int number, void **states)
{
    HD__FLOAT_STATE;
    host_worker *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    bool done = w != NULL;
    char error[512] = "no memory for the machine";
    if (done) {
        machine *m = &w->machine;
        done = open_worker(t, w, number, states);
        if (done) {
            run_blocks(t, w);
            notify_finish(m);
        }
        if (m->failed) memcpy(error, m->error, sizeof error);
        done = done && !m->failed;
        close_worker(w);
    }
    if (done) return;
    atomic_store(&t->stop, true);
    // The first to fail says why.
    if (!atomic_exchange(&t->reported, true)) memcpy(t->launch->error, error, sizeof error);
}

// Each of the team's members with its states.
typedef struct host_team {
    team *team;
    void **states;
    int threads;
    size_t states_each;
} host_team;

static void work_together(void *any)
{
    const host_team *c = any;
#pragma omp parallel for num_threads(c->threads) schedule(static, 1) if (c->threads > 1)
    for (int k = 0; k < c->threads; k++) work(c->team, k, c->states + (size_t)k * c->states_each);
}

static bool refuse(launch *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(l->error, sizeof l->error, format, arguments);
    va_end(arguments);
    return false;
}

static bool check_cluster(launch *l, const ptx_function *f)
{
    int64_t blocks = 1;
    for (int k = 0; k < 3; k++) {
        if (l->cluster[k] == 0) l->cluster[k] = f->cluster[k] > 0 ? f->cluster[k] : 1;
        if (l->cluster[k] < 0 || l->cluster[k] > MAX_CLUSTER || l->grid[k] % l->cluster[k] != 0)
            return refuse(l, "clusters of %d blocks do not divide the grid's %d along axis %d",
                          (int)l->cluster[k], (int)l->grid[k], k);
        if (f->cluster[k] > 0 && l->cluster[k] != f->cluster[k])
            return refuse(l, "clusters of %d blocks; %s asks for %d", (int)l->cluster[k], f->name,
                          (int)f->cluster[k]);
        blocks *= l->cluster[k];
    }
    return blocks <= MAX_CLUSTER ||
           refuse(l, "clusters of %lld blocks; at most %d", (long long)blocks, MAX_CLUSTER);
}

// What the architecture gives a block; of it the kernel's own variables have the first 48 KiB at
// most.
static bool check_shared(launch *l, const loaded_module *m, const ptx_function *f)
{
    const architecture *a = hd__model_architecture(l->settings != NULL ? l->settings->arch : 90);
    const int64_t own = m->shared_front + f->shared_bytes,
                  most = a->block_shared_kib * INT64_C(1024);
    const int64_t all = l->dynamic_bytes > 0 ? m->shared_bytes + l->dynamic_bytes : own;
    if (own > MAX_STATIC)
        return refuse(l,
                      "%lld bytes of shared memory in variables; at most %d, more must be dynamic",
                      (long long)own, MAX_STATIC);
    return all <= most || refuse(l, "%lld bytes of shared memory a block; sm_%d has %lld",
                                 (long long)all, (int)a->arch, (long long)most);
}

static bool check(launch *l, const loaded_module *m, int32_t function)
{
    const ptx_function *f = &m->text->functions[function];
    int64_t threads = 1, blocks = 1;
    if (!f->entry || !f->defined) return refuse(l, "%s is no kernel", f->name);
    for (int k = 0; k < 3; k++) {
        if (l->grid[k] == 0) l->grid[k] = 1;
        if (l->block[k] == 0) l->block[k] = 1;
        if (l->grid[k] < 0 || l->block[k] < 0 || l->block[k] > MAX_THREADS)
            return refuse(l, "grid %d, block %d of axis %d are out of range", (int)l->grid[k],
                          (int)l->block[k], k);
        threads *= l->block[k], blocks *= l->grid[k];
    }
    if (threads > MAX_THREADS)
        return refuse(l, "a block of %lld threads; at most %d", (long long)threads, MAX_THREADS);
    if (f->max_threads > 0 && threads > f->max_threads)
        return refuse(l, "a block of %lld threads, more than its launch bounds allow (%d)",
                      (long long)threads, (int)f->max_threads);
    if (blocks > (int64_t)1 << 40) return refuse(l, "too many blocks");
    if (!check_cluster(l, f)) return false;
    if (l->dynamic_bytes < 0 || l->dynamic_bytes > MAX_SHARED)
        return refuse(l, "%lld bytes of dynamic shared memory", (long long)l->dynamic_bytes);
    if (!check_shared(l, m, f)) return false;
    const int64_t local = m->programs[function].stack_bytes;
    if (local > MAX_LOCAL)
        return refuse(l, "%lld bytes of local memory a thread; at most %lld", (long long)local,
                      (long long)MAX_LOCAL);
    if (l->param_bytes != f->param_bytes)
        return refuse(l, "%s takes %lld bytes of parameters, got %lld", f->name,
                      (long long)f->param_bytes, (long long)l->param_bytes);
    return true;
}

static void set_grid(team *t, const loaded_module *m, int32_t function)
{
    launch *l = t->launch;
    grid *g = &t->grid;
    static const observer *const none[] = {NULL};
    static const machine_settings usual = {90, 32, 128, 32, 4, WARP, 0};
    g->program = &m->programs[function];
    g->programs = m->programs, g->program_count = m->text->function_count;
    g->memory = m->memory;
    g->blocks = 1;
    for (int k = 0; k < 3; k++) {
        g->size[k] = l->grid[k], g->block_size[k] = l->block[k];
        g->cluster[k] = l->cluster[k];
        g->blocks *= l->grid[k];
    }
    g->params = l->params, g->param_bytes = l->param_bytes;
    g->dynamic_bytes = l->dynamic_bytes;
    // Without a dynamic part shared memory ends with the kernel's own variables.
    g->shared_bytes = l->dynamic_bytes > 0
                          ? m->shared_bytes + l->dynamic_bytes
                          : m->shared_front + m->text->functions[function].shared_bytes;
    g->reserved_at = (g->shared_bytes + 15) / 16 * 16;
    if (m->reserved) g->shared_bytes = g->reserved_at + RESERVED_BYTES;
    g->observers = l->observers != NULL ? l->observers : none;
    g->print = l->print, g->print_user = l->print_user, g->print_lock = &t->print_lock;
    g->settings = l->settings != NULL ? l->settings : &usual;
    g->sites = m->sites, g->trace = l->trace, g->caches = l->caches;
}

// How many blocks' registers and local memory take no more than they should.
static int64_t resident_within(const grid *g)
{
    const int64_t threads = (int64_t)g->block_size[0] * g->block_size[1] * g->block_size[2];
    const int64_t warps = (threads + WARP - 1) / WARP;
    const int64_t bytes = warps * (g->program->register_bytes + WARP * g->program->stack_bytes);
    const int64_t most = bytes > 0 ? MAX_MEMORY / bytes : INT32_MAX;
    return most > 1 ? most : 1;
}

bool hd__model_launch_run(launch *l, loaded_module *m, int32_t function)
{
    team t = {.launch = l, .print_lock = PTHREAD_MUTEX_INITIALIZER};
    l->error[0] = 0;
    l->refused = !check(l, m, function);
    if (l->refused) return false;
    set_grid(&t, m, function);
    int count = 0;
    while (t.grid.observers[count] != NULL) count++;
    int threads = l->threads > 0 ? l->threads : 1;
    if (threads > t.grid.blocks) threads = (int)t.grid.blocks;
    t.together = t.grid.cluster[0] * t.grid.cluster[1] * t.grid.cluster[2];
    t.grid.threads = threads;
    t.resident = l->resident > 0 ? l->resident : 8;
    const int64_t most = resident_within(&t.grid);
    if (t.resident > most) t.resident = (int32_t)most;
    if (t.resident < t.together) t.resident = t.together;
    atomic_init(&t.next, 0);
    atomic_init(&t.stop, false);
    atomic_init(&t.reported, false);
    void **states = calloc((size_t)threads * ((size_t)count + 1), sizeof *states);
    if (states == NULL) return refuse(l, "no memory for the launch");
    host_team all = {&t, states, threads, (size_t)count + 1};
    if (threads == 1 || !hd__was_forked()) {
        work_together(&all);
    } else if (!hd__on_new_thread(work_together, &all)) {
        free(states);
        return refuse(l, "no thread for the launch in a forked process");
    }
    for (int k = 1; k < threads; k++) {
        void **theirs = states + (size_t)k * ((size_t)count + 1);
        for (int j = 0; j < count; j++)
            if (t.grid.observers[j]->merge != NULL && states[j] != NULL && theirs[j] != NULL)
                t.grid.observers[j]->merge(states[j], theirs[j]);
        close_states(t.grid.observers, theirs);
    }
    if (l->states != NULL)
        memcpy(l->states, states, (size_t)count * sizeof *states);
    else
        close_states(t.grid.observers, states);
    free(states);
    return l->error[0] == 0;
}

void hd__model_launch_close(launch *l)
{
    if (l->states != NULL && l->observers != NULL) close_states(l->observers, l->states);
}
