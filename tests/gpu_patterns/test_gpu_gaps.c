// SPDX-License-Identifier: Apache-2.0
//
// Views that lie otherwise than the kernels have them, on the model machine, and on a card where
// there is one, against the serial backend: structures and fields with gaps and more fields than
// are staged, merges of implicit values, results of set operations and runs by a comparison in
// several dimensions, rows with gaps rotated as one, carries over indexed views and those of
// several dimensions.
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_COMPARISON(by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

enum { N = 600 };
static int32_t ints[N], more[N], want[2 * N], got[2 * N];

// The bytes of an array in memory of the device, behind as many bytes as an element has.
static hd_view send(hd_view v, const void *base, size_t bytes, hd_view *memory)
{
    const int64_t size = (int64_t)hd_type_size(v.type), all = (int64_t)bytes + size;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &all, memory));
    const hd_view to = hd_slice(*memory, 0, size, (int64_t)bytes, 1);
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, (void *)base, (int64_t)bytes), NULL, to, NULL));
    v.data = (char *)to.data + ((const char *)v.data - (const char *)base);
    v.space = HD_DEVICE;
    return v;
}

static void fetch(hd_view memory, int64_t skip, void *to, size_t bytes)
{
    CHECK_OK(ctx, hd_map(ctx, hd_slice(memory, 0, skip, (int64_t)bytes, 1), NULL,
                         HD_VIEW_OF(HD_U8, to, (int64_t)bytes), NULL));
}

// ---- Structures ---------------------------------------------------------------------------------

typedef struct record {
    int32_t a;
    int16_t b;
    double c;
} record;

static const int64_t offsets[3] = {offsetof(record, a), offsetof(record, b), offsetof(record, c)};
static const hd_type types[3] = {HD_I32, HD_I16, HD_F64};

// Every other structure, the other way round; fields in the same shape, with gaps of their own.
static void test_structures(void)
{
    enum { ROWS = 9, COLUMNS = 7, ALL = ROWS * COLUMNS };
    static record from[2 * ALL], of[2][2 * ALL];
    static double field[2][3][3 * ALL];
    const int64_t shape[] = {ROWS, COLUMNS}, turned[] = {2 * COLUMNS, -2}, dense[] = {COLUMNS, 1},
                  apart[] = {1, 2 * ROWS};
    uint64_t r = check_seed();
    for (size_t k = 0; k < sizeof from; k++) ((char *)from)[k] = (char)check_next(&r);
    for (int k = 0; k < 2; k++) memset(of[k], 0x5a, sizeof of[k]);
    for (int k = 0; k < 2; k++) memset(field[k], 0x3c, sizeof field[k]);
    const hd_zip_options o = {.field_offsets = offsets};
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        hd_view fields[3];
        for (int f = 0; f < 3; f++)
            fields[f] = hd_view_nd(types[f], field[k][f], 2, shape, f % 2 ? dense : apart);
        CHECK_OK(
            c, hd_unzip(c, hd_view_nd(HD_STRUCT(record), from + 2 * COLUMNS - 1, 2, shape, turned),
                        (hd_views){fields, 3}, &o));
        CHECK_OK(c, hd_zip(c, (hd_views){fields, 2},
                           hd_view_nd(HD_STRUCT(record), of[k] + 2 * COLUMNS - 1, 2, shape, turned),
                           &o));
    }
    CHECK(memcmp(field[0], field[1], sizeof field[0]) == 0, "fields with gaps on %s", backend);
    CHECK(memcmp(of[0], of[1], sizeof of[0]) == 0, "structures with gaps on %s", backend);
    hd_view memory[2]; // structures and a field of the device
    const hd_view there =
        send(hd_view_nd(HD_STRUCT(record), from + 2 * COLUMNS - 1, 2, shape, turned), from,
             sizeof from, &memory[0]);
    memset(field[1][2], 0x3c, sizeof field[1][2]);
    const hd_view c = send(hd_view_nd(HD_F64, field[1][2], 2, shape, apart), field[1][2],
                           sizeof field[1][2], &memory[1]);
    CHECK_OK(ctx,
             hd_unzip(ctx, there, HD_VIEWS(c), &(hd_zip_options){.field_offsets = &offsets[2]}));
    fetch(memory[1], 8, field[1][2], sizeof field[1][2]);
    CHECK(memcmp(field[0][2], field[1][2], sizeof field[0][2]) == 0, "device, gaps, %s", backend);
    for (int k = 0; k < 2; k++) CHECK_OK(ctx, hd_free(ctx, &memory[k]));
}

