// SPDX-License-Identifier: Apache-2.0
// Scatter that writes. One thread writes in order; several do where indices are promised to be
// unique or keep to a destination range for each thread; else sources are partitioned by
// destination first (scatter_buckets.c), which is also faster over much memory. Combining is in
// scatter_combine.c.
#include "scatter.h"
#include "core/system/float_state.h"
#include "patterns/move/indices.h"
#include "buckets.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"
#include "scatter_buckets.h"

#include <stdatomic.h>

#define TILE       1024
#define GROUP      32 // indices tested at once, as in gather.c
#define CHUNKS_MAX 1024

typedef struct wide {
    uint64_t word[2];
} wide;

typedef int64_t write_tile(const void *indices, const void *values, int64_t n, int64_t low,
                           int64_t high, void *to);

#define I    int32_t
#define U    uint32_t
#define T    uint8_t
#define NAME i32_1
#include "scatter.inc"
#define I    int32_t
#define U    uint32_t
#define T    uint16_t
#define NAME i32_2
#include "scatter.inc"
#define I    int32_t
#define U    uint32_t
#define T    uint32_t
#define NAME i32_4
#include "scatter.inc"
#define I    int32_t
#define U    uint32_t
#define T    uint64_t
#define NAME i32_8
#include "scatter.inc"
#define I    int32_t
#define U    uint32_t
#define T    wide
#define NAME i32_16
#include "scatter.inc"
#define I    int64_t
#define U    uint64_t
#define T    uint8_t
#define NAME i64_1
#include "scatter.inc"
#define I    int64_t
#define U    uint64_t
#define T    uint16_t
#define NAME i64_2
#include "scatter.inc"
#define I    int64_t
#define U    uint64_t
#define T    uint32_t
#define NAME i64_4
#include "scatter.inc"
#define I    int64_t
#define U    uint64_t
#define T    uint64_t
#define NAME i64_8
#include "scatter.inc"
#define I    int64_t
#define U    uint64_t
#define T    wide
#define NAME i64_16
#include "scatter.inc"

static bool is_narrow(const hd_view *index)
{
    return index->type == HD_I32 && hd__is_contiguous(index);
}

// Elements are moved as the integers of their size where out and in have their alignment.
static write_tile *find_write(const hd__scatter_job *job)
{
    const bool narrow = is_narrow(&job->index), row = hd__is_contiguous(&job->out);
    const size_t size = hd__size_of(job->out.type);
    uintptr_t at = (uintptr_t)job->out.data;
    if (job->in.map == NULL && job->in.view[0].space == HD_HOST)
        at |= (uintptr_t)job->in.view[0].data;
    if (!row || at % (size < 8 ? size : 8) != 0) return NULL;
    switch (size) {
    case 1: return narrow ? write_i32_1 : write_i64_1;
    case 2: return narrow ? write_i32_2 : write_i64_2;
    case 4: return narrow ? write_i32_4 : write_i64_4;
    case 8: return narrow ? write_i32_8 : write_i64_8;
    case 16: return narrow ? write_i32_16 : write_i64_16;
    default: return NULL;
    }
}

int hd__cpu_scatter_threads(const hd_context *ctx, const hd__scatter_job *job)
{
    return hd__cpu_threads_for(ctx, job->in.n, 4 * hd__size_of(job->out.type));
}

// ---- Straight ahead ---------------------------------------------------------------------------

// One chunk: sources begin .. end - 1, which it writes to low .. high - 1.
typedef struct chunk {
    const hd__scatter_job *job;
    write_tile *write;
    int64_t begin, end, low, high;
    int64_t bad;
    char *tile;
    hd__cpu_progress *progress;
} chunk;

// One by one, sources at .. at + m - 1 from the index as i64. False where a good index is not of
// this chunk.
static bool write_slowly(chunk *s, const char *values, int64_t at, int64_t m)
{
    const hd_view *out = &s->job->out;
    const size_t size = hd__size_of(out->type);
    const bool row = hd__is_contiguous(out);
    int64_t index[TILE];
    hd__indices(&s->job->index, at, m, index);
    for (int64_t i = 0; i < m; i++) {
        const void *value = values + (size_t)i * size;
        if (!hd__within(index[i], s->job->limit)) {
            if (s->bad < 0) s->bad = at + i;
            continue;
        }
        if (index[i] < s->low || index[i] >= s->high) return false;
        if (row)
            hd__copy_node((void *)(uintptr_t)hd__at(out, index[i]), value, size);
        else
            hd__scatter(out, index[i], 1, value);
    }
    return true;
}

