// SPDX-License-Identifier: Apache-2.0
// Sorting by a comparison: elements alone, or, where positions or other arrays are wanted, pairs of
// an element and its position, by which those are then moved. Descending, every view is taken from
// its end: what is sorted backwards then reads as the reverse order, and equals keep theirs. Slices
// that fit in a cache are sorted by one thread each; longer ones one after another by all.
#include "comparators.h"
#include "core/system/float_state.h"
#include "cpu/runtime/team.h"
#include "patterns/sort/rows.h"
#include "sort.h"

enum { UNIT_SLICES = 64 }; // that a thread takes at a time

// One slice: a row, a segment or everything.
typedef struct slice {
    const hd__sort_job *job;
    int64_t begin, n;
    int64_t base;      // what positions count from
    hd_view keys, out; // of the slice alone, as indices; out and indices may be empty
    hd_view indices;
    hd__cpu_progress *progress; // or NULL
} slice;

static hd_view part_of(const hd__sort_job *job, const hd_view *v, int64_t begin, int64_t n)
{
    if (hd__is_empty(v)) return *v;
    const hd_view part = hd__range_of(v, begin, n);
    return job->descending ? hd__backwards(&part) : part;
}

static slice slice_of(const hd__cpu_segments *g, int64_t begin, int64_t end)
{
    const hd__sort_job *job = g->job;
    const int64_t n = end - begin;
    return (slice){.job = job,
                   .begin = begin,
                   .n = n,
                   .base = g->rows ? begin : 0,
                   .keys = part_of(job, &job->keys, begin, n),
                   .out = part_of(job, &job->out, begin, n),
                   .indices = part_of(job, &job->indices, begin, n)};
}

static bool needs_pairs(const hd__sort_job *job)
{
    return job->value_count > 0 || !hd__is_empty(&job->indices);
}

static const hd__order_loops *loops_of(const hd__sort_job *job)
{
    return needs_pairs(job) ? &job->order->pairs : &job->order->elements;
}

// ---- One slice ----------------------------------------------------------------------------------

static size_t split_bytes(int64_t n)
{
    return hd__padded((size_t)hd__cpu_merge_sort_splits(n) * sizeof(int64_t));
}

// Memory: splits, room for the merges, and, where out is not contiguous, the result.
static void sort_elements(const hd_context *ctx, const slice *s, char *memory)
{
    const hd_comparison *order = s->job->order;
    const size_t bytes = hd__padded((size_t)s->n * order->elements.size);
    const bool in_contiguous = hd__is_contiguous(&s->keys);
    const bool out_contiguous = hd__is_contiguous(&s->out);
    char *other = memory + split_bytes(s->n), *to = out_contiguous ? s->out.data : other + bytes;
    const hd__cpu_merge_sorting m = {.order = order,
                                     .loops = &order->elements,
                                     .from = in_contiguous ? s->keys.data : to,
                                     .to = to,
                                     .other = other,
                                     .n = s->n,
                                     .split = (int64_t *)(void *)memory,
                                     .progress = s->progress};
    if (!in_contiguous) {
        // Keys of another layout may share memory with out only by being out, which is then of
        // that layout too, and to is scratch.
        hd__gather(&s->keys, 0, s->n, to);
    }
    hd__cpu_merge_sort(ctx, &m);
    if (!out_contiguous) hd__scatter(&s->out, 0, s->n, to);
}

// Memory: splits, pairs, and what is first room for the merges and then for the arrays moved.
static void sort_pairs(const hd_context *ctx, const slice *s, char *memory)
{
    const hd__sort_job *job = s->job;
    const hd_comparison *order = job->order;
    const size_t bytes = hd__padded((size_t)s->n * order->pairs.size);
    char *pairs = memory + split_bytes(s->n), *other = pairs + bytes;
    hd__cpu_make_pairs(ctx, order, &s->keys, s->n, job->descending ? s->begin + s->n - 1 : s->begin,
                       job->descending ? -1 : 1, pairs);
    const hd__cpu_merge_sorting m = {
        order, &order->pairs, pairs, pairs, other, s->n, (int64_t *)(void *)memory, s->progress};
    hd__cpu_merge_sort(ctx, &m);
    if (s->progress != NULL && s->progress->stopped) return; // the pairs are no pairs
    hd__cpu_take_pairs(ctx, order, pairs, s->n, s->base, &s->out, &s->indices, other);
    for (int64_t k = 0; k < job->value_count; k++) {
        hd_view from, to;
        hd__sort_value(job, k, &from, &to);
        to = part_of(job, &to, s->begin, s->n);
        hd__cpu_permute_by_pairs(ctx, &(hd__cpu_pair_permutation){.order = order,
                                                                  .pairs = pairs,
                                                                  .n = s->n,
                                                                  .cut = INT64_MAX,
                                                                  .from = &from,
                                                                  .to = &to,
                                                                  .room = other});
    }
}

