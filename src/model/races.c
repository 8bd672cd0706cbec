// SPDX-License-Identifier: Apache-2.0
//
// Races: two accesses of different threads to a byte, at least one writes, and neither happened
// before the other. Rows of words are compared all at once; what is not plainly in order goes cell
// by cell. Threads of the host may look at a cell together: each sees old or new ones.
#define _GNU_SOURCE
#include "model/races.h"

#include <string.h>
#include <time.h>

#define CELLS_ARE_SHARED __attribute__((no_sanitize("thread")))
#define LAST_CLASS       8 // numbers kept for instructions beyond the most, by what they do

// ---- Who asks -----------------------------------------------------------------------------------

typedef struct asker {
    const race_block *block;
    uint64_t head;   // of its cells: all but lane and byte
    uint64_t stale;  // cells below are of earlier launches
    uint64_t in;     // bits of its block
    uint64_t floor;  // cells of its block below are known
    uint64_t thread; // bits of its block and warp, for lane 0
    uint64_t wfloor; // cells of its warp below are known
} asker;

static int class_of(const operation *o)
{
    const int kind = o->op == PTX_OP_st ? 1 : o->op == PTX_OP_atom || o->op == PTX_OP_red ? 2 : 0;
    return 1 + kind + 3 * (o->order != ORDER_WEAK);
}

static uint64_t site_number(race_state *s, const operation *o)
{
    race_board *b = s->board;
    uint16_t n = atomic_load_explicit(&b->number[o->site], memory_order_acquire);
    if (n != 0) return n;
    pthread_mutex_lock(&b->lock);
    n = atomic_load(&b->number[o->site]);
    if (n == 0) {
        n = b->site_count < MOST_SITES - 1 - LAST_CLASS ? (uint16_t)++b->site_count
                                                        : (uint16_t)(MOST_SITES - class_of(o));
        atomic_store_explicit(&b->site[n], o, memory_order_release);
        atomic_store_explicit(&b->number[o->site], n, memory_order_release);
    }
    pthread_mutex_unlock(&b->lock);
    return n;
}

static asker ask(race_state *s, const machine *m, const operation *o)
{
    const race_block *b = m->block->races;
    const uint64_t in = (uint64_t)b->number << CELL_BLOCK_AT;
    const uint64_t warp = (uint64_t)m->warp->number << 5;
    return (asker){.block = b,
                   .head = (uint64_t)b->time << CELL_TIME_AT | in |
                           site_number(s, o) << CELL_SITE_AT | warp,
                   .stale = (uint64_t)(s->board->base + 1) << CELL_TIME_AT,
                   .in = in,
                   .floor = (uint64_t)(b->floor + 1) << CELL_TIME_AT,
                   .thread = in | warp,
                   .wfloor = (uint64_t)(b->warp[m->warp->number].floor + 1) << CELL_TIME_AT};
}

// ---- Rows ---------------------------------------------------------------------------------------

#define WHOSE (CELL_BLOCK | CELL_SEVERAL | CELL_WARP | CELL_LANE)

// Whether all cells are old, or of the block and known, or the lane's own. Word j is of lane
// j >> shift.
CELLS_ARE_SHARED static bool row_is_known(const asker *a, const uint64_t *cell, int words,
                                          int shift)
{
    const uint64_t stale = a->stale, in = a->in, floor = a->floor, thread = a->thread;
    uint64_t wrong = 0;
    for (int j = 0; j < words; j++) {
        const uint64_t c = cell[j], lane = (uint64_t)j >> shift;
        wrong |= (uint64_t)((c >= stale) & !(((c & CELL_BLOCK) == in) & (c < floor)) &
                            ((c & WHOSE) != (thread | lane)));
    }
    return wrong == 0;
}

