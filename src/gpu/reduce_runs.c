// SPDX-License-Identifier: Apache-2.0
// Reductions of runs of equal keys: find_runs makes segments of them, which reduce_segments takes.
#include "core/heads.h"
#include "gpu/preamble.h"
#include "gpu/reduce.h"
#include "gpu/scan.h"

#include <string.h>

// hd_runs_how and hd_runs_state of kernels/runs.cu.
typedef struct runs_how {
    hd__scan_how scan;
    int64_t n, room;
} runs_how;

typedef struct runs_state {
    hd__scan_state scan;
    hd__address start, part, count, fault;
} runs_state;

enum { COUNT_AT = 32 }; // in the clock's area

// A lane's heads are the bits of one word.
static void fill_shape(const hd__gpu *gpu, hd__shape *s, const hd__reduce_job *job,
                       const hd_view *starts)
{
    const size_t size = hd__size_of(job->keys.type);
    memset(s, 0, sizeof *s);
    strcpy(s->kernel, "find_runs");
    s->k = (size & (size - 1)) == 0 && size <= 16 ? (int32_t)(16 / size) : 1;
    s->rows = 8;
    while (s->rows > 1 && (s->rows * s->k > 32 || (size_t)(s->rows * s->k) * size > 128))
        s->rows /= 2;
    s->threads = gpu->tuning.run_threads;
    s->blocks = 1;
    s->hint = gpu->tuning.segment_hint;
    s->items = hd__gpu_segment_items(gpu, &job->fold);
    s->op = -1;
    s->says = HD__SAYS_BOUNDS;
    s->key_rows = s->rows;
    s->keys = hd__layout_of(&job->keys);
    s->keys_out = hd__layout_of(&job->keys_out);
    s->offsets = hd__layout_of(starts);
}

static int64_t room_of(const hd__reduce_job *job)
{
    const hd_view *outputs[] = {&job->values, &job->keys_out};
    int64_t room = job->out.shape[0];
    for (int k = 0; k < 2; k++)
        if (!hd__is_unset(outputs[k]) && outputs[k]->shape[0] < room) room = outputs[k]->shape[0];
    return room < job->in.n ? room : job->in.n;
}

static hd_status find_runs(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job, int64_t room,
                           hd__segments *found)
{
    static const char *const files[] = {
        "counts.h", "warp.h", "scan_blocks.h", "offsets.h", "key_heads.h", "runs.cu", NULL};
    hd__shape shape;
    hd__kernel *kernel;
    runs_state state;
    // Half as many bytes where 32 bits suffice.
    hd_view *starts = &found->offsets;
    *starts = hd_view_of(job->in.n <= INT32_MAX ? HD_I32 : HD_I64, NULL, room + 1);
    starts->place = HD_DEVICE;
    HD_TRY(hd__gpu_area(ctx, gpu, HD__STARTS, hd__size_of(starts->type) * (size_t)(room + 1),
                        &state.start));
    starts->data = (void *)(uintptr_t)state.start;
    fill_shape(gpu, &shape, job, starts);
    const int64_t tile = (int64_t)shape.rows * shape.k * shape.threads, n = job->in.n;
    runs_how how = {.n = n, .room = room};
    const int64_t blocks = (n + tile - 1) / tile, parts = n / shape.items + 2;
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, NULL, NULL, files, &kernel));
    HD_TRY(hd__gpu_look_back(ctx, gpu, n, tile, sizeof(int64_t), &how.scan, &state.scan));
    HD_TRY(hd__gpu_area(ctx, gpu, HD__FIRSTS, 8 * (size_t)parts, &state.part));
    HD_TRY(hd__gpu_area(ctx, gpu, HD__FAULT, 64, &state.fault));
    state.count = found->count_at = state.scan.clock + COUNT_AT;
    found->part = state.part;
    found->count = -1;
    found->room = room;
    gpu->may_fault = true;
    const hd__kernel_view keys = hd__kernel_view_of(&job->keys);
    const hd__kernel_view keys_out = hd__kernel_view_of(&job->keys_out);
    const void *arguments[] = {&keys, &how, &state, &keys_out};
    return gpu->maker->launch(ctx, gpu->device, kernel,
                              &(hd__launch){.blocks = blocks,
                                            .threads = shape.threads,
                                            .argument_count = 4,
                                            .arguments = arguments});
}

// Where the host waits anyway it can say how many runs there are, and no more is copied back.
static hd_status learn_count(hd__gpu_stage *s, const hd__reduce_job *job, hd__address count)
{
    int64_t runs[2];
    const hd_view *outputs[] = {&job->out, &job->values, &job->keys_out};
    if (!s->host && job->runs == NULL) return HD_OK;
    HD_TRY(s->gpu->maker->download(s->ctx, s->gpu->device, runs, count, sizeof runs));
    if (job->runs != NULL) *job->runs = runs[1];
    const hd_status status = hd__check_runs(s->ctx, job, runs[1]);
    for (int k = 0; k < 3 && status == HD_OK; k++) hd__gpu_stage_first(s, outputs[k], runs[1]);
    if (status != HD_OK) // the fault is told
        HD_TRY(s->gpu->maker->clear(s->ctx, s->gpu->device, s->gpu->area[HD__FAULT].at, 4));
    return status;
}

static hd_status run(hd__gpu_stage *s, hd__reduce_job *job)
{
    hd__segments found = {.count = -1};
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
        return HD_OK;
    }
    return hd__gpu_stage_end(&s, run(&s, &job));
}
