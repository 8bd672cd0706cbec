// SPDX-License-Identifier: Apache-2.0
// Searches that stop at the first match: blocks are taken in order by tickets.
#include "first_match.h"
#include "core/system/float_state.h"
#include "cpu/runtime/team.h"
#include "cpu/runtime/ticket_order.h"

typedef struct state {
    hd__cpu_tickets tickets;
    atomic_llong nearest; // the lowest match so far
} state;

static void look_at_blocks(const hd__cpu_first_match *s, state *shared, void *scratch)
{
    for (;;) {
        const int64_t start = hd__cpu_ticket_take(&shared->tickets) * s->block;
        if (start >= s->n || start > atomic_load_explicit(&shared->nearest, memory_order_relaxed))
            return;
        const int64_t left = s->n - start;
        const long long mine = s->look(s->job, start, left < s->block ? left : s->block, scratch);
        if (mine < 0) continue;
        long long nearest = atomic_load(&shared->nearest);
        while (mine < nearest && !atomic_compare_exchange_weak(&shared->nearest, &nearest, mine)) {
        }
        return; // later blocks are behind this one
    }
}

hd_status hd__cpu_find_first(hd_context *ctx, const hd__cpu_first_match *s, int64_t *position)
{
    state shared;
    const size_t bytes = hd__padded(s->scratch_bytes);
    unsigned char *scratch = hd__scratch(ctx, (size_t)s->threads * bytes + 1);
    if (scratch == NULL) return HD_ERROR_MEMORY;
    hd__cpu_tickets_init(&shared.tickets, s->threads);
    atomic_init(&shared.nearest, s->n);
#pragma omp parallel num_threads(s->threads) if (s->threads > 1)
    {
        HD__FLOAT_STATE;
        look_at_blocks(s, &shared, scratch + (size_t)omp_get_thread_num() * bytes);
    }
    const int64_t nearest = atomic_load(&shared.nearest);
    *position = nearest < s->n ? nearest : -1;
    return HD_OK;
}
