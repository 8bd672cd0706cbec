// SPDX-License-Identifier: Apache-2.0
//
// A part of CUDA's cuda_fp16.h: __half and __half2, conversions, arithmetic, comparisons.
// Arithmetic is one PTX instruction each, rounded once; division, roots and functions go through
// f32.
#pragma once
#ifndef HD_DEVICE // NVRTC's
#define HD_DEVICE static __device__ __forceinline__
#define HD_MEMBER __device__
#else
#define HD_MEMBER __device__ __attribute__((nodebug))
#endif

struct __half_raw { unsigned short x; };
struct __align__(2) __half {
    unsigned short __x;
    __half() = default;
    HD_MEMBER __half(__half_raw r) : __x(r.x) {}
    HD_MEMBER __half(float f) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(__x) : "f"(f)); }
    HD_MEMBER __half(double f) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(__x) : "d"(f)); }
    HD_MEMBER operator float() const
    {
        float r;
        asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(__x));
        return r;
    }
    HD_MEMBER __half(int v) : __half((double)v) {}
    HD_MEMBER __half(unsigned int v) : __half((double)v) {}
    HD_MEMBER __half(short v) : __half((double)v) {}
    HD_MEMBER __half(unsigned short v) : __half((double)v) {}
    HD_MEMBER __half(long long v) : __half((double)v) {}
    HD_MEMBER __half(unsigned long long v) : __half((double)v) {}
    HD_MEMBER __half(long v) : __half((double)v) {}
    HD_MEMBER __half(unsigned long v) : __half((double)v) {}
    HD_MEMBER operator __half_raw() const { return __half_raw{__x}; }
    HD_MEMBER explicit operator bool() const { return (__x & 0x7fff) != 0; }
    HD_MEMBER explicit operator int() const { return (int)(float)*this; }
    HD_MEMBER __half &operator=(float f) { return *this = __half(f); }
};
struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    HD_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;

HD_DEVICE __half hd_f16(unsigned short x) { return __half(__half_raw{x}); }
HD_DEVICE unsigned int hd_word(__half2 a) { return (unsigned int)a.y.__x << 16 | a.x.__x; }
HD_DEVICE __half2 hd_pair_f16(unsigned int w) { return __half2(hd_f16((unsigned short)w), hd_f16((unsigned short)(w >> 16))); }

// ---- Conversions --------------------------------------------------------------------------------

HD_DEVICE __half __float2half(float f) { return __half(f); }
HD_DEVICE __half __float2half_rn(float f) { return __half(f); }
HD_DEVICE __half __double2half(double f) { return __half(f); }
HD_DEVICE float __half2float(__half h) { return (float)h; }
HD_DEVICE __half __int2half_rn(int v) { return __half(v); }
HD_DEVICE __half __uint2half_rn(unsigned int v) { return __half(v); }
HD_DEVICE int __half2int_rz(__half h) { return (int)(float)h; }
HD_DEVICE int __half2int_rn(__half h) { return __float2int_rn((float)h); }
HD_DEVICE unsigned int __half2uint_rz(__half h) { return (unsigned int)(float)h; }
HD_DEVICE __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
HD_DEVICE __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
HD_DEVICE __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
HD_DEVICE float2 __half22float2_(__half2 h) { return make_float2((float)h.x, (float)h.y); }
HD_DEVICE float2 __half22float2(__half2 h) { return make_float2((float)h.x, (float)h.y); }
HD_DEVICE __half2 __half2half2(__half h) { return __half2(h, h); }
HD_DEVICE __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
HD_DEVICE __half2 make_half2(__half a, __half b) { return __half2(a, b); }
HD_DEVICE __half __low2half(__half2 h) { return h.x; }
HD_DEVICE __half __high2half(__half2 h) { return h.y; }
HD_DEVICE float __low2float(__half2 h) { return (float)h.x; }
HD_DEVICE float __high2float(__half2 h) { return (float)h.y; }
HD_DEVICE __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
HD_DEVICE __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
HD_DEVICE __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
HD_DEVICE unsigned short __half_as_ushort(__half h) { return h.__x; }
HD_DEVICE short __half_as_short(__half h) { return (short)h.__x; }
HD_DEVICE __half __ushort_as_half(unsigned short x) { return hd_f16(x); }
HD_DEVICE __half __short_as_half(short x) { return hd_f16((unsigned short)x); }

