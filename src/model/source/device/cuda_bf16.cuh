// SPDX-License-Identifier: Apache-2.0
//
// A part of CUDA's cuda_bf16.h: __nv_bfloat16 and __nv_bfloat162, conversions, arithmetic,
// comparisons. Arithmetic goes through f32 and is rounded to nearest even; fma is one instruction.
#pragma once
#include <heddle/cuda_fp16.cuh>

struct __nv_bfloat16_raw { unsigned short x; };
struct __align__(2) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    HD_MEMBER __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
    HD_MEMBER __nv_bfloat16(float f)
    {
        unsigned int u = __float_as_uint(f);
        __x = f != f ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
    HD_MEMBER __nv_bfloat16(double f) : __nv_bfloat16(hd_odd(f)) {}
    HD_MEMBER operator float() const { return __uint_as_float((unsigned int)__x << 16); }
    // f64 to f32 by truncation with a sticky last bit, so that the second rounding is the only one.
    static HD_MEMBER float hd_odd(double f)
    {
        float r = __double2float_rz(f);
        if ((double)r != f && f == f) r = __uint_as_float(__float_as_uint(r) | 1);
        return r;
    }
    HD_MEMBER __nv_bfloat16(int v) : __nv_bfloat16((double)v) {}
    HD_MEMBER __nv_bfloat16(unsigned int v) : __nv_bfloat16((double)v) {}
    HD_MEMBER __nv_bfloat16(short v) : __nv_bfloat16((double)v) {}
    HD_MEMBER __nv_bfloat16(unsigned short v) : __nv_bfloat16((double)v) {}
    HD_MEMBER __nv_bfloat16(long long v) : __nv_bfloat16((double)v) {}
    HD_MEMBER __nv_bfloat16(unsigned long long v) : __nv_bfloat16((double)v) {}
    HD_MEMBER __nv_bfloat16(long v) : __nv_bfloat16((double)v) {}
    HD_MEMBER __nv_bfloat16(unsigned long v) : __nv_bfloat16((double)v) {}
    HD_MEMBER operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
    HD_MEMBER explicit operator bool() const { return (__x & 0x7fff) != 0; }
    HD_MEMBER explicit operator int() const { return (int)(float)*this; }
    HD_MEMBER __nv_bfloat16 &operator=(float f) { return *this = __nv_bfloat16(f); }
};
struct __align__(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    HD_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

HD_DEVICE __nv_bfloat16 hd_bf16(unsigned short x) { return __nv_bfloat16(__nv_bfloat16_raw{x}); }
HD_DEVICE unsigned int hd_word(__nv_bfloat162 a) { return (unsigned int)a.y.__x << 16 | a.x.__x; }
HD_DEVICE __nv_bfloat162 hd_pair_bf16(unsigned int w) { return __nv_bfloat162(hd_bf16((unsigned short)w), hd_bf16((unsigned short)(w >> 16))); }

// ---- Conversions --------------------------------------------------------------------------------

HD_DEVICE __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
HD_DEVICE __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
HD_DEVICE __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16(f); }
HD_DEVICE float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
HD_DEVICE __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16(v); }
HD_DEVICE __nv_bfloat16 __uint2bfloat16_rn(unsigned int v) { return __nv_bfloat16(v); }
HD_DEVICE int __bfloat162int_rz(__nv_bfloat16 h) { return (int)(float)h; }
HD_DEVICE int __bfloat162int_rn(__nv_bfloat16 h) { return __float2int_rn((float)h); }
HD_DEVICE unsigned int __bfloat162uint_rz(__nv_bfloat16 h) { return (unsigned int)(float)h; }
HD_DEVICE __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f)); }
HD_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
HD_DEVICE __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __nv_bfloat162(__nv_bfloat16(f.x), __nv_bfloat16(f.y)); }
HD_DEVICE float2 __bfloat1622float2_(__nv_bfloat162 h) { return make_float2((float)h.x, (float)h.y); }
HD_DEVICE float2 __bfloat1622float2(__nv_bfloat162 h) { return make_float2((float)h.x, (float)h.y); }
HD_DEVICE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return __nv_bfloat162(h, h); }
HD_DEVICE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
HD_DEVICE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
HD_DEVICE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) { return h.x; }
HD_DEVICE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) { return h.y; }
HD_DEVICE float __low2float(__nv_bfloat162 h) { return (float)h.x; }
HD_DEVICE float __high2float(__nv_bfloat162 h) { return (float)h.y; }
HD_DEVICE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 h) { return __nv_bfloat162(h.x, h.x); }
HD_DEVICE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 h) { return __nv_bfloat162(h.y, h.y); }
HD_DEVICE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 h) { return __nv_bfloat162(h.y, h.x); }
HD_DEVICE unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
HD_DEVICE short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
HD_DEVICE __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return hd_bf16(x); }
HD_DEVICE __nv_bfloat16 __short_as_bfloat16(short x) { return hd_bf16((unsigned short)x); }

