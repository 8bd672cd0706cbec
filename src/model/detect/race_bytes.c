// SPDX-License-Identifier: Apache-2.0
//
// Words whose bytes differ in who touched them last. Lanes in a row that touch a byte or two each
// fit in the word's cell; other words have a record of four entries. An entry is a lane and the
// number of an event (all else of a cell), so that a record has 16 bytes and not 32. Records last
// until the launch ends and take a limited part of memory: beyond it a word forgets.
#include "race_cells.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ROOM = 0 }; // no record, no event

#define ENTRY_SEVERAL_AT 5
#define ENTRY_EVENT_AT   7
#define RECORD_BYTES     16
#define EVENT_BYTES      8
#define BYTE_FIELD       ((uint64_t)3 << CELL_BYTE_AT)
#define OF_EVENT         (~(CELL_LANE | CELL_SEVERAL | BYTE_FIELD))

// ---- Room ---------------------------------------------------------------------------------------

// The first of SPLIT_RUN more records or events.
static uint32_t take_run(race_shadow *b, race_chunks *of, int64_t each)
{
    uint32_t first = NO_ROOM;
    pthread_mutex_lock(&b->lock);
    const uint32_t chunk = of->count / SPLIT_CHUNK;
    if (b->split_bytes + SPLIT_RUN * each <= b->split_max && chunk < SPLIT_CHUNKS) {
        void *there = atomic_load(&of->chunk[chunk]);
        if (there == NULL) {
            there = calloc(SPLIT_CHUNK, (size_t)each); // brought in when touched
            atomic_store(&of->chunk[chunk], there);
        }
        if (there != NULL) {
            first = of->count;
            of->count += SPLIT_RUN;
            b->split_bytes += SPLIT_RUN * each;
        }
    }
    pthread_mutex_unlock(&b->lock);
    return first;
}

// The next of a host thread's own.
static uint32_t take(race_shadow *b, race_chunks *of, race_run *run, int64_t each)
{
    if (run->left == 0) {
        run->next = take_run(b, of, each);
        if (run->next == NO_ROOM) return NO_ROOM;
        run->left = SPLIT_RUN;
    }
    run->left--;
    return run->next++;
}

static uint32_t record_number(uint64_t cell)
{
    return (uint32_t)((cell & ~CELL_SPLIT) >> CELL_RECORD_AT);
}

static uint32_t *record_of(const race_state *s, uint32_t number)
{
    uint32_t *chunk = atomic_load(&s->shadow->records.chunk[number / SPLIT_CHUNK]);
    return chunk + (size_t)(number % SPLIT_CHUNK) * 4;
}

static uint32_t new_record(race_state *s)
{
    const uint32_t number = s->free_record;
    if (number == NO_ROOM)
        return take(s->shadow, &s->shadow->records, &s->record_run, RECORD_BYTES);
    s->free_record = record_of(s, number)[0];
    return number;
}

static uint64_t *event_of(const race_state *s, uint32_t number)
{
    uint64_t *chunk = atomic_load(&s->shadow->events.chunk[number / SPLIT_CHUNK]);
    return chunk + number % SPLIT_CHUNK;
}

// The number of a cell's event: a warp asks for the same one for all its lanes.
static uint32_t event_number(race_state *s, uint64_t event)
{
    race_event *recent = &s->recent[event * 0x9e3779b97f4a7c15u >> 61];
    if (recent->event == event) return recent->number;
    const uint32_t number = take(s->shadow, &s->shadow->events, &s->event_run, EVENT_BYTES);
    if (number == NO_ROOM) return NO_ROOM;
    *event_of(s, number) = event;
    *recent = (race_event){event, number};
    return number;
}

void hd__model_race_bytes_begin(race_shadow *b, int64_t allocated)
{
    b->records.count = b->events.count = SPLIT_RUN; // number 0 is none
    b->split_bytes = 0;
    b->split_max = SPLIT_SHARE * allocated + SPLIT_MIN;
}

static void free_chunks(race_chunks *of)
{
    for (uint32_t k = 0; k * SPLIT_CHUNK < of->count && k < SPLIT_CHUNKS; k++)
        free(atomic_exchange(&of->chunk[k], NULL));
}

void hd__model_race_bytes_end(race_shadow *b)
{
    free_chunks(&b->records);
    free_chunks(&b->events);
}

void hd__model_race_bytes_clear(race_cells *c)
{
    if (!atomic_load(&c->split)) return;
    for (int64_t k = 0; k < 2 * c->words; k++)
        if (c->written[k] >= CELL_SPLIT) c->written[k] = 0;
    atomic_store(&c->split, false);
}

void hd__model_race_bytes_drop(race_state *s, race_cells *c)
{
    if (!atomic_load(&c->split)) return;
    for (int64_t k = 0; k < 2 * c->words; k++) {
        if (c->written[k] < CELL_SPLIT) continue;
        const uint32_t number = record_number(c->written[k]);
        record_of(s, number)[0] = s->free_record;
        s->free_record = number;
    }
    hd__model_race_bytes_clear(c);
}

// ---- Apart --------------------------------------------------------------------------------------

