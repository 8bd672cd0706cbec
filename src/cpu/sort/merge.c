// SPDX-License-Identifier: Apache-2.0
// Merging two arrays: as they lie, or by way of contiguous copies; with values or indices, by pairs
// of an element and its position. In an order that is turned round, b from its end is merged with a
// from its end, into out from its end: equals are a's first all the same.
#include "comparators.h"
#include "patterns/sort/comparisons.h"
#include "core/system/float_state.h"
#include "patterns/sort/merge.h"
#include "patterns/sort/rows.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/team.h"

HD__CPU_BRINGS(const hd__cpu_merge_kernels, merge_kernels)

// How vectors see the elements: x ^ flip has the order of unsigned numbers.
static void choose_kernel(const hd_context *ctx, hd__cpu_merge_pass *m)
{
    static const hd_type types[] = {HD_U32, HD_I32, HD_U64, HD_I64};
    const hd__cpu_merge_kernels *const kernels = hd__cpu_micro_table(ctx)->merge;
    m->integers = NULL;
    if (m->loops != &m->order->elements) return; // pairs
    for (int k = 0; k < 8; k++) {
        const bool is_signed = k & 1, falling = k & 2, wide = k & 4;
        if (m->order != hd__number_order(types[wide * 2 + is_signed], falling)) continue;
        m->integers = wide ? kernels->merge_8 : kernels->merge_4;
        m->flip = (falling ? UINT64_MAX : 0) ^ (is_signed ? UINT64_C(1) << (wide ? 63 : 31) : 0);
    }
}

static void merge_with_threads(const hd_context *ctx, hd__cpu_merge_pass *m)
{
    const int threads = hd__cpu_comparison_threads(ctx, m->n, m->loops->size);
    hd__cpu_affinity affinity;
    choose_kernel(ctx, m);
    if (threads == 1 && m->n <= hd__cpu_tune.merge_chunk) { // one chunk
        hd__cpu_merge_part(m, m->out, m->a, m->na, m->b, m->nb);
        return;
    }
    hd__cpu_affinity_begin(&affinity);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        if (threads > 1) hd__cpu_affinity_spread(&affinity);
        hd__cpu_merge_in_team(m);
    }
}

// Bytes for the places where the work is cut.
static size_t split_bytes(const hd__merge_job *job)
{
    return hd__padded(
        (size_t)(hd__cpu_merge_chunks(job->na + job->nb, hd__cpu_tune.merge_chunk) + 1) *
        sizeof(int64_t));
}

// The NaN of both sides, which are last, go to the end as they are; what is left is merged without
// looking for them at every step. False if these are no floats in their own order.
static bool set_nan_aside(hd__cpu_merge_pass *m, hd_type type)
{
    if (!hd__is_float(type) ||
        (m->order != hd__number_order(type, false) && m->order != hd__number_order(type, true)))
        return false;
    const unsigned char nan[8] = {255, 255, 255, 255, 255, 255, 255, 255}; // of every float type
    const size_t size = m->loops->size;
    int64_t na, nb;
    hd__cpu_search_all(m->order, m->a, m->na, (const char *)nan, 1, false, &na);
    hd__cpu_search_all(m->order, m->b, m->nb, (const char *)nan, 1, false, &nb);
    char *rest = m->out + (size_t)(na + nb) * size;
    hd__copy(rest, m->a + (size_t)na * size, (size_t)(m->na - na) * size);
    rest += (size_t)(m->na - na) * size;
    hd__copy(rest, m->b + (size_t)nb * size, (size_t)(m->nb - nb) * size);
    m->na = na, m->nb = nb, m->n = na + nb;
    return true;
}

// -0 or +0 of a float type, as bytes.
static void zero_of(size_t size, bool minus, unsigned char zero[8])
{
    const int16_t low16 = INT16_MIN;
    const int32_t low32 = INT32_MIN;
    const int64_t low64 = INT64_MIN;
    memset(zero, 0, 8);
    if (minus)
        memcpy(zero,
               size == 2   ? (const void *)&low16
               : size == 4 ? (const void *)&low32
                           : &low64,
               size);
}

