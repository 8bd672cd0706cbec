// SPDX-License-Identifier: Apache-2.0
//
// hd_reverse and hd_rotate: every element size, awkward sizes, every layout, in place and not,
// along axes and over everything, shifts of any size and sign, implicit views.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

static int64_t modulo(int64_t x, int64_t n)
{
    const int64_t r = x % n;
    return r < 0 ? r + n : r;
}

// The index in row-major order that element k comes from.
static int64_t source(int32_t ndim, const int64_t *shape, int32_t axis, bool rotates, int64_t shift,
                      int64_t k)
{
    int64_t inner = 1, n = 1;
    for (int d = 0; d < ndim; d++) n *= shape[d];
    if (axis < 0) return rotates ? modulo(k + modulo(shift, n), n) : n - 1 - k;
    for (int d = axis + 1; d < ndim; d++) inner *= shape[d];
    const int64_t length = shape[axis], i = k / inner % length;
    const int64_t from = rotates ? modulo(i + modulo(shift, length), length) : length - 1 - i;
    return k + (from - i) * inner;
}

static void test(hd_type type, int32_t ndim, const int64_t *shape, int32_t axis, bool rotates,
                 int64_t shift, bool in_place, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    int64_t n = 1, stride[2][4];
    uint64_t state = seed;
    for (int d = 0; d < ndim; d++) n *= shape[d];
    check_strides(ndim, shape, &state, stride[0]);
    check_strides(ndim, shape, &state, stride[1]);
    unsigned char *x = check_memory(size * (size_t)n + 1),
                  *want = check_memory(size * (size_t)n + 1),
                  *got = check_memory(size * (size_t)n + 1);
    for (size_t i = 0; i < size * (size_t)n; i++) x[i] = (unsigned char)check_next(&state);
    for (int64_t k = 0; k < n; k++)
        memcpy(want + (size_t)k * size,
               x + (size_t)source(ndim, shape, axis, rotates, shift, k) * size, size);
    check_array in = check_new_nd(type, ndim, shape, seed % 3 ? NULL : stride[0], seed & 1);
    check_array out = check_new_nd(type, ndim, shape, seed % 5 > 1 ? NULL : stride[1], seed & 2);
    const int32_t option = axis < 0 ? 0 : seed & 4 ? HD_AXIS(axis) : HD_AXIS(axis - ndim);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_view to = in_place ? in.view : out.view;
        check_put(&in, x);
        if (rotates)
            CHECK_OK(ctx, hd_rotate(ctx, in.view, shift, to, &(hd_rotate_options){.axis = option}));
        else
            CHECK_OK(ctx, hd_reverse(ctx, in.view, to, &(hd_reverse_options){.axis = option}));
        check_get(in_place ? &in : &out, got);
        CHECK(memcmp(got, want, size * (size_t)n) == 0,
              "%s of %" PRId64 " elements of %zu bytes, axis %d, shift %" PRId64 "%s on %s",
              rotates ? "rotation" : "reversal", n, size, (int)axis, shift,
              in_place ? ", in place" : "", targets[t].name);
        CHECK(check_gaps(&in) && check_gaps(&out), "bytes between elements on %s", targets[t].name);
    }
    check_drop(&in);
    check_drop(&out);
    free(x), free(want), free(got);
}

static void test_implicit(void)
{
    int64_t x[7];
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reverse(ctx, hd_progression(3, 2, 7), HD_VIEW(x, 7), NULL));
        for (int i = 0; i < 7; i++) CHECK(x[i] == 15 - 2 * i, "a progression, element %d", i);
        CHECK_OK(ctx, hd_rotate(ctx, hd_iota(7), -2, HD_VIEW(x, 7), NULL));
        for (int i = 0; i < 7; i++) CHECK(x[i] == (i + 5) % 7, "rotated, element %d", i);
        CHECK_OK(ctx, hd_rotate(ctx, hd_constant((int64_t)4, 7), INT64_MIN, HD_VIEW(x, 7),
                                &(hd_rotate_options){.axis = HD_AXIS(0)}));
        for (int i = 0; i < 7; i++) CHECK(x[i] == 4, "a constant, element %d", i);
    }
}

int main(void)
{
    uint64_t seed = check_seed();
    static const size_t bytes[] = {1, 2, 3, 4, 8, 12, 16, 17, 32, 200, 1024};
    static const int64_t shapes[][4] = {{2, 3, 5, 1},  {40, 70, 1, 1}, {7, 1, 9, 1},
                                        {1, 33, 4, 3}, {0, 3, 1, 1},   {600, 500, 1, 1}};
    target_count = check_targets(&targets);
    for (int k = 0; k < 11; k++) {
        const hd_type type = bytes[k] == 1   ? HD_BOOL
                             : bytes[k] == 2 ? HD_F16
                             : bytes[k] == 4 ? HD_F32
                             : bytes[k] == 8 ? HD_U64
                                             : HD_STRUCT_OF(bytes[k]);
        int64_t n;
        for (int s = 0; (n = check_size(s, bytes[k] > 32 ? 600 : 70000)) >= 0; s++, seed++) {
            uint64_t state = seed;
            const int64_t shift = seed % 7 == 0   ? INT64_MIN
                                  : seed % 5 == 0 ? 1
                                                  : check_below(&state, 3 * n + 1) - n;
            for (int way = n > 5000 ? (int)(seed % 4) : 0; way<4; way += n> 5000 ? 4 : 1)
                test(type, 1, &n, way == 3 ? 0 : -1, way & 1, shift, way & 2,
                     seed * 4 + (unsigned)way);
        }
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes && bytes[k] <= 32; s++)
            for (int axis = -1; axis < 4; axis++)
                for (int way = 0; way < 4; way++, seed++) {
                    const int32_t ndim = shapes[s][3] > 1 ? 4 : shapes[s][2] > 1 ? 3 : 2;
                    if (axis >= ndim || (s == 5 && (check_small() || seed % 4 != 0))) continue;
                    test(type, ndim, shapes[s], axis, way & 1, (int64_t)(seed % 91) - 30, way & 2,
                         seed);
                }
    }
    test_implicit();
    return check_finish();
}
