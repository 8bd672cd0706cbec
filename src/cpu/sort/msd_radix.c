// SPDX-License-Identifier: Apache-2.0
// MSD radix sort with all threads: one pass distributes the records to buckets by their upper bits,
// then each bucket is sorted in a core's cache. Buckets follow the counts: where keys crowd they
// are narrow, so that skew does not leave one thread with the work; a bucket that is large all
// the same is sorted as the whole was. The loops over digits are in
// cpu/simd/sort/sort_records.inc.
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"
#include "core/system/float_state.h"
#include "sort.h"

#include <string.h>

// Measured on a Neoverse V1 (1 MiB of L2 a core), 2^24 u32 over two threads.
#define FINE_BITS   12 // the counts that buckets are made of
#define FINE        (1 << FINE_BITS)
#define BUCKETS_MAX 2048               // the greatest msd_radix_buckets_max
#define CHUNK_MAX   ((int64_t)1 << 31) // counts are 32 bits wide

typedef struct team {
    const hd__cpu_sorter *s;
    int64_t chunks; // of the records, each counted and moved by one thread
    int64_t block_max;
    unsigned char *buffer, *second_buffer;
    size_t second_buffer_bytes;
    unsigned char *tiles, *sort_scratch, *lines;
    uint32_t *block_counts, *counts;
    int64_t *cursor, *start;
    uint64_t *heap; // counts of bins, of pairs of bins, ...: node k has the children 2 k, 2 k + 1
    uint16_t *of;
} team;

// What is sorted: n records, to be the outputs from `at` on. They are at `records`, or still in the
// caller's arrays (NULL).
typedef struct range {
    int64_t at, n;
    unsigned char *records;
} range;

typedef struct buckets {
    int shift, bits;
    int64_t count;
    int64_t bound[BUCKETS_MAX + 1];
} buckets;

static int64_t chunks_of(const hd__cpu_sorter *s, int64_t n)
{
    const int64_t least = n / CHUNK_MAX + 1;
    return least > s->threads ? least : s->threads;
}

static int64_t block_max(const hd__cpu_sorter *s, int64_t n)
{
    const int64_t most = hd__cpu_tune.msd_radix_block_bytes / (int64_t)s->r->bytes;
    return n < most ? n : most;
}

// ---- Records in chunks --------------------------------------------------------------------------

// Records first .. first + n - 1 of a range: where they lie, or made in the tile.
static const void *tile_of(const hd__cpu_sorter *s, const range *x, int64_t first, int64_t n,
                           void *tile)
{
    if (x->records != NULL) return x->records + (size_t)first * s->r->bytes;
    if (s->direct) return (const char *)s->io.keys + (size_t)(x->at + first) * s->r->bytes;
    s->load(&s->io, x->at + first, n, tile);
    return tile;
}

// The same of the keys alone, where records are still to be made.
static const void *key_tile_of(const hd__cpu_sorter *s, const range *x, int64_t first, int64_t n,
                               void *tile)
{
    if (x->records != NULL) return x->records + (size_t)first * s->r->bytes;
    if (s->key_direct) return (const char *)s->io.keys + (size_t)(x->at + first) * s->key_r->bytes;
    s->key_load(&s->io, x->at + first, n, tile);
    return tile;
}

static const hd__cpu_record_kernels *key_kernels(const hd__cpu_sorter *s, const range *x, int *low)
{
    *low = x->records != NULL ? s->low : 0;
    return x->records != NULL ? s->r : s->key_r;
}

static void measure_part(const hd__cpu_sorter *s, const range *x, int64_t begin, int64_t end,
                         void *tile, hd__cpu_measure *m)
{
    const int64_t tile_records = hd__cpu_tune.sort_tile;
    int low;
    const hd__cpu_record_kernels *r = key_kernels(s, x, &low);
    // Tiles share an element with the next: neighbours are compared across them.
    for (int64_t i = begin > 0 ? begin - 1 : 0; i < end; i += tile_records - 1) {
        const int64_t n = end - i < tile_records ? end - i : tile_records;
        r->measure(key_tile_of(s, x, i, n, tile), n, low, s->greatest, m);
    }
    m->varies >>= low;
}

