// SPDX-License-Identifier: Apache-2.0
//
// Calls that together run every kernel of the GPU backend, with the tuning that makes small inputs
// take all its ways: what test_gpu_mutation.c plays.
#ifndef HEDDLE_TESTS_GPU_MUTATION_PLAYS_H
#define HEDDLE_TESTS_GPU_MUTATION_PLAYS_H

#include <math.h>

#include "tests/support/check.h"

enum { N = 41659, LARGE = 1 << 18, ROWS = 61, COLUMNS = 331, KEYS = 4000 };

static int32_t ints[N], keys[N], buckets[N];
static float floats[LARGE], twos[LARGE], out_floats[2 * N];
static int64_t out_longs[2 * N], offsets[ROWS + 1], more_longs[N];
static int64_t places[N], lengths[KEYS];
static uint8_t flags[N];

static hd_status reduce_ints(hd_context *c)
{
    return hd_reduce(c, HD_VIEW(ints, N), HD_SUM, HD_VIEW(out_longs, 1), NULL);
}

static hd_status reduce_fewer(hd_context *c) // another block comes last
{
    return hd_reduce(c, HD_VIEW(ints, N - 1656), HD_SUM, HD_VIEW(out_longs, 1), NULL);
}

static hd_status reduce_large(hd_context *c) // tiles of more chunks than a warp has lanes
{
    return hd_reduce(c, HD_VIEW(floats, LARGE), HD_SUM, HD_VIEW(out_floats, 1), NULL);
}

static hd_status reduce_floats(hd_context *c)
{
    return hd_reduce(c, HD_VIEW(floats, N), HD_SUM, HD_VIEW(out_floats, 1), NULL);
}

static hd_status reduce_whole(hd_context *c) // nothing after the last tile
{
    return hd_reduce(c, HD_VIEW(floats, 32768), HD_ARGMAX, HD_VIEW(out_longs, 1), NULL);
}

static hd_status reduce_rows(hd_context *c)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    return hd_reduce(c, hd_view_nd(HD_F32, floats, 2, shape, NULL), HD_SUM,
                     HD_VIEW(out_floats, ROWS), &(hd_reduce_options){.axis = HD_AXIS(1)});
}

static hd_status reduce_columns(hd_context *c)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    return hd_reduce(c, hd_view_nd(HD_F32, floats, 2, shape, NULL), HD_SUM,
                     HD_VIEW(out_floats, COLUMNS), &(hd_reduce_options){.axis = HD_AXIS(0)});
}

static hd_status reduce_segments(hd_context *c)
{
    return hd_reduce(c, HD_VIEW(floats, N), HD_SUM, HD_VIEW(out_floats, ROWS),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, ROWS + 1))});
}

static hd_status reduce_keys(hd_context *c)
{
    return hd_reduce(c, HD_VIEW(ints, N), HD_SUM, HD_VIEW(out_longs, N),
                     &(hd_reduce_options){.keys = HD_REF(HD_VIEW(keys, N))});
}

static hd_status scan_ints(hd_context *c)
{
    return hd_scan(c, HD_VIEW(ints, N), HD_SUM, HD_VIEW(out_longs, N), NULL);
}

static hd_status scan_floats(hd_context *c)
{
    return hd_scan(c, HD_VIEW(floats, N), HD_SUM, HD_VIEW(out_floats, N),
                   &(hd_scan_options){.exclusive = true});
}

static hd_status scan_segments(hd_context *c)
{
    return hd_scan(c, HD_VIEW(floats, N), HD_SUM, HD_VIEW(out_floats, N),
                   &(hd_scan_options){.segments = HD_REF(HD_VIEW(offsets, ROWS + 1))});
}

static hd_status scan_keys(hd_context *c)
{
    return hd_scan(c, HD_VIEW(ints, N), HD_SUM, HD_VIEW(out_longs, N),
                   &(hd_scan_options){.keys = HD_REF(HD_VIEW(keys, N))});
}

static hd_status scan_rows(hd_context *c)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    return hd_scan(c, hd_view_nd(HD_F32, floats, 2, shape, NULL), HD_SUM,
                   hd_view_nd(HD_F32, out_floats, 2, shape, NULL),
                   &(hd_scan_options){.axis = HD_AXIS(1)});
}

static hd_status compact(hd_context *c)
{
    int64_t count;
    return hd_compact(c, HD_VIEW(ints, N), HD_VIEW((int32_t *)out_longs, N), HD_VIEW(&count, 1),
                      &(hd_compact_options){.flags = HD_REF(HD_VIEW_OF(HD_BOOL, flags, N))});
}

