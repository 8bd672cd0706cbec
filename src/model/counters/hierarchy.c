// SPDX-License-Identifier: Apache-2.0
//
// The caches of a chip: an L1 and a cache for constants on each multiprocessor, one L2.
//
// L1: loads bring sectors; stores go through to the L2 and leave what they wrote; atomics happen in
// the L2 and drop the line. L2: what is missing comes from DRAM in pairs of sectors; what was
// written goes to DRAM when its line must go, and a sector that was written in part is read first.
// What is still in the L2 when the kernel ends was not written to DRAM. All of it as ncu counts it
// on an H200: model-hardware.md.
#include "hot_spots.h"

#include <stdlib.h>
#include <string.h>

#define CONSTANT_BYTES 2048
#define TURN           4  // requests of a warp before the next warp's turn
#define SLICE          32 // the same before the next multiprocessor's
#define AHEAD          8  // entries that are prefetched into the host's cache

typedef struct multiprocessor {
    cache l1, constant;
    trace_entry *entries; // of its blocks, in the order of their times
    int64_t count, at;
} multiprocessor;

struct hierarchy {
    const architecture *a;
    int64_t l1_bytes;
    multiprocessor *on;
    cache l2;
    cache_counts counts;
    hot_spots hot;
};

hierarchy *hd__model_hierarchy_new(const architecture *a, const occupancy *o)
{
    hierarchy *h = calloc(1, sizeof *h);
    if (h == NULL) return NULL;
    h->a = a, h->l1_bytes = o->l1_bytes;
    h->on = calloc((size_t)a->multiprocessors, sizeof *h->on);
    const bool good = h->on != NULL && hd__model_cache_open(&h->l2, (int64_t)a->l2_kib * 1024);
    if (good) return h;
    hd__model_hierarchy_free(h);
    return NULL;
}

void hd__model_hierarchy_free(hierarchy *h)
{
    if (h == NULL) return;
    for (int32_t k = 0; h->on != NULL && k < h->a->multiprocessors; k++) {
        hd__model_cache_close(&h->on[k].l1);
        hd__model_cache_close(&h->on[k].constant);
        free(h->on[k].entries);
    }
    free(h->on);
    hd__model_cache_close(&h->l2);
    hd__model_hot_spots_close(&h->hot);
    free(h);
}

cache_counts hd__model_hierarchy_counts(const hierarchy *h)
{
    cache_counts counts = h->counts;
    counts.hottest = h->hot.hottest, counts.hottest_floats = h->hot.hottest_floats;
    counts.hottest_swaps = h->hot.hottest_swaps;
    return counts;
}

// ---- L2 and DRAM --------------------------------------------------------------------------------

static void write_back(hierarchy *h, const cache_line *gone)
{
    for (int s = 0; gone->tag != 0 && s < CACHE_SECTORS; s++) {
        if (gone->written[s] == 0) continue;
        h->counts.dram_written += CACHE_SECTOR;
        if (gone->written[s] < CACHE_SECTOR && !(gone->here >> s & 1))
            h->counts.dram_read += CACHE_SECTOR;
    }
}

static cache_line *l2_line(hierarchy *h, uint64_t line)
{
    cache_line gone;
    cache_line *found = hd__model_cache_find(&h->l2, line);
    if (found != NULL) return found;
    found = hd__model_cache_put(&h->l2, line, &gone);
    write_back(h, &gone);
    return found;
}

// Brings a sector and the other of its pair.
static void fetch(hierarchy *h, cache_line *line, int sector)
{
    for (int s = sector & ~1; s <= (sector | 1); s++) {
        if (line->here >> s & 1 || line->written[s] == CACHE_SECTOR) continue;
        h->counts.dram_read += CACHE_SECTOR;
        line->here |= (uint8_t)(1u << s);
    }
}

static bool has_sector(const cache_line *line, int s)
{
    return line->here >> s & 1 || line->written[s] == CACHE_SECTOR;
}

