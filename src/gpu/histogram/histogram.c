// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_histogram. Counts: one launch of histogram_shared, or histogram_global for many
// bins, and histogram_finish. Sums of weights: histogram_bins, then a scatter that combines, whose
// destinations are the bins; exact sums in histogram_exact.c.
#include "histogram.h"
#include "patterns/move/map.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/move/scatter.h"
#include "patterns/sort/rows.h"

#include <math.h>
#include <string.h>

enum {
    ELEMENTS = 32,          // of a thread at once
    LANE_BYTES = 64,        // of these
    MANY_BYTES = 72 << 10,  // of counters with a copy for each lane: three blocks of them fit
    TWO_BYTES = 96 << 10,   // of counters of which two blocks fit
    BESIDE_BYTES = 1 << 10, // of shared memory that the device keeps
    FINISH_THREADS = 256,
    BLOCKS = 8,     // of a multiprocessor, without counters
    COUNT_BITS = 31 // of elements of one block
};

// hk_bins and hk_histogram of bins.cuh.
typedef struct bins {
    int64_t count, first;
    double lower, upper, step, scale, off;
    hd__gpu_address edges;
    int32_t letters, crowded;
    float near_scale, near_shift, near_off;
} bins;

typedef struct counting {
    bins axis[2];
    int64_t n, bins, range, ranges;
    hd__gpu_address counts;
} counting;

typedef struct pass {
    hd__gpu_stage *s;
    hd__histogram_job *job;
    hd__reader in; // the inputs of the first axis, and the second
    counting c;
    hd__gpu_address edges; // of both axes
    size_t edge_bytes;
    hd__gpu_block mapped; // what a function made of the inputs of the first axis
} pass;

static void release_all(const pass *p)
{
    if (p->edges != 0) hd__gpu_release(p->s->gpu, p->edges, p->edge_bytes);
    if (p->mapped.at != 0) hd__gpu_release(p->s->gpu, p->mapped.at, p->mapped.bytes);
}

// ---- Rules --------------------------------------------------------------------------------------

// Whether values and bins are all within i32, or within u32.
static bool is_narrow(const hd__bins *b)
{
    const bool negative = hd__kind_of(b->type) == HD__SIGNED;
    const int64_t least = negative ? INT32_MIN : 0, most = negative ? INT32_MAX : UINT32_MAX;
    return hd__size_of(b->type) <= 4 && b->first >= least && b->first + b->count - 1 <= most;
}

static hd__gpu_bins rule_of(const hd__bins *b)
{
    return (hd__gpu_bins){.type = b->type,
                          .rule = (uint8_t)b->rule,
                          .clamp = b->clamp,
                          .whole = b->rule == HD__EDGE_BINS && b->whole,
                          .narrow = b->rule == HD__INTEGER_BINS && is_narrow(b)};
}

// Positions in f32. A value is multiplied by a scale that is off by 2^-24 of itself, a shift that
// is off likewise is added, and the sum is rounded; three times the first leaves room for what is
// smaller.
static void set_near(bins *a)
{
    const int64_t most_bins = 1 << 20;
    const double most = fmax(fabs(a->lower), fabs(a->upper)) * a->scale;
    const double off = a->off + 0x1p-24 * (3 * most + (double)a->count);
    a->near_off = 1; // farther than any position is from a whole number
    if (a->crowded || a->count > most_bins || !(off < 0x1p-5)) return;
    if (!(a->scale > 0x1p-100 && a->scale < 0x1p100)) return;
    a->near_scale = (float)a->scale;
    a->near_shift = (float)(-a->lower * a->scale);
    a->near_off = (float)(1.01 * off);
}

static bins axis_of(const hd__bins *b, hd__gpu_address edges)
{
    bins a = {.count = b->count, .edges = edges};
    if (b->rule == HD__INTEGER_BINS) a.first = b->first;
    if (b->rule == HD__LETTER_BINS) a.letters = b->letters;
    if (b->rule != HD__EVEN_BINS) return a;
    a.lower = b->lower;
    a.upper = b->upper;
    a.step = b->step;
    a.scale = b->scale;
    a.off = 2 * hd__bins_off(b);
    a.crowded = b->crowded;
    set_near(&a);
    return a;
}

static size_t edge_bytes(const hd__bins *b)
{
    return b->rule == HD__EDGE_BINS ? hd__padded((size_t)(b->count + 1) * 8) : 0;
}