// Floats without NaN. The bits of one sign have the order of integers: falling up to the change of
// sign and rising from there, in both directions. So they are two merges of integers, which compare
// faster.
static void merge_by_sign(const hd_context *ctx, const hd__cpu_merge_pass *m, bool descending)
{
    const size_t size = m->loops->size;
    const hd_type type = size == 2 ? HD_I16 : size == 4 ? HD_I32 : HD_I64;
    unsigned char zero[8];
    int64_t na, nb;
    zero_of(size, descending, zero);
    hd__cpu_search_all(m->order, m->a, m->na, (const char *)zero, 1, false, &na);
    hd__cpu_search_all(m->order, m->b, m->nb, (const char *)zero, 1, false, &nb);
    hd__cpu_merge_pass falling = *m, rising = *m;
    falling.order = hd__number_order(type, true), falling.loops = &falling.order->elements;
    falling.na = na, falling.nb = nb, falling.n = na + nb;
    rising.order = hd__number_order(type, false), rising.loops = &rising.order->elements;
    rising.a += (size_t)na * size, rising.b += (size_t)nb * size;
    rising.out += (size_t)(na + nb) * size;
    rising.na -= na, rising.nb -= nb, rising.n -= na + nb;
    falling.share = (int64_t)((double)m->share * (double)falling.n / (double)(m->n + 1));
    rising.first += falling.share, rising.share -= falling.share;
    if (falling.n > 0) merge_with_threads(ctx, &falling);
    if (rising.n > 0 && !hd__cpu_is_stopped(m->progress)) merge_with_threads(ctx, &rising);
}

// How far a call is, and what of it the row is whose turn it is.
typedef struct turn {
    hd__cpu_progress progress;
    int64_t first, share; // thousandths
} turn;