// ---- Arithmetic ---------------------------------------------------------------------------------

#define HD_TWO(name, pair, what)                                                                   \
    HD_DEVICE __half name(__half a, __half b)                                                      \
    {                                                                                              \
        __half r;                                                                                  \
        asm(what ".f16 %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));                       \
        return r;                                                                                  \
    }                                                                                              \
    HD_DEVICE __half2 pair(__half2 a, __half2 b)                                                   \
    {                                                                                              \
        unsigned int r;                                                                            \
        asm(what ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(hd_word(a)), "r"(hd_word(b)));               \
        return hd_pair_f16(r);                                                                     \
    }
HD_TWO(__hadd, __hadd2, "add.rn")
HD_TWO(__hsub, __hsub2, "sub.rn")
HD_TWO(__hmul, __hmul2, "mul.rn")
HD_TWO(__hmin, __hmin2, "min")
HD_TWO(__hmax, __hmax2, "max")
#undef HD_TWO
HD_DEVICE __half __hfma(__half a, __half b, __half c)
{
    __half r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return r;
}
HD_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned int r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(hd_word(a)), "r"(hd_word(b)), "r"(hd_word(c)));
    return hd_pair_f16(r);
}
HD_DEVICE __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
HD_DEVICE __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
HD_DEVICE __half __hneg(__half a) { return hd_f16(a.__x ^ 0x8000); }
HD_DEVICE __half __habs(__half a) { return hd_f16(a.__x & 0x7fff); }
HD_DEVICE __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
HD_DEVICE __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
HD_DEVICE bool __hisnan(__half a) { return (float)a != (float)a; }
HD_DEVICE int __hisinf(__half a) { return (a.__x & 0x7fff) == 0x7c00 ? ((a.__x & 0x8000) ? -1 : 1) : 0; }
HD_DEVICE bool __heq(__half a, __half b) { return (float)a == (float)b; }
HD_DEVICE bool operator==(__half a, __half b) { return (float)a == (float)b; }
HD_DEVICE bool __hne(__half a, __half b) { return (float)a != (float)b; }
HD_DEVICE bool operator!=(__half a, __half b) { return (float)a != (float)b; }
HD_DEVICE bool __hlt(__half a, __half b) { return (float)a < (float)b; }
HD_DEVICE bool operator<(__half a, __half b) { return (float)a < (float)b; }
HD_DEVICE bool __hle(__half a, __half b) { return (float)a <= (float)b; }
HD_DEVICE bool operator<=(__half a, __half b) { return (float)a <= (float)b; }
HD_DEVICE bool __hgt(__half a, __half b) { return (float)a > (float)b; }
HD_DEVICE bool operator>(__half a, __half b) { return (float)a > (float)b; }
HD_DEVICE bool __hge(__half a, __half b) { return (float)a >= (float)b; }
HD_DEVICE bool operator>=(__half a, __half b) { return (float)a >= (float)b; }
HD_DEVICE __half operator+(__half a, __half b) { return __hadd(a, b); }
HD_DEVICE __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
HD_DEVICE __half &operator+=(__half &a, __half b) { return a = __hadd(a, b); }
HD_DEVICE __half2 &operator+=(__half2 &a, __half2 b) { return a = __hadd2(a, b); }
HD_DEVICE __half operator-(__half a, __half b) { return __hsub(a, b); }
HD_DEVICE __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
HD_DEVICE __half &operator-=(__half &a, __half b) { return a = __hsub(a, b); }
HD_DEVICE __half2 &operator-=(__half2 &a, __half2 b) { return a = __hsub2(a, b); }
HD_DEVICE __half operator*(__half a, __half b) { return __hmul(a, b); }
HD_DEVICE __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
HD_DEVICE __half &operator*=(__half &a, __half b) { return a = __hmul(a, b); }
HD_DEVICE __half2 &operator*=(__half2 &a, __half2 b) { return a = __hmul2(a, b); }
HD_DEVICE __half operator/(__half a, __half b) { return __hdiv(a, b); }
HD_DEVICE __half2 operator/(__half2 a, __half2 b) { return __h2div(a, b); }
HD_DEVICE __half &operator/=(__half &a, __half b) { return a = __hdiv(a, b); }
HD_DEVICE __half2 &operator/=(__half2 &a, __half2 b) { return a = __h2div(a, b); }
HD_DEVICE __half operator-(__half a) { return __hneg(a); }
HD_DEVICE __half2 operator-(__half2 a) { return __hneg2(a); }

