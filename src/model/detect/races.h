// SPDX-License-Identifier: Apache-2.0
//
// The race detector: data races by happens-before (Lamport 1978), with epochs and vector clocks as
// in FastTrack (Flanagan and Freund 2009). The shadow cell of a word holds the epochs of its last
// write and its last read, or the number of a record if its bytes differ. Blocks, warps and lanes
// have vector clocks; words that carry a release have release records. Time runs by block: it
// advances at every barrier, fence and synchronisation of a warp, and never goes back between
// launches of a model, so that cells of earlier launches are known to be old.
#ifndef HEDDLE_MODEL_DETECT_RACES_H
#define HEDDLE_MODEL_DETECT_RACES_H

#include "findings.h"
#include "vector_clocks.h"

#include <stdatomic.h>

// ---- Cells --------------------------------------------------------------------------------------

// An access in 64 bits, the time in front so that "before" is one comparison of the whole:
// time 21 | block 18 | site 11 | byte 2 | several 2 | warp 5 | lane 5
#define CELL_LANE          ((uint64_t)31)
#define CELL_WARP          ((uint64_t)31 << 5)
#define CELL_SEVERAL_LANES ((uint64_t)1 << 10) // of the warp, up to this time
#define CELL_SEVERAL_WARPS ((uint64_t)1 << 11) // of the block, up to this time
#define CELL_SEVERAL       (CELL_SEVERAL_LANES | CELL_SEVERAL_WARPS)
// Instead of both: lanes in a row, from this one on, touched a byte each, or two where `byte` is 1.
#define CELL_ROW      CELL_SEVERAL_WARPS
#define CELL_BYTE_AT  12 // of an access of less than a word: its first byte in the word
#define CELL_SITE_AT  14
#define CELL_BLOCK_AT 25
#define CELL_TIME_AT  43
#define CELL_BLOCK    ((uint64_t)(CLOCK_BLOCKS - 1) << CELL_BLOCK_AT)
#define MAX_SITES     2048 // instructions that access memory, of a launch
#define MAX_TIME      ((1u << 21) - 2)
#define CELL_BYTES    4
// From here on: the bytes have a record, by its number. No block's, no lane's and later than all.
#define CELL_SPLIT     ((uint64_t)((1u << 21) - 1) << CELL_TIME_AT | CELL_SEVERAL)
#define CELL_RECORD_AT 12

// The cells of an allocation, or of a block's shared memory.
typedef struct race_cells {
    uint64_t *written, *read;
    int64_t words;
    atomic_uint write_launch, read_launch; // the last launch that wrote, or read
    atomic_bool split;                     // there are records
} race_cells;

// ---- What all host threads of a launch share ----------------------------------------------------

// What a release of a word published.
typedef struct release_record {
    uint64_t key;                             // 0: none
    vector_clock *device_clock, *block_clock; // for other blocks, and for the writer's
    uint32_t writer_block;
    uint64_t store; // its cell, without CELL_SEVERAL and byte; 0: an atomic is there
} release_record;

// Records, or events, of race_bytes.c: number n is in chunk n / SPLIT_CHUNK.
enum { SPLIT_CHUNK = 1 << 16, SPLIT_CHUNKS = 512, SPLIT_RUN = 64, SPLIT_EVENTS = 8 };
#define SPLIT_SHARE 3 // bytes for each that is allocated, so that all that is kept is less than 8
#define SPLIT_MIN   (1 << 20)

typedef struct race_chunks {
    _Atomic(void *) chunk[SPLIT_CHUNKS];
    uint32_t count;
} race_chunks;

typedef struct race_run {
    uint32_t next, left;
} race_run;

typedef struct race_event {
    uint64_t event;
    uint32_t number;
} race_event;

// The shadow state that all host threads share.
typedef struct race_shadow {
    pthread_mutex_t lock;
    uint32_t base;       // times up to here are of earlier launches
    atomic_uint highest; // time that a block has reached
    uint32_t launch;     // counts them, from 1
    release_record *releases;
    int64_t release_room;
    atomic_llong release_count;
    _Atomic(const operation *) site[MAX_SITES];
    _Atomic(uint16_t) *number; // of operation.site; 0: none yet
    int32_t site_count;
    race_chunks records, events;
    int64_t split_bytes, split_max;
} race_shadow;

// Records before and after a launch; the words of an allocation after one.
void hd__model_race_bytes_begin(race_shadow *b, int64_t allocated);
void hd__model_race_bytes_end(race_shadow *b);
void hd__model_race_bytes_clear(race_cells *c);

// Before and after a launch. false: no memory.
bool hd__model_races_begin(device_memory *memory, int32_t sites);
void hd__model_races_end(device_memory *memory);
void hd__model_races_forget(allocation *a); // it was freed
void hd__model_races_close(device_memory *memory);

// ---- Clocks of blocks ---------------------------------------------------------------------------

enum { BLOCK_SCOPE, DEVICE_SCOPE }; // within the block; beyond it

typedef struct race_lanes {
    vector_clock *known[WARP];
    // Clocks of release records: those that loads found become known by a fence, those that atomics
    // found by a fence or a barrier of the block
    vector_clock *polled[2][WARP], *seen[2][WARP];
    uint64_t key[WARP]; // the word whose record a lane found last, and whose store that was
    uint64_t store[WARP];
} race_lanes;

