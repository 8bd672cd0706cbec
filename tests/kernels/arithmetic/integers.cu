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

#define PRMT(mode)                                                                                 \
    ASM(prmt_##mode, u32, (u32 a, u32 b, u32 c), "prmt.b32." #mode " %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
PRMT(f4e) PRMT(b4e) PRMT(rc8) PRMT(ecl) PRMT(ecr) PRMT(rc16)
ASM(product_hi, u64, (u64 x, u64 y), "{ .reg .u32 a, b, c, d, p, q, r, s; mov.b64 {a, b}, %1; mov.b64 {c, d}, %2; mul.hi.u32 p, a, c; mad.lo.cc.u32 p, a, d, p; madc.hi.u32 q, a, d, 0; mad.lo.cc.u32 p, b, c, p; madc.hi.cc.u32 q, b, c, q; addc.u32 s, 0, 0; mad.lo.cc.u32 q, b, d, q; madc.hi.u32 s, b, d, s; mov.b64 %0, {q, s}; }", "=l", "l"(x), "l"(y))
ASM(sum_hi, u64, (u64 x, u64 y, u64 z), "{ .reg .u64 t; mad.lo.cc.u64 t, %1, %2, %3; madc.hi.u64 %0, %1, %2, 0; }", "=l", "l"(x), "l"(y), "l"(z))
ASM(sum_hi_s, s64, (s64 x, s64 y, u64 z), "{ .reg .s64 t; mad.lo.cc.s64 t, %1, %2, %3; madc.hi.s64 %0, %1, %2, 0; }", "=l", "l"(x), "l"(y), "l"(z))
ASM(sub_wide, u64, (u64 x, u64 y, u64 a, u64 b), "{ .reg .u64 t; sub.cc.u64 t, %1, %2; subc.u64 %0, %3, %4; }", "=l", "l"(x), "l"(y), "l"(a), "l"(b))
ASM(dp2a_lo, s32, (s32 a, s32 b, s32 c), "dp2a.lo.s32.s32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(dp2a_hi, s32, (s32 a, s32 b, s32 c), "dp2a.hi.s32.s32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(mul24_hi, u32, (u32 a, u32 b), "mul24.hi.u32 %0, %1, %2;", "=r", "r"(a), "r"(b))
ASM(fns, u32, (u32 a, u32 b, s32 c), "fns.b32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(lop3_or, u32, (u32 a, u32 b, u32 c, u32 e), "{ .reg .pred p, q; .reg .b32 t, u; and.b32 t, %4, 1; setp.ne.u32 q, t, 0; lop3.or.b32 u|p, %1, %2, %3, 0x80, q; selp.u32 %0, 1, 0, p; }", "=r", "r"(a), "r"(b), "r"(c), "r"(e))
ASM(setp_xor, u32, (s32 a, s32 b, u32 c), "{ .reg .pred p, q, r; .reg .b32 t, u; and.b32 t, %3, 1; setp.ne.u32 r, t, 0; setp.lt.xor.s32 p|q, %1, %2, r; selp.u32 t, 1, 0, p; selp.u32 u, 2, 0, q; add.u32 %0, t, u; }", "=r", "r"(a), "r"(b), "r"(c))
ASM(bfi64, u64, (u64 a, u64 b, u32 c, u32 d0), "bfi.b64 %0, %1, %2, %3, %4;", "=l", "l"(a), "l"(b), "r"(c), "r"(d0))
ASM(set_or, u32, (s32 a, s32 b, u32 c), "{ .reg .pred r; .reg .b32 t; and.b32 t, %3, 1; setp.ne.u32 r, t, 0; set.lt.or.u32.s32 %0, %1, %2, r; }", "=r", "r"(a), "r"(b), "r"(c))
ASM(mad_hi, u32, (u32 a, u32 b, u32 c), "mad.hi.u32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(mad_hi_s, s32, (s32 a, s32 b, s32 c), "mad.hi.s32 %0, %1, %2, %3;", "=r", "r"(a), "r"(b), "r"(c))
ASM(shl16, u32, (u32 a, u32 b), "{ .reg .b16 t; cvt.u16.u32 t, %1; shl.b16 t, t, %2; cvt.u32.u16 %0, t; }", "=r", "r"(a), "r"(b))
ASM(abs16, u32, (u32 a), "{ .reg .s16 t; cvt.u16.u32 t, %1; abs.s16 t, t; cvt.u32.u16 %0, t; }", "=r", "r"(a))

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
