// SPDX-License-Identifier: Apache-2.0
//
// Scatters into outputs larger than the cache. Sources are bucketed by destination first, into
// buckets that a block puts together in shared memory, unless a sample of the indices says that the
// cache joins their writes anyway: the device looks and decides, for a recorded call is played on
// other data. The order of sources for one destination stays.
#include "scatter.h"

#include <stdio.h>
#include <string.h>

enum {
    PROBE_THREADS = 1024,
    WINDOWS = 8,
    UNIT = 3,                  // bits of neighbours: a sector of 32 bytes of 4-byte elements
    REGIONS = 1024,            // of the least output that is bucketed
    MOST_BITS = 8,             // of a digit
    DESTINATION_BITS_MAX = 14, // bits of a destination within a bucket
    THREADS = 512,
    BEGIN_THREADS = 256
};

// scatter_locality of tuning.def.
enum { BUCKETS_ALWAYS, BUCKETS_BY_SAMPLE, BUCKETS_NEVER };

// ---- The locality probe -------------------------------------------------------------------------

// hk_probe_how of locality_probe.cu.
typedef struct probe_how {
    int64_t n, limit;
    int32_t window, unit, region;
    uint32_t units, regions;
} probe_how;

// Of two in a window that are neighbours in the output both are in the sample with (samples /
// window)^2. Writes are joined where a unit's eight come together as three on average: 0.75 pairs a
// source (random writes cost twice what bucketing does, 64 and 32 ps a source on an H200). Regions
// are few where half the samples fall where another did: 512 of them for 1024 samples would be two
// buckets. Destinations that crowd are seen by units: of a thirteenth of all sources in one bucket
// of 8 Ki destinations, which one block takes, 24 pairs of 8192 samples meet.
static probe_how probe_of(const hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    probe_how how = {.n = job->n, .limit = job->limit, .unit = UNIT};
    const int64_t size = (int64_t)hd__size_of(job->in.type),
                  region = (int64_t)gpu->tuning.scatter_from * 1024 / REGIONS;
    while (gpu->tuning.scatter_window >> (how.window + 1) != 0 && job->n >> (how.window + 1) != 0)
        how.window++;
    while (size << how.unit < 32) how.unit++;
    while (size << (how.region + 1) <= region) how.region++;
    const int64_t window = (int64_t)1 << how.window,
                  samples = window < PROBE_THREADS ? window : PROBE_THREADS;
    how.units = (uint32_t)(WINDOWS * samples * samples * 3 / 4 / window);
    how.regions = (uint32_t)(WINDOWS * samples / 2);
    if (gpu->tuning.scatter_locality == BUCKETS_ALWAYS) how.units = how.regions = UINT32_MAX;
    if (gpu->tuning.scatter_locality == BUCKETS_NEVER) how.units = 0;
    return how;
}

static hd_status probe_locality(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                                hd__gpu_address choice)
{
    const hd__reader r = {.n = job->n, .inputs = 1, .view = {job->index}};
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&job->index);
    const probe_how how = probe_of(gpu, job);
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "locality_probe");
    config.codegen_kind = HD__GPU_CODEGEN_OFFSETS;
    config.op = -1;
    hd__gpu_config_inputs(&config, &r, 0);
    config.k = config.blocks = config.rows = 1;
    config.threads = PROBE_THREADS;
    config.offsets = hd__gpu_layout_of(&job->index);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const void *arguments[] = {&index, &how, &choice};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = WINDOWS,
                                                 .threads = config.threads,
                                                 .argument_count = 3,
                                                 .arguments = arguments});
}

// ---- Buckets ------------------------------------------------------------------------------------

// hk_bucket_how of bucket.cuh.
typedef struct bucket_how {
    int64_t n, limit, buckets;
    hd__gpu_address stop, begin;
    int32_t shift, unused;
} bucket_how;

// What a block has of a destination: an element, and the number of its last source where there may
// be several.
static size_t destination_bytes(const hd__gpu_scatter_writes *job)
{
    return hd__size_of(job->in.type) + (job->unique ? 0 : 4);
}

