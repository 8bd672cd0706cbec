// SPDX-License-Identifier: Apache-2.0
//
// Scatters into outputs larger than the cache. Sources are bucketed by destination first, into
// parts that a block puts together in shared memory, unless a sample of the indices says that the
// cache joins their writes anyway: the device looks and decides, for a recorded call is played on
// other data. The order of sources for one place stays.
#include "scatter.h"

#include <stdio.h>
#include <string.h>

enum {
    JUDGE_THREADS = 1024,
    WINDOWS = 8,
    UNIT = 3,         // bits of neighbours: a sector of 32 bytes of 4-byte elements
    REGIONS = 1024,   // of the least output that is bucketed
    MOST_BITS = 8,    // of a digit
    MOST_PLACES = 14, // bits of a place within a part
    THREADS = 512,
    BEGIN_THREADS = 256
};

// scatter_choice of tuning.def.
enum { PARTS_ALWAYS, PARTS_BY_SAMPLE, PARTS_NEVER };

// ---- Judging ------------------------------------------------------------------------------------

// hk_judge_how of kernels/locality_probe.cu.
typedef struct judge_how {
    int64_t n, limit;
    int32_t window, unit, region;
    uint32_t units, regions;
} judge_how;

// Of two in a window that are neighbours in the output both are in the sample with (samples /
// window)^2. Writes are joined where a unit's eight come together as three on average: 0.75 pairs a
// source (random writes cost twice what parting does, 64 and 32 ps a source on an H200). Regions
// are few where half the samples fall where another did: 512 of them for 1024 samples would be two
// parts. Places that crowd are seen by units: of a thirteenth of all sources in one part of 8 Ki
// places, which one block takes, 24 pairs of 8192 samples meet.
static judge_how judge_of(const hd__gpu *gpu, const hd__scatter_writes *job)
{
    judge_how how = {.n = job->n, .limit = job->limit, .unit = UNIT};
    const int64_t size = (int64_t)hd__size_of(job->in.type),
                  region = (int64_t)gpu->tuning.scatter_from * 1024 / REGIONS;
    while (gpu->tuning.scatter_window >> (how.window + 1) != 0 && job->n >> (how.window + 1) != 0)
        how.window++;
    while (size << how.unit < 32) how.unit++;
    while (size << (how.region + 1) <= region) how.region++;
    const int64_t window = (int64_t)1 << how.window,
                  samples = window < JUDGE_THREADS ? window : JUDGE_THREADS;
    how.units = (uint32_t)(WINDOWS * samples * samples * 3 / 4 / window);
    how.regions = (uint32_t)(WINDOWS * samples / 2);
    if (gpu->tuning.scatter_choice == PARTS_ALWAYS) how.units = how.regions = UINT32_MAX;
    if (gpu->tuning.scatter_choice == PARTS_NEVER) how.units = 0;
    return how;
}

static hd_status judge(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                       hd__address choice)
{
    const hd__reader r = {.n = job->n, .inputs = 1, .view = {job->index}};
    const hd__kernel_view index = hd__kernel_view_of(&job->index);
    const judge_how how = judge_of(gpu, job);
    hd__shape s;
    hd__kernel *kernel;
    memset(&s, 0, sizeof s);
    strcpy(s.kernel, "locality_probe");
    s.says = HD__SAYS_BOUNDS;
    s.op = -1;
    hd__shape_inputs(&s, &r, 0);
    s.k = s.blocks = s.rows = 1;
    s.threads = JUDGE_THREADS;
    s.offsets = hd__layout_of(&job->index);
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, NULL, &kernel));
    const void *arguments[] = {&index, &how, &choice};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__launch){
            .blocks = WINDOWS, .threads = s.threads, .argument_count = 3, .arguments = arguments});
}

// ---- Parting ------------------------------------------------------------------------------------

// hk_parts_how of bucket.cuh.
typedef struct parts_how {
    int64_t n, limit, parts;
    hd__address stop, begin;
    int32_t shift, unused;
} parts_how;

// What a block has of a place: an element, and the number of its last source where there may be
// several.
static size_t place_bytes(const hd__scatter_writes *job)
{
    return hd__size_of(job->in.type) + (job->unique ? 0 : 4);
}

