// SPDX-License-Identifier: Apache-2.0
//
// Calls by which `auto` is measured, and their arrays.
#include "sample_calls.h"

#include "bench/harness/indices.h"
#include "bench/support/clock.h"
#include "bench/support/mix.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 256, COLUMNS = 1024 };

HD_FUNCTION(doubled, float, HD_NO_SOURCE, (float, x), { return 2 * x + 1; })
HD_COMPARISON(less_u32, uint32_t, HD_NO_SOURCE, { return a < b; })

static hd_view retyped(hd_view v, hd_type type)
{
    v.type = type;
    return v;
}

static hd_view part(hd_view v, int64_t begin, int64_t n)
{
    return hd_slice(v, 0, begin, n, 1);
}

// Rows of so many columns, as far as whole ones go.
static hd_view matrix(hd_view v, int64_t columns)
{
    const int64_t n = v.shape[0], width = n < columns ? n : columns;
    hd_view m = hd_view_nd(v.type, v.data, 2, (const int64_t[]){n / width, width}, NULL);
    m.space = v.space, m.device = v.device;
    return m;
}

#define ARRAY(which) (a->array[SAMPLE_##which])
#define OUT_AS(type) retyped(ARRAY(OUT), type)
#define NUMBER(type) part(retyped(ARRAY(NUMBERS), type), 0, 1)
#define RUN(name)    static hd_status name(hd_context *ctx, const sample_arrays *a)

RUN(run_sum)
{
    return hd_reduce(ctx, ARRAY(FLOATS), HD_SUM, NUMBER(HD_F32), NULL);
}

RUN(run_scan)
{
    return hd_scan(ctx, ARRAY(FLOATS), HD_SUM, OUT_AS(HD_F32), NULL);
}

RUN(run_compact)
{
    const hd_compact_options options = {.flags = &ARRAY(FLAGS)};
    return hd_compact(ctx, ARRAY(KEYS), OUT_AS(HD_U32), NUMBER(HD_I64), &options);
}

RUN(run_gather)
{
    return hd_gather(ctx, ARRAY(KEYS), ARRAY(INDEX), OUT_AS(HD_U32), NULL);
}

RUN(run_scatter)
{
    return hd_scatter(ctx, ARRAY(KEYS), ARRAY(INDEX), OUT_AS(HD_U32), NULL);
}

RUN(run_histogram)
{
    return hd_histogram(ctx, ARRAY(BINS), ARRAY(NUMBERS), NULL);
}

RUN(run_sort)
{
    return hd_sort(ctx, ARRAY(KEYS), OUT_AS(HD_U32), HD_NO_VALUES, NULL);
}

RUN(run_sort_by)
{
    const hd_sort_options options = {.comparison = less_u32};
    return hd_sort(ctx, ARRAY(KEYS), OUT_AS(HD_U32), HD_NO_VALUES, &options);
}

RUN(run_merge)
{
    const int64_t half = a->n / 2;
    return hd_merge(ctx, part(ARRAY(SORTED), 0, half), part(ARRAY(SORTED), half, a->n - half),
                    ARRAY(OUT), HD_NO_VALUES, NULL);
}

static hd_status transpose(hd_context *ctx, const sample_arrays *a, hd_type type)
{
    const hd_view in = matrix(retyped(ARRAY(KEYS), type), COLUMNS);
    hd_view out = matrix(OUT_AS(type), COLUMNS);
    out = hd_view_nd(type, out.data, 2, (const int64_t[]){in.shape[1], in.shape[0]}, NULL);
    out.space = in.space, out.device = in.device;
    return hd_transpose(ctx, in, out, NULL);
}

RUN(run_transpose)
{
    return transpose(ctx, a, HD_F32);
}

RUN(run_random)
{
    return hd_random(ctx, OUT_AS(HD_F32), NULL);
}

RUN(run_list)
{
    return hd_list_rank(ctx, ARRAY(NEXT), ARRAY(OUT), NULL);
}

// Masks that are no column times a row.
static hd_status convolve(hd_context *ctx, const sample_arrays *a, int64_t side)
{
    float mask[31 * 31];
    for (int64_t k = 0; k < side * side; k++) mask[k] = (float)(k * k % 7) + 1;
    const hd_view m = hd_view_nd(HD_F32, mask, 2, (const int64_t[]){side, side}, NULL);
    return hd_convolve(ctx, matrix(ARRAY(FLOATS), COLUMNS), m, matrix(OUT_AS(HD_F32), COLUMNS),
                       NULL);
}

RUN(run_small_mask)
{
    return convolve(ctx, a, 5);
}

RUN(run_large_mask)
{
    return convolve(ctx, a, 15);
}

RUN(run_map)
{
    return hd_map(ctx, ARRAY(FLOATS), doubled, OUT_AS(HD_F32), NULL);
}

RUN(run_sort_floats)
{
    return hd_sort(ctx, ARRAY(FLOATS), OUT_AS(HD_F32), HD_NO_VALUES, NULL);
}

RUN(run_partition)
{
    const hd_partition_options options = {.buckets = &ARRAY(BINS), .ways = BINS};
    return hd_partition(ctx, ARRAY(KEYS), OUT_AS(HD_U32), ARRAY(NUMBERS), &options);
}

RUN(run_blur)
{
    return hd_blur(ctx, matrix(ARRAY(FLOATS), COLUMNS), 4, matrix(OUT_AS(HD_F32), COLUMNS), NULL);
}

RUN(run_top)
{
    const int64_t k = a->n < 100 ? a->n : 100;
    return hd_top_k(ctx, ARRAY(FLOATS), k, part(OUT_AS(HD_F32), 0, k), HD_NO_VALUES, NULL);
}