// Bits count from the key's lowest, whatever the records.
static hd__cpu_measure measure(const hd__cpu_sorter *s, const range *x, unsigned char *tiles)
{
    const int threads = hd__cpu_threads_for(s->ctx, x->n, s->r->bytes);
    uint64_t varies = 0;
    bool rising = true, falling = true, nonincreasing = true, top = false;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(| : varies)                   \
    reduction(&& : rising, falling, nonincreasing) reduction(|| : top)
    {
        HD__FLOAT_STATE;
        const int t = omp_get_thread_num(), count = omp_get_num_threads();
        hd__cpu_measure m = {0, true, true, true, false};
        measure_part(s, x, x->n / count * t, t + 1 == count ? x->n : x->n / count * (t + 1),
                     tiles + (size_t)(t * hd__cpu_tune.sort_tile) * s->r->bytes, &m);
        varies = m.varies;
        rising = m.rising, falling = m.falling, nonincreasing = m.nonincreasing;
        top = m.top;
    }
    return (hd__cpu_measure){varies, rising, falling, nonincreasing, top};
}

size_t hd__cpu_measure_bytes(const hd__cpu_sorter *s)
{
    return (size_t)(s->ctx->threads * hd__cpu_tune.sort_tile) * s->r->bytes;
}

hd__cpu_measure hd__cpu_measure_keys(const hd__cpu_sorter *s, int64_t n, void *memory)
{
    const range x = {0, n, NULL};
    return measure(s, &x, memory);
}

// ---- Buckets ------------------------------------------------------------------------------------

