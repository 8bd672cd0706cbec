// SPDX-License-Identifier: Apache-2.0
// Pairs of a key and its index: made from a view, taken apart, and used to permute other arrays.
#include "comparators.h"
#include "core/system/float_state.h"
#include "cpu/runtime/team.h"

// Pairs of elements i .. end - 1, the first of which has this index.
static void make_some(const hd_comparison *order, const hd_view *v, int64_t i, int64_t end,
                      int64_t index, int64_t step, char *pairs)
{
    const size_t size = order->elements.size, pair = order->pairs.size;
    const bool contiguous = hd__is_contiguous(v);
    for (; i < end; i++, index += step) {
        char *to = pairs + (size_t)i * pair;
        memset(to, 0, pair);
        if (contiguous)
            memcpy(to, (const char *)v->data + (size_t)i * size, size);
        else
            hd__gather(v, i, 1, to);
        memcpy(to + order->index_offset, &index, sizeof index);
    }
}

void hd__cpu_make_pairs(const hd_context *ctx, const hd_comparison *order, const hd_view *v,
                        int64_t n, int64_t first, int64_t step, char *pairs)
{
    const int threads = hd__cpu_comparison_threads(ctx, n, order->pairs.size);
    const int64_t range = (n + threads - 1) / threads;
    if (threads == 1) {
        make_some(order, v, 0, n, first, step, pairs);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; t++) {
        const int64_t begin = hd__min_of(t * range, n), end = hd__min_of(begin + range, n);
        make_some(order, v, begin, end, first + step * begin, step, pairs);
    }
}

static size_t block_bytes(const hd_comparison *order)
{
    const size_t size = order->elements.size;
    const size_t n = (size_t)hd__cpu_tune.pair_block;
    return hd__padded(n * (size > 8 ? size : 8)) + hd__padded(n * sizeof(int64_t));
}

size_t hd__cpu_take_pairs_bytes(const hd_context *ctx, const hd_comparison *order)
{
    return (size_t)(ctx != NULL ? ctx->threads : 1) * block_bytes(order);
}

typedef struct taking {
    const hd_comparison *order;
    const char *pairs;
    int64_t n, base;
    const hd_view *elements, *positions;
    char *room;
} taking;

static void take_block(const taking *t, int64_t at, int thread)
{
    const int64_t most = hd__cpu_tune.pair_block, m = hd__min_of(most, t->n - at);
    const size_t size = t->order->elements.size, bytes = block_bytes(t->order);
    char *block = t->room + (size_t)thread * bytes;
    int64_t *index = (int64_t *)(void *)(block + bytes) - most;
    if (!hd__is_empty(t->elements)) {
        for (int64_t i = 0; i < m; i++)
            memcpy(block + (size_t)i * size, t->pairs + (size_t)(at + i) * t->order->pairs.size,
                   size);
        hd__scatter(t->elements, at, m, block);
    }
    if (!hd__is_empty(t->positions)) {
        for (int64_t i = 0; i < m; i++)
            index[i] = hd__cpu_pair_index(t->order, t->pairs, at + i) - t->base;
        hd__put_positions(t->positions, at, m, index, block);
    }
}

void hd__cpu_take_pairs(const hd_context *ctx, const hd_comparison *order, const char *pairs,
                        int64_t n, int64_t base, const hd_view *elements, const hd_view *positions,
                        char *room)
{
    const int64_t block = hd__cpu_tune.pair_block;
    const taking t = {order, pairs, n, base, elements, positions, room};
    const int threads = hd__cpu_comparison_threads(ctx, n, order->pairs.size);
    if (threads == 1) {
        for (int64_t at = 0; at < n; at += block) take_block(&t, at, 0);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t at = 0; at < n; at += block) take_block(&t, at, omp_get_thread_num());
}

// One element from wherever its pair says, of a size the compiler knows where it is usual.
static inline void move_one(const hd__cpu_pair_permutation *m, int64_t i, char *to, size_t size)
{
    const int64_t index = hd__cpu_pair_index(m->order, m->pairs, i);
    const bool second = index >= m->cut;
    const hd_view *from = second ? m->second : m->from;
    const int64_t at = second ? index - m->cut : index;
    if (hd__is_contiguous(from))
        memcpy(to, (const char *)from->data + (size_t)at * size, size);
    else
        hd__gather(from, at, 1, to);
}

static void move_some(const hd__cpu_pair_permutation *m, int64_t i, int64_t end, char *to)
{
    const size_t size = hd__size_of(m->to->type);
    switch (size) {
    case 4:
        for (; i < end; i++) move_one(m, i, to + i * 4, 4);
        break;
    case 8:
        for (; i < end; i++) move_one(m, i, to + i * 8, 8);
        break;
    default:
        for (; i < end; i++) move_one(m, i, to + (size_t)i * size, size);
    }
}

void hd__cpu_permute_by_pairs(const hd_context *ctx, const hd__cpu_pair_permutation *m)
{
    const bool straight = hd__is_contiguous(m->to) && hd__overlaps(m->to, m->from) == HD__APART &&
                          (m->second == NULL || hd__overlaps(m->to, m->second) == HD__APART);
    const size_t size = hd__size_of(m->to->type);
    char *to = straight ? m->to->data : m->room;
    const int threads = hd__cpu_comparison_threads(ctx, m->n, size);
    const int64_t range = (m->n + threads - 1) / threads;
    if (threads == 1) {
        move_some(m, 0, m->n, to);
        if (!straight) hd__scatter(m->to, 0, m->n, to);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        HD__FLOAT_STATE;
#pragma omp for schedule(static)
        for (int t = 0; t < threads; t++)
            move_some(m, hd__min_of(t * range, m->n), hd__min_of((t + 1) * range, m->n), to);
        if (!straight) {
#pragma omp for schedule(static)
            for (int t = 0; t < threads; t++) {
                const int64_t begin = hd__min_of(t * range, m->n);
                const int64_t end = hd__min_of(begin + range, m->n);
                hd__scatter(m->to, begin, end - begin, m->room + (size_t)begin * size);
            }
        }
    }
}
