// SPDX-License-Identifier: Apache-2.0
//
// The backends cuda and model: the same passes over another driver table of device_driver.h. The
// device of a context is opened by its first call.
#include "gpu/runtime/link_rates.h"
#include "gpu/runtime/staging_ring.h"
#include "patterns/move/map_many.h"
#include "patterns/move/transpose.h"
#include "patterns/reduce/reduce_many.h"

#include <stdlib.h>
#include <string.h>

// The device of a context, or NULL: no call has opened it yet.
static hd__gpu *opened(const hd_context *ctx)
{
    return ctx->state[ctx->device_backend->id];
}

// ---- After a failure ----------------------------------------------------------------------------

// Kernels leave counters, marks and epochs on the device as the next call expects them. A call that
// fails half way (a kernel that does not compile, no memory) leaves whatever it had got to: the
// workspaces that carry such state are made zero, as they were when they were new.
static void retire(hd__gpu *gpu, hd__gpu_workspace_id which)
{
    if (gpu->workspace[which].at != 0 && gpu->retired_count < HD__GPU_RETIRED_MAX)
        gpu->retired[gpu->retired_count++] = gpu->workspace[which];
    gpu->workspace[which] = (hd__gpu_block){0, 0};
}

static void reset_workspaces(hd_context *ctx, hd__gpu *gpu)
{
    static const hd__gpu_workspace_id stateful[] = {
        HD__GPU_LOOKBACK, HD__GPU_DIGITS,      HD__GPU_LOCALITY, HD__GPU_LAST_WRITER,
        HD__GPU_SORT,     HD__GPU_SORT_COUNTS, HD__GPU_BINS};
    char error[sizeof ctx->error];
    memcpy(error, ctx->error, sizeof error);
    for (size_t k = 0; k < sizeof stateful / sizeof *stateful; k++) {
        const hd__gpu_workspace_id which = stateful[k];
        if (gpu->workspace[which].at == 0) continue;
        if (gpu->driver->clear(ctx, gpu->device, gpu->workspace[which].at,
                               gpu->workspace[which].bytes) == HD_OK)
            continue;
        retire(gpu, which); // the next call gets a new one
    }
    memcpy(ctx->error, error, sizeof error);
}

static hd_status settle(hd_context *ctx, hd_status status)
{
    hd__gpu *gpu = opened(ctx);
    if (status != HD_OK && status != HD__DECLINED && gpu != NULL) reset_workspaces(ctx, gpu);
    return status;
}