// ---- Arithmetic ---------------------------------------------------------------------------------

HD_DEVICE __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a + (float)b); }
HD_DEVICE __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hadd(a.x, b.x), __hadd(a.y, b.y)); }
HD_DEVICE __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a - (float)b); }
HD_DEVICE __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hsub(a.x, b.x), __hsub(a.y, b.y)); }
HD_DEVICE __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a * (float)b); }
HD_DEVICE __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmul(a.x, b.x), __hmul(a.y, b.y)); }
HD_DEVICE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fminf((float)a, (float)b)); }
HD_DEVICE __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
HD_DEVICE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fmaxf((float)a, (float)b)); }
HD_DEVICE __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
HD_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    __nv_bfloat16 r;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return r;
}
HD_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    unsigned int r;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(hd_word(a)), "r"(hd_word(b)), "r"(hd_word(c)));
    return hd_pair_bf16(r);
}
HD_DEVICE __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a / (float)b); }
HD_DEVICE __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
HD_DEVICE __nv_bfloat16 __hneg(__nv_bfloat16 a) { return hd_bf16(a.__x ^ 0x8000); }
HD_DEVICE __nv_bfloat16 __habs(__nv_bfloat16 a) { return hd_bf16(a.__x & 0x7fff); }
HD_DEVICE __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return __nv_bfloat162(__hneg(a.x), __hneg(a.y)); }
HD_DEVICE __nv_bfloat162 __habs2(__nv_bfloat162 a) { return __nv_bfloat162(__habs(a.x), __habs(a.y)); }
HD_DEVICE bool __hisnan(__nv_bfloat16 a) { return (float)a != (float)a; }
HD_DEVICE int __hisinf(__nv_bfloat16 a) { return (a.__x & 0x7fff) == 0x7f80 ? ((a.__x & 0x8000) ? -1 : 1) : 0; }
HD_DEVICE bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a == (float)b; }
HD_DEVICE bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a == (float)b; }
HD_DEVICE bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a != (float)b; }
HD_DEVICE bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a != (float)b; }
HD_DEVICE bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b; }
HD_DEVICE bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b; }
HD_DEVICE bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a <= (float)b; }
HD_DEVICE bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a <= (float)b; }
HD_DEVICE bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a > (float)b; }
HD_DEVICE bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a > (float)b; }
HD_DEVICE bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a >= (float)b; }
HD_DEVICE bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a >= (float)b; }
HD_DEVICE __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) { return __hadd(a, b); }
HD_DEVICE __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) { return __hadd2(a, b); }
HD_DEVICE __nv_bfloat16 &operator+=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = __hadd(a, b); }
HD_DEVICE __nv_bfloat162 &operator+=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = __hadd2(a, b); }
HD_DEVICE __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b) { return __hsub(a, b); }
HD_DEVICE __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b) { return __hsub2(a, b); }
HD_DEVICE __nv_bfloat16 &operator-=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = __hsub(a, b); }
HD_DEVICE __nv_bfloat162 &operator-=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = __hsub2(a, b); }
HD_DEVICE __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmul(a, b); }
HD_DEVICE __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmul2(a, b); }
HD_DEVICE __nv_bfloat16 &operator*=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = __hmul(a, b); }
HD_DEVICE __nv_bfloat162 &operator*=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = __hmul2(a, b); }
HD_DEVICE __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b) { return __hdiv(a, b); }
HD_DEVICE __nv_bfloat162 operator/(__nv_bfloat162 a, __nv_bfloat162 b) { return __h2div(a, b); }
HD_DEVICE __nv_bfloat16 &operator/=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = __hdiv(a, b); }
HD_DEVICE __nv_bfloat162 &operator/=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = __h2div(a, b); }
HD_DEVICE __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
HD_DEVICE __nv_bfloat162 operator-(__nv_bfloat162 a) { return __hneg2(a); }

// ---- Functions, through f32 ---------------------------------------------------------------------