// Edges go to the device; the call waits, for they do not stay.
static hd_status send_edges(pass *p)
{
    hd__bins *const axis[] = {&p->job->first.bins, &p->job->second.bins};
    hd_context *ctx = p->s->ctx;
    const hd__gpu *gpu = p->s->gpu;
    hd__gpu_address at[2] = {0, 0};
    const int axes = p->job->axes;
    for (int k = 0; k < axes; k++) p->edge_bytes += edge_bytes(axis[k]);
    if (p->edge_bytes > 0) HD_TRY(hd__gpu_allocate(ctx, gpu, p->edge_bytes, &p->edges));
    at[0] = p->edges;
    at[1] = p->edges + edge_bytes(axis[0]);
    for (int k = 0; k < axes; k++) {
        p->c.axis[k] = axis_of(axis[k], at[k]);
        if (edge_bytes(axis[k]) > 0)
            HD_TRY(gpu->driver->upload(ctx, gpu->device, at[k], axis[k]->edges.i,
                                       (size_t)(axis[k]->count + 1) * 8));
    }
    return p->edge_bytes > 0 ? gpu->driver->wait(ctx, gpu->device) : HD_OK;
}

// ---- Counts -------------------------------------------------------------------------------------

static void fill_config(const pass *p, const char *kernel, hd__gpu_kernel_config *config)
{
    size_t bytes = 0;
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    config->codegen_kind = HD__GPU_CODEGEN_HISTOGRAM;
    config->op = -1;
    hd__gpu_config_inputs(config, &p->in, 0);
    config->out.aligned = 16; // there is none
    for (int k = 0; k < p->in.inputs; k++)
        bytes += hd__size_of(p->in.view[k].type) * (size_t)config->k;
    config->rows = 1;
    while (2 * config->rows * config->k <= ELEMENTS &&
           2 * (size_t)config->rows * bytes <= LANE_BYTES)
        config->rows *= 2;
    config->threads = p->s->gpu->tuning.histogram_threads;
    config->blocks = 1;
    config->hint = p->s->gpu->tuning.reduce_hint;
    config->axes = (uint8_t)p->job->axes;
    config->bins[0] = rule_of(&p->job->first.bins);
    if (p->job->axes == 2) config->bins[1] = rule_of(&p->job->second.bins);
}

// As many copies as there is room for; false: there is no room, in any number of ranges.
static bool fit_counters(pass *p, hd__gpu_kernel_config *config)
{
    const hd__gpu *gpu = p->s->gpu;
    const int64_t bytes = 4 * (p->c.bins + 1),
                  all = gpu->driver->properties(gpu->device)->shared_bytes;
    int64_t most = all - BESIDE_BYTES;
    if (gpu->tuning.histogram_bytes < most) most = gpu->tuning.histogram_bytes;
    const int64_t many = most < MANY_BYTES ? most : MANY_BYTES,
                  two = most < TWO_BYTES ? most : TWO_BYTES;
    p->c.ranges = 1;
    p->c.range = p->c.bins + 1; // and those outside
    config->items = 1;
    config->contiguous = 1;
    if (32 * bytes <= many) {
        config->items = 32;
        config->blocks = 3;
    } else if (bytes <= two) {
        while (2 * config->items * bytes <= two) config->items *= 2;
        config->blocks = 2;
    } else {
        p->c.ranges = (bytes + most - 1) / most;
        p->c.range = (p->c.bins + p->c.ranges - 1) / p->c.ranges;
        config->contiguous = p->c.ranges == 1;
        if (p->c.ranges == 1) p->c.range++;
        if (config->threads <= 512) config->threads *= 2;
    }
    while (config->blocks > 1 && config->blocks * config->threads > 2048) config->blocks--;
    return p->c.ranges <= gpu->tuning.histogram_ranges;
}

