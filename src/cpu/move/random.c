// SPDX-License-Identifier: Apache-2.0
// Random numbers: each thread fills its range from the counter of its first element on.
#include "random_kernels.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/team.h"
#include "cpu/runtime/work_stealing.h"

HD__CPU_BRINGS(const hd__cpu_random_kernels, random_kernels)

static void fill(const hd__random_job *job, hd__cpu_random_kernel *kernel, int64_t begin,
                 int64_t end, void *tile)
{
    const hd__random_range range = hd__random_range_of(job);
    const uint64_t first = job->offset;
    if (hd__is_contiguous(&job->out)) {
        kernel((void *)(uintptr_t)hd__at(&job->out, begin), job->start, first + (uint64_t)begin,
               end - begin, &range);
        return;
    }
    for (int64_t at = begin, m; at < end; at += m) {
        m = end - at < hd__cpu_tune.random_tile ? end - at : hd__cpu_tune.random_tile;
        kernel(tile, job->start, first + (uint64_t)at, m, &range);
        hd__scatter(&job->out, at, m, tile);
    }
}

hd_status hd__cpu_random(hd_context *ctx, const void *any, const char **why)
{
    const hd__random_job *job = any;
    const hd__cpu_random_kernels *kernels = hd__cpu_micro_table(ctx)->random;
    const hd_type type = job->out.type;
    hd__cpu_random_kernel *kernel = job->normal ? kernels->normal[type] : kernels->uniform[type];
    (void)why; // never declines
    const size_t bytes = hd__padded((size_t)hd__cpu_tune.random_tile * hd__size_of(type));
    const int threads =
        hd__cpu_threads_for(ctx, job->n, (size_t)hd__cpu_tune.random_cost * (job->normal ? 8 : 1));
    unsigned char *tiles = hd__scratch(ctx, (size_t)threads * bytes);
    if (tiles == NULL) return HD_ERROR_MEMORY;
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, job->n, threads, HD__ALIGNMENT);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        while (hd__cpu_next_chunk(&stealer, &begin, &end))
            fill(job, kernel, begin, end, tiles + (size_t)omp_get_thread_num() * bytes);
    }
    return HD_OK;
}
