// SPDX-License-Identifier: Apache-2.0
// Map over ranges of elements: a tile at a time where inputs must be gathered or converted first,
// from memory to memory where they are contiguous.
#include "map.h"
#include "core/convert.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"

static bool converts(const hd__map_job *job)
{
    const hd_type element = hd__element_type(&job->in);
    return element != job->out.type || (element == HD_BOOL && job->in.map == NULL);
}

size_t hd__cpu_map_bytes(const hd__map_job *job)
{
    const int64_t tile = hd__cpu_tune.map_tile;
    return hd__elements_bytes(&job->in, tile) +
           hd__padded((size_t)tile * hd__size_of(job->out.type));
}

// The function's inputs where they lie, or gathered.
static void apply_tile(const hd__map_job *job, int64_t at, int64_t m, void *to, char *scratch)
{
    const void *in[HD_MAX_INPUTS];
    for (int k = 0; k < job->in.inputs; k++) {
        const hd_view *v = &job->in.view[k];
        in[k] = hd__at(v, at);
        if (hd__is_contiguous(v)) continue;
        hd__gather(v, at, m, scratch);
        in[k] = scratch;
        scratch += hd__padded((size_t)m * hd__size_of(v->type));
    }
    hd__apply(job->in.map, to, in, m);
}

static void convert_tile(const hd__map_job *job, int64_t at, int64_t m, void *to, char *scratch)
{
    const hd_view *v = &job->in.view[0];
    if (!converts(job)) {
        hd__gather(v, at, m, to);
        return;
    }
    const void *from = hd__at(v, at);
    if (!hd__is_contiguous(v)) {
        hd__gather(v, at, m, scratch);
        from = scratch;
    }
    hd__convert(job->out.type, to, v->type, from, m);
}

static bool is_straight(const hd__map_job *job)
{
    bool straight = hd__is_contiguous(&job->out) && !job->in_place;
    for (int k = 0; k < job->in.inputs; k++) straight &= hd__is_contiguous(&job->in.view[k]);
    return straight;
}

void hd__cpu_map_range(const hd__map_job *job, int64_t begin, int64_t end, void *scratch)
{
    const int64_t tile_max = hd__cpu_tune.map_tile;
    const bool into = hd__is_contiguous(&job->out) && !job->in_place;
    const bool straight = is_straight(job);
    const int64_t tile = straight ? hd__cpu_tune.map_direct_tile : tile_max;
    char *rest = (char *)scratch + hd__padded((size_t)tile_max * hd__size_of(job->out.type));
    for (int64_t at = begin; at < end; at += tile) {
        const int64_t m = end - at < tile ? end - at : tile;
        void *to = into ? (void *)(uintptr_t)hd__at(&job->out, at) : scratch;
        if (job->in.map != NULL)
            apply_tile(job, at, m, to, rest);
        else
            convert_tile(job, at, m, to, rest);
        if (!into) hd__scatter(&job->out, at, m, to);
    }
}

// The bytes one element moves stand for its work, threefold where it goes through scratch.
static size_t work_size(const hd__map_job *job)
{
    size_t size = hd__size_of(job->out.type);
    for (int k = 0; k < job->in.inputs; k++) size += hd__size_of(job->in.view[k].type);
    return is_straight(job) ? size : 3 * size;
}

hd_status hd__cpu_map_all(hd_context *ctx, const hd__map_job *job)
{
    const int64_t n = job->in.n;
    const int threads = hd__cpu_threads_for(ctx, n, work_size(job));
    const size_t bytes = hd__cpu_map_bytes(job);
    char *scratch = hd__scratch(ctx, (size_t)threads * bytes);
    if (scratch == NULL) return HD_ERROR_MEMORY;
    if (threads == 1) {
        hd__cpu_map_range(job, 0, n, scratch);
        return HD_OK;
    }
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, n, threads, HD__ALIGNMENT); // whole lines, whatever the size
#pragma omp parallel num_threads(threads)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        const int t = omp_get_thread_num();
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        while (hd__cpu_next_chunk(&stealer, &begin, &end))
            hd__cpu_map_range(job, begin, end, scratch + (size_t)t * bytes);
    }
    return HD_OK;
}

hd_status hd__cpu_map(hd_context *ctx, const void *any, const char **why)
{
    (void)why; // never declines
    return hd__cpu_map_all(ctx, any);
}
