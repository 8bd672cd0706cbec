// SPDX-License-Identifier: Apache-2.0
//
// hd_sort and hd_top_k by a comparison on the model machine, and on a card where there is one,
// against the serial backend, bit for bit: elements of 1 to 200 bytes, up and down, equal elements
// in their order, sizes around those of tiles and of runs; values, indices, in place and apart,
// without keys, with gaps, rows, segments; host and device. A comparison that contradicts itself
// gives a permutation.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_SOURCE(
    shapes, typedef struct { int32_t key, id; } record;
    typedef struct { uint8_t key, rest[199]; } wide; typedef struct { float x, y, z; } point;)
HD_COMPARISON(by_key, record, shapes, { return a.key < b.key; })
HD_COMPARISON(by_first, wide, shapes, { return a.key < b.key; })
HD_COMPARISON(by_y, point, shapes, { return a.y < b.y; })
HD_COMPARISON(by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })
HD_COMPARISON(by_low_bits, uint8_t, HD_NO_SOURCE, { return (a & 7) < (b & 7); })
HD_COMPARISON(by_size, double, HD_NO_SOURCE, { return a * a < b * b; })
HD_COMPARISON(in_circles, int32_t, HD_NO_SOURCE, { return (b - a + 700) % 3 == 1; })

static hd_context *ctx, *serial;
static const char *backend;

static hd_view there_of(hd_view in, bool gaps, hd_view *memory)
{
    const int64_t n = hd_count(in), room = gaps ? 2 * n + 1 : n + 1;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, &room, memory));
    const hd_view v = hd_slice(*memory, 0, 1, n, gaps ? 2 : 1);
    if (n > 0) CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

// Random elements whose keys are few, and small for floats.
static void fill(const hd_comparison *c, void *x, int64_t n, int64_t keys, uint64_t *r)
{
    const size_t size = hd_type_size(c->type);
    unsigned char *bytes = x;
    for (size_t k = 0; k < (size_t)n * size; k++) bytes[k] = (unsigned char)check_next(r);
    for (int64_t i = 0; i < n; i++) {
        const int64_t key = check_below(r, keys);
        if (c == by_key) ((record *)x)[i].key = (int32_t)key;
        if (c == by_y) ((point *)x)[i].y = (float)key / 4;
        if (c == by_tens) ((int32_t *)x)[i] = (int32_t)key * 3;
        if (c == by_size) ((double *)x)[i] = (double)(key - keys / 2);
    }
}

typedef struct question {
    const hd_comparison *order;
    int64_t n, k; // k 0: a sort
    int64_t keys;
    bool descending, device, gaps, in_place, no_keys, indices, values;
} question;

typedef struct arrays {
    hd_view x, out, indices, in[2], to[2];
} arrays;

static hd_status call(hd_context *c, const question *q, const arrays *a)
{
    const hd_view out = q->no_keys ? HD_EMPTY : q->in_place ? a->x : a->out;
    const hd_view some[] = {a->in[0], a->to[0], a->in[1], a->to[1]};
    const hd_views values = {some, q->values ? 4 : 0};
    const hd_view *indices = q->indices ? &a->indices : NULL;
    if (q->k > 0)
        return hd_top_k(c, a->x, q->k, out, values,
                        &(hd_top_k_options){.comparison = q->order,
                                            .ascending = !q->descending,
                                            .indices = indices});
    return hd_sort(c, a->x, out, values,
                   &(hd_sort_options){
                       .comparison = q->order, .descending = q->descending, .indices = indices});
}