static int bit_length(uint64_t x)
{
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

// Node `node` becomes a bucket if it is small enough or cannot be halved. False: too many.
static bool halve(team *c, buckets *b, uint64_t node, uint64_t most)
{
    const uint64_t bins = (uint64_t)1 << b->bits;
    if (c->heap[node] == 0) return true;
    if (c->heap[node] > most && node < bins)
        return halve(c, b, 2 * node, most) && halve(c, b, 2 * node + 1, most);
    if (b->count == hd__cpu_tune.msd_radix_buckets_max) return false;
    uint64_t first = node, last = node;
    while (first < bins) first = 2 * first, last = 2 * last + 1;
    for (uint64_t bin = first; bin <= last; bin++) c->of[bin - bins] = (uint16_t)b->count;
    b->bound[b->count + 1] = b->bound[b->count] + (int64_t)c->heap[node];
    b->count++;
    return true;
}

// The counts of all chunks, at the bottom of the heap.
static void add_counts(team *c, const buckets *b)
{
    const uint64_t bins = (uint64_t)1 << b->bits;
    memset(c->heap, 0, 2 * bins * sizeof *c->heap);
    for (int64_t p = 0; p < c->chunks; p++) {
        const uint32_t *counts = c->counts + p * 2 * FINE;
        for (uint64_t k = 0; k < bins; k++)
            c->heap[bins + k] += (uint64_t)counts[k] + counts[bins + k];
    }
}

static void select_buckets(team *c, const range *x, buckets *b)
{
    const hd__cpu_sorter *s = c->s;
    const int64_t buckets_max = hd__cpu_tune.msd_radix_buckets_max;
    const uint64_t bins = (uint64_t)1 << b->bits;
    add_counts(c, b);
    memset(c->of, 0, bins * sizeof *c->of);
    for (uint64_t k = bins - 1; k > 0; k--) c->heap[k] = c->heap[2 * k] + c->heap[2 * k + 1];
    uint64_t most = (uint64_t)hd__cpu_tune.msd_radix_bucket_bytes / s->r->bytes;
    const uint64_t share = (uint64_t)x->n / (8 * (uint64_t)s->threads);
    if (most > share) most = share;
    do {
        b->count = b->bound[0] = 0;
        if (most < (uint64_t)(x->n / buckets_max)) most = (uint64_t)(x->n / buckets_max);
    } while (!halve(c, b, 1, most) && (most *= 2));
}

// Where each part's records of each bucket go.
static void place_parts(team *c, const buckets *b, int64_t shift)
{
    const int64_t bins = (int64_t)1 << b->bits;
    for (int64_t p = 0; p < c->chunks; p++) {
        const uint32_t *counts = c->counts + p * 2 * FINE;
        int64_t *cursor = c->cursor + p * BUCKETS_MAX;
        memset(cursor, 0, (size_t)b->count * sizeof *cursor);
        for (int64_t k = 0; k < bins; k++)
            cursor[c->of[k]] += (int64_t)counts[k] + counts[bins + k];
    }
    for (int64_t k = 0; k < b->count; k++) {
        int64_t at = b->bound[k] + shift;
        for (int64_t p = 0; p < c->chunks; p++) {
            int64_t *cursor = &c->cursor[p * BUCKETS_MAX + k];
            const int64_t n = *cursor;
            *cursor = c->start[p * BUCKETS_MAX + k] = at;
            at += n;
        }
    }
}

// ---- The stages of one range ------------------------------------------------------------------

static int64_t part_begin(const team *c, const range *x, int64_t p)
{
    return p == c->chunks ? x->n : x->n / c->chunks * p;
}

static void count_chunk(team *c, const range *x, const buckets *b, int64_t p, void *tile)
{
    const int64_t tile_records = hd__cpu_tune.sort_tile;
    const hd__cpu_sorter *s = c->s;
    const uint64_t mask = ((uint64_t)1 << b->bits) - 1;
    uint32_t *counts = c->counts + p * 2 * FINE;
    int low;
    const hd__cpu_record_kernels *r = key_kernels(s, x, &low);
    const int shift = b->shift - s->low + low;
    const int64_t end = part_begin(c, x, p + 1);
    memset(counts, 0, 2 * (mask + 1) * sizeof *counts);
    for (int64_t i = part_begin(c, x, p); i < end; i += tile_records) {
        const int64_t n = end - i < tile_records ? end - i : tile_records;
        r->count(key_tile_of(s, x, i, n, tile), n, shift, mask, counts);
    }
}

static void move_chunk(team *c, const range *x, const buckets *b, int64_t p, void *tile, void *to)
{
    const int64_t tile_records = hd__cpu_tune.sort_tile;
    const hd__cpu_sorter *s = c->s;
    const hd__cpu_buckets k = {.shift = b->shift,
                               .mask = ((uint64_t)1 << b->bits) - 1,
                               .of = c->of,
                               .cursor = c->cursor + p * BUCKETS_MAX,
                               .start = c->start + p * BUCKETS_MAX,
                               .lines = c->lines + p * BUCKETS_MAX * HD__CPU_LINE_BYTES};
    const int64_t end = part_begin(c, x, p + 1);
    const bool lines = b->count > hd__cpu_tune.msd_radix_direct_buckets;
    for (int64_t i = part_begin(c, x, p); i < end; i += tile_records) {
        const int64_t n = end - i < tile_records ? end - i : tile_records;
        (lines ? s->r->scatter_lines : s->r->scatter)(tile_of(s, x, i, n, tile), n, &k, to);
    }
    if (lines) s->r->flush_lines(&k, b->count, to);
}

static void sort_bucket(team *c, const range *x, const buckets *b, int64_t k, int t,
                        unsigned char *buffer)
{
    const hd__cpu_sorter *s = c->s;
    const int64_t n = b->bound[k + 1] - b->bound[k];
    if (n > c->block_max) return; // sorted by all threads afterwards
    const void *sorted =
        s->r->block(buffer + (size_t)b->bound[k] * s->r->bytes,
                    c->sort_scratch + (size_t)t * (size_t)c->block_max * s->r->bytes, n, s->low,
                    c->block_counts + (size_t)t * HD__CPU_BLOCK_COUNTS);
    s->store(&s->io, x->at + b->bound[k], n, sorted);
}

static void sort_buckets(team *c, const range *x, buckets *b, unsigned char *buffer)
{
    const size_t bytes = c->s->r->bytes;
    // Lines are those of memory: the first of `buffer` may begin inside one.
    const int64_t inside = (int64_t)((uintptr_t)buffer % HD__CPU_LINE_BYTES / bytes);
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(c->s->threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        const int t = omp_get_thread_num();
        void *tile = c->tiles + (size_t)(t * hd__cpu_tune.sort_tile) * bytes;
#pragma omp for schedule(static, 1)
        for (int64_t p = 0; p < c->chunks; p++) count_chunk(c, x, b, p, tile);
#pragma omp single
        {
            select_buckets(c, x, b);
            place_parts(c, b, inside);
        }
#pragma omp for schedule(static, 1)
        for (int64_t p = 0; p < c->chunks; p++)
            move_chunk(c, x, b, p, tile, buffer - (size_t)inside * bytes);
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = 0; k < b->count; k++)
            if (hd__cpu_goes_on(c->s->progress, 500 + 500 * k / b->count))
                sort_bucket(c, x, b, k, t, buffer);
    }
}

