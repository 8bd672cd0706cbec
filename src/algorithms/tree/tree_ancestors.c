// SPDX-License-Identifier: Apache-2.0
// Lowest common ancestors: the least parent between two nodes in preorder, by minima of ranges of
// powers of two (Berkman and Vishkin 1993, "Recursive star-tree parallel data structure").
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "tour.h"

HD_FUNCTION(lesser, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a < b ? a : b; })
HD_FUNCTION(greater, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a < b ? b : a; })
// 0 for a node and itself, else one more than the logarithm of how far they are apart.
HD_FUNCTION(digits_between, int64_t, HD_NO_SOURCE, (int64_t, low, int64_t, high), {
    int64_t digits = 0;
    for (int64_t length = high - low; length > 0; length /= 2) digits++;
    return digits;
})
HD_FUNCTION_STATE(moved, int64_t, HD_NO_SOURCE, (int64_t, i), int64_t, { return i + *state; })

// Queries by the digits between their nodes; nodes by their preorder numbers.
typedef struct queries {
    hd__tour t;
    int64_t count, first[65]; // first[k] .. first[k + 1] - 1 have k digits
    hd_view low, high, from, answer;
    hd_view least, wider; // of ranges of 2^k parents
} queries;

enum { MOST_DIGITS = 64 };

// The preorder numbers of both nodes, lower first.
static hd_status locate(hd__frame *f, queries *q, hd_view a, hd_view b, hd_view low, hd_view high)
{
    const hd_view x = hd_indexed(q->t.preorder, a), y = hd_indexed(q->t.preorder, b);
    hd_status status = hd_map(f->ctx, x, lesser, low, &(hd_map_options){.with = HD_VIEWS(y)});
    if (status) return status;
    return hd_map(f->ctx, x, greater, high, &(hd_map_options){.with = HD_VIEWS(y)});
}

static hd_status order_queries(hd__frame *f, queries *q, hd_view low, hd_view high)
{
    hd_view offsets;
    hd_status status = hd__frame_row(f, HD_I64, MOST_DIGITS + 1, &offsets);
    if (!status)
        status = hd_partition(f->ctx, low, q->low, HD_EMPTY,
                              &(hd_partition_options){.bucket = digits_between,
                                                      .with = HD_VIEWS(high),
                                                      .ways = MOST_DIGITS,
                                                      .offsets = &offsets,
                                                      .indices = &q->from});
    if (!status) status = hd_gather(f->ctx, high, q->from, q->high, NULL);
    if (!status) status = hd_map(f->ctx, offsets, NULL, HD_VIEW(q->first, MOST_DIGITS + 1), NULL);
    return status ? status : hd_sync(f->ctx);
}

static hd_status take_queries(hd__frame *f, queries *q, hd_view a, hd_view b)
{
    hd_view low, high;
    hd_view *const rows[] = {&low, &high, &q->low, &q->high, &q->from, &q->answer};
    hd_status status = HD_OK;
    for (int k = 0; k < 6 && !status; k++) status = hd__frame_row(f, HD_I64, q->count, rows[k]);
    if (!status) status = hd__frame_indices(f, "node a of query", a, q->t.n, &a);
    if (!status) status = hd__frame_indices(f, "node b of query", b, q->t.n, &b);
    if (!status) status = locate(f, q, a, b, low, high);
    if (!status) status = order_queries(f, q, low, high);
    if (!status) status = hd__frame_drop(f, &low);
    return status ? status : hd__frame_drop(f, &high);
}

// least[k] = the preorder number of the parent of the node with number k; the root's is 0.
static hd_status begin(hd__frame *f, queries *q)
{
    const int64_t n = q->t.n;
    hd_view parent;
    hd_status status = hd__frame_row(f, HD_I64, n, &q->least);
    if (!status) status = hd__frame_row(f, HD_I64, n, &q->wider);
    if (!status) status = hd__frame_row(f, HD_I64, n, &parent);
    if (!status) status = hd_gather(f->ctx, q->t.parent, q->t.order, parent, NULL);
    if (!status) status = hd_gather(f->ctx, q->t.preorder, parent, q->least, NULL); // -1 gives 0
    return status ? status : hd__frame_drop(f, &parent);
}

