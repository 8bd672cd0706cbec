// SPDX-License-Identifier: Apache-2.0
// A stable sort of indices, as it is defined: merged from runs of one element up; the left one goes
// first unless the right one comes before it.
#include "orders.h"

#include <string.h>

const char *hd__lay_out(const hd_view *v, int64_t n, void *room)
{
    if (hd__is_contiguous(v)) return v->data;
    hd__gather(v, 0, n, room);
    return room;
}

static void merge_runs(const hd_comparison *order, bool backwards, const char *x,
                       const int64_t *from, int64_t na, int64_t n, int64_t *to)
{
    const size_t size = order->elements.size;
    int64_t i = 0, j = na;
    for (int64_t k = 0; k < n; k++) {
        const bool right =
            i == na || (j < n && hd__comes_before(order, backwards, x + (size_t)from[j] * size,
                                                  x + (size_t)from[i] * size));
        to[k] = right ? from[j++] : from[i++];
    }
}

void hd__sort_indices(const hd_comparison *order, bool backwards, const void *elements, int64_t n,
                      int64_t *index, int64_t *other)
{
    for (int64_t i = 0; i < n; i++) index[i] = i;
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t at = 0; at < n; at += 2 * run) {
            const int64_t left = n - at, na = run < left ? run : left;
            merge_runs(order, backwards, elements, index + at, na, 2 * run < left ? 2 * run : left,
                       other + at);
        }
        memcpy(index, other, (size_t)n * sizeof *index);
    }
}
