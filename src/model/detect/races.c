// SPDX-License-Identifier: Apache-2.0
//
// The race detector: two accesses of different threads to a byte race if at least one writes and
// neither happened before the other. Accesses that are not trivially ordered are checked word by
// word here, and byte by byte if a word has several accesses. Host threads may read a cell at the
// same time: each sees its old or its new contents.
#define _GNU_SOURCE
#include "race_cells.h"

#include <string.h>
#include <time.h>

#define LAST_CLASS 20 // numbers kept for instructions beyond the most, by what they do

// ---- Accessors ----------------------------------------------------------------------------------

static int class_of(const operation *o)
{
    const int kind = o->op == PTX_OP_st ? 1 : o->op == PTX_OP_atom || o->op == PTX_OP_red ? 2 : 0;
    const int bytes = o->bytes * (o->vector > 0 ? o->vector : 1);
    const int width = bytes == 1 || bytes == 2 ? bytes : 0;
    return 1 + kind + 3 * (o->order != ORDER_WEAK) + 6 * width;
}

static uint64_t site_number(race_state *s, const operation *o)
{
    race_shadow *b = s->shadow;
    uint16_t n = atomic_load_explicit(&b->number[o->site], memory_order_acquire);
    if (n != 0) return n;
    pthread_mutex_lock(&b->lock);
    n = atomic_load(&b->number[o->site]);
    if (n == 0) {
        n = b->site_count < MAX_SITES - 1 - LAST_CLASS ? (uint16_t)++b->site_count
                                                       : (uint16_t)(MAX_SITES - class_of(o));
        atomic_store_explicit(&b->site[n], o, memory_order_release);
        atomic_store_explicit(&b->number[o->site], n, memory_order_release);
    }
    pthread_mutex_unlock(&b->lock);
    return n;
}

static accessor accessor_of(race_state *s, const machine *m, const operation *o)
{
    const race_block *b = m->block->races;
    const uint64_t in = (uint64_t)b->number << CELL_BLOCK_AT;
    const uint64_t warp = (uint64_t)m->warp->number << 5;
    return (accessor){.block = b,
                      .head = (uint64_t)b->time << CELL_TIME_AT | in |
                              site_number(s, o) << CELL_SITE_AT | warp,
                      .stale = (uint64_t)(s->shadow->base + 1) << CELL_TIME_AT,
                      .in = in,
                      .floor = (uint64_t)(b->floor + 1) << CELL_TIME_AT,
                      .thread = in | warp,
                      .wfloor = (uint64_t)(b->warp[m->warp->number].floor + 1) << CELL_TIME_AT};
}

// ---- Cell by cell -------------------------------------------------------------------------------

static access_kind kind_of(const operation *o, bool of_writes)
{
    switch (o->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu: return ACCESS_LOAD;
    case PTX_OP_st: return ACCESS_STORE;
    case PTX_OP_atom:
    case PTX_OP_red: return ACCESS_ATOMIC;
    case PTX_OP_mbarrier: return starts_mbarrier(o) ? ACCESS_STORE : ACCESS_ATOMIC;
    default: return of_writes ? ACCESS_STORE : ACCESS_LOAD;
    }
}

// What a lane's store is about to write. false: not known.
static bool stored_bytes(const machine *m, const access_event *e, int lane, uint8_t to[64])
{
    const operation *o = e->site;
    if (o->op != PTX_OP_st || e->bytes > 32) return false;
    for (int k = 0; k < o->vector; k++) {
        const uint32_t slot =
            o->list == UINT32_MAX ? o->d : m->frame->program->list[o->list + (uint32_t)k];
        const uint64_t value = o->mode == 8 ? ((const uint64_t *)SLOT(m, slot))[lane]
                                            : ((const uint32_t *)SLOT(m, slot))[lane];
        memcpy(to + k * o->bytes, &value, o->bytes);
    }
    return true;
}

// Whether a store writes what is there, or what a lane before it in the same request writes.
bool hd__model_writes_the_same(const machine *m, const access_event *e, int lane, access_part part)
{
    const size_t count = (size_t)part.count;
    uint8_t mine[64], other[64];
    if (!stored_bytes(m, e, lane, mine)) return false;
    for (int k = lane - 1; k >= 0; k--)
        if (e->mask >> k & 1 && e->address[k] == e->address[lane]) {
            stored_bytes(m, e, k, other);
            return memcmp(mine + part.first, other + part.first, count) == 0;
        }
    return memcmp(mine + part.first, e->host[lane] + part.first, count) == 0;
}

