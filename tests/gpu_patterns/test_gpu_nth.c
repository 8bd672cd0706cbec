// SPDX-License-Identifier: Apache-2.0
//
// hd_nth and hd_quantiles on the model machine, and on a card where there is one, against the
// serial backend, bit for bit: every number type, both directions, few ranks that are selected and
// many that are looked up, NaN and equal elements, indices, a comparison, rows and segments, rows
// without numbers; every method of quantiles; views of the host and of the device, with gaps.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_COMPARISON(by_tens, int32_t, HD_NO_SOURCE, { return a / 10 < b / 10; })

static hd_context *ctx, *serial;
static const char *backend;

static const hd_type types[] = {HD_U8,  HD_I8,  HD_U16,  HD_I16, HD_U32, HD_I32, HD_U64,
                                HD_I64, HD_F16, HD_BF16, HD_F32, HD_F64, HD_BOOL};
enum { TYPES = sizeof types / sizeof *types, N = 3001, M = 9 };

static hd_view as_bytes(hd_view v)
{
    if (v.type == HD_BOOL) v.type = HD_U8;
    return v;
}

// The elements in memory of the device, off by one element, every second one where there are gaps.
static hd_view there_of(hd_view v, bool gaps, hd_view *memory)
{
    const int64_t n = hd_count(v), room = gaps ? 2 * n + 1 : n + 1;
    CHECK_OK(ctx, hd_alloc_device(ctx, v.type, 1, &room, memory));
    hd_view to = hd_slice(*memory, 0, 1, n, gaps ? 2 : 1), from = v;
    if (v.ndim == 2 && !gaps) {
        to.ndim = 2, to.shape[0] = v.shape[0], to.shape[1] = v.shape[1];
        to.stride[0] = v.shape[1], to.stride[1] = 1;
    }
    CHECK_OK(ctx, hd_map(ctx, as_bytes(from), NULL, as_bytes(to), NULL));
    return to;
}

static void bring_back(hd_view there, hd_view v, hd_view *memory)
{
    CHECK_OK(ctx, hd_map(ctx, as_bytes(there), NULL, as_bytes(v), NULL));
    CHECK_OK(ctx, hd_free(ctx, memory));
}

// ---- Elements by rank ---------------------------------------------------------------------------

// Random bytes; nan: some of these are NaN in types that have it.
static void fill(hd_type type, unsigned char *x, bool nan, uint64_t *r)
{
    const size_t size = hd_type_size(type);
    for (size_t k = 0; k < N * size; k++) x[k] = (unsigned char)check_next(r);
    for (size_t i = 0; i < N && !nan; i++) x[i * size + size - 1] &= 0x3f;
    for (size_t i = 0; i < N && nan && i % 5 == 0; i += 5) memset(x + i * size, 0xff, size);
}

static void test_nth(hd_type type, int64_t m, bool descending, bool indices, bool device,
                     uint64_t *r)
{
    static unsigned char x[N * 8], want[M * 8], got[M * 8];
    int64_t ranks[M], places[2][M];
    fill(type, x, m > 3, r);
    for (int64_t k = 0; k < m; k++) ranks[k] = k == 0 ? N - 1 : check_below(r, N);
    const hd_view in = hd_view_of(type, x, N), at = HD_VIEW(ranks, m);
    const hd_view out = hd_view_of(type, got, m), where = HD_VIEW(places[1], m);
    hd_nth_options o = {.descending = descending};
    const hd_view expected = HD_VIEW(places[0], m);
    if (indices) o.indices = &expected;
    CHECK_OK(serial, hd_nth(serial, in, at, hd_view_of(type, want, m), &o));
    hd_view memory[3], there[3] = {in, out, where};
    for (int k = 0; k < 3 && device; k++)
        there[k] = there_of(there[k], k == 0 && m % 2, &memory[k]);
    if (indices) o.indices = &there[2];
    CHECK_OK(ctx, hd_nth(ctx, there[0], at, there[1], &o));
    if (device) {
        bring_back(there[1], out, &memory[1]);
        bring_back(there[2], where, &memory[2]);
        CHECK_OK(ctx, hd_free(ctx, &memory[0]));
    }
    CHECK(memcmp(want, got, (size_t)m * hd_type_size(type)) == 0,
          "%s: %" PRId64 " ranks of %s, %s, %s", backend, m, hd_type_name(type),
          descending ? "down" : "up", device ? "device" : "host");
    if (indices)
        CHECK(memcmp(places[0], places[1], (size_t)m * 8) == 0, "%s: indices of %" PRId64 " %s",
              backend, m, hd_type_name(type));
}