hd_status hd__gpu_of(hd_context *ctx, hd__gpu **gpu)
{
    *gpu = opened(ctx);
    if (*gpu != NULL) return HD_OK;
    const char *why = "";
    const hd__gpu_driver *driver =
        ctx->device_backend->id == HD_MODEL ? hd__gpu_find_model(&why) : &hd__gpu_driver_cuda;
    if (driver == NULL) return hd__fail(ctx, HD_ERROR_BACKEND, "%s", why);
    hd__gpu *made = calloc(1, sizeof *made);
    if (made == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a device");
    made->driver = driver;
    const hd_status status = made->driver->open(ctx, ctx->device, ctx->stream, &made->device);
    if (status != HD_OK) {
        free(made);
        return status;
    }
    made->tuning = hd__gpu_tuning_here();
    made->number = ctx->device;
    if (made->driver->takes_memory) made->allocator = ctx->device_allocator;
    ctx->state[ctx->device_backend->id] = *gpu = made;
    return HD_OK;
}

static void close_device(hd_context *ctx)
{
    hd__gpu *gpu = opened(ctx);
    gpu->driver->wait(ctx, gpu->device);
    hd__gpu_kernel_cache_close(gpu);
    hd__gpu_pinned_ring_close(ctx, gpu);
    for (int k = 0; k < HD__GPU_WORKSPACES; k++) hd__gpu_release_block(gpu, &gpu->workspace[k]);
    for (int k = 0; k < gpu->retired_count; k++) hd__gpu_release_block(gpu, &gpu->retired[k]);
    gpu->driver->close(ctx, gpu->device);
    free(gpu);
    ctx->state[ctx->device_backend->id] = NULL;
    ctx->device_scratch = 0;
}

// What kernels found wrong in data that only they could see: a code, and numbers that go with it.
hd_status hd__gpu_faults(hd_context *ctx, hd__gpu *gpu, const char *prefix)
{
    static const char *const texts[] = {
        "",
        "an offset of segments on the device falls, or is out of range",
        "a segment has no elements and the operator no identity",
        "",
        "there are more runs of keys than out, values or keys_out has room for",
        "an index of an indexed view on the device is out of range"};
    struct {
        uint32_t code, unused;
        int64_t number[3];
        int64_t unused_too, length; // ~k of the first negative length of an expansion
    } fault = {0};
    if (!gpu->may_fault) return HD_OK;
    gpu->may_fault = false;
    const hd__gpu_address at = gpu->workspace[HD__GPU_FAULT].at;
    HD_TRY(gpu->driver->download(ctx, gpu->device, &fault, at, sizeof fault));
    if (fault.code == 0 && fault.length == 0) return HD_OK;
    HD_TRY(gpu->driver->clear(ctx, gpu->device, at, sizeof fault));
    if (fault.code == 0)
        return hd__fail(ctx, HD_ERROR_VALUE, "%shd_expand: length %lld is negative", prefix,
                        (long long)~fault.length);
    if (fault.code == 3)
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "%shd_partition: element %lld is of bucket %lld; expected 0 to %lld",
                        prefix, (long long)fault.number[0], (long long)fault.number[1],
                        (long long)fault.number[2]);
    if (fault.code == HD__GPU_BAD_INDEX && prefix[0] == 0 && ctx->has_indexed) {
        atomic_store_explicit(&ctx->bad_index, 1, memory_order_relaxed);
        return HD_OK; // hd__report_indexed names it
    }
    return hd__fail(ctx, fault.code == 4 ? HD_ERROR_SHAPE : HD_ERROR_VALUE, "%s%s", prefix,
                    fault.code < sizeof texts / sizeof *texts ? texts[fault.code]
                                                              : "an unknown fault");
}

static hd_status sync_device(hd_context *ctx)
{
    hd__gpu *gpu = opened(ctx);
    HD_TRY(gpu->driver->wait(ctx, gpu->device));
    return hd__gpu_faults(ctx, gpu, "a call since the last hd_sync: ");
}

hd_status hd__gpu_workspace(hd_context *ctx, hd__gpu *gpu, hd__gpu_workspace_id which, size_t bytes,
                            hd__gpu_address *at)
{
    *at = gpu->workspace[which].at;
    if (bytes <= gpu->workspace[which].bytes) return HD_OK;
    // Twice as much at least: a block is retired a few dozen times at the very most.
    size_t wish = 2 * gpu->workspace[which].bytes;
    if (wish < bytes) wish = bytes;
    if (wish < 65536) wish = 65536;
    hd__gpu_address fresh;
    hd_status status = hd__gpu_allocate(ctx, gpu, wish, &fresh);
    if (status == HD_ERROR_MEMORY && wish > bytes) { // just what is needed, then
        ctx->error[0] = 0;
        wish = (bytes + 255) / 256 * 256;
        status = hd__gpu_allocate(ctx, gpu, wish, &fresh);
    }
    HD_TRY(status);
    status = gpu->driver->clear(ctx, gpu->device, fresh, wish);
    if (status != HD_OK) {
        hd__gpu_release(gpu, fresh, wish);
        return status;
    }
    retire(gpu, which);
    gpu->workspace[which] = (hd__gpu_block){fresh, wish};
    hd__gpu_count_scratch(ctx, gpu);
    *at = fresh;
    return HD_OK;
}

hd_status hd__gpu_state_of(hd_context *ctx, hd__gpu *gpu, int64_t words, hd__gpu_state *state)
{
    const size_t bytes = HD__GPU_CONTROL_BYTES + 16 * (size_t)words;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_LOOKBACK, bytes, &state->control));
    state->word = state->control + HD__GPU_CONTROL_BYTES;
    state->half = (int64_t)(gpu->workspace[HD__GPU_LOOKBACK].bytes - HD__GPU_CONTROL_BYTES) / 16;
    return HD_OK;
}

hd_status hd__gpu_control_number(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state,
                                 int32_t which, int64_t *number)
{
    return gpu->driver->download(ctx, gpu->device, number, state->control + (hd__gpu_address)which,
                                 sizeof *number);
}

