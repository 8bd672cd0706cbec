// SPDX-License-Identifier: Apache-2.0
// Elements by rank as they are defined: each row sorted, and looked at there.
#include "serial/serial.h"
#include "orders.h"
#include "patterns/sort/nth.h"
#include "patterns/sort/rows.h"

typedef struct workspace {
    char *room, *elements; // a row; what the results are made of
    int64_t *order, *spare, *ranks, *positions;
} workspace;

static int64_t longest_row(const hd__nth_job *job)
{
    int64_t most = 0;
    for (int64_t r = 0; r < job->rows; r++)
        if (hd__nth_row_length(job, r) > most) most = hd__nth_row_length(job, r);
    return most;
}

static hd_status do_row(hd_context *ctx, const hd__nth_job *job, int64_t row, const workspace *w)
{
    const size_t size = hd__size_of(job->in.type);
    const int64_t begin = hd__nth_row_begin(job, row), count = hd__nth_elements(job) * job->m;
    int64_t n = hd__nth_row_length(job, row), nans = 0;
    const hd_view in = hd__range_of(&job->in, begin, n);
    const char *x = hd__lay_out(&in, n, w->room);
    for (int64_t i = 0; i < n && job->ranks == NULL; i++)
        nans += hd__is_nan(job->in.type, x + (size_t)i * size);
    hd__sort_indices(job->order, job->backwards, x, n, w->order, w->spare);
    if (hd__nth_is_nothing(job, nans, &n)) return hd__nth_store_nothing(ctx, job, row);
    hd__nth_ranks(job, n, w->ranks);
    for (int64_t k = 0; k < count; k++) {
        const int64_t at = w->order[w->ranks[k]];
        w->positions[k] = at + (job->offsets != NULL ? begin : 0);
        memcpy(w->elements + (size_t)k * size, x + (size_t)at * size, size);
    }
    return hd__nth_store(ctx, job, row, n, w->elements, w->positions);
}

hd_status hd__serial_nth(hd_context *ctx, const void *any, const char **why)
{
    const hd__nth_job *job = any;
    (void)why; // never declines
    const size_t n = (size_t)longest_row(job), size = hd__size_of(job->in.type);
    const size_t count = (size_t)(hd__nth_elements(job) * job->m);
    char *memory = hd__scratch(ctx, 2 * (n + count) * sizeof(int64_t) + (n + count) * size);
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t *order = (int64_t *)(void *)memory;
    workspace w = {.order = order, .spare = order + n, .ranks = order + 2 * n};
    w.positions = w.ranks + count;
    w.room = (char *)(w.positions + count);
    w.elements = w.room + n * size;
    for (int64_t r = 0; r < job->rows; r++) HD_TRY(do_row(ctx, job, r, &w));
    return HD_OK;
}
