// SPDX-License-Identifier: Apache-2.0
// Reductions over subtrees: values in preorder, reduced in blocks of powers of two, of which each
// subtree is a few. Nodes are ordered by the size of their subtrees, so that a step over blocks
// looks only at those that may take one.
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

enum { MOST_LEVELS = 63, CLASSES = MOST_LEVELS + 1 };

// The class of a node: 63 - j where no block below it is larger than 2^j; leaves are the last.
HD_FUNCTION(class_of, int64_t, HD_NO_SOURCE, (int64_t, begin, int64_t, size), {
    int64_t j = -1;
    (void)begin;
    for (int64_t below = size - 1; below > 0; below >>= 1) j++;
    return j < 0 ? 63 : 62 - j;
})

// Nodes are numbered by class, within one in preorder.
typedef struct sums {
    hd__tour t;
    const hd_operator *op;
    hd_view node, size, total;     // of each: its preorder number, nodes below and itself, result
    int64_t class_at[CLASSES + 1]; // where each class begins
    hd_view level[MOST_LEVELS];    // blocks of 2^j values in preorder
    int64_t levels;
    // Of a step: who takes which block, and the blocks themselves.
    hd_view taker, begin, block, taken;
} sums;

static hd_view matrix(hd_view row, int64_t rows, int64_t columns)
{
    row.ndim = 2, row.shape[0] = rows, row.shape[1] = columns;
    row.stride[0] = columns, row.stride[1] = 1;
    return row;
}

// The next level: first and second halves apart, so that many are combined at once.
static hd_status make_level(hd__frame *f, sums *s, hd_view apart, int64_t m)
{
    const hd_view halves = matrix(apart, 2, m);
    const hd_status status =
        hd_transpose(f->ctx, matrix(s->level[s->levels - 2], m, 2), halves, NULL);
    if (status) return status;
    return hd_reduce(f->ctx, halves, s->op, s->level[s->levels - 1],
                     &(hd_reduce_options){.axis = HD_AXIS(0)});
}

static hd_status make_levels(hd__frame *f, sums *s, hd_view values, hd_type type)
{
    const int64_t n = s->t.n;
    hd_view all, apart;
    hd_status status = hd__frame_row(f, type, 2 * n, &all);
    if (!status) status = hd__frame_row(f, type, n, &apart);
    int64_t begin = 0;
    for (int64_t m = n; m > 0 && !status; m /= 2) {
        s->level[s->levels] = hd__frame_part(all, begin, m);
        begin += m;
        if (s->levels++ == 0)
            status = hd_map(f->ctx, hd_indexed(values, s->t.order), NULL, s->level[0], NULL);
        else
            status = make_level(f, s, apart, m);
    }
    return status ? status : hd__frame_drop(f, &apart);
}

// The sizes of subtrees in preorder, and the nodes by their class.
static hd_status order_by_size(hd__frame *f, sums *s)
{
    const int64_t n = s->t.n;
    const hd_view at = HD_VIEW(s->class_at, CLASSES + 1);
    hd_view sizes, size;
    hd_status status = hd__frame_row(f, HD_I64, n, &sizes);
    if (!status) status = hd__tour_sizes(f, &s->t, sizes);
    if (!status) status = hd__frame_row(f, HD_I64, n, &size);
    if (!status) status = hd_gather(f->ctx, sizes, s->t.order, size, NULL);
    if (!status) status = hd__frame_drop(f, &sizes);
    if (!status) status = hd__frame_row(f, HD_I64, n, &s->node);
    if (!status)
        status = hd_partition(
            f->ctx, hd_iota(n), s->node, HD_EMPTY,
            &(hd_partition_options){
                .bucket = class_of, .with = HD_VIEWS(size), .ways = CLASSES, .offsets = &at});
    if (!status) status = hd__frame_row(f, HD_I64, n, &s->size);
    if (!status) status = hd_gather(f->ctx, size, s->node, s->size, NULL);
    return status ? status : hd__frame_drop(f, &size);
}

static hd_status begin(hd__frame *f, sums *s, hd_view values, hd_type type)
{
    const int64_t n = s->t.n;
    hd_status status = make_levels(f, s, values, type);
    if (!status) status = order_by_size(f, s);
    const int64_t above = s->class_at[CLASSES - 1]; // leaves take no block
    if (!status) status = hd__frame_row(f, type, n, &s->total);
    if (!status) status = hd_gather(f->ctx, s->level[0], s->node, s->total, NULL);
    if (!status) status = hd__frame_row(f, HD_I64, above, &s->taker);
    if (!status) status = hd__frame_row(f, HD_I64, above, &s->begin);
    if (!status) status = hd__frame_row(f, HD_I64, above, &s->block);
    return status ? status : hd__frame_row(f, type, above, &s->taken);
}

// total = total op the block of level j, for the subtrees that take one.
static hd_status take_blocks(hd__frame *f, sums *s, int64_t j, bool last)
{
    int64_t count = 0;
    const int64_t m = s->class_at[MOST_LEVELS - j]; // of them that are large enough
    if (m == 0) return HD_OK;
    const hd_view size = hd__frame_part(s->size, 0, m);
    const hd_view taker_room = hd__frame_part(s->taker, 0, m);
    hd_status status =
        hd_compact(f->ctx, hd__frame_part(s->node, 0, m), s->begin, HD_VIEW(&count, 1),
                   &(hd_compact_options){.keep = last ? HD_WITH_STATE(takes_last, &j)
                                                      : HD_WITH_STATE(takes_first, &j),
                                         .with = HD_VIEWS(size),
                                         .indices = &taker_room});
    if (status || count == 0) return status;
    const hd_view taker = hd__frame_part(s->taker, 0, count);
    const hd_view from = hd__frame_part(s->begin, 0, count);
    const hd_view block = hd__frame_part(s->block, 0, count);
    const hd_view taken = hd__frame_part(s->taken, 0, count);
    if (last)
        status = hd_map(f->ctx, from, HD_WITH_STATE(last_taken, &j), block,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(s->size, taker))});
    else
        status = hd_map(f->ctx, from, HD_WITH_STATE(first_taken, &j), block, NULL);
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
    // Where they are among the caller's nodes.
    if (!status) status = hd_gather(f->ctx, s->t.order, s->node, s->size, NULL);
    if (status) return status;
    return hd_scatter(f->ctx, s->total, s->size, out, &(hd_scatter_options){.unique = true});
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
