// SPDX-License-Identifier: Apache-2.0
//
// Set operations on the model machine, and on a card where there is one, against the serial
// backend: all four, of numbers both ways and of structures by a comparison, with equal elements,
// NaN, empty arrays and too little room; elements, indices and values of two types, one of them
// with gaps; host and device memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_SOURCE(
    records, typedef struct { int32_t key, id; } record;)
HD_COMPARISON(by_key, record, records, { return a.key < b.key; })

typedef hd_status operation(hd_context *ctx, hd_view a, hd_view b, hd_view out, hd_view count,
                            const hd_set_options *options);
static operation *const operations[] = {hd_set_union, hd_set_intersection, hd_set_difference,
                                        hd_set_symmetric_difference};

enum { MOST = 2000 };
static _Alignas(8) unsigned char a[8 * MOST], b[8 * MOST], want[16 * MOST], got[16 * MOST];
static int32_t want_at[2 * MOST], got_at[2 * MOST];
typedef struct point {
    uint8_t x, y, z;
} point;
static point of_b[2 * MOST], want_points[4 * MOST], got_points[4 * MOST];
static int64_t numbers_of_b[MOST], want_numbers[2 * MOST], got_numbers[2 * MOST];

// n rising (or falling) elements of a few values.
static void fill(hd_type type, void *x, int64_t n, bool descending, uint64_t *r)
{
    for (int64_t i = 0, key = 0; i < n; i++) {
        key += check_below(r, 3) * (descending ? -1 : 1);
        if (type == HD_I32)
            ((int32_t *)x)[i] = (int32_t)key;
        else if (type == HD_F32)
            ((float *)x)[i] = (float)key;
        else
            ((record *)x)[i] = (record){(int32_t)key, (int32_t)check_below(r, 1000)};
    }
    if (type == HD_F32 && n > 3) ((uint32_t *)x)[n - 1] = ((uint32_t *)x)[n - 2] = 0x7fc00001;
}

static hd_view there_of(hd_view in)
{
    hd_view v, bytes;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, in.shape, &v));
    bytes = v, bytes.type = in.type == HD_I32 ? HD_I32 : HD_U8;
    bytes.shape[0] *= in.type == HD_I32 ? 1 : (int64_t)hd_type_size(in.type);
    in.type = bytes.type, in.shape[0] = bytes.shape[0];
    CHECK_OK(ctx, hd_map(ctx, in, NULL, bytes, NULL));
    return v;
}

static void fill_values(uint64_t *r)
{
    for (int64_t i = 0; i < MOST; i++) {
        numbers_of_b[i] = check_below(r, 1 << 30);
        of_b[2 * i] = (point){(uint8_t)i, (uint8_t)(i >> 8), (uint8_t)check_below(r, 256)};
    }
}

// Values of two types: numbers, those of a counted from 7, and points, of which every other is
// taken, those of a from the other end.
static void set_values(hd_view *v, int64_t na, int64_t nb, int64_t room, bool wanted)
{
    const hd_type type = HD_TYPE(point);
    v[0] = hd_progression(7, 3, na);
    v[1] = HD_VIEW(numbers_of_b, nb);
    v[2] = HD_VIEW(wanted ? want_numbers : got_numbers, room);
    v[3] = hd_slice(HD_VIEW_OF(type, of_b, 2 * MOST), 0, 2 * MOST - 2, na, -2);
    v[4] = hd_slice(HD_VIEW_OF(type, of_b, 2 * MOST), 0, 0, nb, 2);
    v[5] = hd_slice(HD_VIEW_OF(type, wanted ? want_points : got_points, 4 * MOST), 0, 1, room, 2);
}

static void test_set(hd_type type, int64_t na, int64_t nb, int64_t room, hd_set_options o)
{
    const hd_view x = HD_VIEW_OF(type, a, na), y = HD_VIEW_OF(type, b, nb);
    hd_view there[2] = {there_of(x), there_of(y)};
    for (int k = 0; k < 4; k++)
        for (int way = 0; way < 2; way++) {
            int64_t count[2] = {-1, -1};
            hd_view at = HD_VIEW(want_at, room), value[6];
            const int64_t fewer = way ? room : room / 2;
            o.value_views = (hd_views){value, 6};
            memset(want, 0, sizeof want), memset(got, 0, sizeof got);
            memset(want_at, 0, sizeof want_at), memset(got_at, 0, sizeof got_at);
            memset(want_points, 0, sizeof want_points), memset(got_points, 0, sizeof got_points);
            memset(want_numbers, 0, sizeof want_numbers);
            memset(got_numbers, 0, sizeof got_numbers);
            o.indices = &at;
            set_values(value, na, nb, fewer, true);
            const hd_status status = operations[k](serial, x, y, HD_VIEW_OF(type, want, room),
                                                   HD_VIEW(&count[0], 1), &o);
            at = HD_VIEW(got_at, room);
            set_values(value, na, nb, fewer, false);
            const hd_status here =
                operations[k](ctx, way ? there[0] : x, way ? there[1] : y,
                              HD_VIEW_OF(type, got, room), HD_VIEW(&count[1], 1), &o);
            CHECK(here == status && count[0] == count[1],
                  "operation %d on %s: %" PRId64 " elements, expected %" PRId64 ": %s", k, backend,
                  count[1], count[0], hd_error(ctx));
            CHECK(memcmp(got, want, sizeof want) == 0 &&
                      memcmp(got_at, want_at, sizeof want_at) == 0,
                  "operation %d on %s: %" PRId64 " and %" PRId64 " %s", k, backend, na, nb,
                  hd_type_name(type));
            CHECK(memcmp(got_numbers, want_numbers, sizeof want_numbers) == 0 &&
                      memcmp(got_points, want_points, sizeof want_points) == 0,
                  "values of operation %d on %s: %" PRId64 " and %" PRId64 " %s", k, backend, na,
                  nb, hd_type_name(type));
        }
    CHECK_OK(ctx, hd_free(ctx, &there[0]));
    CHECK_OK(ctx, hd_free(ctx, &there[1]));
}

static void test_backend(hd_backend which)
{
    static const hd_type types[] = {HD_I32, HD_F32, HD_TYPE(record)};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    fill_values(&r);
    setenv("HEDDLE_TUNE", "merge_threads=32 merge_items=5 search_threads=64 search_rows=2", 1);
    ctx = check_open(which, 1, NULL);
    for (int k = 0; k < 3; k++) {
        const hd_set_options o = {.comparison = k == 2 ? by_key : NULL, .descending = k == 0};
        fill(types[k], a, 1300, k == 0, &r);
        fill(types[k], b, 1100, k == 0, &r);
        test_set(types[k], 1300, 1100, 2400, o);
        test_set(types[k], 1300, k == 0 ? 0 : 1, 1301, o);
        if (k > 0) test_set(types[k], 900, 1000, 150, o);
    }
    test_set(HD_I32, 0, 0, 1, (hd_set_options){.checked = true});
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
