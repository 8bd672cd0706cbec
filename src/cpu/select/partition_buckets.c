// SPDX-License-Identifier: Apache-2.0
// Stable partition into many buckets, a counting sort: threads own equal ranges of the sequence;
// the buckets of each range are counted, an exclusive scan turns the counts into cursors (of bucket
// 0 in each range, then of bucket 1, ...), and the elements are distributed.
#include "partition_buckets.h"
#include "core/convert.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/write_combining.h"
#include "select_kernels.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"

HD__CPU_BRINGS(const hd__cpu_select_kernels, select_micro)

#define STREAMING_MAX 256 // the most of partition_streaming_max
#define PAIR_OF_LINES                                                                              \
    128 // that counts of two ranges do not share: threads would take them from each other

typedef struct plan {
    const hd__partition_job *job;
    const hd__cpu_select_kernels *micro;
    size_t size;
    int threads, ranges;
    int distributes; // which kernel deals them out, or -1: none
    bool streaming;  // elements of 4 or 8 bytes: by whole lines instead
    unsigned char *memory;
    int64_t *cursors; // of each range: counts, then the cursor of each bucket
    int64_t pitch;    // cursors from range to range
    int64_t *begins;  // ways
    int64_t bad;      // the first element without a bucket, or n
    uint32_t *kept;   // the bucket of each element where a function told it, else NULL
    hd__cpu_progress *progress;
} plan;

#define T    uint32_t
#define NAME 4
#include "cpu/runtime/write_combining.inc"
#define T    uint64_t
#define NAME 8
#include "cpu/runtime/write_combining.inc"

// One range on its way.
typedef struct walker {
    const plan *p;
    int64_t *cursors;
    int64_t at, end;
    uint32_t *buckets, *own_buckets; // of a block; room for them
    unsigned char *elements, *flags;
} walker;

static size_t walker_bytes(const plan *p)
{
    const size_t block = (size_t)hd__cpu_tune.partition_block;
    return hd__padded(block * sizeof(uint32_t)) + hd__padded(block * p->size) +
           hd__flags_bytes(&p->job->flags, (int64_t)block);
}

// For a range, in a thread.
static void walker_init(walker *w, const plan *p, int range, int thread)
{
    const int64_t block = hd__cpu_tune.partition_block;
    unsigned char *memory = p->memory + (size_t)thread * walker_bytes(p);
    const int64_t n = p->job->n, even = n / p->ranges;
    w->p = p;
    w->cursors = p->cursors + range * p->pitch;
    w->at = even * range;
    w->end = range + 1 < p->ranges ? w->at + even : n;
    w->own_buckets = (void *)memory;
    w->elements = memory + hd__padded((size_t)block * sizeof *w->own_buckets);
    w->flags = w->elements + hd__padded((size_t)block * p->size);
}

static const void *elements_of(walker *w, int64_t n)
{
    if (hd__is_contiguous(&w->p->job->in)) return hd__at(&w->p->job->in, w->at);
    hd__gather(&w->p->job->in, w->at, n, w->elements);
    return w->elements;
}

#define AS_U32(T)                                                                                  \
    for (int64_t i = 0; i < n; i++) to[i] = ((const T *)flags)[i]

// Labels as u32; a negative or larger one becomes the greatest of all, which is no bucket.
static void narrow(uint32_t *to, hd_type type, const void *flags, int64_t n)
{
    uint64_t wide[256];
    switch (type) {
    case HD_U8: AS_U32(uint8_t); return;
    case HD_U16: AS_U32(uint16_t); return;
    case HD_U32: AS_U32(uint32_t); return;
    default: break;
    }
    for (int64_t at = 0; at < n; at += 256) {
        const int64_t m = n - at < 256 ? n - at : 256;
        hd__convert(HD_U64, wide, type, (const char *)flags + at * (int64_t)hd__size_of(type), m);
        for (int64_t i = 0; i < m; i++)
            to[at + i] = wide[i] < UINT32_MAX ? (uint32_t)wide[i] : UINT32_MAX;
    }
}

// The buckets of the next n elements; returns the first bad one's place among them, or n.
static int64_t read_buckets(walker *w, int64_t n, const void *elements)
{
    const hd__flags *l = &w->p->job->flags;
    const uint32_t ways = (uint32_t)w->p->job->ways;
    uint32_t bad = 0;
    w->buckets = w->p->kept != NULL ? w->p->kept + w->at : w->own_buckets;
    narrow(w->buckets, l->type, hd__read_flags(l, w->at, n, elements, w->flags), n);
    for (int64_t i = 0; i < n; i++) bad |= w->buckets[i] >= ways;
    if (!bad) return n;
    for (int64_t i = 0; i < n; i++)
        if (w->buckets[i] >= ways) return i;
    return n;
}

