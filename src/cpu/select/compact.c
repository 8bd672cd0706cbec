// SPDX-License-Identifier: Apache-2.0
// Compaction in one pass: threads take chunks by tickets. A chunk is flagged and counted, the
// ticket order gives it its output offset and hands the next one on at once, and then its elements
// are packed.
#include "patterns/select/compact.h"
#include "core/system/float_state.h"
#include "select_chunk.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/ticket_order.h"
#include "cpu/runtime/team.h"

typedef struct plan {
    const hd__compact_job *job;
    hd__cpu_selector_needs needs;
    int threads;
    int64_t chunk;
    size_t thread_bytes;
    unsigned char *memory;
    hd__cpu_tickets tickets;
    hd__cpu_affinity affinity;
    hd__cpu_progress progress;
    int64_t kept; // by the chunks whose turn is over
} plan;

// In place a chunk may overwrite what chunks before it have not packed yet, so it is packed aside
// before its turn. When its turn comes all before it were: what it overwrites is theirs or its own.
static void compact_in_place(plan *p, hd__cpu_selector *c, int64_t ticket, int64_t start, int64_t n)
{
    const hd__compact_job *job = p->job;
    const void *elements = hd__cpu_selector_elements(c, start, n);
    const int64_t count = hd__cpu_selector_flags(c, start, n, elements, c->bits);
    const hd_view aside = hd_view_of(job->in.type, c->packed, count);
    hd__cpu_selector_pack(c, elements, c->bits, n, count, &aside, 0, true);
    hd__cpu_ticket_wait(&p->tickets, ticket);
    const int64_t at = p->kept;
    p->kept += count;
    hd__cpu_ticket_done(&p->tickets, ticket);
    if (at != start || count != n) // else nothing moves, and the next chunk may be looking at it
        hd__scatter(&job->out, at, count, c->packed);
    if (!hd__is_empty(&job->indices))
        hd__cpu_selector_put_indices(c, hd__cpu_selector_positions(c, c->bits, n, count), count,
                                     start, &job->indices, at);
}

static void compact_apart(plan *p, hd__cpu_selector *c, int64_t ticket, int64_t start, int64_t n)
{
    const hd__compact_job *job = p->job;
    const bool by_flags = !job->flags.own; // then the elements are not looked at yet
    const void *elements = by_flags ? NULL : hd__cpu_selector_elements(c, start, n);
    const int64_t count = hd__cpu_selector_flags(c, start, n, elements, c->bits);
    hd__cpu_ticket_wait(&p->tickets, ticket);
    const int64_t at = p->kept;
    p->kept += count;
    hd__cpu_ticket_done(&p->tickets, ticket);
    if (count == 0) return;
    if (!hd__is_empty(&job->out)) {
        if (by_flags) elements = hd__cpu_selector_elements(c, start, n);
        hd__cpu_selector_pack(c, elements, c->bits, n, count, &job->out, at, true);
    }
    if (!hd__is_empty(&job->indices))
        hd__cpu_selector_put_indices(c, hd__cpu_selector_positions(c, c->bits, n, count), count,
                                     start, &job->indices, at);
}

static void take_chunks(plan *p, hd__cpu_selector *c)
{
    const int64_t n = p->job->n;
    for (;;) {
        const int64_t ticket = hd__cpu_ticket_take(&p->tickets), start = ticket * p->chunk;
        if (start >= n) return;
        const int64_t m = n - start < p->chunk ? n - start : p->chunk;
        if (!hd__cpu_goes_on_in(&p->progress, 0, 1000, start, n))
            hd__cpu_ticket_pass(&p->tickets, ticket);
        else if (p->job->in_place)
            compact_in_place(p, c, ticket, start, m);
        else
            compact_apart(p, c, ticket, start, m);
    }
}

static void compact_in_thread(hd_context *ctx, plan *p, int thread)
{
    hd__cpu_selector c;
    hd__cpu_selector_init(&c, ctx, &p->needs, p->memory + (size_t)thread * p->thread_bytes);
    take_chunks(p, &c);
}

static void compact_together(hd_context *ctx, plan *p)
{
    if (p->threads == 1) {
        compact_in_thread(ctx, p, 0);
        return;
    }
    hd__cpu_affinity_begin(&p->affinity);
#pragma omp parallel num_threads(p->threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&p->affinity);
        compact_in_thread(ctx, p, omp_get_thread_num());
    }
}

hd_status hd__cpu_compact(hd_context *ctx, const void *any, const char **why)
{
    const hd__compact_job *job = any;
    const size_t size = hd__size_of(job->in.type);
    (void)why; // never declines
    plan p;
    p.job = job;
    p.chunk = hd__cpu_select_chunk(size);
    p.kept = 0;
    p.progress = hd__cpu_progress_of(ctx);
    p.needs = (hd__cpu_selector_needs){&job->in, &job->flags, !hd__is_empty(&job->indices),
                                       job->in_place || !hd__is_contiguous(&job->out)};
    p.threads = hd__cpu_threads_for(ctx, job->n, size * (job->flags.in.map != NULL ? 2 : 1));
    p.thread_bytes = hd__cpu_selector_bytes(&p.needs);
    p.memory = hd__scratch(ctx, (size_t)p.threads * p.thread_bytes);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_tickets_init(&p.tickets, p.threads);
    compact_together(ctx, &p);
    *job->count = p.kept;
    return hd__cpu_progress_status(&p.progress);
}

// ---- Few elements -------------------------------------------------------------------------------

#define COMPACT_FEW(T)                                                                             \
    static int64_t compact_few_##T(const T *in, const unsigned char *flags, int64_t n, T *out)     \
    {                                                                                              \
        int64_t kept = 0;                                                                          \
        for (int64_t i = 0; i < n; i++)                                                            \
            if (flags[i] != 0) out[kept++] = in[i];                                                \
        return kept;                                                                               \
    }
COMPACT_FEW(uint8_t)
COMPACT_FEW(uint16_t)
COMPACT_FEW(uint32_t)
COMPACT_FEW(uint64_t)

bool hd__cpu_compact_row(size_t size, const void *in, const unsigned char *flags, int64_t n,
                         void *out, int64_t *count)
{
    if (n > hd__cpu_tune.compact_row_max) return false;
    switch (size) {
    case 1: *count = compact_few_uint8_t(in, flags, n, out); return true;
    case 2: *count = compact_few_uint16_t(in, flags, n, out); return true;
    case 4: *count = compact_few_uint32_t(in, flags, n, out); return true;
    case 8: *count = compact_few_uint64_t(in, flags, n, out); return true;
    default: return false;
    }
}
