// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_map_many: launches of map_many_elements, each of several functions. Where these
// cannot stand in one text (structures, states, sources that differ), and for arrays of the host
// that go in chunks, a pass a function; in place by way of copies of the results.
#include "patterns/move/map_many.h"
#include "core/system/cache_folder.h"
#include "gpu/codegen/emit_map_many.h"
#include "gpu/runtime/kernel_key.h"
#include "gpu/runtime/out_of_core.h"

#include <string.h>

// ---- A pass a function --------------------------------------------------------------------------

// Where the results of function k lie while others still want the elements.
static hd_view result_at(const hd_view *out, hd__gpu_address *at)
{
    const size_t bytes = (size_t)hd_count(*out) * hd__size_of(out->type);
    hd_view v = hd_view_nd(out->type, (void *)(uintptr_t)*at, out->ndim, out->shape, NULL);
    v.space = HD_DEVICE;
    *at += (bytes + 255) / 256 * 256;
    return v;
}

// All functions see the elements as they were: results are written when all are there.
static hd_status map_aside(hd_context *ctx, const hd__map_many_job *job, hd__gpu_address memory,
                           const char **why)
{
    hd__gpu_address at = memory, from = memory;
    for (int64_t k = 0; k < job->count; k++) {
        hd__map_job each = job->each[k];
        each.out = result_at(&job->each[k].out, &at);
        HD_TRY(hd__gpu_map(ctx, &each, why));
    }
    for (int64_t k = 0; k < job->count; k++)
        HD_TRY(hd__gpu_copy(ctx, result_at(&job->each[k].out, &from), job->each[k].out, why));
    return HD_OK;
}

static hd_status map_in_place(hd_context *ctx, const hd__map_many_job *job, const char **why)
{
    hd__gpu *gpu;
    hd__gpu_address bytes = 0, memory;
    for (int64_t k = 0; k < job->count; k++) (void)result_at(&job->each[k].out, &bytes);
    if (bytes == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    HD_TRY(hd__gpu_allocate(ctx, gpu, (size_t)bytes, &memory));
    const hd_status status = map_aside(ctx, job, memory, why);
    hd__gpu_release(gpu, memory, (size_t)bytes);
    return status;
}

static hd_status map_each(hd_context *ctx, const hd__map_many_job *job, const char **why)
{
    if (job->in_place) return map_in_place(ctx, job, why);
    for (int64_t k = 0; k < job->count; k++) HD_TRY(hd__gpu_map(ctx, &job->each[k], why));
    return HD_OK;
}

// ---- Several functions a pass -------------------------------------------------------------------

// Some functions of a call: their jobs, the inputs of all of them, and their outputs.
typedef struct some_maps {
    const hd__map_job *job;
    hd__gpu_functions f;
    hd__reader in;
    hd_view out[HD__GPU_FUNCTIONS_MAX];
} some_maps;

typedef struct outputs {
    hd__gpu_kernel_view view[HD__GPU_FUNCTIONS_MAX];
} outputs;

// A function takes the first inputs, as many as it has.
static void take_some(some_maps *s, const hd__map_job *job, int64_t count)
{
    s->job = job;
    s->f.count = (int32_t)count;
    s->in = job[0].in;
    for (int k = 0; k < s->f.count; k++) {
        if (job[k].in.inputs > s->in.inputs) s->in = job[k].in;
        s->f.map[k] = job[k].in.map;
        s->f.out[k] = (hd__gpu_layout){.type = job[k].out.type};
        s->out[k] = job[k].out;
    }
    s->in.map = NULL;
}

static bool is_joined(const hd__gpu *gpu, const some_maps *s)
{
    if (!hd__gpu_joins(&s->f)) return false;
    for (int k = 0; k < s->in.inputs; k++)
        if (!hd__is_number(s->in.view[k].type)) return false;
    for (int k = 0; k < s->f.count; k++)
        if (hd__gpu_needs_out_of_core(gpu, &s->in, &s->out[k])) return false;
    return true;
}

static void fill_config(const hd__gpu *gpu, const some_maps *s, hd__gpu_kernel_config *config)
{
    size_t largest = 0;
    for (int k = 0; k < s->f.count; k++)
        if (hd__size_of(s->out[k].type) > largest) largest = hd__size_of(s->out[k].type);
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "map_many_elements");
    hd__gpu_config_inputs(config, &s->in, largest);
    config->rows = config->blocks = 1;
    config->threads = gpu->tuning.map_threads;
    config->hint = gpu->tuning.map_hint;
    config->op = -1;
}

