// SPDX-License-Identifier: Apache-2.0
// Shuffle as a sort by keys made on the spot: elements are parted by the first bits of their keys, which
// are spread evenly; each bucket then is in the second cache, where it is sorted by the rest.
#include "core/shuffle.h"
#include "cpu/buckets.h"
#include "cpu/cpu.h"

#include <omp.h>

#define MOST_BITS    8         // 256 buckets are written to at once
#define BUCKET       (1 << 14) // elements of a bucket, if that many buckets will do
#define TILE         1024      // elements on their way in
#define SUB_ELEMENTS 8         // of a part of a bucket that is sorted by insertion
#define MOST_SUB     (1 << 12)

typedef struct keyed {
    uint64_t key;
    uint32_t at; // in its bucket
} keyed;

typedef struct plan {
    const hd__shuffle_job *job;
    int threads, bits, buckets;
    size_t size;
    int64_t *starts; // thread t's part of bucket k begins at [k * threads + t]
    uint64_t *keys;  // by bucket
    char *values;    // with them
    char *tiles;     // one a thread
    int64_t longest; // bucket
} plan;

static inline int64_t bucket_of(const plan *p, uint64_t key)
{
    return p->bits > 0 ? (int64_t)(key >> (64 - p->bits)) : 0;
}

static void share_of(const plan *p, int t, int64_t *begin, int64_t *end)
{
    const int64_t each = p->job->n / p->threads;
    *begin = each * t;
    *end = t + 1 < p->threads ? *begin + each : p->job->n;
}

static void count_share(const plan *p, int t)
{
    int64_t counts[1 << MOST_BITS] = {0}, begin, end;
    share_of(p, t, &begin, &end);
    for (int64_t i = begin; i < end; i++) counts[bucket_of(p, hd__shuffle_key(p->job->start, i))]++;
    for (int k = 0; k < p->buckets; k++) p->starts[(int64_t)k * p->threads + t] = counts[k];
}

static void add_up(plan *p)
{
    int64_t sum = 0;
    p->longest = 0;
    for (int64_t k = 0; k <= (int64_t)p->buckets * p->threads; k++) {
        const bool last = k == (int64_t)p->buckets * p->threads;
        const int64_t here = last ? 0 : p->starts[k];
        p->starts[k] = sum;
        sum += here;
        if (k > 0 && k % p->threads == 0 && sum - here - p->starts[k - p->threads] > p->longest)
            p->longest = sum - here - p->starts[k - p->threads];
    }
}

static void part_share(const plan *p, int t)
{
    int64_t next[1 << MOST_BITS], begin, end;
    char *tile = p->tiles + (size_t)t * hd__padded(TILE * p->size);
    for (int k = 0; k < p->buckets; k++) next[k] = p->starts[(int64_t)k * p->threads + t];
    share_of(p, t, &begin, &end);
    for (int64_t start = begin; start < end; start += TILE) {
        const int64_t m = end - start < TILE ? end - start : TILE;
        const char *from = hd__at(&p->job->in, start);
        if (!hd__is_contiguous(&p->job->in)) {
            hd__gather(&p->job->in, start, m, tile);
            from = tile;
        }
        for (int64_t i = 0; i < m; i++) {
            const uint64_t key = hd__shuffle_key(p->job->start, start + i);
            const int64_t at = next[bucket_of(p, key)]++;
            p->keys[at] = key;
            hd__copy_node(p->values + (size_t)at * p->size, from + (size_t)i * p->size, p->size);
        }
    }
}

// ---- One bucket -------------------------------------------------------------------------------

static void sort_by_insertion(keyed *x, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const keyed one = x[i];
        int64_t j = i;
        for (; j > 0 && x[j - 1].key > one.key; j--) x[j] = x[j - 1];
        x[j] = one;
    }
}

