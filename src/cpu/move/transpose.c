// SPDX-License-Identifier: Apache-2.0
// Cache-blocked transposition: the copy is brought to as few axes as possible; the axis along which
// in is contiguous and the one along which out is contiguous span planes, which go block by block
// through L1. Squares in place are in transpose_square.c.
#include "patterns/move/transpose.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "block_copy.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"
#include "transpose.h"

#include <stdlib.h>

HD__CPU_BRINGS(const hd__cpu_layout_kernels, layout_kernels)

#define VECTOR 16 // bytes
#define LINE   64 // bytes of a column in a block of transpose_lines

#define TOLD_BYTES ((int64_t)4 << 20) // of a plain copy, between two looks at its progress

typedef struct axis {
    int64_t n, in, out; // length, and steps in bytes
} axis;

typedef struct plan {
    size_t size; // of what is moved as one: an element, or a run that is contiguous in both
    const char *in;
    char *out;
    int axes;
    axis axis[HD_MAX_DIMS + 2];
    axis u, v;                          // out's densest, and in's densest of the others
    int64_t matrices;                   // of all other axes
    hd__cpu_block_transpose *transpose; // NULL: none for this plane
    hd__cpu_unzip_row *unzip;
    hd__cpu_zip_row *zip;
    int64_t block_u, block_v; // elements
    int64_t area_u, area_v;   // elements, whole blocks
    bool fetches;
    int threads;
    char *buffers;
    hd__cpu_progress *progress;
} plan;

// ---- Fewer axes ---------------------------------------------------------------------------------

// Axes that run backwards in out run forwards from their other end.
static void take_axes(plan *p, const hd__transpose_job *job)
{
    p->size = hd__size_of(job->in.type);
    p->in = job->in.data;
    p->out = job->out.data;
    p->axes = 0;
    for (int k = 0; k < job->out.ndim; k++) {
        const int64_t size = (int64_t)p->size;
        axis a = {job->out.shape[k], job->in.stride[k] * size, job->out.stride[k] * size};
        if (a.n == 1) continue;
        if (a.out < 0) {
            p->in += a.in * (a.n - 1);
            p->out += a.out * (a.n - 1);
            a.in = -a.in;
            a.out = -a.out;
        }
        p->axis[p->axes++] = a;
    }
}

static int wider_in_out(const void *a, const void *b)
{
    const int64_t x = ((const axis *)a)->out, y = ((const axis *)b)->out;
    return (x < y) - (x > y);
}

// Neighbours that are one axis in both become one; an axis that is contiguous in both becomes part
// of the element.
static void merge_axes(plan *p)
{
    qsort(p->axis, (size_t)p->axes, sizeof *p->axis, wider_in_out);
    int kept = 0;
    for (int k = 0; k < p->axes; k++) {
        axis *last = kept > 0 ? &p->axis[kept - 1] : NULL;
        const axis a = p->axis[k];
        if (last != NULL && last->out == a.out * a.n && last->in == a.in * a.n)
            *last = (axis){last->n * a.n, a.in, a.out};
        else
            p->axis[kept++] = a;
    }
    p->axes = kept;
    if (kept == 0) return;
    const axis *last = &p->axis[kept - 1];
    if (last->in == (int64_t)p->size && last->out == (int64_t)p->size) {
        p->size *= (size_t)last->n;
        p->axes--;
    }
}

static axis take_axis(plan *p, int k)
{
    const axis a = p->axis[k];
    for (; k + 1 < p->axes; k++) p->axis[k] = p->axis[k + 1];
    p->axes--;
    return a;
}

static void select_plane(plan *p)
{
    const axis none = {1, 0, 0};
    int densest = 0;
    p->u = p->axes > 0 ? take_axis(p, p->axes - 1) : none;
    for (int k = 1; k < p->axes; k++)
        if (llabs(p->axis[k].in) < llabs(p->axis[densest].in)) densest = k;
    p->v = p->axes > 0 ? take_axis(p, densest) : none;
    p->matrices = 1;
    for (int k = 0; k < p->axes; k++) p->matrices *= p->axis[k].n;
}

// ---- Kernels ------------------------------------------------------------------------------------

