// SPDX-License-Identifier: Apache-2.0
// Run lengths in one pass, as compaction: a chunk's turn tells how many runs began before it and
// where the last of them did, so each chunk closes that run and all its own but the last.
#include "patterns/select/run_lengths.h"
#include "core/system/float_state.h"
#include "select_chunk.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/ticket_order.h"

#include <omp.h>

typedef struct plan {
    const hd__run_lengths_job *job;
    hd__chooser_wish wish;
    int threads;
    int64_t chunk;
    size_t thread_bytes;
    unsigned char *memory;
    hd__turns turns;
    hd__placement placement;
    int64_t runs, last; // of the chunks whose turn is over: how many, and where the last begins
} plan;

// Lengths of 32 bits go where they belong at once, others by way of 64.
static bool lie_dense(const hd_view *v)
{
    return hd__is_contiguous(v) && hd__size_of(v->type) == sizeof(uint32_t);
}

// The lengths of the run before the chunk's first (which began at `last`) and of all but its last.
static void put_lengths(hd__chooser *c, const hd_view *out, const uint32_t *places, int64_t count,
                        int64_t start, int64_t runs, int64_t last)
{
    const int64_t before = start + places[0] - last, left = hd_count(*out) - runs;
    const int64_t n = count - 1 < left ? count - 1 : left;
    if (runs > 0 && left >= 0) hd__put_indices(out, runs - 1, 1, &before);
    if (n <= 0) return;
    if (lie_dense(out)) {
        uint32_t *to = (uint32_t *)(uintptr_t)hd__at(out, runs);
        for (int64_t j = 0; j < n; j++) to[j] = places[j + 1] - places[j];
        return;
    }
    for (int64_t j = 0; j < n; j++) c->wide[j] = (int64_t)places[j + 1] - (int64_t)places[j];
    hd__put_indices(out, runs, n, c->wide);
}

static void measure_chunk(plan *p, hd__chooser *c, int64_t turn, int64_t start, int64_t n)
{
    const hd__run_lengths_job *job = p->job;
    const void *elements = hd__chooser_elements(c, start, n);
    const int64_t count = hd__chooser_bits(c, start, n, elements, c->bits);
    const hd_view aside = hd_view_of(job->in.type, c->packed, count);
    const uint32_t *places = hd__chooser_places(c, c->bits, n, count);
    if (job->in_place) // as in compact.c
        hd__chooser_put(c, elements, c->bits, n, count, &aside, 0, true);
    hd__turns_wait(&p->turns, turn);
    const int64_t at = p->runs, last = p->last;
    p->runs += count;
    if (count > 0) p->last = start + places[count - 1];
    hd__turns_end(&p->turns, turn);
    if (count == 0) return;
    if (job->in_place && (at != start || count != n))
        hd__scatter(&job->values, at, count, c->packed);
    if (!job->in_place && !hd__is_empty(&job->values))
        hd__chooser_put(c, elements, c->bits, n, count, &job->values, at, true);
    if (!hd__is_empty(&job->indices))
        hd__chooser_put_indices(c, places, count, start, &job->indices, at);
    if (!hd__is_empty(&job->lengths)) put_lengths(c, &job->lengths, places, count, start, at, last);
}

static void take_chunks(plan *p, hd__chooser *c)
{
    const int64_t n = p->job->n;
    for (;;) {
        const int64_t turn = hd__turns_take(&p->turns), start = turn * p->chunk;
        if (start >= n) return;
        measure_chunk(p, c, turn, start, n - start < p->chunk ? n - start : p->chunk);
    }
}

hd_status hd__cpu_run_lengths(hd_context *ctx, const void *any, const char **why)
{
    const hd__run_lengths_job *job = any;
    const size_t size = hd__size_of(job->in.type);
    (void)why; // never declines
    plan p = {.job = job, .chunk = hd__chunk_of(size)};
    p.wish = (hd__chooser_wish){&job->in, &job->labels, true,
                                job->in_place || !hd__is_contiguous(&job->values)};
    p.threads = hd__worth_threads(ctx, job->n, size);
    p.thread_bytes = hd__chooser_bytes(&p.wish);
    p.memory = hd__scratch(ctx, (size_t)p.threads * p.thread_bytes);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    hd__turns_init(&p.turns);
    hd__placement_begin(&p.placement);
#pragma omp parallel num_threads(p.threads) if (p.threads > 1)
    {
        HD__FLOAT_STATE;
        if (p.threads > 1) hd__placement_settle(&p.placement);
        hd__chooser c;
        hd__chooser_init(&c, ctx, &p.wish,
                         p.memory + (size_t)omp_get_thread_num() * p.thread_bytes);
        take_chunks(&p, &c);
    }
    *job->runs = p.runs;
    const int64_t length = job->n - p.last;
    if (p.runs > 0 && p.runs <= hd__room(&job->lengths))
        hd__put_indices(&job->lengths, p.runs - 1, 1, &length);
    return HD_OK;
}
