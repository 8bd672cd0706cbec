// SPDX-License-Identifier: Apache-2.0
//
// Mathematics of float and double: one kernel a type, out[row * n + t] is function row of x[t]
// (and y[t]). test_model_compilers.c has the same rows.

#define FLOATS                                                                                     \
    ROW(sinf(x[t])) ROW(cosf(x[t])) ROW(tanf(x[t])) ROW(asinf(y[t])) ROW(acosf(y[t]))              \
    ROW(atanf(x[t])) ROW(sinhf(x[t])) ROW(coshf(x[t])) ROW(tanhf(x[t])) ROW(asinhf(x[t]))          \
    ROW(acoshf(fabsf(x[t]) + 1)) ROW(atanhf(y[t])) ROW(expf(x[t])) ROW(exp2f(x[t]))                \
    ROW(exp10f(y[t])) ROW(expm1f(x[t])) ROW(logf(fabsf(x[t]))) ROW(log2f(fabsf(x[t])))             \
    ROW(log10f(fabsf(x[t]))) ROW(log1pf(fabsf(x[t]))) ROW(cbrtf(x[t])) ROW(erff(x[t]))             \
    ROW(erfcf(x[t])) ROW(sqrtf(fabsf(x[t]))) ROW(rsqrtf(fabsf(x[t]))) ROW(powf(fabsf(x[t]), y[t]))  \
    ROW(atan2f(x[t], y[t])) ROW(fmodf(x[t], y[t])) ROW(hypotf(x[t], y[t]))                         \
    ROW(remainderf(x[t], y[t])) ROW(floorf(x[t])) ROW(ceilf(x[t])) ROW(truncf(x[t]))               \
    ROW(rintf(x[t])) ROW(roundf(x[t])) ROW(fdimf(x[t], y[t])) ROW(ldexpf(x[t], 3))                 \
    ROW(scalbnf(x[t], -150)) ROW(sinpif(y[t])) ROW(cospif(y[t]))
#define DOUBLES                                                                                    \
    ROW(sin(x[t])) ROW(cos(x[t])) ROW(tan(x[t])) ROW(asin(y[t])) ROW(acos(y[t])) ROW(atan(x[t]))   \
    ROW(sinh(x[t])) ROW(cosh(x[t])) ROW(tanh(x[t])) ROW(asinh(x[t])) ROW(acosh(fabs(x[t]) + 1))    \
    ROW(atanh(y[t])) ROW(exp(x[t])) ROW(exp2(x[t])) ROW(exp10(y[t])) ROW(expm1(x[t]))              \
    ROW(log(fabs(x[t]))) ROW(log2(fabs(x[t]))) ROW(log10(fabs(x[t]))) ROW(log1p(fabs(x[t])))       \
    ROW(cbrt(x[t])) ROW(erf(x[t])) ROW(erfc(x[t])) ROW(sqrt(fabs(x[t]))) ROW(rsqrt(fabs(x[t])))    \
    ROW(pow(fabs(x[t]), y[t])) ROW(atan2(x[t], y[t])) ROW(fmod(x[t], y[t])) ROW(hypot(x[t], y[t])) \
    ROW(remainder(x[t], y[t])) ROW(floor(x[t])) ROW(ceil(x[t])) ROW(trunc(x[t])) ROW(rint(x[t]))   \
    ROW(round(x[t])) ROW(fdim(x[t], y[t])) ROW(ldexp(x[t], 3)) ROW(scalbn(x[t], -1060))            \
    ROW(sinpi(y[t])) ROW(cospi(y[t]))
#define ROW(value) *out = value, out += n;

extern "C" __global__ void floats(const float *x, const float *y, float *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    out += t;
    FLOATS
}

extern "C" __global__ void doubles(const double *x, const double *y, double *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    out += t;
    DOUBLES
}

// The intrinsics that are PTX instructions.
#undef ROW
#define ROW(value) *out = value, out += n;
extern "C" __global__ void intrinsics(const float *x, const float *y, float *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    out += t;
    ROW(__expf(y[t])) ROW(__logf(fabsf(x[t]))) ROW(__sinf(y[t])) ROW(__cosf(y[t]))
    ROW(__fdividef(x[t], y[t])) ROW(__powf(fabsf(x[t]), y[t])) ROW(__log2f(fabsf(x[t])))
    ROW(__fmaf_rz(x[t], y[t], 1.0f)) ROW(__fadd_ru(x[t], y[t])) ROW(__fmul_rd(x[t], y[t]))
    ROW(__saturatef(x[t])) ROW(__frcp_rn(x[t])) ROW(fminf(x[t], y[t])) ROW(max(x[t], y[t]))
    ROW(__int2float_rn(__float2int_rz(x[t])))
}
