// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_top_k. Short rows are sorted by a block each, long ones are selected from
// (top_select.c); where k is a large part of a row, by a user's comparison and of segments,
// everything is sorted. Then outputs are the first of each row, and values are gathered.
#include "patterns/sort/top_k.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/move/gather.h"
#include "gpu/move/scatter.h"
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

static bool is_dense(const hd_view *v)
{
    const size_t size = hd__size_of(v->type);
    return !hd__is_empty(v) && v->space == HD_DEVICE && v->ndim == 1 &&
           (v->stride[0] == 1 || v->shape[0] <= 1) && (uintptr_t)v->data % (size & (0 - size)) == 0;
}

static hd_status make_dense(pass *p, hd_view *v)
{
    hd_view dense;
    if (is_dense(v)) return HD_OK;
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
        else if (keys->data != job->out.data) // they may be there by now
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
    const hd_status status = hd__gpu_top_select(p->s.ctx, p->s.gpu, top, plan);
    if (top->memory.bytes > 0) p->memory[p->count++] = top->memory;
    HD_TRY(status);
    const hd_view keys = hd__gpu_array(row->in.type, top->sorted, row->k),
                  indices = hd__gpu_array(index_type(row->n), top->indices, row->k);
    return put(p, row, &keys, &indices);
}

