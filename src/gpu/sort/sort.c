// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_sort: numbers by a radix sort, others by a merge sort. A value of a usual size
// goes with numbers; otherwise indices do, by which the values are gathered. Rows and segments of
// numbers have kernels of their own; others are sorted as one, and then by their rows.
#include "patterns/sort/sort.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/move/gather.h"
#include "patterns/move/map.h"
#include "patterns/scan/head_flags.h"
#include "gpu/merge_sort/merge_sort.h"
#include "sort_arrays.h"
#include "gpu/segment_sort/slice_order.h"
#include "gpu/segment_sort/sort_segments.h"

#include <string.h>

enum {
    MEMORY_MAX = 32, // blocks of device memory that a call takes
    VALUES_MAX = 4,  // arrays of values that are staged at once
    ROW_THREADS = 256,
    ROW_BLOCKS = 8 // of a multiprocessor
};

typedef struct pass {
    hd__gpu_stage *s;
    hd__sort_job *job;
    const char **why;
    hd__gpu_block memory[MEMORY_MAX];
    int32_t count; // of these
} pass;

// ---- Memory and copies --------------------------------------------------------------------------

static hd_status take(pass *p, size_t bytes, hd__gpu_address *at)
{
    HD_TRY(hd__gpu_allocate(p->s->ctx, p->s->gpu, bytes, at));
    p->memory[p->count++] = (hd__gpu_block){*at, bytes};
    return HD_OK;
}

static void release_from(pass *p, int32_t first)
{
    while (p->count > first) {
        p->count--;
        hd__gpu_release(p->s->gpu, p->memory[p->count].at, p->memory[p->count].bytes);
    }
}

// Elements of one view to another; a bool is moved as the byte that it is.
static hd_status copy_view(pass *p, hd_view from, hd_view to)
{
    const char *why;
    hd__map_job map = {.in = {.n = p->job->n, .inputs = 1}};
    if (to.type == HD_BOOL) from.type = to.type = HD_U8;
    hd__collapse(&from);
    hd__collapse(&to);
    map.in.view[0] = from;
    map.out = to;
    return hd__gpu_map(p->s->ctx, &map, &why);
}

// A structure is aligned to the powers of two in its size.
static bool is_dense(hd_view v)
{
    const size_t size = hd__size_of(v.type);
    hd__collapse(&v);
    return v.space == HD_DEVICE && v.ndim == 1 && (v.stride[0] == 1 || v.shape[0] <= 1) &&
           (uintptr_t)v.data % (size & (0 - size)) == 0;
}

static hd_status take_like(pass *p, const hd_view *v, hd_view *dense)
{
    hd__gpu_address at;
    HD_TRY(take(p, (size_t)p->job->n * hd__size_of(v->type), &at));
    *dense = hd__gpu_array(v->type, at, p->job->n);
    return HD_OK;
}

// A view without gaps in the place of one that has some.
static hd_status make_dense(pass *p, hd_view *v)
{
    hd_view dense;
    if (is_dense(*v)) return HD_OK;
    HD_TRY(take_like(p, v, &dense));
    HD_TRY(copy_view(p, *v, dense));
    *v = dense;
    return HD_OK;
}

// ---- What goes with the keys --------------------------------------------------------------------

