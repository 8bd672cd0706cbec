// SPDX-License-Identifier: Apache-2.0
// Sort on all cores: what kind of records serve a call, whether the keys are in order already, and
// what is left to move when the records are sorted. How they are sorted is in msd_radix.c and
// segmented_sort.c.
#define _GNU_SOURCE
#include "sort.h"
#include "patterns/scan/head_flags.h"
#include "cpu/runtime/isa.h"
#include "core/system/large_pages.h"
#include "cpu/runtime/team.h"

#include <string.h>

HD__CPU_BRINGS(const hd__cpu_sort_kernels, sort_kernels)

typedef struct call {
    hd_context *ctx;
    const hd__sort_job *job;
    hd__cpu_staged keys, out;           // out: data NULL where no keys are wanted
    hd__cpu_staged value_in, value_out; // of a value that is moved with its key
    hd__cpu_staged indices;
    bool values_done; // they have gone to their views already
    bool by_order;    // keys or values are moved at the end, by the order of the records
    void *order;      // indices of the keys, u32 or u64 (wide)
    bool wide;
    hd__cpu_sorter s;
    hd__cpu_progress progress;
} call;

// ---- Keys as words ------------------------------------------------------------------------------

static hd__cpu_key_form form_of(hd_type type, bool descending)
{
    const size_t bytes = hd__size_of(type);
    const uint64_t ones = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
    const uint64_t sign = (ones >> 1) + 1;
    hd__cpu_key_form f = {0, 0, ones, (uint8_t)bytes, type == HD_BOOL};
    if (hd__kind_of(type) == HD__SIGNED) f.flip = sign;
    if (hd__is_float(type)) {
        f.negative = sign - 1;
        f.flip = sign;
        f.infinity = type == HD_F16    ? 0x7c00
                     : type == HD_BF16 ? 0x7f80
                     : type == HD_F32  ? 0x7f800000
                                       : 0x7ff0000000000000;
    }
    if (descending) f.flip ^= type == HD_BOOL ? 1 : ones;
    return f;
}