static void select_kernel(const hd_context *ctx, plan *p)
{
    const int64_t columns = hd__cpu_tune.transpose_block_columns;
    const hd__cpu_layout_kernels *kernels = hd__cpu_micro_table(ctx)->layout;
    const int64_t size = (int64_t)p->size;
    const bool power = size <= 16 && (size & (size - 1)) == 0;
    const int log = power ? __builtin_ctzll((unsigned long long)size) : 0;
    p->transpose = NULL, p->unzip = NULL, p->zip = NULL;
    p->block_u = p->block_v = hd__cpu_tune.transpose_plain_block;
    p->area_u = p->area_v = 4 * hd__cpu_tune.transpose_plain_block;
    p->fetches = false;
    if (!power || p->u.out != size || p->v.in != size) return;
    const bool ragged = ((uintptr_t)p->in | (uintptr_t)p->u.in) % VECTOR != 0;
    const bool lines = ragged && kernels->transpose_lines[log] != NULL;
    p->transpose = lines ? kernels->transpose_lines[log] : kernels->transpose[log];
    p->fetches = ragged || size >= 8;
    p->block_u = (lines    ? LINE
                  : ragged ? hd__cpu_tune.transpose_ragged_block_rows
                           : hd__cpu_tune.transpose_block_rows) /
                 size;
    p->block_v = (ragged && !lines ? hd__cpu_tune.transpose_ragged_block_columns : columns) / size;
    p->area_u = (lines    ? hd__cpu_tune.transpose_lines_area_rows
                 : ragged ? hd__cpu_tune.transpose_ragged_area_rows
                          : hd__cpu_tune.transpose_area_rows) /
                size;
    p->area_v = (ragged ? hd__cpu_tune.transpose_ragged_area_columns
                        : hd__cpu_tune.transpose_area_columns) /
                size;
    if (log == 4) return;
    if (p->v.n >= 2 && p->v.n <= 4 && p->u.in == p->v.n * size) {
        p->unzip = kernels->unzip[log][p->v.n - 2];
        p->block_u = p->area_u = columns * 16;
    } else if (p->u.n >= 2 && p->u.n <= 4 && p->v.out == p->u.n * size) {
        p->zip = kernels->zip[log][p->u.n - 2];
        p->block_v = p->area_v = columns * 16;
    }
}

static void run_block(const plan *p, char *out, const char *in, int64_t rows, int64_t columns,
                      char *buffer, const char *ahead)
{
    char *fields[4];
    if (p->unzip != NULL) {
        for (int k = 0; k < p->v.n; k++) fields[k] = out + k * p->v.out;
        p->unzip(fields, in, rows);
    } else if (p->zip != NULL) {
        for (int k = 0; k < p->u.n; k++) fields[k] = (char *)(uintptr_t)in + k * p->u.in;
        p->zip(out, fields, columns);
    } else if (p->transpose != NULL) {
        p->transpose(out, p->v.out, in, p->u.in, rows, columns, buffer, ahead);
    } else {
        const hd__cpu_block to = {out, p->v.out, p->u.out};
        const hd__cpu_block from = {(char *)(uintptr_t)in, p->v.in, p->u.in};
        hd__cpu_copy_block(to, from, columns, rows, p->size);
    }
}

// ---- Threads ------------------------------------------------------------------------------------

