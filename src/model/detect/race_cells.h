// SPDX-License-Identifier: Apache-2.0
//
// What the files that look at cells share: accessors, words whose bytes differ, rows.
#ifndef HEDDLE_MODEL_DETECT_RACE_CELLS_H
#define HEDDLE_MODEL_DETECT_RACE_CELLS_H

#include "races.h"

#define CELLS_ARE_SHARED __attribute__((no_sanitize("thread")))
#define WHOSE            (CELL_BLOCK | CELL_SEVERAL | CELL_WARP | CELL_LANE)

// ---- Accessors ----------------------------------------------------------------------------------

typedef struct accessor {
    const race_block *block;
    uint64_t head;   // of its cells: all but lane and byte
    uint64_t stale;  // cells below are of earlier launches
    uint64_t in;     // bits of its block
    uint64_t floor;  // cells of its block below are known
    uint64_t thread; // bits of its block and warp, for lane 0
    uint64_t wfloor; // cells of its warp below are known
} accessor;

// A record is there before its number is.
CELLS_ARE_SHARED static inline uint64_t look(const uint64_t *at)
{
    const uint64_t cell = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (cell >= CELL_SPLIT) atomic_thread_fence(memory_order_acquire);
    return cell;
}

CELLS_ARE_SHARED static inline void set(uint64_t *at, uint64_t cell)
{
    if (cell >= CELL_SPLIT) atomic_thread_fence(memory_order_release);
    __atomic_store_n(at, cell, __ATOMIC_RELAXED);
}

static inline const operation *site_of(const race_state *s, uint64_t cell)
{
    return atomic_load_explicit(&s->shadow->site[cell >> CELL_SITE_AT & (MAX_SITES - 1)],
                                memory_order_acquire);
}

// The cells of an access's memory, whose address becomes one from its beginning; NULL: none.
race_cells *hd__model_race_cells(const machine *m, const access_event *e, uint64_t *address);
void hd__model_race_mark(race_cells *c, access_kind kind, uint32_t launch);

// ---- Bytes of a word ----------------------------------------------------------------------------

// Whether the bytes of a word have cells of their own, or are of lanes in a row.
static inline bool is_mixed(uint64_t cell)
{
    return cell >= CELL_SPLIT || (cell & CELL_SEVERAL) == CELL_ROW;
}

// The bytes, as four bits, that a cell of one access stands for.
unsigned hd__model_race_bytes(const operation *o, uint64_t cell);
// A word's cell as those of its bytes; 0: none. Cells below `stale` are none.
void hd__model_race_apart(const race_state *s, uint64_t cell, uint64_t stale, uint64_t bytes[4]);
// The cell for a word whose bytes have these; it was `before`, which said `were` of them. Where
// there is no more room only `newest` of them is kept.
uint64_t hd__model_race_together(race_state *s, race_cells *c, uint64_t before,
                                 const uint64_t were[4], const uint64_t bytes[4], uint64_t newest);

// A block's shared memory begins anew: what its words took is free.
void hd__model_race_bytes_drop(race_state *s, race_cells *c);

// ---- Whole warps --------------------------------------------------------------------------------

// Accesses that are plainly in order are seen to all at once. The lanes that are left.
uint32_t hd__model_race_rows(race_state *s, const machine *m, const access_event *e,
                             const accessor *a);

#endif
