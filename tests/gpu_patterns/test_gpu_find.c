// SPDX-License-Identifier: Apache-2.0
//
// hd_find by the GPU's kernel, on the model machine and on a card where there is one, against the
// serial backend: types, values, functions, first and last, nothing to find and everything; sizes
// around tiles, arrays that begin off by one element, strided and of the host; the position in host
// memory and on the device.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct triple {
    uint8_t v[12];
} triple;

HD_FUNCTION(is_large, bool, HD_NO_SOURCE, (int32_t, x, float, bound), { return x > bound; })
HD_FUNCTION(tripled, uint16_t, HD_NO_SOURCE, (uint16_t, x), { return (uint16_t)(3 * x); })

static hd_context *ctx, *serial;
static const char *backend;

typedef struct way {
    hd_type type;
    const hd_function *map;
    bool valued, last, on_host, strided;
} way;

static const way ways[] = {
    {HD_I32, NULL, false, false, false, false},
    {HD_I32, NULL, true, true, false, false},
    {HD_F32, NULL, false, true, false, true},
    {HD_F64, NULL, true, false, false, false},
    {HD_F16, NULL, true, false, true, false},
    {HD_BF16, NULL, false, false, false, false},
    {HD_BOOL, NULL, true, false, false, false},
    {HD_U8, NULL, true, true, true, true},
    {HD_STRUCT(triple), NULL, true, false, false, false},
    {HD_I32, is_large, false, false, false, false},
    {HD_U16, tripled, true, true, false, false},
};
enum { WAYS = sizeof ways / sizeof *ways, MOST = 5000 };

static hd_status find(hd_context *c, const way *w, hd_view in, const void *value, hd_view position)
{
    static const float bound = 0;
    const hd_view limit = hd_constant_of(HD_F32, &bound, hd_count(in));
    return hd_find(
        c, in, position,
        &(hd_find_options){.value = w->valued ? value : NULL,
                           .last = w->last,
                           .map = w->map,
                           .with = w->map == is_large ? HD_VIEWS(limit) : (hd_views){0}});
}

// Elements are zero but for `wanted` of them.
static void ask(const way *w, int64_t n, int64_t wanted, int64_t skip, uint64_t *r)
{
    const size_t size = hd_type_size(w->type);
    const int64_t step = w->strided ? 2 : 1, all = skip + n * step + 1, bytes = all * (int64_t)size;
    unsigned char *x = calloc((size_t)all, size), one[16] = {0};
    const uint64_t bits = w->type == HD_F32 ? 0x3f800000 : w->type == HD_F64 ? 0x7ff0ull << 48 : 1;
    memcpy(one, &bits, 8);
    for (int64_t k = 0; k < wanted && n > 0; k++)
        memcpy(x + (skip + check_below(r, n) * step) * (int64_t)size, one, size);
    if (w->map == tripled) one[0] = 3;
    hd_view in = hd_view_of(w->type, x + skip * (int64_t)size, n), there = in, memory, number;
    in.stride[0] = there.stride[0] = step;
    int64_t want = -7, got = -7, got_there = -7;
    CHECK_OK(serial, find(serial, w, in, one, HD_VIEW(&want, 1)));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, &memory));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, (int64_t[]){1}, &number));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, x, bytes), NULL, memory, NULL));
    there.space = HD_DEVICE;
    there.data = (char *)memory.data + skip * (int64_t)size;
    CHECK_OK(ctx, find(ctx, w, w->on_host ? in : there, one, HD_VIEW(&got, 1)));
    CHECK_OK(ctx, find(ctx, w, there, one, number));
    CHECK_OK(ctx, hd_map(ctx, number, NULL, HD_VIEW(&got_there, 1), NULL));
    CHECK(got == want && got_there == want,
          "%s %s of %" PRId64 ", way %d: %" PRId64 " and on the device %" PRId64
          ", expected %" PRId64,
          backend, hd_type_name(w->type), n, (int)(w - ways), got, got_there, want);
    CHECK_OK(ctx, hd_free(ctx, &memory));
    CHECK_OK(ctx, hd_free(ctx, &number));
    free(x);
}

static void test_backend(hd_backend which)
{
    static const int64_t sizes[] = {0, 1, 31, 64, 1023, 1024, 1025, 2048, 4097, MOST};
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    setenv("HEDDLE_TUNE", "find_threads=64 find_chunks=2", 1);
    ctx = check_open(which, 1, NULL);
    for (int k = 0; k < WAYS; k++)
        for (int s = 0; s < 10; s++)
            ask(&ways[k], sizes[s], s % 4 == 3 ? 3 * sizes[s] : s % 3, (k + s) % 2, &r);
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