HD_DEVICE __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(expf((float)a)); }
HD_DEVICE __nv_bfloat162 h2exp(__nv_bfloat162 a) { return __nv_bfloat162(hexp(a.x), hexp(a.y)); }
HD_DEVICE __nv_bfloat16 hexp2(__nv_bfloat16 a) { return __nv_bfloat16(exp2f((float)a)); }
HD_DEVICE __nv_bfloat162 h2exp2(__nv_bfloat162 a) { return __nv_bfloat162(hexp2(a.x), hexp2(a.y)); }
HD_DEVICE __nv_bfloat16 hlog(__nv_bfloat16 a) { return __nv_bfloat16(logf((float)a)); }
HD_DEVICE __nv_bfloat162 h2log(__nv_bfloat162 a) { return __nv_bfloat162(hlog(a.x), hlog(a.y)); }
HD_DEVICE __nv_bfloat16 hlog2(__nv_bfloat16 a) { return __nv_bfloat16(log2f((float)a)); }
HD_DEVICE __nv_bfloat162 h2log2(__nv_bfloat162 a) { return __nv_bfloat162(hlog2(a.x), hlog2(a.y)); }
HD_DEVICE __nv_bfloat16 hlog10(__nv_bfloat16 a) { return __nv_bfloat16(log10f((float)a)); }
HD_DEVICE __nv_bfloat162 h2log10(__nv_bfloat162 a) { return __nv_bfloat162(hlog10(a.x), hlog10(a.y)); }
HD_DEVICE __nv_bfloat16 hsin(__nv_bfloat16 a) { return __nv_bfloat16(sinf((float)a)); }
HD_DEVICE __nv_bfloat162 h2sin(__nv_bfloat162 a) { return __nv_bfloat162(hsin(a.x), hsin(a.y)); }
HD_DEVICE __nv_bfloat16 hcos(__nv_bfloat16 a) { return __nv_bfloat16(cosf((float)a)); }
HD_DEVICE __nv_bfloat162 h2cos(__nv_bfloat162 a) { return __nv_bfloat162(hcos(a.x), hcos(a.y)); }
HD_DEVICE __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(sqrtf((float)a)); }
HD_DEVICE __nv_bfloat162 h2sqrt(__nv_bfloat162 a) { return __nv_bfloat162(hsqrt(a.x), hsqrt(a.y)); }
HD_DEVICE __nv_bfloat16 hrsqrt(__nv_bfloat16 a) { return __nv_bfloat16(rsqrtf((float)a)); }
HD_DEVICE __nv_bfloat162 h2rsqrt(__nv_bfloat162 a) { return __nv_bfloat162(hrsqrt(a.x), hrsqrt(a.y)); }
HD_DEVICE __nv_bfloat16 hfloor(__nv_bfloat16 a) { return __nv_bfloat16(floorf((float)a)); }
HD_DEVICE __nv_bfloat162 h2floor(__nv_bfloat162 a) { return __nv_bfloat162(hfloor(a.x), hfloor(a.y)); }
HD_DEVICE __nv_bfloat16 hceil(__nv_bfloat16 a) { return __nv_bfloat16(ceilf((float)a)); }
HD_DEVICE __nv_bfloat162 h2ceil(__nv_bfloat162 a) { return __nv_bfloat162(hceil(a.x), hceil(a.y)); }
HD_DEVICE __nv_bfloat16 htrunc(__nv_bfloat16 a) { return __nv_bfloat16(truncf((float)a)); }
HD_DEVICE __nv_bfloat162 h2trunc(__nv_bfloat162 a) { return __nv_bfloat162(htrunc(a.x), htrunc(a.y)); }
HD_DEVICE __nv_bfloat16 hrint(__nv_bfloat16 a) { return __nv_bfloat16(rintf((float)a)); }
HD_DEVICE __nv_bfloat162 h2rint(__nv_bfloat162 a) { return __nv_bfloat162(hrint(a.x), hrint(a.y)); }
HD_DEVICE __nv_bfloat16 htanh(__nv_bfloat16 a) { return __nv_bfloat16(tanhf((float)a)); }
HD_DEVICE __nv_bfloat162 h2tanh(__nv_bfloat162 a) { return __nv_bfloat162(htanh(a.x), htanh(a.y)); }
HD_DEVICE __nv_bfloat16 hrcp(__nv_bfloat16 a) { return __nv_bfloat16(1.0f / (float)a); }

// ---- Memory -------------------------------------------------------------------------------------

HD_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
    unsigned short was = *(volatile unsigned short *)p, seen;
    do {
        seen = was;
        was = atomicCAS((unsigned short *)p, seen, __hadd(hd_bf16(seen), v).__x);
    } while (was != seen);
    return hd_bf16(was);
}
HD_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
    unsigned int was = *(volatile unsigned int *)p, seen;
    do {
        seen = was;
        was = atomicCAS((unsigned int *)p, seen, hd_word(__hadd2(hd_pair_bf16(seen), v)));
    } while (was != seen);
    return hd_pair_bf16(was);
}