// Bits of a destination within a bucket, -1: bucketing does not pay. Numbers of sources have 32
// bits.
static int32_t bucket_shift(const hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    const int64_t size = (int64_t)hd__size_of(job->in.type), bytes = job->limit * size;
    const size_t tile = (size_t)gpu->driver->properties(gpu->device)->tile_bytes;
    const size_t bucket =
        (size_t)gpu->tuning.scatter_bucket < tile ? (size_t)gpu->tuning.scatter_bucket : tile;
    int32_t shift = 0;
    if (bytes < (int64_t)gpu->tuning.scatter_from * 1024 || job->n * size < bytes / 8) return -1;
    if (job->index.space == HD_IMPLICIT) return -1; // in order
    if (!job->unique && job->n >= UINT32_MAX) return -1;
    while (shift < DESTINATION_BITS_MAX && destination_bytes(job) << (shift + 1) <= bucket) shift++;
    return shift;
}

static hd__gpu_radix_plan plan_of(const hd__gpu_scatter_writes *job, int32_t shift,
                                  hd__gpu_address choice)
{
    int32_t bits = 1;
    while ((job->limit - 1) >> shift >> bits != 0) bits++;
    const int32_t passes = (bits + MOST_BITS - 1) / MOST_BITS;
    return (hd__gpu_radix_plan){.n = job->n,
                                .ways = job->limit,
                                .bits = (bits + passes - 1) / passes,
                                .passes = passes,
                                .shift = shift,
                                .wide = job->limit >> 32 != 0 || job->limit == UINT32_MAX,
                                .out_of_range_last = true,
                                .at_once = choice + HD__GPU_LOCALITY_BUCKETED};
}

// The memory of a call: elements and keys of the bucketed sources, twice where there are several
// passes; where buckets begin; the destination bitmap.
typedef struct buckets {
    hd_view in[2], index[2];
    hd__gpu_address begin, bitmap;
    size_t bytes;
} buckets;

static hd__gpu_address after(hd__gpu_address at, size_t bytes)
{
    return at + (bytes + 255) / 256 * 256;
}

static buckets buckets_at(const hd__gpu_scatter_writes *job, const hd__gpu_radix_plan *plan,
                          hd__gpu_address memory)
{
    const size_t size = hd__size_of(job->in.type), key = plan->wide ? 8 : 4, n = (size_t)job->n;
    const size_t all = (size_t)((job->limit - 1) >> plan->shift) + 2;
    hd__gpu_address at = memory;
    buckets p;
    for (int k = 0; k < 2; k++) {
        p.in[k] = hd__gpu_array(job->in.type, at, job->n);
        at = after(at, n * size);
        p.index[k] = hd__gpu_array(plan->wide ? HD_U64 : HD_U32, at, job->n);
        at = after(at, n * key);
        if (plan->passes > 1) continue;
        p.in[1] = p.in[0];
        p.index[1] = p.index[0];
        break;
    }
    p.begin = at;
    p.bitmap = after(at, 8 * all);
    p.bytes =
        (size_t)(p.bitmap - memory) + (job->unique ? 0 : hd__gpu_destination_bitmap_bytes(job));
    return p;
}

// Sources to their destinations at once, or bucketed by the first digit.
static hd_status bucket_sources(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                                hd__gpu_radix_plan *plan, const buckets *p,
                                const hd__gpu_destination_bitmap *bitmap)
{
    static const hd_view none = {0};
    const hd__reader flags = {.n = job->n, .inputs = 1, .view = {job->index}};
    const hd__reader all = {.n = job->n, .inputs = 2, .view = {job->in, job->index}};
    const hd__gpu_radix_out to = {.out = p->in[0],
                                  .keys = p->index[0],
                                  .destination = job->out,
                                  .bitmap = bitmap,
                                  .bad = job->bad};
    HD_TRY(probe_locality(ctx, gpu, job, plan->at_once - HD__GPU_LOCALITY_BUCKETED));
    HD_TRY(hd__gpu_radix_histogram(ctx, gpu, plan, &flags, &none, &none, job->bad));
    return hd__gpu_radix_pass(ctx, gpu, plan, 0, &all, &to);
}

// By the other digits, if they are bucketed.
static hd_status bucket_further(hd_context *ctx, hd__gpu *gpu, const hd__gpu_radix_plan *plan,
                                const buckets *p)
{
    for (int32_t k = 1; k < plan->passes; k++) {
        const int from = (k - 1) % 2, to = k % 2;
        const hd__reader in = {.n = plan->n, .inputs = 2, .view = {p->in[from], p->index[from]}};
        HD_TRY(hd__gpu_radix_pass(ctx, gpu, plan, k, &in,
                                  &(hd__gpu_radix_out){.out = p->in[to], .keys = p->index[to]}));
    }
    return HD_OK;
}

