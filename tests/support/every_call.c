// SPDX-License-Identifier: Apache-2.0
//
// The calls of every_call.h.
#include "every_call.h"

#include <stddef.h>
#include <string.h>

#include <heddle_teaching.h>

HD_FUNCTION(every_add, float, HD_NO_SOURCE, (float, a, float, b), { return a + b; })
HD_FUNCTION(every_bin, int32_t, HD_NO_SOURCE, (int32_t, a, float, b), { return b < 0 ? 0 : a; })
HD_COMPARISON(every_less, float, HD_NO_SOURCE, { return a < b; })

typedef struct every_pair {
    float x;
    int32_t y;
} every_pair;

// What a call gives as a number, or nothing.
static hd_view one(int64_t *number)
{
    return number != NULL ? HD_VIEW(number, 1) : HD_EMPTY;
}

#define RUN(name) static hd_status name(hd_context *ctx, const hd_view *v, int64_t *number)

RUN(map)
{
    (void)number;
    return hd_map(ctx, v[0], every_add, v[2], &(hd_map_options){.with = HD_VIEWS(v[1])});
}

RUN(copy)
{
    (void)number;
    return hd_map(ctx, v[0], NULL, v[1], NULL);
}

RUN(reduce)
{
    (void)number;
    return hd_reduce(ctx, v[0], HD_SUM, v[1], NULL);
}

RUN(reduce_segments)
{
    (void)number;
    return hd_reduce(ctx, v[0], HD_ARGMIN, v[1],
                     &(hd_reduce_options){.segments = HD_REF(v[2]),
                                          .values = HD_REF(v[3]),
                                          .map = every_add,
                                          .with = HD_VIEWS(v[4])});
}

RUN(reduce_filtered)
{
    (void)number;
    return hd_reduce(ctx, v[0], HD_SUM, v[1], &(hd_reduce_options){.flags = HD_REF(v[2])});
}

RUN(reduce_runs)
{
    return hd_reduce(ctx, v[0], HD_SUM, v[1],
                     &(hd_reduce_options){.keys = HD_REF(v[2]),
                                          .keys_out = HD_REF(v[3]),
                                          .runs = HD_REF(one(number))});
}

RUN(reduce_bounds)
{
    return hd_reduce(ctx, v[0], HD_SUM, v[1],
                     &(hd_reduce_options){.keys = HD_REF(v[2]),
                                          .bound = HD_REF(v[3]),
                                          .runs = HD_REF(one(number)),
                                          .accumulate = HD_F64});
}

RUN(scan_residuals)
{
    (void)number;
    return hd_scan(ctx, v[0], HD_SUM_COMPENSATED, v[1],
                   &(hd_scan_options){.residual = HD_REF(v[2]), .exclusive = true});
}

RUN(scan)
{
    (void)number;
    return hd_scan(ctx, v[0], HD_SUM, v[1], NULL);
}

RUN(scan_segments)
{
    (void)number;
    return hd_scan(ctx, v[0], HD_ARGMAX, v[1],
                   &(hd_scan_options){.segments = HD_REF(v[2]),
                                      .values = HD_REF(v[3]),
                                      .map = every_add,
                                      .with = HD_VIEWS(v[4]),
                                      .backward = true});
}

RUN(scan_keys)
{
    (void)number;
    return hd_scan(ctx, v[0], HD_SUM, v[1], &(hd_scan_options){.keys = HD_REF(v[2])});
}

RUN(reduce_rows)
{
    (void)number;
    return hd_reduce(ctx, v[0], HD_ARGMIN, v[1],
                     &(hd_reduce_options){.axis = HD_AXIS(-1), .values = HD_REF(v[2])});
}

RUN(scan_rows)
{
    (void)number;
    return hd_scan(ctx, v[0], HD_ARGMIN, v[1],
                   &(hd_scan_options){.axis = HD_AXIS(-1), .values = HD_REF(v[2])});
}

RUN(scan_columns)
{
    (void)number;
    return hd_scan(ctx, v[0], HD_SUM, v[1],
                   &(hd_scan_options){.axis = HD_AXIS(-2), .backward = true});
}

RUN(gather_slices)
{
    return hd_gather(ctx, v[0], v[1], v[2],
                     &(hd_gather_options){.bad = HD_REF(one(number)), .axis = HD_AXIS(-1)});
}

