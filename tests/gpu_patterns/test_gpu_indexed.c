// SPDX-License-Identifier: Apache-2.0
//
// Indexed views on the model machine, and on a card where there is one, against the serial backend:
// reductions of everything, over segments and by key, scans and maps, of types of elements and
// indices, structures, views with gaps, one element for all; host and device memory; indices out of
// range, named for host memory at once, for device memory by hd_sync.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_SOURCE(
    points, typedef struct { float x, y; } point;)
HD_FUNCTION(squared, float, points, (point, p), { return p.x * p.x + p.y * p.y; })
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })

enum { N = 2500, BASE = 700, ROWS = 40 };
static float values[N], base[2 * BASE], want[N], got[N];
static point dots[BASE];
static int32_t index32[N], keys[N];
static int64_t index64[N], offsets[ROWS + 1];
static uint16_t index16[2 * N];

static void fill(void)
{
    uint64_t r = check_seed();
    check_fill(HD_F32, values, N, CHECK_ORDINARY, 1);
    check_fill(HD_F32, base, 2 * BASE, CHECK_ORDINARY, 2);
    check_fill(HD_F32, dots, 2 * BASE, CHECK_ORDINARY, 3);
    for (int i = 0; i < N; i++) {
        index32[i] = (int32_t)check_below(&r, BASE);
        index64[i] = check_below(&r, BASE);
        index16[2 * i] = (uint16_t)check_below(&r, BASE);
        keys[i] = i / 9;
    }
    for (int k = 0; k <= ROWS; k++) offsets[k] = N * k / ROWS;
}

static hd_view there_of(hd_view in, hd_view *memory)
{
    hd_view bytes = in;
    const int64_t size = (int64_t)hd_type_size(in.type) * in.shape[0] * in.stride[0];
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &size, memory));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, in.data, size), NULL, *memory, NULL));
    bytes.space = HD_DEVICE;
    bytes.data = memory->data;
    return bytes;
}

// One call with an indexed view.
typedef hd_status ask(hd_context *c, hd_view v, float *out);

static hd_status sum(hd_context *c, hd_view v, float *out)
{
    return hd_reduce(c, v, HD_SUM, HD_VIEW(out, 1), NULL);
}

static hd_status multiply(hd_context *c, hd_view v, float *out) // a sparse matrix by a vector
{
    return hd_reduce(
        c, HD_VIEW(values, N), HD_DOT, HD_VIEW(out, ROWS),
        &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offsets, ROWS + 1)), .with = HD_VIEWS(v)});
}

static hd_status by_key(hd_context *c, hd_view v, float *out)
{
    return hd_reduce(c, v, HD_MAX, HD_VIEW(out, N),
                     &(hd_reduce_options){.keys = HD_REF(HD_VIEW(keys, N))});
}

static hd_status scan(hd_context *c, hd_view v, float *out)
{
    return hd_scan(c, v, HD_SUM, HD_VIEW(out, N), NULL);
}

static hd_status map(hd_context *c, hd_view v, float *out)
{
    return hd_map(c, HD_VIEW(values, N), times, HD_VIEW(out, N),
                  &(hd_map_options){.with = HD_VIEWS(v)});
}

static hd_status map_points(hd_context *c, hd_view v, float *out)
{
    return hd_map(c, v, squared, HD_VIEW(out, N), NULL);
}

static void compare(ask *call, hd_view of, hd_view by, const char *what)
{
    hd_view memory[2];
    memset(want, 0, sizeof want);
    CHECK_OK(serial, call(serial, hd_indexed(of, by), want));
    memset(got, 0, sizeof got);
    CHECK_OK(ctx, call(ctx, hd_indexed(of, by), got));
    CHECK_SAME(HD_F32, got, want, N, "%s on %s", what, backend);
    memset(got, 0, sizeof got);
    const hd_view there = hd_indexed(there_of(of, &memory[0]), there_of(by, &memory[1]));
    CHECK_OK(ctx, call(ctx, there, got));
    CHECK_SAME(HD_F32, got, want, N, "%s on %s's memory", what, backend);
    CHECK_OK(ctx, hd_free(ctx, &memory[0]));
    CHECK_OK(ctx, hd_free(ctx, &memory[1]));
}

static void test_calls(void)
{
    hd_view gaps = HD_VIEW(base, BASE), short_gaps = HD_VIEW(index16, N);
    gaps.stride[0] = short_gaps.stride[0] = 2;
    compare(sum, HD_VIEW(base, BASE), HD_VIEW(index32, N), "sum");
    compare(sum, gaps, short_gaps, "sum with gaps");
    compare(sum, HD_VIEW(base, BASE), HD_VIEW(index32, 0), "sum of nothing");
    compare(multiply, HD_VIEW(base, BASE), HD_VIEW(index64, N), "sparse product");
    compare(by_key, HD_VIEW(base, BASE), HD_VIEW(index32, N), "by key");
    compare(scan, HD_VIEW(base, BASE), HD_VIEW(index64, N), "scan");
    compare(map, HD_VIEW(base, BASE), HD_VIEW(index32, N), "map");
    compare(map, HD_VIEW(base, BASE), HD_VIEW(index32, 1), "one for all");
    compare(map_points, HD_VIEW_OF(HD_TYPE(point), dots, BASE), HD_VIEW(index32, N), "structures");
}

static void test_range(void)
{
    hd_view memory[3];
    const int64_t shape = N;
    index32[1234] = BASE;
    char text[200];
    const hd_view of = HD_VIEW(base, BASE), by = HD_VIEW(index32, N);
    CHECK(sum(serial, hd_indexed(of, by), want) == HD_ERROR_VALUE, "serial");
    strncpy(text, hd_error(serial), sizeof text - 1);
    CHECK(sum(ctx, hd_indexed(of, by), got) == HD_ERROR_VALUE && strcmp(hd_error(ctx), text) == 0,
          "%s: %s", backend, hd_error(ctx));
    const hd_view there = hd_indexed(there_of(of, &memory[0]), there_of(by, &memory[1]));
    CHECK(sum(ctx, there, got) == HD_ERROR_VALUE &&
              strstr(hd_error(ctx), "on the device is out of range") != NULL,
          "%s: %s", backend, hd_error(ctx));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_F32, 1, &shape, &memory[2]));
    CHECK_OK(ctx, hd_scan(ctx, there, HD_SUM, memory[2], NULL));
    CHECK(hd_sync(ctx) == HD_ERROR_VALUE &&
              strstr(hd_error(ctx), "an index of an indexed view") != NULL,
          "%s: %s", backend, hd_error(ctx));
    CHECK_OK(ctx, hd_sync(ctx));
    CHECK(hd_reduce(ctx, hd_indexed(memory[2], by), HD_SUM, HD_VIEW(got, 1), NULL) ==
                  HD_ERROR_ARGUMENT &&
              strstr(hd_error(ctx), "where the base is") != NULL,
          "%s: %s", backend, hd_error(ctx));
    for (int k = 0; k < 3; k++) CHECK_OK(ctx, hd_free(ctx, &memory[k]));
    index32[1234] = 0;
}

static void test_backend(hd_backend which)
{
    backend = hd_backend_name(which);
    ctx = check_open(which, 1, NULL);
    fill();
    test_calls();
    test_range();
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
