// SPDX-License-Identifier: Apache-2.0
//
// Sort over hostile segments; sort, merge, search and top-k by comparisons that are no order and
// over arrays that are not sorted.
#include "hostile.h"

#include <stdlib.h>
#include <string.h>

HD_SOURCE(
    sort_things, typedef struct { uint32_t key, id; } sort_record;)
// Not irreflexive, not transitive: nothing that a sort may rely on.
HD_COMPARISON(sort_absurd, sort_record, sort_things,
              { return (a.key * 2654435761u ^ b.key * 40503u) % 7 < 4; })
HD_COMPARISON(sort_always, sort_record, sort_things, { return a.key + 1 > 0 || b.key == 0; })

enum { ABSURD, DESCENDING, K };

static const hd_comparison *comparison_of(const hostile_call *c)
{
    return c->choice[ABSURD] == 1 ? sort_absurd : c->choice[ABSURD] == 2 ? sort_always : NULL;
}

static hd_status sort_segments(hd_context *ctx, hostile_call *c)
{
    return hd_sort(
        ctx, c->in[0].view, c->out[0].view, HD_NO_VALUES,
        &(hd_sort_options){.segments = HD_REF(c->in[1].view), .descending = c->choice[DESCENDING]});
}

static hd_status argsort_segments(hd_context *ctx, hostile_call *c)
{
    return hd_sort(ctx, c->in[0].view, HD_EMPTY, HD_NO_VALUES,
                   &(hd_sort_options){.indices = HD_REF(c->out[0].view),
                                      .segments = HD_REF(c->in[1].view),
                                      .descending = c->choice[DESCENDING]});
}

static void draw_segments(hostile *h)
{
    const bool indices = hostile_below(h, 2);
    hostile_call c = {.name = indices ? "argsort of segments" : "sort of segments",
                      .run = indices ? argsort_segments : sort_segments};
    const hd_type type = hostile_number_type(h), offset_type = hostile_integer_type(h);
    const int64_t n = hostile_size(h), count = 1 + hostile_size(h) / 2;
    hostile_dense(h, &c, type, n);
    check_fill(type, c.elements[0], n, CHECK_SPECIAL, hostile_next(h));
    hostile_dense(h, &c, offset_type, count);
    hostile_offsets(h, offset_type, count, n, c.elements[1]);
    c.choice[DESCENDING] = hostile_below(h, 2);
    c.out[0] = check_new(indices ? HD_I64 : type, n, CHECK_DENSE, hostile_below(h, 2)), c.outs = 1;
    hostile_run(h, &c);
}

// Records, or numbers that nobody sorted.
static int64_t draw_unsorted(hostile *h, hostile_call *c, hd_type type)
{
    const int64_t n = hostile_size(h);
    const bool record = type == HD_STRUCT(sort_record);
    c->in[c->ins] = check_new(type, n, CHECK_DENSE, hostile_below(h, 2));
    c->elements[c->ins] = check_memory(hd_type_size(type) * (size_t)n);
    check_fill(record ? HD_U32 : type, c->elements[c->ins], record ? 2 * n : n, CHECK_SPECIAL,
               hostile_next(h));
    c->ins++;
    return n;
}

static hd_status sort_by(hd_context *ctx, hostile_call *c)
{
    return hd_sort(
        ctx, c->in[0].view, c->out[0].view, HD_NO_VALUES,
        &(hd_sort_options){.comparison = comparison_of(c), .indices = HD_REF(c->out[1].view)});
}

static hd_status merge(hd_context *ctx, hostile_call *c)
{
    return hd_merge(ctx, c->in[0].view, c->in[1].view, c->out[0].view, HD_NO_VALUES,
                    &(hd_merge_options){.comparison = comparison_of(c)});
}

static hd_status search(hd_context *ctx, hostile_call *c)
{
    return hd_search(ctx, c->in[0].view, c->in[1].view, c->out[0].view,
                     &(hd_search_options){.comparison = comparison_of(c)});
}

static hd_status top_k(hd_context *ctx, hostile_call *c)
{
    return hd_top_k(ctx, c->in[0].view, c->choice[K], c->out[0].view, HD_NO_VALUES,
                    &(hd_top_k_options){.comparison = comparison_of(c),
                                        .ascending = true,
                                        .indices = HD_REF(c->out[1].view)});
}

static void draw_unordered(hostile *h)
{
    static hd_status (*const runs[])(hd_context *, hostile_call *) = {sort_by, merge, search,
                                                                      top_k};
    static const char *const names[] = {"sort by", "merge", "search", "top-k"};
    const int64_t which = hostile_below(h, 4);
    // The result is some permutation, or some numbers: that it is one is
    // tests/sort/test_sort_comparison.c's.
    hostile_call c = {.name = names[which], .run = runs[which], .only_safe = true};
    c.choice[ABSURD] = which == 0 ? 1 + hostile_below(h, 2) : hostile_below(h, 3);
    const hd_type type = c.choice[ABSURD] ? HD_STRUCT(sort_record) : hostile_number_type(h);
    const int64_t a = draw_unsorted(h, &c, type);
    const int64_t b = which == 1 || which == 2 ? draw_unsorted(h, &c, type) : 0;
    const int64_t k = c.choice[K] =
        hostile_below(h, 2) ? hostile_below(h, 50) : hostile_below(h, a + 2);
    const int64_t n[4] = {a, a + b, b, k};
    c.out[0] = check_new(which == 2 ? HD_I64 : type, n[which], CHECK_DENSE, hostile_below(h, 2));
    c.outs = 1;
    if (which == 0 || which == 3)
        c.out[c.outs++] = check_new(HD_I64, n[which], CHECK_DENSE, hostile_below(h, 2));
    hostile_run(h, &c);
}

void hostile_sort(hostile *h)
{
    if (hostile_below(h, 2))
        draw_segments(h);
    else
        draw_unordered(h);
}
