// SPDX-License-Identifier: Apache-2.0
// The pass of hd_partition: two ways by partition_tiles, up to 256 by one radix pass, more by
// passes over keys and indices and a gather.
#include "patterns/move/map.h"
#include "patterns/select/partition.h"
#include "gpu/move/gather.h"
#include "select.h"
#include "gpu/sort/radix_pass.h"

static hd_status two_ways(hd__gpu_stage *s, hd__gpu_select *job)
{
    hd__gpu_state state;
    return hd__gpu_select_launch(s->ctx, s->gpu, job, &state);
}

static hd_status one_pass(hd__gpu_stage *s, const hd__gpu_select *job, hd__gpu_radix_plan *plan)
{
    const hd__reader flags = hd__gpu_select_reader(job, false),
                     all = hd__gpu_select_reader(job, true);
    HD_TRY(hd__gpu_radix_histogram(s->ctx, s->gpu, plan, &flags, &job->integer[HD__GPU_PUT_COUNT],
                                   &job->integer[HD__GPU_PUT_BEGIN], 0));
    const hd__gpu_radix_out to = {.out = job->out, .indices = job->integer[HD__GPU_PUT_INDEX]};
    return hd__gpu_radix_pass(s->ctx, s->gpu, plan, 0, &all, &to);
}

// ---- Many passes --------------------------------------------------------------------------------

static hd_status many_passes(hd__gpu_stage *s, const hd__gpu_select *job, hd__gpu_radix_plan *plan,
                             hd__gpu_address memory)
{
    const int64_t n = job->n;
    const hd_type type = n >> 32 != 0 ? HD_I64 : HD_U32;
    const hd__gpu_address step = (hd__gpu_address)(4 * n + 255) / 256 * 256,
                          wide =
                              (hd__gpu_address)((int64_t)hd__size_of(type) * n + 255) / 256 * 256;
    hd_view keys[2] = {hd__gpu_array(HD_U32, memory, n), hd__gpu_array(HD_U32, memory + step, n)};
    hd_view indices[2] = {hd__gpu_array(type, memory + 2 * step, n),
                          hd__gpu_array(type, memory + 2 * step + wide, n)};
    static const hd_view none = {0};
    const char *why;
    const hd__reader flags = hd__gpu_select_reader(job, false);
    HD_TRY(hd__gpu_radix_histogram(s->ctx, s->gpu, plan, &flags, &none, &none, 0));
    const hd__map_job to_keys = {.in = flags, .out = keys[0]};
    HD_TRY(hd__gpu_map(s->ctx, &to_keys, &why));
    HD_TRY(hd__gpu_radix_sort_indices(s->ctx, s->gpu, plan, &keys[0], keys, indices));
    const hd__gather_job gather = {
        .in = job->in, .index = indices[0], .out = job->out, .axis = -1, .limit = n};
    HD_TRY(hd__gpu_gather_launch(s->ctx, s->gpu, &gather, 0, plan->stop));
    if (!hd__is_empty(&job->integer[HD__GPU_PUT_INDEX])) {
        const hd__gather_job copy = {.in = indices[0],
                                     .index = hd_iota(n),
                                     .out = job->integer[HD__GPU_PUT_INDEX],
                                     .axis = -1,
                                     .limit = n};
        HD_TRY(hd__gpu_gather_launch(s->ctx, s->gpu, &copy, 0, plan->stop));
    }
    return hd__gpu_radix_bounds(s->ctx, s->gpu, plan, &keys[0], &job->integer[HD__GPU_PUT_COUNT],
                                &job->integer[HD__GPU_PUT_BEGIN]);
}

static hd_status many_ways(hd__gpu_stage *s, const hd__gpu_select *job, int64_t ways)
{
    hd__gpu_radix_plan plan = hd__gpu_radix_plan_of(job->n, ways);
    hd__gpu_address memory;
    if (plan.passes == 1) return one_pass(s, job, &plan);
    const size_t bytes = (size_t)job->n * (job->n >> 32 != 0 ? 24 : 16) + 1024;
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, bytes, &memory));
    const hd_status status = many_passes(s, job, &plan, memory);
    hd__gpu_release(s->gpu, memory, bytes);
    return status;
}

// ---- All of it ----------------------------------------------------------------------------------

// Of nothing there are no parts.
static hd_status put_zeros(hd_context *ctx, const hd_view *v)
{
    const char *why;
    if (hd__is_empty(v)) return HD_OK;
    hd__map_job job = {.in = {.n = hd_count(*v), .inputs = 1}, .out = *v};
    job.in.view[0] = hd_constant((uint8_t)0, job.in.n);
    return hd__gpu_map(ctx, &job, &why);
}

static hd_status run(hd__gpu_stage *s, hd__gpu_select *job, const hd__partition_job *asked)
{
    HD_TRY(hd__gpu_select_in(s, job));
    HD_TRY(hd__gpu_select_out(s, job));
    return asked->buckets ? many_ways(s, job, asked->ways) : two_ways(s, job);
}

hd_status hd__gpu_partition(hd_context *ctx, const void *any, const char **why)
{
    const hd__partition_job *job = any;
    (void)why; // never declines
    if (job->n == 0) {
        HD_TRY(put_zeros(ctx, &job->counts));
        return put_zeros(ctx, &job->offsets);
    }
    hd__gpu_select select = {
        .in = job->in, .flags = job->flags, .n = job->n, .out = job->out, .both = !job->buckets};
    select.integer[HD__GPU_PUT_INDEX] = job->indices;
    select.integer[HD__GPU_PUT_COUNT] = job->counts;
    select.integer[HD__GPU_PUT_BEGIN] = job->offsets;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &select, job));
}
