// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_scatter that writes: at once where no index comes twice, else by marking each place's last
// source. Where the output is larger than the cache, sources are parted by destination first; the order of
// those for one place stays.
#include "core/map.h"
#include "gpu/scatter.h"
#include "gpu/sweep.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 256, MOST_BITS = 8 };

// hd_scatter_how of kernels/sources.h.
typedef struct scatter_how {
    int64_t n, limit;
} scatter_how;

// ---- Launches ------------------------------------------------------------------------------------

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                        const char *kernel, const void *const *arguments, int32_t argument_count)
{
    char file[32];
    snprintf(file, sizeof file, "%s.cu", kernel);
    const char *const files[] = {"lanes.h", "sources.h", file, NULL};
    const hd__reader r = {.n = job->n, .inputs = 1, .view = {job->in}};
    hd__shape s;
    hd__kernel *k;
    memset(&s, 0, sizeof s);
    strcpy(s.kernel, kernel);
    s.says = HD__SAYS_GATHER;
    s.op = -1;
    hd__shape_inputs(&s, &r, 0);
    s.k = s.blocks = 1;
    s.rows = hd__size_of(job->in.type) <= 8 ? gpu->tuning.scatter_rows : 1;
    s.threads = THREADS;
    s.out = hd__layout_of(&job->out);
    s.offsets = hd__layout_of(&job->index);
    s.wide_keys = job->n >> 32 != 0 || job->n == UINT32_MAX;
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, NULL, files, &k));
    const int64_t tile = (int64_t)s.threads * s.rows;
    return gpu->maker->launch(ctx, gpu->device, k,
                              &(hd__launch){.blocks = (job->n + tile - 1) / tile,
                                            .threads = s.threads,
                                            .argument_count = argument_count,
                                            .arguments = arguments});
}

static hd_status write_unique(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job)
{
    const hd__kernel_inputs in = {{hd__kernel_view_of(&job->in)}};
    const hd__kernel_view index = hd__kernel_view_of(&job->index),
                          out = hd__kernel_view_of(&job->out);
    const scatter_how how = {job->n, job->limit};
    const void *arguments[] = {&in, &index, &out, &how, &job->bad};
    return launch(ctx, gpu, job, "scatter_write", arguments, 5);
}

static hd_status write_winners(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job)
{
    const hd__kernel_inputs in = {{hd__kernel_view_of(&job->in)}};
    const hd__kernel_view index = hd__kernel_view_of(&job->index),
                          out = hd__kernel_view_of(&job->out);
    const scatter_how how = {job->n, job->limit};
    const bool wide = job->n >> 32 != 0 || job->n == UINT32_MAX;
    const size_t bytes = (size_t)job->limit * (wide ? 8 : 4);
    hd__address winner;
    HD_TRY(gpu->maker->allocate(ctx, gpu->device, bytes, &winner));
    const void *mark[] = {&index, &how, &winner, &job->bad};
    const void *write[] = {&in, &index, &out, &how, &winner};
    hd_status status = gpu->maker->clear(ctx, gpu->device, winner, bytes);
    if (status == HD_OK) status = launch(ctx, gpu, job, "scatter_mark", mark, 4);
    if (status == HD_OK) status = launch(ctx, gpu, job, "scatter_winners", write, 5);
    gpu->maker->release(gpu->device, winner);
    return status;
}

static hd_status write(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job)
{
    return job->unique ? write_unique(ctx, gpu, job) : write_winners(ctx, gpu, job);
}

// ---- Parting by destination ----------------------------------------------------------------------

// Digits above `shift` tell parts of the output that stay in the cache. 0: parting does not pay.
static int32_t part_bits(const hd__gpu *gpu, const hd__scatter_writes *job, int32_t *shift)
{
    const int64_t part = (int64_t)gpu->tuning.scatter_part * 1024;
    const int64_t size = (int64_t)hd__size_of(job->in.type), bytes = job->limit * size;
    int32_t bits = 0, all = 1;
    if (bytes < 4 * part || job->n * size < bytes / 8) return 0;
    while (all < 63 && job->limit >> all != 0) all++;
    while (bits < MOST_BITS && (bytes >> bits) > part) bits++;
    *shift = all > bits ? all - bits : 0;
    return bits;
}

