// SPDX-License-Identifier: Apache-2.0
//
// Counts of atomics by 512 bytes, and of additions of floats and successful swaps by sector. An
// adder of floats takes a sum up again only when it is done, so that a chain of them on one word is
// slower than the slice; integers keep pace with it.
#include "hot_spots.h"

#include <stdlib.h>

enum { SHIFT = 9, SECTORS = (1 << SHIFT) / CACHE_SECTOR };

struct hot_spot {
    uint64_t tag; // address / 512 + 1
    int64_t count;
    int64_t *sectors; // additions of floats by sector, then swaps; NULL: none
};

static uint64_t place_of(uint64_t tag, uint64_t room)
{
    return tag * 0x9e3779b97f4a7c15u >> 32 & (room - 1);
}

static bool grow(hot_spots *h)
{
    const uint64_t room = h->room > 0 ? 2 * h->room : 1024;
    hot_spot *larger = calloc(room, sizeof *larger);
    if (larger == NULL) return false;
    for (uint64_t k = 0; k < h->room; k++) {
        if (h->at[k].tag == 0) continue;
        uint64_t at = place_of(h->at[k].tag, room);
        while (larger[at].tag != 0) at = (at + 1) & (room - 1);
        larger[at] = h->at[k];
    }
    free(h->at);
    h->at = larger, h->room = room;
    return true;
}

static hot_spot *find(hot_spots *h, uint64_t tag)
{
    if (2 * h->count >= h->room && !grow(h)) return NULL;
    uint64_t at = place_of(tag, h->room);
    while (h->at[at].tag != 0 && h->at[at].tag != tag) at = (at + 1) & (h->room - 1);
    if (h->at[at].tag == 0) h->count++;
    h->at[at].tag = tag;
    return &h->at[at];
}

// Adds to the counts of sectors, additions of floats or swaps; the most of them is kept.
static bool add_sectors(hot_spot *spot, const trace_entry *e, int64_t *most)
{
    const uint64_t first =
        e->line * CACHE_SECTORS % SECTORS + (e->kind == TRACE_SWAP ? SECTORS : 0);
    if (spot->sectors == NULL) spot->sectors = calloc(2 * SECTORS, sizeof *spot->sectors);
    if (spot->sectors == NULL) return false;
    for (unsigned s = 0; s < CACHE_SECTORS; s++) {
        if (!(e->sectors >> s & 1)) continue;
        const int64_t sum = spot->sectors[first + s] += e->bytes[s];
        if (sum > *most) *most = sum;
    }
    return true;
}

bool hd__model_hot_spots_add(hot_spots *h, const trace_entry *e)
{
    hot_spot *spot = find(h, (e->line * CACHE_LINE >> SHIFT) + 1);
    if (spot == NULL) return false;
    for (int s = 0; s < CACHE_SECTORS; s++)
        if (e->sectors >> s & 1)
            spot->count += e->kind == TRACE_DOUBLES ? 2 * e->bytes[s] : e->bytes[s];
    if (spot->count > h->hottest) h->hottest = spot->count;
    return e->kind == TRACE_ATOMIC || add_sectors(spot, e, &h->hottest_floats);
}

bool hd__model_hot_spots_swap(hot_spots *h, const trace_entry *e)
{
    hot_spot *spot = find(h, (e->line * CACHE_LINE >> SHIFT) + 1);
    return spot != NULL && add_sectors(spot, e, &h->hottest_swaps);
}

void hd__model_hot_spots_close(hot_spots *h)
{
    for (uint64_t k = 0; k < h->room; k++) free(h->at[k].sectors);
    free(h->at);
    *h = (hot_spots){0};
}
