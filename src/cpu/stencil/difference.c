// SPDX-License-Identifier: Apache-2.0
// Adjacent difference. Out of place it is a map over two views, one of them a step behind. In
// place, or over a row in several dimensions, it goes tile by tile through scratch, keeping the
// element before.
#include "patterns/stencil/difference.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/move/map.h"

// ---- As a map ---------------------------------------------------------------------------------

// f(in, behind) -> out, or a copy where there is no behind.
static hd_status map_slices(hd_context *ctx, const hd__difference_job *job, hd_view in,
                            const hd_view *behind, hd_view out)
{
    hd__map_job map = {.out = out, .in_place = false};
    map.in.n = hd_count(in);
    map.in.map = behind != NULL ? job->function : NULL;
    map.in.inputs = behind != NULL ? 2 : 1;
    map.in.view[0] = in;
    if (behind != NULL) map.in.view[1] = *behind;
    // The functions of the core are written for unsigned integers of the same size.
    for (int k = 0; k < map.in.inputs; k++) hd__collapse(&map.in.view[k]);
    hd__collapse(&map.out);
    if (behind != NULL) map.out.type = job->function->result;
    return hd__cpu_map_all(ctx, &map);
}

static hd_status difference_apart(hd_context *ctx, const hd__difference_job *job, int32_t axis)
{
    const int64_t n = job->in.shape[axis];
    hd_view before = hd_slice(job->in, axis, 0, n > 0, 1); // of the first slice's shape
    if (hd_count(job->in) == 0) return HD_OK;
    const hd_view first = before, out = hd_slice(job->out, axis, 0, 1, 1);
    before.data = (void *)(uintptr_t)job->before;
    before.space = HD_HOST;
    for (int k = 0; k < before.ndim; k++) before.stride[k] = 0;
    HD_TRY(map_slices(ctx, job, first, job->before != NULL ? &before : NULL, out));
    const hd_view behind = hd_slice(job->in, axis, 0, n - 1, 1);
    return map_slices(ctx, job, hd_slice(job->in, axis, n > 1, n - 1, 1), &behind,
                      hd_slice(job->out, axis, n > 1, n - 1, 1));
}

// ---- Tile by tile -----------------------------------------------------------------------------

typedef struct row {
    const hd__difference_job *job;
    hd_view in, out;
    unsigned char *line; // the element before, then a tile
    unsigned char *result;
} row;

static size_t row_bytes(const hd__difference_job *job)
{
    const size_t tile = (size_t)hd__cpu_tune.difference_tile;
    return hd__padded((tile + 1) * hd__size_of(job->in.type)) +
           hd__padded(tile * hd__size_of(job->out.type));
}

// Elements begin .. end - 1, of which `before` is the one before, or NULL: the first is copied.
static void difference_range(row *r, int64_t begin, int64_t end, const void *before)
{
    const int64_t tile = hd__cpu_tune.difference_tile;
    const size_t size = hd__size_of(r->in.type);
    if (before != NULL) memcpy(r->line, before, size);
    for (int64_t at = begin; at < end; at += tile) {
        const int64_t m = end - at < tile ? end - at : tile;
        hd__gather(&r->in, at, m, r->line + size);
        if (before == NULL && at == begin) memset(r->line, 0, size); // any, it is not kept
        const void *both[2] = {r->line + size, r->line};
        hd__apply(r->job->function, r->result, both, m);
        if (before == NULL && at == begin) memcpy(r->result, r->line + size, size);
        hd__scatter(&r->out, at, m, r->result);
        memcpy(r->line, r->line + (size_t)m * size, size);
    }
}

static void row_init(row *r, const hd__difference_job *job, unsigned char *memory)
{
    r->job = job;
    r->line = memory;
    r->result =
        memory + hd__padded((size_t)(hd__cpu_tune.difference_tile + 1) * hd__size_of(job->in.type));
}

// One long row: what lies before each thread's part is kept before any is written.
static void long_row(const row *whole, int64_t n, int threads, unsigned char *memory,
                     unsigned char *kept)
{
    const size_t size = hd__size_of(whole->in.type), bytes = row_bytes(whole->job);
    for (int t = 1; t < threads; t++)
        hd__gather(&whole->in, n / threads * t - 1, 1, kept + (size_t)t * size);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        HD__FLOAT_STATE;
        row r;
        row_init(&r, whole->job, memory + (size_t)t * bytes);
        r.in = whole->in, r.out = whole->out;
        const int64_t begin = n / threads * t, end = t + 1 < threads ? n / threads * (t + 1) : n;
        difference_range(&r, begin, end, t > 0 ? kept + (size_t)t * size : whole->job->before);
    }
}

static void many_rows(const hd__difference_job *job, int64_t rows, int threads,
                      unsigned char *memory)
{
    const size_t bytes = row_bytes(job);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        row r;
        row_init(&r, job, memory + (size_t)omp_get_thread_num() * bytes);
#pragma omp for schedule(static) nowait
        for (int64_t k = 0; k < rows; k++) {
            r.in = hd__row_of(&job->in, job->axis, k);
            r.out = hd__row_of(&job->out, job->axis, k);
            difference_range(&r, 0, r.in.shape[0], job->before);
        }
    }
}

static hd_status difference_tiles(hd_context *ctx, const hd__difference_job *job)
{
    const int64_t n = hd_count(job->in), length = job->axis < 0 ? n : job->in.shape[job->axis];
    if (n == 0) return HD_OK;
    const size_t size = hd__size_of(job->in.type);
    int threads = hd__cpu_threads_for(ctx, n, 4 * size);
    const int64_t rows = n / length;
    if (rows < threads && length < threads) threads = 1;
    unsigned char *memory = hd__scratch(ctx, (size_t)threads * (row_bytes(job) + hd__padded(size)));
    if (memory == NULL) return HD_ERROR_MEMORY;
    if (rows >= threads && job->axis >= 0) {
        many_rows(job, rows, threads, memory);
        return HD_OK;
    }
    for (int64_t k = 0; k < rows; k++) {
        row whole = {.job = job, .in = job->in, .out = job->out};
        if (job->axis >= 0) {
            whole.in = hd__row_of(&job->in, job->axis, k);
            whole.out = hd__row_of(&job->out, job->axis, k);
        }
        long_row(&whole, length, threads, memory, memory + (size_t)threads * row_bytes(job));
    }
    return HD_OK;
}

hd_status hd__cpu_difference(hd_context *ctx, const void *any, const char **why)
{
    const hd__difference_job *job = any;
    (void)why; // never declines
    if (!job->in_place && (job->axis >= 0 || (job->in.ndim == 1 && job->out.ndim == 1)))
        return difference_apart(ctx, job, job->axis < 0 ? 0 : job->axis);
    return difference_tiles(ctx, job);
}
