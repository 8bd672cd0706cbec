// SPDX-License-Identifier: Apache-2.0
//
// hd_random and hd_shuffle on the model machine, and on a card where there is one, against the
// serial backend: types, ranges, distributions, offsets and seeds; shuffles of numbers and of
// structures, of sizes with keys whose first bits are alike; host and device memory, with gaps.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

typedef struct triple {
    uint8_t v[12];
} triple;

// Runs a call into a view of the device, brings it back and compares.
static hd_view device_of(hd_type type, int64_t n)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, type, 1, &n, &v));
    return v;
}

static void compare(hd_view from, const void *want, const char *what, int64_t n)
{
    const size_t bytes = hd_type_size(from.type) * (size_t)n;
    void *got = check_memory(bytes + 1);
    hd_view bytes_there = from;
    bytes_there.type = HD_U8;
    bytes_there.shape[0] = (int64_t)bytes;
    CHECK_OK(ctx, hd_map(ctx, bytes_there, NULL, HD_VIEW_OF(HD_U8, got, (int64_t)bytes), NULL));
    CHECK(memcmp(got, want, bytes) == 0, "%s: %s of %" PRId64 " %s differs", backend, what, n,
          hd_type_name(from.type));
    free(got);
}

// ---- Random numbers -----------------------------------------------------------------------------

static void test_random(hd_type type, int64_t n, const hd_random_options *o)
{
    void *want = check_memory(hd_type_size(type) * (size_t)n + 1);
    hd_view there = device_of(type, n);
    CHECK_OK(serial, hd_random(serial, HD_VIEW_OF(type, want, n), o));
    CHECK_OK(ctx, hd_random(ctx, there, o));
    compare(there, want, o->distribution == HD_NORMAL ? "normal" : "uniform", n);
    CHECK_OK(ctx, hd_free(ctx, &there));
    free(want);
}

static void test_numbers(void)
{
    static const hd_type types[] = {HD_I8, HD_U64, HD_BOOL, HD_F16, HD_BF16, HD_F32, HD_F64};
    static const int64_t sizes[] = {0, 1, 33, 2049};
    for (int t = 0; t < 7; t++)
        for (int s = 0; s < 4; s++)
            test_random(types[t], sizes[s],
                        &(hd_random_options){.seed = 7 + (uint64_t)s, .offset = (uint64_t)s << 40});
    for (int t = 3; t < 7; t += 3)
        test_random(types[t], 4001, &(hd_random_options){.distribution = HD_NORMAL});
    const int8_t low = -3, high = 96;
    test_random(HD_I8, 3000, &(hd_random_options){.low = &low, .high = &high});
    // Every other number is drawn again.
    const uint64_t least = 5, most = UINT64_C(1) << 63 | 5;
    test_random(HD_U64, 3000, &(hd_random_options){.low = &least, .high = &most});
}

// Into host memory with gaps.
static void test_gaps(void)
{
    enum { N = 700 };
    float want[2 * N], got[2 * N];
    memset(want, 1, sizeof want);
    memset(got, 1, sizeof got);
    hd_view to = HD_VIEW(want, N), there = HD_VIEW(got, N);
    to.stride[0] = there.stride[0] = 2;
    CHECK_OK(serial, hd_random(serial, to, NULL));
    CHECK_OK(ctx, hd_random(ctx, there, NULL));
    CHECK_SAME(HD_F32, got, want, 2 * N, "with gaps");
}

// ---- Shuffles -----------------------------------------------------------------------------------

static void test_shuffle(hd_type type, int64_t n, uint64_t seed, bool on_host)
{
    const size_t size = hd_type_size(type);
    unsigned char *x = check_memory(size * (size_t)n + 1),
                  *want = check_memory(size * (size_t)n + 1);
    for (size_t k = 0; k < size * (size_t)n; k++) x[k] = (unsigned char)(k / size * 131 + k % size);
    const hd_shuffle_options o = {.seed = seed};
    const hd_view in = HD_VIEW_OF(type, x, n);
    hd_view there = device_of(type, n), out = device_of(type, n), bytes = there;
    CHECK_OK(serial, hd_shuffle(serial, in, HD_VIEW_OF(type, want, n), &o));
    bytes.type = HD_U8;
    bytes.shape[0] = (int64_t)size * n;
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, x, (int64_t)size * n), NULL, bytes, NULL));
    CHECK_OK(ctx, hd_shuffle(ctx, on_host ? in : there, out, &o));
    compare(out, want, "shuffle", n);
    CHECK_OK(ctx, hd_free(ctx, &there));
    CHECK_OK(ctx, hd_free(ctx, &out));
    free(x), free(want);
}

static void test_shuffles(void)
{
    static const int64_t sizes[] = {0, 1, 2, 17, 255, 256, 257, 4096, 5000};
    for (int s = 0; s < 9; s++) test_shuffle(HD_I32, sizes[s], (uint64_t)s, s % 2);
    test_shuffle(HD_U8, 3001, 1, false);
    test_shuffle(HD_STRUCT(triple), 3001, 1, false);
    int32_t want[900], got[900];
    CHECK_OK(serial, hd_shuffle(serial, hd_constant_of(HD_I32, &(int32_t){7}, 900),
                                HD_VIEW(want, 900), NULL));
    CHECK_OK(ctx,
             hd_shuffle(ctx, hd_constant_of(HD_I32, &(int32_t){7}, 900), HD_VIEW(got, 900), NULL));
    CHECK_SAME(HD_I32, got, want, 900, "a constant");
}

static void test_backend(hd_backend which)
{
    backend = hd_backend_name(which);
    ctx = check_open(which, 1, NULL);
    test_numbers();
    test_gaps();
    test_shuffles();
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
