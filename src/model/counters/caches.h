// SPDX-License-Identifier: Apache-2.0
//
// Caches (M10). While blocks run, each one's requests are written down; when all blocks that a chip
// would hold at once are done, their requests pass through the L1s of their multiprocessors and the
// L2, in an order that does not depend on the host's threads.
#ifndef HEDDLE_MODEL_COUNTERS_CACHES_H
#define HEDDLE_MODEL_COUNTERS_CACHES_H

#include "cache.h"
#include "model/exec/observer.h"
#include "occupancy.h"

typedef enum trace_kind {
    TRACE_LOAD,
    TRACE_STRONG, // a load that must see other multiprocessors' stores: not from the L1
    TRACE_STORE,
    TRACE_ATOMIC,
    TRACE_FLOATS,  // an atomic addition of floats
    TRACE_DOUBLES, // the same of more than two doubles of a sector, which the adder takes in two
    TRACE_SWAP,    // behind an atomic: compare and swaps that succeeded, in bytes by sector
    TRACE_CONSTANT // of constant memory; line: of 64 bytes, bytes[0]: words of it
} trace_kind;

// What a request asks of one line.
typedef struct trace_entry {
    uint64_t line : 56, kind : 4, sectors : 4;
    uint32_t time;                // how many requests the warp had made before
    uint8_t bytes[CACHE_SECTORS]; // stores: written; atomics: times the sector is sent
} trace_entry;

// The requests of one block.
typedef struct block_trace {
    trace_entry *at;
    int64_t count, room;
    int64_t sectors_lost; // of loads, stores and atomics beyond what is followed
    int64_t block;
    uint32_t *warp_time; // of each warp: requests so far
    int32_t warps, last_warp;
    int64_t last_first; // entries of the last request: from here on
    struct block_trace *next;
} block_trace;

// What came of it; sectors, except for constant memory (words) and DRAM (bytes).
typedef struct cache_counts {
    int64_t l1_hits, l1_misses;
    int64_t l2_hits, l2_misses;
    int64_t l2_reads, l2_writes, l2_atomics;
    int64_t l2_parts;   // of the writes: sectors written in part
    int64_t wavefronts; // of requests to global and local memory in the L1
    int64_t constant_hits, constant_misses;
    int64_t dram_read, dram_written;
    int64_t hottest;        // atomics: sectors sent to the 512 bytes that were sent the most
    int64_t hottest_floats; // additions of floats to the sector that had the most
    int64_t hottest_swaps;  // compare and swaps that succeeded on the sector that had the most
    int64_t followed, lost;
} cache_counts;

typedef struct hierarchy hierarchy;
hierarchy *hd__model_hierarchy_new(const architecture *a, const occupancy *o);
void hd__model_hierarchy_free(hierarchy *h);
// The traces of blocks that are on the chip together. false: no memory.
bool hd__model_hierarchy_run(hierarchy *h, block_trace *const *traces, int64_t count);
cache_counts hd__model_hierarchy_counts(const hierarchy *h);

// What all host threads of a launch share; made before it (NULL: no memory), asked behind it.
typedef struct caches caches;
caches *hd__model_caches_new(const architecture *a, const occupancy *o, int64_t blocks,
                             int32_t warps);
void hd__model_caches_free(caches *c);
// false: memory ran out on the way, and there are no counts. What a launch that failed has left is
// passed over.
bool hd__model_caches_counts(caches *c, cache_counts *counts);

extern const observer hd__model_caches_observer;

#endif
