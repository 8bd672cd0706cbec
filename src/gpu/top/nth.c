// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_nth and hd_quantiles, which waits for what results are made of: the host makes
// them. A few ranks of one row are selected digit by digit (top_select.c). Otherwise everything is
// sorted, and looked at there; so are indices, and ranks of NaN, whose bits digits do not tell.
#include "patterns/sort/nth.h"
#include "gpu/gpu.h"
#include "patterns/move/gather.h"
#include "patterns/sort/rows.h"
#include "patterns/sort/sort.h"
#include "top_select.h"

#include <string.h>

enum {
    WORTH_BYTES = 24,      // of keys of all ranks that digits are counted of: else a sort is faster
    WORTH_SHORT_BYTES = 7, // of keys of up to two bytes
    MEMORY_MAX = 4
};

typedef struct pass {
    hd__gpu_stage s;
    const hd__nth_job *job;
    hd__nth_job host; // its outputs are the host's
    hd_view in;       // of the device
    int64_t n;        // elements
    int64_t count;    // elements that results of a row are made of
    hd_view sorted, order;
    hd__gpu_block block[MEMORY_MAX];
    int32_t blocks;
    // Of the host: of each row, elements that are left, and whether it has no results; of each
    // element of a result, where it is in the sorted ones, itself, and where it was.
    int64_t *lengths, *ranks, *places, *positions;
    bool *nothing;
    char *elements, *outs;
    const char **why;
} pass;

static hd_status take(pass *p, hd_type type, int64_t n, hd_view *v)
{
    const size_t bytes = (size_t)(n > 0 ? n : 1) * hd__size_of(type);
    hd__gpu_address at;
    HD_TRY(hd__gpu_allocate(p->s.ctx, p->s.gpu, bytes, &at));
    p->block[p->blocks++] = (hd__gpu_block){at, bytes};
    *v = hd__gpu_array(type, at, n);
    return HD_OK;
}

// Elements of the device at some places, to the host.
static hd_status fetch(const pass *p, const hd_view *from, int64_t count, void *to)
{
    hd_type type = from->type;
    hd_view in = *from;
    if (type == HD_BOOL) in.type = type = HD_U8;
    const hd__gather_job job = {.in = in,
                                .index = hd_view_of(HD_I64, p->places, count),
                                .out = hd_view_of(type, to, count),
                                .axis = -1,
                                .limit = hd_count(in),
                                .bad_to = HD_EMPTY};
    return count > 0 ? hd__gpu_gather(p->s.ctx, &job, p->why) : HD_OK;
}

// ---- Everything sorted --------------------------------------------------------------------------

static hd_status sort_all(pass *p)
{
    const hd__nth_job *job = p->job;
    hd__sort_job sort = {.order = job->numbers ? NULL : job->order,
                         .n = p->n,
                         .length = job->offsets != NULL ? p->n : job->length,
                         .keys = p->in,
                         .axis = -1,
                         .descending = job->numbers ? job->descending : job->backwards};
    HD_TRY(take(p, job->in.type, p->n, &p->sorted));
    sort.out = p->sorted;
    if (!hd__is_empty(&job->indices)) {
        HD_TRY(take(p, p->n >> 32 != 0 ? HD_U64 : HD_U32, p->n, &p->order));
        sort.indices = p->order;
    }
    if (job->offsets != NULL)
        sort.segments = hd_view_of(HD_I64, (void *)job->offsets, job->rows + 1);
    return p->n > 0 ? hd__gpu_sort(p->s.ctx, &sort, p->why) : HD_OK;
}

// Of a row whose elements from `low` to `high` - 1 are in question: where NaN begin.
typedef struct range {
    int64_t low, high;
} range;