HD_FUNCTION(is_odd, bool, HD_NO_SOURCE, (int32_t, x), { return (x & 1) != 0; })

static hd_status compact_by_function(hd_context *c)
{
    int64_t count;
    return hd_compact(
        c, HD_VIEW(ints, N), HD_VIEW((int32_t *)out_longs, N), HD_VIEW(&count, 1),
        &(hd_compact_options){.keep = is_odd, .indices = HD_REF(HD_VIEW(more_longs, N))});
}

// Elements of the device, to be selected from in place.
static hd_status ints_there(hd_context *c, const int32_t *from, hd_view *there)
{
    const int64_t n = N;
    const hd_status status = hd_alloc_device(c, HD_I32, 1, &n, there);
    if (status != HD_OK) return status;
    return hd_map(c, HD_VIEW((int32_t *)from, N), NULL, *there, NULL);
}

static hd_status compact_in_place(hd_context *c)
{
    int64_t count;
    hd_view x;
    const hd_status status = ints_there(c, ints, &x);
    if (status != HD_OK) return status;
    return hd_compact(c, x, x, HD_VIEW(&count, 1),
                      &(hd_compact_options){.flags = HD_REF(HD_VIEW_OF(HD_BOOL, flags, N))});
}

static hd_status compact_in_place_by_function(hd_context *c)
{
    int64_t count;
    hd_view x;
    const hd_status status = ints_there(c, ints, &x);
    if (status != HD_OK) return status;
    x = hd_slice(x, 0, 1, N - 1, 1); // off by one element: without bulk copies
    return hd_compact(c, x, x, HD_VIEW(&count, 1), &(hd_compact_options){.keep = is_odd});
}

static hd_status run_lengths_in_place(hd_context *c)
{
    int64_t count;
    hd_view x;
    const hd_status status = ints_there(c, keys, &x);
    if (status != HD_OK) return status;
    return hd_run_lengths(c, x, x, HD_VIEW(more_longs, N), HD_VIEW(&count, 1), NULL);
}

static hd_status unique_in_place(hd_context *c)
{
    int64_t count;
    hd_view x;
    const hd_status status = ints_there(c, keys, &x);
    return status == HD_OK ? hd_unique(c, x, x, HD_VIEW(&count, 1), NULL) : status;
}

static hd_status partition_by_function(hd_context *c)
{
    return hd_partition(
        c, HD_VIEW(ints, N), HD_VIEW((int32_t *)out_longs, N), HD_VIEW(more_longs, 2),
        &(hd_partition_options){.keep = is_odd, .indices = HD_REF(HD_VIEW(out_longs + N, N))});
}

static hd_status partition(hd_context *c)
{
    return hd_partition(c, HD_VIEW(ints, N), HD_VIEW((int32_t *)out_longs, N),
                        HD_VIEW(more_longs, 2),
                        &(hd_partition_options){.flags = HD_REF(HD_VIEW_OF(HD_BOOL, flags, N))});
}

static hd_status partition_many(hd_context *c)
{
    return hd_partition(c, HD_VIEW(ints, N), HD_VIEW((int32_t *)out_longs, N),
                        HD_VIEW(more_longs, 37),
                        &(hd_partition_options){.buckets = HD_REF(HD_VIEW(buckets, N)),
                                                .ways = 37,
                                                .indices = HD_REF(HD_VIEW(out_longs + N, N))});
}

static hd_status gather(hd_context *c)
{
    return hd_gather(c, HD_VIEW(ints, N), HD_VIEW(places, N), HD_VIEW((int32_t *)out_longs, N),
                     &(hd_gather_options){.checked = true});
}

static hd_status scatter(hd_context *c) // places come more than once: the last stays
{
    return hd_scatter(c, HD_VIEW(ints, N), HD_VIEW(places, N), HD_VIEW((int32_t *)out_longs, N),
                      NULL);
}

static hd_status scatter_unique(hd_context *c)
{
    for (int64_t k = 0; k < N; k++) more_longs[k] = k * 7919 % N;
    return hd_scatter(c, HD_VIEW(ints, N), HD_VIEW(more_longs, N), HD_VIEW((int32_t *)out_longs, N),
                      &(hd_scatter_options){.unique = true});
}

static hd_status scatter_sums(hd_context *c) // in the one tree
{
    return hd_scatter(c, HD_VIEW(floats, N), HD_VIEW(places, N), HD_VIEW(out_floats, N),
                      &(hd_scatter_options){.combine = HD_SUM});
}

