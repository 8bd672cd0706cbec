// SPDX-License-Identifier: Apache-2.0
//
// The calls of every_call.h that order: sort, merge, search, sets, ranks.
#include <stddef.h>

#include <heddle_teaching.h>

#include "tests/support/every_call/rows.h"

HD_COMPARISON(every_less, float, HD_NO_SOURCE, { return a < b; })

RUN(sort_rows)
{
    (void)number;
    return hd_sort(ctx, v[0], v[1], HD_VALUES(v[2], v[3]), &(hd_sort_options){.axis = HD_AXIS(-1)});
}

RUN(argsort_columns)
{
    (void)number;
    return hd_sort(ctx, v[0], HD_EMPTY, HD_NO_VALUES,
                   &(hd_sort_options){.indices = HD_REF(v[1]), .axis = HD_AXIS(-2)});
}

RUN(merge_rows)
{
    (void)number;
    return hd_merge(ctx, v[0], v[1], v[2], HD_VALUES(v[3], v[4], v[5]),
                    &(hd_merge_options){.axis = HD_AXIS(0), .indices = HD_REF(v[6])});
}

RUN(search_rows)
{
    (void)number;
    return hd_search(ctx, v[0], v[1], v[2], &(hd_search_options){.axis = HD_AXIS(1)});
}

RUN(top_k_rows)
{
    (void)number;
    return hd_top_k(ctx, v[0], 2, v[1], HD_VALUES(v[2], v[3]),
                    &(hd_top_k_options){.axis = HD_AXIS(1), .indices = HD_REF(v[4])});
}

RUN(is_sorted)
{
    return hd_is_sorted(ctx, v[0], one(number), &(hd_is_sorted_options){.comparison = every_less});
}

RUN(sort)
{
    (void)number;
    return hd_sort(ctx, v[0], v[1], HD_VALUES(v[2], v[3]),
                   &(hd_sort_options){.segments = HD_REF(v[4])});
}

RUN(argsort)
{
    (void)number;
    return hd_sort(ctx, v[0], HD_EMPTY, HD_NO_VALUES, &(hd_sort_options){.indices = HD_REF(v[1])});
}

RUN(sort_by)
{
    (void)number;
    return hd_sort(ctx, v[0], v[1], HD_VALUES(v[2], v[3]),
                   &(hd_sort_options){.comparison = every_less, .indices = HD_REF(v[4])});
}

RUN(merge)
{
    (void)number;
    return hd_merge(ctx, v[0], v[1], v[2], HD_VALUES(v[3], v[4], v[5]), NULL);
}

RUN(search)
{
    (void)number;
    return hd_search(ctx, v[0], v[1], v[2], NULL);
}

RUN(top_k)
{
    (void)number;
    return hd_top_k(ctx, v[0], 3, v[1], HD_NO_VALUES, &(hd_top_k_options){.indices = HD_REF(v[2])});
}

RUN(set_union)
{
    return hd_set_union(ctx, v[0], v[1], v[2], one(number),
                        &(hd_set_options){.indices = HD_REF(v[3]), .comparison = every_less});
}

RUN(set_values)
{
    return hd_set_union(ctx, v[0], v[1], HD_EMPTY, one(number),
                        &(hd_set_options){.value_views = HD_VALUES(v[2], v[3], v[4])});
}

RUN(set_intersection)
{
    return hd_set_intersection(ctx, v[0], v[1], v[2], one(number), NULL);
}

RUN(set_difference)
{
    return hd_set_difference(ctx, v[0], v[1], v[2], one(number), NULL);
}

RUN(set_symmetric_difference)
{
    return hd_set_symmetric_difference(ctx, v[0], v[1], v[2], one(number), NULL);
}

RUN(nth)
{
    (void)number;
    return hd_nth(ctx, v[0], v[1], v[2],
                  &(hd_nth_options){.indices = HD_REF(v[3]), .axis = HD_AXIS(0)});
}

RUN(nth_segments)
{
    (void)number;
    return hd_nth(ctx, v[0], v[1], v[2],
                  &(hd_nth_options){.segments = HD_REF(v[3]), .comparison = every_less});
}

RUN(quantiles)
{
    (void)number;
    return hd_quantiles(ctx, v[0], v[1], v[2], NULL);
}

RUN(quicksort)
{
    return hd_quicksort(ctx, v[0], v[1], &(hd_steps_options){.steps = HD_REF(one(number))});
}

RUN(split_sort)
{
    return hd_split_sort(ctx, v[0], v[1], &(hd_steps_options){.scans = HD_REF(one(number))});
}

