// SPDX-License-Identifier: Apache-2.0
//
// sin, exp, pow and their kind, called by the PTX that clang makes: the host's, one lane at a time.
// NVRTC writes its own out as instructions.
#include "numbers.h"
#include "run.h"

#include <math.h>
#include <string.h>

// ---- Functions that C has not, or has under a condition -----------------------------------------

static const double pi = 3.14159265358979323846;

static double ten_to(double x)
{
    return pow(10, x);
}

static float ten_to_f32(float x)
{
    return (float)pow(10, (double)x);
}

static double reciprocal_cbrt(double x)
{
    return 1 / cbrt(x);
}

static float reciprocal_cbrt_f32(float x)
{
    return (float)(1 / cbrt((double)x));
}

static double reciprocal_root(double x)
{
    return 1 / sqrt(x);
}

static float reciprocal_root_f32(float x)
{
    return (float)(1 / sqrt((double)x));
}

// lgamma sets a variable that threads share; its value is not looked at.
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

static float log_gamma_f32(float x)
{
    return (float)log_gamma((double)x);
}

// The remainder by a half is exact, so that zeros and ends are exact as well.
static double sine_of_pi(double x)
{
    if (!isfinite(x)) return NAN;
    const double turn = fmod(fabs(x), 2), sign = x < 0 || (x == 0 && signbit(x)) ? -1 : 1;
    const double r = remainder(turn, 0.5);
    switch ((int)rint((turn - r) * 2) & 3) {
    case 0: return sign * sin(pi * r);
    case 1: return sign * cos(pi * r);
    case 2: return sign * -sin(pi * r);
    default: return sign * -cos(pi * r);
    }
}

static double cosine_of_pi(double x)
{
    if (!isfinite(x)) return NAN;
    const double turn = fmod(fabs(x), 2), r = remainder(turn, 0.5);
    switch ((int)rint((turn - r) * 2) & 3) {
    case 0: return cos(pi * r);
    case 1: return -sin(pi * r);
    case 2: return -cos(pi * r);
    default: return sin(pi * r);
    }
}

static float sine_of_pi_f32(float x)
{
    return (float)sine_of_pi((double)x);
}

static float cosine_of_pi_f32(float x)
{
    return (float)cosine_of_pi((double)x);
}

static double normal(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

static float normal_f32(float x)
{
    return (float)normal((double)x);
}

static float bessel_j0(float x)
{
    return (float)j0((double)x);
}

static float bessel_j1(float x)
{
    return (float)j1((double)x);
}

static float bessel_y0(float x)
{
    return (float)y0((double)x);
}

static float bessel_y1(float x)
{
    return (float)y1((double)x);
}

// ---- Running ------------------------------------------------------------------------------------

typedef struct math_function {
    const char *name; // __nv_ in front, and f behind of float's
    int arguments;
    float (*f32)(float);
    double (*f64)(double);
    float (*two_f32)(float, float);
    double (*two_f64)(double, double);
} math_function;

static const math_function functions[] = {
#define ONE(name, narrow, wide) {#name, 1, narrow, wide, NULL, NULL},
#define TWO(name, narrow, wide) {#name, 2, NULL, NULL, narrow, wide},
#include "math_functions.def"
#undef ONE
#undef TWO
};

// Where argument or result k of a call lies, of a lane.
static uint8_t *place(const machine *m, const operation *o, int k, int lane)
{
    const uint32_t *pair = m->frame->program->list + o->list + 3 * k;
    return m->warp->local + (size_t)lane * (size_t)m->warp->local_bytes + m->frame->locals +
           pair[0];
}

static void run_f32(machine *m, const operation *o)
{
    const math_function *f = &functions[o->count];
    for (int l = 0; l < WARP; l++) {
        float a, b = 0, r;
        if (!(m->mask >> l & 1)) continue;
        memcpy(&a, place(m, o, 0, l), 4);
        if (f->arguments == 2) memcpy(&b, place(m, o, 1, l), 4);
        r = f->arguments == 2 ? f->two_f32(a, b) : f->f32(a);
        memcpy(place(m, o, f->arguments, l), &r, 4);
    }
}

static void run_f64(machine *m, const operation *o)
{
    const math_function *f = &functions[o->count];
    for (int l = 0; l < WARP; l++) {
        double a, b = 0, r;
        if (!(m->mask >> l & 1)) continue;
        memcpy(&a, place(m, o, 0, l), 8);
        if (f->arguments == 2) memcpy(&b, place(m, o, 1, l), 8);
        r = f->arguments == 2 ? f->two_f64(a, b) : f->f64(a);
        memcpy(place(m, o, f->arguments, l), &r, 8);
    }
}

// A declaration of that shape, and no other, may be called.
static bool fits(const ptx_module *m, const ptx_function *f, int arguments, int64_t bytes)
{
    if (f->param_count != arguments || f->result_count != 1) return false;
    for (int k = 0; k < arguments; k++)
        if (m->variables[f->params[k]].bytes != bytes) return false;
    return m->variables[f->results[0]].bytes == bytes;
}

run_operation *hd__model_math_named(const ptx_module *m, const ptx_function *f, operation *o)
{
    if (strncmp(f->name, "__nv_", 5) != 0) return NULL;
    const char *name = f->name + 5;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        const size_t n = strlen(functions[k].name);
        if (strncmp(name, functions[k].name, n) != 0) continue;
        const bool narrow = strcmp(name + n, "f") == 0;
        if (!narrow && name[n] != 0) continue;
        o->count = (int32_t)k;
        if (!fits(m, f, functions[k].arguments, narrow ? 4 : 8)) return NULL;
        return narrow ? run_f32 : run_f64;
    }
    return NULL;
}
