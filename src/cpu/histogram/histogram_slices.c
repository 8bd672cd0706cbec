// SPDX-License-Identifier: Apache-2.0
// Histograms of rows along an axis and of segments. Threads take slices as they come free, each
// counting by itself in memory of its own; a slice that is long beside what a thread's share would
// be is counted by all threads before, and so is one whose method is not for a thread alone.
#include "histogram.h"
#include "core/system/float_state.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/team.h"

enum {
    MAX_BINS = 65536,   // of a thread's tables
    CHUNK_WORK = 16384, // elements and bins that a thread takes at a time
    MIN_CHUNKS = 8      // at least so many for each thread
};

typedef struct plan {
    hd_context *ctx;
    const hd__histogram_job *job;
    int threads;
    int64_t long_from; // elements from which all threads share a slice; 0: all slices
    int64_t chunk;     // of slices
    size_t bytes;      // of a thread
    unsigned char *memory;
    hd__cpu_progress progress;
} plan;

static bool is_for_one(const hd__histogram_job *job)
{
    if (job->bins > MAX_BINS) return false;
    return !job->weighted || hd__cpu_histogram_weights_are_simple(job);
}

static size_t cost_of(const hd__histogram_job *job)
{
    return 4 * job->first.raw.element_size + (job->weighted ? 16 : 0);
}

// The least length that is half a thread's share, and that threads are worth by themselves.
static int64_t long_from(const hd_context *ctx, const hd__histogram_job *job, int threads)
{
    int64_t from = job->n / (2 * threads) + 1;
    if (threads == 1) return INT64_MAX;
    while (hd__cpu_threads_for(ctx, from, cost_of(job)) < 2) from *= 2;
    return from;
}

static void prepare(hd_context *ctx, const hd__histogram_job *job, plan *p)
{
    const int64_t work = job->n / job->slice_count + job->bins;
    *p = (plan){.ctx = ctx, .job = job, .progress = hd__cpu_progress_of(ctx)};
    p->threads = hd__cpu_threads_for(ctx, job->n + job->slice_count * job->bins, cost_of(job));
    p->long_from = is_for_one(job) ? long_from(ctx, job, p->threads) : 0;
    p->chunk = CHUNK_WORK / work + 1;
    const int64_t most = job->slice_count / (MIN_CHUNKS * p->threads) + 1;
    if (p->chunk > most) p->chunk = most;
}

// ---- By all threads -----------------------------------------------------------------------------

static hd_status count_long(plan *p)
{
    hd__histogram_job part;
    const char *why;
    hd__histogram_begin_slices(p->job, &part);
    for (int64_t j = 0; j < p->job->slice_count; j++) {
        int64_t outside;
        if (hd__histogram_slice_length(p->job, j) < p->long_from) continue;
        part.outside = &outside;
        hd__histogram_slice(p->job, j, &part);
        HD_TRY(hd__cpu_histogram(p->ctx, &part, &why));
        hd__histogram_give_outside(p->job, j, outside);
        if (!hd__cpu_goes_on(&p->progress, (j + 1) * 999 / p->job->slice_count)) break;
    }
    return hd__cpu_progress_status(&p->progress);
}

// ---- By one each --------------------------------------------------------------------------------

static void count_one(const plan *p, int64_t j, hd__histogram_job *part, void *memory)
{
    int64_t outside;
    part->outside = &outside;
    hd__histogram_slice(p->job, j, part);
    if (part->weighted)
        hd__cpu_histogram_weights_alone(p->ctx, part, memory);
    else
        hd__cpu_histogram_counts_alone(p->ctx, part, memory);
    hd__histogram_give_outside(p->job, j, outside);
}

static void count_chunk(plan *p, int64_t c, hd__histogram_job *part, void *memory)
{
    const int64_t count = p->job->slice_count, begin = c * p->chunk;
    const int64_t end = count - begin < p->chunk ? count : begin + p->chunk;
    if (!hd__cpu_goes_on(&p->progress, begin * 999 / count)) return;
    for (int64_t j = begin; j < end; j++)
        if (hd__histogram_slice_length(p->job, j) < p->long_from) count_one(p, j, part, memory);
}

// What any slice that is not long needs.
static size_t bytes_of(hd_context *ctx, const plan *p)
{
    hd__histogram_job part;
    hd__histogram_begin_slices(p->job, &part);
    if (p->job->slices == HD__ROWS) hd__histogram_slice(p->job, 0, &part);
    return hd__padded(part.weighted ? hd__cpu_histogram_weights_bytes(ctx, &part)
                                    : hd__cpu_histogram_counts_bytes(ctx, &part));
}

static hd_status count_others(hd_context *ctx, plan *p)
{
    const int64_t chunks = (p->job->slice_count + p->chunk - 1) / p->chunk;
    hd__cpu_affinity affinity;
    p->bytes = bytes_of(ctx, p);
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->bytes);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    if (p->threads > 1) hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        hd__histogram_job part;
        if (p->threads > 1) hd__cpu_affinity_spread(&affinity);
        hd__histogram_begin_slices(p->job, &part);
#pragma omp for schedule(dynamic, 1) nowait
        for (int64_t c = 0; c < chunks; c++)
            count_chunk(p, c, &part, p->memory + (size_t)omp_get_thread_num() * p->bytes);
    }
    return hd__cpu_progress_status(&p->progress);
}

hd_status hd__cpu_histogram_slices(hd_context *ctx, const hd__histogram_job *job)
{
    plan p;
    HD_TRY(hd__histogram_check_slices(ctx, job));
    if (job->slice_count == 0) return HD_OK;
    prepare(ctx, job, &p);
    if (p.long_from < INT64_MAX) HD_TRY(count_long(&p));
    return p.long_from > 0 ? count_others(ctx, &p) : HD_OK;
}