static void l2_read(hierarchy *h, uint64_t line, unsigned sectors)
{
    cache_line *found = l2_line(h, line);
    for (int s = 0; s < CACHE_SECTORS; s++) {
        if (!(sectors >> s & 1)) continue;
        const bool here = has_sector(found, s);
        h->counts.l2_reads++;
        h->counts.l2_hits += here, h->counts.l2_misses += !here;
        if (!here) fetch(h, found, s);
    }
}

// Writes find their place without a question to DRAM: they count as hits.
static void l2_write(hierarchy *h, const trace_entry *e)
{
    cache_line *found = l2_line(h, e->line);
    for (int s = 0; s < CACHE_SECTORS; s++) {
        if (!(e->sectors >> s & 1)) continue;
        const int bytes = found->written[s] + e->bytes[s];
        found->written[s] = (uint8_t)(bytes < CACHE_SECTOR ? bytes : CACHE_SECTOR);
        h->counts.l2_writes++, h->counts.l2_hits++;
        h->counts.l2_parts += e->bytes[s] < CACHE_SECTOR;
    }
}

static bool l2_atomic(hierarchy *h, const trace_entry *e)
{
    cache_line *found = l2_line(h, e->line);
    for (int s = 0; s < CACHE_SECTORS; s++) {
        if (!(e->sectors >> s & 1)) continue;
        const bool here = has_sector(found, s);
        h->counts.l2_atomics += e->bytes[s];
        h->counts.l2_hits += e->bytes[s] - !here, h->counts.l2_misses += !here;
        if (!here) fetch(h, found, s);
        found->written[s] = CACHE_SECTOR;
    }
    return hd__model_hot_spots_add(&h->hot, e);
}

// ---- A multiprocessor ---------------------------------------------------------------------------

static cache_line *l1_line(multiprocessor *p, uint64_t line)
{
    cache_line gone;
    cache_line *found = hd__model_cache_find(&p->l1, line);
    return found != NULL ? found : hd__model_cache_put(&p->l1, line, &gone);
}

static void l1_load(hierarchy *h, multiprocessor *p, const trace_entry *e)
{
    cache_line *found = l1_line(p, e->line);
    const unsigned here = found != NULL && e->kind == TRACE_LOAD ? found->here : 0;
    const unsigned missing = e->sectors & ~here;
    h->counts.l1_hits += __builtin_popcount(e->sectors & here);
    h->counts.l1_misses += __builtin_popcount(missing);
    if (found != NULL) found->here |= (uint8_t)missing;
    if (missing != 0) l2_read(h, e->line, missing);
}

static void l1_store(hierarchy *h, multiprocessor *p, const trace_entry *e)
{
    cache_line *found = l1_line(p, e->line);
    for (int s = 0; found != NULL && s < CACHE_SECTORS; s++)
        if (e->sectors >> s & 1 && e->bytes[s] >= CACHE_SECTOR) found->here |= (uint8_t)(1u << s);
    l2_write(h, e);
}

static void constant_load(hierarchy *h, multiprocessor *p, const trace_entry *e)
{
    cache_line gone;
    const bool here = hd__model_cache_find(&p->constant, e->line) != NULL;
    if (!here) hd__model_cache_put(&p->constant, e->line, &gone);
    h->counts.constant_hits += e->bytes[0] - !here;
    h->counts.constant_misses += !here;
}

static bool run_entry(hierarchy *h, multiprocessor *p, const trace_entry *e)
{
    if (e->kind == TRACE_SWAP) return hd__model_hot_spots_swap(&h->hot, e);
    h->counts.followed += __builtin_popcount((unsigned)e->sectors);
    switch ((trace_kind)e->kind) {
    case TRACE_LOAD:
    case TRACE_STRONG: l1_load(h, p, e); return true;
    case TRACE_STORE: l1_store(h, p, e); return true;
    case TRACE_CONSTANT: constant_load(h, p, e); return true;
    case TRACE_ATOMIC:
    case TRACE_FLOATS:
    case TRACE_DOUBLES:
    case TRACE_SWAP: break;
    }
    hd__model_cache_drop(&p->l1, e->line);
    return l2_atomic(h, e);
}