// The same of what another block has told and another thread of the host is about to write. A few
// times, for only what is no race is worth the wait.
static bool will_be_the_same(race_state *s, const machine *m, const access_event *e, int lane,
                             access_part part)
{
    if (s->alone || s->waits == MAX_WAITS) return false;
    s->waits++;
    for (int k = 0; k < 100; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        if (hd__model_writes_the_same(m, e, lane, part)) return true;
    }
    return false;
}

// Strong: another thread's strong access may come at any time. A volatile word of shared memory, or
// one that lanes of a warp share, is not: it is the lockstep of old that such code counts on.
static bool is_strong(access_kind kind, const operation *o, int order, ptx_space space,
                      bool same_warp)
{
    if (kind == ACCESS_ATOMIC || o->optimistic_load) return true;
    return order == ORDER_VOLATILE ? space == PTX_GLOBAL && !same_warp : order != ORDER_WEAK;
}

// A flag among threads of a block: a volatile load whose value is only compared, and a volatile
// store of a thread that fenced before it. What is passed on with it is ordered by the fences, or
// is reported.
static bool is_flag(const race_state *s, const machine *m, const access_event *e, int lane,
                    const operation *o, access_kind kind)
{
    if (o->order != ORDER_VOLATILE || e->order != ORDER_VOLATILE) return false;
    if (kind == ACCESS_LOAD && e->kind == ACCESS_STORE)
        return o->compared && hd__model_order_publishes(m->block->races, m->warp->number, lane);
    return kind == ACCESS_STORE && e->kind == ACCESS_LOAD && e->site->compared &&
           hd__model_order_carries(s, m, e, lane);
}

static bool is_race(race_state *s, const machine *m, const access_event *e, int lane,
                    const accessor *a, access_part part, bool of_writes, uint64_t cell)
{
    const operation *o = site_of(s, cell);
    const access_kind kind = kind_of(o, of_writes);
    if (kind == ACCESS_LOAD && e->kind == ACCESS_LOAD) return false;
    const bool same_block = (cell & CELL_BLOCK) == a->in;
    const bool same_warp =
        (cell & (CELL_BLOCK | CELL_SEVERAL_WARPS | CELL_WARP)) == (a->thread & ~CELL_LANE);
    const bool strong = is_strong(kind, o, o->order, e->space, same_warp) &&
                        is_strong(e->kind, e->site, e->order, e->space, same_warp);
    const bool reaches = same_block || (o->scope != SCOPE_CTA && e->scope != SCOPE_CTA);
    const bool volatiles = o->order == ORDER_VOLATILE && e->order == ORDER_VOLATILE;
    const bool stores = kind == ACCESS_STORE && e->kind == ACCESS_STORE;
    if (strong && reaches && !(stores && volatiles)) return false;
    if (!stores) return !(same_block && is_flag(s, m, e, lane, o, kind));
    if (volatiles && hd__model_order_found(m, e, lane, cell)) return false; // it takes its turn
    return !hd__model_writes_the_same(m, e, lane, part) &&
           (same_block || !will_be_the_same(s, m, e, lane, part));
}

// Whether it was a race.
static bool check(race_state *s, const machine *m, const access_event *e, int lane,
                  const accessor *a, access_part part, bool of_writes, uint64_t cell)
{
    if (site_of(s, cell) == NULL || s->lost) return false;
    if (!is_race(s, m, e, lane, a, part, of_writes, cell)) return false;
    hd__model_race_report(s, m, e, lane, cell);
    return true;
}

// The new cell: mine, or mine and those before it where none of the block's own may be forgotten.
static uint64_t merged(const accessor *a, uint64_t old, uint64_t mine, bool known)
{
    if (known || (old & CELL_BLOCK) != a->in || ((old ^ mine) & (WHOSE | CELL_BLOCK)) == 0)
        return mine;
    const bool same_warp = ((old ^ mine) & CELL_WARP) == 0 && !(old & CELL_SEVERAL_WARPS);
    return mine | (same_warp ? CELL_SEVERAL_LANES : CELL_SEVERAL);
}