// A digest of what the text of each function follows from; 0 bytes: some text is too long.
typedef struct many_key {
    char tag[16];
    hd__digest each[HD__GPU_FUNCTIONS_MAX];
} many_key;

static size_t key_of(const some_maps *s, const hd__gpu_kernel_config *config, many_key *key)
{
    hd__gpu_kernel_key one;
    hd__gpu_kernel_config of;
    memset(key, 0, sizeof *key);
    strcpy(key->tag, "map_many");
    for (int k = 0; k < s->f.count; k++) {
        memcpy(&of, config, sizeof of);
        of.out = s->f.out[k];
        hd__gpu_kernel_key_of(&one, &of, NULL, s->f.map[k]);
        if (one.bytes == 0) return 0;
        key->each[k] = hd__digest_of("", one.at, one.bytes);
    }
    return sizeof key->tag + (size_t)s->f.count * sizeof key->each[0];
}

static hd_status find_kernel(hd_context *ctx, hd__gpu *gpu, const some_maps *s,
                             const hd__gpu_kernel_config *config, hd__gpu_kernel **kernel)
{
    many_key key;
    hd__gpu_text text = {0};
    const size_t bytes = key_of(s, config, &key);
    HD_TRY(hd__poll(ctx, ctx->done, ctx->all)); // before each launch
    *kernel = bytes > 0 ? hd__gpu_kernel_of_key(gpu, &key, bytes) : NULL;
    if (*kernel != NULL) return HD_OK;
    hd__gpu_emit_map_many(&text, config, &s->f);
    const hd_status status = text.lost
                                 ? hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel")
                                 : hd__gpu_kernel_of_text(ctx, gpu, &text, config->kernel, kernel);
    hd__gpu_text_drop(&text);
    if (status == HD_OK && bytes > 0) hd__gpu_kernel_remember(gpu, &key, bytes, *kernel);
    return status;
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, some_maps *s)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    outputs out;
    for (int k = 0; k < s->f.count; k++) {
        s->f.out[k] = hd__gpu_layout_of(&s->out[k]);
        out.view[k] = hd__gpu_kernel_view_of(&s->out[k]);
    }
    fill_config(gpu, s, &config);
    HD_TRY(find_kernel(ctx, gpu, s, &config, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&s->in);
    const int64_t n = s->in.n, tile = (int64_t)config.threads * config.k;
    const void *arguments[] = {&in, &out, &n};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (n + tile - 1) / tile,
                                                 .threads = config.threads,
                                                 .argument_count = 3,
                                                 .arguments = arguments});
}

// An output of the host that is an input is staged apart from it, and comes back.
static hd_status stage(hd__gpu_stage *s, some_maps *m)
{
    for (int k = 0; k < m->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &m->in.view[k]));
        hd__collapse(&m->in.view[k]);
    }
    for (int k = 0; k < m->f.count; k++) {
        HD_TRY(hd__gpu_stage_out(s, &m->out[k]));
        hd__collapse(&m->out[k]);
    }
    return HD_OK;
}

// *done: false where a pass a function is to be made instead.
static hd_status map_some(hd_context *ctx, hd__gpu *gpu, some_maps *m, bool *done)
{
    hd__gpu_stage s = {.ctx = ctx, .gpu = gpu};
    hd_status status = stage(&s, m);
    if (status == HD_OK) status = launch(ctx, gpu, m);
    status = hd__gpu_stage_end(&s, status);
    *done = !hd__gpu_too_large(&s, status);
    return *done ? status : HD_OK;
}

hd_status hd__gpu_map_many(hd_context *ctx, const void *any, const char **why)
{
    const hd__map_many_job *job = any;
    hd__gpu *gpu;
    some_maps m;
    if (job->each[0].in.n == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    if (job->in_place && job->count > HD__GPU_FUNCTIONS_MAX) return map_each(ctx, job, why);
    for (int64_t k = 0; k < job->count; k += HD__GPU_FUNCTIONS_MAX) {
        const int64_t left = job->count - k;
        const hd__map_many_job some = {left < HD__GPU_FUNCTIONS_MAX ? left : HD__GPU_FUNCTIONS_MAX,
                                       job->each + k, job->in_place};
        bool done = false;
        take_some(&m, some.each, some.count);
        if (is_joined(gpu, &m)) HD_TRY(map_some(ctx, gpu, &m, &done));
        if (!done) HD_TRY(map_each(ctx, &some, why));
    }
    return HD_OK;
}
