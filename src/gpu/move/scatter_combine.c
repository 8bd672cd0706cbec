// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_scatter that combines. Where the order cannot be seen, or may be any, sources go
// into their destinations by atomics. Else their indices are sorted by destination, their elements
// gathered, and the runs of equal destinations folded, each by the one tree.
#include "patterns/move/gather.h"
#include "patterns/move/map.h"
#include "gather.h"
#include "scatter.h"
#include "gpu/select/select.h"
#include "gpu/sort/radix_pass.h"

#include <string.h>

enum { THREADS = 256, FOLD_BLOCKS = 8 };

static void fill_config(hd__gpu_kernel_config *config, const char *kernel,
                        const hd__scatter_job *job, const hd__reader *in)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    hd__gpu_config_inputs(config, in, 0);
    hd__gpu_config_fold(config, &job->fold);
    config->k = config->rows = config->blocks = 1;
    config->threads = THREADS;
    config->out = hd__gpu_layout_of(&job->out);
    config->scatters = 1;
}

// ---- By atomics ---------------------------------------------------------------------------------

static bool goes_by_atomics(const hd__scatter_job *job)
{
    const hd__fold *f = &job->fold;
    const uint32_t free = HD_EXACT | HD_COMMUTATIVE;
    const bool any = job->any_order || (f->node->flags & free) == free;
    return any && f->direct_out && f->out != HD_BOOL && (f->node_size == 4 || f->node_size == 8) &&
           (uintptr_t)job->out.data % f->node_size == 0;
}

static hd_status combine_at_once(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                                 hd__gpu_address bad)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(&config, "scatter_atomic", job, &job->in);
    config.rows = 4;
    config.offsets = hd__gpu_layout_of(&job->index);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job->fold, job->in.map, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&job->in);
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&job->index),
                              out = hd__gpu_kernel_view_of(&job->out);
    const int64_t how[] = {job->in.n, job->limit}, tile = 4 * THREADS;
    const void *arguments[] = {&in, &index, &out, how, &bad};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (job->in.n + tile - 1) / tile,
                                                 .threads = THREADS,
                                                 .argument_count = 5,
                                                 .arguments = arguments});
}

// ---- In order -----------------------------------------------------------------------------------

// What runs are: the first is at begins[0], its destination is its key.
typedef struct runs {
    hd_view keys;
    hd__gpu_address begins, count;
    hd_view results; // of less than a word
} runs;

static hd_status launch_runs(hd_context *ctx, hd__gpu *gpu, hd__gpu_kernel *kernel, int64_t n,
                             const void *const *arguments, int32_t argument_count)
{
    const int64_t most = FOLD_BLOCKS * gpu->driver->properties(gpu->device)->multiprocessors;
    const int64_t all = (n + THREADS - 1) / THREADS;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = all < most ? all : most,
                                                 .threads = THREADS,
                                                 .argument_count = argument_count,
                                                 .arguments = arguments});
}

static hd_status place_results(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                               const runs *r)
{
    const hd__reader in = {.n = job->in.n, .inputs = 1, .view = {r->results}};
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(&config, "scatter_runs", job, &in);
    config.codegen_kind = HD__GPU_CODEGEN_GATHER;
    config.wide_keys = hd__size_of(r->keys.type) == 8;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const hd__gpu_kernel_inputs inputs = hd__gpu_kernel_inputs_of(&in);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out);
    const hd__gpu_address key = (uintptr_t)r->keys.data;
    const void *arguments[] = {&inputs, &out, &job->limit, &key, &r->begins, &r->count};
    return launch_runs(ctx, gpu, kernel, job->in.n, arguments, 6);
}

static hd_status fold_runs(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                           const hd_view *elements, const runs *r, bool fresh)
{
    const hd__reader in = {.fold = &job->fold, .n = job->in.n, .inputs = 1, .view = {*elements}};
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(&config, "scatter_fold", job, &in);
    config.wide_keys = hd__size_of(r->keys.type) == 8;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job->fold, NULL, &kernel));
    const hd__gpu_kernel_inputs inputs = hd__gpu_kernel_inputs_of(&in);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out);
    const hd__gpu_address key = (uintptr_t)r->keys.data, results = (uintptr_t)r->results.data;
    const int64_t how[] = {job->in.n, job->limit, fresh};
    const void *arguments[] = {&inputs, &out, how, &key, &r->begins, &r->count, &results};
    HD_TRY(launch_runs(ctx, gpu, kernel, job->in.n, arguments, 7));
    return hd__size_of(job->out.type) < 4 ? place_results(ctx, gpu, job, r) : HD_OK;
}