static int64_t next_block(const walker *w)
{
    const int64_t block = hd__cpu_tune.partition_block;
    return w->end - w->at < block ? w->end - w->at : block;
}

// Whether there is a block left of a pass that is `share` thousandths of the call.
static bool has_block(const walker *w, int64_t first, int64_t share)
{
    return w->at < w->end && hd__cpu_goes_on_in(w->p->progress, first, share, w->at, w->p->job->n);
}

// Returns the first bad element of a range, or n of all.
static int64_t count_range(walker *w)
{
    const bool own = w->p->job->flags.own;
    memset(w->cursors, 0, (size_t)w->p->job->ways * sizeof *w->cursors);
    for (; has_block(w, 0, 400); w->at += hd__cpu_tune.partition_block) {
        const int64_t n = next_block(w);
        const int64_t bad = read_buckets(w, n, own ? elements_of(w, n) : NULL);
        if (bad < n) return w->at + bad;
        for (int64_t i = 0; i < n; i++) w->cursors[w->buckets[i]]++;
    }
    return w->p->job->n;
}

// Counts into places.
static void counts_to_cursors(plan *p)
{
    const int64_t ways = p->job->ways;
    int64_t sum = 0;
    for (int64_t b = 0; b < ways; b++) {
        p->begins[b] = sum;
        for (int s = 0; s < p->ranges; s++) {
            const int64_t count = p->cursors[s * p->pitch + b];
            p->cursors[s * p->pitch + b] = sum;
            sum += count;
        }
    }
}

// The kernel for a job, if it is plain.
static int kernel_of(const hd__partition_job *job, size_t s)
{
    const int k = s == 1 ? 0 : s == 2 ? 1 : s == 4 ? 2 : s == 8 ? 3 : -1;
    const bool dense = hd__is_contiguous(&job->out) && (uintptr_t)job->out.data % s == 0;
    const bool aligned = !hd__is_contiguous(&job->in) || (uintptr_t)job->in.data % s == 0;
    return dense && aligned && hd__is_empty(&job->indices) ? k : -1;
}

// Any size, any layout, with indices.
static void distribute_one_by_one(walker *w, int64_t n, const unsigned char *elements)
{
    const hd__partition_job *job = w->p->job;
    const size_t size = w->p->size;
    for (int64_t i = 0; i < n; i++) {
        const int64_t to = w->cursors[w->buckets[i]]++, from = w->at + i;
        if (hd__is_contiguous(&job->out))
            memcpy((char *)job->out.data + to * (int64_t)size, elements + (size_t)i * size, size);
        else
            hd__scatter(&job->out, to, 1, elements + (size_t)i * size);
        if (!hd__is_empty(&job->indices)) hd__put_indices(&job->indices, to, 1, &from);
    }
}

// The next n elements, and their buckets, which are known to be good: those of an array are read
// again, those that a function told are not asked for again, since it might answer otherwise.
static const void *read_block(walker *w, int64_t n)
{
    const hd__flags *l = &w->p->job->flags;
    const void *elements = elements_of(w, n);
    w->buckets = w->p->kept != NULL ? w->p->kept + w->at : w->own_buckets;
    if (w->p->kept != NULL) return elements;
    narrow(w->buckets, l->type, hd__read_flags(l, w->at, n, l->own ? elements : NULL, w->flags), n);
    return elements;
}

// Whether lines of each part are collected: it pays where these are many, and all together larger
// than the caches.
static bool is_streaming(const plan *p)
{
    const hd__partition_job *job = p->job;
    return HD__CPU_STREAMS && p->distributes >= 2 &&
           job->ways >= hd__cpu_tune.partition_streaming_min &&
           job->ways <= hd__cpu_tune.partition_streaming_max &&
           (size_t)job->n * p->size >= (size_t)hd__cpu_tune.streaming_store_bytes;
}

#define DISTRIBUTE(T, NAME)                                                                        \
    for (int64_t i = 0; i < n; i++) {                                                              \
        const uint32_t b = w->buckets[i];                                                          \
        const int64_t at = w->cursors[b]++ + shift;                                                \
        *slot_##NAME(lines[b], at) = ((const T *)elements)[i];                                     \
        collect_##NAME((T *)out, lines[b], begin[b], at, true);                                    \
    }

// out from the start of its first line on, which is so many elements before it.
static void *first_line(const plan *p, int64_t *shift)
{
    const uintptr_t at = (uintptr_t)p->job->out.data;
    *shift = (int64_t)(at % HD__CPU_LINE / p->size);
    return (void *)(at - at % HD__CPU_LINE);
}

