// SPDX-License-Identifier: Apache-2.0
// The pass of hd_zip and hd_unzip: one launch of zip_fields. What has gaps, and more fields of the
// host than a call stages, go by copies without gaps.
#include "patterns/move/transpose.h"
#include "gpu/codegen/emit_kernel.h"

#include <string.h>

enum { VECTOR = 16, WORD = 4, ROWS = 4 };

// HK_NARROW of zip_fields.cu.
enum { UNZIP, ZIP, ZIP_INTO };

// hk_zip of zip_fields.cu.
typedef struct zip {
    uint64_t structures;
    int64_t n, group, fields;
    struct {
        uint64_t at;
        int32_t offset, units;
    } field[HD_MAX_FIELDS];
} zip;

static bool lies_together(const hd_view *v)
{
    return v->space != HD_IMPLICIT && v->ndim == 1 && (v->stride[0] == 1 || v->shape[0] <= 1);
}

// The largest unit that sizes, offsets and addresses are multiples of.
static int64_t unit_of(const hd__zip_job *job)
{
    uint64_t bits = VECTOR | hd__size_of(job->structures.type) | (uintptr_t)job->structures.data;
    for (int k = 0; k < job->fields; k++)
        bits |= hd__size_of(job->field[k].type) | (uint64_t)job->offset[k] |
                (uintptr_t)job->field[k].data;
    return (int64_t)(bits & (0 - bits));
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__zip_job *job)
{
    const int64_t unit = unit_of(job), size = (int64_t)hd__size_of(job->structures.type);
    int64_t filled = 0;
    zip z = {.structures = (uintptr_t)job->structures.data,
             .n = hd_count(job->structures),
             .group = VECTOR,
             .fields = job->fields};
    for (int k = 0; k < job->fields; k++) {
        const int64_t bytes = (int64_t)hd__size_of(job->field[k].type);
        z.field[k].at = (uintptr_t)job->field[k].data;
        z.field[k].offset = (int32_t)(job->offset[k] / unit);
        z.field[k].units = (int32_t)(bytes / unit);
        filled += bytes;
    }
    while (2 * z.group * size <= gpu->tuning.transpose_narrow) z.group *= 2;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "zip_fields");
    config.codegen_kind = HD__GPU_CODEGEN_UNITS;
    config.op = -1;
    config.hint = 8;
    config.threads = gpu->tuning.transpose_threads;
    config.rows = ROWS;
    config.k = config.blocks = 1;
    config.stage_bytes = (int32_t)unit;
    config.items = (int32_t)(size / unit);
    config.contiguous = z.structures % VECTOR == 0; // so are groups of 16
    config.slices = job->unzips ? UNZIP : filled == size ? ZIP : ZIP_INTO;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const int64_t words = (z.group * size + WORD - 1) / WORD;
    const void *arguments[] = {&z};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = (z.n + z.group - 1) / z.group,
                          .threads = config.threads,
                          .shared_bytes = (int32_t)(WORD * (words + words / 32 + 1)),
                          .argument_count = 1,
                          .arguments = arguments});
}

static hd_status run(hd__gpu_stage *s, hd__zip_job *job)
{
    HD_TRY(job->unzips ? hd__gpu_stage_in(s, &job->structures)
                       : hd__gpu_stage_both(s, &job->structures));
    for (int k = 0; k < job->fields; k++)
        HD_TRY(job->unzips ? hd__gpu_stage_out(s, &job->field[k])
                           : hd__gpu_stage_in(s, &job->field[k]));
    return launch(s->ctx, s->gpu, job);
}

// ---- By copies ----------------------------------------------------------------------------------

typedef struct copying {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__zip_job job; // its views are of the device, without gaps
    hd__gpu_block block[HD_MAX_FIELDS + 1];
    int32_t count;
    const char **why;
} copying;

// A copy in the place of a view of the host or with gaps; with its elements where they are read.
static hd_status lay_out(copying *c, hd_view *v, bool reads)
{
    const hd_view given = *v;
    const int64_t n = hd_count(*v);
    hd__gpu_block *b = &c->block[c->count];
    if (given.space == HD_DEVICE && lies_together(v)) return HD_OK;
    b->bytes = (size_t)n * hd__size_of(v->type);
    HD_TRY(hd__gpu_allocate(c->ctx, c->gpu, b->bytes, &b->at));
    c->count++;
    *v = hd__gpu_array(v->type, b->at, n);
    return reads ? hd__gpu_copy(c->ctx, given, *v, c->why) : HD_OK;
}

static hd_status give_back(copying *c, const hd_view *copy, const hd_view *v)
{
    return copy->data == v->data ? HD_OK : hd__gpu_copy(c->ctx, *copy, *v, c->why);
}

static hd_status run_by_copies(copying *c, const hd__zip_job *given)
{
    hd__zip_job *job = &c->job;
    HD_TRY(lay_out(c, &job->structures, true)); // what is no field stays
    for (int k = 0; k < job->fields; k++) HD_TRY(lay_out(c, &job->field[k], !job->unzips));
    HD_TRY(launch(c->ctx, c->gpu, job));
    if (!job->unzips) return give_back(c, &job->structures, &given->structures);
    for (int k = 0; k < job->fields; k++) HD_TRY(give_back(c, &job->field[k], &given->field[k]));
    return HD_OK;
}

static hd_status zip_copies(hd_context *ctx, hd__gpu *gpu, const hd__zip_job *job, const char **why)
{
    copying c = {.ctx = ctx, .gpu = gpu, .job = *job, .why = why};
    const hd_status status = run_by_copies(&c, job);
    for (int32_t k = 0; k < c.count; k++) hd__gpu_release(gpu, c.block[k].at, c.block[k].bytes);
    return status;
}

// ---- All of it ----------------------------------------------------------------------------------

hd_status hd__gpu_zip(hd_context *ctx, const void *any, const char **why)
{
    hd__zip_job job = *(const hd__zip_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    bool together = lies_together(&job.structures), host = job.structures.space == HD_HOST;
    if (hd_count(job.structures) == 0) return HD_OK;
    for (int k = 0; k < job.fields; k++) {
        together = together && lies_together(&job.field[k]);
        host = host || job.field[k].space == HD_HOST;
    }
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (!together || (host && job.fields >= HD__GPU_STAGED_MAX))
        return zip_copies(ctx, s.gpu, &job, why);
    return hd__gpu_stage_end(&s, run(&s, &job));
}