// As far as groups of good indices go, and on behind each that is not.
static bool write_tile_of(chunk *s, const char *indices, size_t step, const char *values,
                          int64_t at, int64_t m)
{
    const size_t size = hd__size_of(s->job->out.type);
    for (int64_t i = 0; i < m;) {
        if (s->write != NULL)
            i += s->write(indices + (size_t)i * step, values + (size_t)i * size, m - i, s->low,
                          s->high, s->job->out.data);
        const int64_t few = s->write == NULL || m - i < GROUP ? m - i : GROUP;
        if (!write_slowly(s, values + (size_t)i * size, at + i, few)) return false;
        i += few;
    }
    return true;
}

static bool write_chunk(chunk *s, const atomic_bool *stopped)
{
    const hd_view *index = &s->job->index;
    const bool wide_already =
        (index->type == HD_I64 || index->type == HD_U64) && hd__is_contiguous(index);
    const bool as_it_lies = is_narrow(index) || wide_already;
    int64_t numbers[TILE];
    for (int64_t at = s->begin; at < s->end; at += TILE) {
        const int64_t m = s->end - at < TILE ? s->end - at : TILE;
        const void *values = hd__read_elements(&s->job->in, at, m, s->tile);
        if (atomic_load_explicit(stopped, memory_order_relaxed)) return false;
        if (!hd__cpu_goes_on_in(s->progress, 0, 1000, at, s->job->in.n)) return false;
        if (!as_it_lies && s->write != NULL) hd__indices(index, at, m, numbers);
        const void *indices = as_it_lies ? hd__at(index, at) : (const void *)numbers;
        if (!write_tile_of(s, indices, is_narrow(index) ? 4 : 8, values, at, m)) return false;
    }
    return true;
}

static void note_bad(const hd__scatter_job *job, int64_t bad)
{
    if (job->bad == NULL || bad < 0) return;
    if (*job->bad < 0 || bad < *job->bad) *job->bad = bad;
}

// The chunks of all threads at once; false if one met an index that is not of its chunk. What was
// written then is written again: every such place has a source that comes to it.
static bool write_chunks(chunk *chunks, int count, int threads)
{
    atomic_bool stopped;
    atomic_init(&stopped, false);
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, count, threads, 1);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        if (threads > 1) hd__cpu_affinity_spread(&affinity);
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t k, end;
        while (hd__cpu_next_chunk(&stealer, &k, &end))
            for (; k < end; k++)
                if (!write_chunk(&chunks[k], &stopped))
                    atomic_store_explicit(&stopped, true, memory_order_relaxed);
    }
    if (atomic_load(&stopped)) return false;
    for (int k = 0; k < count; k++) note_bad(chunks[k].job, chunks[k].bad);
    return true;
}

// ---- A range of places for each thread --------------------------------------------------------

enum { WINDOW_MAX = 1024 }; // the most of scatter_border_window

static int64_t index_at(const hd__scatter_job *job, int64_t i)
{
    int64_t j;
    hd__indices(&job->index, i, 1, &j);
    return j;
}

// Where a chunk begins: not within a run of equal indices.
static int64_t border(const chunk *chunks, int threads, int t)
{
    const hd__scatter_job *job = chunks[0].job;
    int64_t begin = job->in.n / threads * t;
    const int64_t value = index_at(job, begin);
    for (int k = 0; t > 0 && k < hd__cpu_tune.scatter_border_run && begin > chunks[t - 1].begin;
         k++, begin--)
        if (index_at(job, begin - 1) != value) break;
    return begin;
}

// The first, least and greatest index of the window behind a border. An index out of range says
// nothing about where a chunk writes, and what it claims must never become a bound.
typedef struct window_range {
    int64_t first, least, greatest;
} window_range;

// False where the window has no index in range.
static bool look_at_window(const hd__scatter_job *job, int64_t begin, window_range *range)
{
    int64_t window[WINDOW_MAX];
    const int64_t left = job->in.n - begin, most = hd__cpu_tune.scatter_border_window;
    const int64_t m = left < most ? left : most;
    bool any = false;
    hd__indices(&job->index, begin, m, window);
    for (int64_t k = 0; k < m; k++) {
        if (!hd__within(window[k], job->limit)) continue;
        if (!any) *range = (window_range){window[k], window[k], window[k]};
        if (window[k] < range->least) range->least = window[k];
        if (window[k] > range->greatest) range->greatest = window[k];
        any = true;
    }
    return any;
}

