// SPDX-License-Identifier: Apache-2.0
// Stable partition into two: a first pass turns flags into bits, which are kept, and counts them by
// the chunk; a second packs both sides of each chunk. Many buckets are in partition_buckets.c, few
// elements in partition_by_sort.c.
#include "patterns/select/partition.h"
#include "core/system/float_state.h"
#include "partition_buckets.h"
#include "select_chunk.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/team.h"

typedef struct plan {
    const hd__partition_job *job;
    hd__cpu_selector_needs needs;
    int threads;
    int64_t chunk, chunks;
    size_t thread_bytes;
    unsigned char *memory; // of the threads
    uint64_t *bits;        // of all elements
    int64_t *kept;         // of each chunk, then before each chunk; and of all
    hd__cpu_affinity affinity;
    hd__cpu_progress progress;
} plan;

static int64_t chunk_length(const plan *p, int64_t k)
{
    const int64_t left = p->job->n - k * p->chunk;
    return left < p->chunk ? left : p->chunk;
}

static void flag_chunk(plan *p, hd__cpu_selector *c, int64_t k)
{
    const int64_t start = k * p->chunk, n = chunk_length(p, k);
    const void *elements = p->job->flags.own ? hd__cpu_selector_elements(c, start, n) : NULL;
    p->kept[k] = hd__cpu_selector_flags(c, start, n, elements, p->bits + start / 64);
}

static void sum_up(plan *p)
{
    int64_t sum = 0;
    for (int64_t k = 0; k <= p->chunks; k++) {
        const int64_t here = k < p->chunks ? p->kept[k] : 0;
        p->kept[k] = sum;
        sum += here;
    }
}

// One part of a chunk, whose bits say which elements, to places at, at + 1, ...
static void pack_part(const plan *p, hd__cpu_selector *c, const void *elements,
                      const uint64_t *bits, int64_t start, int64_t n, int64_t count, int64_t at)
{
    const hd__partition_job *job = p->job;
    hd__cpu_selector_pack(c, elements, bits, n, count, &job->out, at, true);
    if (!hd__is_empty(&job->indices))
        hd__cpu_selector_put_indices(c, hd__cpu_selector_positions(c, bits, n, count), count, start,
                                     &job->indices, at);
}

static void put_chunk(const plan *p, hd__cpu_selector *c, int64_t k)
{
    const int64_t start = k * p->chunk, n = chunk_length(p, k);
    const int64_t count = p->kept[k + 1] - p->kept[k], rest = p->kept[p->chunks];
    uint64_t *bits = p->bits + start / 64;
    const void *elements = hd__cpu_selector_elements(c, start, n);
    pack_part(p, c, elements, bits, start, n, count, p->kept[k]);
    hd__cpu_selector_invert(bits, n);
    pack_part(p, c, elements, bits, start, n, n - count, rest + start - p->kept[k]);
}

static void partition_together(hd_context *ctx, plan *p)
{
    hd__cpu_affinity_begin(&p->affinity);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        if (p->threads > 1) hd__cpu_affinity_spread(&p->affinity);
        hd__cpu_selector c;
        hd__cpu_selector_init(&c, ctx, &p->needs,
                              p->memory + (size_t)omp_get_thread_num() * p->thread_bytes);
#pragma omp for schedule(dynamic)
        for (int64_t k = 0; k < p->chunks; k++)
            if (hd__cpu_goes_on_in(&p->progress, 0, 400, k, p->chunks)) flag_chunk(p, &c, k);
#pragma omp single
        if (!hd__cpu_is_stopped(&p->progress)) sum_up(p);
#pragma omp for schedule(dynamic)
        for (int64_t k = 0; k < p->chunks; k++)
            if (hd__cpu_goes_on_in(&p->progress, 400, 600, k, p->chunks)) put_chunk(p, &c, k);
    }
}

hd_status hd__cpu_partition(hd_context *ctx, const void *any, const char **why)
{
    const hd__partition_job *job = any;
    const size_t size = hd__size_of(job->in.type);
    (void)why; // never declines
    if (hd__has_few(job)) return hd__cpu_partition_by_sort(ctx, job);
    if (job->buckets) return hd__cpu_partition_buckets(ctx, job);
    plan p = {
        .job = job, .chunk = hd__cpu_select_chunk(size), .progress = hd__cpu_progress_of(ctx)};
    p.chunks = (job->n + p.chunk - 1) / p.chunk;
    p.needs = (hd__cpu_selector_needs){&job->in, &job->flags, !hd__is_empty(&job->indices),
                                       !hd__is_contiguous(&job->out)};
    p.threads = hd__cpu_threads_for(ctx, job->n, 2 * size);
    p.thread_bytes = hd__cpu_selector_bytes(&p.needs);
    const size_t own = (size_t)p.threads * p.thread_bytes;
    const size_t bits = hd__padded((size_t)(p.chunks * p.chunk / 8));
    p.memory = hd__scratch(ctx, own + bits + (size_t)(p.chunks + 1) * sizeof *p.kept);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    p.bits = (void *)(p.memory + own);
    p.kept = (void *)(p.memory + own + bits);
    partition_together(ctx, &p);
    HD_TRY(hd__cpu_progress_status(&p.progress));
    const int64_t begins[2] = {0, p.kept[p.chunks]};
    hd__put_parts(job, begins);
    return HD_OK;
}

// ---- Few elements -------------------------------------------------------------------------------

#define PART_FEW(T)                                                                                \
    static void part_few_##T(const T *in, const unsigned char *flags, int64_t n, int64_t kept,     \
                             T *out)                                                               \
    {                                                                                              \
        int64_t first = 0, second = kept;                                                          \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const bool keep = flags[i] != 0;                                                       \
            out[keep ? first : second] = in[i];                                                    \
            first += keep, second += !keep;                                                        \
        }                                                                                          \
    }
PART_FEW(uint8_t)
PART_FEW(uint16_t)
PART_FEW(uint32_t)
PART_FEW(uint64_t)

bool hd__cpu_partition_row(size_t size, const void *in, const unsigned char *flags, int64_t n,
                           void *out, int64_t *counts)
{
    if (n > hd__cpu_tune.compact_row_max) return false;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) kept += flags[i] != 0;
    switch (size) {
    case 1: part_few_uint8_t(in, flags, n, kept, out); break;
    case 2: part_few_uint16_t(in, flags, n, kept, out); break;
    case 4: part_few_uint32_t(in, flags, n, kept, out); break;
    case 8: part_few_uint64_t(in, flags, n, kept, out); break;
    default: return false;
    }
    if (counts != NULL) counts[0] = kept, counts[1] = n - kept;
    return true;
}
