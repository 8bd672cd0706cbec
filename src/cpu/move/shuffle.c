// SPDX-License-Identifier: Apache-2.0
// Random shuffle as a radix sort by hashed keys: elements are distributed by the first bits of
// their keys, which are uniform; each bucket then fits L2, where it is sorted by the rest.
#include "patterns/move/shuffle.h"
#include "core/system/float_state.h"
#include "buckets.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/write_combining.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"

#define MAX_BITS   8  // the most of shuffle_bucket_bits_max
#define DIGIT_BITS 11 // the most of shuffle_digit_bits

#define SHORT_MAX 256 // elements of a bucket that is sorted on the stack
#define TINY_MAX  24  // that is sorted without digits, whose counts take longer

typedef struct plan {
    const hd__shuffle_job *job;
    int threads, chunks, bits, buckets;
    size_t size;
    int64_t *starts; // chunk t's part of bucket k begins at [k * chunks + t]
    uint64_t *keys;  // by bucket
    char *values;    // with them
    char *tiles;     // one a thread
    bool streaming;  // keys and values go to their buckets by write-combining buffers
    int64_t longest; // bucket
} plan;

static inline int64_t bucket_of(const plan *p, uint64_t key)
{
    return p->bits > 0 ? (int64_t)(key >> (64 - p->bits)) : 0;
}

static void chunk_of(const plan *p, int64_t t, int64_t *begin, int64_t *end)
{
    const int64_t each = p->job->n / p->chunks;
    *begin = each * t;
    *end = t + 1 < p->chunks ? *begin + each : p->job->n;
}

static void count_chunk(const void *any, int64_t t)
{
    const plan *p = any;
    int64_t counts[1 << MAX_BITS] = {0}, begin, end;
    chunk_of(p, t, &begin, &end);
    for (int64_t i = begin; i < end; i++) counts[bucket_of(p, hd__shuffle_key(p->job->start, i))]++;
    for (int k = 0; k < p->buckets; k++) p->starts[(int64_t)k * p->chunks + t] = counts[k];
}

static void add_up(plan *p)
{
    int64_t sum = 0;
    p->longest = 0;
    for (int64_t k = 0; k <= (int64_t)p->buckets * p->chunks; k++) {
        const bool last = k == (int64_t)p->buckets * p->chunks;
        const int64_t here = last ? 0 : p->starts[k];
        p->starts[k] = sum;
        sum += here;
        if (k > 0 && k % p->chunks == 0 && sum - here - p->starts[k - p->chunks] > p->longest)
            p->longest = sum - here - p->starts[k - p->chunks];
    }
}

#define T    uint32_t
#define NAME 4
#include "cpu/runtime/write_combining.inc"
#define T    uint64_t
#define NAME 8
#include "cpu/runtime/write_combining.inc"

// Keys and values on their way to the buckets. Write-combining buffers are slower where lines only
// pass through the caches: 131 ms instead of 123 for 2^24 i32 on a Neoverse V1, 451 us instead of
// 335 for 2^16.
typedef struct partitioner {
    int64_t begin[1 << MAX_BITS], next[1 << MAX_BITS];
    _Alignas(HD__CPU_LINE) char keys[1 << MAX_BITS][HD__CPU_LINE];
    _Alignas(HD__CPU_LINE) char values[1 << MAX_BITS][HD__CPU_LINE];
} partitioner;

// Elements start .. start + n - 1, which lie at from.
#define PARTITION(SIZE, T)                                                                         \
    static void partition_##SIZE(const plan *p, partitioner *r, int64_t start, int64_t n,          \
                                 const char *from)                                                 \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const uint64_t key = hd__shuffle_key(p->job->start, start + i);                        \
            const int64_t k = bucket_of(p, key), at = r->next[k]++;                                \
            *slot_8(r->keys[k], at) = key;                                                         \
            collect_8(p->keys, r->keys[k], r->begin[k], at, true);                                 \
            memcpy(slot_##SIZE(r->values[k], at), from + (size_t)i * SIZE, SIZE);                  \
            collect_##SIZE((T *)p->values, r->values[k], r->begin[k], at, true);                   \
        }                                                                                          \
    }
PARTITION(4, uint32_t)
PARTITION(8, uint64_t)

static void flush_lines(const plan *p, const partitioner *r)
{
    for (int k = 0; k < p->buckets; k++) {
        collected_8(p->keys, r->keys[k], r->begin[k], r->next[k]);
        if (p->size == 4)
            collected_4((uint32_t *)p->values, r->values[k], r->begin[k], r->next[k]);
        else
            collected_8((uint64_t *)p->values, r->values[k], r->begin[k], r->next[k]);
    }
    hd__cpu_stream_fence();
}

