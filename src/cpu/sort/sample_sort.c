// SPDX-License-Identifier: Apache-2.0
// Super-scalar sample sort (Sanders and Winkel 2004; Axtmann and others 2017, IPS4o) with all
// threads, for keys that are spread well: a sample selects the buckets, records are distributed to
// them without being counted first, and each bucket is sorted in a core's cache. A bucket grows by
// chunks that its thread takes from a pool. Where a bucket turns out too large for a cache, nothing
// is written yet, and msd_radix.c sorts by counts.
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"
#include "core/system/float_state.h"
#include "sort.h"

#include <string.h>

// Measured on a Neoverse V1 (64 KiB and 1 MiB of cache a core), 2^16 to 2^27 u32 over two threads.
#define FINE_BITS 12 // of a key's bits that buckets are made of
#define FINE      (1 << FINE_BITS)

typedef struct sampling {
    const hd__cpu_sorter *s;
    int64_t at, n, parts, block_max, buckets_max;
    int64_t chunk_records, chunks; // chunks: of a part's pool; 0: they would take too much room
    int shift, bits;
    int64_t buckets;
    hd__cpu_distributor *distributors; // one for each part
    unsigned char *tiles, *blocks, *spares, *rows;
    uint8_t *counts, *ranks, *high; // high: of each bucket, the lowest bit that all its words share
    uint16_t *bases, *of;
    uint32_t *block_counts, *sample;
    uint64_t *heap; // as in msd_radix.c, of the sample
    int64_t *bound;
    hd__cpu_span *spans;
    int64_t spans_max;
} sampling;

// ---- Buckets ------------------------------------------------------------------------------------

// Runs of keys at even distances, counted by their upper bits. Returns how many.
static int64_t take_sample(sampling *d)
{
    const int64_t samples_min = hd__cpu_tune.sample_sort_samples_min;
    const int64_t samples_max = hd__cpu_tune.sample_sort_samples_max;
    const int64_t run = hd__cpu_tune.sample_sort_run;
    const hd__cpu_sorter *s = d->s;
    int64_t n = d->n / hd__cpu_tune.sample_sort_every;
    n = n > samples_max ? samples_max : n < samples_min ? samples_min : n;
    const int64_t runs = n / run, step = d->n / runs;
    const uint64_t mask = ((uint64_t)1 << d->bits) - 1;
    memset(d->sample, 0, 2 * (mask + 1) * sizeof *d->sample);
    for (int64_t k = 0; k < runs; k++) {
        const int64_t first = d->at + k * step;
        const void *keys = d->tiles;
        if (s->key_direct)
            keys = (const char *)s->io.keys + (size_t)first * s->key_r->bytes;
        else
            s->key_load(&s->io, first, run, d->tiles);
        s->key_r->count(keys, run, d->shift - s->low, mask, d->sample);
    }
    return runs * run;
}

// Node `node` of the heap, whose words share all bits from `high` on, becomes a bucket if it is
// small enough or cannot be halved. False: too many.
static bool halve(sampling *d, uint64_t node, int high, uint64_t most)
{
    const uint64_t bins = (uint64_t)1 << d->bits;
    if (d->heap[node] > most && node < bins)
        return halve(d, 2 * node, high - 1, most) && halve(d, 2 * node + 1, high - 1, most);
    if (d->buckets == d->buckets_max) return false;
    uint64_t first = node, last = node;
    while (first < bins) first = 2 * first, last = 2 * last + 1;
    for (uint64_t bin = first; bin <= last; bin++) d->of[bin - bins] = (uint16_t)d->buckets;
    d->high[d->buckets++] = (uint8_t)high;
    return true;
}

// False where a bucket would be too large for a cache.
static bool select_buckets(sampling *d)
{
    const int64_t bucket = hd__cpu_tune.sample_sort_bucket;
    const uint64_t bins = (uint64_t)1 << d->bits;
    const double each = (double)d->n / (double)take_sample(d); // records for one of the sample
    uint64_t greatest = 0;
    for (uint64_t k = 0; k < bins; k++) {
        d->heap[bins + k] = (uint64_t)d->sample[k] + d->sample[bins + k];
        if (d->heap[bins + k] > greatest) greatest = d->heap[bins + k];
    }
    if ((double)greatest * each > (double)d->block_max / 2) return false;
    for (uint64_t k = bins - 1; k > 0; k--) d->heap[k] = d->heap[2 * k] + d->heap[2 * k + 1];
    const double share = (double)d->n / (8.0 * d->s->threads);
    // A sample errs: half as much again is not yet too many.
    uint64_t most = (uint64_t)(1.5 * (bucket < share ? bucket : share) / each);
    if (most == 0) most = 1;
    do {
        d->buckets = 0;
    } while (!halve(d, 1, d->shift + d->bits, most) && (most *= 2));
    return true;
}

// ---- Chunks -------------------------------------------------------------------------------------

static int64_t part_begin(const sampling *d, int64_t p)
{
    return p == d->parts ? d->n : d->n / d->parts * p;
}

