// SPDX-License-Identifier: Apache-2.0
// Sorting by a comparison, as it is defined: indices merged from runs of one element up; the left
// one goes first unless the right one comes before it.
#include "serial.h"
#include "orders.h"
#include "patterns/sort/sort_by.h"

const char *hd__lay_out(const hd_view *v, int64_t n, void *room)
{
    if (hd__is_contiguous(v)) return v->data;
    hd__gather(v, 0, n, room);
    return room;
}

static void merge_runs(const hd_comparison *order, const char *x, const int64_t *from, int64_t na,
                       int64_t n, int64_t *to)
{
    const size_t size = order->elements.size;
    int64_t i = 0, j = na;
    for (int64_t k = 0; k < n; k++) {
        const bool right = i == na || (j < n && order->less(x + (size_t)from[j] * size,
                                                            x + (size_t)from[i] * size));
        to[k] = right ? from[j++] : from[i++];
    }
}

void hd__sort_indices(const hd_comparison *order, const void *elements, int64_t n, int64_t *index,
                      int64_t *other)
{
    for (int64_t i = 0; i < n; i++) index[i] = i;
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t at = 0; at < n; at += 2 * run) {
            const int64_t left = n - at, na = run < left ? run : left;
            merge_runs(order, elements, index + at, na, 2 * run < left ? 2 * run : left,
                       other + at);
        }
        memcpy(index, other, (size_t)n * sizeof *index);
    }
}

// to[i] = from[index[i]], through room: they may be one view.
static void move(const hd_view *from, const hd_view *to, int64_t n, const int64_t *index,
                 char *room)
{
    const size_t size = hd__size_of(from->type);
    for (int64_t i = 0; i < n; i++) hd__gather(from, index[i], 1, room + (size_t)i * size);
    hd__scatter(to, 0, n, room);
}

hd_status hd__serial_sort_by(hd_context *ctx, const void *any, const char **why)
{
    const hd__sort_by_job *job = any;
    (void)why; // never declines
    if (job->n == 0) return HD_OK;
    const size_t n = (size_t)job->n, bytes = hd__padded(n * sizeof(int64_t));
    size_t most = hd__size_of(job->in.type); // of an element on its way
    for (int64_t k = 0; k < job->values.count; k++)
        if (most < hd__size_of(job->values.view[k].type))
            most = hd__size_of(job->values.view[k].type);
    char *memory = hd__scratch(ctx, 2 * bytes + n * most);
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t *index = (int64_t *)(void *)memory, *other = (int64_t *)(void *)(memory + bytes);
    char *room = memory + 2 * bytes;
    hd__sort_indices(job->order, hd__lay_out(&job->in, job->n, room), job->n, index, other);
    if (!hd__is_empty(&job->out)) move(&job->in, &job->out, job->n, index, room);
    for (int64_t k = 0; k < job->values.count; k += 2)
        move(&job->values.view[k], &job->values.view[k + 1], job->n, index, room);
    if (!hd__is_empty(&job->indices)) hd__put_positions(&job->indices, 0, job->n, index, other);
    return HD_OK;
}