// NaN are the last of a row: by halving, of all rows at once.
static hd_status count_numbers(pass *p, range *rows)
{
    const hd__nth_job *job = p->job;
    const size_t size = hd__size_of(job->in.type);
    for (int64_t r = 0; r < job->rows; r++) rows[r] = (range){0, hd__nth_row_length(job, r)};
    for (bool open = true; open;) {
        open = false;
        for (int64_t r = 0; r < job->rows; r++) {
            const bool asks = rows[r].low < rows[r].high;
            open = open || asks;
            p->places[r] = asks ? hd__nth_row_begin(job, r) + (rows[r].low + rows[r].high) / 2 : 0;
        }
        if (!open) break;
        HD_TRY(fetch(p, &p->sorted, job->rows, p->elements));
        for (int64_t r = 0; r < job->rows; r++) {
            const int64_t middle = (rows[r].low + rows[r].high) / 2;
            if (rows[r].low == rows[r].high) continue;
            if (hd__is_nan(job->in.type, p->elements + (size_t)r * size))
                rows[r].high = middle;
            else
                rows[r].low = middle + 1;
        }
    }
    return HD_OK;
}

static hd_status find_lengths(pass *p)
{
    const hd__nth_job *job = p->job;
    const bool has_nan = job->ranks == NULL && hd__is_float(job->in.type);
    range *rows = (range *)(void *)p->positions; // room for two numbers a row
    if (has_nan) HD_TRY(count_numbers(p, rows));
    for (int64_t r = 0; r < job->rows; r++) {
        const int64_t n = p->lengths[r] = hd__nth_row_length(job, r);
        p->nothing[r] = hd__nth_is_nothing(job, has_nan ? n - rows[r].low : 0, &p->lengths[r]);
    }
    return HD_OK;
}

static hd_status look_up(pass *p)
{
    const hd__nth_job *job = p->job;
    HD_TRY(sort_all(p));
    HD_TRY(find_lengths(p));
    bool any = false;
    for (int64_t r = 0; r < job->rows; r++) {
        any = any || !p->nothing[r];
        if (!p->nothing[r]) hd__nth_ranks(job, p->lengths[r], p->ranks);
        for (int64_t k = 0; k < p->count; k++)
            p->places[r * p->count + k] =
                p->nothing[r] ? 0 : hd__nth_row_begin(job, r) + p->ranks[k];
    }
    if (!any) return HD_OK;
    HD_TRY(fetch(p, &p->sorted, job->rows * p->count, p->elements));
    if (hd__is_empty(&job->indices)) return HD_OK;
    const hd__gather_job indices = {
        .in = p->order,
        .index = hd_view_of(HD_I64, p->places, job->rows * p->count),
        .out = hd_view_of(p->order.type, p->positions, job->rows * p->count),
        .axis = -1,
        .limit = p->n,
        .bad_to = HD_EMPTY};
    HD_TRY(hd__gpu_gather(p->s.ctx, &indices, p->why));
    for (int64_t k = job->rows * p->count - 1; k >= 0 && p->order.type == HD_U32; k--) {
        uint32_t index;
        memcpy(&index, (char *)p->positions + 4 * k, sizeof index);
        p->positions[k] = index;
    }
    return HD_OK;
}

// ---- A few ranks --------------------------------------------------------------------------------

static bool is_selected(const pass *p)
{
    const hd__nth_job *job = p->job;
    const int64_t size = (int64_t)hd__size_of(job->in.type);
    return job->numbers && job->rows == 1 && job->offsets == NULL && hd__is_empty(&job->indices) &&
           p->n >= p->s.gpu->tuning.nth_from &&
           p->count * size <= (size <= 2 ? WORTH_SHORT_BYTES : WORTH_BYTES);
}

static bool is_dense(const hd_view *v)
{
    return v->space == HD_DEVICE && v->ndim == 1 && (v->stride[0] == 1 || v->shape[0] <= 1) &&
           (uintptr_t)v->data % hd__size_of(v->type) == 0;
}

