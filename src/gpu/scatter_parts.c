// SPDX-License-Identifier: Apache-2.0
//
// Scatters into outputs larger than the cache. Sources are parted by destination first, so that what is written in
// a while stays in the cache, unless a sample of the indices says that it does anyway: the device looks and
// decides, for a recorded call is played on other data. The order of sources for one place stays.
#include "gpu/scatter.h"

#include <string.h>

enum {
    JUDGE_THREADS = 1024,
    WINDOWS = 8,
    UNIT = 3,      // bits of neighbours: a sector of 32 bytes of 4-byte elements
    REGIONS = 256, // of a part
    MOST_BITS = 8
};

// scatter_choice of tuning.def.
enum { PARTS_ALWAYS, PARTS_BY_SAMPLE, PARTS_NEVER };

// ---- Judging -------------------------------------------------------------------------------------

// hd_judge_how of kernels/scatter_judge.cu.
typedef struct judge_how {
    int64_t n, limit;
    int32_t window, unit, region;
    uint32_t units, regions;
} judge_how;

// Of two in a window that are neighbours in the output both are in the sample with (samples / window)^2. Writes
// are joined where a unit's eight come together as three on average: 0.75 pairs a source (random writes cost
// twice what parting does, 64 and 32 ps a source on an H200). Regions are few where half the samples fall
// where another did: 512 of them for 1024 samples would be two parts.
static judge_how judge_of(const hd__gpu *gpu, const hd__scatter_writes *job)
{
    judge_how how = {.n = job->n, .limit = job->limit, .unit = UNIT};
    const int64_t size = (int64_t)hd__size_of(job->in.type),
                  region = (int64_t)gpu->tuning.scatter_part * 1024 / REGIONS;
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
    static const char *const files[] = {"lanes.h", "scatter_judge.cu", NULL};
    const hd__reader r = {.n = job->n, .inputs = 1, .view = {job->index}};
    const hd__kernel_view index = hd__kernel_view_of(&job->index);
    const judge_how how = judge_of(gpu, job);
    hd__shape s;
    hd__kernel *kernel;
    memset(&s, 0, sizeof s);
    strcpy(s.kernel, "scatter_judge");
    s.says = HD__SAYS_BOUNDS;
    s.op = -1;
    hd__shape_inputs(&s, &r, 0);
    s.k = s.blocks = s.rows = 1;
    s.threads = JUDGE_THREADS;
    s.offsets = hd__layout_of(&job->index);
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, NULL, files, &kernel));
    const void *arguments[] = {&index, &how, &choice};
    return gpu->maker->launch(
        ctx, gpu->device, kernel,
        &(hd__launch){
            .blocks = WINDOWS, .threads = s.threads, .argument_count = 3, .arguments = arguments});
}

// ---- Parting -------------------------------------------------------------------------------------

// Digits above `shift` tell parts of the output that stay in the cache. 0: parting does not pay.
static int32_t part_bits(const hd__gpu *gpu, const hd__scatter_writes *job, int32_t *shift)
{
    const int64_t part = (int64_t)gpu->tuning.scatter_part * 1024;
    const int64_t size = (int64_t)hd__size_of(job->in.type), bytes = job->limit * size;
    int32_t bits = 0, all = 1;
    if (bytes < 4 * part || job->n * size < bytes / 8) return 0;
    if (job->index.place == HD_IMPLICIT) return 0; // in order
    while (all < 63 && job->limit >> all != 0) all++;
    while (bits < MOST_BITS && (bytes >> bits) > part) bits++;
    *shift = all > bits ? all - bits : 0;
    return bits;
}

// The memory of a call: elements and keys of the parted sources, claims.
typedef struct parts {
    hd_view in, index;
    hd__address claims;
    size_t bytes;
} parts;

static parts parts_at(const hd__scatter_writes *job, const hd__sweep *sweep, hd__address at)
{
    const size_t size = hd__size_of(job->in.type), key = sweep->wide ? 8 : 4, n = (size_t)job->n;
    const hd__address index = at + (n * size + 255) / 256 * 256,
                      claims = index + (n * key + 255) / 256 * 256;
    return (parts){.in = hd__gpu_array(job->in.type, at, job->n),
                   .index = hd__gpu_array(sweep->wide ? HD_U64 : HD_U32, index, job->n),
                   .claims = claims,
                   .bytes = (size_t)(claims - at) + (job->unique ? 0 : hd__claims_bytes(job))};
}

// Sources to their places at once, or parted; what is left is done for either way.
static hd_status sweep_sources(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                               hd__sweep *sweep, const parts *p, const hd__claims *claims)
{
    static const hd_view none = {0};
    const hd__reader labels = {.n = job->n, .inputs = 1, .view = {job->index}};
    const hd__reader all = {.n = job->n, .inputs = 2, .view = {job->in, job->index}};
    const hd__sweep_out to = {
        .out = p->in, .keys = p->index, .place = job->out, .claims = claims, .bad = job->bad};
    HD_TRY(judge(ctx, gpu, job, sweep->at_once - HD__AT_CHOICE));
    HD_TRY(hd__sweep_begin(ctx, gpu, sweep, &labels, &none, &none, job->bad));
    return hd__sweep_pass(ctx, gpu, sweep, 0, &all, &to);
}

static hd_status write_parts(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job,
                             hd__sweep *sweep, const parts *p)
{
    hd__scatter_writes parted = *job;
    hd__claims claims;
    parted.in = p->in;
    parted.index = p->index;
    parted.bad = 0;
    if (job->unique) {
        HD_TRY(sweep_sources(ctx, gpu, job, sweep, p, NULL));
        return hd__scatter_unique(ctx, gpu, &parted, sweep->at_once);
    }
    HD_TRY(hd__claims_begin(ctx, gpu, job, p->claims, &claims));
    HD_TRY(sweep_sources(ctx, gpu, job, sweep, p, &claims));
    HD_TRY(hd__claims_settle(ctx, gpu, job, &claims));
    claims.way = HD__PARTED;
    HD_TRY(hd__claims_write(ctx, gpu, &parted, &claims, sweep->at_once));
    return hd__claims_settle(ctx, gpu, &parted, &claims);
}

hd_status hd__scatter_parted(hd_context *ctx, hd__gpu *gpu, const hd__scatter_writes *job)
{
    int32_t shift = 0;
    const int32_t bits = part_bits(gpu, job, &shift);
    hd__address memory, choice;
    if (bits == 0)
        return job->unique ? hd__scatter_unique(ctx, gpu, job, 0) : hd__scatter_last(ctx, gpu, job);
    HD_TRY(hd__gpu_area(ctx, gpu, HD__CHOICE, HD__CHOICE_BYTES, &choice));
    hd__sweep sweep = {.n = job->n,
                       .ways = job->limit,
                       .bits = bits,
                       .passes = 1,
                       .shift = shift,
                       .wide = job->limit >> 32 != 0 || job->limit == UINT32_MAX,
                       .loose = true,
                       .at_once = choice + HD__AT_CHOICE};
    const size_t bytes = parts_at(job, &sweep, 0).bytes;
    HD_TRY(gpu->maker->allocate(ctx, gpu->device, bytes, &memory));
    const parts p = parts_at(job, &sweep, memory);
    const hd_status status = write_parts(ctx, gpu, job, &sweep, &p);
    gpu->maker->release(gpu->device, memory);
    return status;
}
