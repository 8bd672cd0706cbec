// SPDX-License-Identifier: Apache-2.0
// Stencils of any types and layouts, and functions of neighbours: threads take rows; each chunk of
// a row reads its neighbours into buffers, offset by offset, and writes its results.
#include "cpu/runtime/cpu.h"
#include "core/system/float_state.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/team.h"
#include "neighbours.h"
#include "stencil.h"

#include <string.h>

HD__CPU_BRINGS(const hd__cpu_neighbour_table, neighbour_table)

typedef struct plan {
    const hd__stencil_job *job;
    const hd__cpu_sum_kernels *kernels; // NULL: integers or a function
    hd__grid grid;                      // of one batch and one step
    int64_t chunk;                      // pixels
    size_t row_bytes;
    hd__cpu_progress *progress;
    int64_t step, steps; // of those of all batches
} plan;

// acc = the sum over all offsets, integers.
static void sum_whole(const hd__stencil_job *job, const void *const *in, uint64_t *acc, int64_t n)
{
    memset(acc, 0, (size_t)n * sizeof *acc);
    for (int64_t t = 0; t < job->offset_count; t++) {
        const uint64_t w = ((const uint64_t *)job->weight)[t], *x = in[t];
        for (int64_t i = 0; i < n; i++) acc[i] += w * x[i];
    }
}

// Border keep: the pixels of a chunk at the edge, from in, over what was computed.
static void keep(const plan *p, const hd__row *at, const unsigned char *memory)
{
    const hd__grid *g = &p->grid;
    int64_t begin, end;
    hd__changed(p->job, at->z, at->y, &begin, &end);
    hd__grid same = *g;
    same.sum = g->in.type;
    for (int64_t i = 0; i < at->n; i++) {
        const hd__row pixel = {at->batch, at->z, at->y, at->x0 + i, 1};
        if (pixel.x0 >= begin && pixel.x0 < end) continue;
        void *room = (void *)(uintptr_t)memory;
        hd__grid_read(&same, &pixel, room);
        hd__grid_write(&same, &pixel, room);
    }
}

static void do_chunk(const plan *p, hd__row at, unsigned char *memory)
{
    const hd__stencil_job *job = p->job;
    const hd__grid *g = &p->grid;
    const int64_t n = at.n * g->shape[HD__CHANNEL];
    const void **in = (const void **)(void *)memory;
    unsigned char *rows = memory + hd__padded((size_t)job->offset_count * sizeof(void *));
    for (int64_t t = 0; t < job->offset_count; t++) {
        const int64_t *o = job->offset[t];
        const hd__row from = {at.batch, at.z + o[0], at.y + o[1], at.x0 + o[2], at.n};
        in[t] = rows + (size_t)t * p->row_bytes;
        hd__grid_read(g, &from, rows + (size_t)t * p->row_bytes);
    }
    unsigned char *out = rows + (size_t)job->offset_count * p->row_bytes;
    hd__grid results = *g;
    if (job->function != NULL) {
        hd__apply(job->function, out, in, n);
        results.sum = g->out.type;
    } else if (p->kernels != NULL) {
        p->kernels->weighted(
            &(hd__cpu_mask_offset_rows){out, in, job->weight, job->offset_count, n});
    } else {
        sum_whole(job, in, (uint64_t *)(void *)out, n);
    }
    hd__grid_write(&results, &at, out);
    if (g->border == HD_BORDER_KEEP) keep(p, &at, out);
}

static void one_step(const plan *p, int threads, unsigned char *memory, size_t worker_bytes)
{
    const hd__grid *g = &p->grid;
    const int64_t rows = g->shape[HD__Z] * g->shape[HD__Y];
    const int64_t chunks = (g->shape[HD__X] + p->chunk - 1) / p->chunk;
    const int64_t items = g->batches * rows * chunks;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static)
    for (int64_t item = 0; item < items; item++) {
        HD__FLOAT_STATE;
        if (!hd__cpu_goes_on_in(p->progress, 0, 1000, p->step * items + item, p->steps * items))
            continue;
        const int64_t r = item / chunks, x0 = item % chunks * p->chunk;
        hd__row at = {r / rows, r % rows / g->shape[HD__Y], r % g->shape[HD__Y], x0, p->chunk};
        if (at.n > g->shape[HD__X] - x0) at.n = g->shape[HD__X] - x0;
        do_chunk(p, at, memory + (size_t)omp_get_thread_num() * worker_bytes);
    }
}

// One batch, from one array to another and back, a step at a time.
static void all_steps(plan *p, int64_t batch, int threads, unsigned char *arrays, size_t array,
                      unsigned char *memory, size_t worker_bytes)
{
    const hd__stencil_job *job = p->job;
    hd__grid whole = job->grid;
    whole.in.data = (void *)(uintptr_t)hd__at(&whole.in, hd__grid_in_offset(&job->grid, batch));
    whole.out.data = (void *)(uintptr_t)hd__at(&whole.out, hd__grid_out_offset(&job->grid, batch));
    whole.batch_axes = 0;
    whole.batches = 1;
    for (int64_t s = 0; s < job->steps && !hd__cpu_is_stopped(p->progress); s++, p->step++) {
        p->grid = whole;
        unsigned char *odd = arrays, *even = arrays + array;
        if (s > 0) hd__grid_set_in(&p->grid, whole.in.type, s % 2 ? odd : even);
        if (s + 1 < job->steps) hd__grid_set_out(&p->grid, whole.out.type, s % 2 ? even : odd);
        one_step(p, threads, memory, worker_bytes);
    }
}

hd_status hd__cpu_stencil_rows(hd_context *ctx, const hd__stencil_job *job)
{
    const int64_t range = hd__cpu_tune.stencil_range;
    const hd__grid *g = &job->grid;
    const hd__cpu_neighbour_table *table = hd__cpu_micro_table(ctx)->neighbours;
    const int64_t channels = g->shape[HD__CHANNEL];
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    plan p = {.job = job, .grid = *g, .progress = &progress};
    p.steps = job->steps > 1 ? job->steps * g->batches : 1;
    if (job->function == NULL && g->sum != HD_I64)
        p.kernels = g->sum == HD_F32 ? &table->f32 : &table->f64;
    p.chunk = range / channels > 0 ? range / channels : 1;
    const size_t in_size = hd__size_of(g->sum), out_size = hd__size_of(g->out.type);
    p.row_bytes =
        hd__padded((size_t)(p.chunk * channels) * (in_size > out_size ? in_size : out_size));
    const size_t worker_bytes = hd__padded((size_t)job->offset_count * sizeof(void *)) +
                                (size_t)(job->offset_count + 1) * p.row_bytes;
    const size_t array =
        job->steps > 1 ? hd__padded((size_t)hd__grid_points(g) * hd__size_of(g->in.type)) : 0;
    const int threads = hd__cpu_threads_for(ctx, g->batches * hd__grid_points(g),
                                            in_size * (size_t)(1 + job->offset_count / 4));
    unsigned char *memory = hd__scratch(ctx, 2 * array + (size_t)threads * worker_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    if (job->steps == 1)
        one_step(&p, threads, memory, worker_bytes);
    else
        for (int64_t b = 0; b < g->batches; b++)
            all_steps(&p, b, threads, memory, array, memory + 2 * array, worker_bytes);
    return hd__cpu_progress_status(&progress);
}