static hd_status merge_elements(hd_context *ctx, const hd__merge_job *job, turn *turn)
{
    const size_t size = job->order->elements.size, splits = split_bytes(job);
    const bool a_contiguous = hd__is_contiguous(&job->a), b_contiguous = hd__is_contiguous(&job->b);
    const bool out_contiguous = hd__is_contiguous(&job->out);
    const size_t a_bytes = a_contiguous ? 0 : hd__padded((size_t)job->na * size);
    const size_t b_bytes = b_contiguous ? 0 : hd__padded((size_t)job->nb * size);
    const size_t out_bytes = out_contiguous ? 0 : (size_t)(job->na + job->nb) * size;
    char *memory = hd__scratch(ctx, splits + a_bytes + b_bytes + out_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    char *a = memory + splits, *b = a + a_bytes, *out = b + b_bytes;
    if (!a_contiguous) hd__gather(&job->a, 0, job->na, a);
    if (!b_contiguous) hd__gather(&job->b, 0, job->nb, b);
    hd__cpu_merge_pass m = {.order = job->order,
                            .loops = &job->order->elements,
                            .a = a_contiguous ? job->a.data : a,
                            .b = b_contiguous ? job->b.data : b,
                            .na = job->na,
                            .nb = job->nb,
                            .n = job->na + job->nb,
                            .out = out_contiguous ? job->out.data : out,
                            .split = (int64_t *)(void *)memory,
                            .progress = &turn->progress,
                            .first = turn->first,
                            .share = turn->share};
    if (set_nan_aside(&m, job->a.type))
        merge_by_sign(ctx, &m, job->order == hd__number_order(job->a.type, true));
    else if (m.n > 0)
        merge_with_threads(ctx, &m);
    HD_TRY(hd__cpu_progress_status(&turn->progress));
    if (!out_contiguous) hd__scatter(&job->out, 0, job->na + job->nb, out);
    return HD_OK;
}

// Where the values of a row come from: as the caller gave them, to the output as it is written.
static void move_values(const hd_context *ctx, const hd__merge_job *row,
                        const hd__cpu_pair_permutation *m)
{
    for (int64_t k = 0; k < row->value_count; k++) {
        hd_view v[3];
        hd__merge_value(row, k, v);
        const hd_view to = row->backwards ? hd__backwards(&v[2]) : v[2];
        hd__cpu_pair_permutation own = *m;
        own.from = &v[0], own.second = &v[1], own.to = &to;
        hd__cpu_permute_by_pairs(ctx, &own);
    }
}

// a, b and out of the row are in the order of merging; the row as it was given says what positions
// and values are.
static hd_status merge_pairs(hd_context *ctx, const hd__merge_job *job, const hd__merge_job *given,
                             turn *turn)
{
    const hd_comparison *order = job->order;
    const int64_t n = job->na + job->nb;
    const size_t splits = split_bytes(job), bytes = hd__padded((size_t)n * order->pairs.size);
    size_t room = hd__cpu_take_pairs_bytes(ctx, order);
    for (int64_t k = 0; k < job->value_count; k++)
        if (room < (size_t)n * hd__size_of(job->values[3 * k].type))
            room = (size_t)n * hd__size_of(job->values[3 * k].type);
    if (room < bytes) room = bytes; // the inputs' pairs, free once they are merged
    char *memory = hd__scratch(ctx, splits + bytes + room);
    if (memory == NULL) return HD_ERROR_MEMORY;
    char *out = memory + splits, *a = out + bytes, *b = a + (size_t)job->na * order->pairs.size;
    const int64_t step = job->backwards ? -1 : 1;
    hd__cpu_make_pairs(ctx, order, &job->a, job->na, job->backwards ? n - 1 : 0, step, a);
    hd__cpu_make_pairs(ctx, order, &job->b, job->nb, job->backwards ? given->na - 1 : job->na, step,
                       b);
    hd__cpu_merge_pass m = {.order = order,
                            .loops = &order->pairs,
                            .a = a,
                            .b = b,
                            .na = job->na,
                            .nb = job->nb,
                            .n = n,
                            .out = out,
                            .split = (int64_t *)(void *)memory,
                            .progress = &turn->progress,
                            .first = turn->first,
                            .share = turn->share};
    merge_with_threads(ctx, &m);
    HD_TRY(hd__cpu_progress_status(&turn->progress));
    hd__cpu_take_pairs(ctx, order, out, n, 0, &job->out, &job->indices, a);
    move_values(ctx, given,
                &(hd__cpu_pair_permutation){
                    .order = order, .pairs = out, .n = n, .cut = given->na, .room = a});
    return HD_OK;
}

static hd__merge_job turned_round(const hd__merge_job *row)
{
    hd__merge_job back = *row;
    back.a = hd__backwards(&row->b), back.na = row->nb;
    back.b = hd__backwards(&row->a), back.nb = row->na;
    back.out = hd__backwards(&row->out);
    back.indices = hd__backwards(&row->indices);
    return back;
}

static hd_status merge_row(hd_context *ctx, const hd__merge_job *row, turn *turn)
{
    hd__merge_job back;
    const hd__merge_job *job = row;
    if (row->backwards) back = turned_round(row), job = &back;
    if (row->value_count > 0 || !hd__is_empty(&row->indices))
        return merge_pairs(ctx, job, row, turn);
    return hd__is_empty(&row->out) ? HD_OK : merge_elements(ctx, job, turn);
}

hd_status hd__cpu_merge(hd_context *ctx, const void *any, const char **why)
{
    const hd__merge_job *job = any;
    (void)why; // never declines
    if (job->na + job->nb == 0) return HD_OK;
    turn turn = {.progress = hd__cpu_progress_of(ctx), .share = 1000};
    if (job->rows == 1) return merge_row(ctx, job, &turn);
    for (int64_t r = 0; r < job->rows; r++) {
        const hd__merge_job row = hd__merge_row(job, r);
        turn.first = (int64_t)((double)r / (double)job->rows * 1000);
        turn.share = (int64_t)((double)(r + 1) / (double)job->rows * 1000) - turn.first;
        if (!hd__cpu_goes_on_in(&turn.progress, turn.first, 0, 0, 1)) break;
        HD_TRY(merge_row(ctx, &row, &turn));
    }
    return hd__cpu_progress_status(&turn.progress);
}