// The same where the warp has met since its block did.
CELLS_ARE_SHARED static bool row_is_met(const asker *a, const uint64_t *cell, int words, int shift)
{
    const uint64_t stale = a->stale, in = a->in, floor = a->floor, thread = a->thread;
    const uint64_t wfloor = a->wfloor, of_warp = CELL_BLOCK | CELL_SEVERAL_WARPS | CELL_WARP;
    uint64_t wrong = 0;
    for (int j = 0; j < words; j++) {
        const uint64_t c = cell[j], lane = (uint64_t)j >> shift;
        wrong |= (uint64_t)((c >= stale) & !(((c & CELL_BLOCK) == in) & (c < floor)) &
                            !(((c & of_warp) == thread) & (c < wfloor)) &
                            ((c & WHOSE) != (thread | lane)));
    }
    return wrong == 0;
}

static bool row_is_ordered(const asker *a, const uint64_t *cell, int words, int shift)
{
    return a->wfloor > a->floor ? row_is_met(a, cell, words, shift)
                                : row_is_known(a, cell, words, shift);
}

// Reads: of other blocks' readers the last one stays; cells that several warps have read at this
// time stay as they are. false: there are others, and nothing was changed.
CELLS_ARE_SHARED static bool row_is_read(const asker *a, uint64_t *cell, int words, int shift)
{
    const uint64_t in = a->in, floor = a->floor, thread = a->thread, head = a->head;
    const uint64_t same = (uint64_t)a->block->time << CELL_TIME_AT | in | CELL_SEVERAL_WARPS;
    const uint64_t of_same = ~(uint64_t)0 << CELL_TIME_AT | CELL_BLOCK | CELL_SEVERAL_WARPS;
    uint64_t wrong = 0;
    for (int j = 0; j < words; j++) {
        const uint64_t c = cell[j], lane = (uint64_t)j >> shift;
        wrong |= (uint64_t)(((c & CELL_BLOCK) == in) & (c >= floor) & ((c & of_same) != same) &
                            ((c & WHOSE) != (thread | lane)));
    }
    if (wrong != 0) return false;
    for (int j = 0; j < words; j++) {
        const uint64_t c = cell[j], lane = (uint64_t)j >> shift;
        cell[j] = (c & of_same) == same ? c : head | lane;
    }
    return true;
}

CELLS_ARE_SHARED static void write_row(const asker *a, uint64_t *cell, int words, int shift)
{
    for (int j = 0; j < words; j++) cell[j] = a->head | (uint64_t)j >> shift;
}

static bool row(const asker *a, const access_event *e, race_cells *c, int64_t first,
                uint32_t launch)
{
    const int shift = e->bytes == 4 ? 0 : e->bytes == 8 ? 1 : 2;
    const int words = __builtin_popcount(e->mask) << shift;
    const bool wrote = atomic_load_explicit(&c->write_launch, memory_order_relaxed) == launch;
    const bool was_read = atomic_load_explicit(&c->read_launch, memory_order_relaxed) == launch;
    if (wrote && !row_is_ordered(a, c->written + first, words, shift)) return false;
    if (e->kind == ACCESS_LOAD) return row_is_read(a, c->read + first, words, shift);
    if (was_read && !row_is_ordered(a, c->read + first, words, shift)) return false;
    write_row(a, c->written + first, words, shift);
    return true;
}

// ---- Cell by cell -------------------------------------------------------------------------------

static access_kind kind_of(const operation *o, bool of_writes)
{
    switch (o->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu: return ACCESS_LOAD;
    case PTX_OP_st: return ACCESS_STORE;
    case PTX_OP_atom:
    case PTX_OP_red:
    case PTX_OP_mbarrier: return ACCESS_ATOMIC;
    default: return of_writes ? ACCESS_STORE : ACCESS_LOAD;
    }
}

// Bytes of a word, as four bits, that an access touches.
static unsigned bytes_of(int bytes, unsigned first)
{
    return bytes >= CELL_BYTES ? 15 : ((1u << bytes) - 1) << first & 15;
}