RUN(difference_rows)
{
    (void)number;
    return hd_difference(ctx, v[0], v[1], &(hd_difference_options){.axis = HD_AXIS(-1)});
}

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

RUN(gather)
{
    return hd_gather(ctx, v[0], v[1], v[2],
                     &(hd_gather_options){.bad = HD_REF(one(number)),
                                          .function = every_add,
                                          .with = HD_VIEWS(v[3])});
}

RUN(scatter)
{
    return hd_scatter(ctx, v[0], v[1], v[2],
                      &(hd_scatter_options){
                          .bad = HD_REF(one(number)), .map = every_add, .with = HD_VIEWS(v[3])});
}

RUN(scatter_sums)
{
    return hd_scatter(ctx, v[0], v[1], v[2],
                      &(hd_scatter_options){.bad = HD_REF(one(number)), .combine = HD_SUM});
}

RUN(find)
{
    return hd_find(ctx, v[0], one(number),
                   &(hd_find_options){.map = every_add, .with = HD_VIEWS(v[1])});
}

RUN(mismatch)
{
    return hd_mismatch(ctx, v[0], v[1], one(number), NULL);
}

RUN(is_sorted)
{
    return hd_is_sorted(ctx, v[0], one(number), &(hd_is_sorted_options){.comparison = every_less});
}

RUN(reverse)
{
    (void)number;
    return hd_reverse(ctx, v[0], v[1], NULL);
}

RUN(rotate)
{
    (void)number;
    return hd_rotate(ctx, v[0], 3, v[1], &(hd_rotate_options){.axis = HD_AXIS(-1)});
}

RUN(random_numbers)
{
    (void)number;
    return hd_random(ctx, v[0], NULL);
}

RUN(reduce_many)
{
    (void)number;
    return hd_reduce_many(ctx, v[0], HD_OPERATORS(HD_MIN, HD_SUM), HD_VIEWS(v[2], v[3]),
                          &(hd_reduce_many_options){.map = every_add, .with = HD_VIEWS(v[1])});
}

RUN(map_many)
{
    (void)number;
    return hd_map_many(ctx, v[0], HD_FUNCTIONS(every_add, NULL), HD_VIEWS(v[2], v[3]),
                       &(hd_map_many_options){.with = HD_VIEWS(v[1])});
}

RUN(difference)
{
    (void)number;
    return hd_difference(ctx, v[0], v[1], NULL);
}

RUN(shuffle)
{
    (void)number;
    return hd_shuffle(ctx, v[0], v[1], NULL);
}

RUN(stencil)
{
    (void)number;
    return hd_stencil(ctx, v[0], v[1], v[2], v[3], NULL);
}

RUN(convolve)
{
    (void)number;
    return hd_convolve(ctx, v[0], v[1], v[2], NULL);
}

RUN(blur)
{
    (void)number;
    return hd_blur(ctx, v[0], 1, v[1], NULL);
}

RUN(transpose)
{
    (void)number;
    return hd_transpose(ctx, v[0], v[1], NULL);
}

RUN(zip)
{
    (void)number;
    return hd_zip(ctx, HD_VIEWS(v[0], v[1]), v[2], NULL);
}

RUN(unzip)
{
    (void)number;
    return hd_unzip(ctx, v[0], HD_VIEWS(v[1], v[2]), NULL);
}

RUN(compact)
{
    return hd_compact(ctx, v[0], v[1], one(number),
                      &(hd_compact_options){.flags = HD_REF(v[2]), .indices = HD_REF(v[3])});
}

RUN(compact_kept)
{
    return hd_compact(ctx, v[0], v[1], one(number),
                      &(hd_compact_options){.keep = every_bin, .with = HD_VIEWS(v[2])});
}

RUN(partition)
{
    (void)number;
    return hd_partition(
        ctx, v[0], v[1], v[2],
        &(hd_partition_options){
            .buckets = HD_REF(v[3]), .ways = 8, .offsets = HD_REF(v[4]), .indices = HD_REF(v[5])});
}

RUN(partition_two)
{
    (void)number;
    return hd_partition(ctx, v[0], v[1], v[2], &(hd_partition_options){.flags = HD_REF(v[3])});
}

RUN(unique)
{
    return hd_unique(ctx, v[0], v[1], one(number), &(hd_unique_options){.indices = HD_REF(v[2])});
}