static hd_status scatter_any(hd_context *c)
{
    return hd_scatter(c, HD_VIEW(ints, N), HD_VIEW(places, N), HD_VIEW((int32_t *)out_longs, N),
                      &(hd_scatter_options){.combine = HD_MAX, .order = HD_ANY_ORDER});
}

static hd_status expand(hd_context *c)
{
    int64_t count;
    return hd_expand(c, HD_VIEW(ints, KEYS), HD_VIEW(lengths, KEYS),
                     HD_VIEW((int32_t *)out_longs, 2 * N), HD_VIEW(&count, 1), NULL);
}

static hd_status unique(hd_context *c)
{
    int64_t count;
    return hd_unique(c, HD_VIEW(keys, N), HD_VIEW((int32_t *)out_longs, N), HD_VIEW(&count, 1),
                     NULL);
}

static hd_status run_lengths(hd_context *c)
{
    int64_t count;
    return hd_run_lengths(c, HD_VIEW(keys, N), HD_VIEW((int32_t *)out_longs, N),
                          HD_VIEW(more_longs, N), HD_VIEW(&count, 1), NULL);
}

static hd_status histogram(hd_context *c)
{
    return hd_histogram(c, HD_VIEW(flags, N), HD_VIEW(out_longs, 256), NULL);
}

static hd_status find(hd_context *c)
{
    int64_t position;
    return hd_find(c, HD_VIEW(flags, N), HD_VIEW(&position, 1), NULL);
}

static hd_status shuffle(hd_context *c)
{
    return hd_shuffle(c, HD_VIEW(ints, N), HD_VIEW((int32_t *)out_longs, N), NULL);
}

static hd_status map(hd_context *c)
{
    return hd_map(c, HD_VIEW(ints, N), NULL, HD_VIEW(out_longs, N), NULL);
}

static hd_status transpose(hd_context *c)
{
    const int64_t shape[] = {ROWS, COLUMNS}, turned[] = {COLUMNS, ROWS};
    return hd_transpose(c, hd_view_nd(HD_F32, floats, 2, shape, NULL),
                        hd_view_nd(HD_F32, out_floats, 2, turned, NULL), NULL);
}

static hd_status transpose_bytes(hd_context *c)
{
    const int64_t shape[] = {ROWS, COLUMNS}, turned[] = {COLUMNS, ROWS};
    return hd_transpose(c, hd_view_nd(HD_U8, flags, 2, shape, NULL),
                        hd_view_nd(HD_U8, out_longs, 2, turned, NULL), NULL);
}

static hd_status transpose_narrow(hd_context *c)
{
    const int64_t shape[] = {N / 3, 3}, turned[] = {3, N / 3};
    return hd_transpose(c, hd_view_nd(HD_I32, ints, 2, shape, NULL),
                        hd_view_nd(HD_I32, out_longs, 2, turned, NULL), NULL);
}

typedef struct three {
    int32_t v[3];
} three;

static hd_status zip(hd_context *c) // structures of three ints, of which one stays
{
    const hd_views fields = HD_VIEWS(HD_VIEW(ints, N / 4), HD_VIEW(keys, N / 4));
    memset(out_longs, 0xee, sizeof out_longs); // other values than the fields'
    return hd_zip(c, fields, hd_view_of(HD_STRUCT(three), out_longs, N / 4), NULL);
}

// A field of 40 x 70, by a mask that is separable or not.
static hd_status convolve_field(hd_context *c, bool separable)
{
    const int64_t shape[] = {40, 70}, of_mask[] = {3, 3};
    const float mask[9] = {1, 2, separable ? 1.0f : 3.0f, 2, 4, 2, 1, 2, 1};
    return hd_convolve(c, hd_view_nd(HD_F32, floats, 2, shape, NULL),
                       hd_view_nd(HD_F32, mask, 2, of_mask, NULL),
                       hd_view_nd(HD_F32, out_floats, 2, shape, NULL), NULL);
}

static hd_status convolve(hd_context *c)
{
    return convolve_field(c, false);
}

static hd_status separable(hd_context *c)
{
    return convolve_field(c, true);
}