static void ask(const question *q, uint64_t *r)
{
    const int64_t n = q->n, m = q->k > 0 ? q->k : n;
    const hd_type of[] = {q->order->type, q->order->type, HD_U64,        HD_I16,
                          HD_TYPE(point), HD_I16,         HD_TYPE(point)};
    hd_view want[7], got[7], memory[7];
    for (int k = 0; k < 7; k++) {
        const bool is_input = k == 0 || k == 3 || k == 4;
        const int64_t count = is_input ? n : m;
        const size_t bytes = (size_t)count * hd_type_size(of[k]);
        char *x = check_memory(bytes + 16), *y = check_memory(bytes + 16);
        if (k == 0)
            fill(q->order, x, n, q->keys, r);
        else
            for (size_t b = 0; b < bytes; b++) x[b] = (char)(b * 7 + (size_t)k);
        memcpy(y, x, bytes);
        want[k] = hd_view_of(of[k], x, count);
        got[k] = hd_view_of(of[k], y, count);
    }
    arrays w = {want[0], want[1], want[2], {want[3], want[4]}, {want[5], want[6]}}, g;
    hd_view views[7];
    for (int k = 0; k < 7; k++)
        views[k] = q->device ? there_of(got[k], q->gaps, &memory[k]) : got[k];
    g = (arrays){views[0], views[1], views[2], {views[3], views[4]}, {views[5], views[6]}};
    CHECK_OK(serial, call(serial, q, &w));
    CHECK_OK(ctx, call(ctx, q, &g));
    for (int k = 0; k < 7; k++) {
        if (q->device) {
            if (hd_count(got[k]) > 0) CHECK_OK(ctx, hd_map(ctx, views[k], NULL, got[k], NULL));
            CHECK_OK(ctx, hd_free(ctx, &memory[k]));
        }
        CHECK(memcmp(want[k].data, got[k].data, (size_t)hd_count(want[k]) * hd_type_size(of[k])) ==
                  0,
              "%s: %s, top %" PRId64 " of %" PRId64 " %s, %s: array %d differs", backend,
              q->order->name, q->k, n, q->descending ? "down" : "up", q->device ? "device" : "host",
              k);
        free(want[k].data), free(got[k].data);
    }
}

static void test_sizes(uint64_t *r)
{
    static const hd_comparison *const orders[] = {by_tens, by_key,      by_first,
                                                  by_y,    by_low_bits, by_size};
    // A tile has 96 elements of up to 8 bytes, and of those of 200 bytes 32 or 96.
    static const int64_t sizes[] = {0, 1, 2, 95, 96, 97, 192, 193, 385, 800, 1537};
    for (int k = 0; k < 6; k++)
        for (int s = k % 2; s < 11; s += 2)
            ask(&(question){.order = orders[k],
                            .n = sizes[s],
                            .keys = s % 3 == 0 ? 2 : 1000,
                            .descending = k % 2,
                            .device = s % 4 < 2,
                            .indices = s % 3 == 0,
                            .values = s % 5 == 0},
                r);
}

static void test_forms(uint64_t *r)
{
    for (int k = 0; k < 8; k++)
        ask(&(question){.order = k % 2 ? by_key : by_tens,
                        .n = 700 - k,
                        .keys = 90,
                        .descending = k / 4,
                        .device = true,
                        .gaps = k / 2 % 2,
                        .in_place = k < 3,
                        .no_keys = k == 5 || k == 6,
                        .indices = k > 3,
                        .values = k % 3 != 1},
            r);
    for (int k = 0; k < 6; k++)
        ask(&(question){.order = k % 2 ? by_key : by_y,
                        .n = 500 + k,
                        .k = k == 5 ? 505 : 1 + 60 * k,
                        .keys = k == 3 ? 2 : 200,
                        .descending = k % 2,
                        .device = k % 3,
                        .no_keys = k == 4,
                        .indices = k != 2,
                        .values = k > 2},
            r);
}

// ---- Rows and segments --------------------------------------------------------------------------

enum { ROWS = 11, COLUMNS = 41, ALL = ROWS * COLUMNS };

typedef struct sliced {
    int32_t keys[ALL], out[ALL], indices[ALL], few[ALL], which[ALL];
    int16_t values[ALL], moved[ALL];
} sliced;

