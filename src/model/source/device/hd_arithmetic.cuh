// SPDX-License-Identifier: Apache-2.0
//
// For clang: integers and their bits, conversions, arithmetic with a rounding mode. All exact.
#pragma once

// ---- Integers -----------------------------------------------------------------------------------

HD_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
HD_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
HD_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
HD_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
HD_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
HD_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
HD_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
HD_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
HD_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s)
{
    unsigned int r;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s & 0x7777));
    return r;
}
#define HD_FUNNEL(name, what)                                                                      \
    HD_DEVICE unsigned int name(unsigned int lo, unsigned int hi, unsigned int n)                  \
    {                                                                                              \
        unsigned int r;                                                                            \
        asm("shf." what ".b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(n));              \
        return r;                                                                                  \
    }
HD_FUNNEL(__funnelshift_l, "l.wrap")
HD_FUNNEL(__funnelshift_lc, "l.clamp")
HD_FUNNEL(__funnelshift_r, "r.wrap")
HD_FUNNEL(__funnelshift_rc, "r.clamp")
#undef HD_FUNNEL
HD_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
HD_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)((unsigned long long)a * b >> 32);
}
HD_DEVICE long long __mul64hi(long long a, long long b)
{
    long long r;
    asm("mul.hi.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    return r;
}
HD_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    unsigned long long r;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    return r;
}
HD_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
HD_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
HD_DEVICE unsigned int __sad(int a, int b, unsigned int c) { return (unsigned int)(a > b ? a - b : b - a) + c; }
HD_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
HD_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
HD_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HD_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a + b) >> 1); }
HD_DEVICE int __dp4a(int a, int b, int c)
{
    for (int k = 0; k < 32; k += 8) c += (signed char)(a >> k) * (signed char)(b >> k);
    return c;
}
HD_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    for (int k = 0; k < 32; k += 8) c += (unsigned int)(unsigned char)(a >> k) * (unsigned char)(b >> k);
    return c;
}

// ---- Bits of floats -----------------------------------------------------------------------------

#define HD_BITS(name, R, T)                                                                        \
    HD_DEVICE R name(T x)                                                                          \
    {                                                                                              \
        R r;                                                                                       \
        __builtin_memcpy(&r, &x, sizeof r);                                                        \
        return r;                                                                                  \
    }
HD_BITS(__float_as_int, int, float)
HD_BITS(__float_as_uint, unsigned int, float)
HD_BITS(__int_as_float, float, int)
HD_BITS(__uint_as_float, float, unsigned int)
HD_BITS(__double_as_longlong, long long, double)
HD_BITS(__longlong_as_double, double, long long)
#undef HD_BITS
HD_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
HD_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
HD_DEVICE double __hiloint2double(int hi, int lo)
{
    return __longlong_as_double((long long)((unsigned long long)(unsigned int)hi << 32 | (unsigned int)lo));
}

// ---- Conversions --------------------------------------------------------------------------------

#define HD_CONVERT(name, R, T, what, r_, t_)                                                       \
    HD_DEVICE R name(T x)                                                                          \
    {                                                                                              \
        R r;                                                                                       \
        asm("cvt." what " %0, %1;" : "=" r_(r) : t_(x));                                           \
        return r;                                                                                  \
    }
