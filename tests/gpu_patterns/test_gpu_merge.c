// SPDX-License-Identifier: Apache-2.0
//
// hd_search and hd_merge on the model machine, and on a card where there is one, against the serial
// backend: types, both directions, equal elements, NaN, comparisons, rows along an axis, rising and
// random queries, values of several sizes and indices; host and device memory; .checked; inputs
// that are not sorted give a permutation.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_SOURCE(
    records, typedef struct { int32_t key, id; } record;)
HD_COMPARISON(in_circles, int32_t, HD_NO_SOURCE, { return (b - a + 700) % 3 == 1; })
HD_COMPARISON(by_key, record, records, { return a.key < b.key; })

typedef struct triple {
    uint8_t v[12];
} triple;

enum { MOST = 2000 };

static hd_view there_of(hd_view in)
{
    hd_view v, bytes, from = in;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, in.ndim, in.shape, &v));
    bytes = v, bytes.type = from.type = HD_U8;
    bytes.ndim = from.ndim = 1;
    bytes.shape[0] = from.shape[0] = hd_count(in) * (int64_t)hd_type_size(in.type);
    bytes.stride[0] = from.stride[0] = 1;
    CHECK_OK(ctx, hd_map(ctx, from, NULL, bytes, NULL));
    return v;
}

// What a view of the device has, against bytes; the view is freed.
static void compare(hd_view *there, const void *want, const char *what, int64_t n)
{
    const int64_t bytes = hd_count(*there) * (int64_t)hd_type_size(there->type);
    hd_view v = *there;
    v.type = HD_U8, v.ndim = 1, v.shape[0] = bytes, v.stride[0] = 1;
    uint8_t *got = check_memory((size_t)bytes + 1);
    CHECK_OK(ctx, hd_map(ctx, v, NULL, HD_VIEW(got, bytes), NULL));
    CHECK(memcmp(got, want, (size_t)bytes) == 0, "%s on %s: %s, %" PRId64 " elements", what,
          backend, hd_type_name(there->type), n);
    CHECK_OK(ctx, hd_free(ctx, there));
    free(got);
}

// Sorted elements of a type, many of them equal.
static void *sorted(hd_type type, int64_t n, bool descending, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    unsigned char *x = check_memory(size * (size_t)n + 1);
    if (type == HD_TYPE(record)) {
        uint64_t r = seed;
        int32_t key = 0;
        for (int64_t i = 0; i < n; i++) {
            key += (int32_t)check_below(&r, 3) * (descending ? -1 : 1);
            ((record *)(void *)x)[i] = (record){key, (int32_t)i};
        }
        return x;
    }
    check_fill(type, x, n, seed % 2 ? CHECK_TIES : CHECK_ORDINARY, seed);
    if (type == HD_F32 && n > 20) ((uint32_t *)(void *)x)[7] = 0x7fc00001;
    CHECK_OK(serial, hd_sort(serial, HD_VIEW_OF(type, x, n), HD_VIEW_OF(type, x, n), HD_NO_VALUES,
                             &(hd_sort_options){.descending = descending}));
    return x;
}

// ---- Search -------------------------------------------------------------------------------------

static void test_search(hd_type type, int64_t n, int64_t m, bool rising, hd_search_options o)
{
    void *x = sorted(type, n, o.descending, 5 + (uint64_t)n);
    void *q = sorted(type, m, o.descending, 6 + (uint64_t)m);
    if (!rising && type != HD_TYPE(record)) check_fill(type, q, m, CHECK_ORDINARY, 6 + (uint64_t)m);
    int32_t *want = check_memory(4 * (size_t)m + 4), *got = check_memory(4 * (size_t)m + 4);
    const hd_view in = HD_VIEW_OF(type, x, n), queries = HD_VIEW_OF(type, q, m);
    CHECK_OK(serial, hd_search(serial, in, queries, HD_VIEW(want, m), &o));
    CHECK_OK(ctx, hd_search(ctx, in, queries, HD_VIEW(got, m), &o));
    CHECK_SAME(HD_I32, got, want, m, "search on %s of %" PRId64 " in %" PRId64 " %s", backend, m, n,
               hd_type_name(type));
    hd_view there = there_of(in), asked = there_of(queries), out = there_of(HD_VIEW(got, m));
    CHECK_OK(ctx, hd_search(ctx, there, asked, out, &o));
    compare(&out, want, "search", n);
    CHECK_OK(ctx, hd_free(ctx, &there));
    CHECK_OK(ctx, hd_free(ctx, &asked));
    free(x), free(q), free(want), free(got);
}