// ---- Functions, through f32 ---------------------------------------------------------------------

HD_DEVICE __half hexp(__half a) { return __half(expf((float)a)); }
HD_DEVICE __half2 h2exp(__half2 a) { return __half2(hexp(a.x), hexp(a.y)); }
HD_DEVICE __half hexp2(__half a) { return __half(exp2f((float)a)); }
HD_DEVICE __half2 h2exp2(__half2 a) { return __half2(hexp2(a.x), hexp2(a.y)); }
HD_DEVICE __half hlog(__half a) { return __half(logf((float)a)); }
HD_DEVICE __half2 h2log(__half2 a) { return __half2(hlog(a.x), hlog(a.y)); }
HD_DEVICE __half hlog2(__half a) { return __half(log2f((float)a)); }
HD_DEVICE __half2 h2log2(__half2 a) { return __half2(hlog2(a.x), hlog2(a.y)); }
HD_DEVICE __half hlog10(__half a) { return __half(log10f((float)a)); }
HD_DEVICE __half2 h2log10(__half2 a) { return __half2(hlog10(a.x), hlog10(a.y)); }
HD_DEVICE __half hsin(__half a) { return __half(sinf((float)a)); }
HD_DEVICE __half2 h2sin(__half2 a) { return __half2(hsin(a.x), hsin(a.y)); }
HD_DEVICE __half hcos(__half a) { return __half(cosf((float)a)); }
HD_DEVICE __half2 h2cos(__half2 a) { return __half2(hcos(a.x), hcos(a.y)); }
HD_DEVICE __half hsqrt(__half a) { return __half(sqrtf((float)a)); }
HD_DEVICE __half2 h2sqrt(__half2 a) { return __half2(hsqrt(a.x), hsqrt(a.y)); }
HD_DEVICE __half hrsqrt(__half a) { return __half(rsqrtf((float)a)); }
HD_DEVICE __half2 h2rsqrt(__half2 a) { return __half2(hrsqrt(a.x), hrsqrt(a.y)); }
HD_DEVICE __half hfloor(__half a) { return __half(floorf((float)a)); }
HD_DEVICE __half2 h2floor(__half2 a) { return __half2(hfloor(a.x), hfloor(a.y)); }
HD_DEVICE __half hceil(__half a) { return __half(ceilf((float)a)); }
HD_DEVICE __half2 h2ceil(__half2 a) { return __half2(hceil(a.x), hceil(a.y)); }
HD_DEVICE __half htrunc(__half a) { return __half(truncf((float)a)); }
HD_DEVICE __half2 h2trunc(__half2 a) { return __half2(htrunc(a.x), htrunc(a.y)); }
HD_DEVICE __half hrint(__half a) { return __half(rintf((float)a)); }
HD_DEVICE __half2 h2rint(__half2 a) { return __half2(hrint(a.x), hrint(a.y)); }
HD_DEVICE __half htanh(__half a) { return __half(tanhf((float)a)); }
HD_DEVICE __half2 h2tanh(__half2 a) { return __half2(htanh(a.x), htanh(a.y)); }
HD_DEVICE __half hrcp(__half a) { return __half(1.0f / (float)a); }

// ---- Memory -------------------------------------------------------------------------------------

HD_DEVICE __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned int r;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(hd_word(v)) : "memory");
    return hd_pair_f16(r);
}
HD_DEVICE __half atomicAdd(__half *p, __half v)
{
    __half r;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(r.__x) : "l"(p), "h"(v.__x) : "memory");
    return r;
}