// ---- Blocks that are there together -------------------------------------------------------------

static bool open_multiprocessor(const hierarchy *h, multiprocessor *p)
{
    if (p->l1.lines != NULL) return true;
    // Lines of constants have 64 bytes: half of what the cache believes.
    return hd__model_cache_open(&p->l1, h->l1_bytes) &&
           hd__model_cache_open(&p->constant, 2 * CONSTANT_BYTES);
}

// Puts the entries of traces into one array, by time: a warp's requests stay in order, and warps
// take turns, a few requests each: schedulers stay with a warp as long as it can go on.
static bool gather(multiprocessor *p, block_trace *const *traces, int64_t count)
{
    int64_t total = 0;
    uint32_t last = 0;
    for (int64_t k = 0; k < count; k++) {
        total += traces[k]->count;
        for (int64_t j = 0; j < traces[k]->count; j++)
            if (traces[k]->at[j].time / TURN > last) last = traces[k]->at[j].time / TURN;
    }
    free(p->entries);
    p->entries = malloc((size_t)(total + 1) * sizeof *p->entries);
    int64_t *place = calloc((size_t)last + 2, sizeof *place);
    p->count = p->at = 0;
    if (p->entries == NULL || place == NULL) {
        free(place);
        return false;
    }
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < traces[k]->count; j++) place[traces[k]->at[j].time / TURN + 1]++;
    for (uint32_t t = 0; t < last; t++) place[t + 1] += place[t];
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < traces[k]->count; j++)
            p->entries[place[traces[k]->at[j].time / TURN]++] = traces[k]->at[j];
    p->count = total;
    free(place);
    return true;
}

static bool run_slices(hierarchy *h)
{
    bool more = true;
    for (uint64_t until = SLICE; more; until += SLICE) {
        more = false;
        for (int32_t k = 0; k < h->a->multiprocessors; k++) {
            multiprocessor *p = &h->on[k];
            for (; p->at < p->count && p->entries[p->at].time < until; p->at++) {
                if (p->at + AHEAD < p->count) {
                    hd__model_cache_expect(&p->l1, p->entries[p->at + AHEAD].line);
                    hd__model_cache_expect(&h->l2, p->entries[p->at + AHEAD].line);
                }
                if (!run_entry(h, p, &p->entries[p->at])) return false;
            }
            more = more || p->at < p->count;
        }
    }
    return true;
}

bool hd__model_hierarchy_run(hierarchy *h, block_trace *const *traces, int64_t count)
{
    const int32_t many = h->a->multiprocessors;
    block_trace **sorted = malloc((size_t)(count + 1) * sizeof *sorted);
    int64_t *first = calloc((size_t)many + 2, sizeof *first);
    bool good = sorted != NULL && first != NULL;
    for (int64_t k = 0; good && k < count; k++) {
        first[hd__model_multiprocessor_of(h->a, traces[k]->block) + 1]++;
        h->counts.lost += traces[k]->sectors_lost;
    }
    for (int32_t p = 0; good && p < many; p++) first[p + 1] += first[p];
    for (int64_t k = 0; good && k < count; k++)
        sorted[first[hd__model_multiprocessor_of(h->a, traces[k]->block)]++] = traces[k];
    // first[p] is now where the blocks of p end.
    for (int32_t p = 0; good && p < many; p++) {
        const int64_t from = p > 0 ? first[p - 1] : 0;
        good =
            open_multiprocessor(h, &h->on[p]) && gather(&h->on[p], sorted + from, first[p] - from);
    }
    good = good && run_slices(h);
    free(sorted);
    free(first);
    return good;
}