static void test_searches(void)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_U8, HD_F16};
    static const int64_t sizes[] = {0, 1, 2, 33, MOST};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 4; k++)
            test_search(types[t], sizes[4 - (t > 0 ? 0 : k)], t % 2 ? 700 : 301, k % 2,
                        (hd_search_options){.right = k / 2, .descending = k == 3});
    test_search(HD_I32, 7, 300, true, (hd_search_options){.checked = true});
    test_search(HD_I32, MOST, 0, true, (hd_search_options){.checked = true});
    test_search(HD_TYPE(record), 900, 500, true, (hd_search_options){.comparison = by_key});
    test_search(HD_TYPE(record), 900, 500, true,
                (hd_search_options){.comparison = by_key, .descending = true, .right = true});
    // Rows along the first axis.
    int16_t x[30 * 7], q[50 * 7];
    int64_t want[50 * 7], got[50 * 7];
    for (int k = 0; k < 30 * 7; k++) x[k] = (int16_t)(k / 7 * 2 + k % 7);
    for (int k = 0; k < 50 * 7; k++) q[k] = (int16_t)(k * 37 % 64);
    const int64_t xs[2] = {30, 7}, qs[2] = {50, 7};
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        CHECK_OK(c, hd_search(c, hd_view_nd(HD_I16, x, 2, xs, NULL),
                              hd_view_nd(HD_I16, q, 2, qs, NULL),
                              hd_view_nd(HD_I64, k ? got : want, 2, qs, NULL),
                              &(hd_search_options){.axis = HD_AXIS(0)}));
    }
    CHECK_SAME(HD_I64, got, want, 350, "rows on %s", backend);
}

// ---- Merge --------------------------------------------------------------------------------------

static void test_merge(hd_type type, int64_t na, int64_t nb, bool with_values, hd_merge_options o)
{
    const int64_t n = na + nb;
    const size_t size = hd_type_size(type);
    void *a = sorted(type, na, o.descending, 11), *b = sorted(type, nb, o.descending, 13);
    void *want = check_memory(size * (size_t)n + 1);
    int32_t *places = check_memory(4 * (size_t)n + 4), *moved = check_memory(4 * (size_t)n + 4);
    triple *many = check_memory(12 * (size_t)n + 12), *kept = check_memory(12 * (size_t)n + 12);
    for (int64_t i = 0; i < n; i++) {
        moved[i] = (int32_t)i;
        for (int k = 0; k < 12; k++) many[i].v[k] = (uint8_t)(i * 7 + k);
    }
    int32_t *numbers = check_memory(4 * (size_t)n + 4);
    memcpy(numbers, moved, 4 * (size_t)n);
    const hd_view in[2] = {HD_VIEW_OF(type, a, na), HD_VIEW_OF(type, b, nb)};
    const hd_view of_a[2] = {HD_VIEW(numbers, na), HD_VIEW_OF(HD_STRUCT(triple), many, na)};
    const hd_view of_b[2] = {HD_VIEW(numbers + na, nb),
                             HD_VIEW_OF(HD_STRUCT(triple), many + na, nb)};
    hd_view indices = HD_VIEW(places, n);
    const hd_views all = HD_VIEWS(of_a[0], of_b[0], HD_VIEW(moved, n), of_a[1], of_b[1],
                                  HD_VIEW_OF(HD_STRUCT(triple), kept, n));
    o.indices = &indices;
    CHECK_OK(serial, hd_merge(serial, in[0], in[1], HD_VIEW_OF(type, want, n),
                              with_values ? all : HD_NO_VALUES, &o));
    hd_view there[2] = {there_of(in[0]), there_of(in[1])},
            out = there_of(HD_VIEW_OF(type, want, n));
    hd_view at = there_of(indices), ints = there_of(HD_VIEW(numbers, n)),
            triples = there_of(HD_VIEW_OF(HD_STRUCT(triple), many, n));
    const hd_view values_a = there_of(of_a[0]), values_b = there_of(of_b[0]);
    const hd_views some = HD_VIEWS(values_a, values_b, ints, of_a[1], of_b[1], triples);
    o.indices = &at;
    CHECK_OK(ctx, hd_merge(ctx, there[0], there[1], out, with_values ? some : HD_NO_VALUES, &o));
    compare(&out, want, "merge", n);
    compare(&at, places, "indices", n);
    if (with_values) compare(&ints, moved, "values", n);
    if (with_values) compare(&triples, kept, "triples", n);
    hd_view rest[] = {there[0], there[1], values_a, values_b, ints, triples};
    for (int k = 0; k < (with_values ? 4 : 6); k++) CHECK_OK(ctx, hd_free(ctx, &rest[k]));
    free(a), free(b), free(want), free(places), free(moved), free(many), free(kept), free(numbers);
}

