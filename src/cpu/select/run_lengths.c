// SPDX-License-Identifier: Apache-2.0
// Run-length encoding in one pass, as compaction: the ticket order hands on how many runs began
// before a chunk and where the last of them began, so each chunk closes that run and all its own
// but the last.
#include "patterns/select/run_lengths.h"
#include "core/system/float_state.h"
#include "select_chunk.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/ticket_order.h"
#include "cpu/runtime/team.h"

typedef struct plan {
    const hd__run_lengths_job *job;
    hd__cpu_selector_needs needs;
    int threads;
    int64_t chunk;
    size_t thread_bytes;
    unsigned char *memory;
    hd__cpu_tickets tickets;
    hd__cpu_affinity affinity;
    hd__cpu_progress progress;
    int64_t runs, last; // of the chunks whose turn is over: how many, and where the last begins
} plan;

// Lengths of 32 bits go where they belong at once, others by way of 64.
static bool is_contiguous_u32(const hd_view *v)
{
    return hd__is_contiguous(v) && hd__size_of(v->type) == sizeof(uint32_t);
}

// The lengths of the run before the chunk's first (which began at `last`) and of all but its last.
static void put_lengths(hd__cpu_selector *c, const hd_view *out, const uint32_t *positions,
                        int64_t count, int64_t start, int64_t runs, int64_t last)
{
    const int64_t before = start + positions[0] - last, left = hd_count(*out) - runs;
    const int64_t n = count - 1 < left ? count - 1 : left;
    if (runs > 0 && left >= 0) hd__put_indices(out, runs - 1, 1, &before);
    if (n <= 0) return;
    if (is_contiguous_u32(out)) {
        uint32_t *to = (uint32_t *)(uintptr_t)hd__at(out, runs);
        for (int64_t j = 0; j < n; j++) to[j] = positions[j + 1] - positions[j];
        return;
    }
    for (int64_t j = 0; j < n; j++) c->wide[j] = (int64_t)positions[j + 1] - (int64_t)positions[j];
    hd__put_indices(out, runs, n, c->wide);
}

static void measure_chunk(plan *p, hd__cpu_selector *c, int64_t ticket, int64_t start, int64_t n)
{
    const hd__run_lengths_job *job = p->job;
    const void *elements = hd__cpu_selector_elements(c, start, n);
    const int64_t count = hd__cpu_selector_flags(c, start, n, elements, c->bits);
    const hd_view aside = hd_view_of(job->in.type, c->packed, count);
    const uint32_t *positions = hd__cpu_selector_positions(c, c->bits, n, count);
    if (job->in_place) // as in compact.c
        hd__cpu_selector_pack(c, elements, c->bits, n, count, &aside, 0, true);
    hd__cpu_ticket_wait(&p->tickets, ticket);
    const int64_t at = p->runs, last = p->last;
    p->runs += count;
    if (count > 0) p->last = start + positions[count - 1];
    hd__cpu_ticket_done(&p->tickets, ticket);
    if (count == 0) return;
    if (job->in_place && (at != start || count != n))
        hd__scatter(&job->values, at, count, c->packed);
    if (!job->in_place && !hd__is_empty(&job->values))
        hd__cpu_selector_pack(c, elements, c->bits, n, count, &job->values, at, true);
    if (!hd__is_empty(&job->indices))
        hd__cpu_selector_put_indices(c, positions, count, start, &job->indices, at);
    if (!hd__is_empty(&job->lengths))
        put_lengths(c, &job->lengths, positions, count, start, at, last);
}

static void take_chunks(plan *p, hd__cpu_selector *c)
{
    const int64_t n = p->job->n;
    for (;;) {
        const int64_t ticket = hd__cpu_ticket_take(&p->tickets), start = ticket * p->chunk;
        if (start >= n) return;
        if (hd__cpu_goes_on_in(&p->progress, 0, 1000, start, n))
            measure_chunk(p, c, ticket, start, n - start < p->chunk ? n - start : p->chunk);
        else
            hd__cpu_ticket_pass(&p->tickets, ticket);
    }
}

hd_status hd__cpu_run_lengths(hd_context *ctx, const void *any, const char **why)
{
    const hd__run_lengths_job *job = any;
    const size_t size = hd__size_of(job->in.type);
    (void)why; // never declines
    plan p = {
        .job = job, .chunk = hd__cpu_select_chunk(size), .progress = hd__cpu_progress_of(ctx)};
    p.needs = (hd__cpu_selector_needs){&job->in, &job->flags, true,
                                       job->in_place || !hd__is_contiguous(&job->values)};
    p.threads = hd__cpu_threads_for(ctx, job->n, size);
    p.thread_bytes = hd__cpu_selector_bytes(&p.needs);
    p.memory = hd__scratch(ctx, (size_t)p.threads * p.thread_bytes);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_tickets_init(&p.tickets, p.threads);
    if (p.threads > 1) hd__cpu_affinity_begin(&p.affinity);
#pragma omp parallel num_threads(p.threads) if (p.threads > 1)
    {
        HD__FLOAT_STATE;
        if (p.threads > 1) hd__cpu_affinity_spread(&p.affinity);
        hd__cpu_selector c;
        hd__cpu_selector_init(&c, ctx, &p.needs,
                              p.memory + (size_t)omp_get_thread_num() * p.thread_bytes);
        take_chunks(&p, &c);
    }
    HD_TRY(hd__cpu_progress_status(&p.progress));
    *job->runs = p.runs;
    const int64_t length = job->n - p.last;
    if (p.runs > 0 && p.runs <= hd__room(&job->lengths))
        hd__put_indices(&job->lengths, p.runs - 1, 1, &length);
    return HD_OK;
}