// The same of reads. Among lanes of a warp the read that a shuffle takes stays the one that is
// named.
static uint64_t merged_reads(const race_state *s, const accessor *a, uint64_t old, uint64_t mine,
                             bool known)
{
    const uint64_t sites = (uint64_t)(MAX_SITES - 1) << CELL_SITE_AT;
    const uint64_t both = merged(a, old, mine, known);
    if ((both & CELL_SEVERAL) != CELL_SEVERAL_LANES || known) return both;
    const operation *was = site_of(s, old), *is = site_of(s, mine);
    const bool keeps = was != NULL && is != NULL && was->taken && !is->taken;
    return keeps && was->bytes * was->vector == is->bytes * is->vector
               ? (both & ~sites) | (old & sites)
               : both;
}

// The accessing lane, or the first and last of several that access one word: what is ordered before
// both is ordered before all of them.
typedef struct lanes_accessing {
    int first, last;
} lanes_accessing;

// The lane that the access of a cell does not happen before, or -1.
static int unordered(const race_state *s, const machine *m, const accessor *a,
                     lanes_accessing lanes, uint64_t cell)
{
    const int32_t warp = m->warp->number;
    if (cell < a->stale) return -1;
    if (!hd__model_happens_before(s, a->block, warp, lanes.first, cell)) return lanes.first;
    if (lanes.last != lanes.first && !hd__model_happens_before(s, a->block, warp, lanes.last, cell))
        return lanes.last;
    return -1;
}

// The same of a cell of reads, of which shuffles have taken some.
static int unordered_read(const race_state *s, const machine *m, const accessor *a,
                          lanes_accessing lanes, uint64_t cell)
{
    const int lane = unordered(s, m, a, lanes, cell);
    if (lane < 0 || is_mixed(cell)) return lane;
    const operation *o = site_of(s, cell);
    const int32_t warp = m->warp->number;
    const bool taken = o != NULL && o->taken &&
                       hd__model_order_was_taken(a->block, warp, lanes.first, cell) &&
                       hd__model_order_was_taken(a->block, warp, lanes.last, cell);
    return taken ? -1 : lane;
}

// Whether a strong write must not take the place of a plain one before it, of which others of the
// block need not know yet: with that one they race, with the strong one perhaps not. Of global
// memory only where nothing was let go in between, as who knows of the one then knows of the other.
static bool hides(const race_state *s, const access_event *e, const accessor *a, uint64_t w)
{
    const uint64_t least =
        e->space == PTX_SHARED ? a->floor : a->head >> CELL_TIME_AT << CELL_TIME_AT;
    if (e->kind != ACCESS_ATOMIC && (e->order == ORDER_WEAK || e->order == ORDER_VOLATILE))
        return false;
    if (w < a->stale || (w & CELL_BLOCK) != a->in || w < least) return false;
    const operation *o = site_of(s, w);
    return o != NULL && kind_of(o, false) == ACCESS_STORE && o->order == ORDER_WEAK;
}

// An access to some bytes of a word: the first of them in the word, and what is asked of them.
typedef struct word_access {
    race_cells *cells;
    int64_t word;
    unsigned first; // byte of the word
    access_part part;
    uint64_t mine; // its cell
} word_access;

// Byte by byte.
static void each_byte(race_state *s, const machine *m, const access_event *e, lanes_accessing lanes,
                      const accessor *a, const word_access *x)
{
    uint64_t *written = &x->cells->written[x->word], *read = &x->cells->read[x->word];
    const uint64_t w_was = look(written), r_was = look(read);
    uint64_t w[4], r[4], w_new[4], r_new[4], w_last = 0, r_last = 0;
    hd__model_race_apart(s, w_was, a->stale, w);
    hd__model_race_apart(s, r_was, a->stale, r);
    memcpy(w_new, w, sizeof w);
    memcpy(r_new, r, sizeof r);
    for (int k = 0; k < x->part.count; k++) {
        const unsigned j = x->first + (unsigned)k;
        const access_part part = {x->part.first + k, 1};
        const int w_not = unordered(s, m, a, lanes, w[j]),
                  r_not = unordered_read(s, m, a, lanes, r[j]);
        // an access is reported once
        if (w_not >= 0 && w[j] != w_last && check(s, m, e, w_not, a, part, true, w[j]))
            w_last = w[j];
        if (r_not >= 0 && r[j] != r_last && check(s, m, e, r_not, a, part, false, r[j]))
            r_last = r[j];
        if (e->kind == ACCESS_LOAD || (w_not < 0 && hides(s, e, a, w[j])))
            r_new[j] = merged_reads(s, a, r[j], x->mine, r_not < 0);
        else
            w_new[j] = merged(a, w[j], x->mine, w_not < 0);
    }
    if (memcmp(r, r_new, sizeof r) != 0)
        set(read, hd__model_race_together(s, x->cells, r_was, r, r_new, x->mine));
    if (memcmp(w, w_new, sizeof w) != 0)
        set(written, hd__model_race_together(s, x->cells, w_was, w, w_new, x->mine));
}

