// SPDX-License-Identifier: Apache-2.0
// Reductions over subtrees: values in preorder, reduced in blocks of powers of two, of which each
// subtree is a few.
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "tour.h"

// Of the range begin + 1 .. end - 1 at level j, in blocks of 2^j: first .. last - 1, of which the
// first is taken if it is odd, and the last if it follows an odd number of others.
HD_SOURCE(
    blocks,
    static inline int64_t first_block(int64_t begin, int64_t j) {
        return (begin + (((int64_t)1 << j))) >> j;
    } static inline int64_t last_block(int64_t begin, int64_t size, int64_t j) {
        return (begin + size) >> j;
    })
HD_FUNCTION_STATE(takes_first, bool, blocks, (int64_t, begin, int64_t, size), int64_t, {
    const int64_t first = first_block(begin, *state);
    return (first & 1) && first < last_block(begin, size, *state);
})
HD_FUNCTION_STATE(takes_last, bool, blocks, (int64_t, begin, int64_t, size), int64_t, {
    const int64_t last = last_block(begin, size, *state);
    return (last & 1) && first_block(begin, *state) < last;
})
HD_FUNCTION_STATE(first_taken, int64_t, blocks, (int64_t, begin), int64_t,
                  { return first_block(begin, *state); })
HD_FUNCTION_STATE(last_taken, int64_t, blocks, (int64_t, begin, int64_t, size), int64_t,
                  { return last_block(begin, size, *state) - 1; })

enum { MOST_LEVELS = 63 };

// Everything by preorder number.
typedef struct sums {
    hd__tour t;
    const hd_operator *op;
    hd_view size, total;
    hd_view level[MOST_LEVELS]; // blocks of 2^j values
    int64_t levels;
    hd_view taker, block, taken; // of a step: who takes which block, and the blocks themselves
} sums;

static hd_status make_levels(hd__frame *f, sums *s, hd_view values, hd_type type)
{
    const int64_t n = s->t.n;
    hd_view all;
    hd_status status = hd__frame_row(f, type, 2 * n, &all);
    int64_t begin = 0;
    for (int64_t m = n; m > 0 && !status; m /= 2) {
        s->level[s->levels] = hd__frame_part(all, begin, m);
        begin += m;
        if (s->levels++ == 0) {
            status = hd_map(f->ctx, hd_indexed(values, s->t.order), NULL, s->level[0], NULL);
            continue;
        }
        hd_view pairs = s->level[s->levels - 2];
        pairs.ndim = 2, pairs.shape[0] = m, pairs.shape[1] = 2;
        pairs.stride[0] = 2, pairs.stride[1] = 1;
        status = hd_reduce(f->ctx, pairs, s->op, s->level[s->levels - 1],
                           &(hd_reduce_options){.axis = HD_AXIS(1)});
    }
    return status;
}

static hd_status begin(hd__frame *f, sums *s, hd_view values, hd_type type)
{
    const int64_t n = s->t.n;
    hd_view sizes;
    hd_status status = make_levels(f, s, values, type);
    if (!status) status = hd__frame_row(f, HD_I64, n, &sizes);
    if (!status) status = hd__tour_sizes(f, &s->t, sizes);
    if (!status) status = hd__frame_row(f, HD_I64, n, &s->size);
    if (!status) status = hd_gather(f->ctx, sizes, s->t.order, s->size, NULL);
    if (!status) status = hd__frame_drop(f, &sizes);
    if (!status) status = hd__frame_row(f, type, n, &s->total);
    if (!status) status = hd_map(f->ctx, s->level[0], NULL, s->total, NULL);
    if (!status) status = hd__frame_row(f, HD_I64, n, &s->taker);
    if (!status) status = hd__frame_row(f, HD_I64, n, &s->block);
    return status ? status : hd__frame_row(f, type, n, &s->taken);
}

// total = total op the block of level j, for the subtrees that take one.
static hd_status take_blocks(hd__frame *f, sums *s, int64_t j, bool last)
{
    int64_t count = 0;
    hd_status status =
        hd_compact(f->ctx, hd_iota(s->t.n), s->taker, HD_VIEW(&count, 1),
                   &(hd_compact_options){.keep = last ? HD_WITH_STATE(takes_last, &j)
                                                      : HD_WITH_STATE(takes_first, &j),
                                         .with = HD_VIEWS(s->size)});
    if (status || count == 0) return status;
    const hd_view taker = hd__frame_part(s->taker, 0, count);
    const hd_view block = hd__frame_part(s->block, 0, count);
    const hd_view taken = hd__frame_part(s->taken, 0, count);
    if (last)
        status = hd_map(f->ctx, taker, HD_WITH_STATE(last_taken, &j), block,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(s->size, taker))});
    else
        status = hd_map(f->ctx, taker, HD_WITH_STATE(first_taken, &j), block, NULL);
    if (!status) status = hd_gather(f->ctx, s->level[j], block, taken, NULL);
    if (status) return status;
    return hd_scatter(f->ctx, taken, taker, s->total,
                      &(hd_scatter_options){.combine = s->op, .unique = true});
}

static hd_status reduce(hd__frame *f, sums *s, hd_view values, hd_view out)
{
    hd_status status = begin(f, s, values, out.type);
    for (int64_t j = 0; j < s->levels && !status; j++) status = take_blocks(f, s, j, false);
    for (int64_t j = s->levels - 1; j >= 0 && !status; j--) status = take_blocks(f, s, j, true);
    if (status) return status;
    return hd_scatter(f->ctx, s->total, s->t.order, out, &(hd_scatter_options){.unique = true});
}

// Types that do not fit the operator are found before anything is made, also for one node.
static hd_status check(hd__frame *f, hd_view parent, hd_view values, const hd_operator *op,
                       hd_view out)
{
    const int64_t n = hd_count(parent);
    hd_view one;
    if (values.ndim != 1 || out.ndim != 1 || hd_count(values) != n || hd_count(out) != n)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%" PRId64 " nodes, values of %" PRId64 " and out of %" PRId64
                              "; expected as many, in one dimension",
                              n, hd_count(values), hd_count(out));
    if (op == NULL) return hd__frame_fail(f, HD_ERROR_ARGUMENT, "op is NULL");
    hd_status status = hd__frame_check_out(f, "out", out);
    if (!status) status = hd__frame_check_apart(f, "out", out, "parent", parent);
    if (!status) status = hd__frame_row(f, out.type, 1, &one);
    if (status || n == 0) return status;
    const hd_view none = hd__frame_part(one, 0, 0);
    hd_view nowhere = hd_view_of(HD_I64, NULL, 0);
    nowhere.space = one.space, nowhere.device = one.device;
    return hd_scatter(f->ctx, none, nowhere, one, &(hd_scatter_options){.combine = op});
}

hd_status hd_tree_reduce(hd_context *ctx, hd_view parent, hd_view values, const hd_operator *op,
                         hd_view out, const hd_tree_reduce_options *options)
{
    hd__frame f;
    sums s = {.op = op};
    hd_tree_reduce_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_tree_reduce", parent);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, parent, values, op, out);
    if (!status) status = hd__tour_open(&f, parent, &s.t);
    if (!status) status = hd__frame_dense(&f, values, values.type, &values);
    if (!status) status = reduce(&f, &s, values, out);
    return hd__frame_close(&f, status);
}
