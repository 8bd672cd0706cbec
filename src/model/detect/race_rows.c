// SPDX-License-Identifier: Apache-2.0
//
// Accesses of whole warps whose cells are plainly in order, all at once: rows of words, words here
// and there in shared memory, rows of bytes. What is not goes lane by lane in races.c.
#include "race_cells.h"

race_cells *hd__model_race_cells(const machine *m, const access_event *e, uint64_t *address)
{
    if (e->space == PTX_SHARED) {
        race_block *b = shared_owner(m, address)->races;
        return b != NULL ? &b->shared : NULL;
    }
    const allocation *a = e->allocation;
    if (a == NULL) a = hd__model_device_find(m->grid->memory, *address);
    if (!allocation_holds(a, *address, 1)) return NULL;
    *address -= a->address;
    return a->races;
}

void hd__model_race_mark(race_cells *c, access_kind kind, uint32_t launch)
{
    atomic_uint *at = kind == ACCESS_LOAD ? &c->read_launch : &c->write_launch;
    if (atomic_load_explicit(at, memory_order_relaxed) != launch)
        atomic_store_explicit(at, launch, memory_order_relaxed);
}

// ---- Rows ---------------------------------------------------------------------------------------

// Whether all cells are old, or of the block and known, or the lane's own. Word j is of lane
// j >> shift.
CELLS_ARE_SHARED static bool row_is_known(const accessor *a, const uint64_t *cell, int words,
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
CELLS_ARE_SHARED static bool row_is_merged(const accessor *a, const uint64_t *cell, int words,
                                           int shift)
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

static bool row_is_ordered(const accessor *a, const uint64_t *cell, int words, int shift)
{
    return a->wfloor > a->floor ? row_is_merged(a, cell, words, shift)
                                : row_is_known(a, cell, words, shift);
}

// Reads: of other blocks' readers the last one stays; cells that several warps have read at this
// time stay as they are. false: there are others, and nothing was changed.
CELLS_ARE_SHARED static bool row_is_read(const accessor *a, uint64_t *cell, int words, int shift)
{
    const uint64_t in = a->in, floor = a->floor, thread = a->thread, head = a->head;
    const uint64_t same = (uint64_t)a->block->time << CELL_TIME_AT | in | CELL_SEVERAL;
    const uint64_t of_same = ~(uint64_t)0 << CELL_TIME_AT | CELL_BLOCK | CELL_SEVERAL;
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

CELLS_ARE_SHARED static bool row_has_records(const race_cells *c, int64_t first, int words)
{
    uint64_t most = 0;
    if (!atomic_load_explicit(&c->split, memory_order_relaxed)) return false;
    for (int64_t k = first; k < first + words; k++) most = c->read[k] > most ? c->read[k] : most;
    return most >= CELL_SPLIT;
}

CELLS_ARE_SHARED static void write_row(const accessor *a, uint64_t *cell, int words, int shift)
{
    for (int j = 0; j < words; j++) cell[j] = a->head | (uint64_t)j >> shift;
}

static bool row(const accessor *a, const access_event *e, race_cells *c, int64_t first,
                uint32_t launch)
{
    const int shift = e->bytes == 4 ? 0 : e->bytes == 8 ? 1 : 2;
    const int words = __builtin_popcount(e->mask) << shift;
    const bool wrote = atomic_load_explicit(&c->write_launch, memory_order_relaxed) == launch;
    const bool was_read = atomic_load_explicit(&c->read_launch, memory_order_relaxed) == launch;
    if (wrote && !row_is_ordered(a, c->written + first, words, shift)) return false;
    if (e->kind == ACCESS_LOAD)
        return !row_has_records(c, first, words) && row_is_read(a, c->read + first, words, shift);
    if (was_read && !row_is_ordered(a, c->read + first, words, shift)) return false;
    write_row(a, c->written + first, words, shift);
    return true;
}

// ---- Words here and there -----------------------------------------------------------------------

// Old, or of the block and known, or the lane's own.
static inline bool is_known(const accessor *a, uint64_t cell, uint64_t lane)
{
    return cell < a->stale || ((cell & CELL_BLOCK) == a->in && cell < a->floor) ||
           (cell & WHOSE) == (a->thread | lane);
}

CELLS_ARE_SHARED static bool read_words(const accessor *a, race_cells *c, const uint32_t *word,
                                        uint32_t mask)
{
    const accessor own = *a; // which no cell is part of, so that it stays in registers
    bool known = true, apart = true;
    int64_t last = -1;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left), k = word[l];
        known &= is_known(&own, c->written[k], l);
        known &= is_known(&own, c->read[k], l);
        apart &= k > last;
        last = k;
    }
    if (!known) return false;
    // Lanes that read one word make it one of several, which the slow way sees to.
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        c->read[word[l]] = own.head | l;
    }
    for (uint32_t left = apart ? 0 : mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        known &= c->read[word[l]] == (own.head | l);
    }
    return known;
}

