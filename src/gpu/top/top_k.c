// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_top_k. Short rows are sorted by a block each, long ones are selected from
// (top_select.c); where k is a large part of a row, and by a user's comparison, everything is
// sorted. Then outputs are the first of each row, and values are gathered.
#include "patterns/sort/top_k.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/move/gather.h"
#include "patterns/move/map.h"
#include "patterns/sort/rows.h"
#include "patterns/sort/sort.h"
#include "gpu/sort/sort_arrays.h"
#include "top_select.h"

enum { VALUES_MAX = 4, MEMORY_MAX = 16 };

typedef struct pass {
    hd__gpu_stage s;
    hd__top_k_job job; // its views are of the device
    bool numbers, descending;
    bool wants_indices;             // or values, which need them
    hd_view values[2 * VALUES_MAX]; // rows last, of the device
    hd__gpu_block memory[MEMORY_MAX];
    int32_t count; // of these
    const char **why;
} pass;

// ---- Memory -------------------------------------------------------------------------------------

static hd_status take(pass *p, hd_type type, int64_t n, hd_view *v)
{
    const size_t bytes = (size_t)(n > 0 ? n : 1) * hd__size_of(type);
    hd__gpu_address at;
    HD_TRY(hd__gpu_allocate(p->s.ctx, p->s.gpu, bytes, &at));
    p->memory[p->count++] = (hd__gpu_block){at, bytes};
    *v = hd__gpu_array(type, at, n);
    return HD_OK;
}

static void release_from(pass *p, int32_t first)
{
    while (p->count > first) {
        p->count--;
        hd__gpu_release(p->s.gpu, p->memory[p->count].at, p->memory[p->count].bytes);
    }
}

// A bool is moved as the byte that it is.
static hd_status copy_view(const pass *p, hd_view from, hd_view to)
{
    if (to.type == HD_BOOL) from.type = to.type = HD_U8;
    return hd__gpu_copy(p->s.ctx, from, to, p->why);
}

static hd_status make_dense(pass *p, hd_view *v)
{
    const size_t size = hd__size_of(v->type);
    hd_view dense;
    if (v->space == HD_DEVICE && v->ndim == 1 && (v->stride[0] == 1 || v->shape[0] <= 1) &&
        (uintptr_t)v->data % (size & (0 - size)) == 0)
        return HD_OK;
    HD_TRY(take(p, v->type, hd_count(*v), &dense));
    HD_TRY(copy_view(p, *v, dense));
    *v = dense;
    return HD_OK;
}

static hd_type index_type(int64_t n)
{
    return n >> 32 != 0 ? HD_U64 : HD_U32;
}

// ---- Outputs ------------------------------------------------------------------------------------

static hd_status gather(const pass *p, hd_view in, hd_view out, const hd_view *indices)
{
    const hd__gather_job job = {.in = in,
                                .index = *indices,
                                .out = out,
                                .axis = -1,
                                .limit = hd_count(in),
                                .bad_to = HD_EMPTY};
    return hd__gpu_gather_launch(p->s.ctx, p->s.gpu, &job, 0, 0);
}

// The first k elements of each row of `length`.
static hd_view first_of_rows(hd_view v, int64_t rows, int64_t length, int64_t k)
{
    if (rows == 1) return hd_slice(v, 0, 0, k, 1);
    const int64_t shape[] = {rows, k}, stride[] = {length, 1};
    hd_view first = hd_view_nd(v.type, v.data, 2, shape, stride);
    first.space = HD_DEVICE;
    return first;
}

// Outputs of a job whose first elements, and where they are in their rows, are at hand: one row of
// k after another.
static hd_status put(const pass *p, const hd__top_k_job *job, const hd_view *keys,
                     const hd_view *indices)
{
    if (!hd__is_empty(&job->out)) {
        const bool by_index = job->in.type == HD_BOOL; // sorted ones are 0 and 1
        if (by_index)
            HD_TRY(gather(p, job->in, job->out, indices));
        else
            HD_TRY(copy_view(p, *keys, job->out));
    }
    for (int64_t k = 0; k < job->value_count && job->rows == 1; k++) {
        const hd_view in = hd__range_of(&p->values[2 * k], job->begin, job->n),
                      out = hd__range_of(&p->values[2 * k + 1], job->place, job->k);
        HD_TRY(gather(p, in, out, indices));
    }
    return hd__is_empty(&job->indices) ? HD_OK : copy_view(p, *indices, job->indices);
}