// Cuts sources into chunks, and destinations into the ranges that the indices at the borders
// suggest, rising or falling. Ranges are disjoint and within out, whatever the indices are.
static bool guess_ranges(chunk *chunks, int threads)
{
    const hd__scatter_job *job = chunks[0].job;
    bool rises = true, falls = true;
    window_range before = {0, 0, job->limit};
    for (int t = 0; t < threads; t++) {
        window_range range;
        chunks[t].begin = border(chunks, threads, t);
        if (!look_at_window(job, chunks[t].begin, &range)) return false;
        if (t > 0) {
            chunks[t - 1].end = chunks[t].begin;
            rises &= before.first < range.first && before.least <= range.least;
            falls &= before.first > range.first && before.greatest >= range.greatest;
        }
        chunks[t].low = range.least, chunks[t].high = range.greatest + 1;
        before = range;
    }
    chunks[threads - 1].end = job->in.n;
    for (int t = 0; rises && t < threads; t++) {
        if (t == 0) chunks[t].low = 0;
        chunks[t].high = t + 1 < threads ? chunks[t + 1].low : job->limit;
    }
    for (int t = 0; !rises && falls && t < threads; t++) {
        if (t == 0) chunks[t].high = job->limit;
        chunks[t].low = t + 1 < threads ? chunks[t + 1].high : 0;
    }
    return rises || falls;
}

// ---- By buckets ---------------------------------------------------------------------------------

static void write_bucket(const hd__cpu_sources *s, int64_t k)
{
    int64_t n;
    const char *records = hd__cpu_sources_of(s, k, &n);
    const int64_t first = k << s->shift;
    const hd_view *out = &s->job->out;
    const size_t size = s->value_bytes;
    if (hd__is_contiguous(out) && size == 4 && (uintptr_t)out->data % 4 == 0) {
        uint32_t *to = (uint32_t *)out->data + first;
        const uint32_t *record = (const uint32_t *)records;
        for (int64_t i = 0; i < n; i++) to[record[2 * i]] = record[2 * i + 1];
    } else if (hd__is_contiguous(out) && size == 8 && (uintptr_t)out->data % 8 == 0) {
        uint64_t *to = (uint64_t *)out->data + first;
        const uint64_t *record = (const uint64_t *)records;
        for (int64_t i = 0; i < n; i++) to[*(const uint32_t *)&record[2 * i]] = record[2 * i + 1];
    } else {
        for (int64_t i = 0; i < n; i++, records += s->record_bytes) {
            uint32_t near;
            memcpy(&near, records, sizeof near);
            const char *value = records + (size == 8 ? 8 : sizeof near);
            hd__scatter(out, first + near, 1, value);
        }
    }
}

