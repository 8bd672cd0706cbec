// SPDX-License-Identifier: Apache-2.0
// Head flags by a user's comparison: maps over pairs of neighbours, which are two views of the same
// elements, and a scan.
#include "comparison_runs.h"
#include "gpu/codegen/order_function.h"
#include "patterns/move/map.h"
#include "patterns/scan/scan.h"

static const hd_function either = {.inputs = 2,
                                   .result = HD_BOOL,
                                   .input = {HD_BOOL, HD_BOOL},
                                   .name = "either",
                                   .result_text = "bool",
                                   .inputs_text = "(bool, a, bool, b)",
                                   .body_text = "{ return a || b; }"};

static hd_status take_array(hd_context *ctx, hd__gpu_runs *r, hd_type type, int64_t n, hd_view *v)
{
    hd__gpu_block *b = &r->block[r->blocks];
    b->bytes = (size_t)n * hd__size_of(type);
    HD_TRY(hd__gpu_allocate(ctx, r->gpu, b->bytes, &b->at));
    r->blocks++;
    *v = hd__gpu_array(type, b->at, n);
    return HD_OK;
}

// Neighbours are two views of the same elements in one dimension only.
static hd_status make_flat(hd_context *ctx, hd__gpu_runs *r, hd_view *v, const char **why)
{
    const hd_view given = *v;
    HD_TRY(take_array(ctx, r, v->type, hd_count(given), v));
    return hd__gpu_copy(ctx, given, *v, why);
}

static hd_status map_pairs(hd_context *ctx, const hd_function *f, hd_view a, hd_view b, hd_view out,
                           const char **why)
{
    const hd__map_job job = {.in = {.map = f, .n = out.shape[0], .inputs = 2, .view = {a, b}},
                             .out = out};
    return job.in.n > 0 ? hd__gpu_map(ctx, &job, why) : HD_OK;
}

static hd_status make_flags(hd_context *ctx, hd__gpu_runs *r, hd_view in,
                            const hd_comparison *comparison, const char **why)
{
    const int64_t pairs = in.shape[0] - 1;
    const uint8_t yes = 1;
    hd__gpu_order order;
    hd_view other, first = hd_slice(r->flags, 0, 0, 1, 1);
    HD_TRY(hd__gpu_order_of(&order, comparison, in.type, why));
    HD_TRY(take_array(ctx, r, HD_BOOL, pairs > 0 ? pairs : 1, &other));
    other = hd_slice(other, 0, 0, pairs, 1);
    in.type = order.type;
    const hd_view a = hd_slice(in, 0, 0, pairs, 1), b = hd_slice(in, 0, pairs > 0, pairs, 1);
    const hd_view rest = hd_slice(r->flags, 0, 1, pairs, 1);
    HD_TRY(hd__gpu_copy(ctx, hd_constant_of(HD_BOOL, &yes, 1), first, why));
    HD_TRY(map_pairs(ctx, &order.precedes, a, b, rest, why));
    HD_TRY(map_pairs(ctx, &order.precedes, b, a, other, why));
    return map_pairs(ctx, &either, rest, other, rest, why);
}

static hd_status number(hd_context *ctx, hd__gpu_runs *r, const char **why)
{
    hd__scan_job scan = {.in = {.n = r->flags.shape[0], .inputs = 1, .view = {r->flags}},
                         .slices = HD__EVERYTHING,
                         .out = r->numbers};
    scan.in.view[0].type = HD_U8;
    HD_TRY(hd__resolve(ctx, "runs", HD_SUM, HD_U8, HD_I64, &(hd__fold_options){0}, &scan.fold));
    return hd__gpu_scan(ctx, &scan, why);
}

hd_status hd__gpu_find_runs(hd_context *ctx, const hd_view *in, const hd_comparison *comparison,
                            hd__gpu_runs *r, const char **why)
{
    hd__gpu_stage s = {.ctx = ctx};
    hd_view v = *in;
    *r = (hd__gpu_runs){0};
    HD_TRY(hd__gpu_of(ctx, &r->gpu));
    s.gpu = r->gpu;
    const int64_t n = hd_count(v);
    hd_status status = take_array(ctx, r, HD_BOOL, n, &r->flags);
    if (status == HD_OK) status = take_array(ctx, r, HD_I64, n, &r->numbers);
    if (status == HD_OK) status = hd__gpu_stage_in(&s, &v);
    hd__collapse(&v);
    if (status == HD_OK && v.ndim > 1) status = make_flat(ctx, r, &v, why);
    if (status == HD_OK) status = make_flags(ctx, r, v, comparison, why);
    if (status == HD_OK) status = number(ctx, r, why);
    return hd__gpu_stage_end(&s, status);
}

void hd__gpu_drop_runs(hd__gpu_runs *r)
{
    for (int32_t k = 0; k < r->blocks; k++)
        hd__gpu_release(r->gpu, r->block[k].at, r->block[k].bytes);
}

hd__flags hd__gpu_run_flags(const hd__gpu_runs *r)
{
    return (hd__flags){.in = {.n = r->flags.shape[0], .inputs = 1, .view = {r->flags}},
                       .type = HD_BOOL};
}
