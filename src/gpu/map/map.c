// SPDX-License-Identifier: Apache-2.0
// The pass of hd_map: one launch of map_elements.
#include "core/choice/selector.h"
#include "core/indexed.h"
#include "patterns/move/map.h"
#include "gpu/runtime/out_of_core.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/codegen/emit_structures.h"
#include "gpu/runtime/staging_ring.h"

#include <stdlib.h>
#include <string.h>

// A thread has its elements in registers: 64 of them in the largest blocks, which structures of
// some 100 bytes do not fit, and 255 in blocks of MAP_LARGE_THREADS. (The maps of a filter, whose
// elements have 512 bytes, kept 680 bytes a thread in local memory with 1,024 threads, and keep
// none with 128.)
enum { MAP_LARGE_BYTES = 64, MAP_LARGE_THREADS = 128, RESIDENT_THREADS = 2048 };

// Users' functions may take long, those with a state that walk arrays above all: of few elements a
// thread has one, in small blocks, so that every multiprocessor has some.
static bool are_few(const hd__gpu *gpu, const hd__map_job *job)
{
    const hd_function *f = job->in.map;
    if (f == NULL) return false;
    const int64_t rounds = f->state.size > 0 ? gpu->tuning.map_few_state : gpu->tuning.map_few;
    const int64_t at_once =
        RESIDENT_THREADS * (int64_t)gpu->driver->properties(gpu->device)->multiprocessors;
    return job->in.n <= rounds * at_once;
}

static size_t bytes_of(const hd__map_job *job)
{
    size_t bytes = hd__size_of(job->out.type);
    for (int k = 0; k < job->in.inputs; k++) bytes += hd__size_of(job->in.view[k].type);
    return bytes;
}

static int threads_of(const hd__gpu *gpu, const hd__map_job *job)
{
    const int most = gpu->tuning.map_threads;
    return (bytes_of(job) > MAP_LARGE_BYTES || are_few(gpu, job)) && most > MAP_LARGE_THREADS
               ? MAP_LARGE_THREADS
               : most;
}

// Whether the output is as large as an input. Such a map mostly ends what one that read the same
// inputs began, so it begins at the end, of which the L2 still has the most.
static bool keeps_size(const hd__map_job *job)
{
    size_t most = 0;
    for (int k = 0; k < job->in.inputs; k++) {
        const size_t size = hd__size_of(job->in.view[k].type);
        most = size > most ? size : most;
    }
    return hd__size_of(job->out.type) >= most;
}

// Structures go through shared memory: see map_structures.cu.
static bool config_structures(const hd__gpu *gpu, hd__gpu_kernel_config *config,
                              const hd__map_job *job)
{
    if (job->in.map == NULL || gpu->tuning.map_structure_threads == 0 ||
        bytes_of(job) <= (size_t)gpu->tuning.map_structure_bytes)
        return false;
    const hd__gpu_staging s = hd__gpu_stage_structures(config);
    if (s.bytes == 0) return false;
    strcpy(config->kernel, "map_structures");
    config->codegen_kind = HD__GPU_CODEGEN_STRUCTURES;
    config->stage_bytes = s.bytes;
    config->last_first = gpu->tuning.map_last_first && keeps_size(job);
    config->k = config->rows = 1;
    config->threads = gpu->tuning.map_structure_threads;
    const int32_t most = gpu->driver->properties(gpu->device)->tile_bytes;
    while (config->threads > 32 && config->threads / 32 * s.bytes > most) config->threads /= 2;
    return config->threads / 32 * s.bytes <= most;
}

static void fill_config(const hd__gpu *gpu, hd__gpu_kernel_config *config, const hd__map_job *job)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "map_elements");
    hd__gpu_config_inputs(config, &job->in, hd__size_of(job->out.type));
    if (are_few(gpu, job)) config->k = 1;
    config->rows = gpu->tuning.map_rows;
    config->threads = threads_of(gpu, job);
    config->blocks = 1;
    config->hint = gpu->tuning.map_hint;
    config->op = -1;
    config->out = hd__gpu_layout_of(&job->out);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job)
{
    hd__gpu_kernel_config config, staged;
    fill_config(gpu, &config, job);
    staged = config;
    if (config_structures(gpu, &staged, job)) config = staged;
    hd__gpu_kernel *kernel;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, job->in.map, &kernel));
    hd__gpu_kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__gpu_kernel_view_of(&job->in.view[k]);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out);
    const void *arguments[] = {&in, &out, &job->in.n};
    const int64_t tile = (int64_t)config.threads * config.rows * config.k;
    const hd__gpu_launch how = {.blocks = (job->in.n + tile - 1) / tile,
                                .threads = config.threads,
                                .shared_bytes = config.stage_bytes * (config.threads / 32),
                                .argument_count = 3,
                                .arguments = arguments};
    return gpu->driver->launch(ctx, gpu->device, kernel, &how);
}

static hd_status run(hd__gpu_stage *s, hd__map_job *job)
{
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    hd__collapse(&job->out);
    return launch(s->ctx, s->gpu, job);
}

// ---- Out of core --------------------------------------------------------------------------------