static hd_status stencil(hd_context *c)
{
    const int64_t shape[] = {9, 11, 40}, of_offsets[] = {7, 3};
    int64_t offset[HD_MAX_LAPLACIAN * 3];
    double weight[HD_MAX_LAPLACIAN];
    hd_laplacian(3, 2, 1.0, offset, weight);
    return hd_stencil(c, hd_view_nd(HD_F32, floats, 3, shape, NULL),
                      hd_view_nd(HD_I64, offset, 2, of_offsets, NULL), HD_VIEW(weight, 7),
                      hd_view_nd(HD_F32, out_floats, 3, shape, NULL), NULL);
}

static hd_status sort(hd_context *c) // two rounds of digits, some of which are constant
{
    return hd_sort(c, HD_VIEW(places, N), HD_VIEW(out_longs, N),
                   HD_VALUES(HD_VIEW(keys, N), HD_VIEW((int32_t *)more_longs, N)), NULL);
}

static hd_status sort_alone(hd_context *c)
{
    return hd_sort(c, HD_VIEW(places, N), HD_VIEW(out_longs, N), HD_NO_VALUES, NULL);
}

enum { FEW = 3000 };

static hd_status sort_rest(hd_context *c)
{
    return hd_sort(c, HD_VIEW(places, FEW), HD_VIEW(out_longs, FEW),
                   HD_VALUES(HD_VIEW(keys, FEW), HD_VIEW((int32_t *)more_longs, FEW)), NULL);
}

static hd_status sort_again(hd_context *c) // runs of equal top digits are too long for sort_rest
{
    for (int64_t i = 0; i < FEW; i++)
        more_longs[i] = (places[i] & 3) * 0x0101010101010101 ^ (places[i] >> 2 & 63);
    return hd_sort(c, HD_VIEW(more_longs, FEW), HD_VIEW(out_longs, FEW), HD_NO_VALUES, NULL);
}

static hd_status sort_few(hd_context *c) // in place
{
    const int64_t n = 3000;
    hd_view k, v;
    hd_status status = hd_alloc_device(c, HD_I64, 1, &n, &k);
    if (status == HD_OK) status = hd_alloc_device(c, HD_I64, 1, &n, &v);
    if (status == HD_OK) status = hd_map(c, HD_VIEW(places, n), NULL, k, NULL);
    if (status == HD_OK) status = hd_map(c, HD_VIEW(places, n), NULL, v, NULL);
    if (status == HD_OK) status = hd_sort(c, k, k, HD_VALUES(v, v), NULL);
    return status; // the context frees what is left
}

static hd_status sort_words(hd_context *c)
{
    return hd_sort(c, HD_VIEW((uint16_t *)ints, N), HD_VIEW((uint16_t *)out_longs, N), HD_NO_VALUES,
                   NULL);
}

static hd_status sort_bytes(hd_context *c)
{
    return hd_sort(c, HD_VIEW(flags, N), HD_VIEW((uint8_t *)out_longs, N), HD_NO_VALUES, NULL);
}

// Segments of all classes, large ones beside each other.
static hd_view mixed_segments(void)
{
    static const int64_t length[] = {3, 20, 200, 2500, 2501, 300, 0, 9, 600, 1100, 40, 1};
    enum { LENGTHS = sizeof length / sizeof *length };
    int64_t at = more_longs[0] = 5, j = 0;
    for (; at + length[j % LENGTHS] < N / 2; j++) more_longs[j + 1] = at += length[j % LENGTHS];
    return HD_VIEW(more_longs, j + 1);
}

static hd_status sort_segments(hd_context *c)
{
    const hd_view segments = mixed_segments();
    return hd_sort(c, HD_VIEW(ints, N / 2), HD_VIEW((int32_t *)out_longs, N / 2), HD_NO_VALUES,
                   &(hd_sort_options){.segments = &segments});
}

static hd_status sort_segment_values(hd_context *c) // in place
{
    const int64_t n = N / 2;
    const hd_view segments = mixed_segments();
    hd_view k, v;
    hd_status status = hd_alloc_device(c, HD_F32, 1, &n, &k);
    if (status == HD_OK) status = hd_alloc_device(c, HD_I64, 1, &n, &v);
    if (status == HD_OK) status = hd_map(c, HD_VIEW(floats, n), NULL, k, NULL);
    if (status == HD_OK) status = hd_map(c, HD_VIEW(places, n), NULL, v, NULL);
    const hd_sort_options options = {.segments = &segments};
    if (status == HD_OK) status = hd_sort(c, k, k, HD_VALUES(v, v), &options);
    return status;
}