typedef struct many {
    int32_t v[30];
} many;

static void test_many_fields(void)
{
    static many from[50], of[2][50];
    static int32_t field[2][30][50];
    for (int k = 0; k < 50 * 30; k++) from[k / 30].v[k % 30] = k * 7919;
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        hd_view fields[30];
        for (int f = 0; f < 30; f++) fields[f] = HD_VIEW(field[k][f], 50);
        CHECK_OK(c,
                 hd_unzip(c, hd_view_of(HD_STRUCT(many), from, 50), (hd_views){fields, 30}, NULL));
        CHECK_OK(c,
                 hd_zip(c, (hd_views){fields, 30}, hd_view_of(HD_STRUCT(many), of[k], 50), NULL));
    }
    CHECK(memcmp(field[0], field[1], sizeof field[0]) == 0, "thirty fields on %s", backend);
    CHECK(memcmp(of[0], of[1], sizeof of[0]) == 0, "of thirty fields on %s", backend);
}

// ---- Order --------------------------------------------------------------------------------------

static void test_merge(void)
{
    enum { NA = 250, NB = 331 };
    double out[2][NA + NB];
    const double half = 0.5;
    int32_t a[NA], b[NB];
    for (int i = 0; i < NA; i++) a[i] = i * 3 / 2;
    for (int i = 0; i < NB; i++) b[i] = i;
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        int32_t *const to = k ? got : want;
        int64_t *const where = (int64_t *)(void *)(k ? got + N : want + N);
        CHECK_OK(c, hd_merge(c, HD_VIEW(a, NA), HD_VIEW(b, NB), HD_VIEW(to, NA + NB),
                             HD_VALUES(hd_constant_of(HD_F64, &half, NA),
                                       hd_constant_of(HD_F64, &half, NB), HD_VIEW(out[k], NA + NB)),
                             NULL));
        CHECK_OK(
            c, hd_merge(c, HD_VIEW(a, 100), HD_VIEW(b, 120), HD_EMPTY,
                        HD_VALUES(hd_iota(100), hd_progression(1000, -3, 120), HD_VIEW(where, 220)),
                        NULL));
    }
    CHECK_SAME(HD_I32, got, want, 2 * N, "merged, %s", backend);
    CHECK_SAME(HD_F64, out[1], out[0], NA + NB, "a constant of values, %s", backend);
}

typedef hd_status set_call(hd_context *c, hd_view a, hd_view b, hd_view out, hd_view count,
                           const hd_set_options *o);

// Results in every other column of rows, of which some may be too few.
static void test_sets(int64_t rows, int64_t na, int64_t nb, set_call *call)
{
    const int64_t shape[] = {rows, 20}, apart[] = {40, 2};
    int64_t count[2] = {-1, -1};
    uint32_t index[2][40 * 60];
    int16_t values[N], moved[2][40 * 60];
    static int32_t out[2][40 * 60];
    hd_status status[2];
    for (int i = 0; i < N; i++) values[i] = (int16_t)(i * 31);
    for (int i = 0; i < N; i++) ints[i] = i / 2, more[i] = i;
    memset(index, 0x11, sizeof index), memset(moved, 0x22, sizeof moved);
    memset(out, 0x33, sizeof out);
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        status[k] =
            call(c, HD_VIEW(ints, na), HD_VIEW(more, nb),
                 hd_view_nd(HD_I32, out[k], 2, shape, apart), HD_VIEW(&count[k], 1),
                 &(hd_set_options){.indices = HD_REF(hd_view_nd(HD_U32, index[k], 2, shape, apart)),
                                   .value_views =
                                       HD_VALUES(HD_VIEW(values, na), HD_VIEW(values, nb),
                                                 hd_view_nd(HD_I16, moved[k], 2, shape, apart))});
    }
    CHECK(status[0] == status[1] && count[0] == count[1], "%s: %s; serial: %s", backend,
          hd_error(ctx), hd_error(serial));
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0, "a set in rows of %s", backend);
    CHECK(memcmp(index[0], index[1], sizeof index[0]) == 0, "indices in rows of %s", backend);
    CHECK(memcmp(moved[0], moved[1], sizeof moved[0]) == 0, "values in rows of %s", backend);
}

