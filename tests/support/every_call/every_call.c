// SPDX-License-Identifier: Apache-2.0
//
// The calls of every_call.h but for the order family, which is in order.c; views for a call.
#include "tests/support/every_call/every_call.h"

#include <stddef.h>
#include <string.h>

#include <heddle_teaching.h>

#include "tests/support/every_call/rows.h"

HD_FUNCTION(every_add, float, HD_NO_SOURCE, (float, a, float, b), { return a + b; })
HD_FUNCTION(every_bin, int32_t, HD_NO_SOURCE, (int32_t, a, float, b), { return b < 0 ? 0 : a; })

typedef struct every_pair {
    float x;
    int32_t y;
} every_pair;

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

RUN(reduce_many_segments)
{
    (void)number;
    return hd_reduce_many(ctx, v[0], HD_OPERATORS(HD_MIN, HD_SUM), HD_VIEWS(v[2], v[3]),
                          &(hd_reduce_many_options){.segments = HD_REF(v[1])});
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

RUN(histogram_slices)
{
    (void)number;
    return hd_histogram(ctx, v[0], v[1],
                        &(hd_histogram_options){.segments = HD_REF(v[2]),
                                                .weights = HD_REF(v[3]),
                                                .outside = HD_REF(v[4])});
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

RUN(slide)
{
    (void)number;
    return hd_slide(
        ctx, v[0], HD_SUM, 3, v[1],
        &(hd_slide_options){.axis = HD_AXIS(1), .map = every_add, .with = HD_VIEWS(v[2])});
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

RUN(check_operator)
{
    (void)number;
    return hd_check_operator(ctx, HD_MAX, v[0], &(hd_check_options){.trials = 10});
}

static const every_call calls[] = {
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
    {"hd_slide",
     slide,
     NULL,
     {PLANE("in", HD_F32, 2, 6), PLANE("out", HD_F32, 2, 4), PLANE("with", HD_F32, 2, 6)}},
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
    {"hd_reduce_many of segments",
     reduce_many_segments,
     NULL,
     {ROW("in", HD_F32, 8), ROW("segments", HD_I32, 4), ROW("out 0", HD_F32, 3),
      ROW("out 1", HD_F32, 3)}},
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
    {"hd_histogram of segments",
     histogram_slices,
     NULL,
     {ROW("in", HD_I32, 8), PLANE("out", HD_F32, 3, 4), ROW("segments", HD_I32, 4),
      ROW("weights", HD_F32, 8), ROW("outside", HD_I64, 3)}},
    {"hd_histogram of two",
     histogram_two,
     "outside",
     {ROW("in", HD_I32, 8), PLANE("out", HD_I32, 8, 4), ROW("second", HD_F32, 8),
      ROW("second_edges", HD_F32, 5)}},
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
    {"hd_check_operator", check_operator, NULL, {ROW("samples", HD_F32, 8)}},
};

const every_call *every_call_at(int k)
{
    const int count = (int)(sizeof calls / sizeof *calls);
    if (k < count) return &calls[k];
    k -= count;
    for (const every_call *c = every_order_calls; c->name != NULL; c++, k--)
        if (k == 0) return c;
    return NULL;
}

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