static hd_status sort_segment_bytes(hd_context *c) // in place, by an odd number of passes
{
    const int64_t n = N / 2;
    const hd_view segments = mixed_segments();
    hd_view k;
    hd_status status = hd_alloc_device(c, HD_U8, 1, &n, &k);
    if (status == HD_OK) status = hd_map(c, HD_VIEW((uint8_t *)ints, n), NULL, k, NULL);
    const hd_sort_options options = {.segments = &segments};
    return status == HD_OK ? hd_sort(c, k, k, HD_NO_VALUES, &options) : status;
}

static hd_status sort_segment_nan(hd_context *c)
{
    const hd_view segments = mixed_segments();
    float *const x = out_floats + N;
    for (int k = 0; k < N / 2; k++) x[k] = k % 97 == 0 ? NAN : floats[k];
    return hd_sort(c, HD_VIEW(x, N / 2), HD_VIEW(out_floats, N / 2), HD_NO_VALUES,
                   &(hd_sort_options){.segments = &segments});
}

static hd_status search(hd_context *c) // rising queries
{
    return hd_search(c, HD_VIEW(keys, N), HD_VIEW(keys, N), HD_VIEW(out_longs, N), NULL);
}

static hd_status merge(hd_context *c)
{
    return hd_merge(c, HD_VIEW(keys, N / 2), HD_VIEW(keys, N - N / 2),
                    HD_VIEW((int32_t *)out_longs, N), HD_NO_VALUES, NULL);
}

