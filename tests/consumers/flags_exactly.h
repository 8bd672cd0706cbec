// SPDX-License-Identifier: Apache-2.0
// The operators of flags_texts.c in volatile variables, which keep every rounding whatever the
// flags, and what they are given.
#ifndef HEDDLE_TESTS_CONSUMERS_FLAGS_EXACTLY_H
#define HEDDLE_TESTS_CONSUMERS_FLAGS_EXACTLY_H

#include "flags_texts.h"

enum { COUNT = 1000 };
static complex_number complexes[COUNT], complex_got[COUNT], complex_want[COUNT];
static quaternion turns[COUNT], turn_got[COUNT], turn_want[COUNT];
static complex_row lines[COUNT], line_got[COUNT], line_want[COUNT];
static float numbers[COUNT], number_got[COUNT], number_want[COUNT];

// ---- The same in volatile variables ---------------------------------------------------------

static double less(double x, double y)
{
    volatile double difference = x - y;
    return difference;
}

static double plus(double x, double y)
{
    volatile double sum = x + y;
    return sum;
}

static double by(double x, double y)
{
    volatile double product = x * y;
    return product;
}

static float by_f(float x, float y)
{
    volatile float product = x * y;
    return product;
}

static void times_exactly(void *out, const void *in0, const void *in1, int64_t n)
{
    const complex_number *x = in0, *y = in1;
    for (int64_t i = 0; i < n; i++) {
        const complex_number a = x[i], b = y[i];
        volatile float re = by_f(a.re, b.re) - by_f(a.im, b.im);
        volatile float im = by_f(a.re, b.im) + by_f(a.im, b.re);
        ((complex_number *)out)[i] = (complex_number){re, im};
    }
}

static void turn_exactly(void *out, const void *in0, const void *in1, int64_t n)
{
    const quaternion *x = in0, *y = in1;
    for (int64_t i = 0; i < n; i++) {
        const quaternion a = x[i], b = y[i];
        ((quaternion *)out)[i] =
            (quaternion){less(less(less(by(a.w, b.w), by(a.x, b.x)), by(a.y, b.y)), by(a.z, b.z)),
                         less(plus(plus(by(a.w, b.x), by(a.x, b.w)), by(a.y, b.z)), by(a.z, b.y)),
                         plus(plus(less(by(a.w, b.y), by(a.x, b.z)), by(a.y, b.w)), by(a.z, b.x)),
                         plus(less(plus(by(a.w, b.z), by(a.x, b.y)), by(a.y, b.x)), by(a.z, b.w))};
    }
}

static void rows_exactly(void *out, const void *in0, const void *in1, int64_t n)
{
    times_exactly(out, in0, in1, 8 * n);
}

static void either_exactly(void *out, const void *in0, const void *in1, int64_t n)
{
    const float *x = in0, *y = in1;
    for (int64_t i = 0; i < n; i++) {
        volatile float sum = x[i] + y[i], rest = sum - by_f(x[i], y[i]);
        ((float *)out)[i] = rest;
    }
}

// Operators made by hand, without a probe: they are taken as they are.
static const hd_operator exactly[] = {
    {.abi = HD__ABI,
     .name = "times",
     .type = HD_STRUCT(complex_number),
     .combine = times_exactly,
     .flags = 1},
    {.abi = HD__ABI,
     .name = "turn",
     .type = HD_STRUCT(quaternion),
     .combine = turn_exactly,
     .flags = 1},
    {.abi = HD__ABI,
     .name = "rows",
     .type = HD_STRUCT(complex_row),
     .combine = rows_exactly,
     .flags = 1},
    {.abi = HD__ABI, .name = "either", .type = HD_F32, .combine = either_exactly, .flags = 1},
};

// Numbers that neither grow nor vanish as they are multiplied, from a generator that is always the
// same.
static double next(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

static void fill(void)
{
    for (int i = 0; i < COUNT; i++) {
        const double t = next(), u = next(), scale = 1.0 / (1 + 2 * t * t);
        complexes[i].re = (float)((1 - t * t) / (1 + t * t));
        complexes[i].im = (float)(2 * t / (1 + t * t));
        turns[i] = (quaternion){1 - 2 * t * t * scale, t * scale, u * t * scale, t * scale};
        for (int k = 0; k < 16; k += 2) {
            lines[i].v[k] = complexes[i].re;
            lines[i].v[k + 1] = k % 4 == 0 ? complexes[i].im : -complexes[i].im;
        }
        numbers[i] = (float)(u / 1000);
    }
}

#endif
