// SPDX-License-Identifier: Apache-2.0
//
// Mutation of the GPU backend: patterns run on the model machine through their host passes, and of
// every kernel that gets compiled each barrier and each fence is taken out, one at a time. The
// model must find a hazard in one of the calls at least, unless a comment there says "redundant:"
// and why; then in none. All of them are tried with HEDDLE_TEST_HUGE=1, else a sample.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "gpu/gpu.h"
#include "gpu/model/model_device.h"
#include "tests/support/mutants.h"

// ---- Calls --------------------------------------------------------------------------------------

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
    {"reduce_segments, large tiles", reduce_segments, "segment_items=1024"},
    {"reduce_segments, in registers", reduce_segments, "segment_items=1024 segment_long=1"},
    PLAY(scan_ints),
    PLAY(scan_floats),
    PLAY(scan_segments),
    PLAY(scan_keys),
    PLAY(scan_rows),
    PLAY(compact),
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
    {"sort, early counts", sort, "sort_early=1"},
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
    {"sort_by", sort_by, "merge_sort_threads=64 merge_sort_items=5"},
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

// ---- The driver that takes a call out -----------------------------------------------------------

enum { KERNELS = 12 };

static hd__gpu_driver driver;
static int compiled, target, site; // kernels so far; the one to change, and where
static char *texts[KERNELS];       // of a play's kernels, when target is -1

static hd_status compile(hd_context *ctx, hd__gpu_device *device, const char *text, void **image,
                         size_t *bytes)
{
    mutant_site sites[MUTANT_MAX_SITES];
    const int number = compiled++;
    if (target < 0 && number < KERNELS) texts[number] = strdup(text);
    if (number != target) return hd__gpu_driver_model()->compile(ctx, device, text, image, bytes);
    mutant_sites(text, sites);
    char *without = mutant_without(text, &sites[site]);
    const hd_status status = hd__gpu_driver_model()->compile(ctx, device, without, image, bytes);
    free(without);
    return status;
}

static hd_status run(const play *p, int kernel, int which)
{
    hd__gpu *gpu;
    setenv("HEDDLE_TUNE", p->tune, 1);
    hd_context *ctx = check_open(HD_MODEL, 1, NULL);
    compiled = 0, target = kernel, site = which;
    hd_status status = hd__gpu_of(ctx, &gpu);
    CHECK_OK(ctx, status);
    if (status == HD_OK) {
        gpu->driver = &driver;
        status = p->call(ctx);
        if (status == HD_OK) status = hd_sync(ctx);
        CHECK(status == HD_OK || status == HD_ERROR_DEVICE || status == HD_ERROR_BACKEND ||
                  kernel >= 0,
              "%s: %s", p->name, hd_error(ctx));
    }
    hd_close(ctx);
    return status;
}

// ---- What was found of each call of each kernel -------------------------------------------------

typedef struct order {
    char kernel[64];
    mutant_site site;
    bool found, tried;
} order;

static order orders[512];
static int order_count, every; // every so many of them are tried

// The kernel's name is that of the function that the text ends with.
static void name_of(const char *text, char *name, size_t room)
{
    const char *last = text;
    for (const char *k = text; (k = strstr(k, "__global__")) != NULL; k++) last = k;
    last = strchr(last, '\n') != NULL ? last : text;
    const char *open = strstr(last, "(const ");
    while (open != NULL && open > last && open[-1] == ' ') open--;
    const char *first = open;
    while (first != NULL && first > last && strchr(" \n*", first[-1]) == NULL) first--;
    snprintf(name, room, "%.*s", open != NULL ? (int)(open - first) : 0, open != NULL ? first : "");
}

// Kernels of a name differ, as calls need them: a site is known by its file and line.
static order *order_of(const char *kernel, const mutant_site *where)
{
    for (int k = 0; k < order_count; k++)
        if (strcmp(orders[k].kernel, kernel) == 0 && orders[k].site.line == where->line &&
            strcmp(orders[k].site.file, where->file) == 0)
            return &orders[k];
    if (order_count == 512) exit(1);
    order *o = &orders[order_count++];
    snprintf(o->kernel, sizeof o->kernel, "%s", kernel);
    o->site = *where;
    return o;
}

static void mutate(const play *p)
{
    if (run(p, -1, 0) == HD_ERROR_BACKEND) { // not on the GPU yet
        printf("%s is not run by the GPU's passes\n", p->name);
        return;
    }
    const int count = compiled < KERNELS ? compiled : KERNELS;
    for (int k = 0; k < count; k++) {
        mutant_site sites[MUTANT_MAX_SITES];
        char name[64];
        const int all = mutant_sites(texts[k], sites);
        name_of(texts[k], name, sizeof name);
        // Kernels of one name may be behind different headers, with other calls in them.
        snprintf(name + strlen(name), sizeof name - strlen(name), " (%d)", all);
        for (int j = 0; j < all; j++) {
            order *o = order_of(name, &sites[j]);
            if (o->found || (int)(o - orders) % every != 0) continue;
            o->tried = true;
            o->found = run(p, k, j) == HD_ERROR_DEVICE;
        }
    }
    for (int k = 0; k < count; k++) free(texts[k]);
}

// Whether only kernels of some configurations have it: "if (HK_IN_PLACE) hk_fence();". One of the
// kernels that share the line must miss it; where not all of them are tried, none need be.
static bool is_conditional(const order *o)
{
    return strncmp(o->site.text, "if (HK_", 7) == 0;
}

static bool found_elsewhere(const order *o)
{
    for (int k = 0; k < order_count; k++)
        if (orders[k].found && orders[k].site.line == o->site.line &&
            strcmp(orders[k].site.file, o->site.file) == 0)
            return true;
    return false;
}

int main(void)
{
    const char *why;
    if (!hd_backend_available(HD_MODEL, &why)) {
        printf("%s\n", why);
        return CHECK_SKIP;
    }
    setenv("HEDDLE_MODEL_STEPS", "8000000", 1); // mutants may wait for ever
    setenv("HEDDLE_PTXAS", "none", 1);
    driver = *hd__gpu_driver_model();
    driver.compile = compile;
    fill();
    every = check_huge() ? 1 : check_small() ? 13 : 5;
    for (int k = 0; k < PLAYS; k++)
        if (!check_small() || k % 5 == 0) mutate(&plays[k]);
    int redundant = 0, tried = 0;
    for (int k = 0; k < order_count; k++) {
        const order *o = &orders[k];
        if (!o->tried) continue;
        if (check_small() && !o->found) continue; // perhaps by a call that was not made
        if (!o->found && is_conditional(o) && (every > 1 || found_elsewhere(o))) continue;
        CHECK(o->found == !o->site.redundant, "%s, %s:%d: %s: %s", o->kernel, o->site.file,
              o->site.line, o->site.text,
              o->found ? "not redundant" : "nothing is found without it");
        tried++, redundant += o->site.redundant;
    }
    CHECK(order_count >= 8, "%d calls that order", order_count);
    printf("%d of %d barriers and fences taken out, %d of them redundant\n", tried, order_count,
           redundant);
    return check_finish();
}
