// SPDX-License-Identifier: Apache-2.0
// Partitions the sources of a scatter by destination, a counting sort: each thread counts the
// buckets of its chunk, then writes its records behind those of the threads before it.
#include "scatter_buckets.h"
#include "patterns/move/indices.h"
#include "buckets.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/write_combining.h"
#include "cpu/runtime/work_stealing.h"

size_t hd__cpu_sources_plan(hd__cpu_sources *s, const hd__scatter_job *job, int threads,
                            int64_t most, hd__cpu_progress *progress)
{
    const int64_t per_thread = hd__cpu_tune.scatter_buckets_per_thread;
    *s = (hd__cpu_sources){.job = job, .threads = threads, .progress = progress};
    s->chunks = hd__cpu_fixed_chunks(threads);
    s->lifts = job->combines && job->fold.form != HD__LIMBS; // whose nodes are large
    s->value_bytes = s->lifts ? job->fold.node_size : hd__size_of(hd__element_type(&job->in));
    s->record_bytes = s->value_bytes == 8 ? 16 : (s->value_bytes + 7) / 4 * 4;
    int64_t least = hd__cpu_tune.scatter_bucket_bytes / (int64_t)hd__size_of(job->out.type);
    if (least > job->limit / (per_thread * threads))
        least = job->limit / (per_thread * threads) + 1;
    hd__cpu_select_buckets(job->limit, least, (int)hd__cpu_tune.scatter_buckets_max, &s->shift,
                           &s->buckets);
    s->tile_bytes = hd__padded(s->lifts ? hd__reader_bytes(&job->in, HD__CPU_SOURCE_TILE)
                                        : hd__elements_bytes(&job->in, HD__CPU_SOURCE_TILE));
    return hd__padded((size_t)most * s->record_bytes) +
           hd__padded((size_t)(s->buckets * s->chunks + 1) * sizeof(int64_t)) +
           (size_t)threads * s->tile_bytes + (size_t)s->chunks * sizeof(int64_t);
}

void hd__cpu_sources_layout(hd__cpu_sources *s, void *memory, int64_t most)
{
    char *at = memory;
    s->records = at;
    at += hd__padded((size_t)most * s->record_bytes);
    s->starts = (int64_t *)at;
    at += hd__padded((size_t)(s->buckets * s->chunks + 1) * sizeof(int64_t));
    s->tiles = at;
    at += (size_t)s->threads * s->tile_bytes;
    s->bad = (int64_t *)at;
    for (int t = 0; t < s->chunks; t++) s->bad[t] = -1;
}

static void chunk_of(const hd__cpu_sources *s, int64_t t, int64_t *begin, int64_t *end)
{
    const int64_t each = (s->end - s->begin) / s->chunks;
    *begin = s->begin + each * t;
    *end = t + 1 < s->chunks ? *begin + each : s->end;
}

// Whether a pass over the sources of the round goes on at one of them.
static bool goes_on(const hd__cpu_sources *s, double first, double share, int64_t at)
{
    const double done = first * (double)(s->end - s->begin) + share * (double)(at - s->begin);
    return hd__cpu_goes_on_in(s->progress, 0, 1000, s->begin + (int64_t)done, s->job->in.n);
}

static void count_chunk(const void *any, int64_t t)
{
    const hd__cpu_sources *s = any;
    int64_t counts[HD__CPU_SCATTER_BUCKETS_MAX] = {0}, index[HD__CPU_SOURCE_TILE], begin, end;
    chunk_of(s, t, &begin, &end);
    for (int64_t at = begin; at < end && goes_on(s, 0, 0.2, at); at += HD__CPU_SOURCE_TILE) {
        const int64_t m = end - at < HD__CPU_SOURCE_TILE ? end - at : HD__CPU_SOURCE_TILE;
        hd__indices(&s->job->index, at, m, index);
        for (int64_t i = 0; i < m; i++)
            if (hd__within(index[i], s->job->limit))
                counts[index[i] >> s->shift]++;
            else if (s->bad[t] < 0)
                s->bad[t] = at + i;
    }
    for (int k = 0; k < s->buckets; k++) s->starts[(int64_t)k * s->chunks + t] = counts[k];
}