// Whether a cell that is not known stands for less than its word.
static bool is_narrow(const race_state *s, uint64_t cell)
{
    const operation *o = site_of(s, cell);
    return o != NULL && hd__model_race_bytes(o, cell) != 15;
}

static void one_word(race_state *s, const machine *m, const access_event *e, lanes_accessing lanes,
                     const accessor *a, const word_access *x)
{
    uint64_t *written = &x->cells->written[x->word], *read = &x->cells->read[x->word];
    const uint64_t w = look(written), r = look(read);
    if (x->part.count < CELL_BYTES || is_mixed(w) || is_mixed(r)) {
        each_byte(s, m, e, lanes, a, x);
        return;
    }
    const int w_not = unordered(s, m, a, lanes, w), r_not = unordered_read(s, m, a, lanes, r);
    if ((w_not >= 0 && is_narrow(s, w)) || (r_not >= 0 && is_narrow(s, r))) {
        each_byte(s, m, e, lanes, a, x);
        return;
    }
    if (w_not >= 0) check(s, m, e, w_not, a, x->part, true, w);
    if (r_not >= 0) check(s, m, e, r_not, a, x->part, false, r);
    if (e->kind == ACCESS_LOAD || (w_not < 0 && hides(s, e, a, w)))
        set(read, merged_reads(s, a, r, x->mine, r_not < 0));
    else
        set(written, merged(a, w, x->mine, w_not < 0));
}

static void one_place(race_state *s, const machine *m, const access_event *e, lanes_accessing lanes,
                      const accessor *a)
{
    const uint64_t who =
        (uint64_t)lanes.first | (lanes.first != lanes.last ? CELL_SEVERAL_LANES : 0);
    uint64_t at = e->address[lanes.first];
    race_cells *c = hd__model_race_cells(m, e, &at);
    if (c == NULL) return;
    hd__model_race_mark(c, e->kind, s->shadow->launch);
    const uint64_t byte = e->bytes < CELL_BYTES ? (at & 3) << CELL_BYTE_AT : 0;
    word_access x = {.cells = c,
                     .word = (int64_t)(at / CELL_BYTES),
                     .first = (unsigned)at & 3,
                     .mine = a->head | who | byte};
    while (x.part.first < e->bytes && x.word < c->words) {
        const int room = CELL_BYTES - (int)x.first, left = e->bytes - x.part.first;
        x.part.count = left < room ? left : room;
        one_word(s, m, e, lanes, a, &x);
        x.part.first += x.part.count;
        x.word++, x.first = 0;
    }
}

static void each_lane(race_state *s, const machine *m, const access_event *e, const accessor *a,
                      uint32_t left)
{
    left &= ~(e->outside | e->unaligned);
    if (e->shape == SHAPE_SAME && e->kind != ACCESS_STORE && left != 0) {
        one_place(s, m, e, (lanes_accessing){__builtin_ctz(left), 31 - __builtin_clz(left)}, a);
        return;
    }
    for (; left != 0; left &= left - 1)
        one_place(s, m, e, (lanes_accessing){__builtin_ctz(left), __builtin_ctz(left)}, a);
}

// ---- Observing ----------------------------------------------------------------------------------

static void remember(race_state *s, const access_event *e)
{
    if (s->pending_count == (int32_t)(sizeof s->pending / sizeof *s->pending)) return;
    race_pending *p = &s->pending[s->pending_count++];
    *p = (race_pending){.site = e->site,
                        .kind = e->kind,
                        .space = e->space,
                        .mask = e->mask & ~(e->outside | e->unaligned),
                        .order = e->order,
                        .scope = e->scope};
    memcpy(p->address, e->address, sizeof p->address);
}