static hd_status launch_counts(pass *p)
{
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(p, "histogram_shared", &config);
    const bool shared = fit_counters(p, &config);
    if (!shared) {
        fill_config(p, "histogram_global", &config);
        config.items = 1;
        p->c.ranges = 1;
    }
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, p->in.map, &kernel));
    const int64_t tile = (int64_t)config.threads * config.k * config.rows;
    const int64_t tiles = (p->c.n + tile - 1) / tile;
    int64_t blocks = (shared ? config.blocks : BLOCKS) *
                     (int64_t)gpu->driver->properties(gpu->device)->multiprocessors;
    if (blocks < (p->c.n >> COUNT_BITS) + 1) blocks = (p->c.n >> COUNT_BITS) + 1;
    if (blocks > tiles) blocks = tiles;
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&p->in);
    const void *arguments[] = {&in, &p->c};
    return gpu->driver->launch(
        p->s->ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = blocks * p->c.ranges,
                          .threads = config.threads,
                          .shared_bytes = shared ? (int32_t)(4 * p->c.range * config.items) : 0,
                          .argument_count = 2,
                          .arguments = arguments});
}

static hd_status launch_finish(pass *p, hd__gpu_address outside)
{
    hd__gpu *gpu = p->s->gpu;
    const hd__histogram_job *job = p->job;
    const hd__reader old = {.n = p->c.bins, .inputs = 1, .view = {job->out}};
    const int64_t how[] = {p->c.bins, !job->weighted, job->add};
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "histogram_finish");
    hd__gpu_config_inputs(&config, &old, 0);
    config.op = -1;
    config.k = config.rows = config.blocks = 1;
    config.threads = FINISH_THREADS;
    config.out = hd__gpu_layout_of(&job->out);
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, NULL, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&old);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out);
    const void *arguments[] = {&in, &out, how, &p->c.counts, &outside};
    return gpu->driver->launch(
        p->s->ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = (p->c.bins + 1 + FINISH_THREADS - 1) / FINISH_THREADS,
                          .threads = FINISH_THREADS,
                          .argument_count = 5,
                          .arguments = arguments});
}

// ---- Weights ------------------------------------------------------------------------------------

static hd_status launch_bins(pass *p, hd__gpu_address at)
{
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(p, "histogram_bins", &config);
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, p->in.map, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&p->in);
    const int64_t most = BLOCKS * (int64_t)gpu->driver->properties(gpu->device)->multiprocessors;
    int64_t blocks = (p->c.n + config.threads - 1) / config.threads;
    if (blocks > most) blocks = most;
    const void *arguments[] = {&in, &p->c, &at};
    return gpu->driver->launch(p->s->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = blocks,
                                                 .threads = config.threads,
                                                 .argument_count = 3,
                                                 .arguments = arguments});
}

static hd_status clear_out(pass *p)
{
    static const unsigned char zeros[16];
    const char *why;
    const hd_view out = p->job->out;
    const hd__map_job map = {
        .in = {.n = p->c.bins, .inputs = 1, .view = {hd_constant_of(out.type, zeros, p->c.bins)}},
        .out = out};
    return hd__gpu_map(p->s->ctx, &map, &why);
}

static hd_status sum_weights(pass *p)
{
    hd_context *ctx = p->s->ctx;
    hd__gpu *gpu = p->s->gpu;
    const size_t bytes = 4 * (size_t)p->c.n;
    hd__gpu_address bin;
    if (!p->job->add) HD_TRY(clear_out(p));
    if (p->c.n == 0) return HD_OK;
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &bin));
    const hd__scatter_job scatter = {.in = p->job->weights,
                                     .index = hd__gpu_array(HD_U32, bin, p->c.n),
                                     .out = p->job->out,
                                     .fold = p->job->fold,
                                     .combines = true,
                                     .any_order = p->job->any_order,
                                     .limit = p->c.bins,
                                     .bad_to = HD_EMPTY};
    hd_status status = launch_bins(p, bin);
    if (status == HD_OK)
        status = p->job->fold.form == HD__LIMBS
                     ? hd__gpu_histogram_exact(ctx, gpu, p->job, bin)
                     : hd__gpu_scatter_combine(ctx, gpu, &scatter, 0, !p->job->add);
    hd__gpu_release(gpu, bin, bytes);
    return status;
}

// ---- All of it ----------------------------------------------------------------------------------