// ---- Few different keys, alone ------------------------------------------------------------------

// Keys alone that differ in few bits need not be moved: how often each occurs says everything.
static bool counts_suffice(const hd__cpu_sorter *s, const range *x, const buckets *b, int low)
{
    return s->r == s->key_r && s->low == 0 && b->shift <= low && x->n >= (int64_t)FINE * 16;
}

// Outputs begin .. end - 1 of the range: bin k is the word `base` with k above `shift`.
static void fill_part(const team *c, const range *x, const buckets *b, uint64_t base, int64_t begin,
                      int64_t end, unsigned char *tile)
{
    const int64_t tile_records = hd__cpu_tune.sort_tile;
    const hd__cpu_sorter *s = c->s;
    const uint64_t *count = c->heap + ((uint64_t)1 << b->bits);
    uint64_t k = 0;
    int64_t left = (int64_t)count[0], at = 0; // of bin k, from output `at` on
    while (at + left <= begin) at += left, left = (int64_t)count[++k];
    left -= begin - at, at = begin;
    while (at < end) {
        int64_t n = 0;
        for (; n < tile_records && at + n < end;) {
            while (left == 0) left = (int64_t)count[++k];
            int64_t run = left < tile_records - n ? left : tile_records - n;
            if (run > end - at - n) run = end - at - n;
            s->r->fill(tile + (size_t)n * s->r->bytes, run, base | k << b->shift);
            left -= run, n += run;
        }
        s->store(&s->io, x->at + at, n, tile);
        at += n;
    }
}

static void count_and_fill(team *c, const range *x, const buckets *b)
{
    const hd__cpu_sorter *s = c->s;
    const void *first = key_tile_of(s, x, 0, 1, c->tiles);
    const uint64_t word = s->r->bytes == 4 ? *(const uint32_t *)first : *(const uint64_t *)first;
    const uint64_t base = word & ~((((uint64_t)1 << b->bits) - 1) << b->shift);
#pragma omp parallel num_threads(s->threads)
    {
        HD__FLOAT_STATE;
        const int t = omp_get_thread_num(), threads = omp_get_num_threads();
        unsigned char *tile = c->tiles + (size_t)(t * hd__cpu_tune.sort_tile) * s->r->bytes;
#pragma omp for schedule(static, 1)
        for (int64_t p = 0; p < c->chunks; p++) count_chunk(c, x, b, p, tile);
#pragma omp single
        add_counts(c, b);
        fill_part(c, x, b, base, x->n / threads * t,
                  t + 1 == threads ? x->n : x->n / threads * (t + 1), tile);
    }
}

