// SPDX-License-Identifier: Apache-2.0
// The pass of hd_is_sorted: the kernel of hd_find over pairs of neighbours, which are two views of
// the same elements, with the order as its function.
#include "patterns/sort/is_sorted.h"
#include "gpu/codegen/order_function.h"
#include "gpu/gpu.h"
#include "patterns/move/map.h"
#include "patterns/select/find.h"

// The elements from the second one on.
static hd_view but_the_first(const hd_view *v)
{
    hd_view rest = *v;
    rest.shape[0]--;
    if (v->space != HD_IMPLICIT)
        rest.data = (void *)(uintptr_t)hd__at(v, v->stride[0]);
    else if (!hd__is_constant(v))
        rest.scalar.i.start += v->scalar.i.step;
    return rest;
}

// What the search over pairs found, as the position of the later one.
static const hd_function later = {.inputs = 1,
                                  .result = HD_I64,
                                  .input = {HD_I64},
                                  .name = "later",
                                  .result_text = "int64_t",
                                  .inputs_text = "(int64_t, at)",
                                  .body_text = "{ return at < 0 ? at : at + 1; }"};

static hd_status give(hd_context *ctx, const hd__is_sorted_job *job, const char **why)
{
    if (job->position != NULL) {
        if (*job->position >= 0) ++*job->position;
        return HD_OK;
    }
    const hd__map_job map = {.in = {.map = &later, .n = 1, .inputs = 1, .view = {job->position_to}},
                             .out = job->position_to,
                             .in_place = true};
    return hd__gpu_map(ctx, &map, why);
}

// A pair is out of order where the later one comes before the earlier one; strictly, where the
// earlier one does not come before the later one.
static hd_status look(hd_context *ctx, const hd__is_sorted_job *job, const char **why)
{
    static const bool no = false;
    hd__gpu_order order;
    HD_TRY(hd__gpu_order_of(&order, job->order, job->in.type, why));
    hd_view earlier = job->in;
    earlier.type = order.type;
    const hd_view next = but_the_first(&earlier);
    earlier.shape[0]--;
    const bool forwards = job->strict != job->backwards;
    const hd__find_job find = {
        .in = {.map = &order.precedes,
               .n = job->n - 1,
               .inputs = 2,
               .view = {forwards ? earlier : next, forwards ? next : earlier}},
        .value = job->strict ? &no : NULL,
        .position = job->position,
        .position_to = job->position_to};
    HD_TRY(hd__gpu_find(ctx, &find, why));
    return give(ctx, job, why);
}

// Rows with gaps have no view of what follows: they are copied.
static hd_status look_at_copy(hd__gpu_stage *s, hd__is_sorted_job *job, const char **why)
{
    hd__gpu_address memory;
    const size_t bytes = (size_t)job->n * hd__size_of(job->in.type);
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, bytes, &memory));
    hd__map_job copy = {.in = {.n = job->n, .inputs = 1, .view = {job->in}},
                        .out = hd__gpu_array(job->in.type, memory, job->n)};
    job->in = copy.out;
    if (copy.out.type == HD_BOOL) copy.out.type = copy.in.view[0].type = HD_U8;
    hd_status status = hd__gpu_map(s->ctx, &copy, why);
    if (status == HD_OK) status = look(s->ctx, job, why);
    hd__gpu_release(s->gpu, memory, bytes);
    return status;
}

static hd_status run(hd__gpu_stage *s, hd__is_sorted_job *job, const char **why)
{
    HD_TRY(hd__gpu_stage_in(s, &job->in));
    hd__collapse(&job->in);
    return job->in.ndim > 1 ? look_at_copy(s, job, why) : look(s->ctx, job, why);
}

hd_status hd__gpu_is_sorted(hd_context *ctx, const void *any, const char **why)
{
    hd__is_sorted_job job = *(const hd__is_sorted_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (job.n < 2) {
        if (job.position != NULL) *job.position = -1;
        return hd__gpu_put_number(ctx, &job.position_to, -1);
    }
    return hd__gpu_stage_end(&s, run(&s, &job, why));
}
