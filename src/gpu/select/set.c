// SPDX-License-Identifier: Apache-2.0
// The pass of the set operations: three searches tell an element whether it has an equal one in the
// other array to be paired with, which is its rank among its equals; what is kept of each array is
// compacted, and both are merged. Values are gathered by where the kept elements stood.
#include "patterns/select/set.h"
#include "gpu/gpu.h"
#include "patterns/move/gather.h"
#include "patterns/move/map.h"
#include "patterns/move/scatter.h"
#include "patterns/select/compact.h"
#include "patterns/sort/merge.h"
#include "patterns/sort/search.h"

enum { BLOCKS = 16 };

typedef struct setting {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__set_job job; // a and b are of the device
    hd_type position;
    int64_t kept[2], total;
    hd_view element[2]; // of a and of b, that are kept
    hd_view index;      // theirs in a followed by b, one after another; empty: not wanted
    hd__gpu_block block[BLOCKS];
    int32_t blocks;
    const char **why;
} setting;

static hd_status take_array(setting *s, hd_type type, int64_t n, hd_view *v)
{
    hd__gpu_block *b = &s->block[s->blocks];
    b->bytes = (size_t)(n > 0 ? n : 1) * hd__size_of(type);
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, b->bytes, &b->at));
    s->blocks++;
    *v = hd__gpu_array(type, b->at, n);
    return HD_OK;
}

// Whether anybody asks where elements stood.
static bool is_indexed(const hd__set_job *job)
{
    return !hd__is_empty(&job->indices) || job->value_count > 0;
}

static hd_view first(hd_view v, int64_t n)
{
    return hd_slice(v, 0, 0, n, 1);
}

// ---- What is kept -------------------------------------------------------------------------------

// Of an element: its index, where its equals begin in its own array, where they begin and end in
// the other one, and whether those without a partner and those with one are kept.
static const hd_function is_kept = {
    .inputs = 6,
    .result = HD_BOOL,
    .input = {HD_I64, HD_I64, HD_I64, HD_I64, HD_U8, HD_U8},
    .name = "is_kept",
    .result_text = "bool",
    .inputs_text = "(int64_t, i, int64_t, own, int64_t, begin, int64_t, end, uint8_t, alone,"
                   " uint8_t, paired)",
    .body_text = "{ return (i - own < end - begin ? paired : alone) != 0; }"};

static hd_status search(const setting *s, const hd_view *sorted, const hd_view *queries, bool right,
                        hd_view out)
{
    const hd__search_job job = {.order = s->job.order,
                                .backwards = s->job.backwards,
                                .right = right,
                                .rows = 1,
                                .n = hd_count(*sorted),
                                .m = hd_count(*queries),
                                .sorted = *sorted,
                                .queries = *queries,
                                .out = out};
    return hd__gpu_search(s->ctx, &job, s->why);
}

static hd_status mark(setting *s, const hd_view *own, const hd_view *other, bool alone, bool paired,
                      hd_view *flags)
{
    const int64_t n = hd_count(*own);
    const uint8_t keeps[2] = {alone, paired};
    hd_view at[3];
    HD_TRY(take_array(s, HD_BOOL, n, flags));
    for (int k = 0; k < 3; k++) {
        HD_TRY(take_array(s, s->position, n, &at[k]));
        HD_TRY(search(s, k == 0 ? own : other, own, k == 2, at[k]));
    }
    const hd__map_job map = {
        .in = {.map = &is_kept,
               .n = n,
               .inputs = 6,
               .view = {hd_iota(n), at[0], at[1], at[2], hd_constant_of(HD_U8, &keeps[0], n),
                        hd_constant_of(HD_U8, &keeps[1], n)}},
        .out = *flags};
    return hd__gpu_map(s->ctx, &map, s->why);
}