// ---- Large buckets ------------------------------------------------------------------------------

static hd_status sort_range(team *c, const range *x, const hd__cpu_measure *m,
                            unsigned char *buffer);

// Records that are in order go out as they are.
static void store_all(const team *c, const range *x)
{
    const int64_t tile_records = hd__cpu_tune.sort_tile;
#pragma omp parallel for num_threads(c->s->threads) schedule(static)
    for (int64_t i = 0; i < x->n; i += tile_records) {
        HD__FLOAT_STATE;
        c->s->store(&c->s->io, x->at + i, x->n - i < tile_records ? x->n - i : tile_records,
                    x->records + (size_t)i * c->s->r->bytes);
    }
}

// A buffer for the largest bucket of the first range, whose records are still in the
// arrays.
static hd_status allocate_second_buffer(team *c, const buckets *b)
{
    int64_t most = 0;
    for (int64_t k = 0; k < b->count; k++)
        if (b->bound[k + 1] - b->bound[k] > most) most = b->bound[k + 1] - b->bound[k];
    if (c->second_buffer != NULL || most <= c->block_max) return HD_OK;
    c->second_buffer_bytes = (size_t)most * c->s->r->bytes;
    c->second_buffer = hd__allocate(c->s->ctx, c->second_buffer_bytes);
    return c->second_buffer != NULL ? HD_OK : HD_ERROR_MEMORY;
}

static hd_status sort_large_buckets(team *c, const range *x, const buckets *b,
                                    unsigned char *buffer)
{
    const size_t bytes = c->s->r->bytes;
    if (x->records == NULL) HD_TRY(allocate_second_buffer(c, b));
    for (int64_t k = 0; k < b->count; k++) {
        const int64_t n = b->bound[k + 1] - b->bound[k];
        if (n <= c->block_max) continue;
        if (!hd__cpu_goes_on(c->s->progress, 0)) return HD_ERROR_CANCELLED;
        const size_t before = (size_t)b->bound[k] * bytes;
        const range bucket = {x->at + b->bound[k], n, buffer + before};
        const hd__cpu_measure m = measure(c->s, &bucket, c->tiles);
        if (m.varies == 0 || m.rising)
            store_all(c, &bucket);
        else
            HD_TRY(sort_range(c, &bucket, &m,
                              x->records == NULL ? c->second_buffer : x->records + before));
    }
    return HD_OK;
}

// The upper bits in which words differ, for the counts. Returns the lowest one in which they do.
static int select_bits(const team *c, const hd__cpu_measure *m, buckets *b)
{
    const uint64_t varies = m->varies << c->s->low;
    const int high = bit_length(varies), low = varies ? __builtin_ctzll(varies) : 0;
    b->bits = high - low < FINE_BITS ? high - low : FINE_BITS;
    if (b->bits < 1) b->bits = 1;
    b->shift = high > b->bits ? high - b->bits : 0;
    return low;
}

static hd_status sort_range(team *c, const range *x, const hd__cpu_measure *m,
                            unsigned char *buffer)
{
    buckets b;
    const int low = select_bits(c, m, &b);
    if (counts_suffice(c->s, x, &b, low)) {
        count_and_fill(c, x, &b);
        return HD_OK;
    }
    sort_buckets(c, x, &b, buffer);
    HD_TRY(hd__cpu_progress_status(c->s->progress));
    return sort_large_buckets(c, x, &b, buffer);
}

// The first range may do without counts.
static bool sample_sort(const team *c, const range *x, const hd__cpu_measure *m, void *memory)
{
    buckets b;
    const int low = select_bits(c, m, &b);
    return !counts_suffice(c->s, x, &b, low) &&
           hd__cpu_sample_sort(c->s, x->at, x->n, b.shift, b.bits, memory);
}

