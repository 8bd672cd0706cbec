// SPDX-License-Identifier: Apache-2.0
// The top k as they are defined: the first k of a stable sort.
#include "serial/serial.h"
#include "orders.h"
#include "patterns/sort/top_k.h"

static void move(const hd_view *from, const hd_view *to, int64_t k, const int64_t *index)
{
    unsigned char element[HD_MAX_ELEMENT];
    if (hd__is_empty(to)) return;
    for (int64_t i = 0; i < k; i++) {
        hd__gather(from, index[i], 1, element);
        hd__scatter(to, i, 1, element);
    }
}

hd_status hd__serial_top_k(hd_context *ctx, const void *any, const char **why)
{
    const hd__top_k_job *job = any;
    (void)why; // never declines
    const size_t n = (size_t)job->n, bytes = hd__padded(n * sizeof(int64_t));
    char *memory = hd__scratch(ctx, 2 * bytes + n * job->order->elements.size);
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t *index = (int64_t *)(void *)memory, *other = (int64_t *)(void *)(memory + bytes);
    for (int64_t r = 0; r < job->rows; r++) {
        const hd__top_k_job row = hd__top_k_row(job, r);
        if (row.k == 0) continue; // an empty segment
        const char *x = hd__lay_out(&row.in, row.n, memory + 2 * bytes);
        hd__sort_indices(row.order, row.backwards, x, row.n, index, other);
        move(&row.in, &row.out, row.k, index);
        for (int64_t v = 0; v < row.value_count; v++) {
            hd_view in, out;
            hd__top_k_value(&row, v, &in, &out);
            move(&in, &out, row.k, index);
        }
        for (int64_t i = 0; i < row.k; i++) index[i] += row.index_first;
        if (!hd__is_empty(&row.indices)) hd__put_positions(&row.indices, 0, row.k, index, other);
    }
    return HD_OK;
}
