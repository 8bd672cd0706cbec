// SPDX-License-Identifier: Apache-2.0
// The pass of hd_mismatch: the kernel of hd_find with a function that says whether two elements
// differ.
#include "patterns/select/mismatch.h"
#include "gpu/codegen/emit_convert.h"
#include "gpu/gpu.h"
#include "patterns/select/find.h"

#include <stdio.h>

typedef struct differ {
    hd_function function;
    char source[64], inputs[64], body[128];
    hd_source text;
} differ;

// Numbers as hd__differ has them.
static void differ_by_value(differ *d, hd_type type)
{
    const char *const name = type == HD_BOOL ? "bool" : hd__gpu_type_text(type);
    snprintf(d->inputs, sizeof d->inputs, "(%s, a, %s, b)", name, name);
    if (type == HD_F16 || type == HD_BF16)
        snprintf(d->body, sizeof d->body, "{ return !(hk_%s_to_f32(a) == hk_%s_to_f32(b)); }",
                 hd_type_name(type), hd_type_name(type));
    else
        snprintf(d->body, sizeof d->body, "{ return !(a == b); }");
}

// Structures by their bytes, in words as wide as both views allow.
static void differ_by_bytes(differ *d, const hd__mismatch_job *job)
{
    static const char *const words[] = {
        [1] = "uint8_t", [2] = "uint16_t", [4] = "uint32_t", [8] = "uint64_t"};
    const hd_view *const v[2] = {&job->a, &job->b};
    const size_t size = hd__size_of(job->type);
    size_t unit = 8;
    while (size % unit != 0) unit /= 2;
    for (int k = 0; k < 2; k++)
        while (v[k]->space == HD_DEVICE && (uintptr_t)v[k]->data % unit != 0) unit /= 2;
    snprintf(d->source, sizeof d->source, "struct hk_parts { %s part[%zu]; };", words[unit],
             size / unit);
    snprintf(d->inputs, sizeof d->inputs, "(hk_parts, a, hk_parts, b)");
    snprintf(d->body, sizeof d->body,
             "{ bool differ = false; for (int k = 0; k < %zu; k++)\n"
             "  differ |= a.part[k] != b.part[k]; return differ; }",
             size / unit);
    d->text = (hd_source){.name = "parts", .text = d->source};
    d->function.source = &d->text;
}

static void make_function(differ *d, const hd__mismatch_job *job)
{
    d->function = (hd_function){.inputs = 2,
                                .result = HD_BOOL,
                                .input = {job->type, job->type},
                                .name = "differ",
                                .result_text = "bool",
                                .inputs_text = d->inputs,
                                .body_text = d->body};
    if (hd__is_number(job->type))
        differ_by_value(d, job->type);
    else
        differ_by_bytes(d, job);
}

static hd_status run(hd__gpu_stage *s, hd__mismatch_job *job, const char **why)
{
    differ d;
    HD_TRY(hd__gpu_stage_in(s, &job->a));
    HD_TRY(hd__gpu_stage_in(s, &job->b));
    hd__collapse(&job->a);
    hd__collapse(&job->b);
    job->a.type = job->b.type = job->type;
    make_function(&d, job);
    const hd__find_job find = {
        .in = {.map = &d.function, .n = job->n, .inputs = 2, .view = {job->a, job->b}},
        .position = job->position,
        .position_to = job->position_to};
    return hd__gpu_find(s->ctx, &find, why);
}

hd_status hd__gpu_mismatch(hd_context *ctx, const void *any, const char **why)
{
    hd__mismatch_job job = *(const hd__mismatch_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job, why));
}