static unsigned bytes_of_cell(const operation *o, uint64_t cell)
{
    const bool plain = o->op == PTX_OP_ld || o->op == PTX_OP_st;
    if (o->op == PTX_OP_wmma) return bytes_of(o->bytes, (unsigned)(cell >> CELL_BYTE_AT) & 3);
    return bytes_of(plain ? o->bytes * (o->vector > 0 ? o->vector : 1) : CELL_BYTES,
                    (unsigned)(cell >> CELL_BYTE_AT) & 3);
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
bool hd__writes_the_same(const machine *m, const access_event *e, int lane)
{
    uint8_t mine[64], other[64];
    if (!stored_bytes(m, e, lane, mine)) return false;
    for (int k = lane - 1; k >= 0; k--)
        if (e->mask >> k & 1 && e->address[k] == e->address[lane]) {
            stored_bytes(m, e, k, other);
            return memcmp(mine, other, (size_t)e->bytes) == 0;
        }
    return memcmp(mine, e->host[lane], (size_t)e->bytes) == 0;
}

// The same of what another block has told and another thread of the host is about to write. A few times, for only what
// is no race is worth the wait.
static bool will_be_the_same(race_state *s, const machine *m, const access_event *e, int lane)
{
    if (s->alone || s->waits == MOST_WAITS) return false;
    s->waits++;
    for (int k = 0; k < 100; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        if (hd__writes_the_same(m, e, lane)) return true;
    }
    return false;
}

// Strong: another thread's strong access may come at any time. A volatile word of shared memory, or
// one that lanes of a warp share, is not: it is the lockstep of old that such code counts on.
static bool is_strong(access_kind kind, int order, ptx_space space, bool same_warp)
{
    if (kind == ACCESS_ATOMIC) return true;
    return order == ORDER_VOLATILE ? space == PTX_GLOBAL && !same_warp : order != ORDER_WEAK;
}

static bool is_race(race_state *s, const machine *m, const access_event *e, int lane,
                    const asker *a, const operation *o, bool of_writes, uint64_t cell)
{
    const access_kind kind = kind_of(o, of_writes);
    if (kind == ACCESS_LOAD && e->kind == ACCESS_LOAD) return false;
    const bool same_block = (cell & CELL_BLOCK) == a->in;
    const bool same_warp =
        (cell & (CELL_BLOCK | CELL_SEVERAL_WARPS | CELL_WARP)) == (a->thread & ~CELL_LANE);
    const bool strong = is_strong(kind, o->order, e->space, same_warp) &&
                        is_strong(e->kind, e->order, e->space, same_warp);
    const bool reaches = same_block || (o->scope != SCOPE_CTA && e->scope != SCOPE_CTA);
    const bool volatiles = o->order == ORDER_VOLATILE && e->order == ORDER_VOLATILE;
    const bool stores = kind == ACCESS_STORE && e->kind == ACCESS_STORE;
    if (strong && reaches && !(stores && volatiles)) return false;
    if (!stores) return true;
    return !hd__writes_the_same(m, e, lane) && (same_block || !will_be_the_same(s, m, e, lane));
}

static const operation *site_of(const race_state *s, uint64_t cell)
{
    return atomic_load_explicit(&s->board->site[cell >> CELL_SITE_AT & (MOST_SITES - 1)],
                                memory_order_acquire);
}

static void check(race_state *s, const machine *m, const access_event *e, int lane, const asker *a,
                  uint64_t address, bool of_writes, uint64_t cell)
{
    const operation *o = site_of(s, cell);
    if (o == NULL || s->lost) return;
    if ((bytes_of_cell(o, cell) & bytes_of(e->bytes, (unsigned)address & 3)) == 0) return;
    if (is_race(s, m, e, lane, a, o, of_writes, cell))
        hd__race_report(s, m, e, lane, address, cell);
}

// The new cell: mine, or mine and those before it where none of the block's own may be forgotten.
static uint64_t merged(const asker *a, uint64_t old, uint64_t mine, bool known)
{
    if (known || (old & CELL_BLOCK) != a->in || ((old ^ mine) & (WHOSE | CELL_BLOCK)) == 0)
        return mine;
    const bool same_warp = ((old ^ mine) & CELL_WARP) == 0 && !(old & CELL_SEVERAL_WARPS);
    return mine | (same_warp ? CELL_SEVERAL_LANES : CELL_SEVERAL);
}

CELLS_ARE_SHARED static uint64_t look(const uint64_t *cell)
{
    return *cell;
}

CELLS_ARE_SHARED static void set(uint64_t *cell, uint64_t to)
{
    *cell = to;
}

// A lane, or two where several ask for one word: what both know all of them know.
typedef struct lanes_asking {
    int first, last;
} lanes_asking;

// The lane that does not know what a cell stands for, or -1.
static int ignorant(const race_state *s, const machine *m, const asker *a, lanes_asking lanes,
                    uint64_t cell)
{
    const int32_t warp = m->warp->number;
    if (cell < a->stale) return -1;
    if (!hd__order_knows(s, a->block, warp, lanes.first, cell)) return lanes.first;
    if (lanes.last != lanes.first && !hd__order_knows(s, a->block, warp, lanes.last, cell))
        return lanes.last;
    return -1;
}

// Whether a strong write must not take the place of a plain one before it, of which others of the block
// need not know yet: with that one they race, with the strong one perhaps not. Of global memory only
// where nothing was let go in between, as who knows of the one then knows of the other.
static bool hides(const race_state *s, const access_event *e, const asker *a, uint64_t w)
{
    const uint64_t least =
        e->space == PTX_SHARED ? a->floor : a->head >> CELL_TIME_AT << CELL_TIME_AT;
    if (e->kind != ACCESS_ATOMIC && (e->order == ORDER_WEAK || e->order == ORDER_VOLATILE))
        return false;
    if (w < a->stale || (w & CELL_BLOCK) != a->in || w < least) return false;
    const operation *o = site_of(s, w);
    return o != NULL && o->op == PTX_OP_st && o->order == ORDER_WEAK;
}

static void one_cell(race_state *s, const machine *m, const access_event *e, lanes_asking lanes,
                     const asker *a, race_cells *c, int64_t k, uint64_t address, uint64_t mine)
{
    const uint64_t w = look(&c->written[k]), r = look(&c->read[k]);
    const int w_not = ignorant(s, m, a, lanes, w), r_not = ignorant(s, m, a, lanes, r);
    if (w_not >= 0) check(s, m, e, w_not, a, address, true, w);
    if (r_not >= 0) check(s, m, e, r_not, a, address, false, r);
    if (e->kind == ACCESS_LOAD || (w_not < 0 && hides(s, e, a, w)))
        set(&c->read[k], merged(a, r, mine, r_not < 0));
    else
        set(&c->written[k], merged(a, w, mine, w_not < 0));
}

static race_cells *cells_of(const machine *m, const access_event *e, uint64_t *address)
{
    if (e->space == PTX_SHARED) {
        race_block *b = shared_owner(m, address)->races;
        return b != NULL ? &b->shared : NULL;
    }
    const allocation *a = e->allocation;
    if (a == NULL) a = hd__device_find(m->grid->memory, *address);
    if (!allocation_holds(a, *address, 1)) return NULL;
    *address -= a->address;
    return a->races;
}

static void mark(race_cells *c, access_kind kind, uint32_t launch)
{
    atomic_uint *at = kind == ACCESS_LOAD ? &c->read_launch : &c->write_launch;
    if (atomic_load_explicit(at, memory_order_relaxed) != launch)
        atomic_store_explicit(at, launch, memory_order_relaxed);
}

static void one_place(race_state *s, const machine *m, const access_event *e, lanes_asking lanes,
                      const asker *a)
{
    const uint64_t who =
        (uint64_t)lanes.first | (lanes.first != lanes.last ? CELL_SEVERAL_LANES : 0);
    uint64_t at = e->address[lanes.first];
    race_cells *c = cells_of(m, e, &at);
    if (c == NULL) return;
    mark(c, e->kind, s->board->launch);
    const uint64_t byte = e->bytes < CELL_BYTES ? (at & 3) << CELL_BYTE_AT : 0;
    const int64_t first = (int64_t)(at / CELL_BYTES);
    const int64_t last = (int64_t)((at + (uint64_t)e->bytes - 1) / CELL_BYTES);
    for (int64_t k = first; k <= last && k < c->words; k++)
        one_cell(s, m, e, lanes, a, c, k, at, a->head | who | byte);
}

static void each_lane(race_state *s, const machine *m, const access_event *e, const asker *a)
{
    uint32_t left = e->mask & ~(e->outside | e->unaligned);
    if (e->shape == SHAPE_SAME && e->kind != ACCESS_STORE && left != 0) {
        one_place(s, m, e, (lanes_asking){__builtin_ctz(left), 31 - __builtin_clz(left)}, a);
        return;
    }
    for (; left != 0; left &= left - 1)
        one_place(s, m, e, (lanes_asking){__builtin_ctz(left), __builtin_ctz(left)}, a);
}

// ---- Words here and there -----------------------------------------------------------------------

// Old, or of the block and known, or the lane's own.
static inline bool is_known(const asker *a, uint64_t cell, uint64_t lane)
{
    return cell < a->stale || ((cell & CELL_BLOCK) == a->in && cell < a->floor) ||
           (cell & WHOSE) == (a->thread | lane);
}

CELLS_ARE_SHARED static bool read_words(const asker *a, race_cells *c, const uint32_t *word,
                                        uint32_t mask)
{
    bool known = true;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left), k = word[l];
        known &= is_known(a, c->written[k], l);
        known &= is_known(a, c->read[k], l);
    }
    if (!known) return false;
    // Lanes that read one word make it one of several, which the slow way sees to.
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        c->read[word[l]] = a->head | l;
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        known &= c->read[word[l]] == (a->head | l);
    }
    return known;
}

