// SPDX-License-Identifier: Apache-2.0
//
// One row of floats.def after another, over arrays of inputs: out[row * n + t] has the bits.
typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef float f32;
typedef double f64;

__device__ inline u64 pack(u32 v) { return v; }
__device__ inline u64 pack(u64 v) { return v; }
__device__ inline u64 pack(f32 v) { return __float_as_uint(v); }
__device__ inline u64 pack(f64 v) { return (u64)__double_as_longlong(v); }

__device__ inline u32 half_of(f32 f)
{
    u32 d;
    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h; }" : "=r"(d) : "f"(f));
    return d;
}
__device__ inline f32 of_half(u32 a)
{
    f32 d;
    asm("{ .reg .b16 h; cvt.u16.u32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(d) : "r"(a));
    return d;
}
__device__ inline u32 half_add(u32 a, u32 b)
{
    u32 d;
    asm("{ .reg .b16 h, g; cvt.u16.u32 h, %1; cvt.u16.u32 g, %2; add.rn.f16 h, h, g; cvt.u32.u16 %0, h; }"
        : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ inline u32 half_mul(u32 a, u32 b)
{
    u32 d;
    asm("{ .reg .b16 h, g; cvt.u16.u32 h, %1; cvt.u16.u32 g, %2; mul.rn.f16 h, h, g; cvt.u32.u16 %0, h; }"
        : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ inline u32 half_pair(u32 a, u32 b)
{
    u32 d;
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}

extern "C" __global__ void floats(const u64 *in, u64 *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const u64 x = in[6 * t];
    const s32 i = (s32)x;
    const f32 f = __uint_as_float((u32)in[6 * t]), g = __uint_as_float((u32)in[6 * t + 1]),
              h = __uint_as_float((u32)in[6 * t + 2]);
    const f64 d = __longlong_as_double((s64)in[6 * t + 3]),
              e = __longlong_as_double((s64)in[6 * t + 4]),
              k = __longlong_as_double((s64)in[6 * t + 5]);
    int row = 0;
#define ROW(name, type, device, host) out[row++ * n + t] = pack((type)(device));
#include "floats.def"
#undef ROW
}