static void distribute_part(sampling *d, int64_t p, void *tile)
{
    const int64_t tile_records = hd__cpu_tune.sort_tile;
    const hd__cpu_sorter *s = d->s;
    hd__cpu_distributor *to = &d->distributors[p];
    to->shift = d->shift, to->mask = ((uint64_t)1 << d->bits) - 1, to->of = d->of;
    to->used = 0;
    memset(to->count, 0, (size_t)d->buckets * sizeof *to->count);
    for (int64_t b = 0; b < d->buckets; b++) to->next[b] = to->pool;
    const int64_t end = part_begin(d, p + 1);
    for (int64_t i = part_begin(d, p); i < end; i += tile_records) {
        const int64_t n = end - i < tile_records ? end - i : tile_records;
        const void *records = tile;
        if (s->direct)
            records = (const char *)s->io.keys + (size_t)(d->at + i) * s->r->bytes;
        else
            s->load(&s->io, d->at + i, n, tile);
        s->r->distribute(records, n, to);
    }
}

// How many records of bucket b are in the last chunk of a part, which has some.
static int64_t last_of(const sampling *d, const hd__cpu_distributor *from, int64_t b)
{
    const unsigned char *chunk = from->pool + (size_t)from->last[b] * from->chunk_bytes;
    return ((const unsigned char *)from->next[b] - chunk) / (int64_t)d->s->r->bytes;
}

// Where buckets begin. False: one is too large.
static bool find_bounds(sampling *d)
{
    bool fit = true;
    d->bound[0] = 0;
    for (int64_t b = 0; b < d->buckets; b++) {
        int64_t n = 0;
        for (int64_t p = 0; p < d->parts; p++) {
            const hd__cpu_distributor *from = &d->distributors[p];
            if (from->count[b] > 0)
                n += (from->count[b] - 1) * d->chunk_records + last_of(d, from, b);
        }
        fit = fit && n <= d->block_max;
        d->bound[b + 1] = d->bound[b] + n;
    }
    return fit;
}

// The spans of bucket b in the order of the records.
static int64_t collect_spans(const sampling *d, int64_t b, hd__cpu_span *spans)
{
    int64_t count = 0;
    for (int64_t p = 0; p < d->parts; p++) {
        const hd__cpu_distributor *from = &d->distributors[p];
        uint32_t chunk = from->first[b];
        for (uint32_t k = from->count[b]; k > 0; k--) {
            spans[count].records = from->pool + (size_t)chunk * from->chunk_bytes;
            spans[count++].n = k > 1 ? d->chunk_records : last_of(d, from, b);
            if (k > 1) chunk = from->after[chunk];
        }
    }
    return count;
}

// ---- Sorting a bucket ---------------------------------------------------------------------------

static const void *sort_spans(const sampling *d, const hd__cpu_span *spans, int64_t count,
                              int64_t n, int t)
{
    const hd__cpu_sorter *s = d->s;
    const size_t block = (size_t)d->block_max * s->r->bytes;
    unsigned char *records = d->blocks + (size_t)t * block, *to = records;
    for (int64_t k = 0; k < count; k++) {
        memcpy(to, spans[k].records, (size_t)spans[k].n * s->r->bytes);
        to += (size_t)spans[k].n * s->r->bytes;
    }
    return s->r->block(records, d->spares + (size_t)t * block, n, s->low,
                       d->block_counts + (size_t)t * HD__CPU_BLOCK_COUNTS);
}

static size_t rows_bytes(const sampling *d)
{
    return hd__padded(2 * HD__CPU_SPREAD_MAX * d->s->r->bytes + HD__CPU_SPREAD_PAD);
}

static void sort_bucket(const sampling *d, int64_t b, int t)
{
    const hd__cpu_sorter *s = d->s;
    const int64_t n = d->bound[b + 1] - d->bound[b], at = d->at + d->bound[b];
    hd__cpu_span *spans = d->spans + t * d->spans_max;
    const int64_t count = collect_spans(d, b, spans);
    if (n == 0) return;
    const hd__cpu_counting_sort_scratch room = {
        d->rows + (size_t)t * rows_bytes(d), d->counts + ((size_t)t << HD__CPU_SPREAD_BITS),
        d->ranks + (size_t)t * HD__CPU_SPREAD_MAX, d->bases + ((size_t)t << HD__CPU_SPREAD_BITS)};
    const bool direct = s->direct && s->io.keys_out != NULL;
    void *out = direct ? (unsigned char *)s->io.keys_out + (size_t)at * s->r->bytes
                       : d->blocks + (size_t)t * (size_t)d->block_max * s->r->bytes;
    if (s->r->counting_sort != NULL &&
        s->r->counting_sort(spans, n, d->high[b], s->low, &room, out)) {
        if (!direct) s->store(&s->io, at, n, out);
    } else {
        s->store(&s->io, at, n, sort_spans(d, spans, count, n, t));
    }
}

// ---- Memory -------------------------------------------------------------------------------------

static void *take(unsigned char *memory, size_t *used, size_t bytes)
{
    const size_t at = *used;
    *used += hd__padded(bytes);
    return memory != NULL ? memory + at : NULL;
}