static void strong_value(void *any, const machine *m, const operation *o)
{
    race_state *s = any;
    if (m->block->races != NULL)
        for (int32_t k = 0; k < s->pending_count; k++)
            if (s->pending[k].site == o) hd__model_order_observe(s, m, &s->pending[k]);
    s->pending_count = 0;
}

static void access(void *any, const machine *m, const access_event *e)
{
    race_state *s = any;
    if (m->block->races == NULL || e->site->space == PTX_CONST) return;
    const bool strong = e->kind == ACCESS_ATOMIC || e->order != ORDER_WEAK;
    if (e->site->taken) hd__model_order_read(m->block->races, m->warp->number);
    const accessor a = accessor_of(s, m, e->site);
    if (!e->poll) each_lane(s, m, e, &a, hd__model_race_rows(s, m, e, &a));
    if (!strong) return;
    if (e->kind != ACCESS_LOAD) hd__model_order_publish(s, m, e, a.head);
    if (e->kind == ACCESS_STORE || e->site->op == PTX_OP_red) return;
    remember(s, e);
    if (e->site->op == PTX_OP_mbarrier) strong_value(any, m, e->site);
}

static void fence(void *any, const machine *m, const operation *o)
{
    if (m->block->races != NULL)
        hd__model_order_fence(any, m, m->mask, (access_scope)o->scope, true, true);
}

static void warp_sync(void *any, const machine *m, const operation *o)
{
    (void)o;
    if (m->block->races != NULL) hd__model_order_warp_sync(any, m);
}

static void exchange(void *any, const machine *m)
{
    if (m->block->races != NULL) hd__model_order_exchange(any, m);
}

static void barrier_reached(void *any, const machine *m, const barrier_event *e)
{
    if (m->block->races != NULL) hd__model_order_arrive(any, m, e);
}

static void release(void *any, const machine *m, int32_t number)
{
    if (m->block->races != NULL) hd__model_order_release(any, m, number);
}

static bool open_state(void *any, const grid *g)
{
    race_state *s = any;
    s->shadow = g->memory->races;
    s->alone = g->threads == 1;
    return s->shadow != NULL;
}

static void begin_block(void *any, const machine *m)
{
    race_block *b = hd__model_order_begin(any, m);
    if (b != NULL) {
        atomic_store(&b->shared.write_launch, ((race_state *)any)->shadow->launch);
        atomic_store(&b->shared.read_launch, ((race_state *)any)->shadow->launch);
    }
    m->block->races = b;
}

static void end_block(void *any, const machine *m)
{
    race_block *b = m->block->races;
    if (b != NULL) {
        hd__model_race_bytes_drop(any, &b->shared);
        hd__model_order_end(any, b);
    }
    m->block->races = NULL;
}

static void finish(void *any, const machine *m)
{
    race_state *s = any;
    (void)m;
    hd__model_order_close(s);
    s->list.lost |= s->lost;
}

static void merge(void *into, const void *from)
{
    hd__model_findings_merge(into, from);
}

static void close_state(void *any)
{
    hd__model_order_close(any);
    hd__model_findings_free(any);
}

// The words belong to somebody else now.
static void reuse(void *any, const machine *m, allocation *a, uint64_t address, int64_t bytes)
{
    (void)any, (void)m;
    const race_cells *c = a->races;
    const size_t first = (size_t)(address - a->address) / CELL_BYTES;
    if (c == NULL) return;
    memset(c->written + first, 0, (size_t)bytes / CELL_BYTES * sizeof *c->written);
    memset(c->read + first, 0, (size_t)bytes / CELL_BYTES * sizeof *c->read);
}

const observer hd__model_races = {
    .name = "races",
    .state_bytes = sizeof(race_state),
    .spaces = 1u << PTX_GLOBAL | 1u << PTX_SHARED,
    .early = true,
    .open = open_state,
    .begin_block = begin_block,
    .end_block = end_block,
    .access = access,
    .strong_value = strong_value,
    .fence = fence,
    .warp_sync = warp_sync,
    .exchange = exchange,
    .barrier = barrier_reached,
    .release = release,
    .reuse = reuse,
    .finish = finish,
    .merge = merge,
    .close = close_state,
};