// *done: without NaN among the elements.
static hd_status select_few(pass *p, bool *done)
{
    const hd__nth_job *job = p->job;
    const size_t size = hd__size_of(job->in.type);
    uint64_t *const bits = (uint64_t *)p->places; // rank by rank, before elements are in their type
    int64_t nans = 0;
    bool any_nan = false;
    if (!is_dense(&p->in)) {
        hd_view dense;
        HD_TRY(take(p, p->in.type, p->n, &dense));
        HD_TRY(hd__gpu_copy(p->s.ctx, p->in, dense, p->why));
        p->in = dense;
    }
    hd__gpu_top top = {.type = job->in.type,
                       .descending = job->descending,
                       .n = p->n,
                       .keys = (uintptr_t)p->in.data};
    if (job->ranks == NULL && hd__is_float(job->in.type))
        HD_TRY(hd__gpu_count_nan(p->s.ctx, p->s.gpu, &top, &nans));
    p->lengths[0] = p->n;
    p->nothing[0] = hd__nth_is_nothing(job, nans, &p->lengths[0]);
    if (!p->nothing[0]) {
        hd__nth_ranks(job, p->lengths[0], p->ranks);
        HD_TRY(hd__gpu_rank_select(p->s.ctx, p->s.gpu, &top, p->ranks, p->count, bits, &any_nan));
        for (int64_t k = 0; k < p->count; k++)
            memcpy(p->elements + (size_t)k * size, &bits[k], size);
    }
    *done = !any_nan;
    return HD_OK;
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status store(pass *p)
{
    const hd__nth_job *job = p->job;
    const size_t size = hd__size_of(job->in.type);
    for (int64_t r = 0; r < job->rows; r++)
        HD_TRY(p->nothing[r] ? hd__nth_store_nothing(p->s.ctx, &p->host, r)
                             : hd__nth_store(p->s.ctx, &p->host, r, p->lengths[r],
                                             p->elements + (size_t)(r * p->count) * size,
                                             p->positions + r * p->count));
    if (p->host.out.data != job->out.data)
        HD_TRY(hd__gpu_copy(p->s.ctx, p->host.out, job->out, p->why));
    if (!hd__is_empty(&job->indices) && p->host.indices.data != job->indices.data)
        HD_TRY(hd__gpu_copy(p->s.ctx, p->host.indices, job->indices, p->why));
    return HD_OK;
}

static hd_status run(pass *p)
{
    bool done = false;
    HD_TRY(hd__gpu_stage_in(&p->s, &p->in));
    hd__collapse(&p->in);
    if (is_selected(p)) HD_TRY(select_few(p, &done));
    if (!done) HD_TRY(look_up(p));
    return store(p);
}

// A view of the device is made on the host, and copied.
static hd_view host_of(const hd_view *v, char **at)
{
    if (hd__is_empty(v) || v->space == HD_HOST) return *v;
    const int64_t n = hd_count(*v);
    const hd_view host = hd_view_of(v->type, *at, n);
    *at += hd__padded((size_t)n * hd__size_of(v->type));
    return host;
}

static hd_status with_memory(pass *p)
{
    const hd__nth_job *job = p->job;
    const size_t rows = (size_t)job->rows, count = (size_t)p->count, all = rows * count;
    const size_t wide = all > 2 * rows ? all : 2 * rows;
    const size_t element = hd__size_of(job->in.type), out = hd__size_of(job->out.type);
    const size_t bytes = 8 * (rows + count + 2 * wide) + hd__padded(rows) +
                         hd__padded(wide * element) + 2 * hd__padded(all * (out > 8 ? out : 8)) +
                         3 * 64;
    char *memory = hd__allocate(p->s.ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    p->lengths = (int64_t *)(void *)memory;
    p->ranks = p->lengths + rows;
    p->places = p->ranks + count;
    p->positions = p->places + wide;
    p->elements = (char *)(p->positions + wide);
    p->elements += (64 - (uintptr_t)p->elements % 64) % 64;
    p->outs = p->elements + hd__padded(wide * element);
    p->host = *job;
    p->host.out = host_of(&job->out, &p->outs);
    p->host.indices = host_of(&job->indices, &p->outs);
    p->nothing = (bool *)p->outs;
    const hd_status status = run(p);
    for (int32_t k = 0; k < p->blocks; k++)
        hd__gpu_release(p->s.gpu, p->block[k].at, p->block[k].bytes);
    const hd_status end = hd__gpu_stage_end(&p->s, status);
    hd__release(p->s.ctx, memory, bytes);
    return end;
}

hd_status hd__gpu_nth(hd_context *ctx, const void *any, const char **why)
{
    const hd__nth_job *job = any;
    pass p = {.s = {.ctx = ctx}, .job = job, .in = job->in, .n = hd__count(&job->in), .why = why};
    p.count = hd__nth_elements(job) * job->m;
    HD_TRY(hd__gpu_of(ctx, &p.s.gpu));
    return with_memory(&p);
}