// ---- Memory -------------------------------------------------------------------------------------

static void *take(unsigned char *memory, size_t *used, size_t bytes)
{
    const size_t at = *used;
    *used += hd__padded(bytes);
    return memory != NULL ? memory + at : NULL;
}

// Lays the team's memory out; without memory, only its size is found.
static size_t lay_out(team *c, int64_t n, unsigned char *memory)
{
    const size_t bytes = c->s->r->bytes, chunks = (size_t)c->chunks,
                 threads = (size_t)c->s->threads;
    size_t used = 0;
#define TAKE(type, count) take(memory, &used, (count) * sizeof(type))
    c->buffer = TAKE(unsigned char, (size_t)n *bytes);
    c->tiles = TAKE(unsigned char, (size_t)(c->s->ctx->threads * hd__cpu_tune.sort_tile) * bytes);
    c->sort_scratch = TAKE(unsigned char, threads *(size_t)c->block_max *bytes);
    c->lines = TAKE(unsigned char, chunks *BUCKETS_MAX *HD__CPU_LINE_BYTES);
    c->block_counts = TAKE(uint32_t, threads * HD__CPU_BLOCK_COUNTS);
    c->counts = TAKE(uint32_t, chunks * 2 * FINE);
    c->cursor = TAKE(int64_t, chunks * BUCKETS_MAX);
    c->start = TAKE(int64_t, chunks * BUCKETS_MAX);
    c->heap = TAKE(uint64_t, 2 * FINE);
    c->of = TAKE(uint16_t, FINE);
#undef TAKE
    return used;
}

static team team_of(const hd__cpu_sorter *s, int64_t n)
{
    return (team){.s = s, .chunks = chunks_of(s, n), .block_max = block_max(s, n)};
}

size_t hd__cpu_msd_radix_bytes(const hd__cpu_sorter *s, int64_t n)
{
    team c = team_of(s, n);
    const size_t counted = lay_out(&c, n, NULL), sampled = hd__cpu_sample_sort_bytes(s, n);
    return counted > sampled ? counted : sampled;
}

hd_status hd__cpu_msd_radix_sort(const hd__cpu_sorter *s, int64_t at, int64_t n,
                                 const hd__cpu_measure *known, void *memory)
{
    team c = team_of(s, n);
    lay_out(&c, n, memory);
    const range x = {at, n, NULL};
    const hd__cpu_measure m = known != NULL ? *known : measure(s, &x, c.tiles);
    if (sample_sort(&c, &x, &m, memory)) return hd__cpu_progress_status(s->progress);
    const hd_status status = sort_range(&c, &x, &m, c.buffer);
    hd__release(s->ctx, c.second_buffer, c.second_buffer_bytes);
    return status;
}

// ---- One block ----------------------------------------------------------------------------------

bool hd__cpu_sorts_in_one_block(const hd__cpu_sorter *s, int64_t n)
{
    const int64_t bytes = n * (int64_t)s->r->bytes;
    return bytes <= (s->threads > 1 ? hd__cpu_tune.sort_one_block_bytes
                                    : hd__cpu_tune.msd_radix_block_bytes / 4);
}

size_t hd__cpu_sort_block_bytes(const hd__cpu_sorter *s, int64_t n)
{
    return 2 * hd__padded((size_t)n * s->r->bytes) + HD__CPU_BLOCK_COUNTS * sizeof(uint32_t);
}

void hd__cpu_sort_block(const hd__cpu_sorter *s, int64_t at, int64_t n, void *memory)
{
    const size_t bytes = hd__padded((size_t)n * s->r->bytes);
    unsigned char *records = memory;
    s->load(&s->io, at, n, records);
    const void *sorted =
        s->r->block(records, records + bytes, n, s->low, (uint32_t *)(void *)(records + 2 * bytes));
    s->store(&s->io, at, n, sorted);
}