static void distribute_streaming(walker *w)
{
    const plan *p = w->p;
    const int64_t ways = p->job->ways;
    _Alignas(HD__CPU_LINE) char lines[STREAMING_MAX][HD__CPU_LINE];
    int64_t begin[STREAMING_MAX], shift;
    void *out = first_line(p, &shift);
    for (int64_t b = 0; b < ways; b++) begin[b] = w->cursors[b] + shift;
    for (; has_block(w, 400, 600); w->at += hd__cpu_tune.partition_block) {
        const int64_t n = next_block(w);
        const void *elements = read_block(w, n);
        if (p->size == 4) {
            DISTRIBUTE(uint32_t, 4)
        } else {
            DISTRIBUTE(uint64_t, 8)
        }
    }
    for (int64_t b = 0; b < ways; b++)
        if (p->size == 4)
            collected_4(out, lines[b], begin[b], w->cursors[b] + shift);
        else
            collected_8(out, lines[b], begin[b], w->cursors[b] + shift);
    hd__cpu_stream_fence();
}

static void distribute_range(walker *w)
{
    const plan *p = w->p;
    for (; has_block(w, 400, 600); w->at += hd__cpu_tune.partition_block) {
        const int64_t n = next_block(w);
        const void *elements = read_block(w, n);
        if (p->distributes >= 0)
            p->micro->distribute[p->distributes](p->job->out.data, elements, w->buckets, n,
                                                 w->cursors);
        else
            distribute_one_by_one(w, n, elements);
    }
}

static int64_t count_of(const plan *p, int range)
{
    walker w;
    walker_init(&w, p, range, omp_get_thread_num());
    return count_range(&w);
}

static int64_t distribute_of(const plan *p, int range)
{
    walker w;
    walker_init(&w, p, range, omp_get_thread_num());
    if (p->streaming)
        distribute_streaming(&w);
    else
        distribute_range(&w);
    return p->job->n;
}

// Returns the least of what it gives for the ranges.
static int64_t each_range(const plan *p, int64_t (*run)(const plan *p, int range))
{
    int64_t least = p->job->n;
    hd__cpu_ranges steal_ranges;
    hd__cpu_ranges_init(&steal_ranges, p->ranges, p->threads, 1);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1) reduction(min : least)
    {
        HD__FLOAT_STATE;
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&steal_ranges);
        int64_t k, end;
        while (hd__cpu_next_chunk(&stealer, &k, &end))
            for (; k < end; k++) {
                const int64_t one = run(p, (int)k);
                least = one < least ? one : least;
            }
    }
    return least;
}

static void distribute_all(plan *p)
{
    p->bad = each_range(p, count_of);
    if (p->bad < p->job->n || hd__cpu_is_stopped(p->progress)) return;
    counts_to_cursors(p);
    each_range(p, distribute_of);
}

static hd_status name_bad(hd_context *ctx, plan *p)
{
    walker w;
    int64_t bucket;
    walker_init(&w, p, 0, 0);
    const void *label = hd__read_flags(&p->job->flags, p->bad, 1, NULL, w.flags);
    hd__convert(HD_I64, &bucket, p->job->flags.type, label, 1);
    return hd__bad_bucket(ctx, p->job, p->bad, bucket);
}

// More ranges than are worth it would spend their time on counts.
static void cut(hd_context *ctx, plan *p)
{
    const int64_t worth = p->job->n / (4 * p->job->ways) + 1;
    const int threads = hd__cpu_threads_for(ctx, p->job->n, 2 * p->size);
    p->threads = worth < threads ? (int)worth : threads;
    const int ranges = hd__cpu_fixed_chunks(p->threads);
    p->ranges = worth < ranges ? (int)worth : ranges;
}

hd_status hd__cpu_partition_buckets(hd_context *ctx, const hd__partition_job *job)
{
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    plan p = {.job = job,
              .micro = hd__cpu_micro_table(ctx)->select,
              .size = hd__size_of(job->in.type),
              .progress = &progress};
    cut(ctx, &p);
    p.distributes = kernel_of(job, p.size);
    p.streaming = is_streaming(&p);
    const size_t own = (size_t)p.threads * walker_bytes(&p);
    const size_t ways = ((size_t)job->ways * sizeof(int64_t) / PAIR_OF_LINES + 2) * PAIR_OF_LINES;
    p.pitch = (int64_t)(ways / sizeof(int64_t));
    const size_t kept = job->flags.in.map != NULL ? (size_t)job->n * sizeof *p.kept : 0;
    p.memory = hd__scratch(ctx, own + (size_t)(p.ranges + 1) * ways + kept);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    p.begins = (void *)(p.memory + own);
    p.cursors = p.begins + p.pitch;
    if (kept > 0) p.kept = (void *)(p.cursors + p.ranges * p.pitch);
    distribute_all(&p);
    HD_TRY(hd__cpu_progress_status(&progress));
    if (p.bad < job->n) return name_bad(ctx, &p);
    hd__put_parts(job, p.begins);
    return HD_OK;
}