// By lane, and by the lane that read: the time up to which shuffles have taken what that one read.
typedef struct race_taken {
    uint32_t until[WARP][WARP];
} race_taken;

typedef struct race_warp {
    uint32_t floor; // all of the warp know of all of it up to here
    vector_clock *known;
    vector_clock *fenced[2]; // what fences of its lanes let go, and all lanes know of
    vector_clock *base[2];   // what lanes knew at their last fence, without their own accesses
    uint32_t at[2][WARP];    // the time of that fence; 0: none
    race_lanes *lanes;       // NULL: none ever acquired
    uint32_t exchanged;      // the time of its last shuffle or vote, of any lanes
    uint32_t taken;          // of the last one of all lanes: values it took were read up to here
    race_taken *pairs;       // of those of some lanes; NULL: none
} race_warp;

// A named barrier, which not all threads of the block need take part in.
typedef struct race_barrier {
    bool used, partial;
    vector_clock *known, *fenced[2];
    uint32_t waiting[WARP]; // lanes by warp
} race_barrier;

typedef struct race_block {
    uint32_t time, floor; // floor: all of the block know of all of it up to here
    uint32_t number;
    bool busy;   // it has vector clocks
    bool fences; // some thread fenced
    bool open;
    vector_clock *known, *fenced[2];
    race_warp *warp;
    int32_t warps;
    race_cells shared;
    race_barrier barriers[BARRIERS + 1];
    struct race_block *next, *made;
} race_block;

// A strong access that was notified, whose value is not yet there.
typedef struct race_pending {
    const operation *site;
    access_kind kind;
    ptx_space space;
    uint32_t mask;
    access_order order;
    access_scope scope;
    uint64_t address[WARP];
} race_pending;

enum { MAX_WAITS = 32 };

// A host thread's state.
typedef struct race_state {
    finding_list list;
    race_shadow *shadow;
    race_block *spare, *made;
    bool lost;     // memory went out: nothing is reported from then on
    bool alone;    // one host thread runs all blocks: what is found now stays so
    int32_t waits; // for values that were about to be written
    int32_t pending_count;
    race_pending pending[3];
    race_run record_run, event_run;
    uint32_t free_record; // of blocks that have ended
    race_event recent[SPLIT_EVENTS];
} race_state;

race_block *hd__model_order_begin(race_state *s, const machine *m);
void hd__model_order_end(race_state *s, race_block *b);
void hd__model_order_close(race_state *s);

// Whether all that a cell stands for happened before now, for this lane of this warp.
bool hd__model_happens_before(const race_state *s, const race_block *b, int32_t warp, int lane,
                              uint64_t cell);

void hd__model_order_warp_sync(race_state *s, const machine *m);
// Lanes of m->mask shuffle or vote. A load whose value will be taken is about to be noted: later
// than the last shuffle. Whether a read by a cell's lane was taken before now, for this lane of
// this warp.
void hd__model_order_exchange(race_state *s, const machine *m);
void hd__model_order_read(race_block *b, int32_t warp);
bool hd__model_order_was_taken(const race_block *b, int32_t warp, int lane, uint64_t cell);
// Whether a volatile store of this lane lets something go; whether a word carries such a store's
// record.
bool hd__model_order_publishes(const race_block *b, int32_t warp, int lane);
bool hd__model_order_carries(const race_state *s, const machine *m, const access_event *e,
                             int lane);
// Whether the lane's last strong load of a word that has a record found the store of a cell
// there.
bool hd__model_order_found(const machine *m, const access_event *e, int lane, uint64_t cell);
void hd__model_order_arrive(race_state *s, const machine *m, const barrier_event *e);
void hd__model_order_release(race_state *s, const machine *m, int32_t number);
void hd__model_order_fence(race_state *s, const machine *m, uint32_t mask, access_scope scope,
                           bool acquires, bool releases);
// A strong write or atomic is about to happen, whose cell is that of lane 0; a strong load or
// atomic has happened.
void hd__model_order_publish(race_state *s, const machine *m, const access_event *e, uint64_t cell);
void hd__model_order_observe(race_state *s, const machine *m, const race_pending *p);

static inline void order_advance(race_block *b)
{
    if (b->time < MAX_TIME) b->time++;
}

// The block whose shared memory an address is in, itself or one of its cluster.
static inline block *shared_owner(const machine *m, uint64_t *address)
{
    const uint64_t rank = *address / SHARED_OF_RANK;
    *address %= SHARED_OF_RANK;
    return rank > 0 && rank <= (uint64_t)m->block->cluster->blocks
               ? m->block->cluster->block[rank - 1]
               : m->block;
}

// An mbarrier that is initialised, or given up, is written as any memory is.
static inline bool starts_mbarrier(const operation *o)
{
    return ptx_has(o->text, PTX_MOD_INIT) || ptx_has(o->text, PTX_MOD_INVAL);
}

// Bytes of a lane's access, from its beginning.
typedef struct access_part {
    int first, count;
} access_part;

// Whether a part of a lane's store is what is there already, or what a lane before it writes.
bool hd__model_writes_the_same(const machine *m, const access_event *e, int lane, access_part part);

// ---- Texts --------------------------------------------------------------------------------------

// Adds a race between lane's access and the one of a cell.
void hd__model_race_report(race_state *s, const machine *m, const access_event *e, int lane,
                           uint64_t cell);

#endif
