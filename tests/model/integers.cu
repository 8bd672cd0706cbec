// SPDX-License-Identifier: Apache-2.0
//
// One row of integers.def after another, over arrays of inputs: out[row * n + t].
typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;

#define ASM(name, type, arguments, text, out, ...)                                                 \
    __device__ inline type name arguments                                                          \
    {                                                                                              \
        type d;                                                                                    \
        asm(text : out(d) : __VA_ARGS__);                                                          \
        return d;                                                                                  \
    }
ASM(cnot, u32, (u32 a), "cnot.b32 %0, %1;", "=r", "r"(a))
ASM(lop3, u32, (u32 a, u32 b, u32 c), "lop3.b32 %0, %1, %2, %3, 0x6f;", "=r", "r"(a), "r"(b), "r"(c))
ASM(shl, u32, (u32 a, u32 b), "shl.b32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(shr, u32, (u32 a, u32 b), "shr.u32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(shr_s, s32, (s32 a, u32 b), "shr.s32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(shl64, u64, (u64 a, u32 b), "shl.b64 %0, %1, %2;", "=l", "l"(a), "r"(b))
ASM(shr64, u64, (u64 a, u32 b), "shr.u64 %0, %1, %2;", "=l", "l"(a), "r"(b))
ASM(shr64_s, s64, (s64 a, u32 b), "shr.s64 %0, %1, %2;", "=l", "l"(a), "r"(b))
ASM(prmt, u32, (u32 a, u32 b, u32 c), "prmt.b32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(bfe, u32, (u32 a, u32 b, u32 c), "bfe.u32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(bfe_s, s32, (s32 a, u32 b, u32 c), "bfe.s32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(bfe64, u64, (u64 a, u32 b, u32 c), "bfe.u64 %0, %1, %2, %3;", "=l", "l"(a), "r"(b), "r"(c))
ASM(bfi, u32, (u32 a, u32 b, u32 c, u32 d0), "bfi.b32 %0, %1, %2, %3, %4;", "=r", "r"(a), "r"(b), "r"(c), "r"(d0))
ASM(bfind, u32, (u32 a), "bfind.u32 %0, %1;", "=r", "r"(a))
ASM(bfind_s, u32, (s32 a), "bfind.s32 %0, %1;", "=r", "r"(a))
ASM(add_sat, s32, (s32 a, s32 b), "add.sat.s32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(sub_sat, s32, (s32 a, s32 b), "sub.sat.s32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(sat_s8, s32, (s32 a), "cvt.sat.s8.s32 %0, %1;", "=r", "r"(a))
ASM(sat_u8, u32, (s32 a), "cvt.sat.u8.s32 %0, %1;", "=r", "r"(a))
ASM(slct, u32, (u32 a, u32 b, s32 c), "slct.u32.s32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(set_lt, u32, (s32 a, s32 b), "set.lt.u32.s32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(szext, s32, (s32 a, u32 b), "szext.wrap.s32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(bmsk, u32, (u32 a, u32 b), "bmsk.wrap.b32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(setp_and, u32, (u32 a, u32 b, u32 c), "{ .reg .pred p, q; .reg .b32 t; and.b32 t, %3, 1; setp.ne.u32 q, t, 0; setp.lt.and.u32 p, %1, %2, q; selp.u32 %0, 1, 0, p; }", "=r", "r"(a), "r"(b), "r"(c))
ASM(add_carry, u64, (u64 a, u64 b), "{ .reg .u32 a, b, c, d, e, f; mov.b64 {a, b}, %1; mov.b64 {c, d}, %2; add.cc.u32 e, a, c; addc.u32 f, b, d; mov.b64 %0, {e, f}; }", "=l", "l"(a), "l"(b))
ASM(sub_borrow, u64, (u64 a, u64 b), "{ .reg .u32 a, b, c, d, e, f; mov.b64 {a, b}, %1; mov.b64 {c, d}, %2; sub.cc.u32 e, a, c; subc.u32 f, b, d; mov.b64 %0, {e, f}; }", "=l", "l"(a), "l"(b))

extern "C" __global__ void integers(const u64 *in, u64 *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const u64 x = in[3 * t], y = in[3 * t + 1], z = in[3 * t + 2];
    const s64 p = (s64)x, q = (s64)y;
    const u32 a = (u32)x, b = (u32)y, c = (u32)z, s = (u32)(z >> 32) % 71;
    const s32 i = (s32)a, j = (s32)b;
    int row = 0;
#define ROW(name, type, device, host) out[row++ * n + t] = (u64)(type)(device);
#include "integers.def"
#undef ROW
}