static void partition_any(const plan *p, int64_t *next, int64_t start, int64_t n, const char *from)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = hd__shuffle_key(p->job->start, start + i);
        const int64_t at = next[bucket_of(p, key)]++;
        p->keys[at] = key;
        hd__copy_node(p->values + (size_t)at * p->size, from + (size_t)i * p->size, p->size);
    }
}

static void partition_chunk(const void *any, int64_t t)
{
    const int64_t tile_max = hd__cpu_tune.shuffle_tile;
    const plan *p = any;
    partitioner r;
    int64_t begin, end;
    char *tile = p->tiles + (size_t)omp_get_thread_num() * hd__padded((size_t)tile_max * p->size);
    for (int k = 0; k < p->buckets; k++)
        r.begin[k] = r.next[k] = p->starts[(int64_t)k * p->chunks + t];
    chunk_of(p, t, &begin, &end);
    for (int64_t start = begin; start < end; start += tile_max) {
        const int64_t m = end - start < tile_max ? end - start : tile_max;
        const char *from = hd__at(&p->job->in, start);
        if (!hd__is_contiguous(&p->job->in)) {
            hd__gather(&p->job->in, start, m, tile);
            from = tile;
        }
        if (!p->streaming)
            partition_any(p, r.next, start, m, from);
        else if (p->size == 4)
            partition_4(p, &r, start, m, from);
        else
            partition_8(p, &r, start, m, from);
    }
    if (p->streaming) flush_lines(p, &r);
}

// ---- One bucket -------------------------------------------------------------------------------

// x is nearly in order.
static void sort_by_insertion(uint64_t *x, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const uint64_t one = x[i];
        int64_t j = i;
        for (; j > 0 && x[j - 1] > one; j--) x[j] = x[j - 1];
        x[j] = one;
    }
}

// Keys whose first bits were equal, and which therefore stand as they came: by all their bits.
static void sort_equals(const uint64_t *keys, uint64_t *x, int64_t n, int at_bits)
{
    const uint64_t at = (UINT64_C(1) << at_bits) - 1;
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = i; j > 0 && x[j - 1] >> at_bits == x[j] >> at_bits &&
                            keys[x[j - 1] & at] > keys[x[j] & at];
             j--) {
            const uint64_t other = x[j];
            x[j] = x[j - 1], x[j - 1] = other;
        }
}

// Where each digit begins, from how many there are of each.
static void add_digits(uint32_t *begin, int digits)
{
    uint32_t sum = 0;
    for (int k = 0; k < digits; k++) {
        const uint32_t here = begin[k];
        begin[k] = sum;
        sum += here;
    }
}

// sorted[k] = which of the n keys comes k-th, in its low at_bits. A key is sorted as one number:
// its bits after the bucket's, as many as leave room for its place. Two digits of these, the second
// first, leave only a few neighbours to be exchanged; insertion alone, in parts of four to eight,
// mispredicts once an element and takes twice as long.
static void sort_bucket(const plan *p, const uint64_t *keys, int64_t n, uint64_t *spare,
                        uint64_t *sorted, int at_bits)
{
    if (n <= TINY_MAX) {
        for (int64_t i = 0; i < n; i++)
            sorted[i] = (keys[i] << p->bits >> at_bits << at_bits) | (uint64_t)i;
        sort_by_insertion(sorted, n);
        sort_equals(keys, sorted, n, at_bits);
        return;
    }
    int bits = (at_bits + (int)hd__cpu_tune.shuffle_extra_bits + 1) / 2;
    if (bits > hd__cpu_tune.shuffle_digit_bits) bits = (int)hd__cpu_tune.shuffle_digit_bits;
    uint32_t high[1 << DIGIT_BITS], low[1 << DIGIT_BITS];
    memset(high, 0, sizeof *high << bits);
    memset(low, 0, sizeof *low << bits);
    const int to_high = 64 - bits, to_low = 64 - 2 * bits;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = keys[i] << p->bits;
        high[key >> to_high]++;
        low[key >> to_low & mask]++;
    }
    add_digits(high, 1 << bits);
    add_digits(low, 1 << bits);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = keys[i] << p->bits;
        spare[low[key >> to_low & mask]++] = (key >> at_bits << at_bits) | (uint64_t)i;
    }
    for (int64_t i = 0; i < n; i++) sorted[high[spare[i] >> to_high]++] = spare[i];
    sort_by_insertion(sorted, n);
    sort_equals(keys, sorted, n, at_bits);
}