// A tile of values, and where its records go.
typedef struct writer {
    const hd__cpu_sources *s;
    bool far; // there are more records than a cache holds
    int64_t begin[HD__CPU_SCATTER_BUCKETS_MAX], next[HD__CPU_SCATTER_BUCKETS_MAX];
} writer;

typedef struct record_4 {
    uint32_t near, value;
} record_4;
typedef struct record_8 {
    uint32_t near, unused;
    uint64_t value;
} record_8;

#define T    record_4
#define NAME 4
#include "cpu/runtime/write_combining.inc"
#define T    record_8
#define NAME 8
#include "cpu/runtime/write_combining.inc"
#define T    uint32_t
#define NAME 4
#include "scatter_buckets.inc"
#define T    uint64_t
#define NAME 8
#include "scatter_buckets.inc"

static void write_any(writer *w, const int64_t *index, const char *values, int64_t n)
{
    const hd__cpu_sources *s = w->s;
    const uint64_t mask = (UINT64_C(1) << s->shift) - 1;
    for (int64_t i = 0; i < n; i++) {
        if (!hd__within(index[i], s->job->limit)) continue;
        const int64_t at = w->next[index[i] >> s->shift]++;
        char *record = s->records + (size_t)at * s->record_bytes;
        const uint32_t near = (uint32_t)((uint64_t)index[i] & mask);
        memcpy(record, &near, sizeof near);
        memcpy(record + sizeof near, values + (size_t)i * s->value_bytes, s->value_bytes);
    }
}

static void write_chunk(const void *any, int64_t t)
{
    const hd__cpu_sources *s = any;
    writer w = {.s = s,
                .far = (size_t)(s->end - s->begin) * s->record_bytes >=
                       (size_t)hd__cpu_tune.streaming_store_bytes};
    _Alignas(HD__CPU_LINE) char lines[HD__CPU_SCATTER_BUCKETS_MAX][HD__CPU_LINE];
    int64_t index[HD__CPU_SOURCE_TILE], begin, end;
    for (int k = 0; k < s->buckets; k++)
        w.begin[k] = w.next[k] = s->starts[(int64_t)k * s->chunks + t];
    char *tile = s->tiles + (size_t)omp_get_thread_num() * s->tile_bytes;
    chunk_of(s, t, &begin, &end);
    for (int64_t at = begin; at < end && goes_on(s, 0.2, 0.4, at); at += HD__CPU_SOURCE_TILE) {
        const int64_t m = end - at < HD__CPU_SOURCE_TILE ? end - at : HD__CPU_SOURCE_TILE;
        const void *values = s->lifts ? hd__read(&s->job->in, at, m, tile)
                                      : hd__read_elements(&s->job->in, at, m, tile);
        hd__indices(&s->job->index, at, m, index);
        if (s->value_bytes == 4)
            write_4(&w, lines, index, values, m);
        else if (s->value_bytes == 8)
            write_8(&w, lines, index, values, m);
        else
            write_any(&w, index, values, m);
    }
    if (s->value_bytes == 4) finish_4(&w, lines);
    if (s->value_bytes == 8) finish_8(&w, lines);
}

void hd__cpu_sources_partition(hd__cpu_sources *s)
{
    hd__cpu_for_each(s->chunks, s->threads, count_chunk, s);
    const int64_t all = (int64_t)s->buckets * s->chunks;
    int64_t sum = 0;
    for (int64_t k = 0; k <= all; k++) {
        const int64_t here = k < all ? s->starts[k] : 0;
        s->starts[k] = sum;
        sum += here;
    }
    if (hd__cpu_is_stopped(s->progress)) return;
    hd__cpu_for_each(s->chunks, s->threads, write_chunk, s);
}

void hd__cpu_sources_report(const hd__cpu_sources *s)
{
    if (s->job->bad == NULL) return;
    for (int t = 0; t < s->chunks; t++)
        if (s->bad[t] >= 0 && (*s->job->bad < 0 || s->bad[t] < *s->job->bad))
            *s->job->bad = s->bad[t];
}
