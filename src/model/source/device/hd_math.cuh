// SPDX-License-Identifier: Apache-2.0
//
// For clang: mathematics. Accuracy, in units of the last place of the result:
//   0     + - * / fma sqrt, floor ceil trunc rint round, fmod remainder, min max, frexp modf ldexp
//   2     expf rsqrtf rsqrt
//   the host's     all others: calls __nv_NAME that the model machine answers with the host's own
//                  functions (with glibc mostly below 1; tan sinh cosh tanh asinh acosh atanh
//                  log10 sinpi cospi up to 3, cbrt and erfc 4, lgamma tgamma j0 j1 y0 y1 10)
// The intrinsics with two underscores (__expf, __sinf, __fdividef...) are the PTX instructions that
// CUDA uses; the machine computes those with the host's functions, better than a GPU does.
#pragma once

extern "C" {
#define HD_ONE(name)                                                                               \
    __device__ float __nv_##name##f(float) __attribute__((const));                                 \
    __device__ double __nv_##name(double) __attribute__((const));
#define HD_TWO(name)                                                                               \
    __device__ float __nv_##name##f(float, float) __attribute__((const));                          \
    __device__ double __nv_##name(double, double) __attribute__((const));
HD_ONE(sin)
HD_ONE(cos)
HD_ONE(tan)
HD_ONE(asin)
HD_ONE(acos)
HD_ONE(atan)
HD_ONE(sinh)
HD_ONE(cosh)
HD_ONE(tanh)
HD_ONE(asinh)
HD_ONE(acosh)
HD_ONE(atanh)
HD_ONE(exp)
HD_ONE(exp2)
HD_ONE(exp10)
HD_ONE(expm1)
HD_ONE(log)
HD_ONE(log2)
HD_ONE(log10)
HD_ONE(log1p)
HD_ONE(logb)
HD_ONE(cbrt)
HD_ONE(rcbrt)
HD_ONE(rsqrt)
HD_ONE(erf)
HD_ONE(erfc)
HD_ONE(tgamma)
HD_ONE(lgamma)
HD_ONE(sinpi)
HD_ONE(cospi)
HD_ONE(normcdf)
HD_ONE(j0)
HD_ONE(j1)
HD_ONE(y0)
HD_ONE(y1)
HD_TWO(pow)
HD_TWO(atan2)
HD_TWO(fmod)
HD_TWO(remainder)
HD_TWO(hypot)
HD_TWO(nextafter)
#undef HD_ONE
#undef HD_TWO
}

// ---- The machine's instructions -----------------------------------------------------------------

#define HD_ONE(name, T, what, c)                                                                   \
    HD_DEVICE T name(T a)                                                                          \
    {                                                                                              \
        T r;                                                                                       \
        asm(what " %0, %1;" : "=" c(r) : c(a));                                                    \
        return r;                                                                                  \
    }
HD_ONE(hd_ex2, float, "ex2.approx.f32", "f")
HD_ONE(hd_lg2, float, "lg2.approx.f32", "f")
HD_ONE(__sinf, float, "sin.approx.f32", "f")
HD_ONE(__cosf, float, "cos.approx.f32", "f")
HD_ONE(__frsqrt_rn, float, "rsqrt.approx.f32", "f")
HD_ONE(rsqrtf, float, "rsqrt.approx.f32", "f")
HD_ONE(rsqrt, double, "rsqrt.approx.f64", "d")
#undef HD_ONE
HD_DEVICE float __fdividef(float a, float b)
{
    float r;
    asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}
HD_DEVICE float __expf(float x) { return hd_ex2(x * 1.4426950408889634f); }
HD_DEVICE float __exp10f(float x) { return hd_ex2(x * 3.3219280948873623f); }
HD_DEVICE float __log2f(float x) { return hd_lg2(x); }
HD_DEVICE float __logf(float x) { return hd_lg2(x) * 0.69314718055994531f; }
HD_DEVICE float __log10f(float x) { return hd_lg2(x) * 0.30102999566398120f; }
HD_DEVICE float __powf(float x, float y) { return hd_ex2(y * hd_lg2(x)); }
HD_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
HD_DEVICE void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }

// ---- Exact ones ---------------------------------------------------------------------------------