// Bits of a place within a part, -1: parting does not pay. Numbers of sources have 32 bits.
static int32_t part_shift(const hd__gpu *gpu, const hd__scatter_writes *job)
{
    const int64_t size = (int64_t)hd__size_of(job->in.type), bytes = job->limit * size;
    const size_t tile = (size_t)gpu->driver->properties(gpu->device)->tile_bytes;
    const size_t part =
        (size_t)gpu->tuning.scatter_part < tile ? (size_t)gpu->tuning.scatter_part : tile;
    int32_t shift = 0;
    if (bytes < (int64_t)gpu->tuning.scatter_from * 1024 || job->n * size < bytes / 8) return -1;
    if (job->index.space == HD_IMPLICIT) return -1; // in order
    if (!job->unique && job->n >= UINT32_MAX) return -1;
    while (shift < MOST_PLACES && place_bytes(job) << (shift + 1) <= part) shift++;
    return shift;
}

static hd__sweep sweep_of(const hd__scatter_writes *job, int32_t shift, hd__address choice)
{
    int32_t bits = 1;
    while ((job->limit - 1) >> shift >> bits != 0) bits++;
    const int32_t passes = (bits + MOST_BITS - 1) / MOST_BITS;
    return (hd__sweep){.n = job->n,
                       .ways = job->limit,
                       .bits = (bits + passes - 1) / passes,
                       .passes = passes,
                       .shift = shift,
                       .wide = job->limit >> 32 != 0 || job->limit == UINT32_MAX,
                       .loose = true,
                       .at_once = choice + HD__AT_CHOICE};
}

// The memory of a call: elements and keys of the bucketed sources, twice where there are several
// sweeps; where parts begin; claims.
typedef struct parts {
    hd_view in[2], index[2];
    hd__address begin, claims;
    size_t bytes;
} parts;

static hd__address after(hd__address at, size_t bytes)
{
    return at + (bytes + 255) / 256 * 256;
}

static parts parts_at(const hd__scatter_writes *job, const hd__sweep *sweep, hd__address memory)
{
    const size_t size = hd__size_of(job->in.type), key = sweep->wide ? 8 : 4, n = (size_t)job->n;
    const size_t all = (size_t)((job->limit - 1) >> sweep->shift) + 2;
    hd__address at = memory;
    parts p;
    for (int k = 0; k < 2; k++) {
        p.in[k] = hd__gpu_array(job->in.type, at, job->n);
        at = after(at, n * size);
        p.index[k] = hd__gpu_array(sweep->wide ? HD_U64 : HD_U32, at, job->n);
        at = after(at, n * key);
        if (sweep->passes > 1) continue;
        p.in[1] = p.in[0];
        p.index[1] = p.index[0];
        break;
    }
    p.begin = at;
    p.claims = after(at, 8 * all);
    p.bytes = (size_t)(p.claims - memory) + (job->unique ? 0 : hd__claims_bytes(job));
    return p;
}

// Sources to their places at once, or bucketed by the first digit.
static hd_status sweep_sources(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                               hd__sweep *sweep, const parts *p, const hd__claims *claims)
{
    static const hd_view none = {0};
    const hd__reader flags = {.n = job->n, .inputs = 1, .view = {job->index}};
    const hd__reader all = {.n = job->n, .inputs = 2, .view = {job->in, job->index}};
    const hd__sweep_out to = {
        .out = p->in[0], .keys = p->index[0], .place = job->out, .claims = claims, .bad = job->bad};
    HD_TRY(judge(ctx, gpu, job, sweep->at_once - HD__AT_CHOICE));
    HD_TRY(hd__sweep_begin(ctx, gpu, sweep, &flags, &none, &none, job->bad));
    return hd__sweep_pass(ctx, gpu, sweep, 0, &all, &to);
}

// By the other digits, if they are bucketed.
static hd_status sweep_on(hd_context *ctx, hd__gpu *gpu, const hd__sweep *sweep, const parts *p)
{
    for (int32_t k = 1; k < sweep->passes; k++) {
        const int from = (k - 1) % 2, to = k % 2;
        const hd__reader in = {.n = sweep->n, .inputs = 2, .view = {p->in[from], p->index[from]}};
        HD_TRY(hd__sweep_pass(ctx, gpu, sweep, k, &in,
                              &(hd__sweep_out){.out = p->in[to], .keys = p->index[to]}));
    }
    return HD_OK;
}