// ---- Rows by a block each -----------------------------------------------------------------------

// Indices within rows become those of all elements.
static const hd_function to_all = {
    .inputs = 3,
    .result = HD_I64,
    .input = {HD_U32, HD_I64, HD_I64},
    .name = "to_all",
    .result_text = "int64_t",
    .inputs_text = "(uint32_t, index, int64_t, place, int64_t, lengths)",
    .body_text = "{ return place / (lengths & 0xffffffff) * (lengths >> 32) + index; }"};

static hd_status index_of_all(pass *p, const hd_view *within, hd_view *all)
{
    const int64_t n = p->job.rows * p->job.k, lengths = p->job.n << 32 | p->job.k;
    HD_TRY(take(p, HD_I64, n, all));
    hd__map_job map = {.in = {.map = &to_all,
                              .n = n,
                              .inputs = 3,
                              .view = {*within, hd_iota(n), hd_constant_of(HD_I64, &lengths, n)}},
                       .out = *all};
    return hd__gpu_map(p->s.ctx, &map, p->why);
}

static hd_status put_rows(pass *p, const hd_view *keys, const hd_view *indices)
{
    const hd__top_k_job *job = &p->job;
    hd_view all;
    const bool by_index = job->value_count > 0 || job->in.type == HD_BOOL;
    if (!by_index || job->rows == 1) return put(p, job, keys, indices);
    HD_TRY(index_of_all(p, indices, &all));
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(gather(p, p->values[2 * k], p->values[2 * k + 1], &all));
    if (job->in.type != HD_BOOL) return put(p, job, keys, indices);
    if (!hd__is_empty(&job->out)) HD_TRY(gather(p, job->in, job->out, &all));
    return hd__is_empty(&job->indices) ? HD_OK : copy_view(p, *indices, job->indices);
}

static hd_status sort_short_rows(pass *p)
{
    const hd__top_k_job *job = &p->job;
    hd_view keys, indices = HD_EMPTY;
    HD_TRY(take(p, job->in.type, job->rows * job->k, &keys));
    if (p->wants_indices) HD_TRY(take(p, HD_U32, job->rows * job->k, &indices));
    const hd__gpu_sort_arrays a = {.type = job->in.type,
                                   .descending = p->descending,
                                   .keeps_keys = true,
                                   .n = job->n,
                                   .keys = (uintptr_t)job->in.data,
                                   .keys_out = (uintptr_t)keys.data,
                                   .value_bytes = p->wants_indices ? 4 : 0,
                                   .values_out = (uintptr_t)indices.data};
    HD_TRY(hd__gpu_sort_rows_run(p->s.ctx, p->s.gpu, &a, job->rows, job->k));
    return put_rows(p, &keys, &indices);
}

// ---- Everything sorted --------------------------------------------------------------------------

// Values of rows are sorted with them; those of one row are gathered.
static hd_status sort_all(pass *p, const hd__top_k_job *job)
{
    const int64_t all = job->rows * job->n;
    hd_view keys = HD_EMPTY, indices = HD_EMPTY, values[2 * VALUES_MAX];
    hd__sort_job sort = {.order = p->numbers ? NULL : job->order,
                         .n = all,
                         .length = job->n,
                         .keys = job->in,
                         .axis = -1,
                         .descending = p->numbers ? p->descending : job->backwards};
    HD_TRY(take(p, job->in.type, all, &keys));
    sort.out = keys;
    if (p->wants_indices) HD_TRY(take(p, index_type(all), all, &indices));
    sort.indices = indices;
    if (job->rows > 1) {
        sort.values = values;
        sort.value_count = job->value_count;
        for (int64_t k = 0; k < job->value_count; k++) {
            values[2 * k] = hd__range_of(&p->values[2 * k], 0, all);
            HD_TRY(take(p, values[2 * k].type, all, &values[2 * k + 1]));
        }
    }
    HD_TRY(hd__gpu_sort(p->s.ctx, &sort, p->why));
    keys = first_of_rows(keys, job->rows, job->n, job->k);
    if (p->wants_indices) indices = first_of_rows(indices, job->rows, job->n, job->k);
    for (int64_t k = 0; k < job->value_count && job->rows > 1; k++)
        HD_TRY(copy_view(p, first_of_rows(values[2 * k + 1], job->rows, job->n, job->k),
                         p->values[2 * k + 1]));
    return put(p, job, &keys, &indices);
}