const every_call every_order_calls[] = {
    {"hd_sort of rows",
     sort_rows,
     NULL,
     {PLANE("keys_in", HD_F32, 2, 4), PLANE("keys_out", HD_F32, 2, 4),
      PLANE("values in", HD_I16, 2, 4), PLANE("values out", HD_I16, 2, 4)}},
    {"hd_sort, indices of columns",
     argsort_columns,
     NULL,
     {PLANE("keys", HD_U16, 4, 2), PLANE("indices", HD_I32, 4, 2)}},
    {"hd_merge of rows",
     merge_rows,
     NULL,
     {PLANE("a", HD_F32, 4, 2), PLANE("b", HD_F32, 2, 2), PLANE("out", HD_F32, 6, 2),
      PLANE("a values", HD_I16, 4, 2), PLANE("b values", HD_I16, 2, 2),
      PLANE("out values", HD_I16, 6, 2), PLANE("indices", HD_I32, 6, 2)}},
    {"hd_search of rows",
     search_rows,
     NULL,
     {PLANE("sorted", HD_F32, 2, 4), PLANE("queries", HD_F32, 2, 3), PLANE("out", HD_I32, 2, 3)}},
    {"hd_top_k of rows",
     top_k_rows,
     NULL,
     {PLANE("keys_in", HD_F32, 2, 4), PLANE("keys_out", HD_F32, 2, 2),
      PLANE("values in", HD_I16, 2, 4), PLANE("values out", HD_I16, 2, 2),
      PLANE("indices", HD_I64, 2, 2)}},
    {"hd_set_union with values",
     set_values,
     "count",
     {ROW("a", HD_F32, 8), ROW("b", HD_F32, 4), ROW("a of values", HD_I32, 8),
      ROW("b of values", HD_I32, 4), ROW("out of values", HD_I32, 12)}},
    {"hd_set_union",
     set_union,
     "count",
     {ROW("a", HD_F32, 8), ROW("b", HD_F32, 4), ROW("out", HD_F32, 12),
      ROW("indices", HD_I32, 12)}},
    {"hd_set_intersection",
     set_intersection,
     "count",
     {ROW("a", HD_I16, 8), ROW("b", HD_I16, 4), ROW("out", HD_I16, 12)}},
    {"hd_set_difference",
     set_difference,
     "count",
     {ROW("a", HD_I16, 8), ROW("b", HD_I16, 4), ROW("out", HD_I16, 12)}},
    {"hd_set_symmetric_difference",
     set_symmetric_difference,
     "count",
     {ROW("a", HD_I16, 8), ROW("b", HD_I16, 4), ROW("out", HD_I16, 12)}},
    {"hd_nth of rows",
     nth,
     NULL,
     {PLANE("in", HD_F32, 8, 2), ROW("ranks", HD_I32, 3), PLANE("out", HD_F32, 3, 2),
      PLANE("indices", HD_I64, 3, 2)}},
    {"hd_nth of segments",
     nth_segments,
     NULL,
     {ROW("in", HD_F32, 8), ZEROS("ranks", HD_I32, 1), PLANE("out", HD_F32, 1, 1),
      ROW("segments", HD_I32, 2)}},
    {"hd_quantiles",
     quantiles,
     NULL,
     {ROW("in", HD_I16, 8), ZEROS("probabilities", HD_F64, 2), ROW("out", HD_F32, 2)}},
    {"hd_is_sorted", is_sorted, "position", {ROW("in", HD_F32, 8)}},
    {"hd_sort",
     sort,
     NULL,
     {ROW("keys_in", HD_F32, 8), ROW("keys_out", HD_F32, 8), ROW("values in", HD_I16, 8),
      ROW("values out", HD_I16, 8), ROW("segments", HD_I64, 9)}},
    {"hd_sort, indices", argsort, NULL, {ROW("keys", HD_F16, 8), ROW("indices", HD_I32, 8)}},
    {"hd_sort by comparison",
     sort_by,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("values in", HD_I64, 8),
      ROW("values out", HD_I64, 8), ROW("indices", HD_I32, 8)}},
    {"hd_merge",
     merge,
     NULL,
     {ROW("a", HD_F32, 8), ROW("b", HD_F32, 4), ROW("out", HD_F32, 12), ROW("a values", HD_I16, 8),
      ROW("b values", HD_I16, 4), ROW("out values", HD_I16, 12)}},
    {"hd_search",
     search,
     NULL,
     {ROW("sorted", HD_F32, 8), ROW("queries", HD_F32, 8), ROW("out", HD_I32, 8)}},
    {"hd_top_k",
     top_k,
     NULL,
     {ROW("keys_in", HD_F32, 8), ROW("keys_out", HD_F32, 3), ROW("indices", HD_I64, 3)}},
    {"hd_quicksort", quicksort, "steps", {ROW("keys", HD_F32, 8), ROW("out", HD_F32, 8)}},
    {"hd_split_sort", split_sort, "scans", {ROW("keys", HD_I64, 8), ROW("out", HD_I64, 8)}},
    {0},
};
