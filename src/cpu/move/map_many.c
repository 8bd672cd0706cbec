// SPDX-License-Identifier: Apache-2.0
// Several maps of the same elements: a block is small enough that its inputs stay in the cache
// while each function takes them. Where an output is an input, all results of a block are computed
// before one is written.
#include "patterns/move/map_many.h"
#include "core/system/float_state.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/runtime/work_stealing.h"
#include "map.h"

typedef struct plan {
    const hd__map_many_job *job;
    int threads;
    int64_t n, block;
    size_t thread_bytes; // what one map needs, then, in place, a block of each result
    unsigned char *memory;
} plan;

// Bytes that one element of all views has: what a block holds, and what stands for its work.
static size_t element_bytes(const hd__map_many_job *job)
{
    size_t bytes = 0, inputs = 0;
    for (int64_t k = 0; k < job->count; k++) {
        const hd__map_job *each = &job->each[k];
        size_t mine = 0;
        for (int j = 0; j < each->in.inputs; j++) mine += hd__size_of(each->in.view[j].type);
        if (mine > inputs) inputs = mine;
        bytes += hd__size_of(each->out.type);
    }
    return bytes + inputs;
}

static hd_status prepare(hd_context *ctx, plan *p)
{
    const hd__map_many_job *job = p->job;
    const size_t size = element_bytes(job);
    size_t map_bytes = 0, block_bytes = 0;
    p->n = job->each[0].in.n;
    p->block = hd__cpu_tune.map_many_block_bytes / (int64_t)size / HD__ALIGNMENT * HD__ALIGNMENT;
    if (p->block < HD__ALIGNMENT) p->block = HD__ALIGNMENT;
    p->threads = hd__cpu_threads_for(ctx, p->n, size);
    for (int64_t k = 0; k < job->count; k++) {
        const size_t mine = hd__padded(hd__cpu_map_bytes(&job->each[k]));
        if (mine > map_bytes) map_bytes = mine;
        block_bytes += hd__padded((size_t)p->block * hd__size_of(job->each[k].out.type));
    }
    p->thread_bytes = map_bytes + (job->in_place ? block_bytes : 0);
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->thread_bytes);
    return p->memory != NULL ? HD_OK : HD_ERROR_MEMORY;
}

// The results of elements at .. at + n - 1 go aside first.
static void map_in_place(const plan *p, int64_t at, int64_t n, unsigned char *mine)
{
    unsigned char *end = mine + p->thread_bytes;
    for (int64_t k = p->job->count - 1; k >= 0; k--) {
        hd__map_job aside = p->job->each[k];
        const size_t size = hd__size_of(aside.out.type);
        end -= hd__padded((size_t)p->block * size);
        // element `at` of the view is the first of the block
        aside.out = hd_view_of(aside.out.type, NULL, at + n);
        aside.out.data = (void *)((uintptr_t)end - (uintptr_t)at * size);
        aside.in_place = false;
        hd__cpu_map_range(&aside, at, at + n, mine);
    }
    for (int64_t k = 0; k < p->job->count; k++) {
        const hd_view *out = &p->job->each[k].out;
        hd__scatter(out, at, n, end);
        end += hd__padded((size_t)p->block * hd__size_of(out->type));
    }
}

static void map_range(const plan *p, int64_t begin, int64_t end, unsigned char *mine)
{
    for (int64_t at = begin; at < end; at += p->block) {
        const int64_t n = end - at < p->block ? end - at : p->block;
        if (p->job->in_place) {
            map_in_place(p, at, n, mine);
            continue;
        }
        for (int64_t k = 0; k < p->job->count; k++)
            hd__cpu_map_range(&p->job->each[k], at, at + n, mine);
    }
}

hd_status hd__cpu_map_many(hd_context *ctx, const void *any, const char **why)
{
    plan p = {.job = any};
    (void)why; // never declines
    HD_TRY(prepare(ctx, &p));
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, p.n, p.threads, HD__ALIGNMENT); // whole lines
#pragma omp parallel num_threads(p.threads) if (p.threads > 1)
    {
        HD__FLOAT_STATE;
        if (p.threads > 1) hd__cpu_affinity_spread(&affinity);
        unsigned char *mine = p.memory + (size_t)omp_get_thread_num() * p.thread_bytes;
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        while (hd__cpu_next_chunk(&stealer, &begin, &end)) map_range(&p, begin, end, mine);
    }
    return HD_OK;
}