// The classes first, in the order of work_classes.def.
const sample_call sample_calls[] = {
    {"sum", "f32", "stream", 4, false, run_sum},
    {"scan", "f32", "scan", 8, false, run_scan},
    {"compact", "u32", "select", 1, false, run_compact},
    {"gather", "u32", "gather", 1, false, run_gather},
    {"scatter", "u32", "scatter", 1, false, run_scatter},
    {"histogram", "i32", "histogram", 1, false, run_histogram},
    {"sort", "u32", "sort", 4, false, run_sort},
    {"sort by", "u32", "compare", 1, true, run_sort_by},
    {"merge", "i32", "merge", 1, false, run_merge},
    {"transpose", "f32", "transpose", 8, false, run_transpose},
    {"random", "f32", "random", 1, false, run_random},
    {"list ranking", "i32", "list", 1, false, run_list},
    {"convolve 5x5", "f32", "neighbours", 25, false, run_small_mask},
    {"map", "f32", NULL, 0, false, run_map},
    {"sort", "f32", NULL, 0, false, run_sort_floats},
    {"partition", "u32", NULL, 0, false, run_partition},
    {"convolve 15x15", "f32", NULL, 0, false, run_large_mask},
    {"blur", "f32", NULL, 0, false, run_blur},
    {"top 100", "f32", NULL, 0, false, run_top},
};
_Static_assert(sizeof sample_calls / sizeof *sample_calls == SAMPLE_CALLS, "as the header has it");

double sample_units(const sample_call *call, int64_t n)
{
    int octaves = 1;
    while (octaves < 62 && (int64_t)1 << octaves < n) octaves++;
    return call->units * (double)n * (call->by_logarithm ? octaves : 1);
}

// ---- Arrays -------------------------------------------------------------------------------------

static void fill(sample_arrays *a, const int32_t *order)
{
    const int64_t n = a->n;
    uint32_t *keys = ARRAY(KEYS).data;
    float *floats = ARRAY(FLOATS).data;
    int32_t *index = ARRAY(INDEX).data, *bins = ARRAY(BINS).data, *next = ARRAY(NEXT).data,
            *sorted = ARRAY(SORTED).data;
    uint8_t *flags = ARRAY(FLAGS).data;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = data_mix((uint64_t)i);
        keys[i] = (uint32_t)bits, floats[i] = (float)(bits >> 40) * 0x1p-24f;
        bins[i] = (int32_t)(bits >> 32 & (BINS - 1)), flags[i] = bits >> 63 & 1;
        index[i] = order[i], next[order[i]] = i + 1 < n ? order[i + 1] : order[i];
        sorted[i] = (int32_t)((i < n / 2 ? i : i - n / 2) * 2) + (int32_t)(bits >> 40 & 1);
    }
}

static hd_type type_of(int which)
{
    return which == SAMPLE_KEYS      ? HD_U32
           : which == SAMPLE_FLOATS  ? HD_F32
           : which == SAMPLE_FLAGS   ? HD_U8
           : which == SAMPLE_NUMBERS ? HD_I64
                                     : HD_I32;
}

bool sample_arrays_make(sample_arrays *a, int64_t n)
{
    bool made = true;
    memset(a, 0, sizeof *a);
    a->n = n;
    for (int k = 0; k < SAMPLE_ARRAYS; k++) {
        const int64_t length = k == SAMPLE_NUMBERS ? BINS : n;
        const size_t bytes = (size_t)length * hd_type_size(type_of(k));
        a->array[k] = hd_view_of(type_of(k), aligned_alloc(64, (bytes + 63) / 64 * 64), length);
        made = made && a->array[k].data != NULL;
        if (made) memset(a->array[k].data, 0, bytes);
    }
    int32_t *order = made ? indices_random(n) : NULL;
    if (order != NULL) fill(a, order);
    free(order);
    if (order == NULL) sample_arrays_drop(a);
    return order != NULL;
}

void sample_arrays_drop(sample_arrays *a)
{
    for (int k = 0; k < SAMPLE_ARRAYS; k++) free(a->array[k].data);
    memset(a, 0, sizeof *a);
}

hd_status sample_arrays_send(hd_context *ctx, const sample_arrays *host, sample_arrays *device)
{
    memset(device, 0, sizeof *device);
    device->n = host->n;
    for (int k = 0; k < SAMPLE_ARRAYS; k++) {
        const hd_view *from = &host->array[k];
        hd_view *to = &device->array[k];
        hd_status status = hd_alloc_device(ctx, from->type, 1, from->shape, to);
        if (status == HD_OK) status = hd_map(ctx, *from, NULL, *to, NULL);
        if (status != HD_OK) return status;
    }
    return HD_OK;
}

void sample_arrays_free(hd_context *ctx, sample_arrays *device)
{
    for (int k = 0; k < SAMPLE_ARRAYS; k++)
        if (device->array[k].data != NULL && hd_free(ctx, &device->array[k]) != HD_OK) return;
}

// ---- Times --------------------------------------------------------------------------------------

hd_status sample_time(hd_context *ctx, const sample_call *call, const sample_arrays *a, double *ns,
                      double *first)
{
    enum { CALLS_LEAST = 4, CALLS_MOST = 20 };
    const int64_t enough = 100000000;
    const int64_t start = clock_now();
    *ns = 1e18;
    for (int k = 0; k < CALLS_MOST && (k < CALLS_LEAST || clock_now() - start < enough); k++) {
        const int64_t begin = clock_now();
        hd_status status = call->run(ctx, a);
        if (status == HD_OK) status = hd_sync(ctx);
        if (status != HD_OK) return status;
        const double took = (double)(clock_now() - begin);
        if (k == 0) *first = took;
        if (k > 0 && took < *ns) *ns = took;
    }
    return HD_OK;
}
