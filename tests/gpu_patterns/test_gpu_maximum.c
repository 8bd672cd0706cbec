// SPDX-License-Identifier: Apache-2.0
//
// hd_maximum on the model machine, and on a card where there is one, against the serial backend:
// every method, index, value, steps, work and processors; all types with ties, NaN and infinities,
// sizes around a group and a block, views of the host and of the device with gaps, several
// dimensions, off by one element, implicit ones, nothing.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_teaching.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

static void compare(hd_view in, hd_view there, hd_maximum_method method, const char *what)
{
    const hd_maximum_options o = {.method = (int32_t)method};
    hd_maximum_result want, got;
    memset(&want, 0xee, sizeof want);
    memset(&got, 0xee, sizeof got);
    CHECK_OK(serial, hd_maximum(serial, in, &want, &o));
    CHECK_OK(ctx, hd_maximum(ctx, there, &got, &o));
    CHECK(got.index == want.index && memcmp(&got.value, &want.value, sizeof got.value) == 0,
          "%s of %" PRId64 " %s, %s: index %" PRId64 ", expected %" PRId64 " on %s",
          hd_maximum_name(method), hd_count(in), hd_type_name(in.type), what, got.index, want.index,
          backend);
    CHECK(got.steps == want.steps && got.work == want.work && got.processors == want.processors,
          "%s of %" PRId64 ": %" PRId64 " steps, work %" PRId64 ", %" PRId64
          " processors; expected %" PRId64 ", %" PRId64 ", %" PRId64 " on %s",
          hd_maximum_name(method), hd_count(in), got.steps, got.work, got.processors, want.steps,
          want.work, want.processors, backend);
}

// Elements of the device, the first of which is one element behind an aligned address.
static hd_view there_of(hd_view in, hd_view *whole)
{
    const int64_t room = in.shape[0] + 1;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, &room, whole));
    const hd_view there = hd_slice(*whole, 0, 1, in.shape[0], 1);
    if (in.shape[0] > 0) CHECK_OK(ctx, hd_map(ctx, in, NULL, there, NULL));
    return there;
}

static void test_type(hd_type type, int64_t n, check_pattern pattern, uint64_t seed)
{
    unsigned char *x = check_memory((size_t)n * 8 + 8);
    hd_view whole;
    check_fill(type, x, n, pattern, seed);
    const hd_view in = hd_view_of(type, x, n), there = there_of(in, &whole);
    for (int m = 0; m < HD_MAXIMUM_METHODS; m++) {
        const bool device = (seed + (uint64_t)m) % 2;
        compare(in, device ? there : in, (hd_maximum_method)m, device ? "device" : "host");
    }
    CHECK_OK(ctx, hd_free(ctx, &whole));
    free(x);
}

static void test_types(void)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 16, 33, 255, 257, 600};
    const int count = check_small() ? 5 : 9;
    uint64_t seed = check_seed();
    for (int t = 0; check_type(t); t++, seed++)
        test_type(check_type(t), sizes[(t * 5 + 1) % count], (check_pattern)(t % CHECK_PATTERNS),
                  seed);
    for (int k = 0; k < count; k++, seed++) {
        test_type(HD_F32, sizes[k], CHECK_SPECIAL, seed);
        test_type(HD_I32, sizes[k], CHECK_TIES, seed);
    }
    test_type(HD_F16, 2049, CHECK_SPECIAL, seed);
    test_type(HD_F64, 3001, CHECK_TIES, seed);
}

// Every float of 16 bits, one before another: which of two is greater.
static void test_pairs(hd_type type)
{
    static const uint16_t some[] = {0,      0x8000, 1,      0x8001, 0x3c00, 0xbc00, 0x7bff, 0xfbff,
                                    0x7c00, 0xfc00, 0x7c01, 0xfe00, 0x7f80, 0xff80, 0x7f81, 0xffff};
    for (int i = 0; i < 16; i += 3)
        for (int j = 0; j < 16; j++) {
            const uint16_t x[2] = {some[i], some[j]};
            const hd_view in = hd_view_of(type, (void *)x, 2);
            compare(in, in, HD_MAXIMUM_TREE, "a pair");
            if (check_small()) return;
        }
}

static void test_views(void)
{
    enum { N = 400 };
    float x[N];
    hd_view whole;
    const int64_t shape[] = {7, 9}, stride[] = {40, -2};
    check_fill(HD_F32, x, N, CHECK_ORDINARY, 5);
    const hd_view there = there_of(HD_VIEW(x, N), &whole);
    hd_view planar = hd_view_nd(HD_F32, x + 20, 2, shape, stride), far = planar;
    far.data = (float *)there.data + 20;
    far.space = HD_DEVICE;
    const float seven = -7, none = -0.0f;
    const hd_view all[][2] = {
        {planar, planar},
        {planar, far},
        {hd_slice(HD_VIEW(x, N), 0, 3, 97, 4), hd_slice(there, 0, 3, 97, 4)},
        {hd_progression(-9, 3, 301), hd_progression(-9, 3, 301)},
        {hd_progression(9, -3, 301), hd_progression(9, -3, 301)},
        {hd_constant_of(HD_F32, &seven, 77), hd_constant_of(HD_F32, &seven, 77)},
        {hd_constant_of(HD_F32, &none, 3), hd_constant_of(HD_F32, &none, 3)},
        {HD_VIEW(x, 0), hd_slice(there, 0, 0, 0, 1)}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int m = 0; m < HD_MAXIMUM_METHODS; m += 1 + (k > 1))
            compare(all[k][0], all[k][1], (hd_maximum_method)m, "a view");
    CHECK_OK(ctx, hd_free(ctx, &whole));
}

static void test_errors(void)
{
    hd_maximum_result r;
    const hd_maximum_options square = {.method = HD_MAXIMUM_SQUARE};
    CHECK(hd_maximum(ctx, hd_iota(HD_MAXIMUM_SQUARE_MAX + 1), &r, &square) == HD_ERROR_SHAPE, "%s",
          hd_error(ctx));
}

static void test_backend(hd_backend which)
{
    backend = hd_backend_name(which);
    ctx = check_open(which, 1, NULL);
    test_types();
    test_pairs(HD_F16);
    test_pairs(HD_BF16);
    test_views();
    test_errors();
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