static bool is_usual_size(size_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

// By a comparison nothing but indices goes with the keys.
static hd_status sort_by(pass *p, const hd_view *keys, const hd_view *out, const hd_view *indices)
{
    const hd__sort_job *job = p->job;
    const hd__gpu_merge_sort a = {.order = job->order,
                                  .backwards = job->descending,
                                  .type = keys->type,
                                  .n = job->n,
                                  .keys = (uintptr_t)keys->data,
                                  .keys_out = (uintptr_t)out->data,
                                  .index_bytes = indices != NULL ? hd__size_of(indices->type) : 0,
                                  .indices = indices != NULL ? (uintptr_t)indices->data : 0};
    return hd__gpu_merge_sort_run(p->s->ctx, p->s->gpu, &a, p->why);
}

// Sorts keys, and `to` with them: what is at `from`, or indices (NULL).
static hd_status sort_with(pass *p, const hd_view *from, const hd_view *to)
{
    const hd__sort_job *job = p->job;
    hd_view keys = job->keys, out = job->out;
    const bool keeps = !hd__is_empty(&out);
    HD_TRY(make_dense(p, &keys));
    if (!keeps || !is_dense(out)) HD_TRY(take_like(p, &keys, &out));
    if (job->order != NULL) {
        HD_TRY(sort_by(p, &keys, &out, to));
        return keeps && out.data != job->out.data ? copy_view(p, out, job->out) : HD_OK;
    }
    hd__gpu_sort_arrays a = {.type = keys.type,
                             .descending = job->descending,
                             .keeps_keys = keeps,
                             .n = job->n,
                             .keys = (uintptr_t)keys.data,
                             .keys_out = (uintptr_t)out.data};
    if (to != NULL) {
        a.value_bytes = hd__size_of(to->type);
        a.values = from != NULL ? (uintptr_t)from->data : 0;
        a.values_out = (uintptr_t)to->data;
    }
    HD_TRY(hd__gpu_sort_arrays_run(p->s->ctx, p->s->gpu, &a));
    return keeps && out.data != job->out.data ? copy_view(p, out, job->out) : HD_OK;
}

static hd_status sort_with_value(pass *p, hd_view in, hd_view out)
{
    hd_view to = out;
    HD_TRY(make_dense(p, &in));
    if (!is_dense(out)) HD_TRY(take_like(p, &in, &to));
    HD_TRY(sort_with(p, &in, &to));
    return to.data != out.data ? copy_view(p, to, out) : HD_OK;
}

static hd_status gather_value(pass *p, hd_view in, hd_view out, const hd_view *indices)
{
    hd_view to = out;
    const bool in_place = in.data == out.data;
    hd__collapse(&in);
    hd__collapse(&to);
    if (in_place) HD_TRY(take_like(p, &out, &to));
    const hd__gather_job gather = {
        .in = in, .index = *indices, .out = to, .axis = -1, .limit = p->job->n, .bad_to = HD_EMPTY};
    HD_TRY(hd__gpu_gather_launch(p->s->ctx, p->s->gpu, &gather, 0, 0));
    return in_place ? copy_view(p, to, out) : HD_OK;
}

// An array of values that is not staged with the others: it is there for as long as it is moved.
static hd_status gather_alone(pass *p, int64_t k, const hd_view *indices)
{
    hd__gpu_stage own = {.ctx = p->s->ctx, .gpu = p->s->gpu};
    const int32_t first = p->count;
    hd_view in, out;
    hd__sort_value(p->job, k, &in, &out);
    hd_status status = hd__gpu_stage_in(&own, &in);
    if (status == HD_OK) status = hd__gpu_stage_out(&own, &out);
    if (status == HD_OK) status = gather_value(p, in, out, indices);
    release_from(p, first);
    return hd__gpu_stage_end(&own, status);
}

static hd_status gather_values(pass *p, hd_view (*values)[2], const hd_view *indices)
{
    for (int64_t k = 0; k < p->job->value_count; k++)
        HD_TRY(k < VALUES_MAX ? gather_value(p, values[k][0], values[k][1], indices)
                              : gather_alone(p, k, indices));
    return HD_OK;
}

static hd_status sort_indices(pass *p, hd_view (*values)[2])
{
    hd__sort_job *job = p->job;
    hd_view order = job->indices;
    if (hd__is_empty(&job->indices)) order = hd__gpu_array(job->n >> 32 ? HD_U64 : HD_U32, 0, 0);
    if (hd__is_empty(&job->indices) || !is_dense(order)) HD_TRY(take_like(p, &order, &order));
    hd__collapse(&order);
    HD_TRY(sort_with(p, NULL, &order));
    HD_TRY(gather_values(p, values, &order));
    if (hd__is_empty(&job->indices) || order.data == job->indices.data) return HD_OK;
    return copy_view(p, order, job->indices);
}

// ---- Rows and segments --------------------------------------------------------------------------

// hk_rows of sort_row_order.cu.
typedef struct rows {
    int64_t n, length;
    hd__gpu_address order, out;
} rows;

// Indices of everything become those within rows.
static hd_status count_from_rows(pass *p, hd_view *order)
{
    hd_view within;
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    HD_TRY(take_like(p, order, &within));
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "sort_row_order");
    config.codegen_kind = HD__GPU_CODEGEN_OFFSETS;
    config.op = -1;
    config.k = config.rows = config.blocks = 1;
    config.threads = ROW_THREADS;
    config.wide_keys = order->type == HD_U64;
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, NULL, &kernel));
    const rows of = {p->job->n, p->job->length, (uintptr_t)order->data, (uintptr_t)within.data};
    *order = within;
    const int64_t all = (of.n + ROW_THREADS - 1) / ROW_THREADS;
    const int64_t fit = ROW_BLOCKS * gpu->driver->properties(gpu->device)->multiprocessors;
    const void *arguments[] = {&of};
    return gpu->driver->launch(p->s->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = all < fit ? all : fit,
                                                 .threads = ROW_THREADS,
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

// Offsets 0, length, 2 length, ... of rows; else those of segments, which the device checks.
static hd_status find_offsets(pass *p, hd_view *offsets)
{
    const hd__sort_job *job = p->job;
    *offsets = job->segments;
    if (!hd__is_empty(&job->segments)) {
        HD_TRY(hd__gpu_stage_in(p->s, offsets));
        hd__collapse(offsets);
        return HD_OK;
    }
    *offsets = hd_view_of(HD_I64, NULL, job->n / job->length + 1);
    offsets->space = HD_IMPLICIT;
    offsets->scalar.i.start = 0;
    offsets->scalar.i.step = job->length;
    return HD_OK;
}

// Numbers: segment by segment.
static hd_status sort_segments(pass *p, const hd_view *keys, const hd_view *out,
                               const hd_view *order)
{
    const hd__sort_job *job = p->job;
    hd__gpu_sort_segments a = {.type = keys->type,
                               .descending = job->descending,
                               .n = job->n,
                               .longest = hd__is_empty(&job->segments) ? job->length : job->n,
                               .keys = (uintptr_t)keys->data,
                               .keys_out = (uintptr_t)out->data,
                               .order = (uintptr_t)order->data};
    HD_TRY(find_offsets(p, &a.offsets));
    return hd__gpu_sort_segments_run(p->s->ctx, p->s->gpu, &a);
}

// Others: everything, and then by where the segments begin.
static hd_status sort_everything(pass *p, const hd_view *keys, const hd_view *out,
                                 const hd_view *order)
{
    hd__sort_job *const job = p->job, whole = {.order = job->order,
                                               .n = job->n,
                                               .length = job->n,
                                               .keys = *keys,
                                               .out = HD_EMPTY,
                                               .axis = -1,
                                               .descending = job->descending};
    hd__gpu_slice_order a = {.n = job->n, .type = order->type, .order = (uintptr_t)order->data};
    if (hd__is_empty(&job->segments)) a.length = job->length;
    HD_TRY(find_offsets(p, &a.offsets));
    p->job = &whole;
    hd_status status = sort_with(p, NULL, order);
    p->job = job;
    if (status == HD_OK) status = hd__gpu_slice_order_run(p->s->ctx, p->s->gpu, &a);
    if (status != HD_OK || out->data == NULL) return status;
    return gather_value(p, *keys, *out, order);
}

static hd_status sort_slices(pass *p, hd_view (*values)[2])
{
    const hd__sort_job *job = p->job;
    const bool keeps = !hd__is_empty(&job->out), indices = !hd__is_empty(&job->indices);
    const bool numbers = job->order == NULL && job->keys.type != HD_BOOL && job->n >> 32 == 0;
    hd_view keys = job->keys, out = keeps ? job->out : hd__gpu_array(keys.type, 0, 0),
            order = hd__gpu_array(job->n >> 32 ? HD_U64 : HD_U32, 0, 0);
    if (!keeps && !indices && job->value_count == 0) return HD_OK;
    HD_TRY(make_dense(p, &keys));
    if (keeps && !is_dense(out)) HD_TRY(take_like(p, &keys, &out));
    if (indices || job->value_count > 0 || !numbers) HD_TRY(take_like(p, &order, &order));
    HD_TRY(numbers ? sort_segments(p, &keys, &out, &order)
                   : sort_everything(p, &keys, &out, &order));
    if (keeps && out.data != job->out.data) HD_TRY(copy_view(p, out, job->out));
    HD_TRY(gather_values(p, values, &order));
    if (!indices) return HD_OK;
    if (hd__is_empty(&job->segments)) HD_TRY(count_from_rows(p, &order));
    return copy_view(p, order, job->indices);
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status run(pass *p)
{
    hd__sort_job *job = p->job;
    hd_view values[VALUES_MAX][2];
    HD_TRY(hd__gpu_stage_in(p->s, &job->keys));
    HD_TRY(hd__gpu_stage_out(p->s, &job->out));
    HD_TRY(hd__gpu_stage_out(p->s, &job->indices));
    for (int64_t k = 0; k < job->value_count && k < VALUES_MAX; k++) {
        hd__sort_value(job, k, &values[k][0], &values[k][1]);
        HD_TRY(hd__gpu_stage_in(p->s, &values[k][0]));
        HD_TRY(hd__gpu_stage_out(p->s, &values[k][1]));
    }
    const bool indices = !hd__is_empty(&job->indices);
    if (!hd__is_empty(&job->segments) || job->length != job->n) return sort_slices(p, values);
    if (!indices && job->value_count == 0)
        return hd__is_empty(&job->out) ? HD_OK : sort_with(p, NULL, NULL);
    const hd_view *value = &values[0][0];
    if (!indices && job->order == NULL && job->value_count == 1 &&
        is_usual_size(hd__size_of(value->type)))
        return sort_with_value(p, values[0][0], values[0][1]);
    return sort_indices(p, values);
}

hd_status hd__gpu_sort(hd_context *ctx, const void *any, const char **why)
{
    hd__sort_job job = *(const hd__sort_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    pass p = {.s = &s, .job = &job, .why = why};
    if (!hd__is_empty(&job.segments) && job.segments.space == HD_HOST)
        HD_TRY(hd__check_all_offsets(ctx, "hd_sort", &job.segments, job.n));
    if (job.n == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const hd_status status = run(&p);
    release_from(&p, 0);
    return hd__gpu_stage_end(&s, status);
}