static hd_status run_chunk(hd__gpu_pipeline *pipe, const hd__map_job *job, int64_t at, int64_t n)
{
    hd__gpu_slot *s = hd__gpu_pipeline_next(pipe);
    HD_TRY(hd__gpu_pipeline_settle(pipe, s));
    hd__gpu_pipeline_take(pipe, s, n);
    hd__map_job chunk = *job;
    chunk.in = hd__gpu_reader_chunk(&job->in, at, n);
    chunk.out = hd__gpu_chunk_of(&job->out, at, n);
    for (int k = 0; k < chunk.in.inputs; k++)
        HD_TRY(hd__gpu_pipeline_in(pipe, s, &chunk.in.view[k]));
    hd__gpu_pipeline_out(s, &chunk.out);
    HD_TRY(hd__gpu_pipeline_loaded(pipe, s));
    HD_TRY(hd__gpu_pipeline_work(pipe, s));
    HD_TRY(launch(pipe->ctx, pipe->gpu, &chunk));
    return hd__gpu_pipeline_worked(pipe, s);
}

static hd_status run_chunks_on(hd__gpu_pipeline *pipe, const hd__gpu_chunk_views *views,
                               const hd__map_job *job)
{
    int64_t step = 1;
    while (step < job->in.n && hd__gpu_chunk_bytes(views, 2 * step) <= pipe->bytes) step *= 2;
    for (int64_t at = 0; at < job->in.n; at += step)
        HD_TRY(run_chunk(pipe, job, at, job->in.n - at < step ? job->in.n - at : step));
    for (int k = 0; k < HD__GPU_SLOTS; k++)
        HD_TRY(hd__gpu_pipeline_settle(pipe, hd__gpu_pipeline_next(pipe)));
    return HD_OK;
}

static hd_status run_chunks(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job)
{
    hd__gpu_pipeline pipe;
    hd__gpu_chunk_views views = {0};
    for (int k = 0; k < job->in.inputs; k++) hd__gpu_chunk_add_view(&views, &job->in.view[k]);
    hd__gpu_chunk_add_view(&views, &job->out);
    HD_TRY(hd__gpu_pipeline_open(&pipe, ctx, gpu, &views, job->in.n));
    return hd__gpu_pipeline_close(&pipe, run_chunks_on(&pipe, &views, job));
}

// ---- A few bytes --------------------------------------------------------------------------------

// Bytes that go from the host to the device or back as they are: so few that the launch of a kernel
// and the wait for it would take longer than they do.
enum { FEW_BYTES = 64 << 10 };

static bool is_row_in(const hd_view *v, int space)
{
    return (int)v->space == space && v->ndim == 1 && !hd__is_indexed(v) &&
           (v->stride[0] == 1 || v->shape[0] <= 1);
}

static bool moves_few_bytes(const hd__gpu *gpu, const hd__map_job *job)
{
    const hd_view *in = &job->in.view[0], *out = &job->out;
    if (job->in.map != NULL || job->in.inputs != 1 || in->type != out->type ||
        in->type == HD_BOOL || gpu->driver->recording(gpu->device))
        return false;
    if (!(is_row_in(in, HD_HOST) && is_row_in(out, HD_DEVICE)) &&
        !(is_row_in(in, HD_DEVICE) && is_row_in(out, HD_HOST)))
        return false;
    return (size_t)job->in.n * hd__size_of(in->type) <= FEW_BYTES;
}

// Through memory that is not pinned, so the driver has read it when it returns.
static hd_status send_few_bytes(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job, size_t bytes)
{
    void *copy = malloc(bytes);
    if (copy == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for %zu bytes", bytes);
    memcpy(copy, job->in.view[0].data, bytes);
    const hd_status status = gpu->driver->upload(
        ctx, gpu->device, (hd__gpu_address)(uintptr_t)job->out.data, copy, bytes);
    free(copy);
    return status;
}

static hd_status move_few_bytes(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job)
{
    const size_t bytes = (size_t)job->in.n * hd__size_of(job->out.type);
    HD_TRY(hd__poll(ctx, ctx->done, ctx->all)); // as before a launch
    if (job->out.space == HD_DEVICE) return send_few_bytes(ctx, gpu, job, bytes);
    hd__set_written(ctx, true);
    HD_TRY(gpu->driver->download(ctx, gpu->device, job->out.data,
                                 (hd__gpu_address)(uintptr_t)job->in.view[0].data, bytes));
    return hd__gpu_faults(ctx, gpu, "");
}

hd_status hd__gpu_map(hd_context *ctx, const void *any, const char **why)
{
    hd__map_job whole = *(const hd__map_job *)any, job = whole;
    hd_view none = {0};
    (void)why;
    if (job.in.n == 0) return HD_OK;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (moves_few_bytes(s.gpu, &job)) return move_few_bytes(ctx, s.gpu, &job);
    const bool cut = hd__gpu_can_chunk(&job.in, &job.out, &none);
    if (cut && hd__gpu_needs_out_of_core(s.gpu, &job.in, &job.out))
        return run_chunks(ctx, s.gpu, &job);
    const hd_status status = hd__gpu_stage_end(&s, run(&s, &whole));
    return cut && hd__gpu_too_large(&s, status) ? run_chunks(ctx, s.gpu, &job) : status;
}

// A bool is moved as the byte that it is.
hd_status hd__gpu_copy(hd_context *ctx, hd_view from, hd_view to, const char **why)
{
    hd__map_job job = {.in = {.n = hd_count(to), .inputs = 1}};
    if (job.in.n == 0) return HD_OK;
    if (to.type == HD_BOOL) from.type = to.type = HD_U8;
    hd__collapse(&from);
    hd__collapse(&to);
    job.in.view[0] = from;
    job.out = to;
    return hd__gpu_map(ctx, &job, why);
}
