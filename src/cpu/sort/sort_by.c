// SPDX-License-Identifier: Apache-2.0
// Sorting by a comparison: elements alone, or, where positions or other arrays are wanted, pairs of
// an element and its position, by which those are then moved.
#include "comparators.h"
#include "patterns/sort/sort_by.h"

static hd_status sort_elements(hd_context *ctx, const hd__sort_by_job *job)
{
    const size_t size = job->order->elements.size, bytes = hd__padded((size_t)job->n * size);
    const size_t splits = hd__padded((size_t)hd__cpu_merge_sort_splits(job->n) * sizeof(int64_t));
    const bool in_contiguous = hd__is_contiguous(&job->in),
               out_contiguous = hd__is_contiguous(&job->out);
    char *memory = hd__scratch(ctx, splits + bytes + (out_contiguous ? 0 : bytes));
    if (memory == NULL) return HD_ERROR_MEMORY;
    char *other = memory + splits, *to = out_contiguous ? job->out.data : other + bytes;
    hd__cpu_merge_sorting s = {.order = job->order,
                               .loops = &job->order->elements,
                               .from = in_contiguous ? job->in.data : to,
                               .to = to,
                               .other = other,
                               .n = job->n,
                               .split = (int64_t *)(void *)memory};
    if (!in_contiguous) {
        // A view of another layout may share memory with out only by being out, which is then of
        // that layout too, and to is scratch.
        hd__gather(&job->in, 0, job->n, to);
    }
    hd__cpu_merge_sort(ctx, &s);
    if (!out_contiguous) hd__scatter(&job->out, 0, job->n, to);
    return HD_OK;
}

// Bytes of an element, the most among the values.
static size_t widest(const hd_views *values)
{
    size_t most = 0;
    for (int64_t k = 0; k < values->count; k++) {
        const size_t size = hd__size_of(values->view[k].type);
        if (size > most) most = size;
    }
    return most;
}

static hd_status sort_pairs(hd_context *ctx, const hd__sort_by_job *job)
{
    const hd_comparison *order = job->order;
    const size_t n = (size_t)job->n, bytes = hd__padded(n * order->pairs.size);
    const size_t splits = hd__padded((size_t)hd__cpu_merge_sort_splits(job->n) * sizeof(int64_t));
    // The second array of pairs is free once they are sorted.
    size_t other_bytes = bytes;
    if (other_bytes < n * widest(&job->values)) other_bytes = hd__padded(n * widest(&job->values));
    if (other_bytes < hd__cpu_take_pairs_bytes(ctx, order))
        other_bytes = hd__cpu_take_pairs_bytes(ctx, order);
    char *memory = hd__scratch(ctx, splits + bytes + other_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    char *pairs = memory + splits, *other = pairs + bytes;
    hd__cpu_make_pairs(ctx, order, &job->in, job->n, 0, pairs);
    const hd__cpu_merge_sorting s = {
        order, &order->pairs, pairs, pairs, other, job->n, (int64_t *)(void *)memory};
    hd__cpu_merge_sort(ctx, &s);
    hd__cpu_take_pairs(ctx, order, pairs, job->n, &job->out, &job->indices, other);
    for (int64_t k = 0; k < job->values.count; k += 2)
        hd__cpu_permute_by_pairs(ctx, &(hd__cpu_pair_permutation){.order = order,
                                                                  .pairs = pairs,
                                                                  .n = job->n,
                                                                  .cut = INT64_MAX,
                                                                  .from = &job->values.view[k],
                                                                  .to = &job->values.view[k + 1],
                                                                  .room = other});
    return HD_OK;
}

hd_status hd__cpu_sort_by(hd_context *ctx, const void *any, const char **why)
{
    const hd__sort_by_job *job = any;
    (void)why; // never declines
    if (job->n == 0) return HD_OK;
    if (hd__is_empty(&job->indices) && job->values.count == 0)
        return hd__is_empty(&job->out) ? HD_OK : sort_elements(ctx, job);
    return sort_pairs(ctx, job);
}