// The elements of a (0) or b (1) that are kept, and their indices behind those of the other.
static hd_status keep(setting *s, int side)
{
    const hd__set_job *job = &s->job;
    const hd_view *own = side ? &job->b : &job->a, *other = side ? &job->a : &job->b;
    const int64_t n = side ? job->nb : job->na;
    hd_view flags;
    if (n == 0 || (side && !job->keep_b)) return HD_OK;
    HD_TRY(mark(s, own, other, side ? job->keep_b : job->keep_a, !side && job->keep_pairs, &flags));
    HD_TRY(take_array(s, own->type, n, &s->element[side]));
    const hd__compact_job compact = {
        .in = *own,
        .flags = {.in = {.n = n, .inputs = 1, .view = {flags}}, .type = HD_BOOL},
        .n = n,
        .out = s->element[side],
        .count = &s->kept[side]};
    HD_TRY(hd__gpu_compact(s->ctx, &compact, s->why));
    if (hd__is_empty(&s->index)) return HD_OK;
    hd__compact_job indices = compact; // of a followed by b
    indices.in = hd_progression(side ? job->na : 0, 1, n);
    indices.out = hd_slice(s->index, 0, side ? s->kept[0] : 0, n, 1);
    return hd__gpu_compact(s->ctx, &indices, s->why);
}

// ---- Both together ------------------------------------------------------------------------------

static hd_status scatter(const setting *s, hd_view from, hd_view to, int64_t n)
{
    if (to.type == HD_BOOL) from.type = to.type = HD_U8;
    hd__collapse(&to);
    const hd__scatter_job job = {.in = {.n = n, .inputs = 1, .view = {from}},
                                 .index = hd_iota(n),
                                 .out = to,
                                 .unique = true,
                                 .limit = n};
    return hd__gpu_scatter(s->ctx, &job, s->why);
}

// The first n elements of one view to those of another, in row-major order; others stay.
static hd_status put(const setting *s, const hd_view *from, const hd_view *to, int64_t n)
{
    if (to->ndim == 1) return hd__gpu_copy(s->ctx, first(*from, n), first(*to, n), s->why);
    if (to->type == from->type) return scatter(s, first(*from, n), *to, n);
    hd__gpu_block b = {.bytes = (size_t)n * hd__size_of(to->type)}; // indices of another type
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, b.bytes, &b.at));
    const hd_view same = hd__gpu_array(to->type, b.at, n);
    hd_status status = hd__gpu_copy(s->ctx, first(*from, n), same, s->why);
    if (status == HD_OK) status = scatter(s, same, *to, n);
    hd__gpu_release(s->gpu, b.at, b.bytes);
    return status;
}

static int64_t fitting(const setting *s, const hd_view *v)
{
    const int64_t room = hd__room(v);
    return room < s->total ? room : s->total;
}

// Where all that are kept stood, of those of one array.
static hd_status give_one(setting *s, int side, hd_view *order)
{
    const int64_t n = fitting(s, &s->job.out), m = fitting(s, &s->job.indices);
    if (is_indexed(&s->job)) *order = first(s->index, s->total);
    if (n > 0) HD_TRY(put(s, &s->element[side], &s->job.out, n));
    return m > 0 ? put(s, &s->index, &s->job.indices, m) : HD_OK;
}

static hd_status gather(const setting *s, hd_view in, hd_view index, hd_view out)
{
    const hd__gather_job job = {
        .in = in, .index = index, .out = out, .axis = -1, .limit = hd_count(in)};
    return hd__gpu_gather(s->ctx, &job, s->why);
}

static hd_status merge_both(setting *s, int64_t n, bool indexed, hd_view *merged)
{
    hd__merge_job merge = {.order = s->job.order,
                           .backwards = s->job.backwards,
                           .rows = 1,
                           .na = s->kept[0],
                           .nb = s->kept[1],
                           .a = first(s->element[0], s->kept[0]),
                           .b = first(s->element[1], s->kept[1]),
                           .axis = -1};
    const bool at_once = n == s->total && s->job.out.ndim == 1;
    if (at_once) merge.out = first(s->job.out, n);
    if (n > 0 && !at_once) HD_TRY(take_array(s, merge.a.type, s->total, &merge.out));
    if (indexed) HD_TRY(take_array(s, HD_I64, s->total, &merge.indices));
    HD_TRY(hd__gpu_merge(s->ctx, &merge, s->why));
    *merged = merge.indices;
    return n == 0 || at_once ? HD_OK : put(s, &merge.out, &s->job.out, n);
}

