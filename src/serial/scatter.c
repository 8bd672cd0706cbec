// SPDX-License-Identifier: Apache-2.0
// Scatter as it is defined. Written: one element after another, so that the last one stays.
// Combined: the elements of each destination, in their order, are pushed into the tree; then the
// old value.
#include "serial.h"
#include "patterns/move/indices.h"
#include "patterns/move/scatter.h"

static int64_t index_at(const hd__scatter_job *job, int64_t i)
{
    int64_t j;
    hd__indices(&job->index, i, 1, &j);
    if (hd__within(j, job->limit)) return j;
    if (job->bad != NULL && *job->bad < 0) *job->bad = i;
    return -1;
}

static hd_status write_all(hd_context *ctx, const hd__scatter_job *job)
{
    void *scratch = hd__scratch(ctx, hd__elements_bytes(&job->in, 1));
    if (scratch == NULL) return HD_ERROR_MEMORY;
    for (int64_t i = 0; i < job->in.n; i++) {
        const int64_t j = index_at(job, i);
        if (j >= 0) hd__scatter(&job->out, j, 1, hd__read_elements(&job->in, i, 1, scratch));
    }
    return HD_OK;
}

// The sources of destination d are order[begin[d]] .. order[begin[d + 1] - 1], rising.
static void sort_sources(const hd__scatter_job *job, int64_t *begin, int64_t *order)
{
    memset(begin, 0, (size_t)(job->limit + 2) * sizeof *begin);
    begin += 1; // one index ahead: each becomes its own end while the sources are laid out
    for (int64_t i = 0; i < job->in.n; i++) {
        const int64_t j = index_at(job, i);
        if (j >= 0) begin[j + 1]++;
    }
    for (int64_t d = 0; d < job->limit; d++) begin[d + 1] += begin[d];
    for (int64_t i = 0; i < job->in.n; i++) {
        const int64_t j = index_at(job, i);
        if (j >= 0) order[begin[j]++] = i;
    }
}

static hd_status combine_all(hd_context *ctx, const hd__scatter_job *job)
{
    const size_t begin_bytes = hd__padded((size_t)(job->limit + 2) * sizeof(int64_t));
    const size_t order_bytes = hd__padded((size_t)job->in.n * sizeof(int64_t));
    const size_t in_bytes = hd__padded(hd__reader_bytes(&job->in, 1));
    const size_t node_bytes = job->fold.node_size;
    unsigned char *memory =
        hd__scratch(ctx, begin_bytes + order_bytes + in_bytes + HD__LEVELS * node_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    int64_t *begin = (int64_t *)memory, *order = (int64_t *)(memory + begin_bytes);
    unsigned char *elements = memory + begin_bytes + order_bytes;
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    sort_sources(job, begin, order);
    for (int64_t d = 0; d < job->limit; d++) {
        hd__tree tree = {job->fold.node, node_bytes, 0, elements + in_bytes};
        for (int64_t k = begin[d]; k < begin[d + 1]; k++)
            hd__tree_push(&tree, 0, hd__read(&job->in, order[k], 1, elements));
        if (hd__tree_fold(&tree, node)) hd__combine_into(job, d, node);
    }
    return HD_OK;
}

hd_status hd__serial_scatter(hd_context *ctx, const void *any, const char **why)
{
    const hd__scatter_job *job = any;
    (void)why; // never declines
    return job->combines ? combine_all(ctx, job) : write_all(ctx, job);
}