static hd_status sort_sliced(hd_context *c, sliced *s, int axis, const hd_view *offsets, bool down)
{
    const int64_t shape[] = {ROWS, COLUMNS}, all[] = {ALL};
    const int32_t dims = offsets != NULL ? 1 : 2;
    const int64_t *of = offsets != NULL ? all : shape;
    const hd_view values = hd_view_nd(HD_I16, s->values, dims, of, NULL);
    return hd_sort(
        c, hd_view_nd(HD_I32, s->keys, dims, of, NULL), hd_view_nd(HD_I32, s->out, dims, of, NULL),
        HD_VALUES(values, values),
        &(hd_sort_options){.axis = axis,
                           .segments = offsets,
                           .comparison = by_tens,
                           .descending = down,
                           .indices = HD_REF(hd_view_nd(HD_I32, s->indices, dims, of, NULL))});
}

static hd_status top_of_rows(hd_context *c, sliced *s, int axis)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    int64_t of_out[] = {ROWS, COLUMNS};
    of_out[axis] = 4;
    return hd_top_k(
        c, hd_view_nd(HD_I32, s->keys, 2, shape, NULL), 4,
        hd_view_nd(HD_I32, s->few, 2, of_out, NULL), HD_NO_VALUES,
        &(hd_top_k_options){.axis = HD_AXIS(axis),
                            .comparison = by_tens,
                            .indices = HD_REF(hd_view_nd(HD_I32, s->which, 2, of_out, NULL))});
}

// The first of segments: fewer than asked for in some, whose outputs stay.
static hd_status top_of_segments(hd_context *c, sliced *s, const hd_view *offsets, bool down)
{
    const int64_t shape[] = {hd_count(*offsets) - 1, 4};
    const hd_view values = HD_VIEW(s->values, ALL);
    return hd_top_k(
        c, HD_VIEW(s->keys, ALL), 4, hd_view_nd(HD_I32, s->few, 2, shape, NULL),
        HD_VALUES(values, hd_view_nd(HD_I16, s->moved, 2, shape, NULL)),
        &(hd_top_k_options){.segments = offsets,
                            .comparison = by_tens,
                            .ascending = !down,
                            .indices = HD_REF(hd_view_nd(HD_I32, s->which, 2, shape, NULL))});
}

static void test_slices(uint64_t *r)
{
    static sliced want, got;
    static const uint32_t some[] = {3, 3, 50, 51, 300, ALL - 9}, one[] = {7, 7}, all[] = {0, ALL};
    const hd_view offsets[] = {HD_VIEW((uint32_t *)some, 6), HD_VIEW((uint32_t *)one, 2),
                               HD_VIEW((uint32_t *)all, 2)};
    for (int k = 0; k < 7; k++) {
        memset(&want, 0x5b, sizeof want);
        fill(by_tens, want.keys, ALL, k % 2 ? 20 : 400, r);
        for (int i = 0; i < ALL; i++) want.values[i] = (int16_t)i;
        got = want;
        const hd_view *of = k < 2 ? NULL : &offsets[(k - 2) % 3];
        const int axis = k < 2 ? HD_AXIS(k) : 0;
        const bool down = k % 2;
        CHECK_OK(serial, sort_sliced(serial, &want, axis, of, down));
        CHECK_OK(ctx, sort_sliced(ctx, &got, axis, of, down));
        CHECK(memcmp(&want, &got, sizeof got) == 0, "%s: slices %d", backend, k);
        CHECK_OK(serial,
                 k < 2 ? top_of_rows(serial, &want, k) : top_of_segments(serial, &want, of, down));
        CHECK_OK(ctx, k < 2 ? top_of_rows(ctx, &got, k) : top_of_segments(ctx, &got, of, down));
        CHECK(memcmp(&want, &got, sizeof got) == 0, "%s: the first of slices %d", backend, k);
    }
}

