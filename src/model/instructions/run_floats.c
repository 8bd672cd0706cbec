// SPDX-License-Identifier: Apache-2.0
//
// Float arithmetic. Everything IEEE 754 defines is exact in its rounding mode; the approximate
// instructions (.approx, .full, ex2, lg2, sin, cos, tanh) are the host's functions, which are
// better than the hardware's.
#include <fenv.h>
#include <math.h>

#include "model/exec/lanes.h"
#include "numbers.h"
#include "run.h"

#define T           float
#define S           uint32_t
#define NAME(op)    op##_f32
#define FLOAT(bits) f32_of(bits)
#define BITS(x)     bits_of_f32(x)
#define FMA         fmaf
#define SQRT        sqrtf
#define TINY(x)     ((x) != 0 && fabsf(x) < 0x1p-126f)
#define SIGN_BIT    0x80000000u
#include "run_floats.inc"

#define T           double
#define S           uint64_t
#define NAME(op)    op##_f64
#define FLOAT(bits) f64_of(bits)
#define BITS(x)     bits_of_f64(x)
#define FMA         fma
#define SQRT        sqrt
#define TINY(x)     ((x) != 0 && fabs(x) < 0x1p-1022)
#define SIGN_BIT    0x8000000000000000u
#include "run_floats.inc"

#define A_ source_f32(o, A)

static void ex2(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, finish_f32(o, exp2f(A_)));
}

static void lg2(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, finish_f32(o, log2f(A_)));
}

static void sine(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, finish_f32(o, sinf(A_)));
}

static void cosine(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, finish_f32(o, cosf(A_)));
}

static void hyperbolic_tangent(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, finish_f32(o, tanhf(A_)));
}

static run_operation *dispatch_function(const ptx_instruction *i)
{
    if (i->type[0] != PTX_F32) return NULL;
    switch (i->op) {
    case PTX_OP_ex2: return ex2;
    case PTX_OP_lg2: return lg2;
    case PTX_OP_sin: return sine;
    case PTX_OP_cos: return cosine;
    case PTX_OP_tanh: return hyperbolic_tangent;
    default: return NULL;
    }
}

run_operation *hd__model_dispatch_float(const ptx_instruction *i, operation *o)
{
    o->flush = ptx_has(i, PTX_MOD_FTZ);
    o->saturate = ptx_has(i, PTX_MOD_SAT);
    o->mode = ptx_has(i, PTX_MOD_NAN);
    run_operation *run = i->type[0] == PTX_F32   ? dispatch_f32(i, o)
                         : i->type[0] == PTX_F64 ? dispatch_f64(i, o)
                                                 : NULL;
    return run != NULL ? run : dispatch_function(i);
}