// ---- Writing ------------------------------------------------------------------------------------

static hd_status bucket_kernel(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                               const char *name, int32_t threads, hd__gpu_kernel **kernel)
{
    hd__gpu_kernel_config config;
    hd__gpu_scatter_config(gpu, job, name, threads, &config);
    return hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, kernel);
}

// Buckets to the output. A destination's mark is a bit, or a word.
static hd_status write_buckets(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                               const hd__gpu_radix_plan *plan, const buckets *p)
{
    const int last = (plan->passes - 1) % 2;
    const int64_t all = ((job->limit - 1) >> plan->shift) + 1;
    const size_t destinations = (size_t)1 << plan->shift, size = hd__size_of(job->in.type);
    const size_t marks = job->unique ? (destinations + 31) / 32 * 4 : destinations * 4;
    const bucket_how how = {.n = job->n,
                            .limit = job->limit,
                            .buckets = all,
                            .stop = plan->at_once,
                            .begin = p->begin,
                            .shift = plan->shift};
    hd__gpu_scatter_writes bucketed = *job;
    hd__gpu_kernel *begins, *write;
    bucketed.in = p->in[last];
    bucketed.index = p->index[last];
    HD_TRY(bucket_kernel(ctx, gpu, &bucketed, "bucket_offsets", BEGIN_THREADS, &begins));
    HD_TRY(bucket_kernel(ctx, gpu, &bucketed, job->unique ? "bucket_write" : "bucket_last_writer",
                         THREADS, &write));
    const hd__gpu_kernel_inputs in = {{hd__gpu_kernel_view_of(&bucketed.in)}};
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&bucketed.index),
                              out = hd__gpu_kernel_view_of(&job->out);
    const void *first[] = {&index, &how}, *second[] = {&in, &index, &out, &how};
    HD_TRY(gpu->driver->launch(ctx, gpu->device, begins,
                               &(hd__gpu_launch){.blocks = (all + BEGIN_THREADS) / BEGIN_THREADS,
                                                 .threads = BEGIN_THREADS,
                                                 .argument_count = 2,
                                                 .arguments = first}));
    return gpu->driver->launch(
        ctx, gpu->device, write,
        &(hd__gpu_launch){.blocks = all,
                          .threads = THREADS,
                          .shared_bytes = (int32_t)((destinations * size + 3) / 4 * 4 + marks),
                          .argument_count = 4,
                          .arguments = second});
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status scatter_by_buckets(hd_context *ctx, hd__gpu *gpu,
                                    const hd__gpu_scatter_writes *job, hd__gpu_radix_plan *plan,
                                    const buckets *p)
{
    hd__gpu_destination_bitmap bitmap;
    if (job->unique) {
        HD_TRY(bucket_sources(ctx, gpu, job, plan, p, NULL));
    } else {
        HD_TRY(hd__gpu_destination_bitmap_begin(ctx, gpu, job, p->bitmap, &bitmap));
        HD_TRY(bucket_sources(ctx, gpu, job, plan, p, &bitmap));
        HD_TRY(hd__gpu_destination_bitmap_settle(ctx, gpu, job, &bitmap));
    }
    HD_TRY(bucket_further(ctx, gpu, plan, p));
    return write_buckets(ctx, gpu, job, plan, p);
}

hd_status hd__gpu_scatter_bucketed(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    const int32_t shift = bucket_shift(gpu, job);
    hd__gpu_address memory, choice;
    hd__gpu_radix_plan plan;
    size_t bytes = 0;
    if (shift >= 0) {
        HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_LOCALITY, HD__GPU_LOCALITY_BYTES, &choice));
        plan = plan_of(job, shift, choice);
        bytes = buckets_at(job, &plan, 0).bytes;
    }
    // Without memory for buckets there are none.
    hd_status status = shift >= 0 ? hd__gpu_allocate(ctx, gpu, bytes, &memory) : HD_ERROR_MEMORY;
    if (status == HD_ERROR_MEMORY) {
        ctx->error[0] = 0;
        return job->unique ? hd__gpu_scatter_unique(ctx, gpu, job)
                           : hd__gpu_scatter_last_writer(ctx, gpu, job);
    }
    if (status != HD_OK) return status;
    const buckets p = buckets_at(job, &plan, memory);
    status = scatter_by_buckets(ctx, gpu, job, &plan, &p);
    hd__gpu_release(gpu, memory, bytes);
    return status;
}