// What was there is put back where two lanes write one word.
CELLS_ARE_SHARED static bool write_words(const asker *a, race_cells *c, const uint32_t *word,
                                         uint32_t mask)
{
    uint64_t before[WARP];
    bool known = true;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left), k = word[l];
        before[l] = c->written[k];
        known &= is_known(a, before[l], l);
        known &= is_known(a, c->read[k], l);
    }
    if (!known) return false;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        c->written[word[l]] = a->head | l;
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        known &= c->written[word[l]] == (a->head | l);
    }
    for (uint32_t left = known ? 0 : mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        c->written[word[l]] = before[l];
    }
    return known;
}

// Words of the block's own shared memory. false: not plainly in order.
static bool try_words(race_state *s, const machine *m, const access_event *e, const asker *a)
{
    if (e->space != PTX_SHARED || e->shape != SHAPE_ANY || e->bytes != CELL_BYTES ||
        e->kind == ACCESS_ATOMIC || (e->outside | e->unaligned) != 0)
        return false;
    race_cells *c = &((race_block *)m->block->races)->shared;
    uint32_t word[WARP];
    uint64_t beyond = 0;
    (void)s;
    for (int l = 0; l < WARP; l++) {
        word[l] = (uint32_t)(e->address[l] / CELL_BYTES);
        beyond |= e->mask >> l & 1 ? e->address[l] / SHARED_OF_RANK : 0;
    }
    if (beyond != 0) return false;
    return e->kind == ACCESS_LOAD ? read_words(a, c, word, e->mask)
                                  : write_words(a, c, word, e->mask);
}

