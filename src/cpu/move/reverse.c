// SPDX-License-Identifier: Apache-2.0
// Reversal and rotation as copies and exchanges of two views, tile by tile: a view of negative
// strides is the other order. A rotation in place is three reversals.
#include "patterns/move/reverse.h"
#include "core/system/float_state.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/runtime/work_stealing.h"

// Elements b_first .. of b, in row-major order, go to a_first .. of a; in an exchange also back.
typedef struct transfer {
    hd_view a, b;
    int64_t a_first, b_first, count;
    bool exchange;
} transfer;

static void exchange_tile(const transfer *t, int64_t at, int64_t m, char *tile, size_t bytes)
{
    hd__gather(&t->a, t->a_first + at, m, tile);
    hd__gather(&t->b, t->b_first + at, m, tile + bytes);
    hd__scatter(&t->a, t->a_first + at, m, tile + bytes);
    hd__scatter(&t->b, t->b_first + at, m, tile);
}

static void copy_tile(const transfer *t, int64_t at, int64_t m, char *tile)
{
    if (hd__is_contiguous(&t->a)) {
        hd__gather(&t->b, t->b_first + at, m, (void *)(uintptr_t)hd__at(&t->a, t->a_first + at));
    } else if (hd__is_contiguous(&t->b)) {
        hd__scatter(&t->a, t->a_first + at, m, hd__at(&t->b, t->b_first + at));
    } else {
        hd__gather(&t->b, t->b_first + at, m, tile);
        hd__scatter(&t->a, t->a_first + at, m, tile);
    }
}

static hd_status run(hd_context *ctx, const transfer *t)
{
    const size_t size = hd__size_of(t->a.type);
    int64_t tile = hd__cpu_tune.reverse_tile_bytes / (int64_t)size;
    if (tile < 1) tile = 1;
    const size_t bytes = hd__padded((size_t)tile * size);
    const int threads = hd__cpu_threads_for(ctx, t->count, size * (t->exchange ? 4 : 2));
    char *tiles = hd__scratch(ctx, (size_t)threads * 2 * bytes);
    if (tiles == NULL) return HD_ERROR_MEMORY;
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, t->count, threads, HD__ALIGNMENT); // whole lines, if aligned
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        char *mine = tiles + (size_t)omp_get_thread_num() * 2 * bytes;
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t at, end;
        while (hd__cpu_next_chunk(&stealer, &at, &end))
            for (int64_t m; at < end; at += m) {
                m = end - at < tile ? end - at : tile;
                if (t->exchange)
                    exchange_tile(t, at, m, mine, bytes);
                else
                    copy_tile(t, at, m, mine);
            }
    }
    return HD_OK;
}

// The whole view backwards.
static hd_view backwards(const hd_view *v)
{
    hd_view b = *v;
    for (int32_t k = 0; k < v->ndim; k++) b = hd__flipped(&b, k);
    return b;
}

// Elements begin .. end - 1 of a row (or of everything, row-major) in the opposite order, in place.
static hd_status reverse_in_place(hd_context *ctx, const hd__reverse_job *job, int64_t begin,
                                  int64_t end)
{
    const int64_t half = (end - begin) / 2;
    transfer t = {.exchange = true, .count = half};
    if (half == 0) return HD_OK;
    if (job->axis < 0) {
        t.a = job->out;
        t.b = backwards(&job->out);
        t.a_first = begin;
        t.b_first = job->n - end;
        return run(ctx, &t);
    }
    t.a = hd_slice(job->out, job->axis, begin, half, 1);
    t.b = hd_slice(job->out, job->axis, end - 1, half, -1);
    t.count = job->n / job->length * half;
    hd__collapse(&t.a);
    hd__collapse(&t.b);
    return run(ctx, &t);
}

static hd_status rotate_in_place(hd_context *ctx, const hd__reverse_job *job)
{
    if (job->shift == 0) return HD_OK;
    HD_TRY(reverse_in_place(ctx, job, 0, job->shift));
    HD_TRY(reverse_in_place(ctx, job, job->shift, job->length));
    return reverse_in_place(ctx, job, 0, job->length);
}

// count elements of each row from index `from` on go to index `to` on.
static hd_status copy_range(hd_context *ctx, const hd__reverse_job *job, int64_t to, int64_t from,
                            int64_t count)
{
    transfer t = {.a = job->out, .b = job->in, .a_first = to, .b_first = from, .count = count};
    if (count == 0) return HD_OK;
    if (job->axis < 0) return run(ctx, &t);
    t.a = hd_slice(job->out, job->axis, to, count, 1);
    t.b = hd_slice(job->in, job->axis, from, count, 1);
    t.a_first = t.b_first = 0;
    t.count = job->n / job->length * count;
    hd__collapse(&t.a);
    hd__collapse(&t.b);
    return run(ctx, &t);
}

static hd_status reverse_copy(hd_context *ctx, const hd__reverse_job *job)
{
    transfer t = {.a = job->out, .count = job->n};
    t.b = job->axis < 0 ? backwards(&job->in) : hd__flipped(&job->in, job->axis);
    hd__collapse(&t.a);
    hd__collapse(&t.b);
    return run(ctx, &t);
}

hd_status hd__cpu_reverse(hd_context *ctx, const void *any, const char **why)
{
    const hd__reverse_job *job = any;
    (void)why; // never declines
    if (job->rotates && job->in_place) return rotate_in_place(ctx, job);
    if (job->rotates) {
        HD_TRY(copy_range(ctx, job, 0, job->shift, job->length - job->shift));
        return copy_range(ctx, job, job->length - job->shift, 0, job->shift);
    }
    return job->in_place ? reverse_in_place(ctx, job, 0, job->length) : reverse_copy(ctx, job);
}