static void emit(const plan *p, int64_t first, const uint64_t *sorted, int64_t n, int at_bits,
                 char *tile)
{
    const int64_t tile_max = hd__cpu_tune.shuffle_tile;
    const hd_view *out = &p->job->out;
    const char *values = p->values + (size_t)first * p->size;
    const bool row = hd__is_contiguous(out);
    const uint64_t at = (UINT64_C(1) << at_bits) - 1;
    for (int64_t start = 0; start < n; start += tile_max) {
        const int64_t m = n - start < tile_max ? n - start : tile_max;
        char *to = row ? (char *)(uintptr_t)hd__at(out, first + start) : tile;
        for (int64_t i = 0; i < m; i++)
            hd__copy_node(to + (size_t)i * p->size, values + (sorted[start + i] & at) * p->size,
                          p->size);
        if (!row) hd__scatter(out, first + start, m, to);
    }
}

static void shuffle_bucket(const plan *p, int64_t k, uint64_t *room, char *tile)
{
    const int64_t first = p->starts[k * p->chunks];
    const int64_t n = p->starts[(k + 1) * p->chunks] - first;
    int at_bits = 1;
    while (n >> at_bits != 0) at_bits++;
    uint64_t *sorted = room + p->longest;
    sort_bucket(p, p->keys + first, n, room, sorted, at_bits);
    emit(p, first, sorted, n, at_bits, tile);
}

// ---- All --------------------------------------------------------------------------------------

static void make_plan(hd_context *ctx, const hd__shuffle_job *job, plan *p)
{
    *p = (plan){.job = job, .size = hd__size_of(job->in.type)};
    p->threads = hd__cpu_threads_for(ctx, job->n, 4 * (p->size + sizeof(uint64_t)));
    p->chunks = hd__cpu_fixed_chunks(p->threads);
    p->streaming = HD__CPU_STREAMS && (p->size == 4 || p->size == 8) &&
                   (uintptr_t)job->in.data % p->size == 0 &&
                   (size_t)job->n * sizeof(uint64_t) >= (size_t)hd__cpu_tune.streaming_store_bytes;
    while (p->bits < hd__cpu_tune.shuffle_bucket_bits_max &&
           job->n >> p->bits > hd__cpu_tune.shuffle_bucket)
        p->bits++;
    p->buckets = 1 << p->bits;
}

static size_t lay_out(plan *p, char *memory)
{
    const size_t starts = hd__padded((size_t)(p->buckets * p->chunks + 1) * sizeof(int64_t));
    const size_t keys = hd__padded((size_t)p->job->n * sizeof(uint64_t));
    const size_t values = hd__padded((size_t)p->job->n * p->size);
    const size_t tiles =
        (size_t)p->threads * hd__padded((size_t)hd__cpu_tune.shuffle_tile * p->size);
    if (memory != NULL) {
        p->starts = (int64_t *)memory;
        p->keys = (uint64_t *)(memory + starts);
        p->values = memory + starts + keys;
        p->tiles = memory + starts + keys + values;
    }
    return starts + keys + values + tiles;
}

static hd_status shuffle_buckets(hd_context *ctx, const plan *p)
{
    const size_t each = hd__padded(2 * (size_t)p->longest * sizeof(uint64_t));
    const size_t bytes = (size_t)p->threads * each;
    _Alignas(HD__ALIGNMENT) uint64_t room[2 * SHORT_MAX];
    if (p->threads == 1 && p->longest <= SHORT_MAX) { // nothing is allocated
        for (int64_t k = 0; k < p->buckets; k++) shuffle_bucket(p, k, room, p->tiles);
        return HD_OK;
    }
    char *memory = hd__allocate(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        const size_t t = (size_t)omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = 0; k < p->buckets; k++)
            shuffle_bucket(p, k, (uint64_t *)(memory + t * each),
                           p->tiles + t * hd__padded((size_t)hd__cpu_tune.shuffle_tile * p->size));
    }
    hd__release(ctx, memory, bytes);
    return HD_OK;
}

hd_status hd__cpu_shuffle(hd_context *ctx, const void *any, const char **why)
{
    const hd__shuffle_job *job = any;
    plan p;
    if (job->n >> 32 >> hd__cpu_tune.shuffle_bucket_bits_max != 0) {
        *why = "more than 2^40 elements";
        return HD__DECLINED;
    }
    if (job->n == 0) return HD_OK;
    make_plan(ctx, job, &p);
    const size_t bytes = lay_out(&p, NULL);
    char *memory = hd__scratch(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    lay_out(&p, memory);
    hd__cpu_advise_huge(memory, bytes);
    hd__cpu_for_each(p.chunks, p.threads, count_chunk, &p);
    add_up(&p);
    hd__cpu_for_each(p.chunks, p.threads, partition_chunk, &p);
    return shuffle_buckets(ctx, &p);
}