// What was there is put back where two lanes write one word.
CELLS_ARE_SHARED static bool write_words(const accessor *a, race_cells *c, const uint32_t *word,
                                         uint32_t mask)
{
    const accessor own = *a;
    uint64_t before[WARP];
    bool known = true, apart = true;
    int64_t last = -1;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left), k = word[l];
        before[l] = c->written[k];
        known &= is_known(&own, before[l], l);
        known &= is_known(&own, c->read[k], l);
        apart &= k > last;
        last = k;
    }
    if (!known) return false;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        c->written[word[l]] = own.head | l;
    }
    for (uint32_t left = apart ? 0 : mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        known &= c->written[word[l]] == (own.head | l);
    }
    for (uint32_t left = known ? 0 : mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        c->written[word[l]] = before[l];
    }
    return known;
}

// Words of the block's own shared memory. false: not plainly in order.
static bool try_words(race_state *s, const machine *m, const access_event *e, const accessor *a)
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

// ---- Bytes in rows ------------------------------------------------------------------------------

// Lanes in a row touch a word together.
typedef struct word_of_lanes {
    uint64_t *written, *read;
    uint64_t mine;
} word_of_lanes;

// Old, or of the block or the warp and known, or of the same lanes byte by byte.
static bool bytes_are_known(const accessor *a, uint64_t cell, uint64_t mine)
{
    const uint64_t of_warp = CELL_BLOCK | CELL_SEVERAL_WARPS | CELL_WARP;
    const uint64_t of_row = WHOSE | (uint64_t)3 << CELL_BYTE_AT;
    return cell < a->stale || ((cell & CELL_BLOCK) == a->in && cell < a->floor) ||
           ((cell ^ mine) & of_row) == 0 || ((cell & of_warp) == a->thread && cell < a->wfloor);
}

CELLS_ARE_SHARED static bool touch_bytes(const accessor *a, const word_of_lanes *x,
                                         access_kind kind)
{
    const uint64_t w = look(x->written), r = look(x->read);
    if (!bytes_are_known(a, w, x->mine)) return false;
    if (kind == ACCESS_LOAD) {
        const bool others = (r & CELL_BLOCK) != a->in && r < CELL_SPLIT;
        if (!others && !bytes_are_known(a, r, x->mine)) return false;
        set(x->read, x->mine);
        return true;
    }
    if (!bytes_are_known(a, r, x->mine)) return false;
    set(x->written, x->mine);
    return true;
}

// How many lanes from l on touch the bytes of one word, one after another; 0: not all of them.
static int lanes_of_word(const access_event *e, int l)
{
    const int lanes = CELL_BYTES / e->bytes;
    const uint32_t together = ((1u << lanes) - 1) << l;
    if (l + lanes > WARP || (e->mask & together) != together || e->address[l] % CELL_BYTES != 0)
        return 0;
    for (int k = 1; k < lanes; k++)
        if (e->address[l + k] != e->address[l] + (uint64_t)(k * e->bytes)) return 0;
    return lanes;
}

static uint32_t try_bytes(race_state *s, const machine *m, const access_event *e, const accessor *a)
{
    uint32_t left = e->mask, next = e->mask;
    const uint64_t row = a->head | CELL_ROW | (uint64_t)(e->bytes >> 1) << CELL_BYTE_AT;
    while (next != 0) {
        const int l = __builtin_ctz(next), lanes = lanes_of_word(e, l);
        uint64_t at = e->address[l];
        race_cells *c = lanes > 0 ? hd__model_race_cells(m, e, &at) : NULL;
        next &= next - 1;
        if (c == NULL) continue;
        const uint64_t k = at / CELL_BYTES;
        const word_of_lanes x = {&c->written[k], &c->read[k], row | (uint64_t)l};
        const uint32_t together = ((1u << lanes) - 1) << l;
        hd__model_race_mark(c, e->kind, s->shadow->launch);
        if (touch_bytes(a, &x, e->kind)) left &= ~together;
        next &= ~together;
    }
    return left;
}

// ---- Any ----------------------------------------------------------------------------------------

static bool try_row(race_state *s, const machine *m, const access_event *e, const accessor *a)
{
    if (e->shape != SHAPE_ROW || e->kind == ACCESS_ATOMIC ||
        (e->bytes != 4 && e->bytes != 8 && e->bytes != 16))
        return false;
    uint64_t at = e->address[0];
    race_cells *c = hd__model_race_cells(m, e, &at);
    if (c == NULL) return true; // constants
    const bool done = row(a, e, c, (int64_t)(at / CELL_BYTES), s->shadow->launch);
    if (done) hd__model_race_mark(c, e->kind, s->shadow->launch);
    return done;
}

uint32_t hd__model_race_rows(race_state *s, const machine *m, const access_event *e,
                             const accessor *a)
{
    if (try_row(s, m, e, a) || try_words(s, m, e, a)) return 0;
    if (e->kind == ACCESS_ATOMIC || e->order != ORDER_WEAK || e->bytes >= CELL_BYTES ||
        e->shape == SHAPE_SAME || (e->outside | e->unaligned) != 0)
        return e->mask;
    return try_bytes(s, m, e, a);
}