HD_CONVERT(__float2int_rn, int, float, "rni.s32.f32", "r", "f")
HD_CONVERT(__int2float_rn, float, int, "rn.f32.s32", "f", "r")
HD_CONVERT(__float2uint_rn, unsigned int, float, "rni.u32.f32", "r", "f")
HD_CONVERT(__uint2float_rn, float, unsigned int, "rn.f32.u32", "f", "r")
HD_CONVERT(__float2ll_rn, long long, float, "rni.s64.f32", "l", "f")
HD_CONVERT(__ll2float_rn, float, long long, "rn.f32.s64", "f", "l")
HD_CONVERT(__float2ull_rn, unsigned long long, float, "rni.u64.f32", "l", "f")
HD_CONVERT(__ull2float_rn, float, unsigned long long, "rn.f32.u64", "f", "l")
HD_CONVERT(__double2int_rn, int, double, "rni.s32.f64", "r", "d")
HD_CONVERT(__int2double_rn, double, int, "rn.f64.s32", "d", "r")
HD_CONVERT(__double2uint_rn, unsigned int, double, "rni.u32.f64", "r", "d")
HD_CONVERT(__uint2double_rn, double, unsigned int, "rn.f64.u32", "d", "r")
HD_CONVERT(__double2ll_rn, long long, double, "rni.s64.f64", "l", "d")
HD_CONVERT(__ll2double_rn, double, long long, "rn.f64.s64", "d", "l")
HD_CONVERT(__double2ull_rn, unsigned long long, double, "rni.u64.f64", "l", "d")
HD_CONVERT(__ull2double_rn, double, unsigned long long, "rn.f64.u64", "d", "l")
HD_CONVERT(__double2float_rn, float, double, "rn.f32.f64", "f", "d")
HD_CONVERT(__float2int_rz, int, float, "rzi.s32.f32", "r", "f")
HD_CONVERT(__int2float_rz, float, int, "rz.f32.s32", "f", "r")
HD_CONVERT(__float2uint_rz, unsigned int, float, "rzi.u32.f32", "r", "f")
HD_CONVERT(__uint2float_rz, float, unsigned int, "rz.f32.u32", "f", "r")
HD_CONVERT(__float2ll_rz, long long, float, "rzi.s64.f32", "l", "f")
HD_CONVERT(__ll2float_rz, float, long long, "rz.f32.s64", "f", "l")
HD_CONVERT(__float2ull_rz, unsigned long long, float, "rzi.u64.f32", "l", "f")
HD_CONVERT(__ull2float_rz, float, unsigned long long, "rz.f32.u64", "f", "l")
HD_CONVERT(__double2int_rz, int, double, "rzi.s32.f64", "r", "d")
HD_CONVERT(__double2uint_rz, unsigned int, double, "rzi.u32.f64", "r", "d")
HD_CONVERT(__double2ll_rz, long long, double, "rzi.s64.f64", "l", "d")
HD_CONVERT(__ll2double_rz, double, long long, "rz.f64.s64", "d", "l")
HD_CONVERT(__double2ull_rz, unsigned long long, double, "rzi.u64.f64", "l", "d")
HD_CONVERT(__ull2double_rz, double, unsigned long long, "rz.f64.u64", "d", "l")
HD_CONVERT(__double2float_rz, float, double, "rz.f32.f64", "f", "d")
HD_CONVERT(__float2int_rd, int, float, "rmi.s32.f32", "r", "f")
HD_CONVERT(__int2float_rd, float, int, "rm.f32.s32", "f", "r")
HD_CONVERT(__float2uint_rd, unsigned int, float, "rmi.u32.f32", "r", "f")
HD_CONVERT(__uint2float_rd, float, unsigned int, "rm.f32.u32", "f", "r")
HD_CONVERT(__float2ll_rd, long long, float, "rmi.s64.f32", "l", "f")
HD_CONVERT(__ll2float_rd, float, long long, "rm.f32.s64", "f", "l")
HD_CONVERT(__float2ull_rd, unsigned long long, float, "rmi.u64.f32", "l", "f")
HD_CONVERT(__ull2float_rd, float, unsigned long long, "rm.f32.u64", "f", "l")
HD_CONVERT(__double2int_rd, int, double, "rmi.s32.f64", "r", "d")
HD_CONVERT(__double2uint_rd, unsigned int, double, "rmi.u32.f64", "r", "d")
HD_CONVERT(__double2ll_rd, long long, double, "rmi.s64.f64", "l", "d")
HD_CONVERT(__ll2double_rd, double, long long, "rm.f64.s64", "d", "l")
HD_CONVERT(__double2ull_rd, unsigned long long, double, "rmi.u64.f64", "l", "d")
HD_CONVERT(__ull2double_rd, double, unsigned long long, "rm.f64.u64", "d", "l")
HD_CONVERT(__double2float_rd, float, double, "rm.f32.f64", "f", "d")
HD_CONVERT(__float2int_ru, int, float, "rpi.s32.f32", "r", "f")
HD_CONVERT(__int2float_ru, float, int, "rp.f32.s32", "f", "r")
HD_CONVERT(__float2uint_ru, unsigned int, float, "rpi.u32.f32", "r", "f")
HD_CONVERT(__uint2float_ru, float, unsigned int, "rp.f32.u32", "f", "r")
HD_CONVERT(__float2ll_ru, long long, float, "rpi.s64.f32", "l", "f")
HD_CONVERT(__ll2float_ru, float, long long, "rp.f32.s64", "f", "l")
HD_CONVERT(__float2ull_ru, unsigned long long, float, "rpi.u64.f32", "l", "f")
HD_CONVERT(__ull2float_ru, float, unsigned long long, "rp.f32.u64", "f", "l")
HD_CONVERT(__double2int_ru, int, double, "rpi.s32.f64", "r", "d")
HD_CONVERT(__double2uint_ru, unsigned int, double, "rpi.u32.f64", "r", "d")
HD_CONVERT(__double2ll_ru, long long, double, "rpi.s64.f64", "l", "d")
HD_CONVERT(__ll2double_ru, double, long long, "rp.f64.s64", "d", "l")
HD_CONVERT(__double2ull_ru, unsigned long long, double, "rpi.u64.f64", "l", "d")
HD_CONVERT(__ull2double_ru, double, unsigned long long, "rp.f64.u64", "d", "l")
HD_CONVERT(__double2float_ru, float, double, "rp.f32.f64", "f", "d")
#undef HD_CONVERT

// ---- Arithmetic with a rounding mode ------------------------------------------------------------

#define HD_TWO(name, T, what, c)                                                                   \
    HD_DEVICE T name(T a, T b)                                                                     \
    {                                                                                              \
        T r;                                                                                       \
        asm(what " %0, %1, %2;" : "=" c(r) : c(a), c(b));                                          \
        return r;                                                                                  \
    }
