// SPDX-License-Identifier: Apache-2.0
// Which elements of an array are nodes: those that can be reached from the heads of lists, by
// pointer jumping over all of it. The heads are checked by the host.
#include "list.h"
#include "patterns/reduce/reduce.h"

typedef struct marking {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__list_job *job;
    hd_view next; // of the device
    int64_t n, count;
    hd__gpu_block block;
    hd__gpu_address moved, jumps[2], marks, heads;
    const char **why;
} marking;

static size_t padded(int64_t n, size_t size)
{
    return hd__padded((size_t)n * size);
}

static hd_status take_memory(marking *m)
{
    const size_t moved = hd__padded(4 * HD__GPU_LIST_STEPS), words = padded(m->n, 4);
    m->block.bytes = moved + 3 * words + padded(m->count, 8);
    HD_TRY(hd__gpu_allocate(m->ctx, m->gpu, m->block.bytes, &m->block.at));
    m->moved = m->block.at;
    m->jumps[0] = m->moved + moved;
    m->jumps[1] = m->jumps[0] + words;
    m->marks = m->jumps[1] + words;
    m->heads = m->marks + words;
    return m->gpu->driver->clear(m->ctx, m->gpu->device, m->moved, moved);
}

// Through the host, which names a bad one: what it has checked is what is used.
static hd_status check_heads(marking *m)
{
    const size_t bytes = (size_t)m->count * sizeof(int64_t);
    int64_t *heads = hd__allocate(m->ctx, bytes);
    if (heads == NULL) return HD_ERROR_MEMORY;
    const hd_view here = HD_VIEW(heads, m->count);
    hd_status status = hd__gpu_copy(m->ctx, m->job->heads, here, m->why);
    for (int64_t k = 0; k < m->count && status == HD_OK; k++)
        status = hd__check_head(m->ctx, m->job->call, k, heads[k], m->n);
    if (status == HD_OK)
        status = hd__gpu_copy(m->ctx, here, hd__gpu_array(HD_I64, m->heads, m->count), m->why);
    hd__release(m->ctx, heads, bytes);
    return status;
}

static hd_status begin(marking *m)
{
    const hd__gpu_kernel_config config = hd__gpu_list_config("list_reach_begin", &m->next),
                                heads = hd__gpu_list_config("list_reach_heads", NULL);
    const hd__gpu_kernel_view next = hd__gpu_kernel_view_of(&m->next);
    const int64_t minus_one = hd__gpu_minus_one(m->next.type);
    const void *links[] = {&next, &m->n, &minus_one, &m->jumps[0], &m->marks};
    const void *first[] = {&m->heads, &m->count, &m->marks};
    HD_TRY(hd__gpu_list_launch(m->ctx, m->gpu, &config, m->n, links, 5));
    return hd__gpu_list_launch(m->ctx, m->gpu, &heads, m->count, first, 3);
}

static hd_status reach(marking *m)
{
    const hd__gpu_kernel_config config = hd__gpu_list_config("list_reach", NULL);
    const int32_t steps = hd__jumps(m->n) + 1;
    for (int32_t k = 0; k < steps; k++) {
        const void *arguments[] = {&m->jumps[k % 2], &m->jumps[1 - k % 2], &m->n, &k, &m->marks,
                                   &m->moved};
        HD_TRY(hd__gpu_list_launch(m->ctx, m->gpu, &config, m->n, arguments, 6));
    }
    return HD_OK;
}

static hd_status count_nodes(const marking *m, const hd_view *marks, int64_t *nodes)
{
    hd__reduce_job sum = {.in = {.n = m->n, .inputs = 1, .view = {*marks}},
                          .slices = HD__EVERYTHING,
                          .out = HD_VIEW(nodes, 1)};
    HD_TRY(hd__resolve(m->ctx, m->job->call, HD_SUM, HD_U8, HD_I64, &(hd__fold_options){0},
                       &sum.fold));
    sum.in.fold = &sum.fold;
    return hd__gpu_reduce(m->ctx, &sum, m->why);
}

static hd_status run(marking *m, const hd_view *marks, int64_t *nodes)
{
    HD_TRY(take_memory(m));
    if (m->count > 0) HD_TRY(check_heads(m));
    HD_TRY(begin(m));
    HD_TRY(reach(m));
    HD_TRY(hd__gpu_copy(m->ctx, hd__gpu_array(HD_U32, m->marks, m->n), *marks, m->why));
    return count_nodes(m, marks, nodes);
}

hd_status hd__gpu_list_mark(hd_context *ctx, hd__gpu *gpu, const hd__list_job *job,
                            const hd_view *next, hd__gpu_block *block, int64_t *nodes,
                            const char **why)
{
    marking m = {.ctx = ctx, .gpu = gpu, .job = job, .next = *next, .why = why};
    m.n = next->shape[0];
    m.count = hd_count(job->heads);
    block->bytes = (size_t)m.n;
    HD_TRY(hd__gpu_allocate(ctx, gpu, block->bytes, &block->at));
    const hd_view marks = hd__gpu_array(HD_U8, block->at, m.n);
    const hd_status status = run(&m, &marks, nodes);
    if (m.block.at != 0) hd__gpu_release(gpu, m.block.at, m.block.bytes);
    return status;
}