// ---- Placing ------------------------------------------------------------------------------------

static hd_status place_kernel(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                              const char *name, int32_t threads, hd__kernel **kernel)
{
    hd__shape s;
    hd__scatter_shape(gpu, job, name, threads, &s);
    return hd__kernel_for(ctx, gpu, &s, NULL, NULL, kernel);
}

// Parts to the output. A place's mark is a bit, or a word.
static hd_status place_parts(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                             const hd__sweep *sweep, const parts *p)
{
    const int last = (sweep->passes - 1) % 2;
    const int64_t all = ((job->limit - 1) >> sweep->shift) + 1;
    const size_t places = (size_t)1 << sweep->shift, size = hd__size_of(job->in.type);
    const size_t marks = job->unique ? (places + 31) / 32 * 4 : places * 4;
    const parts_how how = {.n = job->n,
                           .limit = job->limit,
                           .parts = all,
                           .stop = sweep->at_once,
                           .begin = p->begin,
                           .shift = sweep->shift};
    hd__scatter_writes bucketed = *job;
    hd__kernel *begins, *place;
    bucketed.in = p->in[last];
    bucketed.index = p->index[last];
    HD_TRY(place_kernel(ctx, gpu, &bucketed, "bucket_offsets", BEGIN_THREADS, &begins));
    HD_TRY(place_kernel(ctx, gpu, &bucketed, job->unique ? "bucket_write" : "bucket_last_writer",
                        THREADS, &place));
    const hd__kernel_inputs in = {{hd__kernel_view_of(&bucketed.in)}};
    const hd__kernel_view index = hd__kernel_view_of(&bucketed.index),
                          out = hd__kernel_view_of(&job->out);
    const void *first[] = {&index, &how}, *second[] = {&in, &index, &out, &how};
    HD_TRY(gpu->driver->launch(ctx, gpu->device, begins,
                               &(hd__launch){.blocks = (all + BEGIN_THREADS) / BEGIN_THREADS,
                                             .threads = BEGIN_THREADS,
                                             .argument_count = 2,
                                             .arguments = first}));
    return gpu->driver->launch(
        ctx, gpu->device, place,
        &(hd__launch){.blocks = all,
                      .threads = THREADS,
                      .shared_bytes = (int32_t)((places * size + 3) / 4 * 4 + marks),
                      .argument_count = 4,
                      .arguments = second});
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status write_parts(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                             hd__sweep *sweep, const parts *p)
{
    hd__claims claims;
    if (job->unique) {
        HD_TRY(sweep_sources(ctx, gpu, job, sweep, p, NULL));
    } else {
        HD_TRY(hd__claims_begin(ctx, gpu, job, p->claims, &claims));
        HD_TRY(sweep_sources(ctx, gpu, job, sweep, p, &claims));
        HD_TRY(hd__claims_settle(ctx, gpu, job, &claims));
    }
    HD_TRY(sweep_on(ctx, gpu, sweep, p));
    return place_parts(ctx, gpu, job, sweep, p);
}

hd_status hd__scatter_parted(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job)
{
    const int32_t shift = part_shift(gpu, job);
    hd__address memory, choice;
    hd__sweep sweep;
    size_t bytes = 0;
    if (shift >= 0) {
        HD_TRY(hd__gpu_area(ctx, gpu, HD__CHOICE, HD__CHOICE_BYTES, &choice));
        sweep = sweep_of(job, shift, choice);
        bytes = parts_at(job, &sweep, 0).bytes;
    }
    // Without memory for parts there are none.
    hd_status status =
        shift >= 0 ? gpu->driver->allocate(ctx, gpu->device, bytes, &memory) : HD_ERROR_MEMORY;
    if (status == HD_ERROR_MEMORY) {
        ctx->error[0] = 0;
        return job->unique ? hd__scatter_unique(ctx, gpu, job) : hd__scatter_last(ctx, gpu, job);
    }
    if (status != HD_OK) return status;
    const parts p = parts_at(job, &sweep, memory);
    status = write_parts(ctx, gpu, job, &sweep, &p);
    gpu->driver->release(gpu->device, memory);
    return status;
}