// ---- Listening ----------------------------------------------------------------------------------

static bool try_row(race_state *s, const machine *m, const access_event *e, const asker *a)
{
    if (e->shape != SHAPE_ROW || e->kind == ACCESS_ATOMIC ||
        (e->bytes != 4 && e->bytes != 8 && e->bytes != 16))
        return false;
    uint64_t at = e->address[0];
    race_cells *c = cells_of(m, e, &at);
    if (c == NULL) return true; // constants
    const bool done = row(a, e, c, (int64_t)(at / CELL_BYTES), s->board->launch);
    if (done) mark(c, e->kind, s->board->launch);
    return done;
}

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

static void observed(void *any, const machine *m, const operation *o)
{
    race_state *s = any;
    if (m->block->races != NULL)
        for (int32_t k = 0; k < s->pending_count; k++)
            if (s->pending[k].site == o) hd__order_observe(s, m, &s->pending[k]);
    s->pending_count = 0;
}

static void access(void *any, const machine *m, const access_event *e)
{
    race_state *s = any;
    if (m->block->races == NULL || e->site->space == PTX_CONST) return;
    const bool strong = e->kind == ACCESS_ATOMIC || e->order != ORDER_WEAK;
    const asker a = ask(s, m, e->site);
    if (!e->poll && !try_row(s, m, e, &a) && !try_words(s, m, e, &a)) each_lane(s, m, e, &a);
    if (!strong) return;
    if (e->kind != ACCESS_LOAD) hd__order_publish(s, m, e);
    if (e->kind == ACCESS_STORE || e->site->op == PTX_OP_red) return;
    remember(s, e);
    if (e->site->op == PTX_OP_mbarrier) observed(any, m, e->site);
}