// The same of both arrays: indices go to their output at once where no values need them all, and it
// has one dimension.
static hd_status give_both(setting *s, hd_view *order)
{
    const int64_t n = fitting(s, &s->job.out), m = fitting(s, &s->job.indices);
    const bool values = s->job.value_count > 0;
    hd_view merged;
    if (n == 0 && m == 0 && !values) return HD_OK;
    HD_TRY(merge_both(s, n, m > 0 || values, &merged));
    const hd_view index = m > 0 || values ? first(s->index, s->total) : HD_EMPTY;
    if (!values && m == 0) return HD_OK;
    if (!values && s->job.indices.ndim == 1)
        return gather(s, index, first(merged, m), first(s->job.indices, m));
    HD_TRY(take_array(s, HD_I64, s->total, order));
    HD_TRY(gather(s, index, merged, *order));
    return m > 0 ? put(s, order, &s->job.indices, m) : HD_OK;
}

// ---- Values -------------------------------------------------------------------------------------

// Both arrays of values, one after the other in memory of the device: indices count so.
static hd_status join_value(const setting *s, const hd_view value[3], hd_view both)
{
    const int64_t na = s->job.na, nb = s->job.nb;
    if (na > 0) HD_TRY(hd__gpu_copy(s->ctx, value[0], first(both, na), s->why));
    return nb > 0 ? hd__gpu_copy(s->ctx, value[1], hd_slice(both, 0, na, nb, 1), s->why) : HD_OK;
}

static hd_status gather_value(const setting *s, hd_view both, hd_view order, hd_view out, int64_t m)
{
    hd__gpu_block b = {.bytes = (size_t)m * hd__size_of(out.type)};
    if (out.ndim == 1) return gather(s, both, first(order, m), first(out, m));
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, b.bytes, &b.at));
    const hd_view some = hd__gpu_array(out.type, b.at, m);
    hd_status status = gather(s, both, first(order, m), some);
    if (status == HD_OK) status = put(s, &some, &out, m);
    hd__gpu_release(s->gpu, b.at, b.bytes);
    return status;
}

static hd_status give_value(const setting *s, int64_t k, hd_view order)
{
    hd_view value[3];
    hd__set_value(&s->job, k, value);
    const int64_t room = hd__room(&value[2]), m = room < s->total ? room : s->total;
    if (m == 0) return HD_OK;
    hd__gpu_block b = {.bytes = (size_t)(s->job.na + s->job.nb) * hd__size_of(value[0].type)};
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, b.bytes, &b.at));
    const hd_view both = hd__gpu_array(value[0].type, b.at, s->job.na + s->job.nb);
    hd_status status = join_value(s, value, both);
    if (status == HD_OK) status = gather_value(s, both, order, value[2], m);
    hd__gpu_release(s->gpu, b.at, b.bytes);
    return status;
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status run(hd__gpu_stage *stage, setting *s)
{
    hd__set_job *job = &s->job;
    HD_TRY(hd__gpu_stage_in(stage, &job->a));
    HD_TRY(hd__gpu_stage_in(stage, &job->b));
    hd__collapse(&job->a);
    hd__collapse(&job->b);
    // Compactions have as much room as there are elements, behind those kept before.
    if (is_indexed(job)) HD_TRY(take_array(s, HD_I64, job->na + job->nb, &s->index));
    HD_TRY(keep(s, 0));
    HD_TRY(keep(s, 1));
    s->total = *job->count = s->kept[0] + s->kept[1];
    hd_view order = HD_EMPTY;
    HD_TRY(s->kept[0] > 0 && s->kept[1] > 0 ? give_both(s, &order)
                                            : give_one(s, s->kept[1] > 0, &order));
    for (int64_t k = 0; k < job->value_count && s->total > 0; k++) HD_TRY(give_value(s, k, order));
    return HD_OK;
}

hd_status hd__gpu_set(hd_context *ctx, const void *any, const char **why)
{
    const hd__set_job *job = any;
    setting s = {.ctx = ctx, .job = *job, .why = why};
    hd__gpu_stage stage = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    stage.gpu = s.gpu;
    s.position = (job->na | job->nb) >> 31 != 0 ? HD_I64 : HD_I32;
    const hd_status status = run(&stage, &s);
    for (int32_t k = 0; k < s.blocks; k++) hd__gpu_release(s.gpu, s.block[k].at, s.block[k].bytes);
    return hd__gpu_stage_end(&stage, status);
}