// ---- One row after another ----------------------------------------------------------------------

static hd_status select_row(pass *p, const hd__top_k_job *row, const hd__gpu_top_plan *plan,
                            hd__gpu_top *top)
{
    HD_TRY(hd__gpu_top_select(p->s.ctx, p->s.gpu, top, plan));
    p->memory[p->count++] = top->memory;
    const hd_view keys = hd__gpu_array(row->in.type, top->sorted, row->k),
                  indices = hd__gpu_array(index_type(row->n), top->indices, row->k);
    return put(p, row, &keys, &indices);
}

static hd_status do_row(pass *p, const hd__top_k_job *row)
{
    hd__gpu_top_plan plan;
    hd__gpu_top top = {.type = row->in.type,
                       .descending = p->descending,
                       .n = row->n,
                       .k = row->k,
                       .keys = (uintptr_t)row->in.data};
    if (!p->numbers || !hd__gpu_top_plan_of(p->s.gpu, &top, &plan)) return sort_all(p, row);
    return select_row(p, row, &plan, &top);
}

static hd_status do_rows(pass *p)
{
    for (int64_t r = 0; r < p->job.rows; r++) {
        const int32_t first = p->count;
        const hd__top_k_job row = hd__top_k_row(&p->job, r);
        const hd_status status = do_row(p, &row);
        release_from(p, first);
        HD_TRY(status);
    }
    return HD_OK;
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status stage(pass *p)
{
    hd__top_k_job *job = &p->job;
    HD_TRY(hd__gpu_stage_in(&p->s, &job->in));
    HD_TRY(hd__gpu_stage_out(&p->s, &job->out));
    HD_TRY(hd__gpu_stage_out(&p->s, &job->indices));
    for (int64_t k = 0; k < 2 * job->value_count; k++) {
        hd_view *v = &p->values[k];
        *v = job->values[k];
        hd__lift(v);
        hd__put_axis_last(v, job->axis);
        HD_TRY(k % 2 == 0 ? hd__gpu_stage_in(&p->s, v) : hd__gpu_stage_out(&p->s, v));
        hd__collapse(v);
    }
    hd__collapse(&job->in);
    if (!hd__is_empty(&job->out)) hd__collapse(&job->out);
    if (!hd__is_empty(&job->indices)) hd__collapse(&job->indices);
    return make_dense(p, &job->in);
}

static hd_status run(pass *p)
{
    const hd__top_k_job *job = &p->job;
    const hd__gpu_tuning *tuning = &p->s.gpu->tuning;
    HD_TRY(stage(p));
    p->wants_indices =
        !hd__is_empty(&job->indices) || job->value_count > 0 || job->in.type == HD_BOOL;
    if (hd__is_empty(&job->out) && !p->wants_indices) return HD_OK;
    if (p->numbers && job->n <= tuning->top_row && job->rows >> 31 == 0) return sort_short_rows(p);
    const bool together = !p->numbers || (job->n <= tuning->top_slices && job->in.type != HD_BOOL);
    if (job->rows > 1 && together && job->rows * job->n >> 32 == 0) return sort_all(p, job);
    return do_rows(p);
}

hd_status hd__gpu_top_k(hd_context *ctx, const void *any, const char **why)
{
    pass p = {.s = {.ctx = ctx}, .job = *(const hd__top_k_job *)any, .why = why};
    const hd__top_k_job *job = &p.job;
    const hd_type type = job->in.type;
    if (hd__is_number(type)) {
        p.descending = job->order == hd__number_order(type, true);
        p.numbers = p.descending || job->order == hd__number_order(type, false);
    }
    if (job->value_count > VALUES_MAX) {
        *why = "it moves at most four arrays of values";
        return HD__DECLINED;
    }
    if (job->offsets != NULL) {
        *why = "it takes no segments";
        return HD__DECLINED;
    }
    if (!p.numbers && job->rows > 1) {
        *why = "it does not sort rows by a comparison";
        return HD__DECLINED;
    }
    HD_TRY(hd__gpu_of(ctx, &p.s.gpu));
    const hd_status status = run(&p);
    release_from(&p, 0);
    return hd__gpu_stage_end(&p.s, status);
}