#define HD_SAME(name)                                                                              \
    HD_DEVICE float name##f(float x) { return __builtin_##name##f(x); }                            \
    HD_DEVICE double name(double x) { return __builtin_##name(x); }                                \
    HD_DEVICE float name(float x) { return __builtin_##name##f(x); }
#define HD_SAME_TWO(name)                                                                          \
    HD_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); }                \
    HD_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }                   \
    HD_DEVICE float name(float x, float y) { return __builtin_##name##f(x, y); }
HD_SAME(fabs)
HD_SAME(floor)
HD_SAME(ceil)
HD_SAME(trunc)
HD_SAME(rint)
HD_SAME(nearbyint)
HD_SAME(round)
HD_SAME_TWO(fmin)
HD_SAME_TWO(fmax)
HD_SAME_TWO(copysign)
#undef HD_SAME
#undef HD_SAME_TWO
HD_DEVICE float sqrtf(float x) { return __fsqrt_rn(x); }
HD_DEVICE float sqrt(float x) { return __fsqrt_rn(x); }
HD_DEVICE double sqrt(double x) { return __dsqrt_rn(x); }
HD_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HD_DEVICE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HD_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
HD_DEVICE float fdimf(float a, float b) { return a != a || b != b ? a + b : a > b ? a - b : 0.0f; }
HD_DEVICE double fdim(double a, double b) { return a != a || b != b ? a + b : a > b ? a - b : 0.0; }
HD_DEVICE float fdividef(float a, float b) { return a / b; }
HD_DEVICE int __isnanf(float x) { return x != x; }
HD_DEVICE int __isinff(float x) { return __builtin_fabsf(x) == __builtin_huge_valf(); }
#define HD_CLASS(T, fabs_, huge_, least_)                                                          \
    HD_DEVICE bool isnan(T x) { return x != x; }                                                   \
    HD_DEVICE bool isinf(T x) { return fabs_(x) == huge_(); }                                      \
    HD_DEVICE bool isfinite(T x) { return fabs_(x) < huge_(); }                                    \
    HD_DEVICE bool isnormal(T x) { return fabs_(x) < huge_() && fabs_(x) >= least_; }
HD_CLASS(float, __builtin_fabsf, __builtin_huge_valf, 0x1p-126f)
HD_CLASS(double, __builtin_fabs, __builtin_huge_val, 0x1p-1022)
#undef HD_CLASS
HD_DEVICE bool signbit(float x) { return __float_as_int(x) < 0; }
HD_DEVICE bool signbit(double x) { return __double_as_longlong(x) < 0; }
HD_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
HD_DEVICE double nan(const char *) { return __builtin_nan(""); }
HD_DEVICE int __float2int(float x) { return (int)x; }
HD_DEVICE long lrintf(float x) { return (long)__float2ll_rn(x); }
HD_DEVICE long lrint(double x) { return (long)__double2ll_rn(x); }
HD_DEVICE long long llrintf(float x) { return __float2ll_rn(x); }
HD_DEVICE long long llrint(double x) { return __double2ll_rn(x); }
HD_DEVICE long lroundf(float x) { return (long)roundf(x); }
HD_DEVICE long lround(double x) { return (long)round(x); }
HD_DEVICE long long llroundf(float x) { return (long long)roundf(x); }
HD_DEVICE long long llround(double x) { return (long long)round(x); }

// 2^n, and in steps where it is no normal number; the last step rounds.
HD_DEVICE double hd_power(int n) { return __longlong_as_double((long long)(n + 1023) << 52); }
HD_DEVICE double scalbn(double x, int n)
{
    for (; n > 1023; n = n > 3000 ? 1000 : n - 1023) x *= 0x1p1023;
    for (; n < -969; n = n < -3000 ? -1100 : n + 969) x *= 0x1p-969;
    return x * hd_power(n);
}
HD_DEVICE double ldexp(double x, int n) { return scalbn(x, n); }
HD_DEVICE float scalbnf(float x, int n) { return (float)scalbn((double)x, n > 400 ? 400 : n < -400 ? -400 : n); }
HD_DEVICE float ldexpf(float x, int n) { return scalbnf(x, n); }
HD_DEVICE float ldexp(float x, int n) { return scalbnf(x, n); }
HD_DEVICE double frexp(double x, int *e)
{
    *e = 0;
    if (x == 0 || !isfinite(x)) return x;
    int scale = 0;
    if (fabs(x) < 0x1p-1022) x *= 0x1p54, scale = -54;
    const long long bits = __double_as_longlong(x);
    *e = (int)(bits >> 52 & 2047) - 1022 + scale;
    return __longlong_as_double((bits & ~(2047ll << 52)) | 1022ll << 52);
}
HD_DEVICE float frexpf(float x, int *e) { return (float)frexp((double)x, e); }
HD_DEVICE float frexp(float x, int *e) { return (float)frexp((double)x, e); }
HD_DEVICE double modf(double x, double *i)
{
    *i = trunc(x);
    return isinf(x) ? copysign(0.0, x) : copysign(x - *i, x);
}
HD_DEVICE float modff(float x, float *i)
{
    *i = truncf(x);
    return isinf(x) ? copysignf(0.0f, x) : copysignf(x - *i, x);
}
HD_DEVICE float modf(float x, float *i) { return modff(x, i); }
HD_DEVICE int ilogb(double x)
{
    int e;
    if (x == 0 || x != x) return -2147483647 - 1;
    if (isinf(x)) return 2147483647;
    frexp(x, &e);
    return e - 1;
}
HD_DEVICE int ilogbf(float x) { return ilogb((double)x); }

// ---- expf: ex2.approx of what is left of x log2(e) ----------------------------------------------

HD_DEVICE float expf(float x)
{
    const float whole = rintf(fminf(fmaxf(x * 1.4426950408889634f, -160.0f), 130.0f));
    float r = fmaf(x, 1.4426950216293335f, -whole);
    r = fmaf(x, 1.9259629911266175e-8f, r);
    const int n = (int)whole, half = n >> 1;
    const float scale = __int_as_float((half + 127) << 23), rest = __int_as_float((n - half + 127) << 23);
    if (x > 89.0f) return __builtin_huge_valf();
    if (x < -104.0f) return 0.0f;
    return hd_ex2(r) * scale * rest;
}
HD_DEVICE float exp(float x) { return expf(x); }
HD_DEVICE double exp(double x) { return __nv_exp(x); }

// ---- The host's ---------------------------------------------------------------------------------

#define HD_ONE(name)                                                                               \
    HD_DEVICE float name##f(float x) { return __nv_##name##f(x); }                                 \
    HD_DEVICE float name(float x) { return __nv_##name##f(x); }                                    \
    HD_DEVICE double name(double x) { return __nv_##name(x); }
#define HD_TWO(name)                                                                               \
    HD_DEVICE float name##f(float x, float y) { return __nv_##name##f(x, y); }                     \
    HD_DEVICE float name(float x, float y) { return __nv_##name##f(x, y); }                        \
    HD_DEVICE double name(double x, double y) { return __nv_##name(x, y); }
HD_ONE(sin)
HD_ONE(cos)
HD_ONE(tan)
HD_ONE(asin)
HD_ONE(acos)
HD_ONE(atan)
HD_ONE(sinh)
HD_ONE(cosh)
HD_ONE(tanh)
HD_ONE(asinh)
HD_ONE(acosh)
HD_ONE(atanh)
HD_ONE(exp2)
HD_ONE(exp10)
HD_ONE(expm1)
HD_ONE(log)
HD_ONE(log2)
HD_ONE(log10)
HD_ONE(log1p)
HD_ONE(logb)
HD_ONE(cbrt)
HD_ONE(rcbrt)
HD_ONE(erf)
HD_ONE(erfc)
HD_ONE(tgamma)
HD_ONE(lgamma)
HD_ONE(sinpi)
HD_ONE(cospi)
HD_ONE(normcdf)
HD_ONE(j0)
HD_ONE(j1)
HD_ONE(y0)
HD_ONE(y1)
HD_TWO(pow)
HD_TWO(atan2)
HD_TWO(fmod)
HD_TWO(remainder)
HD_TWO(hypot)
HD_TWO(nextafter)
#undef HD_ONE
#undef HD_TWO
HD_DEVICE float rsqrt(float x) { return rsqrtf(x); }
HD_DEVICE void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
HD_DEVICE void sincos(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
HD_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
HD_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
HD_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
HD_DEVICE float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
HD_DEVICE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
HD_DEVICE float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
HD_DEVICE double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }

// Integers as arguments mean double, as in C++; mixed ones the wider.
template <class T> struct hd_whole { enum { value = 0 }; };
#define HD_WHOLE(T) template <> struct hd_whole<T> { enum { value = 1 }; };
HD_WHOLE(bool)
HD_WHOLE(char)
HD_WHOLE(signed char)
HD_WHOLE(unsigned char)
HD_WHOLE(short)
HD_WHOLE(unsigned short)
HD_WHOLE(int)
HD_WHOLE(unsigned int)
HD_WHOLE(long)
HD_WHOLE(unsigned long)
HD_WHOLE(long long)
HD_WHOLE(unsigned long long)
#undef HD_WHOLE
template <bool, class T> struct hd_if {};
template <class T> struct hd_if<true, T> { typedef T type; };
#define HD_ONE(name)                                                                               \
    template <class T> HD_DEVICE typename hd_if<hd_whole<T>::value, double>::type name(T x) { return name((double)x); }
HD_ONE(sqrt)
HD_ONE(exp)
HD_ONE(log)
HD_ONE(sin)
HD_ONE(cos)
HD_ONE(tan)
HD_ONE(floor)
HD_ONE(ceil)
HD_ONE(fabs)
HD_ONE(log2)
HD_ONE(log10)
HD_ONE(exp2)
HD_ONE(rint)
HD_ONE(round)
HD_ONE(trunc)
HD_ONE(cbrt)
HD_ONE(atan)
HD_ONE(tanh)
HD_ONE(rsqrt)
HD_ONE(erf)
#undef HD_ONE
#define HD_TWO(name)                                                                               \
    HD_DEVICE double name(float x, double y) { return name((double)x, y); }                        \
    HD_DEVICE double name(double x, float y) { return name(x, (double)y); }                        \
    template <class T> HD_DEVICE typename hd_if<hd_whole<T>::value, double>::type name(T x, double y) { return name((double)x, y); } \
    template <class T> HD_DEVICE typename hd_if<hd_whole<T>::value, double>::type name(double x, T y) { return name(x, (double)y); } \
    template <class T> HD_DEVICE typename hd_if<hd_whole<T>::value, double>::type name(T x, float y) { return name((double)x, (double)y); } \
    template <class T> HD_DEVICE typename hd_if<hd_whole<T>::value, double>::type name(float x, T y) { return name((double)x, (double)y); } \
    template <class T, class U> HD_DEVICE typename hd_if<hd_whole<T>::value && hd_whole<U>::value, double>::type name(T x, U y) { return name((double)x, (double)y); }
HD_TWO(pow)
HD_TWO(fmod)
HD_TWO(fmin)
HD_TWO(fmax)
HD_TWO(atan2)
#undef HD_TWO

// ---- min, max, abs of every type ----------------------------------------------------------------

#define HD_ORDER(T)                                                                                \
    HD_DEVICE T min(T a, T b) { return b < a ? b : a; }                                            \
    HD_DEVICE T max(T a, T b) { return a < b ? b : a; }
HD_ORDER(int)
HD_ORDER(unsigned int)
HD_ORDER(long)
HD_ORDER(unsigned long)
HD_ORDER(long long)
HD_ORDER(unsigned long long)
#undef HD_ORDER
HD_DEVICE float min(float a, float b) { return fminf(a, b); }
HD_DEVICE float max(float a, float b) { return fmaxf(a, b); }
HD_DEVICE double min(double a, double b) { return fmin(a, b); }
HD_DEVICE double max(double a, double b) { return fmax(a, b); }
#define HD_MIXED(T, U, R)                                                                          \
    HD_DEVICE R min(T a, U b) { return min((R)a, (R)b); }                                          \
    HD_DEVICE R max(T a, U b) { return max((R)a, (R)b); }                                          \
    HD_DEVICE R min(U a, T b) { return min((R)a, (R)b); }                                          \
    HD_DEVICE R max(U a, T b) { return max((R)a, (R)b); }
HD_MIXED(int, unsigned int, unsigned int)
HD_MIXED(long, unsigned long, unsigned long)
HD_MIXED(long long, unsigned long long, unsigned long long)
HD_MIXED(float, double, double)
#undef HD_MIXED
HD_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
HD_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
HD_DEVICE long long llmin(long long a, long long b) { return a < b ? a : b; }
HD_DEVICE long long llmax(long long a, long long b) { return a > b ? a : b; }
HD_DEVICE int abs(int x) { return (int)(x < 0 ? 0 - (unsigned int)x : (unsigned int)x); }
HD_DEVICE long abs(long x) { return (long)(x < 0 ? 0 - (unsigned long)x : (unsigned long)x); }
HD_DEVICE long long abs(long long x) { return (long long)(x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x); }
HD_DEVICE float abs(float x) { return fabsf(x); }
HD_DEVICE double abs(double x) { return fabs(x); }
HD_DEVICE long labs(long x) { return (long)(x < 0 ? 0 - (unsigned long)x : (unsigned long)x); }
HD_DEVICE long long llabs(long long x) { return (long long)(x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x); }