HD_COMPARISON(by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

static hd_status sort_by(hd_context *c)
{
    return hd_sort(
        c, HD_VIEW(ints, KEYS), HD_VIEW((int32_t *)out_longs, KEYS), HD_NO_VALUES,
        &(hd_sort_options){.comparison = by_tens, .indices = HD_REF(HD_VIEW(more_longs, KEYS))});
}

static hd_status top_k(hd_context *c) // the sample shows what is wanted
{
    return hd_top_k(c, HD_VIEW(floats, LARGE), 90, HD_VIEW(out_floats, 90), HD_NO_VALUES,
                    &(hd_top_k_options){.indices = HD_REF(HD_VIEW(out_longs, 90))});
}

static hd_status top_k_equal(hd_context *c) // bytes of 1 and 2: many equal the last one
{
    return hd_top_k(c, HD_VIEW_OF(HD_I8, twos, 4 * LARGE), 3000, HD_VIEW((int8_t *)out_longs, 3000),
                    HD_NO_VALUES, NULL);
}

static hd_status top_k_rows(hd_context *c)
{
    const int64_t shape[] = {ROWS, COLUMNS}, of_out[] = {ROWS, 5};
    return hd_top_k(c, hd_view_nd(HD_F32, floats, 2, shape, NULL), 5,
                    hd_view_nd(HD_F32, out_floats, 2, of_out, NULL), HD_NO_VALUES,
                    &(hd_top_k_options){.axis = HD_AXIS(1)});
}

static hd_status quantiles(hd_context *c)
{
    static const double half = 0.5;
    return hd_quantiles(c, HD_VIEW(floats, N), HD_VIEW((double *)&half, 1), HD_VIEW(out_floats, 1),
                        NULL);
}

static hd_status slide(hd_context *c)
{
    return hd_slide(c, HD_VIEW(floats, KEYS), HD_SUM, 43, HD_VIEW(out_floats, KEYS - 42), NULL);
}

typedef struct play {
    const char *name;
    hd_status (*call)(hd_context *c);
    const char *tune;
} play;

// So small that every level of the tree is met.
#define SMALL_TILES                                                                                \
    "reduce_threads=64 reduce_rows=1 scan_threads=64 scan_rows=1 segment_items=64 "                \
    "select_threads=64 select_rows=2 begin_threads=32"
#define TOP_SMALL                                                                                  \
    "top_row=1 top_from=1 top_threads=256 top_sample=64 top_rows=1 top_blocks=1 begin_threads=64"
#define PLAY(call)                                                                                 \
    {                                                                                              \
#call, call, SMALL_TILES                                                                   \
    }
static const play plays[] = {
    {"reduce_large", reduce_large, "reduce_threads=512 reduce_rows=1"},

    PLAY(reduce_ints),
    PLAY(reduce_fewer),
    PLAY(reduce_floats),
    PLAY(reduce_whole),
    PLAY(reduce_rows),
    PLAY(reduce_keys),
    PLAY(reduce_columns),
    PLAY(reduce_segments),
    {"reduce_segments, large tiles", reduce_segments, "segment_items=1024 segment_warps=0"},
    {"reduce_segments, in registers", reduce_segments, "segment_items=1024 segment_long=1"},
    PLAY(scan_ints),
    PLAY(scan_floats),
    PLAY(scan_segments),
    PLAY(scan_keys),
    PLAY(scan_rows),
    PLAY(compact),
    {"compact, counted first", compact, "select_tally=1"},
    PLAY(compact_by_function),
    {"compact_by_function, counted first", compact_by_function, "select_tally=1"},
    PLAY(compact_in_place),
    PLAY(compact_in_place_by_function),
    PLAY(unique_in_place),
    PLAY(run_lengths_in_place),
    PLAY(partition_by_function),
    PLAY(partition),
    {"partition, large tiles", partition, "select_threads=512 select_small_rows=8"},
    PLAY(partition_many),
    PLAY(gather),
    PLAY(scatter),
    {"scatter, bucketed", scatter,
     "radix_threads=64 radix_rows=4 scatter_from=4 scatter_bucket=256 scatter_locality=0"},
    {"scatter, at once", scatter,
     "radix_threads=64 radix_rows=4 scatter_from=4 scatter_locality=2"},
    {"scatter_unique, bucketed", scatter_unique,
     "radix_threads=64 scatter_from=4 scatter_bucket=256 scatter_locality=0"},
    PLAY(scatter_sums),
    PLAY(scatter_any),
    PLAY(expand),
    PLAY(unique),
    PLAY(run_lengths),
    PLAY(histogram),
    PLAY(find),
    PLAY(shuffle),
    PLAY(map),
    PLAY(transpose),
    PLAY(transpose_bytes),
    PLAY(transpose_narrow),
    PLAY(zip),
    {"convolve", convolve, "convolve_threads=64"},
    {"separable", separable, "separable_threads=64 separable_rows=8 separable_waves=1"},
    {"stencil", stencil, "stencil_threads=64 stencil_rows=1"},
    PLAY(sort),
    PLAY(sort_alone),
    {"sort_alone, no early counts", sort_alone, "sort_early=0"},
    {"sort_rest", sort_rest, "sort_small=1 sort_rest=1 sort_together=64"},
    {"sort_again", sort_again, "sort_small=1 sort_rest=1"},
    PLAY(sort_few),
    {"sort_words", sort_words, "sort_fill=1"},
    PLAY(sort_bytes),
    {"sort_segments", sort_segments, "sort_segment_items=512 sort_segment_medium=2048"},
    {"sort_segments, large tiles", sort_segments,
     "sort_segment_items=4096 sort_segment_medium=2048"},
    {"sort_segment_values", sort_segment_values, "sort_segment_medium=2048"},
    {"sort_segment_bytes", sort_segment_bytes, "sort_segment_medium=2048"},
    {"sort_segment_nan", sort_segment_nan, "sort_segment_medium=2048"},
    PLAY(search),
    PLAY(merge),
    {"merge, splits by tiles", merge, "merge_search=1048576"},
    {"sort_by", sort_by, "merge_sort_threads=64 merge_sort_items=5"},
    {"sort_by, splits by tiles", sort_by,
     "merge_sort_threads=64 merge_sort_items=5 merge_sort_search=1048576"},
    {"top_k", top_k, TOP_SMALL},
    {"top_k_equal", top_k_equal, TOP_SMALL},
    PLAY(top_k_rows),
    {"slide", slide, "slide_threads=64"},
    {"quantiles", quantiles, "nth_from=1 top_threads=256 top_rows=1"},
};
enum { PLAYS = sizeof plays / sizeof *plays };

static void fill(void)
{
    uint64_t r = check_seed();
    for (int k = 0; k < LARGE; k++) floats[k] = (float)check_below(&r, 1000000) / 1e6f;
    for (int k = 0; k < LARGE; k++) twos[k] = k % 100 == 7 ? 2 : 1;
    for (int k = 0; k < N; k++) {
        ints[k] = (int32_t)check_below(&r, 2000) - 1000;
        keys[k] = k == 0 ? 0 : keys[k - 1] + (check_below(&r, N / KEYS) == 0);
        flags[k] = (uint8_t)check_below(&r, 2);
        buckets[k] = (int32_t)check_below(&r, 37);
        places[k] = check_below(&r, N);
    }
    for (int k = 0; k < KEYS; k++) lengths[k] = check_below(&r, 20);
    // Some have blocks of pieces, the last is long.
    for (int k = 0; k <= ROWS; k++) offsets[k] = k < ROWS ? 300 * k + k / 4 * 350 : N;
}

#endif
