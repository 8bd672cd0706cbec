// SPDX-License-Identifier: Apache-2.0
//
// hd_reduce_many, hd_reverse and hd_rotate on the GPU backends: the bits of the serial one, from
// host and device memory; what they decline.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *serial, *ctx;

static void test_reduce_many(int64_t n)
{
    float *x = check_memory(4 * (size_t)n + 4), least[2], most[2];
    double mean[2];
    check_fill(HD_F32, x, n, CHECK_ORDINARY, (uint64_t)n);
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        CHECK_OK(c, hd_reduce_many(
                        c, HD_VIEW(x, n), HD_OPERATORS(HD_MIN, HD_MAX, HD_MEAN),
                        HD_VIEWS(HD_VIEW(&least[k], 1), HD_VIEW(&most[k], 1), HD_VIEW(&mean[k], 1)),
                        NULL));
    }
    CHECK_SAME(HD_F32, &least[1], &least[0], 1, "least of %" PRId64, n);
    CHECK_SAME(HD_F32, &most[1], &most[0], 1, "greatest of %" PRId64, n);
    CHECK_SAME(HD_F64, &mean[1], &mean[0], 1, "mean of %" PRId64, n);
    free(x);
}

static void test_moves(int64_t rows, int64_t columns)
{
    const int64_t n = rows * columns, shape[2] = {rows, columns};
    uint16_t *x = check_memory(2 * (size_t)n + 2), *got = check_memory(2 * (size_t)n + 2),
             *want = check_memory(2 * (size_t)n + 2);
    check_fill(HD_U16, x, n, CHECK_ORDINARY, (uint64_t)n);
    hd_view device[2];
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U16, 2, shape, &device[0]));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U16, 2, shape, &device[1]));
    const hd_view in = hd_view_nd(HD_U16, x, 2, shape, NULL),
                  out = hd_view_nd(HD_U16, got, 2, shape, NULL),
                  right = hd_view_nd(HD_U16, want, 2, shape, NULL);
    CHECK_OK(ctx, hd_map(ctx, in, NULL, device[0], NULL));
    for (int axis = -1; axis < 2; axis++)
        for (int way = 0; way < 4; way++) { // reverse, rotate; from the host, from the device
            const int32_t option = axis < 0 ? 0 : HD_AXIS(axis);
            const hd_reverse_options r = {.axis = option};
            const hd_rotate_options o = {.axis = option};
            const hd_view from = way & 2 ? device[0] : in, to = way & 2 ? device[1] : out;
            memset(got, 0, 2 * (size_t)n);
            if (way & 1) {
                CHECK_OK(serial, hd_rotate(serial, in, 3, right, &o));
                CHECK_OK(ctx, hd_rotate(ctx, from, 3, to, &o));
            } else {
                CHECK_OK(serial, hd_reverse(serial, in, right, &r));
                CHECK_OK(ctx, hd_reverse(ctx, from, to, &r));
            }
            if (way & 2) CHECK_OK(ctx, hd_map(ctx, device[1], NULL, out, NULL));
            CHECK_SAME(HD_U16, got, want, n, "way %d along %d of %" PRId64 " x %" PRId64, way, axis,
                       rows, columns);
        }
    memcpy(got, x, 2 * (size_t)n); // in place
    CHECK_OK(serial, hd_reverse(serial, in, right, &(hd_reverse_options){.axis = HD_AXIS(1)}));
    CHECK_OK(serial, hd_rotate(serial, right, 5, right, NULL));
    CHECK_OK(ctx, hd_reverse(ctx, out, out, &(hd_reverse_options){.axis = HD_AXIS(1)}));
    CHECK_OK(ctx, hd_rotate(ctx, out, 5, out, NULL));
    CHECK_SAME(HD_U16, got, want, n, "in place");
    CHECK_OK(ctx, hd_reverse(ctx, device[0], device[0], NULL));
    CHECK_OK(serial, hd_reverse(serial, in, right, NULL));
    CHECK_OK(ctx, hd_map(ctx, device[0], NULL, out, NULL));
    CHECK_SAME(HD_U16, got, want, n, "in place on the device");
    const int64_t part[2] = {rows, columns - 1}, apart[2] = {columns, 1}; // rows with gaps
    CHECK_OK(serial, hd_reverse(serial, hd_view_nd(HD_U16, x, 2, part, apart),
                                hd_view_nd(HD_U16, want, 2, part, NULL), NULL));
    CHECK_OK(ctx, hd_reverse(ctx, hd_view_nd(HD_U16, x, 2, part, apart),
                             hd_view_nd(HD_U16, got, 2, part, NULL), NULL));
    CHECK_SAME(HD_U16, got, want, rows * (columns - 1), "with gaps");
    CHECK_OK(ctx, hd_free(ctx, &device[0]));
    CHECK_OK(ctx, hd_free(ctx, &device[1]));
    free(x), free(got), free(want);
}

static void test(hd_backend which)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    ctx = check_open(which, 0, NULL);
    test_reduce_many(0);
    test_reduce_many(1);
    test_reduce_many(3001);
    test_moves(7, 130);
    hd_close(ctx);
    hd_close(serial);
}

int main(void)
{
    return check_on_gpus(test);
}