static size_t widest_value(const hd__sort_job *job)
{
    size_t most = 0;
    for (int64_t k = 0; k < job->value_count; k++) {
        const size_t size = hd__size_of(job->values[2 * k].type);
        if (size > most) most = size;
    }
    return most;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

// Memory for a slice of n.
static size_t slice_bytes(const hd_context *ctx, const hd__sort_job *job, int64_t n)
{
    const size_t bytes = hd__padded((size_t)n * loops_of(job)->size);
    if (!needs_pairs(job)) return split_bytes(n) + 2 * bytes;
    const size_t room =
        larger((size_t)n * widest_value(job), hd__cpu_take_pairs_bytes(ctx, job->order));
    return split_bytes(n) + bytes + hd__padded(larger(bytes, room));
}

static void sort_slice(const hd_context *ctx, const slice *s, char *memory)
{
    if (s->n == 0) return;
    if (needs_pairs(s->job))
        sort_pairs(ctx, s, memory);
    else if (!hd__is_empty(&s->out))
        sort_elements(ctx, s, memory);
}

// ---- All of them --------------------------------------------------------------------------------

// Elements of a slice up to which one thread sorts it; all threads share in one that is alone.
static int64_t short_max(const hd_context *ctx, const hd__cpu_segments *g)
{
    const size_t size = loops_of(g->job)->size;
    const int64_t most = hd__cpu_tune.merge_sort_run_bytes / (int64_t)size;
    return g->count == 1 && hd__cpu_comparison_threads(ctx, g->job->n, size) > 1 ? 0 : most;
}

static void sort_unit(const hd__cpu_segments *g, int64_t first, int64_t most, char *memory)
{
    int64_t ends[UNIT_SLICES + 1];
    const int64_t count = hd__min_of(UNIT_SLICES, g->count - first);
    hd__cpu_segment_bounds(g, first, count + 1, ends);
    for (int64_t j = 0; j < count; j++) {
        if (ends[j + 1] - ends[j] > most) continue;
        const slice s = slice_of(g, ends[j], ends[j + 1]);
        sort_slice(NULL, &s, memory);
    }
}

static hd_status sort_short(hd_context *ctx, const hd__cpu_segments *g, int64_t longest)
{
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    const int64_t units = (g->count + UNIT_SLICES - 1) / UNIT_SLICES;
    const int wanted = hd__cpu_comparison_threads(ctx, g->job->n, loops_of(g->job)->size);
    const int threads = units < wanted ? (int)units : wanted;
    const size_t bytes = hd__padded(slice_bytes(NULL, g->job, longest));
    char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    if (threads == 1) {
        for (int64_t u = 0; u < units; u++)
            if (hd__cpu_goes_on(&progress, 1000 * u / units))
                sort_unit(g, u * UNIT_SLICES, longest, memory);
        return hd__cpu_progress_status(&progress);
    }
#pragma omp parallel num_threads(threads)
    {
        HD__FLOAT_STATE;
        char *own = memory + (size_t)omp_get_thread_num() * bytes;
#pragma omp for schedule(dynamic, 1)
        for (int64_t u = 0; u < units; u++)
            if (hd__cpu_goes_on(&progress, 1000 * u / units))
                sort_unit(g, u * UNIT_SLICES, longest, own);
    }
    return hd__cpu_progress_status(&progress);
}

static hd_status sort_long(hd_context *ctx, const hd__cpu_segments *g, int64_t most)
{
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    int64_t ends[UNIT_SLICES + 1];
    for (int64_t first = 0; first < g->count; first += UNIT_SLICES) {
        const int64_t count = hd__min_of(UNIT_SLICES, g->count - first);
        hd__cpu_segment_bounds(g, first, count + 1, ends);
        for (int64_t j = 0; j < count; j++) {
            slice s = slice_of(g, ends[j], ends[j + 1]);
            if (s.n <= most) continue;
            s.progress = progress.ctx != NULL && g->count == 1 ? &progress : NULL;
            if (!hd__cpu_goes_on(&progress, 1000 * (first + j) / g->count)) break;
            char *memory = hd__scratch(ctx, slice_bytes(ctx, g->job, s.n));
            if (memory == NULL) return HD_ERROR_MEMORY;
            sort_slice(ctx, &s, memory);
        }
    }
    return hd__cpu_progress_status(&progress);
}

// ---- What no segment has ------------------------------------------------------------------------

static void copy_range(const hd_view *from, const hd_view *to, int64_t begin, int64_t end)
{
    unsigned char element[HD_MAX_ELEMENT];
    if (hd__is_empty(to) || hd__overlaps(from, to) == HD__SAME) return;
    for (int64_t i = begin; i < end; i++) {
        hd__gather(from, i, 1, element);
        hd__scatter(to, i, 1, element);
    }
}

// Elements that belong to no segment stay where they are.
static void keep_range(const hd__sort_job *job, int64_t begin, int64_t end)
{
    int64_t room;
    if (begin == end) return;
    copy_range(&job->keys, &job->out, begin, end);
    for (int64_t k = 0; k < job->value_count; k++) {
        hd_view from, to;
        hd__sort_value(job, k, &from, &to);
        copy_range(&from, &to, begin, end);
    }
    if (hd__is_empty(&job->indices)) return;
    for (int64_t i = begin; i < end; i++) hd__put_positions(&job->indices, i, 1, &i, &room);
}

hd_status hd__cpu_comparison_sort(hd_context *ctx, const hd__sort_job *job)
{
    const hd__cpu_segments g = hd__cpu_segments_of(job);
    const int64_t longest = hd__cpu_longest_segment(job), most = short_max(ctx, &g);
    int64_t first, last;
    hd__cpu_outside_segments(&g, &first, &last);
    keep_range(job, 0, first);
    keep_range(job, last, job->n);
    if (g.count == 0) return HD_OK;
    if (most > 0 && (g.count > 1 || longest <= most))
        HD_TRY(sort_short(ctx, &g, hd__min_of(longest, most)));
    return longest > most ? sort_long(ctx, &g, most) : HD_OK;
}
