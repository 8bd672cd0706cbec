// SPDX-License-Identifier: Apache-2.0
//
// hd_map_many on the model machine, and on a card where there is one, against the serial backend:
// functions of different inputs and results, conversions, more functions than one launch has,
// in place, views with gaps and off by one element, implicit and indexed ones, structures, states
// and sources that cannot stand in one text; host and device memory; how many launches there are.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "gpu/gpu.h"
#include "gpu/model/model_device.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_SOURCE(
    halves, static inline float half_of(float x) { return x * 0.5f; })
HD_SOURCE(
    points, typedef struct { float x, y; } point;)
HD_FUNCTION(sum, float, HD_NO_SOURCE, (float, a, float, b), { return a + b; })
HD_FUNCTION(half, double, halves, (float, a), { return half_of(a); })
HD_FUNCTION(quarter, float, halves, (float, a), { return half_of(half_of(a)); })
HD_FUNCTION(norm, float, points, (float, a, float, b), {
    point p = {a, b};
    return p.x * p.x + p.y * p.y;
})
HD_FUNCTION(positive, bool, HD_NO_SOURCE, (float, a), { return a > 0; })
HD_FUNCTION(wave, float, HD_NO_SOURCE, (float, a, float, b), { return hd_sinf(a) + hd_expf(b); })
HD_FUNCTION(chosen, float, HD_NO_SOURCE, (float, a, float, b, bool, c), { return c ? a : b; })
HD_FUNCTION(rounded, int16_t, HD_NO_SOURCE, (float, a), { return (int16_t)(a * 100); })
HD_FUNCTION(made, point, points, (float, a), {
    point p = {a, 2 * a};
    return p;
})

enum { N = 3001, OUTPUTS = 12 };
static float x[2 * N], y[2 * N];
static uint8_t flags[2 * N];
static int32_t index_of[N];
static unsigned char want[OUTPUTS][16 * N], got[OUTPUTS][16 * N];

// A device that counts its launches.
static const hd__gpu_driver *own;
static hd__gpu_driver counted;
static int launches;

static hd_status count_launch(hd_context *c, hd__gpu_device *device, const hd__gpu_kernel *kernel,
                              const hd__gpu_launch *how)
{
    launches++;
    return own->launch(c, device, kernel, how);
}

typedef struct maps {
    int count, with; // outputs, and other inputs
    const hd_function *function[OUTPUTS];
    hd_type type[OUTPUTS];
} maps;

// The same elements on the device, as they lie, behind one element.
static hd_view send(hd_view v, int64_t room, hd_view *memory)
{
    const int64_t size = (int64_t)hd_type_size(v.type), bytes = (room + 1) * size;
    if (v.space == HD_IMPLICIT) return v;
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, memory));
    hd_view to = hd_slice(*memory, 0, size, room * size, 1);
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(HD_U8, v.data, room * size), NULL, to, NULL));
    v.data = to.data;
    v.space = HD_DEVICE;
    return v;
}

static void ask(const maps *m, const hd_view in[3], int64_t n, int step, bool device, int expected)
{
    hd_view out[2][OUTPUTS], there[3], memory[3 + OUTPUTS], input[2][3];
    memset(memory, 0, sizeof memory);
    memset(want, 0x5a, sizeof want), memset(got, 0x5a, sizeof got);
    for (int j = 0; j < 3; j++) {
        there[j] = device ? send(in[j], step * n, &memory[j]) : in[j];
        input[0][j] = in[j], input[1][j] = there[j];
    }
    for (int k = 0; k < m->count; k++)
        for (int b = 0; b < 2; b++) {
            out[b][k] =
                hd_slice(hd_view_of(m->type[k], b ? got[k] : want[k], step * n), 0, 0, n, step);
            if (b && device) out[b][k] = send(out[b][k], step * n, &memory[3 + k]);
        }
    launches = 0;
    for (int b = 0; b < 2; b++) {
        hd_context *c = b ? ctx : serial;
        if (b) launches = 0;
        CHECK_OK(c, hd_map_many(c, input[b][0], (hd_functions){m->function, m->count},
                                (hd_views){out[b], m->count},
                                &(hd_map_many_options){.with = {&input[b][1], m->with}}));
    }
    CHECK(launches == expected || n == 0, "%d launches for %d functions, expected %d", launches,
          m->count, expected);
    for (int k = 0; k < m->count; k++) {
        const size_t size = hd_type_size(m->type[k]), bytes = (size_t)(step * n) * size;
        if (device)
            CHECK_OK(ctx, hd_map(ctx, hd_slice(memory[3 + k], 0, (int64_t)size, (int64_t)bytes, 1),
                                 NULL, HD_VIEW_OF(HD_U8, got[k], (int64_t)bytes), NULL));
        CHECK(memcmp(want[k], got[k], bytes) == 0, "output %d of %" PRId64 ", step %d, %s, on %s",
              k, n, step, device ? "device" : "host", backend);
    }
    for (int k = 0; k < 3 + OUTPUTS; k++)
        if (memory[k].ndim > 0) CHECK_OK(ctx, hd_free(ctx, &memory[k]));
}