// Offsets of the device that fall: an error, and nothing outside of the arrays.
static void test_bad_offsets(void)
{
    int32_t keys[ALL], out[ALL];
    const int64_t bad[] = {0, 90, 60, INT64_MAX, -5, ALL};
    hd_view there;
    for (int i = 0; i < ALL; i++) keys[i] = ALL - i;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, (int64_t[]){6}, &there));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW((int64_t *)bad, 6), NULL, there, NULL));
    const hd_sort_options o = {.segments = &there, .comparison = by_tens};
    const hd_status status = hd_sort(ctx, HD_VIEW(keys, ALL), HD_VIEW(out, ALL), HD_NO_VALUES, &o);
    CHECK(status == HD_ERROR_VALUE && strstr(hd_error(ctx), "offset"), "%s: %s", backend,
          hd_error(ctx));
    CHECK_OK(ctx, hd_free(ctx, &there));
}

// Rows and segments of bool; more arrays of values than are staged at once.
static void test_truths(void)
{
    static const int64_t offsets[] = {2, 9, 9, 80, 95};
    uint8_t keys[100], out[2][100];
    int32_t values[6][100], moved[2][6][100];
    const int64_t shape[] = {5, 20};
    for (int i = 0; i < 100; i++) keys[i] = i % 3 == 0 || i % 7 == 0;
    for (int v = 0; v < 6; v++)
        for (int i = 0; i < 100; i++) values[v][i] = 1000 * v + i;
    for (int turn = 0; turn < 4; turn++) {
        const int32_t dims = turn < 2 ? 2 : 1;
        const int64_t *of = turn < 2 ? shape : (int64_t[]){100};
        for (int k = 0; k < 2; k++) {
            hd_context *c = k ? ctx : serial;
            hd_view some[12];
            for (int v = 0; v < 6; v++) {
                some[2 * v] = hd_view_nd(HD_I32, values[v], dims, of, NULL);
                some[2 * v + 1] = hd_view_nd(HD_I32, moved[k][v], dims, of, NULL);
            }
            CHECK_OK(c, hd_sort(c, hd_view_nd(HD_BOOL, keys, dims, of, NULL),
                                hd_view_nd(HD_BOOL, out[k], dims, of, NULL), (hd_views){some, 12},
                                &(hd_sort_options){
                                    .axis = turn < 2 ? HD_AXIS(turn) : 0,
                                    .segments = turn < 2 ? NULL : HD_REF(HD_VIEW(offsets, 5)),
                                    .descending = turn % 2}));
        }
        CHECK(memcmp(out[0], out[1], 100) == 0 && memcmp(moved[0], moved[1], sizeof moved[0]) == 0,
              "%s: truths %d", backend, turn);
    }
}

// Everything and its first 9 with six arrays of values, of which the last two go alone.
static void test_many_values(void)
{
    static int32_t keys[500], values[6][500], moved[2][6][500], out[2][500];
    for (int i = 0; i < 500; i++) keys[i] = i * 7919 % 500;
    for (int v = 0; v < 6; v++)
        for (int i = 0; i < 500; i++) values[v][i] = 1000 * v + i;
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < 2; k++) {
            hd_context *c = k ? ctx : serial;
            const int64_t n = turn ? 9 : 500;
            hd_view some[12];
            for (int v = 0; v < 6; v++) {
                some[2 * v] = HD_VIEW(values[v], 500);
                some[2 * v + 1] = HD_VIEW(moved[k][v], n);
            }
            const hd_views all = {some, 12};
            CHECK_OK(c, turn ? hd_top_k(c, HD_VIEW(keys, 500), 9, HD_VIEW(out[k], 9), all, NULL)
                             : hd_sort(c, HD_VIEW(keys, 500), HD_VIEW(out[k], 500), all, NULL));
        }
        CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0 &&
                  memcmp(moved[0], moved[1], sizeof moved[0]) == 0,
              "%s: six arrays of values, %s", backend, turn ? "top k" : "a sort");
    }
}

// ---- Comparisons that contradict themselves -----------------------------------------------------