// least becomes that of ranges twice as long.
static hd_status widen(hd__frame *f, queries *q, int64_t length)
{
    const int64_t left = q->t.n - 2 * length + 1;
    const hd_view both = q->wider;
    if (left <= 0) return HD_OK;
    const hd_status status =
        hd_map(f->ctx, hd__frame_part(q->least, 0, left), lesser, hd__frame_part(both, 0, left),
               &(hd_map_options){.with = HD_VIEWS(hd__frame_part(q->least, length, left))});
    q->wider = q->least, q->least = both;
    return status;
}

// The queries with so many digits: two ranges of that length cover low + 1 .. high.
static hd_status answer(hd__frame *f, queries *q, int64_t digits)
{
    const int64_t from = q->first[digits], count = q->first[digits + 1] - from;
    const hd_view low = hd__frame_part(q->low, from, count);
    const hd_view high = hd__frame_part(q->high, from, count);
    const hd_view out = hd__frame_part(q->answer, from, count);
    if (count == 0) return HD_OK;
    if (digits == 0) return hd_map(f->ctx, low, NULL, out, NULL);
    const int64_t one = 1, back = 1 - ((int64_t)1 << (digits - 1));
    hd_status status = hd_map(f->ctx, low, HD_WITH_STATE(moved, &one), low, NULL);
    if (!status) status = hd_map(f->ctx, high, HD_WITH_STATE(moved, &back), high, NULL);
    if (status) return status;
    return hd_map(f->ctx, hd_indexed(q->least, low), lesser, out,
                  &(hd_map_options){.with = HD_VIEWS(hd_indexed(q->least, high))});
}

static hd_status answer_all(hd__frame *f, queries *q)
{
    hd_status status = answer(f, q, 0);
    for (int64_t digits = 1; digits < MOST_DIGITS && q->first[digits] < q->count && !status;
         digits++) {
        status = answer(f, q, digits);
        if (!status) status = widen(f, q, (int64_t)1 << (digits - 1));
    }
    return status;
}

// The nodes of the numbers, where the queries stood.
static hd_status give(hd__frame *f, const queries *q, hd_view out)
{
    hd_view node;
    hd_status status = hd__frame_row(f, out.type, q->count, &node);
    if (!status) status = hd_map(f->ctx, hd_indexed(q->t.order, q->answer), NULL, node, NULL);
    if (status) return status;
    return hd_scatter(f->ctx, node, q->from, out, &(hd_scatter_options){.unique = true});
}

static hd_status check(hd__frame *f, hd_view parent, hd_view a, hd_view b, hd_view out)
{
    const int64_t count = hd_count(a);
    if (a.ndim != 1 || b.ndim != 1 || out.ndim != 1 || hd_count(b) != count ||
        hd_count(out) != count)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "a has %" PRId64 " elements, b %" PRId64 " and out %" PRId64
                              "; expected as many, in one dimension",
                              count, hd_count(b), hd_count(out));
    hd_status status = hd__frame_indices_hold(f, "out", out, hd_count(parent));
    if (!status) status = hd__frame_check_out(f, "out", out);
    return status ? status : hd__frame_check_apart(f, "out", out, "parent", parent);
}

hd_status hd_tree_ancestors(hd_context *ctx, hd_view parent, hd_view a, hd_view b, hd_view out,
                            const hd_tree_ancestors_options *options)
{
    hd__frame f;
    queries q = {.count = hd_count(a)};
    hd_tree_ancestors_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_tree_ancestors", parent);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, parent, a, b, out);
    if (!status) status = hd__tour_open(&f, parent, &q.t);
    if (!status) status = take_queries(&f, &q, a, b);
    if (!status) status = begin(&f, &q);
    if (!status) status = answer_all(&f, &q);
    if (!status) status = give(&f, &q, out);
    return hd__frame_close(&f, status);
}