// What a function makes of as many inputs as there can be, so that there is room for one more.
static hd_status map_first(pass *p)
{
    const char *why;
    hd__map_job map = {.in = p->in};
    if (p->in.map == NULL) return HD_OK;
    p->mapped.bytes = (size_t)p->job->n * hd__size_of(p->in.map->result);
    if (p->mapped.bytes == 0) p->mapped.bytes = 1;
    HD_TRY(hd__gpu_allocate(p->s->ctx, p->s->gpu, p->mapped.bytes, &p->mapped.at));
    map.out = hd__gpu_array(p->in.map->result, p->mapped.at, p->job->n);
    for (int k = 0; k < map.in.inputs && p->job->slices == HD__ROWS; k++)
        hd__put_axis_last(&map.in.view[k], p->job->axis);
    p->in = (hd__reader){.n = p->job->n, .inputs = 1, .view = {map.out}};
    return map.in.n > 0 ? hd__gpu_map(p->s->ctx, &map, &why) : HD_OK;
}

static hd_status stage_inputs(pass *p)
{
    const hd__histogram_job *job = p->job;
    p->in = job->first.in;
    if (job->axes == 2 && p->in.inputs == HD_MAX_INPUTS) HD_TRY(map_first(p));
    const int first = p->mapped.at != 0 ? 1 : 0; // it lies as it is to
    if (job->axes == 2) p->in.view[p->in.inputs++] = job->second.in.view[0];
    for (int k = 0; k < p->in.inputs; k++) {
        if (job->slices == HD__ROWS && k >= first) hd__put_axis_last(&p->in.view[k], job->axis);
        HD_TRY(hd__gpu_stage_in(p->s, &p->in.view[k]));
        hd__collapse(&p->in.view[k]);
    }
    return HD_OK;
}

static hd_status stage_views(pass *p)
{
    hd__histogram_job *job = p->job;
    HD_TRY(stage_inputs(p));
    if (job->weighted) {
        HD_TRY(hd__gpu_stage_in(p->s, &job->weights.view[0]));
        hd__collapse(&job->weights.view[0]);
    }
    HD_TRY(job->add ? hd__gpu_stage_both(p->s, &job->out) : hd__gpu_stage_out(p->s, &job->out));
    hd__collapse(&job->out);
    return HD_OK;
}

// The number of those outside is at `there`; behind it counts, and the count of those outside.
static hd_status prepare(pass *p, hd__gpu_address *there)
{
    const hd__histogram_job *job = p->job;
    const size_t words = 1 + (size_t)job->bins + 1;
    HD_TRY(hd__gpu_workspace(p->s->ctx, p->s->gpu, HD__GPU_BINS, 8 * words, there));
    p->c.counts = *there + 8;
    p->c.n = job->n;
    p->c.bins = job->bins;
    p->c.range = job->bins;
    p->c.ranges = 1;
    return send_edges(p);
}

static hd_status run(pass *p)
{
    hd__gpu_stage *s = p->s;
    const hd__histogram_job *job = p->job;
    hd__gpu_address there;
    HD_TRY(stage_views(p));
    HD_TRY(prepare(p, &there));
    if (job->weighted)
        HD_TRY(sum_weights(p));
    else if (job->n > 0)
        HD_TRY(launch_counts(p));
    const bool on_device = !hd__is_empty(&job->outside_to);
    HD_TRY(launch_finish(p, on_device ? (uintptr_t)job->outside_to.data : there));
    if (job->outside == NULL) return HD_OK;
    return s->gpu->driver->download(s->ctx, s->gpu->device, job->outside, there, 8);
}

// Counts of those outside are left by the pass, and cleared by its end as those of weights are.
static hd_status run_bins(pass *p, hd__gpu_address at)
{
    hd__gpu_address there;
    HD_TRY(stage_inputs(p));
    HD_TRY(prepare(p, &there));
    HD_TRY(launch_bins(p, at));
    p->job->weighted = true;
    p->job->add = false;
    return launch_finish(p, there);
}

hd_status hd__gpu_histogram_bins(hd_context *ctx, const hd__histogram_job *asked,
                                 hd__gpu_address at)
{
    hd__histogram_job job = *asked;
    hd__gpu_stage s = {.ctx = ctx};
    pass p = {.s = &s, .job = &job};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const hd_status status = run_bins(&p, at);
    release_all(&p);
    return hd__gpu_stage_end(&s, status);
}

hd_status hd__gpu_histogram(hd_context *ctx, const void *any, const char **why)
{
    hd__histogram_job job = *(const hd__histogram_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    pass p = {.s = &s, .job = &job};
    if (job.slices != HD__EVERYTHING) return hd__gpu_histogram_slices(ctx, &job, why);
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const hd_status status = run(&p);
    release_all(&p);
    return hd__gpu_stage_end(&s, status);
}