static bool is_on_device(const hd_view *v)
{
    return !hd__is_empty(v) && v->space == HD_DEVICE;
}

hd_status hd__gpu_total(hd__gpu_stage *s, const hd__gpu_state *state, const hd_view *count_to,
                        int64_t *count, int64_t *total)
{
    *total = INT64_MAX;
    if (is_on_device(count_to))
        HD_TRY(s->gpu->driver->copy(s->ctx, s->gpu->device, (uintptr_t)count_to->data,
                                    state->control + HD__GPU_CONTROL_TOTAL, sizeof *total));
    if (count == NULL && !s->host) return HD_OK;
    HD_TRY(hd__gpu_control_number(s->ctx, s->gpu, state, HD__GPU_CONTROL_TOTAL, total));
    if (count != NULL) *count = *total;
    return HD_OK;
}

hd_status hd__gpu_no_total(hd_context *ctx, hd__gpu *gpu, const hd_view *count_to, int64_t *count)
{
    if (count != NULL) *count = 0;
    if (!is_on_device(count_to)) return HD_OK;
    return gpu->driver->clear(ctx, gpu->device, (uintptr_t)count_to->data, sizeof *count);
}

hd_status hd__gpu_bad(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state, int64_t *bad)
{
    int64_t left; // ~i of the first; 0: none
    HD_TRY(hd__gpu_control_number(ctx, gpu, state, HD__GPU_CONTROL_BAD, &left));
    if (left == 0) return HD_OK;
    *bad = ~left;
    return gpu->driver->clear(ctx, gpu->device, state->control + HD__GPU_CONTROL_BAD, sizeof left);
}

hd_view hd__gpu_array(hd_type type, hd__gpu_address at, int64_t n)
{
    hd_view v = hd_view_of(type, (void *)(uintptr_t)at, n);
    v.space = HD_DEVICE;
    return v;
}

// ---- Memory -------------------------------------------------------------------------------------

static hd_status allocate(hd_context *ctx, size_t bytes, void **memory)
{
    hd__gpu *gpu;
    hd__gpu_address at = 0;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    if (bytes > 0) HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &at));
    *memory = (void *)(uintptr_t)at;
    return HD_OK;
}

static void release(hd_context *ctx, void *memory, size_t bytes)
{
    const hd__gpu *gpu = opened(ctx);
    if (gpu != NULL) hd__gpu_release(gpu, (hd__gpu_address)(uintptr_t)memory, bytes);
}

static void trim(hd_context *ctx, size_t keep, bool pool)
{
    hd__gpu *gpu = opened(ctx);
    hd__gpu_trim(ctx, gpu, keep);
    if (pool) gpu->driver->trim(ctx, gpu->device, keep);
}

static hd_status copy_to_host(hd_context *ctx, void *to, const void *from, size_t bytes)
{
    hd__gpu *gpu;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    return gpu->driver->download(ctx, gpu->device, to, (hd__gpu_address)(uintptr_t)from, bytes);
}

// ---- Streams ------------------------------------------------------------------------------------

static hd_status set_stream(hd_context *ctx, void *stream)
{
    const hd__gpu *gpu = opened(ctx);
    return gpu->driver->set_stream(ctx, gpu->device, stream);
}

static hd_status stream_of(hd_context *ctx, void **stream)
{
    hd__gpu *gpu;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    *stream = gpu->driver->stream(gpu->device);
    return HD_OK;
}

// ---- The tables ---------------------------------------------------------------------------------

