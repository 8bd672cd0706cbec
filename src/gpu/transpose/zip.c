// SPDX-License-Identifier: Apache-2.0
// The pass of hd_zip and hd_unzip: one launch of zip_fields.
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

hd_status hd__gpu_zip(hd_context *ctx, const void *any, const char **why)
{
    hd__zip_job job = *(const hd__zip_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    bool together = lies_together(&job.structures), host = job.structures.space == HD_HOST;
    for (int k = 0; k < job.fields; k++) {
        together = together && lies_together(&job.field[k]);
        host = host || job.field[k].space == HD_HOST;
    }
    if (!together) {
        *why = "it takes structures and fields that lie together only";
        return HD__DECLINED;
    }
    if (host && job.fields >= HD__GPU_STAGED_MAX) {
        *why = "it stages up to 15 fields of the host";
        return HD__DECLINED;
    }
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