#define HD_ONE(name, T, what, c)                                                                   \
    HD_DEVICE T name(T a)                                                                          \
    {                                                                                              \
        T r;                                                                                       \
        asm(what " %0, %1;" : "=" c(r) : c(a));                                                    \
        return r;                                                                                  \
    }
#define HD_THREE(name, T, what, c)                                                                 \
    HD_DEVICE T name(T a, T b, T d)                                                                \
    {                                                                                              \
        T r;                                                                                       \
        asm(what " %0, %1, %2, %3;" : "=" c(r) : c(a), c(b), c(d));                                \
        return r;                                                                                  \
    }
HD_TWO(__fadd_rn, float, "add.rn.f32", "f")
HD_TWO(__fsub_rn, float, "sub.rn.f32", "f")
HD_TWO(__fmul_rn, float, "mul.rn.f32", "f")
HD_TWO(__fdiv_rn, float, "div.rn.f32", "f")
HD_ONE(__fsqrt_rn, float, "sqrt.rn.f32", "f")
HD_ONE(__frcp_rn, float, "rcp.rn.f32", "f")
HD_TWO(__dadd_rn, double, "add.rn.f64", "d")
HD_TWO(__dsub_rn, double, "sub.rn.f64", "d")
HD_TWO(__dmul_rn, double, "mul.rn.f64", "d")
HD_TWO(__ddiv_rn, double, "div.rn.f64", "d")
HD_ONE(__dsqrt_rn, double, "sqrt.rn.f64", "d")
HD_ONE(__drcp_rn, double, "rcp.rn.f64", "d")
HD_THREE(__fmaf_rn, float, "fma.rn.f32", "f")
HD_THREE(__fma_rn, double, "fma.rn.f64", "d")
HD_TWO(__fadd_rz, float, "add.rz.f32", "f")
HD_TWO(__fsub_rz, float, "sub.rz.f32", "f")
HD_TWO(__fmul_rz, float, "mul.rz.f32", "f")
HD_TWO(__fdiv_rz, float, "div.rz.f32", "f")
HD_ONE(__fsqrt_rz, float, "sqrt.rz.f32", "f")
HD_ONE(__frcp_rz, float, "rcp.rz.f32", "f")
HD_TWO(__dadd_rz, double, "add.rz.f64", "d")
HD_TWO(__dsub_rz, double, "sub.rz.f64", "d")
HD_TWO(__dmul_rz, double, "mul.rz.f64", "d")
HD_TWO(__ddiv_rz, double, "div.rz.f64", "d")
HD_ONE(__dsqrt_rz, double, "sqrt.rz.f64", "d")
HD_ONE(__drcp_rz, double, "rcp.rz.f64", "d")
HD_THREE(__fmaf_rz, float, "fma.rz.f32", "f")
HD_THREE(__fma_rz, double, "fma.rz.f64", "d")
HD_TWO(__fadd_rd, float, "add.rm.f32", "f")
HD_TWO(__fsub_rd, float, "sub.rm.f32", "f")
HD_TWO(__fmul_rd, float, "mul.rm.f32", "f")
HD_TWO(__fdiv_rd, float, "div.rm.f32", "f")
HD_ONE(__fsqrt_rd, float, "sqrt.rm.f32", "f")
HD_ONE(__frcp_rd, float, "rcp.rm.f32", "f")
HD_TWO(__dadd_rd, double, "add.rm.f64", "d")
HD_TWO(__dsub_rd, double, "sub.rm.f64", "d")
HD_TWO(__dmul_rd, double, "mul.rm.f64", "d")
HD_TWO(__ddiv_rd, double, "div.rm.f64", "d")
HD_ONE(__dsqrt_rd, double, "sqrt.rm.f64", "d")
HD_ONE(__drcp_rd, double, "rcp.rm.f64", "d")
HD_THREE(__fmaf_rd, float, "fma.rm.f32", "f")
HD_THREE(__fma_rd, double, "fma.rm.f64", "d")
HD_TWO(__fadd_ru, float, "add.rp.f32", "f")
HD_TWO(__fsub_ru, float, "sub.rp.f32", "f")
HD_TWO(__fmul_ru, float, "mul.rp.f32", "f")
HD_TWO(__fdiv_ru, float, "div.rp.f32", "f")
HD_ONE(__fsqrt_ru, float, "sqrt.rp.f32", "f")
HD_ONE(__frcp_ru, float, "rcp.rp.f32", "f")
HD_TWO(__dadd_ru, double, "add.rp.f64", "d")
HD_TWO(__dsub_ru, double, "sub.rp.f64", "d")
HD_TWO(__dmul_ru, double, "mul.rp.f64", "d")
HD_TWO(__ddiv_ru, double, "div.rp.f64", "d")
HD_ONE(__dsqrt_ru, double, "sqrt.rp.f64", "d")
HD_ONE(__drcp_ru, double, "rcp.rp.f64", "d")
HD_THREE(__fmaf_ru, float, "fma.rp.f32", "f")
HD_THREE(__fma_ru, double, "fma.rp.f64", "d")
#undef HD_TWO
#undef HD_ONE
#undef HD_THREE
HD_DEVICE float __saturatef(float x)
{
    float r;
    asm("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
