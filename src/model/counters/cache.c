// SPDX-License-Identifier: Apache-2.0
//
// Sets of lines in the order of their use.
#include "cache.h"

#include <stdlib.h>
#include <string.h>

bool hd__model_cache_open(cache *c, int64_t bytes)
{
    c->sets = bytes > 0 ? (uint64_t)bytes / (CACHE_LINE * CACHE_WAYS) : 0;
    c->lines = calloc((size_t)c->sets * CACHE_WAYS + 1, sizeof *c->lines);
    return c->lines != NULL;
}

void hd__model_cache_close(cache *c)
{
    free(c->lines);
    *c = (cache){0};
}

// Sets are chosen by many bits of the address, as the hardware does: strides must not all meet.
static cache_line *set_of(const cache *c, uint64_t line)
{
    const uint64_t mixed = (line * 0x9e3779b97f4a7c15u) >> 32;
    return &c->lines[(mixed * c->sets >> 32) * CACHE_WAYS];
}

void hd__model_cache_expect(const cache *c, uint64_t line)
{
    if (c->sets > 0) __builtin_prefetch(set_of(c, line), 1);
}

static cache_line *to_front(cache_line *set, int k)
{
    if (k == 0) return set;
    const cache_line found = set[k];
    memmove(set + 1, set, (size_t)k * sizeof *set);
    set[0] = found;
    return set;
}

cache_line *hd__model_cache_find(cache *c, uint64_t line)
{
    if (c->sets == 0) return NULL;
    cache_line *set = set_of(c, line);
    for (int k = 0; k < CACHE_WAYS; k++)
        if (set[k].tag == line + 1) return to_front(set, k);
    return NULL;
}

cache_line *hd__model_cache_put(cache *c, uint64_t line, cache_line *gone)
{
    gone->tag = 0;
    if (c->sets == 0) return NULL;
    cache_line *set = set_of(c, line);
    *gone = set[CACHE_WAYS - 1];
    to_front(set, CACHE_WAYS - 1);
    set[0] = (cache_line){.tag = line + 1};
    return set;
}

void hd__model_cache_drop(cache *c, uint64_t line)
{
    cache_line *found = hd__model_cache_find(c, line);
    if (found == NULL) return;
    memmove(found, found + 1, (CACHE_WAYS - 1) * sizeof *found);
    found[CACHE_WAYS - 1] = (cache_line){0};
}