static hd_status write_parted(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                              hd__sweep *sweep, hd__address memory)
{
    static const hd_view none = {0};
    const size_t size = hd__size_of(job->in.type);
    const hd__address keys = memory + ((size_t)job->n * size + 255) / 256 * 256;
    const hd__reader labels = {.n = job->n, .inputs = 1, .view = {job->index}};
    const hd__reader all = {.n = job->n, .inputs = 2, .view = {job->in, job->index}};
    const hd__sweep_out to = {.out = hd__gpu_array(job->in.type, memory, job->n),
                              .keys = hd__gpu_array(sweep->wide ? HD_U64 : HD_U32, keys, job->n)};
    HD_TRY(hd__sweep_begin(ctx, gpu, sweep, &labels, &none, &none, job->bad));
    HD_TRY(hd__sweep_pass(ctx, gpu, sweep, 0, &all, &to));
    hd__scatter_writes parted = *job;
    parted.in = to.out;
    parted.index = to.keys;
    parted.bad = 0;
    return write(ctx, gpu, &parted);
}

static hd_status write_by_parts(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job)
{
    int32_t shift = 0;
    const int32_t bits = part_bits(gpu, job, &shift);
    hd__address memory;
    if (bits == 0) return write(ctx, gpu, job);
    hd__sweep sweep = {.n = job->n,
                       .ways = job->limit,
                       .bits = bits,
                       .passes = 1,
                       .shift = shift,
                       .wide = job->limit >> 32 != 0 || job->limit == UINT32_MAX,
                       .loose = true};
    const size_t bytes = (size_t)job->n * (hd__size_of(job->in.type) + (sweep.wide ? 8 : 4)) + 512;
    HD_TRY(gpu->maker->allocate(ctx, gpu->device, bytes, &memory));
    const hd_status status = write_parted(ctx, gpu, job, &sweep, memory);
    gpu->maker->release(gpu->device, memory);
    return status;
}

// ---- All of it -----------------------------------------------------------------------------------

// What a function makes of the inputs, as an array.
static hd_status make_elements(hd_context *ctx, const hd__reader *in, hd__address at, hd_view *v)
{
    const char *why;
    const hd__map_job job = {.in = *in, .out = hd__gpu_array(in->map->result, at, in->n)};
    *v = job.out;
    return hd__gpu_map(ctx, &job, &why);
}

static hd_status run_write(hd__gpu_stage *s, const hd__reader *in, hd__scatter_writes *job)
{
    hd__address made = 0;
    hd_status status = HD_OK;
    job->in = in->view[0];
    if (in->map != NULL) {
        const size_t bytes = (size_t)job->n * hd__size_of(in->map->result);
        HD_TRY(s->gpu->maker->allocate(s->ctx, s->gpu->device, bytes, &made));
        status = make_elements(s->ctx, in, made, &job->in);
    }
    if (status == HD_OK) status = write_by_parts(s->ctx, s->gpu, job);
    if (made != 0) s->gpu->maker->release(s->gpu->device, made);
    return status;
}

static hd_status run(hd__gpu_stage *s, hd__scatter_job *job)
{
    hd__gpu_state state;
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_stage_in(s, &job->index));
    hd__collapse(&job->index);
    HD_TRY(hd__gpu_stage_both(s, &job->out));
    hd__collapse(&job->out);
    HD_TRY(hd__gpu_state_of(s->ctx, s->gpu, 0, &state));
    hd__scatter_writes plain = {.n = job->in.n,
                                .limit = job->limit,
                                .index = job->index,
                                .out = job->out,
                                .unique = job->unique,
                                .bad = job->bad != NULL ? state.clock + HD__CLOCK_BAD : 0};
    HD_TRY(job->combines ? hd__gpu_scatter_combine(s->ctx, s->gpu, job, plain.bad)
                         : run_write(s, &job->in, &plain));
    return job->bad != NULL ? hd__gpu_bad(s->ctx, s->gpu, &state, job->bad) : HD_OK;
}

hd_status hd__gpu_scatter(hd_context *ctx, const void *any, const char **why)
{
    hd__scatter_job job = *(const hd__scatter_job *)any;
    (void)why; // never declines
    if (job.in.n == 0) return HD_OK;
    if (job.limit == 0) { // no place at all: the first index is bad
        if (job.bad != NULL) *job.bad = 0;
        return HD_OK;
    }
    job.in.fold = &job.fold;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