static const maps few = {5,
                         1,
                         {sum, half, NULL, rounded, quarter},
                         {HD_F32, HD_F64, HD_F64, HD_I16, HD_F32}},
                  three = {4, 2, {chosen, positive, wave, NULL}, {HD_F32, HD_BOOL, HD_F32, HD_F16}},
                  many = {12,
                          1,
                          {sum, half, NULL, rounded, quarter, sum, half, NULL, NULL, sum, half,
                           sum},
                          {HD_F32, HD_F64, HD_F64, HD_I16, HD_F32, HD_F32, HD_F64, HD_F32, HD_BF16,
                           HD_F32, HD_F64, HD_F32}},
                  two_sources = {2, 1, {norm, half}, {HD_F32, HD_F64}},
                  structures = {2, 1, {made, sum}, {HD_TYPE(point), HD_F32}},
                  copies = {3, 0, {NULL, NULL, NULL}, {HD_I16, HD_F32, HD_I64}};

static void test_forms(void)
{
    static const int64_t sizes[] = {0, 1, 31, 1024, N};
    for (int k = 0; k < 5; k++) {
        const int64_t n = sizes[k];
        const hd_view in[3] = {HD_VIEW(x, n), HD_VIEW(y, n), HD_VIEW_OF(HD_BOOL, flags, n)};
        const hd_view apart[3] = {hd_slice(HD_VIEW(x, 2 * n), 0, 0, n, 2),
                                  hd_slice(HD_VIEW(y, 2 * n), 0, 0, n, 2),
                                  hd_slice(HD_VIEW_OF(HD_BOOL, flags, 2 * n), 0, 0, n, 2)};
        ask(&few, in, n, 1, k % 2, 1);
        ask(&three, in, n, 1, k % 2 == 0, 1);
        if (k % 2 == 0) ask(&many, in, n, 1, true, 2);
        if (k == 2) ask(&few, apart, n, 2, true, 1);
        if (k == 3) ask(&three, apart, n, 2, false, 1);
    }
    const hd_view in[3] = {HD_VIEW(x, N), HD_VIEW(y, N), HD_VIEW_OF(HD_BOOL, flags, N)};
    ask(&two_sources, in, N, 1, true, 2); // a pass each
    ask(&structures, in, N, 1, true, 2);
    const float seven = 7;
    const hd_view of_iota[3] = {hd_progression(3, -2, 900), HD_EMPTY, HD_EMPTY},
                  of_constant[3] = {HD_VIEW(x, 900), hd_constant_of(HD_F32, &seven, 900), HD_EMPTY},
                  indexed[3] = {hd_indexed(HD_VIEW(x, N), HD_VIEW(index_of, 900)), HD_VIEW(y, 900),
                                HD_EMPTY};
    ask(&copies, of_iota, 900, 1, false, 1);
    ask(&few, of_constant, 900, 1, false, 1);
    ask(&few, indexed, 900, 1, false, 1);
}

// Outputs that are inputs: every function sees what was there.
static void test_in_place(int64_t n)
{
    float a[2][N], b[2][N];
    hd_view memory[2];
    for (int k = 0; k < 2; k++) memcpy(a[k], x, 4 * (size_t)n), memcpy(b[k], y, 4 * (size_t)n);
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        CHECK_OK(c, hd_map_many(c, HD_VIEW(a[k], n), HD_FUNCTIONS(sum, wave),
                                HD_VIEWS(HD_VIEW(b[k], n), HD_VIEW(a[k], n)),
                                &(hd_map_many_options){.with = HD_VIEWS(HD_VIEW(b[k], n))}));
    }
    CHECK_SAME(HD_F32, a[1], a[0], n, "in place on %s", backend);
    CHECK_SAME(HD_F32, b[1], b[0], n, "in place on %s", backend);
    const hd_view left = send(HD_VIEW(x, n), n, &memory[0]),
                  right = send(HD_VIEW(y, n), n, &memory[1]);
    launches = 0;
    CHECK_OK(ctx, hd_map_many(ctx, left, HD_FUNCTIONS(sum, wave), HD_VIEWS(right, left),
                              &(hd_map_many_options){.with = HD_VIEWS(right)}));
    CHECK(launches == 1, "%d launches in place on %s", launches, backend);
    CHECK_OK(ctx, hd_map(ctx, left, NULL, HD_VIEW(a[1], n), NULL));
    CHECK_OK(ctx, hd_map(ctx, right, NULL, HD_VIEW(b[1], n), NULL));
    CHECK_SAME(HD_F32, a[1], a[0], n, "in place on %s's memory", backend);
    CHECK_SAME(HD_F32, b[1], b[0], n, "in place on %s's memory", backend);
    for (int k = 0; k < 2; k++) CHECK_OK(ctx, hd_free(ctx, &memory[k]));
}

static void test_backend(hd_backend which)
{
    hd__gpu *gpu;
    backend = hd_backend_name(which);
    own = which == HD_CUDA ? &hd__gpu_driver_cuda : hd__gpu_driver_model();
    counted = *own;
    counted.launch = count_launch;
    check_fill(HD_F32, x, 2 * N, CHECK_ORDINARY, 1);
    check_fill(HD_F32, y, 2 * N, CHECK_ORDINARY, 2);
    for (int i = 0; i < 2 * N; i++) flags[i] = i % 3 == 0;
    for (int i = 0; i < N; i++) index_of[i] = i * 7 % N;
    ctx = check_open(which, 1, NULL);
    CHECK_OK(ctx, hd__gpu_of(ctx, &gpu));
    gpu->driver = &counted;
    test_forms();
    test_in_place(N - 1);
    gpu->driver = own;
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