RUN(run_lengths)
{
    return hd_run_lengths(ctx, v[0], v[1], v[2], one(number),
                          &(hd_run_lengths_options){.indices = HD_REF(v[3])});
}

RUN(expand)
{
    return hd_expand(ctx, v[0], v[1], v[2], one(number), NULL);
}

RUN(histogram)
{
    return hd_histogram(ctx, v[0], v[1],
                        &(hd_histogram_options){.edges = HD_REF(v[2]),
                                                .weights = HD_REF(v[3]),
                                                .clamp = true,
                                                .outside = HD_REF(one(number))});
}

RUN(histogram_two)
{
    return hd_histogram(ctx, v[0], v[1],
                        &(hd_histogram_options){.second = HD_REF(v[2]),
                                                .second_edges = HD_REF(v[3]),
                                                .bin = NULL,
                                                .map = NULL,
                                                .outside = HD_REF(one(number))});
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

RUN(slide)
{
    (void)number;
    return hd_slide(
        ctx, v[0], HD_SUM, 3, v[1],
        &(hd_slide_options){.axis = HD_AXIS(1), .map = every_add, .with = HD_VIEWS(v[2])});
}

RUN(set_union)
{
    return hd_set_union(ctx, v[0], v[1], v[2], one(number),
                        &(hd_set_options){.indices = HD_REF(v[3]), .comparison = every_less});
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

RUN(list_rank)
{
    return hd_list_rank(ctx, v[0], v[1],
                        &(hd_list_options){.heads = HD_REF(v[2]), .lists = HD_REF(one(number))});
}

RUN(list_scan)
{
    return hd_list_scan(ctx, v[0], v[1], HD_SUM, v[2],
                        &(hd_list_options){.steps = HD_REF(one(number))});
}

RUN(forest_roots)
{
    return hd_forest_roots(
        ctx, v[0], v[1], &(hd_forest_options){.depth = HD_REF(v[2]), .work = HD_REF(one(number))});
}

RUN(maximum)
{
    (void)number;
    hd_maximum_result result;
    return hd_maximum(ctx, v[0], &result, NULL);
}

RUN(quicksort)
{
    return hd_quicksort(ctx, v[0], v[1], &(hd_steps_options){.steps = HD_REF(one(number))});
}

RUN(split_sort)
{
    return hd_split_sort(ctx, v[0], v[1], &(hd_steps_options){.scans = HD_REF(one(number))});
}

RUN(check_operator)
{
    (void)number;
    return hd_check_operator(ctx, HD_MAX, v[0], &(hd_check_options){.trials = 10});
}

#define ROW(name, type, n)                                                                         \
    {                                                                                              \
        name, type, 1, {n, 0}, false                                                               \
    }
#define ZEROS(name, type, n)                                                                       \
    {                                                                                              \
        name, type, 1, {n, 0}, true                                                                \
    }
#define PLANE(name, type, h, w)                                                                    \
    {                                                                                              \
        name, type, 2, {h, w}, false                                                               \
    }

const every_call every_calls[] = {
    {"hd_map", map, NULL, {ROW("in", HD_F32, 8), ROW("with", HD_F32, 8), ROW("out", HD_F32, 8)}},
    {"hd_map without a function",
     copy,
     NULL,
     {PLANE("in", HD_I16, 2, 4), PLANE("out", HD_F64, 2, 4)}},
    {"hd_reduce", reduce, NULL, {ROW("in", HD_I64, 8), ROW("out", HD_I64, 1)}},
    {"hd_reduce of segments",
     reduce_segments,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_I64, 7), ROW("segments", HD_I32, 8),
      ROW("values", HD_F32, 7), ROW("with", HD_F32, 8)}},
    {"hd_reduce of runs",
     reduce_runs,
     "runs",
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("keys", HD_I16, 8),
      ROW("keys_out", HD_I16, 8)}},
    {"hd_reduce of runs with bounds",
     reduce_bounds,
     "runs",
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("keys", HD_I16, 8),
      ROW("bound", HD_F64, 8)}},
    {"hd_scan with residuals",
     scan_residuals,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("residual", HD_F32, 8)}},
    {"hd_scan", scan, NULL, {ROW("in", HD_F64, 8), ROW("out", HD_F64, 8)}},
    {"hd_scan of segments",
     scan_segments,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_I64, 8), ROW("segments", HD_U16, 8),
      ROW("values", HD_F32, 8), ROW("with", HD_F32, 8)}},
    {"hd_scan of runs",
     scan_keys,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("keys", HD_U32, 8)}},
    {"hd_reduce of rows",
     reduce_rows,
     NULL,
     {PLANE("in", HD_F32, 2, 4), ROW("out", HD_I64, 2), ROW("values", HD_F32, 2)}},
    {"hd_scan of rows",
     scan_rows,
     NULL,
     {PLANE("in", HD_F32, 2, 4), PLANE("out", HD_I64, 2, 4), PLANE("values", HD_F32, 2, 4)}},
    {"hd_scan of columns",
     scan_columns,
     NULL,
     {PLANE("in", HD_I32, 4, 2), PLANE("out", HD_I32, 4, 2)}},
    {"hd_gather of slices",
     gather_slices,
     "bad",
     {PLANE("in", HD_F32, 2, 4), ROW("index", HD_I16, 3), PLANE("out", HD_F32, 2, 3)}},
    {"hd_difference of rows",
     difference_rows,
     NULL,
     {PLANE("in", HD_F32, 2, 4), PLANE("out", HD_F32, 2, 4)}},
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
    {"hd_slide",
     slide,
     NULL,
     {PLANE("in", HD_F32, 2, 6), PLANE("out", HD_F32, 2, 4), PLANE("with", HD_F32, 2, 6)}},
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
    {"hd_gather",
     gather,
     "bad",
     {ROW("in", HD_F32, 8), ROW("index", HD_I32, 8), ROW("out", HD_F32, 8),
      ROW("with", HD_F32, 8)}},
    {"hd_scatter",
     scatter,
     "bad",
     {ROW("in", HD_F32, 8), ROW("index", HD_I64, 8), ROW("out", HD_F32, 8),
      ROW("with", HD_F32, 8)}},
    {"hd_scatter of sums",
     scatter_sums,
     "bad",
     {ROW("in", HD_F32, 8), ROW("index", HD_U32, 8), ROW("out", HD_F32, 8)}},
    {"hd_find", find, "position", {ROW("in", HD_F32, 8), ROW("with", HD_F32, 8)}},
    {"hd_mismatch", mismatch, "position", {ROW("a", HD_F32, 8), ROW("b", HD_F32, 8)}},
    {"hd_is_sorted", is_sorted, "position", {ROW("in", HD_F32, 8)}},
    {"hd_reverse", reverse, NULL, {ROW("in", HD_U16, 8), ROW("out", HD_U16, 8)}},
    {"hd_rotate", rotate, NULL, {PLANE("in", HD_I32, 2, 4), PLANE("out", HD_I32, 2, 4)}},
    {"hd_random", random_numbers, NULL, {ROW("out", HD_F32, 8)}},
    {"hd_reduce with flags",
     reduce_filtered,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 1), ROW("flags", HD_I32, 8)}},
    {"hd_reduce_many",
     reduce_many,
     NULL,
     {ROW("in", HD_F32, 8), ROW("with", HD_F32, 8), ROW("out 0", HD_F32, 1),
      ROW("out 1", HD_F32, 1)}},
    {"hd_map_many",
     map_many,
     NULL,
     {ROW("in", HD_F32, 8), ROW("with", HD_F32, 8), ROW("out 0", HD_F32, 8),
      ROW("out 1", HD_F32, 8)}},
    {"hd_difference", difference, NULL, {ROW("in", HD_I32, 8), ROW("out", HD_I32, 8)}},
    {"hd_shuffle", shuffle, NULL, {ROW("in", HD_U16, 8), ROW("out", HD_U16, 8)}},
    {"hd_stencil",
     stencil,
     NULL,
     {ROW("in", HD_F32, 8), ROW("offsets", HD_I64, 3), ROW("weights", HD_F32, 3),
      ROW("out", HD_F32, 8)}},
    {"hd_convolve",
     convolve,
     NULL,
     {PLANE("in", HD_F32, 4, 4), PLANE("mask", HD_F32, 3, 3), PLANE("out", HD_F32, 4, 4)}},
    {"hd_blur", blur, NULL, {PLANE("in", HD_F32, 4, 4), PLANE("out", HD_F32, 4, 4)}},
    {"hd_transpose", transpose, NULL, {PLANE("in", HD_F64, 3, 4), PLANE("out", HD_F64, 4, 3)}},
    {"hd_zip",
     zip,
     NULL,
     {ROW("field 0", HD_F32, 8), ROW("field 1", HD_I32, 8),
      ZEROS("structures", HD_STRUCT(every_pair), 8)}},
    {"hd_unzip",
     unzip,
     NULL,
     {ZEROS("structures", HD_STRUCT(every_pair), 8), ROW("field 0", HD_F32, 8),
      ROW("field 1", HD_I32, 8)}},
    {"hd_compact",
     compact,
     "count",
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("flags", HD_I32, 8),
      ROW("indices", HD_I32, 8)}},
    {"hd_compact by a function",
     compact_kept,
     "count",
     {ROW("in", HD_I32, 8), ROW("out", HD_I32, 8), ROW("with", HD_F32, 8)}},
    {"hd_partition",
     partition,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("counts", HD_I32, 8),
      ROW("buckets", HD_U16, 8), ROW("offsets", HD_I64, 9), ROW("indices", HD_U32, 8)}},
    {"hd_partition two ways",
     partition_two,
     NULL,
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("counts", HD_I32, 2),
      ROW("flags", HD_I16, 8)}},
    {"hd_unique",
     unique,
     "count",
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 8), ROW("indices", HD_I64, 8)}},
    {"hd_run_lengths",
     run_lengths,
     "runs",
     {ROW("in", HD_F32, 8), ROW("values", HD_F32, 8), ROW("lengths", HD_I32, 8),
      ROW("indices", HD_I32, 8)}},
    {"hd_expand",
     expand,
     "count",
     {ROW("values", HD_F32, 8), ROW("lengths", HD_I32, 8), ROW("out", HD_F32, 32)}},
    {"hd_histogram",
     histogram,
     "outside",
     {ROW("in", HD_F32, 8), ROW("out", HD_F32, 4), ROW("edges", HD_F64, 5),
      ROW("weights", HD_F32, 8)}},
    {"hd_histogram of two",
     histogram_two,
     "outside",
     {ROW("in", HD_I32, 8), PLANE("out", HD_I32, 8, 4), ROW("second", HD_F32, 8),
      ROW("second_edges", HD_F32, 5)}},
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
    {"hd_list_rank",
     list_rank,
     "lists",
     {ROW("next", HD_I32, 8), ROW("out", HD_I32, 8), ROW("heads", HD_I32, 8)}},
    {"hd_list_scan",
     list_scan,
     "steps",
     {ROW("next", HD_I32, 8), ROW("values", HD_F32, 8), ROW("out", HD_F32, 8)}},
    {"hd_forest_roots",
     forest_roots,
     "work",
     {ROW("parent", HD_I32, 8), ROW("out", HD_I32, 8), ROW("depth", HD_I64, 8)}},
    {"hd_maximum", maximum, NULL, {ROW("in", HD_F32, 8)}},
    {"hd_quicksort", quicksort, "steps", {ROW("keys", HD_F32, 8), ROW("out", HD_F32, 8)}},
    {"hd_split_sort", split_sort, "scans", {ROW("keys", HD_I64, 8), ROW("out", HD_I64, 8)}},
    {"hd_check_operator", check_operator, NULL, {ROW("samples", HD_F32, 8)}},
};

const int every_call_count = (int)(sizeof every_calls / sizeof *every_calls);

static void put(hd_type type, unsigned char *at, int64_t i)
{
    const size_t size = hd_type_size(type);
    const float f = (float)i;
    const double d = (double)i;
    if (type == HD_F32)
        memcpy(at, &f, sizeof f);
    else if (type == HD_F64)
        memcpy(at, &d, sizeof d);
    else
        memcpy(at, &i, size); // the lowest bytes first; as f16 they rise as well
}

int every_views(const every_call *call, hd_view *v)
{
    static _Alignas(64) unsigned char memory[EVERY_SLOTS][EVERY_ROOM];
    int k = 0;
    memset(memory, 0, sizeof memory);
    for (; k < EVERY_SLOTS && call->slot[k].name != NULL; k++) {
        const every_slot *s = &call->slot[k];
        v[k] = hd_view_nd(s->type, memory[k], s->ndim, s->shape, NULL);
        for (int64_t i = 0; !s->zero && i < hd_count(v[k]); i++)
            put(s->type, memory[k] + (size_t)i * hd_type_size(s->type), i);
    }
    return k;
}