static hd_status do_row(pass *p, const hd__top_k_job *row)
{
    hd__gpu_top_plan plan;
    hd__gpu_top top = {
        .type = row->in.type,
        .descending = p->descending,
        .n = row->n,
        .k = row->k,
        .keys = (uintptr_t)row->in.data,
        .out = is_dense(&row->out) && row->in.type != HD_BOOL ? (uintptr_t)row->out.data : 0,
        .wants_indices = p->wants_indices};
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

// ---- Segments -----------------------------------------------------------------------------------

// The first elements of all segments: what they are, one after another, and where in the outputs.
typedef struct firsts {
    int64_t count;
    hd_view which, place;
    bool everywhere; // no output stays as it is
} firsts;

static hd_status sort_segments(pass *p, hd_view *order)
{
    const hd__top_k_job *job = &p->job;
    const int64_t n = hd_count(job->in);
    HD_TRY(take(p, index_type(n), n, order));
    const hd__sort_job sort = {.order = p->numbers ? NULL : job->order,
                               .n = n,
                               .length = n,
                               .keys = job->in,
                               .out = HD_EMPTY,
                               .indices = *order,
                               .segments = hd_view_of(HD_I64, (void *)job->offsets, job->rows + 1),
                               .axis = -1,
                               .descending = p->numbers ? p->descending : job->backwards};
    return hd__gpu_sort(p->s.ctx, &sort, p->why);
}

// From where in the order of segments, and to where in the outputs; returns how many.
static int64_t list_firsts(const hd__top_k_job *job, int64_t *from, int64_t *place)
{
    int64_t count = 0;
    for (int64_t r = 0; r < job->rows; r++) {
        const int64_t begin = job->offsets[r], length = job->offsets[r + 1] - begin;
        for (int64_t j = 0; j < job->k && j < length; j++, count++) {
            if (from == NULL) continue;
            from[count] = begin + j;
            place[count] = r * job->k + j;
        }
    }
    return count;
}

static hd_status find_firsts(pass *p, firsts *f)
{
    hd_view order, from;
    const int64_t count = f->count;
    const size_t bytes = 2 * (size_t)count * sizeof(int64_t);
    HD_TRY(sort_segments(p, &order));
    HD_TRY(take(p, HD_I64, count, &from));
    HD_TRY(take(p, HD_I64, count, &f->place));
    HD_TRY(take(p, order.type, count, &f->which));
    int64_t *lists = hd__allocate(p->s.ctx, bytes);
    if (lists == NULL) return HD_ERROR_MEMORY;
    list_firsts(&p->job, lists, lists + count);
    hd_status status = copy_view(p, hd_view_of(HD_I64, lists, count), from);
    if (status == HD_OK) status = copy_view(p, hd_view_of(HD_I64, lists + count, count), f->place);
    hd__release(p->s.ctx, lists, bytes);
    return status == HD_OK ? gather(p, order, f->which, &from) : status;
}

// Elements to their places; others of `to` stay.
static hd_status scatter(const pass *p, const firsts *f, hd_view from, hd_view to)
{
    if (to.type == HD_BOOL) from.type = to.type = HD_U8;
    const hd__gpu_scatter_writes writes = {.n = f->count,
                                           .limit = hd_count(to),
                                           .in = from,
                                           .index = f->place,
                                           .out = to,
                                           .unique = true};
    return hd__gpu_scatter_unique(p->s.ctx, p->s.gpu, &writes);
}

static hd_status put_firsts(pass *p, const firsts *f, hd_view in, hd_view out)
{
    hd_view some;
    if (f->everywhere) return gather(p, in, out, &f->which);
    HD_TRY(take(p, in.type, f->count, &some));
    HD_TRY(gather(p, in, some, &f->which));
    return scatter(p, f, some, out);
}

static hd_status do_segments(pass *p)
{
    const hd__top_k_job *job = &p->job;
    firsts f = {.count = list_firsts(job, NULL, NULL)};
    if (f.count == 0) return HD_OK;
    f.everywhere = f.count == job->rows * job->k;
    HD_TRY(find_firsts(p, &f));
    if (!hd__is_empty(&job->out)) HD_TRY(put_firsts(p, &f, job->in, job->out));
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(put_firsts(p, &f, p->values[2 * k], p->values[2 * k + 1]));
    if (hd__is_empty(&job->indices)) return HD_OK;
    if (f.everywhere) return copy_view(p, f.which, job->indices);
    hd_view which;
    HD_TRY(take(p, job->indices.type, f.count, &which));
    HD_TRY(copy_view(p, f.which, which));
    return scatter(p, &f, which, job->indices);
}

// ---- All of it ----------------------------------------------------------------------------------

// Of segments with fewer than k elements some outputs stay as they are.
static hd_status stage_out(pass *p, hd_view *v)
{
    return p->job.offsets != NULL ? hd__gpu_stage_both(&p->s, v) : hd__gpu_stage_out(&p->s, v);
}

static hd_status stage(pass *p)
{
    hd__top_k_job *job = &p->job;
    HD_TRY(hd__gpu_stage_in(&p->s, &job->in));
    HD_TRY(stage_out(p, &job->out));
    HD_TRY(stage_out(p, &job->indices));
    for (int64_t k = 0; k < 2 * job->value_count; k++) {
        hd_view *v = &p->values[k];
        *v = job->values[k];
        hd__at_least_1d(v);
        hd__put_axis_last(v, job->axis);
        HD_TRY(k % 2 == 0 ? hd__gpu_stage_in(&p->s, v) : stage_out(p, v));
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
    if (job->offsets != NULL) return do_segments(p);
    if (p->numbers && job->n <= tuning->top_row && job->rows >> 31 == 0) return sort_short_rows(p);
    const bool together = !p->numbers || (job->n <= tuning->top_slices && job->in.type != HD_BOOL);
    if (job->rows > 1 && together && job->rows * job->n >> 32 == 0) return sort_all(p, job);
    return do_rows(p);
}

// With up to four arrays of values.
static hd_status run_some(hd_context *ctx, const hd__top_k_job *job, const char **why)
{
    pass p = {.s = {.ctx = ctx}, .job = *job, .why = why};
    const hd_type type = job->in.type;
    if (hd__is_number(type)) {
        p.descending = job->order == hd__number_order(type, true);
        p.numbers = p.descending || job->order == hd__number_order(type, false);
    }
    HD_TRY(hd__gpu_of(ctx, &p.s.gpu));
    const hd_status status = run(&p);
    release_from(&p, 0);
    return hd__gpu_stage_end(&p.s, status);
}

// More arrays of values are moved by fours, each after a selection of its own.
hd_status hd__gpu_top_k(hd_context *ctx, const void *any, const char **why)
{
    const hd__top_k_job *job = any;
    hd__top_k_job some = *job;
    for (int64_t k = 0; k == 0 || k < job->value_count; k += VALUES_MAX) {
        some.values = job->value_count > 0 ? job->values + 2 * k : NULL;
        some.value_count = job->value_count - k < VALUES_MAX ? job->value_count - k : VALUES_MAX;
        HD_TRY(run_some(ctx, &some, why));
        some.out = some.indices = HD_EMPTY;
    }
    return HD_OK;
}