static void test_circles(void)
{
    int32_t x[1200], out[1200];
    uint32_t indices[1200];
    for (int k = 0; k < 1200; k++) x[k] = k * 331 % 1200;
    CHECK_OK(ctx, hd_sort(ctx, HD_VIEW(x, 1200), HD_VIEW(out, 1200), HD_NO_VALUES,
                          &(hd_sort_options){.comparison = in_circles,
                                             .indices = HD_REF(HD_VIEW(indices, 1200))}));
    uint8_t seen[1200] = {0};
    int64_t met = 0, same = 0;
    for (int k = 0; k < 1200; k++) {
        if (out[k] >= 0 && out[k] < 1200 && !seen[out[k]]++) met++;
        if (indices[k] < 1200 && x[indices[k]] == out[k]) same++;
    }
    CHECK(met == 1200 && same == 1200, "%s: %" PRId64 " of 1200 elements, %" PRId64 " indices",
          backend, met, same);
}

// ---- Elements in order --------------------------------------------------------------------------

// Tiles of 96 that are in order, which passes skip, or but for the elements from `from` on.
static void sort_ordered(int64_t n, int64_t from, bool in_place)
{
    int32_t x[2][1600], out[2][1600];
    uint32_t indices[2][1600];
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        for (int64_t i = 0; i < n; i++) x[k][i] = (int32_t)(i < from ? i * 3 : 3 * from - 20 * i);
        CHECK_OK(c, hd_sort(c, HD_VIEW(x[k], n), HD_VIEW(in_place ? x[k] : out[k], n), HD_NO_VALUES,
                            &(hd_sort_options){.comparison = by_tens,
                                               .indices = HD_REF(HD_VIEW(indices[k], n))}));
        if (!in_place) memcpy(x[k], out[k], (size_t)n * 4);
        CHECK_OK(c, hd_sort(c, HD_VIEW(x[k], n), HD_VIEW(out[k], n), HD_NO_VALUES,
                            &(hd_sort_options){.comparison = by_tens}));
    }
    CHECK(memcmp(x[0], x[1], (size_t)n * 4) == 0 && memcmp(out[0], out[1], (size_t)n * 4) == 0 &&
              memcmp(indices[0], indices[1], (size_t)n * 4) == 0,
          "%s: %" PRId64 " in order but from %" PRId64, backend, n, from);
}

static void test_ordered(void)
{
    static const int64_t sizes[] = {96, 97, 192, 300, 800, 1537};
    for (int s = 0; s < 6; s++) {
        const int64_t n = sizes[s];
        sort_ordered(n, n, s % 2);
        sort_ordered(n, n - 1, s % 2);
        sort_ordered(n, n / 96 * 96, false);
        sort_ordered(n, n < 200 ? n : 192, s % 2);
    }
}

static void test_backend(hd_backend which)
{
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    setenv("HEDDLE_TUNE", "merge_sort_threads=32 merge_sort_items=3 merge_sort_search=4", 1);
    ctx = check_open(which, 1, NULL);
    test_sizes(&r);
    test_forms(&r);
    test_slices(&r);
    test_bad_offsets();
    test_truths();
    test_many_values();
    test_circles();
    test_ordered();
    hd_close(ctx);
    // Threads that merge twice as many elements as they sort, and that sort two runs.
    for (int pairs = 1; pairs <= 2; pairs++) {
        char tune[80];
        snprintf(tune, sizeof tune, "merge_sort_threads=64 merge_sort_items=3 merge_sort_pairs=%d",
                 pairs);
        setenv("HEDDLE_TUNE", tune, 1);
        ctx = check_open(which, 1, NULL);
        test_sizes(&r);
        test_circles();
        test_ordered();
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
    ctx = check_open(which, 1, NULL);
    const int64_t n = which == HD_CUDA ? 300007 : 9001;
    ask(&(question){.order = by_tens, .n = n, .keys = 5000, .device = true}, &r);
    ask(&(question){.order = by_tens, .n = n, .keys = 5000, .device = true, .indices = true}, &r);
    ask(&(question){.order = by_first, .n = n / 9, .device = true, .values = true}, &r);
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