static void fence(void *any, const machine *m, const operation *o)
{
    if (m->block->races != NULL)
        hd__order_fence(any, m, m->mask, (access_scope)o->scope, true, true);
}

static void warp_sync(void *any, const machine *m, const operation *o)
{
    (void)o;
    if (m->block->races != NULL) hd__order_warp_sync(any, m);
}

static void barrier_reached(void *any, const machine *m, const barrier_event *e)
{
    if (m->block->races != NULL) hd__order_arrive(any, m, e);
}

static void release(void *any, const machine *m, int32_t number)
{
    if (m->block->races != NULL) hd__order_release(any, m, number);
}

static bool open_state(void *any, const grid *g)
{
    race_state *s = any;
    s->board = g->memory->races;
    s->alone = g->threads == 1;
    return s->board != NULL;
}

static void begin_block(void *any, const machine *m)
{
    race_block *b = hd__order_begin(any, m);
    if (b != NULL) {
        atomic_store(&b->shared.write_launch, ((race_state *)any)->board->launch);
        atomic_store(&b->shared.read_launch, ((race_state *)any)->board->launch);
    }
    m->block->races = b;
}

static void end_block(void *any, const machine *m)
{
    if (m->block->races != NULL) hd__order_end(any, m->block->races);
    m->block->races = NULL;
}

static void finish(void *any, const machine *m)
{
    race_state *s = any;
    (void)m;
    hd__order_close(s);
    s->list.lost |= s->lost;
}

static void merge(void *into, const void *from)
{
    hd__findings_merge(into, from);
}

static void close_state(void *any)
{
    hd__order_close(any);
    hd__findings_free(any);
}

const listener hd__races = {
    .name = "races",
    .state_bytes = sizeof(race_state),
    .spaces = 1u << PTX_GLOBAL | 1u << PTX_SHARED,
    .open = open_state,
    .begin_block = begin_block,
    .end_block = end_block,
    .access = access,
    .observed = observed,
    .fence = fence,
    .warp_sync = warp_sync,
    .barrier = barrier_reached,
    .release = release,
    .finish = finish,
    .merge = merge,
    .close = close_state,
};