static void test_rows(void)
{
    int32_t a[9 * 20], b[9 * 13], want[9 * 33], got[9 * 33];
    for (int k = 0; k < 9 * 20; k++) a[k] = k / 9 * 3 + k % 4;
    for (int k = 0; k < 9 * 13; k++) b[k] = k / 9 * 5 + k % 3;
    const int64_t as[2] = {20, 9}, bs[2] = {13, 9}, os[2] = {33, 9};
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        int32_t *out = k ? got : want;
        CHECK_OK(c, hd_merge(c, hd_view_nd(HD_I32, a, 2, as, NULL),
                             hd_view_nd(HD_I32, b, 2, bs, NULL), HD_EMPTY,
                             HD_VALUES(hd_view_nd(HD_I32, a, 2, as, NULL),
                                       hd_view_nd(HD_I32, b, 2, bs, NULL),
                                       hd_view_nd(HD_I32, out, 2, os, NULL)),
                             &(hd_merge_options){.axis = HD_AXIS(0)}));
    }
    CHECK_SAME(HD_I32, got, want, 9 * 33, "rows on %s", backend);
}

static void check_permutation(const int32_t *out)
{
    uint8_t seen[1200] = {0};
    int64_t met = 0;
    for (int k = 0; k < 1200; k++)
        if (out[k] >= 0 && out[k] < 1200 && !seen[out[k]]++) met++;
    CHECK(met == 1200, "%s: %" PRId64 " of 1200 elements", backend, met);
}

// What is not sorted becomes some permutation; checked it is an error.
static void test_unsorted(void)
{
    int32_t a[700], b[500], out[1200];
    for (int k = 0; k < 700; k++) a[k] = k * 331 % 700;
    for (int k = 0; k < 500; k++) b[k] = 700 + k * 333 % 500;
    CHECK_OK(ctx, hd_merge(ctx, HD_VIEW(a, 700), HD_VIEW(b, 500), HD_VIEW(out, 1200), HD_NO_VALUES,
                           NULL));
    check_permutation(out);
    CHECK_OK(ctx, hd_merge(ctx, HD_VIEW(a, 700), HD_VIEW(b, 500), HD_VIEW(out, 1200), HD_NO_VALUES,
                           &(hd_merge_options){.comparison = in_circles}));
    check_permutation(out);
    hd_view there = there_of(HD_VIEW(a, 700));
    CHECK(hd_search(ctx, there, there, HD_VIEW(out, 700), &(hd_search_options){.checked = true}) ==
                  HD_ERROR_VALUE &&
              strstr(hd_error(ctx), "element 3 comes before element 2") != NULL,
          "%s: %s", backend, hd_error(ctx));
    CHECK_OK(ctx, hd_free(ctx, &there));
}