static hd_status write_partitioned(hd_context *ctx, const hd__scatter_job *job, int threads,
                                   hd__cpu_progress *progress)
{
    const int64_t round_max = hd__cpu_tune.scatter_round;
    hd__cpu_sources s;
    const int64_t n = job->in.n, most = n < round_max ? n : round_max;
    const size_t bytes = hd__cpu_sources_plan(&s, job, threads, most, progress);
    void *memory = hd__scratch(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_advise_huge(memory, bytes);
    hd__cpu_sources_layout(&s, memory, most);
    for (s.begin = 0; s.begin < n && !hd__cpu_is_stopped(progress); s.begin = s.end) {
        s.end = n - s.begin < most ? n : s.begin + most;
        hd__cpu_sources_partition(&s);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
        for (int64_t k = 0; k < s.buckets; k++) {
            HD__FLOAT_STATE;
            if (hd__cpu_sources_go_on(&s, k)) write_bucket(&s, k);
        }
    }
    hd__cpu_sources_report(&s);
    return hd__cpu_progress_status(progress);
}

// ---- Which way --------------------------------------------------------------------------------

// A sample of the indices takes some microseconds: only where the answer is needed.
static bool is_local(const hd__scatter_job *job)
{
    return hd__cpu_is_local(&job->index, (int64_t)hd__size_of(job->out.type));
}

// Whether writing in the order of the sources would jump about in memory larger than the caches.
static bool is_far(const hd__scatter_job *job)
{
    const size_t size = hd__size_of(job->out.type);
    return job->in.n >= hd__cpu_tune.scatter_buckets_from &&
           job->limit >= hd__cpu_tune.scatter_buckets_from_bytes / (int64_t)size &&
           job->in.n >= job->limit / 8 && (size == 4 || size == 8) && !is_local(job);
}

static hd_status write_all(hd_context *ctx, const hd__scatter_job *job)
{
    int threads = hd__cpu_scatter_threads(ctx, job);
    const int64_t n = job->in.n;
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    // Many threads have enough writes under way without parting what goes to places of its own: 16
    // cores of a Xeon take 21 ms for 2^24 i32 partitioned, 13 to 20 not.
    const bool many = threads > hd__cpu_tune.static_threads_max && job->unique;
    if (!many && is_far(job)) return write_partitioned(ctx, job, threads, &progress);
    chunk chunks[CHUNKS_MAX];
    const size_t tile = hd__padded(hd__elements_bytes(&job->in, TILE));
    const int64_t wanted = many ? hd__cpu_tune.chunks_per_thread * threads : threads;
    const int count = wanted < CHUNKS_MAX ? (int)wanted : CHUNKS_MAX;
    char *tiles = hd__scratch(ctx, (size_t)count * tile + HD__ALIGNMENT);
    if (tiles == NULL) return HD_ERROR_MEMORY;
    for (int k = 0; k < count; k++)
        chunks[k] = (chunk){.job = job,
                            .write = find_write(job),
                            .begin = n / count * k,
                            .end = k + 1 < count ? n / count * (k + 1) : n,
                            .high = job->limit,
                            .bad = -1,
                            .tile = tiles + (size_t)k * tile,
                            .progress = &progress};
    if (threads == 1 || job->unique || (is_local(job) && guess_ranges(chunks, threads))) {
        if (write_chunks(chunks, count, threads)) return HD_OK;
        HD_TRY(hd__cpu_progress_status(&progress));
    }
    return write_partitioned(ctx, job, threads, &progress);
}

hd_status hd__cpu_scatter(hd_context *ctx, const void *any, const char **why)
{
    const hd__scatter_job *job = any;
    if (job->limit > hd__cpu_tune.scatter_buckets_max << 31) {
        *why = "out has more than 2^39 elements";
        return HD__DECLINED;
    }
    if (job->in.n == 0) return HD_OK;
    if (job->limit == 0) { // every index is bad
        if (job->bad != NULL) *job->bad = 0;
        return HD_OK;
    }
    return job->combines ? hd__cpu_scatter_combine(ctx, job) : write_all(ctx, job);
}

// ---- Few elements -------------------------------------------------------------------------------

#define SCATTER_FEW(I, T)                                                                          \
    static void scatter_few_##I##_##T(const T *in, const I *index, int64_t n, T *out,              \
                                      uint64_t room)                                               \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            if ((uint64_t)index[i] < room) out[index[i]] = in[i];                                  \
    }
#define SCATTER_FEW_BY(I) SCATTER_FEW(I, uint32_t) SCATTER_FEW(I, uint64_t)
SCATTER_FEW_BY(int32_t)
SCATTER_FEW_BY(uint32_t)
SCATTER_FEW_BY(int64_t)
SCATTER_FEW_BY(uint64_t)

#define SCATTER_ROW(type, I)                                                                       \
    case type:                                                                                     \
        if (size == 4)                                                                             \
            scatter_few_##I##_uint32_t(in, index, n, out, (uint64_t)room);                         \
        else                                                                                       \
            scatter_few_##I##_uint64_t(in, index, n, out, (uint64_t)room);                         \
        return true;

bool hd__cpu_scatter_row(size_t size, const void *in, hd_type index_type, const void *index,
                         int64_t n, void *out, int64_t room)
{
    if (n > hd__cpu_tune.scatter_row_max || (size != 4 && size != 8)) return false;
    switch (index_type) {
        SCATTER_ROW(HD_I32, int32_t)
        SCATTER_ROW(HD_U32, uint32_t)
        SCATTER_ROW(HD_I64, int64_t)
        SCATTER_ROW(HD_U64, uint64_t)
    default: return false;
    }
}