static void test_comparison(void)
{
    int32_t x[500], out[2][4], places[2][4];
    const int64_t ranks[] = {0, 250, 499, 17};
    for (int k = 0; k < 500; k++) x[k] = k * 331 % 500;
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        CHECK_OK(c, hd_nth(c, HD_VIEW(x, 500), HD_VIEW((int64_t *)ranks, 4), HD_VIEW(out[k], 4),
                           &(hd_nth_options){.comparison = by_tens,
                                             .descending = true,
                                             .indices = HD_REF(HD_VIEW(places[k], 4))}));
    }
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0, "%s: by a comparison", backend);
    CHECK(memcmp(places[0], places[1], sizeof places[0]) == 0, "%s: indices by one", backend);
}

static void test_rows(uint64_t *r)
{
    enum { ROWS = 9, COLUMNS = 33, ALL = ROWS * COLUMNS };
    static float x[ALL], out[2][ROWS * 3];
    static uint32_t places[2][ROWS * 3];
    static const int64_t ranks[] = {0, 8, 4}, offsets[] = {2, 40, 49, 49 + 9, ALL - 3};
    const int64_t shape[] = {ROWS, COLUMNS}, of_out[] = {ROWS, 3}, of_segments[] = {4, 3};
    for (int k = 0; k < ALL; k++)
        x[k] = k % 11 == 3 ? (float)(0.0 / 0.0 * k) : (float)check_below(r, 20);
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        CHECK_OK(c, hd_nth(c, hd_view_nd(HD_F32, x, 2, shape, NULL), HD_VIEW((int64_t *)ranks, 3),
                           hd_view_nd(HD_F32, out[k], 2, of_out, NULL),
                           &(hd_nth_options){
                               .axis = HD_AXIS(1),
                               .indices = HD_REF(hd_view_nd(HD_U32, places[k], 2, of_out, NULL))}));
    }
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0, "%s: rows", backend);
    CHECK(memcmp(places[0], places[1], sizeof places[0]) == 0, "%s: indices of rows", backend);
    hd_view segments = HD_VIEW((int64_t *)offsets, 5);
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        CHECK_OK(c, hd_nth(c, HD_VIEW(x, ALL), HD_VIEW((int64_t *)ranks, 3),
                           hd_view_nd(HD_F32, out[k], 2, of_segments, NULL),
                           &(hd_nth_options){.segments = &segments,
                                             .descending = true,
                                             .indices = HD_REF(hd_view_nd(HD_U32, places[k], 2,
                                                                          of_segments, NULL))}));
    }
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0, "%s: segments", backend);
    CHECK(memcmp(places[0], places[1], sizeof places[0]) == 0, "%s: indices of segments", backend);
}

// ---- Quantiles ----------------------------------------------------------------------------------

static const double parts[] = {0.5, 0, 1, 0.25, 0.999, 1.0 / 3};

static void test_quantiles(hd_type type, hd_type to, int method, int64_t m, bool omit, bool nan,
                           uint64_t *r)
{
    static unsigned char x[N * 8];
    double want[6], got[6];
    fill(type, x, nan, r);
    const hd_view in = hd_view_of(type, x, N), at = HD_VIEW((double *)parts, m);
    const hd_quantiles_options o = {.method = method, .omit_nan = omit};
    hd_view memory[2];
    CHECK_OK(serial, hd_quantiles(serial, in, at, hd_view_of(to, want, m), &o));
    memcpy(got, want, sizeof got);
    memset(got, 0x5a, (size_t)m * hd_type_size(to));
    const hd_view out = hd_view_of(to, got, m), there = there_of(in, false, &memory[0]),
                  there_out = there_of(out, false, &memory[1]);
    CHECK_OK(ctx, hd_quantiles(ctx, there, at, there_out, &o));
    bring_back(there_out, out, &memory[1]);
    CHECK_OK(ctx, hd_free(ctx, &memory[0]));
    CHECK(memcmp(want, got, (size_t)m * hd_type_size(to)) == 0,
          "%s: %" PRId64 " quantiles of %s, method %d%s%s", backend, m, hd_type_name(type), method,
          nan ? ", NaN" : "", omit ? " left out" : "");
}