// Keys in order, equal ones as they came: by the bits after the bucket's into parts of a few, each of
// which is then sorted.
static void sort_bucket(const plan *p, const uint64_t *keys, int64_t n, keyed *sorted)
{
    int bits = 0;
    while (bits < 12 && n >> bits > SUB_ELEMENTS) bits++;
    uint32_t end[MOST_SUB + 1] = {0};
    const int drop = 64 - bits;
    for (int64_t i = 0; bits > 0 && i < n; i++) end[(keys[i] << p->bits >> drop) + 1]++;
    for (int k = 0; k < 1 << bits; k++) end[k + 1] += end[k];
    for (int64_t i = 0; i < n; i++) {
        const uint64_t part = bits > 0 ? keys[i] << p->bits >> drop : 0;
        sorted[end[part]++] = (keyed){keys[i], (uint32_t)i};
    }
    for (int64_t k = 0, begin = 0; k < 1 << bits; begin = end[k], k++)
        sort_by_insertion(sorted + begin, end[k] - begin);
}

static void emit(const plan *p, int64_t first, const keyed *sorted, int64_t n, char *tile)
{
    const hd_view *out = &p->job->out;
    const char *values = p->values + (size_t)first * p->size;
    const bool row = hd__is_contiguous(out);
    for (int64_t start = 0; start < n; start += TILE) {
        const int64_t m = n - start < TILE ? n - start : TILE;
        char *to = row ? (char *)(uintptr_t)hd__at(out, first + start) : tile;
        for (int64_t i = 0; i < m; i++)
            hd__copy_node(to + (size_t)i * p->size, values + sorted[start + i].at * p->size,
                          p->size);
        if (!row) hd__scatter(out, first + start, m, to);
    }
}

static void shuffle_bucket(const plan *p, int64_t k, keyed *sorted, char *tile)
{
    const int64_t first = p->starts[k * p->threads];
    const int64_t n = p->starts[(k + 1) * p->threads] - first;
    sort_bucket(p, p->keys + first, n, sorted);
    emit(p, first, sorted, n, tile);
}

// ---- All --------------------------------------------------------------------------------------

static void make_plan(hd_context *ctx, const hd__shuffle_job *job, plan *p)
{
    *p = (plan){.job = job, .size = hd__size_of(job->in.type)};
    p->threads = hd__worth_threads(ctx, job->n, 4 * (p->size + sizeof(uint64_t)));
    while (p->bits < MOST_BITS && job->n >> p->bits > BUCKET) p->bits++;
    p->buckets = 1 << p->bits;
}

static size_t lay_out(plan *p, char *memory)
{
    const size_t starts = hd__padded((size_t)(p->buckets * p->threads + 1) * sizeof(int64_t));
    const size_t keys = hd__padded((size_t)p->job->n * sizeof(uint64_t));
    const size_t values = hd__padded((size_t)p->job->n * p->size);
    const size_t tiles = (size_t)p->threads * hd__padded(TILE * p->size);
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
    const size_t each = hd__padded((size_t)p->longest * sizeof(keyed));
    const size_t bytes = (size_t)p->threads * each;
    char *memory = hd__allocate(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        const size_t t = (size_t)omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = 0; k < p->buckets; k++)
            shuffle_bucket(p, k, (keyed *)(memory + t * each),
                           p->tiles + t * hd__padded(TILE * p->size));
    }
    hd__release(ctx, memory, bytes);
    return HD_OK;
}

hd_status hd__cpu_shuffle(hd_context *ctx, const void *any, const char **why)
{
    const hd__shuffle_job *job = any;
    plan p;
    if (job->n >> 32 >> MOST_BITS != 0) {
        *why = "more than 2^40 elements";
        return HD__DECLINED;
    }
    if (job->n == 0) return HD_OK;
    make_plan(ctx, job, &p);
    const size_t bytes = lay_out(&p, NULL);
    char *memory = hd__scratch(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    lay_out(&p, memory);
    hd__advise_huge(memory, bytes);
#pragma omp parallel for num_threads(p.threads) schedule(static) if (p.threads > 1)
    for (int t = 0; t < p.threads; t++) count_share(&p, t);
    add_up(&p);
#pragma omp parallel for num_threads(p.threads) schedule(static) if (p.threads > 1)
    for (int t = 0; t < p.threads; t++) part_share(&p, t);
    return shuffle_buckets(ctx, &p);
}