static size_t lay_out(sampling *d, unsigned char *memory)
{
    const size_t bytes = d->s->r->bytes, parts = (size_t)d->parts, threads = (size_t)d->s->threads;
    const size_t chunk = (size_t)d->chunk_records * bytes, chunks = (size_t)d->chunks;
    const size_t buckets = (size_t)d->buckets_max;
    size_t used = 0;
#define TAKE(type, count) take(memory, &used, (count) * sizeof(type))
    unsigned char *pools = TAKE(unsigned char, parts *chunks *chunk + chunk);
    if (pools != NULL) pools += (chunk - (uintptr_t)pools % chunk) % chunk;
    d->distributors = TAKE(hd__cpu_distributor, parts);
    uint32_t *after = TAKE(uint32_t, parts * chunks);
    uint32_t *of_buckets = TAKE(uint32_t, parts * 3 * buckets);
    void **next = TAKE(void *, parts *buckets);
    if (memory != NULL)
        for (size_t p = 0; p < parts; p++)
            d->distributors[p] = (hd__cpu_distributor){.pool = pools + p * chunks * chunk,
                                                       .chunk_bytes = chunk,
                                                       .after = after + p * chunks,
                                                       .first = of_buckets + p * 3 * buckets,
                                                       .last = of_buckets + (p * 3 + 1) * buckets,
                                                       .count = of_buckets + (p * 3 + 2) * buckets,
                                                       .next = next + p * buckets};
    d->tiles = TAKE(unsigned char, threads *(size_t)hd__cpu_tune.sort_tile *bytes);
    d->blocks = TAKE(unsigned char, threads *(size_t)d->block_max *bytes);
    d->spares = TAKE(unsigned char, threads *(size_t)d->block_max *bytes);
    d->rows = TAKE(unsigned char, threads *rows_bytes(d));
    d->counts = TAKE(uint8_t, threads << HD__CPU_SPREAD_BITS);
    d->ranks = TAKE(uint8_t, threads * HD__CPU_SPREAD_MAX);
    d->bases = TAKE(uint16_t, threads << HD__CPU_SPREAD_BITS);
    d->high = TAKE(uint8_t, buckets);
    d->of = TAKE(uint16_t, FINE);
    d->block_counts = TAKE(uint32_t, threads * HD__CPU_BLOCK_COUNTS);
    d->sample = TAKE(uint32_t, 2 * FINE);
    d->heap = TAKE(uint64_t, 2 * FINE);
    d->bound = TAKE(int64_t, buckets + 1);
    d->spans = TAKE(hd__cpu_span, threads * (size_t)d->spans_max);
#undef TAKE
    return used;
}

static sampling sampling_of(const hd__cpu_sorter *s, int64_t at, int64_t n)
{
    const int64_t bytes = (int64_t)s->r->bytes, most = hd__cpu_tune.sample_sort_block_bytes / bytes;
    sampling d = {.s = s, .at = at, .n = n, .parts = s->threads, .block_max = n < most ? n : most};
    d.buckets_max = 16 * d.parts + n / (hd__cpu_tune.sample_sort_bucket / 4);
    if (d.buckets_max > FINE) d.buckets_max = FINE;
    int64_t chunk = hd__cpu_tune.sample_sort_chunk_max;
    while (chunk > hd__cpu_tune.sample_sort_chunk_min &&
           chunk * d.parts * d.buckets_max > n * bytes)
        chunk /= 2;
    if (n < hd__cpu_tune.sample_sort_samples_min * hd__cpu_tune.sample_sort_run ||
        chunk * d.parts * d.buckets_max > 2 * n * bytes)
        return d;
    d.chunk_records = chunk / bytes;
    d.chunks = (n / d.parts + d.parts) / d.chunk_records + 1 + d.buckets_max;
    d.spans_max = d.block_max / d.chunk_records + d.parts + 1;
    return d;
}

size_t hd__cpu_sample_sort_bytes(const hd__cpu_sorter *s, int64_t n)
{
    sampling d = sampling_of(s, 0, n);
    return d.chunks > 0 ? lay_out(&d, NULL) : 0;
}

bool hd__cpu_sample_sort(const hd__cpu_sorter *s, int64_t at, int64_t n, int shift, int bits,
                         void *memory)
{
    sampling d = sampling_of(s, at, n);
    d.shift = shift, d.bits = bits;
    if (d.chunks == 0) return false;
    lay_out(&d, memory);
    if (!select_buckets(&d)) return false;
    bool fit = true;
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(s->threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        const int t = omp_get_thread_num();
        void *tile = d.tiles + (size_t)(t * hd__cpu_tune.sort_tile) * s->r->bytes;
#pragma omp for schedule(static, 1)
        for (int64_t p = 0; p < d.parts; p++) distribute_part(&d, p, tile);
#pragma omp single
        fit = find_bounds(&d);
        if (fit) {
#pragma omp for schedule(dynamic, 1)
            for (int64_t b = 0; b < d.buckets; b++)
                if (hd__cpu_goes_on(s->progress, 500 + 500 * b / d.buckets)) sort_bucket(&d, b, t);
        }
    }
    return fit;
}
