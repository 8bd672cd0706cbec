// SPDX-License-Identifier: Apache-2.0
// Binary search of many queries: threads take blocks of queries. In an order that is turned round,
// one query after another.
#include "comparators.h"
#include "core/system/float_state.h"
#include "patterns/sort/search.h"
#include "cpu/runtime/team.h"

typedef struct buffers {
    int64_t *positions;
    char *queries, *narrow;
} buffers;

static size_t buffer_bytes(const hd__search_job *job)
{
    const size_t block = (size_t)hd__cpu_tune.search_block;
    return block * (2 * sizeof(int64_t)) + hd__padded(block * job->order->elements.size);
}

static buffers buffers_of(char *memory)
{
    const int64_t block = hd__cpu_tune.search_block;
    return (buffers){(int64_t *)(void *)memory, memory + 2 * block * (int64_t)sizeof(int64_t),
                     memory + block * (int64_t)sizeof(int64_t)};
}

// Queries of an order that is turned round.
static void search_backwards(const hd__search_job *job, const char *x, const char *queries,
                             int64_t m, int64_t *to)
{
    const hd_comparison *o = job->order;
    const size_t size = o->elements.size;
    for (int64_t j = 0; j < m; j++, queries += size) {
        int64_t low = 0, high = job->n;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            const char *at = x + (size_t)middle * size;
            if (job->right ? !hd__precedes(o, at, queries) : hd__precedes(o, queries, at))
                low = middle + 1;
            else
                high = middle;
        }
        to[j] = low;
    }
}

static void search_block(const hd__search_job *job, const char *sorted, int64_t at, int64_t m,
                         const buffers *b)
{
    const char *queries = hd__at(&job->queries, at);
    if (!hd__is_contiguous(&job->queries)) {
        hd__gather(&job->queries, at, m, b->queries);
        queries = b->queries;
    }
    const bool straight = hd__is_contiguous(&job->out) && hd__size_of(job->out.type) == 8;
    int64_t *to = straight ? (int64_t *)job->out.data + at : b->positions;
    if (job->backwards)
        search_backwards(job, sorted, queries, m, to);
    else
        hd__cpu_search_all(job->order, sorted, job->n, queries, m, job->right, to);
    if (!straight) hd__put_positions(&job->out, at, m, to, b->narrow);
}

static hd_status search_row(hd_context *ctx, const hd__search_job *job)
{
    const int64_t block = hd__cpu_tune.search_block;
    const size_t size = job->order->elements.size, each = buffer_bytes(job);
    const bool dense = hd__is_contiguous(&job->sorted);
    const int threads = hd__cpu_threads_for(ctx, job->m, 32 * sizeof(int64_t));
    char *memory = hd__scratch(ctx, (size_t)threads * each + (dense ? 0 : (size_t)job->n * size));
    if (memory == NULL) return HD_ERROR_MEMORY;
    const char *sorted = job->sorted.data;
    if (!dense) {
        hd__gather(&job->sorted, 0, job->n, memory + (size_t)threads * each);
        sorted = memory + (size_t)threads * each;
    }
    const int64_t blocks = (job->m + block - 1) / block;
    if (threads == 1) {
        const buffers own = buffers_of(memory);
        for (int64_t b = 0; b < blocks; b++)
            search_block(job, sorted, b * block, hd__min_of(block, job->m - b * block), &own);
        return HD_OK;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4)
    for (int64_t b = 0; b < blocks; b++) {
        HD__FLOAT_STATE;
        const buffers own = buffers_of(memory + (size_t)omp_get_thread_num() * each);
        search_block(job, sorted, b * block, hd__min_of(block, job->m - b * block), &own);
    }
    return HD_OK;
}

hd_status hd__cpu_search(hd_context *ctx, const void *any, const char **why)
{
    const hd__search_job *job = any;
    (void)why; // never declines
    if (job->m == 0) return HD_OK;
    if (job->rows == 1) return search_row(ctx, job);
    for (int64_t r = 0; r < job->rows; r++) {
        const hd__search_job row = hd__search_row(job, r);
        HD_TRY(search_row(ctx, &row));
    }
    return HD_OK;
}
