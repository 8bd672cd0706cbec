// SPDX-License-Identifier: Apache-2.0
//
// hd_slide on the model machine, and on a card where there is one, against the serial backend, bit
// for bit: every built-in operator, operators of users that do not commute, functions, types, axes,
// gaps; windows from one element to the whole row, in shared memory and beyond.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_SOURCE(
    maps, typedef struct { uint32_t scale, shift; } affine;)
HD_OPERATOR(then, affine, maps, HD_EXACT, {
    affine c;
    c.scale = a.scale * b.scale;
    c.shift = a.shift * b.scale + b.shift;
    return c;
})
HD_FUNCTION(weighed, float, HD_NO_SOURCE, (float, a, float, b), { return a * b; })

static hd_context *ctx, *serial;
static const char *backend;

static hd_view there_of(hd_view in, bool gaps, hd_view *memory)
{
    const int64_t n = hd_count(in), room = gaps ? 2 * n + 1 : n + 1;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, &room, memory));
    const hd_view v = hd_slice(*memory, 0, 1, n, gaps ? 2 : 1);
    if (n > 0) CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

static void ask(const hd_operator *op, hd_view in, int64_t width, hd_type to, bool gaps,
                const hd_slide_options *o)
{
    const int64_t n = hd_count(in), count = n >= width ? n - width + 1 : 0;
    const size_t bytes = (size_t)count * hd_type_size(to);
    char *want = check_memory(bytes + 1), *got = check_memory(bytes + 1);
    hd_view memory[2];
    memset(got, 0x5a, bytes);
    CHECK_OK(serial, hd_slide(serial, in, op, width, hd_view_of(to, want, count), o));
    const hd_view there = there_of(in, gaps, &memory[0]), out = hd_view_of(to, got, count),
                  there_out = there_of(out, gaps, &memory[1]);
    CHECK_OK(ctx, hd_slide(ctx, there, op, width, there_out, o));
    if (count > 0) CHECK_OK(ctx, hd_map(ctx, there_out, NULL, out, NULL));
    CHECK(check_differs(to, want, got, count) < 0,
          "%s: windows of %" PRId64 " of %" PRId64 " %s by %s", backend, width, n,
          hd_type_name(in.type), hd_operator_name(op));
    for (int k = 0; k < 2; k++) CHECK_OK(ctx, hd_free(ctx, &memory[k]));
    free(want), free(got);
}

static void test_operators(int64_t n, uint64_t seed)
{
    static const int64_t widths[] = {1, 2, 3, 8, 21, 64, 100, 127};
    static const hd_type types[] = {HD_F32, HD_I16, HD_F64, HD_U8, HD_I64, HD_BF16};
    for (int32_t j = 0; hd_operator_at(j) != NULL; j++, seed++) {
        const hd_operator *op = hd_operator_at(j);
        for (int k = 0; k < 2; k++) {
            const hd_type type = types[((uint64_t)j + (uint64_t)k * 3 + seed) % 6];
            const hd_type to = hd_default_output(op, type);
            if (to == HD_NONE || op == HD_DOT) continue;
            void *x = check_memory((size_t)n * hd_type_size(type));
            check_fill(type, x, n, (check_pattern)((uint64_t)(j + k) % CHECK_PATTERNS), seed);
            ask(op, hd_view_of(type, x, n), widths[(j * 3 + k) % 8], to, j % 4 == 3, NULL);
            free(x);
        }
    }
}

static void test_widths(int64_t n)
{
    float *f = check_memory((size_t)n * sizeof *f), *g = check_memory((size_t)n * sizeof *g);
    affine *x = check_memory((size_t)n * sizeof *x);
    uint64_t r = 7;
    for (int64_t i = 0; i < n; i++)
        x[i] = (affine){(uint32_t)check_next(&r) | 1, (uint32_t)check_next(&r)};
    check_fill(HD_F32, f, n, CHECK_ORDINARY, 1);
    check_fill(HD_F32, g, n, CHECK_ORDINARY, 2);
    const int64_t widths[] = {1, 7, 32, 63, n / 2, n - 3, n, n + 1};
    for (int k = 0; k < 8; k++) {
        ask(HD_SUM, HD_VIEW(f, n), widths[k], HD_F32, k == 3, NULL);
        ask(then, HD_VIEW_OF(HD_TYPE(affine), x, n), widths[k], HD_TYPE(affine), false, NULL);
    }
    ask(HD_ARGMAX, HD_VIEW(f, n), n / 3, HD_I64, false, NULL);
    free(f), free(g), free(x);
}

// A function, and a product, of elements of the host.
static void test_functions(void)
{
    enum { N = 300, W = 37 };
    float f[N], g[N], out[2][N];
    check_fill(HD_F32, f, N, CHECK_ORDINARY, 1);
    check_fill(HD_F32, g, N, CHECK_ORDINARY, 2);
    for (int dot = 0; dot < 2; dot++) {
        for (int k = 0; k < 2; k++) {
            hd_context *c = k ? ctx : serial;
            CHECK_OK(c, hd_slide(c, HD_VIEW(f, N), dot ? HD_DOT : HD_SUM, W,
                                 HD_VIEW(out[k], N - W + 1),
                                 &(hd_slide_options){.map = dot ? NULL : weighed,
                                                     .with = HD_VIEWS(HD_VIEW(g, N))}));
        }
        CHECK(memcmp(out[0], out[1], (N - W + 1) * sizeof(float)) == 0, "%s: a function, dot %d",
              backend, dot);
    }
}

static void test_axes(void)
{
    enum { A = 5, B = 40, C = 7, W = 9 };
    static int32_t x[A * B * C];
    static double out[2][A * B * C];
    const int64_t shape[3] = {A, B, C};
    check_fill(HD_I32, x, A * B * C, CHECK_ORDINARY, 3);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t width = axis == 1 ? W : 3;
        int64_t of_out[3] = {A, B, C};
        of_out[axis] -= width - 1;
        for (int k = 0; k < 2; k++) {
            hd_context *c = k ? ctx : serial;
            CHECK_OK(c, hd_slide(c, hd_view_nd(HD_I32, x, 3, shape, NULL), HD_MEAN, width,
                                 hd_view_nd(HD_F64, out[k], 3, of_out, NULL),
                                 &(hd_slide_options){.axis = HD_AXIS(axis)}));
        }
        CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0, "%s: axis %d", backend, axis);
    }
}

static void test_backend(hd_backend which)
{
    backend = hd_backend_name(which);
    setenv("HEDDLE_TUNE", "slide_threads=32", 1); // a tile has up to 512 windows
    ctx = check_open(which, 1, NULL);
    test_operators(190, check_seed());
    test_widths(1500);
    test_functions();
    test_axes();
    hd_close(ctx);
    unsetenv("HEDDLE_TUNE");
    ctx = check_open(which, 1, NULL);
    test_widths(which == HD_CUDA ? 30011 : 5003);
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