// Where runs of equal keys begin: their number is left in HD__GPU_CONTROL_TOTAL.
static hd_status find_runs(hd_context *ctx, hd__gpu *gpu, const hd_view *keys,
                           hd__gpu_address begins, hd__gpu_state *state)
{
    const int64_t n = hd_count(*keys);
    hd__gpu_select job = {.in = *keys, .n = n};
    job.flags.heads = job.flags.own = true;
    job.flags.in = (hd__reader){.n = n, .inputs = 1, .view = {*keys}};
    job.integer[HD__GPU_PUT_INDEX] = hd__gpu_array(HD_I64, begins, n);
    return hd__gpu_select_launch(ctx, gpu, &job, state);
}

// The memory of a sort: element after element of each array.
typedef struct destinations {
    hd_view keys[2], indices[2], elements;
    hd__gpu_address begins;
    size_t bytes;
} destinations;

static destinations destinations_at(const hd__scatter_job *job, const hd__gpu_radix_plan *plan,
                                    hd__gpu_address at)
{
    const int64_t n = job->in.n;
    const hd_type key = plan->wide ? HD_U64 : HD_U32, index = n >> 32 != 0 ? HD_I64 : HD_U32;
    const hd_type types[] = {key, key, index, index, hd__element_type(&job->in), HD_I64};
    destinations p;
    hd_view *const views[] = {&p.keys[0], &p.keys[1], &p.indices[0], &p.indices[1], &p.elements};
    hd__gpu_address end = at;
    for (int k = 0; k < 6; k++) {
        if (k < 5) *views[k] = hd__gpu_array(types[k], end, n);
        if (k == 5) p.begins = end;
        end += ((size_t)n * hd__size_of(types[k]) + 255) / 256 * 256;
    }
    p.bytes = (size_t)(end - at);
    return p;
}

// The elements, or what a function makes of them, by the sorted indices.
static hd_status gather_elements(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                                 destinations *p)
{
    hd__gather_job gather = {.in = job->in.view[0],
                             .index = p->indices[0],
                             .out = p->elements,
                             .axis = -1,
                             .limit = job->in.n};
    hd__gpu_address made = 0;
    size_t bytes = 0;
    hd_status status = HD_OK;
    if (job->in.map != NULL) {
        const char *why;
        bytes = (size_t)job->in.n * hd__size_of(job->in.map->result);
        HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &made));
        gather.in = hd__gpu_array(job->in.map->result, made, job->in.n);
        const hd__map_job map = {.in = job->in, .out = gather.in};
        status = hd__gpu_map(ctx, &map, &why);
    }
    if (status == HD_OK) status = hd__gpu_gather_launch(ctx, gpu, &gather, 0, 0);
    if (made != 0) hd__gpu_release(gpu, made, bytes);
    return status;
}

static hd_status combine_sorted(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                                hd__gpu_radix_plan *plan, destinations *p, hd__gpu_address bad,
                                bool fresh)
{
    static const hd_view none = {0};
    hd__gpu_state state;
    const hd__reader index = {.n = job->in.n, .inputs = 1, .view = {job->index}};
    HD_TRY(hd__gpu_radix_histogram(ctx, gpu, plan, &index, &none, &none, bad));
    HD_TRY(hd__gpu_radix_sort_indices(ctx, gpu, plan, &job->index, p->keys, p->indices));
    HD_TRY(gather_elements(ctx, gpu, job, p));
    HD_TRY(find_runs(ctx, gpu, &p->keys[0], p->begins, &state));
    runs r = {p->keys[0], p->begins, state.control + HD__GPU_CONTROL_TOTAL, p->indices[0]};
    r.results.type = job->out.type; // in the place of the indices, which have done their part
    return fold_runs(ctx, gpu, job, &p->elements, &r, fresh);
}

hd_status hd__gpu_scatter_combine(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                                  hd__gpu_address bad, bool fresh)
{
    if (goes_by_atomics(job)) return combine_at_once(ctx, gpu, job, bad);
    hd__gpu_address memory;
    hd__gpu_radix_plan plan =
        hd__gpu_radix_plan_of(job->in.n, job->limit + 1); // one more: out of range
    plan.ways = job->limit;
    plan.out_of_range_last = true;
    const size_t bytes = destinations_at(job, &plan, 0).bytes;
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &memory));
    destinations p = destinations_at(job, &plan, memory);
    const hd_status status = combine_sorted(ctx, gpu, job, &plan, &p, bad, fresh);
    hd__gpu_release(gpu, memory, bytes);
    return status;
}