#define PASS(name)                                                                                 \
    extern HD__WEAK hd__run hd__gpu_##name;                                                        \
    static hd_status run_##name(hd_context *ctx, const void *job, const char **why)                \
    {                                                                                              \
        if (hd__gpu_##name != NULL) return settle(ctx, hd__gpu_##name(ctx, job, why));             \
        *why = "this static program does not have it on a GPU";                                    \
        return HD__DECLINED;                                                                       \
    }
PASS(map)
PASS(map_many)
PASS(reduce)
PASS(scan)
PASS(compact)
PASS(gather)
PASS(scatter)
PASS(partition)
PASS(expand)
PASS(run_lengths)
PASS(sort)
PASS(transpose)
PASS(zip)
PASS(find)
PASS(histogram)
PASS(mismatch)
PASS(is_sorted)
PASS(random)
PASS(shuffle)
PASS(search)
PASS(merge)
PASS(top_k)
PASS(nth)
PASS(slide)
PASS(list)
PASS(set)
PASS(reverse)
PASS(forest)
PASS(difference)
PASS(convolve)
PASS(blur)
PASS(stencil)
PASS(maximum)
#undef PASS

// A pass an operator: the kernels of one reduction carry it.
static hd_status run_reduce_many(hd_context *ctx, const void *any, const char **why)
{
    const hd__reduce_many_job *job = any;
    for (int64_t k = 0; k < job->count; k++) HD_TRY(run_reduce(ctx, &job->each[k], why));
    return HD_OK;
}

// An implicit view has one dimension: it is copied.
static hd_status run_transpose_or_copy(hd_context *ctx, const void *any, const char **why)
{
    const hd__transpose_job *job = any;
    return job->in.space == HD_IMPLICIT ? hd__gpu_copy(ctx, job->in, job->out, why)
                                        : run_transpose(ctx, job, why);
}

// A pattern that is not here is declined by the dispatcher.
#define PASSES                                                                                     \
    {                                                                                              \
        [HD__MAP_PATTERN] = run_map, [HD__MAP_MANY_PATTERN] = run_map_many,                        \
        [HD__REDUCE_PATTERN] = run_reduce, [HD__REDUCE_MANY_PATTERN] = run_reduce_many,            \
        [HD__SCAN_PATTERN] = run_scan, [HD__COMPACT_PATTERN] = run_compact,                        \
        [HD__GATHER_PATTERN] = run_gather, [HD__FIND_PATTERN] = run_find,                          \
        [HD__HISTOGRAM_PATTERN] = run_histogram, [HD__SCATTER_PATTERN] = run_scatter,              \
        [HD__PARTITION_PATTERN] = run_partition, [HD__EXPAND_PATTERN] = run_expand,                \
        [HD__RUN_LENGTHS_PATTERN] = run_run_lengths, [HD__SORT_PATTERN] = run_sort,                \
        [HD__REVERSE_PATTERN] = run_reverse, [HD__TRANSPOSE_PATTERN] = run_transpose_or_copy,      \
        [HD__ZIP_PATTERN] = run_zip, [HD__MISMATCH_PATTERN] = run_mismatch,                        \
        [HD__IS_SORTED_PATTERN] = run_is_sorted, [HD__RANDOM_PATTERN] = run_random,                \
        [HD__SHUFFLE_PATTERN] = run_shuffle, [HD__SEARCH_PATTERN] = run_search,                    \
        [HD__MERGE_PATTERN] = run_merge, [HD__LIST_PATTERN] = run_list,                            \
        [HD__FOREST_PATTERN] = run_forest, [HD__SET_PATTERN] = run_set,                            \
        [HD__DIFFERENCE_PATTERN] = run_difference, [HD__STENCIL_PATTERN] = run_stencil,            \
        [HD__CONVOLVE_PATTERN] = run_convolve, [HD__BLUR_PATTERN] = run_blur,                      \
        [HD__TOP_K_PATTERN] = run_top_k, [HD__NTH_PATTERN] = run_nth,                              \
        [HD__SLIDE_PATTERN] = run_slide, [HD__MAXIMUM_PATTERN] = run_maximum                       \
    }

static bool cuda_here(const char **why)
{
    return hd__gpu_driver_cuda.here(why);
}

static bool model_here(const char **why)
{
    const hd__gpu_driver *model = hd__gpu_find_model(why);
    return model != NULL && model->here(why);
}

#define DEVICE                                                                                     \
    .run = PASSES, .close = close_device, .sync = sync_device, .allocate = allocate,               \
    .release = release, .copy_to_host = copy_to_host, .ready = hd__gpu_ready,                      \
    .measure = hd__gpu_measure_link, .trim = trim, .set_stream = set_stream, .stream = stream_of,  \
    .tuning = &hd__gpu_tuning_table

const hd__backend hd__gpu_cuda_backend = {.name = "cuda",
                                          .id = HD_CUDA,
                                          .automatic = true,
                                          .available = cuda_here,
                                          .owner = hd__gpu_cuda_owner,
                                          DEVICE};
const hd__backend hd__gpu_model_backend = {
    .name = "model", .id = HD_MODEL, .available = model_here, DEVICE};