// Where matrix m begins.
static void find_matrix(const plan *p, int64_t m, const char **in, char **out)
{
    *in = p->in;
    *out = p->out;
    for (int k = p->axes - 1; k >= 0; k--) {
        *in += m % p->axis[k].n * p->axis[k].in;
        *out += m % p->axis[k].n * p->axis[k].out;
        m /= p->axis[k].n;
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// The blocks of an area, from (i, j) on: down a strip of in first, so that out is written along its
// rows.
static void run_area(const plan *p, char *out, const char *in, int64_t rows, int64_t columns,
                     char *buffer)
{
    for (int64_t j = 0; j < columns; j += p->block_v)
        for (int64_t i = 0; i < rows; i += p->block_u) {
            const int64_t m = least(rows - i, p->block_u), n = least(columns - j, p->block_v);
            const char *at = in + i * p->u.in + j * p->v.in;
            const char *ahead = NULL;
            if (p->fetches && i + 2 * p->block_u <= rows)
                ahead = at + p->block_u * p->u.in;
            else if (p->fetches && j + 2 * p->block_v <= columns)
                ahead = in + (j + p->block_v) * p->v.in;
            run_block(p, out + i * p->u.out + j * p->v.out, at, m, n, buffer, ahead);
        }
}

static int64_t count_areas(const plan *p, int64_t *down, int64_t *across)
{
    *down = (p->u.n + p->area_u - 1) / p->area_u;
    *across = (p->v.n + p->area_v - 1) / p->area_v;
    return *down * *across * p->matrices;
}

// Areas small enough that every thread has some.
static void fit_areas(plan *p)
{
    int64_t down, across;
    while (count_areas(p, &down, &across) < p->threads * hd__cpu_tune.transpose_areas_per_thread &&
           (p->area_u > p->block_u || p->area_v > p->block_v)) {
        int64_t *side = p->area_u > p->block_u ? &p->area_u : &p->area_v;
        const int64_t block = side == &p->area_u ? p->block_u : p->block_v;
        *side = (*side / 2 + block - 1) / block * block;
    }
}

// Areas begin .. end - 1.
static void run_areas(const plan *p, int64_t begin, int64_t end, char *buffer)
{
    int64_t down, across;
    const int64_t areas = count_areas(p, &down, &across);
    for (int64_t b = begin; b < end && hd__cpu_goes_on_in(p->progress, 0, 1000, b, areas); b++) {
        const int64_t i = b % down * p->area_u, j = b / down % across * p->area_v;
        const char *in;
        char *out;
        find_matrix(p, b / down / across, &in, &out);
        run_area(p, out + i * p->u.out + j * p->v.out, in + i * p->u.in + j * p->v.in,
                 least(p->u.n - i, p->area_u), least(p->v.n - j, p->area_v), buffer);
    }
}

// Bytes begin .. end - 1 of a run.
static void copy_part(const plan *p, int64_t begin, int64_t end)
{
    const int64_t step = p->progress->ctx != NULL ? TOLD_BYTES : end - begin;
    for (int64_t at = begin; at < end; at += step) {
        if (!hd__cpu_goes_on_in(p->progress, 0, 1000, at, (int64_t)p->size)) return;
        memcpy(p->out + at, p->in + at, (size_t)least(step, end - at));
    }
}

// One run of memory to another: cut by pages.
static void copy_run(const plan *p)
{
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, (int64_t)p->size, p->threads, 4096);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        while (hd__cpu_next_chunk(&stealer, &begin, &end)) copy_part(p, begin, end);
    }
}

static void run_plan(const plan *p)
{
    int64_t down, across;
    const int64_t areas = count_areas(p, &down, &across);
    if (areas == 1 && p->u.n == 1) {
        copy_run(p);
        return;
    }
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, areas, p->threads, 1);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        if (p->threads > 1) hd__cpu_affinity_spread(&affinity);
        const int t = omp_get_thread_num();
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        while (hd__cpu_next_chunk(&stealer, &begin, &end))
            run_areas(p, begin, end, p->buffers + (size_t)t * HD__TRANSPOSE_BUFFER);
    }
}

hd_status hd__cpu_transpose(hd_context *ctx, const void *any, const char **why)
{
    const hd__transpose_job *job = any;
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    plan p;
    p.progress = &progress;
    if (job->in.space == HD_IMPLICIT) {
        *why = "the input lives nowhere";
        return HD__DECLINED;
    }
    p.threads = hd__cpu_threads_for(ctx, hd_count(job->in), hd__size_of(job->in.type));
    p.buffers = hd__scratch(ctx, (size_t)p.threads * 2 * HD__TRANSPOSE_BUFFER);
    if (p.buffers == NULL) return HD_ERROR_MEMORY;
    if (job->in_place) {
        hd__cpu_transpose_square(ctx, &job->out, p.threads, p.buffers, &progress);
        return hd__cpu_progress_status(&progress);
    }
    take_axes(&p, job);
    merge_axes(&p);
    select_plane(&p);
    select_kernel(ctx, &p);
    fit_areas(&p);
    run_plan(&p);
    return hd__cpu_progress_status(&progress);
}