static int width_of(const operation *o)
{
    switch (o->op) {
    case PTX_OP_ld:
    case PTX_OP_st:
    case PTX_OP_atom:
    case PTX_OP_red: return o->bytes * (o->vector > 0 ? o->vector : 1);
    case PTX_OP_wmma: return o->bytes;
    default: return CELL_BYTES;
    }
}

unsigned hd__model_race_bytes(const operation *o, uint64_t cell)
{
    const int width = width_of(o);
    return width >= CELL_BYTES ? 15 : ((1u << width) - 1) << (cell >> CELL_BYTE_AT & 3) & 15;
}

static void row_apart(uint64_t cell, uint64_t bytes[4])
{
    const int shift = (int)(cell >> CELL_BYTE_AT & 1);
    const uint64_t rest = cell & ~(CELL_SEVERAL | BYTE_FIELD);
    for (int j = 0; j < 4; j++) {
        const uint64_t first = (uint64_t)(j >> shift << shift);
        bytes[j] = (rest + (uint64_t)(j >> shift)) | first << CELL_BYTE_AT;
    }
}

static uint64_t entry_apart(const race_state *s, uint32_t entry, int j)
{
    if (entry == 0) return 0;
    uint64_t cell = *event_of(s, entry >> ENTRY_EVENT_AT) | (entry & CELL_LANE);
    cell |= (uint64_t)(entry >> ENTRY_SEVERAL_AT & 3) * CELL_SEVERAL_LANES;
    const operation *o = site_of(s, cell);
    const int width = o == NULL ? CELL_BYTES : width_of(o);
    return width < CELL_BYTES ? cell | (uint64_t)(j / width * width) << CELL_BYTE_AT : cell;
}

void hd__model_race_apart(const race_state *s, uint64_t cell, uint64_t stale, uint64_t bytes[4])
{
    memset(bytes, 0, 4 * sizeof *bytes);
    if (cell < stale) return;
    if (cell >= CELL_SPLIT) {
        uint32_t *record = record_of(s, record_number(cell));
        for (int j = 0; j < 4; j++)
            bytes[j] = entry_apart(s, __atomic_load_n(&record[j], __ATOMIC_ACQUIRE), j);
        return;
    }
    if ((cell & CELL_SEVERAL) == CELL_ROW) {
        row_apart(cell, bytes);
        return;
    }
    const operation *o = site_of(s, cell);
    const unsigned mask = o == NULL ? 15 : hd__model_race_bytes(o, cell);
    for (int j = 0; j < 4; j++)
        if (mask >> j & 1) bytes[j] = cell;
}

// ---- Together -----------------------------------------------------------------------------------

// One access that touched just these bytes. Several that touched less than a word are not one: a
// cell of several is always one of a whole word.
static bool is_one(const race_state *s, const uint64_t bytes[4], uint64_t *cell)
{
    unsigned mask = 0;
    *cell = bytes[0] | bytes[1] | bytes[2] | bytes[3];
    for (int j = 0; j < 4; j++) {
        if (bytes[j] != 0 && bytes[j] != *cell) return false;
        mask |= (unsigned)(bytes[j] != 0) << j;
    }
    const operation *o = site_of(s, *cell);
    if (*cell == 0) return true;
    return o != NULL && hd__model_race_bytes(o, *cell) == mask &&
           (mask == 15 || !(*cell & CELL_SEVERAL));
}

static bool is_row(const race_state *s, const uint64_t bytes[4], uint64_t *cell)
{
    const operation *o = bytes[0] != 0 ? site_of(s, bytes[0]) : NULL;
    const int width = o == NULL ? CELL_BYTES : width_of(o);
    uint64_t expected[4];
    if ((width != 1 && width != 2) || (bytes[0] & CELL_SEVERAL) != 0) return false;
    *cell = bytes[0] | CELL_ROW | (uint64_t)(width >> 1) << CELL_BYTE_AT;
    row_apart(*cell, expected);
    return memcmp(bytes, expected, sizeof expected) == 0;
}

static uint32_t entry_together(race_state *s, uint64_t cell)
{
    if (cell == 0) return 0;
    const uint32_t number = event_number(s, cell & OF_EVENT);
    if (number == NO_ROOM) return 0;
    return number << ENTRY_EVENT_AT |
           (uint32_t)((cell & CELL_SEVERAL) / CELL_SEVERAL_LANES) << ENTRY_SEVERAL_AT |
           (uint32_t)(cell & CELL_LANE);
}

uint64_t hd__model_race_together(race_state *s, race_cells *c, uint64_t before,
                                 const uint64_t were[4], const uint64_t bytes[4], uint64_t newest)
{
    uint64_t cell;
    const bool was_split = before >= CELL_SPLIT;
    if (is_one(s, bytes, &cell) || is_row(s, bytes, &cell)) return cell;
    const uint32_t number = was_split ? record_number(before) : new_record(s);
    if (number == NO_ROOM) return newest;
    uint32_t *record = record_of(s, number);
    // What others may look at now is changed only where it is new.
    for (int j = 0; j < 4; j++)
        if (!was_split || bytes[j] != were[j])
            __atomic_store_n(&record[j], entry_together(s, bytes[j]), __ATOMIC_RELEASE);
    if (!atomic_load_explicit(&c->split, memory_order_relaxed)) atomic_store(&c->split, true);
    return CELL_SPLIT | (uint64_t)number << CELL_RECORD_AT;
}