static void test_quantiles_of_rows(bool omit)
{
    static float x[7 * 21];
    double out[2][7 * 2];
    const int64_t shape[] = {7, 21}, of_out[] = {7, 2}, offsets[] = {0, 0, 20, 21, 60};
    hd_view segments = HD_VIEW((int64_t *)offsets, 5);
    for (int k = 0; k < 7 * 21; k++)
        x[k] =
            k / 21 == 5 || (k / 21 == 2 && k % 3 == 1) ? (float)(0.0 / 0.0) : (float)(k * 17 % 29);
    for (int how = 0; how < 2; how++) {
        for (int k = 0; k < 2; k++) {
            const hd_view all =
                how == 0 ? hd_view_nd(HD_F32, x, 2, shape, NULL) : hd_view_of(HD_F32, x, 7 * 21);
            const int64_t of_segments[] = {4, 2};
            hd_context *c = k ? ctx : serial;
            CHECK_OK(c, hd_quantiles(
                            c, all, HD_VIEW((double *)parts, 2),
                            hd_view_nd(HD_F64, out[k], 2, how == 0 ? of_out : of_segments, NULL),
                            &(hd_quantiles_options){.axis = how == 0 ? HD_AXIS(1) : 0,
                                                    .segments = how == 0 ? NULL : &segments,
                                                    .omit_nan = omit}));
        }
        CHECK(memcmp(out[0], out[1], (how == 0 ? 14 : 8) * sizeof(double)) == 0,
              "%s: quantiles of %s", backend, how == 0 ? "rows" : "segments");
    }
}

static void test_errors(void)
{
    int64_t rank = 2;
    double x[4] = {4, 3, 2, 1}, out;
    hd_view memory;
    const hd_view there = there_of(HD_VIEW(&rank, 1), false, &memory);
    CHECK(hd_nth(ctx, HD_VIEW(x, 4), there, HD_VIEW(&out, 1), NULL) == HD_ERROR_ARGUMENT &&
              strstr(hd_error(ctx), "ranks are on a device") != NULL,
          "%s: %s", backend, hd_error(ctx));
    CHECK_OK(ctx, hd_free(ctx, &memory));
}

static void test_backend(hd_backend which)
{
    static const char *const tunes[] = {"nth_from=1 top_threads=256 top_rows=2", "nth_from=4096"};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    for (int t = 0; t < 2; t++) {
        setenv("HEDDLE_TUNE", tunes[t], 1);
        ctx = check_open(which, 1, NULL);
        for (int k = 0; k < TYPES; k += 1 + 2 * t)
            for (int j = 0; j < 2; j++)
                test_nth(types[k], j ? t ? M : 4 : 1 + k % 3, k % 2 != j, t && k % 4, (k + j) % 2,
                         &r);
        for (int method = 0; method < 5; method++) {
            const hd_type to = method == HD_LOWER ? HD_F32 : method % 2 ? HD_F64 : HD_F16;
            test_quantiles(method == HD_LOWER ? HD_F32 : HD_F64, to, method, 1 + method, method % 2,
                           method == 3 || method == 4, &r);
        }
        test_quantiles(HD_I16, HD_F32, HD_LINEAR, 1, false, false, &r);
        test_quantiles(HD_F32, HD_F64, HD_LINEAR, 3, true, true, &r);
        test_quantiles(HD_F32, HD_F64, HD_LINEAR, 3, false, true, &r);
        if (t == 0) {
            test_comparison();
            test_rows(&r);
            test_quantiles_of_rows(false);
            test_quantiles_of_rows(true);
            test_errors();
        }
        hd_close(ctx);
    }
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
