// SPDX-License-Identifier: Apache-2.0
// Segmented sort, of segments or rows. Threads take groups of neighbouring segments as they come
// free and sort each group in their cache; segments too long for that are sorted one after another
// by all threads.
#include "patterns/scan/head_flags.h"
#include "core/system/float_state.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"
#include "sort.h"

enum { UNIT_SEGMENTS = 1024 }; // offsets read at a time: the most of segmented_sort_segments_max

typedef struct worker {
    const hd__cpu_sorter *s;
    unsigned char *records, *spare;
    uint32_t *counts;
} worker;

hd__cpu_segments hd__cpu_segments_of(const hd__sort_job *job)
{
    const bool rows = hd__is_empty(&job->segments);
    const int64_t offsets = rows ? 0 : job->segments.shape[0];
    return (hd__cpu_segments){job, rows,
                              rows          ? job->n / job->length
                              : offsets > 0 ? offsets - 1
                                            : 0};
}

void hd__cpu_segment_bounds(const hd__cpu_segments *g, int64_t first, int64_t n, int64_t *to)
{
    if (!g->rows) {
        hd__offsets(&g->job->segments, first, n, to);
        return;
    }
    for (int64_t j = 0; j < n; j++) to[j] = (first + j) * g->job->length;
}

void hd__cpu_outside_segments(const hd__cpu_segments *g, int64_t *first, int64_t *last)
{
    const int64_t offsets = g->rows ? 0 : g->job->segments.shape[0];
    *first = g->rows ? 0 : g->job->n;
    *last = g->job->n;
    if (offsets == 0) return;
    hd__cpu_segment_bounds(g, 0, 1, first);
    hd__cpu_segment_bounds(g, offsets - 1, 1, last);
}

int64_t hd__cpu_longest_segment(const hd__sort_job *job)
{
    const hd__cpu_segments g = hd__cpu_segments_of(job);
    int64_t ends[UNIT_SEGMENTS + 1], longest = 0;
    if (g.rows) return job->length;
    for (int64_t j = 0; j < g.count; j += UNIT_SEGMENTS) {
        const int64_t m = g.count - j < UNIT_SEGMENTS ? g.count - j : UNIT_SEGMENTS;
        hd__cpu_segment_bounds(&g, j, m + 1, ends);
        for (int64_t k = 0; k < m; k++)
            if (ends[k + 1] - ends[k] > longest) longest = ends[k + 1] - ends[k];
    }
    return longest;
}

static int64_t group_max(const hd__cpu_sorter *s)
{
    return hd__cpu_tune.segmented_sort_group_bytes / (int64_t)s->r->bytes;
}

// ---- Groups -------------------------------------------------------------------------------------

static void sort_group(const worker *m, const int64_t *ends, int64_t count)
{
    const hd__cpu_sorter *s = m->s;
    const int64_t at = ends[0], n = ends[count] - at;
    if (n == 0) return;
    s->load(&s->io, at, n, m->records);
    s->r->segments(m->records, m->spare, ends, count, at, s->low, m->counts);
    s->store(&s->io, at, n, m->records);
}

// `count` segments, in groups that fit; the long ones are left.
static void sort_unit(const worker *m, const int64_t *ends, int64_t count)
{
    const int64_t most = group_max(m->s);
    for (int64_t j = 0; j < count;) {
        int64_t k = j;
        while (k < count && ends[k + 1] - ends[j] <= most) k++;
        if (k > j) sort_group(m, ends + j, k - j);
        j = k > j ? k : j + 1;
    }
}

static void sort_units(const hd__cpu_sorter *s, const hd__cpu_segments *g, unsigned char *memory)
{
    const int64_t mean = g->job->n / g->count + 1,
                  wish = hd__cpu_tune.segmented_sort_elements / mean + 1;
    const int64_t most = hd__cpu_tune.segmented_sort_segments_max;
    const int64_t unit = wish < most ? wish : most;
    const int64_t units = (g->count + unit - 1) / unit;
    const size_t bytes = hd__padded((size_t)group_max(s) * s->r->bytes);
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(s->threads) if (s->threads > 1)
    {
        HD__FLOAT_STATE;
        if (s->threads > 1) hd__cpu_affinity_spread(&affinity);
        unsigned char *own = memory + (size_t)omp_get_thread_num() *
                                          (2 * bytes + HD__CPU_BLOCK_COUNTS * sizeof(uint32_t));
        const worker m = {s, own, own + bytes, (uint32_t *)(void *)(own + 2 * bytes)};
        int64_t ends[UNIT_SEGMENTS + 1];
#pragma omp for schedule(dynamic, 1)
        for (int64_t u = 0; u < units; u++) {
            if (!hd__cpu_goes_on(s->progress, 1000 * u / units)) continue;
            const int64_t first = u * unit;
            const int64_t count = g->count - first < unit ? g->count - first : unit;
            hd__cpu_segment_bounds(g, first, count + 1, ends);
            sort_unit(&m, ends, count);
        }
    }
}

// ---- Long ones, and what is outside -------------------------------------------------------------

static hd_status sort_long(const hd__cpu_sorter *s, const hd__cpu_segments *g, void *memory)
{
    int64_t ends[UNIT_SEGMENTS + 1];
    for (int64_t j = 0; j < g->count; j += UNIT_SEGMENTS) {
        const int64_t m = g->count - j < UNIT_SEGMENTS ? g->count - j : UNIT_SEGMENTS;
        hd__cpu_segment_bounds(g, j, m + 1, ends);
        for (int64_t k = 0; k < m; k++)
            if (ends[k + 1] - ends[k] > group_max(s))
                HD_TRY(hd__cpu_msd_radix_sort(s, ends[k], ends[k + 1] - ends[k], NULL, memory));
    }
    return HD_OK;
}

// Elements that belong to no segment stay where they are.
static void keep(const hd__cpu_sorter *s, int64_t from, int64_t to, void *records)
{
    const int64_t most = group_max(s);
    for (int64_t i = from; i < to; i += most) {
        const int64_t n = to - i < most ? to - i : most;
        s->load(&s->io, i, n, records);
        s->store(&s->io, i, n, records);
    }
}

static void keep_outside(const hd__cpu_sorter *s, const hd__cpu_segments *g, void *memory)
{
    int64_t first, last;
    hd__cpu_outside_segments(g, &first, &last);
    keep(s, 0, first, memory);
    keep(s, last, g->job->n, memory);
}

size_t hd__cpu_sort_segments_bytes(const hd__cpu_sorter *s, int64_t longest)
{
    const size_t bytes = hd__padded((size_t)group_max(s) * s->r->bytes);
    const size_t groups =
        (size_t)s->threads * (2 * bytes + HD__CPU_BLOCK_COUNTS * sizeof(uint32_t));
    const size_t msd_radix_bytes = longest > group_max(s) ? hd__cpu_msd_radix_bytes(s, longest) : 0;
    return groups > msd_radix_bytes ? groups : msd_radix_bytes;
}

hd_status hd__cpu_sort_segments(const hd__cpu_sorter *s, const hd__sort_job *job, int64_t longest,
                                void *memory)
{
    const hd__cpu_segments g = hd__cpu_segments_of(job);
    keep_outside(s, &g, memory);
    if (g.count == 0) return HD_OK;
    sort_units(s, &g, memory);
    HD_TRY(hd__cpu_progress_status(s->progress));
    return longest > group_max(s) ? sort_long(s, &g, memory) : HD_OK;
}