// Elements that lie in two dimensions; runs are of all in row-major order.
static void test_runs(void)
{
    const int64_t shape[] = {13, 20}, apart[] = {40, 2};
    int64_t count[2] = {-1, -1}, lengths[2][N];
    for (int i = 0; i < N; i++) ints[i] = i / 3;
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        memset(lengths[k], 0, sizeof lengths[k]);
        CHECK_OK(c, hd_run_lengths(c, hd_view_nd(HD_I32, ints, 2, shape, apart),
                                   HD_VIEW(k ? got : want, 2 * N), HD_VIEW(lengths[k], N),
                                   HD_VIEW(&count[k], 1),
                                   &(hd_run_lengths_options){.comparison = by_tens}));
    }
    CHECK(count[0] == count[1] && count[0] > 3, "%" PRId64 " runs on %s", count[1], backend);
    CHECK_SAME(HD_I32, got, want, count[0], "runs of rows on %s", backend);
    CHECK_SAME(HD_I64, lengths[1], lengths[0], count[0], "lengths on %s", backend);
}

static void test_rotate(void)
{
    const int64_t shape[] = {13, 20}, apart[] = {40, 2}, turned[] = {-20, 1};
    static const int64_t shifts[] = {0, 1, 20, 259, -7};
    for (int i = 0; i < N; i++) ints[i] = i;
    for (int s = 0; s < 5; s++) {
        for (int k = 0; k < 2; k++) {
            hd_context *c = k ? ctx : serial;
            int32_t *const to = k ? got : want;
            memset(to, 0x44, sizeof want);
            const hd_view out = hd_view_nd(HD_I32, to + 240, 2, shape, turned);
            CHECK_OK(c,
                     hd_rotate(c, hd_view_nd(HD_I32, ints, 2, shape, apart), shifts[s], out, NULL));
            const hd_view again = hd_view_nd(HD_I32, to + 600, 2, shape, apart);
            CHECK_OK(c, hd_map(c, out, NULL, again, NULL));
            CHECK_OK(c, hd_rotate(c, again, shifts[s], again, NULL)); // in place
        }
        CHECK_SAME(HD_I32, got, want, 2 * N, "rotated by %" PRId64 " on %s", shifts[s], backend);
    }
}

// ---- Carries ------------------------------------------------------------------------------------

static void test_carries(void)
{
    const int64_t shape[] = {13, 20}, apart[] = {40, 2};
    static float x[N], out[2][N], sum[2][3];
    static int32_t index[200];
    check_fill(HD_F32, x, N, CHECK_ORDINARY, 7);
    uint64_t r = check_seed();
    for (int i = 0; i < 200; i++) index[i] = (int32_t)check_below(&r, N);
    const hd_view planar = hd_view_nd(HD_F32, x, 2, shape, apart),
                  indexed = hd_indexed(HD_VIEW(x, N), HD_VIEW(index, 200));
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        hd_carry *carry[2];
        const hd_view all[] = {planar, indexed, HD_VIEW(x, 77)};
        for (int j = 0; j < 2; j++) CHECK_OK(c, hd_carry_open(c, &carry[j]));
        for (int j = 0; j < 3; j++)
            CHECK_OK(c, hd_reduce(c, all[j], HD_SUM, HD_VIEW(&sum[k][j], 1),
                                  &(hd_reduce_options){.carry = carry[0]}));
        const hd_view to = hd_view_nd(HD_F32, out[k], 2, shape, apart);
        CHECK_OK(c, hd_scan(c, planar, HD_SUM, to, &(hd_scan_options){.carry = carry[1]}));
        CHECK_OK(c, hd_scan(c, indexed, HD_SUM, HD_VIEW(out[k] + 300, 200),
                            &(hd_scan_options){.carry = carry[1], .exclusive = true}));
        for (int j = 0; j < 2; j++) hd_carry_close(c, carry[j]);
    }
    CHECK_SAME(HD_F32, sum[1], sum[0], 3, "carried sums on %s", backend);
    CHECK_SAME(HD_F32, out[1], out[0], N, "a carried scan on %s", backend);
}

static void test_backend(hd_backend which)
{
    backend = hd_backend_name(which);
    ctx = check_open(which, 1, NULL);
    test_structures();
    test_many_fields();
    test_merge();
    test_sets(60, 300, 200, hd_set_union);
    test_sets(60, 300, 0, hd_set_union);
    test_sets(4, 300, 200, hd_set_union);
    test_sets(60, 100, 400, hd_set_symmetric_difference);
    test_runs();
    test_rotate();
    test_carries();
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
