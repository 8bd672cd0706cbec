// SPDX-License-Identifier: Apache-2.0
// Reductions of runs of equal keys: run_tiles makes segments of them, which reduce_segments
// takes.
#include "patterns/scan/head_flags.h"
#include "reduce.h"
#include "gpu/select/comparison_runs.h"
#include "gpu/select/select.h"
#include "patterns/select/compact.h"

static int64_t room_of(const hd__reduce_job *job)
{
    const hd_view *outputs[] = {&job->values, &job->keys_out};
    int64_t room = job->out.shape[0];
    for (int k = 0; k < 2; k++)
        if (!hd__is_empty(outputs[k]) && outputs[k]->shape[0] < room) room = outputs[k]->shape[0];
    return room < job->in.n ? room : job->in.n;
}

static hd_status find_runs(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job, int64_t room,
                           hd__gpu_segments *found)
{
    const int64_t n = job->in.n;
    hd__gpu_select_runs runs = {.room = room};
    hd__gpu_state state;
    hd__gpu_select select = {.in = job->keys,
                             .flags = {.heads = true, .own = true},
                             .n = n,
                             .out = job->keys_out,
                             .runs = &runs,
                             .items = hd__gpu_segment_items(gpu, &job->fold)};
    select.flags.in = (hd__reader){.n = n, .inputs = 1};
    select.flags.in.view[0] = job->keys;
    // Half as many bytes where 32 bits suffice.
    hd_view *starts = &select.integer[HD__GPU_PUT_INDEX];
    *starts = hd_view_of(n <= INT32_MAX ? HD_I32 : HD_I64, NULL, room + 1);
    starts->space = HD_DEVICE;
    hd__gpu_address at;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_RUN_STARTS,
                             hd__size_of(starts->type) * (size_t)(room + 1), &at));
    starts->data = (void *)(uintptr_t)at;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FIRST_RUNS, 8 * (size_t)(n / select.items + 4),
                             &runs.count));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FAULT, 64, &runs.fault));
    runs.part = runs.count + 16;
    *found = (hd__gpu_segments){
        .offsets = *starts, .count = -1, .room = room, .part = runs.part, .count_at = runs.count};
    gpu->may_fault = true;
    return hd__gpu_select_launch(ctx, gpu, &select, &state);
}

// Where the host waits anyway it can say how many runs there are, and no more is copied back.
static hd_status learn_count(hd__gpu_stage *s, const hd__reduce_job *job, hd__gpu_address count)
{
    int64_t runs[2];
    const hd_view *outputs[] = {&job->out, &job->values, &job->keys_out};
    if (!hd__is_empty(&job->runs_to))
        HD_TRY(s->gpu->driver->copy(s->ctx, s->gpu->device, (uintptr_t)job->runs_to.data,
                                    count + sizeof *runs, sizeof *runs));
    if (!s->host && job->runs == NULL) return HD_OK;
    HD_TRY(s->gpu->driver->download(s->ctx, s->gpu->device, runs, count, sizeof runs));
    if (job->runs != NULL) *job->runs = runs[1];
    const hd_status status = hd__check_runs(s->ctx, job, runs[1]);
    for (int k = 0; k < 3 && status == HD_OK; k++) hd__gpu_stage_first(s, outputs[k], runs[1]);
    if (status != HD_OK) // the fault is told
        HD_TRY(
            s->gpu->driver->clear(s->ctx, s->gpu->device, s->gpu->workspace[HD__GPU_FAULT].at, 4));
    return status;
}

static hd_status run(hd__gpu_stage *s, hd__reduce_job *job)
{
    hd__gpu_segments found = {.count = -1};
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_stage_in(s, &job->keys));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->values));
    HD_TRY(hd__gpu_stage_out(s, &job->keys_out));
    HD_TRY(find_runs(s->ctx, s->gpu, job, room_of(job), &found));
    HD_TRY(hd__gpu_reduce_segments(s->ctx, s->gpu, job, &found));
    return learn_count(s, job, found.count_at);
}

hd_status hd__gpu_reduce_runs(hd_context *ctx, const hd__reduce_job *given)
{
    hd__reduce_job job = *given;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (job.in.n == 0) {
        if (job.runs != NULL) *job.runs = 0;
        return hd__gpu_no_total(ctx, s.gpu, &job.runs_to, NULL);
    }
    return hd__gpu_stage_end(&s, run(&s, &job));
}

// ---- By a comparison ----------------------------------------------------------------------------

// The numbers of runs are the keys, also on their way out; there the first key of each run follows.
static hd_status reduce_numbers(hd_context *ctx, const hd__reduce_job *given,
                                const hd__gpu_runs *runs, hd__gpu_address room, const char **why)
{
    hd__reduce_job job = *given;
    job.keys = runs->numbers;
    job.comparison = NULL;
    if (room != 0) job.keys_out = hd__gpu_array(HD_I64, room, hd_count(given->keys_out));
    HD_TRY(hd__gpu_reduce_runs(ctx, &job));
    const hd__compact_job keys = {.in = given->keys,
                                  .flags = hd__gpu_run_flags(runs),
                                  .n = given->in.n,
                                  .out = given->keys_out};
    return room != 0 ? hd__gpu_compact(ctx, &keys, why) : HD_OK;
}

hd_status hd__gpu_reduce_runs_by(hd_context *ctx, const hd__reduce_job *job, const char **why)
{
    hd__gpu_runs runs;
    hd__gpu_address room = 0;
    const size_t bytes = hd__is_empty(&job->keys_out) ? 0 : 8 * (size_t)hd_count(job->keys_out);
    hd_status status = hd__gpu_find_runs(ctx, &job->keys, job->comparison, &runs, why);
    if (status == HD_OK && bytes > 0) status = hd__gpu_allocate(ctx, runs.gpu, bytes, &room);
    const bool took = status == HD_OK && bytes > 0;
    if (status == HD_OK) status = reduce_numbers(ctx, job, &runs, room, why);
    if (took) hd__gpu_release(runs.gpu, room, bytes);
    hd__gpu_drop_runs(&runs);
    return status;
}