// Elements alone: floats move as keys, but where a tile has a NaN.
static void test_keys(hd_type type, int64_t na, int64_t nb, bool descending, bool nan)
{
    const int64_t n = na + nb;
    const size_t size = hd_type_size(type);
    const hd_merge_options o = {.descending = descending};
    uint64_t r = check_seed();
    char *x = check_memory(size * (size_t)n + 1), *want = check_memory(size * (size_t)n + 1);
    check_fill(type, x, n, CHECK_TIES, 3);
    for (int64_t i = 0; i < n; i++) { // NaN of either sign; zeros of either sign
        const int64_t what = check_below(&r, 40);
        if (what > 3) continue;
        memset(x + (size_t)i * size, 0, size);
        if (nan && what > 1) memset(x + (size_t)i * size, 0x7f + (int)check_below(&r, 2), size);
        if (nan && what > 1) x[(size_t)(i + 1) * size - 1] = (char)(what == 2 ? 0x7f : 0xff);
        if (what == 1) x[(size_t)(i + 1) * size - 1] = (char)0x80;
    }
    const hd_view a = HD_VIEW_OF(type, x, na), b = HD_VIEW_OF(type, x + (size_t)na * size, nb);
    const hd_sort_options sort = {.descending = descending};
    CHECK_OK(serial, hd_sort(serial, a, a, HD_NO_VALUES, &sort));
    CHECK_OK(serial, hd_sort(serial, b, b, HD_NO_VALUES, &sort));
    CHECK_OK(serial, hd_merge(serial, a, b, HD_VIEW_OF(type, want, n), HD_NO_VALUES, &o));
    hd_view there[2] = {there_of(a), there_of(b)}, out = there_of(HD_VIEW_OF(type, x, n));
    CHECK_OK(ctx, hd_merge(ctx, there[0], there[1], out, HD_NO_VALUES, &o));
    compare(&out, want, nan ? "keys with NaN" : "keys", n);
    for (int k = 0; k < 2; k++) CHECK_OK(ctx, hd_free(ctx, &there[k]));
    free(x), free(want);
}

static void test_merges(void)
{
    static const hd_type types[] = {HD_F32, HD_F16, HD_BF16, HD_F64, HD_I32, HD_U8};
    for (int t = 0; t < 6; t++)
        for (int k = 0; k < 4; k++)
            test_keys(types[t], t % 2 ? 480 : 333, t < 3 ? 160 : 821, k % 2, k / 2);

    const hd_merge_options up = {.checked = true}, down = {.descending = true};
    test_merge(HD_I32, 0, 1, false, up);
    test_merge(HD_I32, 160, 160, false, up);
    test_merge(HD_I32, 1001, 0, true, up);
    test_merge(HD_I32, 700, 900, true, down);
    test_merge(HD_F32, 1200, 301, true, up);
    test_merge(HD_U8, 700, 900, false, down);
    test_merge(HD_TYPE(record), 500, 600, true, (hd_merge_options){.comparison = by_key});
    test_merge(HD_TYPE(record), 500, 600, false,
               (hd_merge_options){.comparison = by_key, .descending = true});
    test_rows();
    test_unsorted();
}

static void test_backend(hd_backend which)
{
    backend = hd_backend_name(which);
    setenv("HEDDLE_TUNE", "merge_threads=32 merge_items=5 search_threads=64 search_rows=2", 1);
    ctx = check_open(which, 1, NULL);
    test_searches();
    test_merges();
    hd_close(ctx);
    // Splits by a launch of their own, tiles through registers.
    setenv("HEDDLE_TUNE", "merge_threads=64 merge_items=3 merge_search=0 merge_bulk=0", 1);
    ctx = check_open(which, 1, NULL);
    test_merges();
    hd_close(ctx);
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
