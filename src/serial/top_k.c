// SPDX-License-Identifier: Apache-2.0
// The top k as they are defined: the first k of a stable sort.
#include "serial.h"
#include "orders.h"
#include "patterns/sort/top_k.h"

hd_status hd__serial_top_k(hd_context *ctx, const void *any, const char **why)
{
    const hd__top_k_job *job = any;
    (void)why; // never declines
    const size_t n = (size_t)job->n, bytes = hd__padded(n * sizeof(int64_t));
    const size_t size = job->order->elements.size;
    char *memory = hd__scratch(ctx, 2 * bytes + n * size);
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t *index = (int64_t *)(void *)memory, *other = (int64_t *)(void *)(memory + bytes);
    const char *x = hd__lay_out(&job->in, job->n, memory + 2 * bytes);
    hd__sort_indices(job->order, x, job->n, index, other);
    if (!hd__is_empty(&job->values))
        for (int64_t i = 0; i < job->k; i++)
            hd__scatter(&job->values, i, 1, x + (size_t)index[i] * size);
    if (!hd__is_empty(&job->indices)) hd__put_positions(&job->indices, 0, job->k, index, other);
    return HD_OK;
}
