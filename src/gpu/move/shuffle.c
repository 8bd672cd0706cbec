// SPDX-License-Identifier: Apache-2.0
// The pass of hd_shuffle: a radix sort of indices by the first bits of their keys, so many that
// few are alike, and shuffle_write, which moves the elements and sets those few right.
#include "patterns/move/shuffle.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/sort/radix_pass.h"

#include <string.h>

enum {
    SPARE_BITS = 4, // beyond those that number the elements: of 16 neighbours one is alike
    DIGIT_BITS = 8,
    THREADS = 256,
    ROWS = 4
};

// hd__shuffle_key, of which the first bits are kept.
static const hd_function first_bits = {
    .inputs = 3,
    .result = HD_I64,
    .input = {HD_I64, HD_U64, HD_I32},
    .name = "first_bits",
    .result_text = "int64_t",
    .inputs_text = "(int64_t, i, uint64_t, start, int32_t, shift)",
    .body_text = "{ uint64_t x = start + ((uint64_t)i + 1) * 0x9e3779b97f4a7c15ull;\n"
                 "  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;\n"
                 "  x = (x ^ x >> 27) * 0x94d049bb133111ebull;\n"
                 "  return (int64_t)((x ^ x >> 31) >> shift); }"};

// The arrays of a call: two of keys, two of indices.
typedef struct arrays {
    hd_view keys[2], indices[2];
} arrays;

static size_t bytes_of(int64_t n, hd_type type)
{
    return ((size_t)n * hd__size_of(type) + 255) / 256 * 256;
}

static arrays lay_out(int64_t n, hd_type key, hd_type index, hd__gpu_address at)
{
    arrays a;
    for (int k = 0; k < 2; k++, at += bytes_of(n, key)) a.keys[k] = hd__gpu_array(key, at, n);
    for (int k = 0; k < 2; k++, at += bytes_of(n, index))
        a.indices[k] = hd__gpu_array(index, at, n);
    return a;
}

// ---- The order ----------------------------------------------------------------------------------

static hd_status sort_indices(hd_context *ctx, hd__gpu *gpu, const hd__shuffle_job *job,
                              hd__gpu_radix_plan *plan, arrays *a)
{
    static const hd_view none = {0};
    const int32_t shift = 64 - plan->bits * plan->passes;
    hd__reader in = {.map = &first_bits, .n = job->n, .inputs = 3};
    in.view[0] = hd_iota(job->n);
    in.view[0].type = a->indices[0].type;
    in.view[1] = hd_constant_of(HD_U64, &job->start, job->n);
    in.view[2] = hd_constant_of(HD_I32, &shift, job->n);
    HD_TRY(hd__gpu_radix_histogram(ctx, gpu, plan, &in, &none, &none, 0));
    for (int32_t p = 0; p < plan->passes; p++) {
        const int to = (p + 1) % 2;
        const hd__gpu_radix_out out = {.out = a->indices[to], .keys = a->keys[to]};
        HD_TRY(hd__gpu_radix_pass(ctx, gpu, plan, p, &in, &out));
        in = (hd__reader){.n = job->n, .inputs = 2, .view = {a->indices[to], a->keys[to]}};
    }
    a->indices[0] = in.view[0];
    a->keys[0] = in.view[1];
    return HD_OK;
}

// ---- The elements -------------------------------------------------------------------------------

static hd_status write(hd_context *ctx, hd__gpu *gpu, const hd__shuffle_job *job, const arrays *a)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    const hd__reader r = {.n = job->n, .inputs = 1, .view = {job->in}};
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "shuffle_write");
    config.codegen_kind = HD__GPU_CODEGEN_GATHER;
    config.op = -1;
    hd__gpu_config_inputs(&config, &r, 0);
    config.k = config.blocks = 1;
    config.rows = ROWS;
    config.threads = THREADS;
    config.out = hd__gpu_layout_of(&job->out);
    config.offsets = hd__gpu_layout_of(&a->indices[0]);
    config.wide_keys = a->keys[0].type == HD_U64;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&r);
    const hd__gpu_kernel_view indices = hd__gpu_kernel_view_of(&a->indices[0]),
                              out = hd__gpu_kernel_view_of(&job->out);
    const hd__gpu_address keys = (hd__gpu_address)(uintptr_t)a->keys[0].data;
    const void *arguments[] = {&in, &keys, &indices, &out, &job->start, &job->n};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = (job->n + ROWS * THREADS - 1) / (ROWS * THREADS),
                          .threads = THREADS,
                          .argument_count = 6,
                          .arguments = arguments});
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status run(hd__gpu_stage *s, hd__shuffle_job *job)
{
    hd__gpu_address memory;
    int32_t bits = SPARE_BITS;
    HD_TRY(hd__gpu_stage_in(s, &job->in));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    hd__collapse(&job->in);
    hd__collapse(&job->out);
    while ((int64_t)1 << (bits - SPARE_BITS) < job->n) bits++;
    bits = (bits + DIGIT_BITS - 1) / DIGIT_BITS * DIGIT_BITS;
    hd__gpu_radix_plan plan = hd__gpu_radix_plan_of(job->n, (int64_t)1 << bits);
    const hd_type key = plan.wide ? HD_U64 : HD_U32, index = job->n >> 32 != 0 ? HD_I64 : HD_U32;
    const size_t bytes = 2 * (bytes_of(job->n, key) + bytes_of(job->n, index));
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, bytes, &memory));
    arrays a = lay_out(job->n, key, index, memory);
    hd_status status = sort_indices(s->ctx, s->gpu, job, &plan, &a);
    if (status == HD_OK) status = write(s->ctx, s->gpu, job, &a);
    hd__gpu_release(s->gpu, memory, bytes);
    return status;
}

hd_status hd__gpu_shuffle(hd_context *ctx, const void *any, const char **why)
{
    hd__shuffle_job job = *(const hd__shuffle_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    if (job.n >> 56 != 0) {
        *why = "more than 2^56 elements";
        return HD__DECLINED;
    }
    if (job.n == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