static int logarithm(size_t bytes)
{
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

static bool is_plain_size(size_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

// Chooses the records: keys alone, with the one value, or with their index.
static void select_records(call *c)
{
    hd__cpu_sorter *s = &c->s;
    const size_t key = s->io.form.bytes;
    const size_t value = s->io.value != NULL ? s->io.value_bytes
                         : c->by_order       ? c->wide ? 8 : 4
                                             : 0;
    hd__cpu_sort_io *io = &s->io;
    io->kind = value == 0               ? (key <= 4 ? HD__CPU_KEY32 : HD__CPU_KEY64)
               : key <= 4 && value <= 4 ? HD__CPU_KEY32_VALUE32
                                        : HD__CPU_KEY64_VALUE64;
    s->r = s->kernels->records[io->kind];
    s->load = s->kernels->load[io->kind][logarithm(key)];
    s->store = s->kernels->store[io->kind][logarithm(key)];
    s->low = io->kind == HD__CPU_KEY32_VALUE32 ? 32 : 0;
    s->greatest = hd__is_float(c->job->keys.type) ? UINT64_MAX >> (64 - 8 * key) : 0;
    const hd__cpu_record_kind alone = key <= 4 ? HD__CPU_KEY32 : HD__CPU_KEY64;
    s->key_r = s->kernels->records[alone];
    s->key_load = s->kernels->load[alone][logarithm(key)];
    s->key_direct = key == s->key_r->bytes && io->form.negative == 0 && io->form.flip == 0;
    s->direct = value == 0 && s->key_direct;
    s->threads =
        hd__cpu_threads_for(s->ctx, c->job->n, (size_t)hd__cpu_tune.sort_cost * s->r->bytes);
}

// Records with indices; what they are moved by at the end.
static void sort_by_order(call *c)
{
    c->by_order = true;
    c->wide = c->job->n > UINT32_MAX;
    c->s.io.value = NULL;
    c->s.io.value_bytes = c->wide ? 8 : 4;
}

static void prepare(call *c)
{
    const hd__sort_job *job = c->job;
    hd__cpu_sorter *s = &c->s;
    c->progress = hd__cpu_progress_of(c->ctx);
    s->ctx = c->ctx;
    s->progress = &c->progress;
    s->kernels = hd__cpu_micro_table(c->ctx)->sort;
    s->io.form = form_of(job->keys.type, job->descending);
    s->io.keys = c->keys.data;
    s->io.keys_out = c->out.data;
    if (c->value_in.data != NULL) {
        s->io.value = c->value_in.data;
        s->io.value_out = c->value_out.data;
        s->io.value_bytes = (uint8_t)hd__size_of(c->value_in.view->type);
    } else if (job->value_count > 0 || !hd__is_empty(&job->indices)) {
        sort_by_order(c);
    }
    select_records(c);
}

// ---- Keys that are in order already -------------------------------------------------------------

typedef void mover(hd_context *ctx, void *out, const void *in, int64_t n, size_t size);

static hd_status move_values(call *c, mover *move)
{
    for (int64_t k = 0; k < c->job->value_count; k++) {
        hd_view in_view, out_view;
        hd__cpu_staged in, out;
        hd__sort_value(c->job, k, &in_view, &out_view);
        HD_TRY(hd__cpu_stage_in(c->ctx, &in_view, &in));
        const hd_status status = hd__cpu_stage_out(c->ctx, &out_view, &out);
        if (status == HD_OK) {
            move(c->ctx, out.data, in.data, c->job->n, hd__size_of(in_view.type));
            hd__cpu_stage_commit(c->ctx, &out);
            hd__cpu_stage_end(c->ctx, &out);
        }
        hd__cpu_stage_end(c->ctx, &in);
        HD_TRY(status);
    }
    return HD_OK;
}

// Index i of the caller's.
static inline void put_index(const call *c, bool narrow, int64_t i, uint64_t index)
{
    if (narrow)
        ((uint32_t *)c->indices.data)[i] = (uint32_t)index;
    else
        ((uint64_t *)c->indices.data)[i] = index;
}

static void put_indices(const call *c, bool reversed)
{
    const int64_t n = c->job->n;
    const bool narrow = hd__size_of(c->job->indices.type) == 4;
    for (int64_t i = 0; i < n; i++) put_index(c, narrow, i, (uint64_t)(reversed ? n - 1 - i : i));
}

// Moves everything as it is or from back to front. A bool's bytes become 0 or 1.
static hd_status move_at_once(call *c, bool reversed)
{
    mover *move = reversed ? hd__cpu_copy_reversed : hd__cpu_copy_all;
    const int64_t n = c->job->n;
    if (c->out.data != NULL) move(c->ctx, c->out.data, c->keys.data, n, c->s.io.form.bytes);
    if (c->out.data != NULL && c->s.io.form.truth)
        for (int64_t i = 0; i < n; i++)
            ((uint8_t *)c->out.data)[i] = ((uint8_t *)c->out.data)[i] != 0;
    if (c->indices.data != NULL) put_indices(c, reversed);
    c->values_done = true;
    return move_values(c, move);
}

// ---- Records ------------------------------------------------------------------------------------

// Large scratch is asked to be in large pages, before it is touched for the first time.
static void *scratch(call *c, size_t bytes)
{
    const size_t had = c->ctx->scratch_bytes;
    void *memory = hd__scratch(c->ctx, bytes);
    if (c->ctx->scratch_bytes != had) hd__advise_large_pages(memory, bytes);
    return memory;
}

// Whether keys or values are moved by the order of the records; else indices are all it is for.
static bool moves_by_order(const call *c)
{
    const bool keys = c->out.data != NULL && c->s.io.keys_out == NULL;
    return c->by_order && (keys || c->job->value_count > 0);
}

static size_t order_bytes(const call *c)
{
    return moves_by_order(c) ? hd__padded((size_t)c->job->n * (c->wide ? 8 : 4)) : 0;
}

// Where the order of the records goes: to the indices themselves where that is all.
static void place_order(call *c, unsigned char *memory)
{
    if (!c->by_order) return;
    c->order = memory;
    c->s.io.value_out = memory;
    if (moves_by_order(c)) return;
    c->s.io.value_out = c->indices.data;
    c->s.io.value_bytes = (uint8_t)hd__size_of(c->job->indices.type);
}

// NaN have one word and many bits: keys among which there are some are moved by their order.
static void meet_nan(call *c)
{
    if (!hd__is_float(c->job->keys.type) || c->out.data == NULL) return;
    c->value_in.data = NULL;
    sort_by_order(c);
    c->s.io.keys_out = NULL;
    select_records(c);
}

static hd_status sort_segments(call *c, const hd__cpu_measure *m)
{
    const int64_t longest = hd__cpu_longest_segment(c->job);
    if (m->top) meet_nan(c);
    const size_t before = order_bytes(c);
    unsigned char *memory = scratch(c, before + hd__cpu_sort_segments_bytes(&c->s, longest));
    if (memory == NULL) return HD_ERROR_MEMORY;
    place_order(c, memory);
    return hd__cpu_sort_segments(&c->s, c->job, longest, memory + before);
}

static hd_status sort_everything(call *c, const hd__cpu_measure *m, bool *done)
{
    const int64_t n = c->job->n;
    const bool alone = c->job->value_count == 0 && c->indices.data == NULL;
    const bool nan = m->top && hd__is_float(c->job->keys.type);
    *done = m->varies == 0 || m->rising || m->falling || (m->nonincreasing && alone && !nan);
    if (*done) return move_at_once(c, m->varies != 0 && !m->rising);
    if (m->top) meet_nan(c);
    const bool block = hd__cpu_sorts_in_one_block(&c->s, n);
    const size_t before = order_bytes(c);
    const size_t bytes =
        block ? hd__cpu_sort_block_bytes(&c->s, n) : hd__cpu_msd_radix_bytes(&c->s, n);
    unsigned char *memory = scratch(c, before + bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    place_order(c, memory);
    if (!block) return hd__cpu_msd_radix_sort(&c->s, 0, n, m, memory + before);
    hd__cpu_sort_block(&c->s, 0, n, memory + before);
    return HD_OK;
}

// ---- Afterwards ---------------------------------------------------------------------------------

// Moves one array by the order; in and out may be one.
static hd_status reorder(call *c, void *out, const void *in, size_t size)
{
    const int64_t n = c->job->n;
    if (out != in) {
        hd__cpu_permute_values(c->ctx, out, in, c->order, c->wide, n, size);
        return HD_OK;
    }
    void *room = hd__allocate(c->ctx, (size_t)n * size);
    if (room == NULL) return HD_ERROR_MEMORY;
    hd__cpu_permute_values(c->ctx, room, in, c->order, c->wide, n, size);
    hd__cpu_copy_all(c->ctx, out, room, n, size);
    hd__release(c->ctx, room, (size_t)n * size);
    return HD_OK;
}

static hd_status reorder_value(call *c, int64_t k)
{
    hd_view in_view, out_view;
    hd__cpu_staged in = {0}, out = {0};
    hd__sort_value(c->job, k, &in_view, &out_view);
    hd_status status = hd__cpu_stage_in(c->ctx, &in_view, &in);
    if (status == HD_OK) status = hd__cpu_stage_out(c->ctx, &out_view, &out);
    if (status == HD_OK) status = reorder(c, out.data, in.data, hd__size_of(in_view.type));
    if (status == HD_OK) hd__cpu_stage_commit(c->ctx, &out);
    hd__cpu_stage_end(c->ctx, &out);
    hd__cpu_stage_end(c->ctx, &in);
    return status;
}

// Indices i .. end - 1, from the order where that moved other arrays too (copied), count from the
// start of their row.
static void count_within_rows(const call *c, bool copied, int64_t i, int64_t end)
{
    const bool narrow = hd__size_of(c->job->indices.type) == 4, wide = copied ? c->wide : !narrow;
    const void *from = copied ? c->order : c->indices.data;
    const int64_t length = c->job->length;
    for (int64_t begin = i / length * length; i < end; i++) {
        if (i - begin == length) begin = i;
        const uint64_t index = wide ? ((const uint64_t *)from)[i] : ((const uint32_t *)from)[i];
        put_index(c, narrow, i, index - (uint64_t)begin);
    }
}

static void give_indices(const call *c, bool copied)
{
    const int64_t n = c->job->n, chunk = hd__cpu_tune.sort_move_chunk;
    if (c->indices.data == NULL || (!copied && c->job->length == n)) return;
#pragma omp parallel for num_threads(c->s.threads) if (c->s.threads > 1)
    for (int64_t i = 0; i < n; i += chunk)
        count_within_rows(c, copied, i, n - i < chunk ? n : i + chunk);
}

static hd_status finish(call *c)
{
    const bool moves = moves_by_order(c);
    if (moves && c->out.data != NULL && c->s.io.keys_out == NULL)
        HD_TRY(reorder(c, c->out.data, c->keys.data, c->s.io.form.bytes));
    for (int64_t k = 0; moves && k < c->job->value_count; k++) HD_TRY(reorder_value(c, k));
    give_indices(c, moves);
    return HD_OK;
}

// ---- A call -------------------------------------------------------------------------------------

static hd_status look(call *c, hd__cpu_measure *m)
{
    void *memory = scratch(c, hd__cpu_measure_bytes(&c->s));
    if (memory == NULL) return HD_ERROR_MEMORY;
    *m = hd__cpu_measure_keys(&c->s, c->job->n, memory);
    return HD_OK;
}

// An insertion sort of a few integers takes no longer than a look at their order, which floats
// need for their NaN.
static bool is_short(const call *c)
{
    return c->job->n <= hd__cpu_tune.sort_insertion_max && !hd__is_float(c->job->keys.type) &&
           hd__cpu_sorts_in_one_block(&c->s, c->job->n);
}

static hd_status sort(call *c)
{
    const hd__sort_job *job = c->job;
    const bool whole = hd__is_empty(&job->segments) && job->length == job->n;
    hd__cpu_measure m = {0, true, true, true, false};
    bool done = false;
    prepare(c);
    if (whole && is_short(c))
        m = (hd__cpu_measure){.varies = 1};
    else if (whole || hd__is_float(job->keys.type))
        HD_TRY(look(c, &m));
    HD_TRY(whole ? sort_everything(c, &m, &done) : sort_segments(c, &m));
    if (!done) HD_TRY(finish(c));
    return HD_OK;
}

// The arrays of a call as plain memory. A single value of a plain size travels with its key, unless
// indices do.
static hd_status stage(call *c, hd_view *value_in, hd_view *value_out)
{
    const hd__sort_job *job = c->job;
    HD_TRY(hd__cpu_stage_in(c->ctx, &job->keys, &c->keys));
    HD_TRY(hd__cpu_stage_out(c->ctx, &job->out, &c->out));
    HD_TRY(hd__cpu_stage_out(c->ctx, &job->indices, &c->indices));
    if (job->value_count != 1 || !hd__is_empty(&job->indices) ||
        !is_plain_size(hd__size_of(job->values[0].type)))
        return HD_OK;
    hd__sort_value(job, 0, value_in, value_out);
    HD_TRY(hd__cpu_stage_in(c->ctx, value_in, &c->value_in));
    return hd__cpu_stage_out(c->ctx, value_out, &c->value_out);
}

// Few numbers, sorted by insertion. Floats with NaN among them are moved by their order, elsewhere.
bool hd__cpu_sort_row(hd_context *ctx, hd_type type, const void *in, int64_t n, void *out)
{
    uint64_t records[32]; // of 4 or 8 bytes
    if (n > (int64_t)(sizeof records / sizeof *records) || n > hd__cpu_tune.sort_insertion_max)
        return false;
    const hd__cpu_sort_kernels *k = hd__cpu_micro_table(ctx)->sort;
    const int width = logarithm(hd__size_of(type));
    const hd__cpu_record_kind kind = width < 3 ? HD__CPU_KEY32 : HD__CPU_KEY64;
    const hd__cpu_sort_io io = {
        .form = form_of(type, false), .kind = kind, .keys = in, .keys_out = out};
    k->load[kind][width](&io, 0, n, records);
    k->records[kind]->block(records, NULL, n, 0, NULL);
    uint64_t last = 0, top = UINT64_MAX >> (64 - 8 * io.form.bytes);
    memcpy(&last, (char *)records + (size_t)(n - 1) * k->records[kind]->bytes,
           k->records[kind]->bytes);
    if (last == top && hd__is_float(type)) return false;
    k->store[kind][width](&io, 0, n, records);
    return true;
}

hd_status hd__cpu_sort(hd_context *ctx, const void *any, const char **why)
{
    const hd__sort_job *job = any;
    (void)why; // never declines
    if (!hd__is_empty(&job->segments))
        HD_TRY(hd__check_all_offsets(ctx, "hd_sort", &job->segments, job->n));
    if (job->n == 0) return HD_OK;
    if (job->order != NULL) return hd__cpu_comparison_sort(ctx, job);
    call c = {.ctx = ctx, .job = job};
    hd_view value_in, value_out;
    hd_status status = stage(&c, &value_in, &value_out);
    hd__cpu_staged own = c.value_in;
    if (status == HD_OK) status = sort(&c);
    c.value_in = own; // a NaN may have set it aside
    if (status == HD_OK) {
        hd__cpu_stage_commit(ctx, &c.out);
        hd__cpu_stage_commit(ctx, &c.indices);
        if (!c.by_order && !c.values_done) hd__cpu_stage_commit(ctx, &c.value_out);
    }
    hd__cpu_stage_end(ctx, &c.keys);
    hd__cpu_stage_end(ctx, &c.out);
    hd__cpu_stage_end(ctx, &c.indices);
    hd__cpu_stage_end(ctx, &c.value_in);
    hd__cpu_stage_end(ctx, &c.value_out);
    return status;
}
