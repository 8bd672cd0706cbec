// SPDX-License-Identifier: Apache-2.0
// Whether elements are sorted: blocks of numbers are looked at as a whole, by kernels without
// branches; only in a block that is not in order is the position looked for.
#include "patterns/sort/is_sorted.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "first_match.h"
#include "order_kernels.h"

HD__CPU_BRINGS(const hd__cpu_order_kernels, order_kernels)

typedef struct search {
    const hd__is_sorted_job *job;
    hd__cpu_disorder_kernel *disorder; // or NULL
    size_t size;
    int64_t chunk; // elements looked at as a whole
} search;

// The first of n elements from x on that may not follow the one before it; n if there is none.
static int64_t first_out(const search *s, const char *x, int64_t n)
{
    const hd__is_sorted_job *job = s->job;
    if (s->disorder != NULL && !s->disorder(x, n)) return n;
    if (s->disorder == NULL && !job->strict && !job->backwards)
        return job->order->run(x - s->size, n + 1, false, job->order->state.data) - 1;
    for (int64_t i = 0; i < n; i++, x += s->size)
        if (hd__out_of_order(job, x - s->size, x)) return i;
    return n;
}

// Position p is that of element p + 1 and the one before it.
static int64_t look(const void *any, int64_t start, int64_t n, void *scratch)
{
    const search *s = any;
    const hd_view *in = &s->job->in;
    for (int64_t done = 0; done < n; done += s->chunk) {
        const int64_t m = n - done < s->chunk ? n - done : s->chunk;
        const char *x = hd__at(in, start + done);
        if (!hd__is_contiguous(in)) {
            hd__gather(in, start + done, m + 1, scratch);
            x = scratch;
        }
        const int64_t at = first_out(s, x + s->size, m);
        if (at < m) return start + done + at;
    }
    return -1;
}

hd_status hd__cpu_is_sorted(hd_context *ctx, const void *any, const char **why)
{
    const hd__is_sorted_job *job = any;
    const size_t size = hd__size_of(job->in.type);
    (void)why; // never declines
    *job->position = -1;
    if (job->n < 2) return HD_OK;
    search s = {.job = job, .size = size};
    if (job->numbers)
        s.disorder = hd__cpu_micro_table(ctx)
                         ->order->disorder[job->descending][job->strict][job->in.type & 0xff];
    s.chunk = hd__cpu_tune.find_tile_bytes / (int64_t)size;
    hd__cpu_first_match match = {.job = &s, .look = look, .n = job->n - 1};
    match.block = hd__cpu_tune.find_block_bytes / (int64_t)size;
    match.threads = hd__cpu_threads_for(
        ctx, job->n, s.disorder != NULL ? size : size * (size_t)hd__cpu_tune.comparison_cost);
    match.scratch_bytes = hd__is_contiguous(&job->in) ? 0 : (size_t)(s.chunk + 1) * size;
    HD_TRY(hd__cpu_find_first(ctx, &match, job->position));
    if (*job->position >= 0) ++*job->position;
    return HD_OK;
}
