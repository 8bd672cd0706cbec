// SPDX-License-Identifier: Apache-2.0
//
// A cache of lines of 128 bytes in sectors of 32: sets of 8 lines, of which the one that was not
// used for longest goes. A line says of each sector whether it is here and how many of its bytes
// were written since it came.
#ifndef HEDDLE_MODEL_COUNTERS_CACHE_H
#define HEDDLE_MODEL_COUNTERS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE    128
#define CACHE_SECTOR  32
#define CACHE_SECTORS (CACHE_LINE / CACHE_SECTOR)
#define CACHE_WAYS    8

typedef struct cache_line {
    uint64_t tag; // line + 1; 0: none
    uint8_t here; // sectors
    uint8_t written[CACHE_SECTORS];
} cache_line;

typedef struct cache {
    cache_line *lines; // CACHE_WAYS a set, the newest first
    uint64_t sets;
} cache;

// false: no memory. 0 bytes: a cache that keeps nothing.
bool hd__model_cache_open(cache *c, int64_t bytes);
void hd__model_cache_close(cache *c);

// The host's cache gets what find will look at.
void hd__model_cache_expect(const cache *c, uint64_t line);

// The line, as the newest of its set; NULL: not here.
cache_line *hd__model_cache_find(cache *c, uint64_t line);

// Makes room for a line that is not here: it has no sectors yet. *gone is what had to go (tag 0:
// nothing). NULL: the cache keeps nothing.
cache_line *hd__model_cache_put(cache *c, uint64_t line, cache_line *gone);

// Takes a line out.
void hd__model_cache_drop(cache *c, uint64_t line);

#endif
