// SPDX-License-Identifier: Apache-2.0
// arch: sm_90
//
// Numbers of 8, 16 and 19 bits: one row of small.def after another, out[row * n + t]. And functions
// that are approximate, which the host compares with a tolerance.
typedef unsigned u32;

#define ASM(name, type, arguments, text, ...)                                                      \
    __device__ inline type name arguments                                                          \
    {                                                                                              \
        u32 d;                                                                                     \
        asm(text : "=r"(d) : __VA_ARGS__);                                                         \
        return d;                                                                                  \
    }
#define ONE(name, text)   ASM(name, u32, (u32 a), text " %0, %1;", "r"(a))
#define TWO(name, text)   ASM(name, u32, (u32 a, u32 b), text " %0, %1, %2;", "r"(a), "r"(b))
#define THREE(name, text) ASM(name, u32, (u32 a, u32 b, u32 c), text " %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
#define FLOATS(name, text) ASM(name, u32, (float f, float g), text " %0, %1, %2;", "f"(f), "f"(g))
THREE(fma_f16x2, "fma.rn.f16x2")
THREE(fma_bf16x2, "fma.rn.bf16x2")
THREE(fma_relu, "fma.rn.relu.f16x2")
TWO(add_bf16x2, "add.rn.bf16x2")
TWO(mul_bf16x2, "mul.rn.bf16x2")
TWO(sub_sat, "sub.rn.sat.f16x2")
TWO(min_f16x2, "min.f16x2")
TWO(max_nan, "max.NaN.bf16x2")
TWO(min_sign, "min.xorsign.abs.f16x2")
ONE(neg_bf16x2, "neg.bf16x2")
TWO(add_ftz, "add.ftz.f16x2")
TWO(set_gt, "set.gt.f16x2.f16x2")
TWO(set_gt_bits, "set.gt.u32.bf16x2")
FLOATS(pack_f16x2, "cvt.rn.f16x2.f32")
FLOATS(pack_relu, "cvt.rn.relu.bf16x2.f32")
ASM(tf32_away, u32, (float f), "cvt.rna.tf32.f32 %0, %1;", "f"(f))
#define EIGHTS(name, text) ASM(name, u32, (float f, float g), "{ .reg .b16 t; " text " t, %1, %2; cvt.u32.u16 %0, t; }", "f"(f), "f"(g))
EIGHTS(e4m3, "cvt.rn.satfinite.e4m3x2.f32")
EIGHTS(e5m2, "cvt.rn.satfinite.e5m2x2.f32")
ASM(of_e4m3, u32, (u32 a), "{ .reg .b16 t; cvt.u16.u32 t, %1; cvt.rn.f16x2.e4m3x2 %0, t; }", "r"(a))
ASM(of_e5m2, u32, (u32 a), "{ .reg .b16 t; cvt.u16.u32 t, %1; cvt.rn.f16x2.e5m2x2 %0, t; }", "r"(a))
#define OF_FLOATS(name, text) ASM(name, u32, (float f, float g), "{ .reg .f32 t; " text " t, %1, %2; mov.b32 %0, t; }", "f"(f), "f"(g))
OF_FLOATS(min_nan, "min.NaN.f32")
OF_FLOATS(max_sign, "max.xorsign.abs.f32")
TWO(min_u16x2, "min.u16x2")
TWO(max_s16x2, "max.s16x2")
TWO(add_u16x2, "add.u16x2")
TWO(relu_s16x2, "max.s16x2.relu")
TWO(relu_s32, "max.s32.relu")

extern "C" __global__ void small(const u32 *in, u32 *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const u32 a = in[3 * t], b = in[3 * t + 1], c = in[3 * t + 2];
    const float f = __uint_as_float(a), g = __uint_as_float(b);
    int row = 0;
#define ROW(name, kind, device, host) out[row++ * n + t] = (device);
#include "small.def"
#undef ROW
}

#define NEAR(name, text)                                                                           \
    __device__ inline float name(float f)                                                          \
    {                                                                                              \
        float d;                                                                                   \
        asm(text " %0, %1;" : "=f"(d) : "f"(f));                                                   \
        return d;                                                                                  \
    }
NEAR(ex2, "ex2.approx.f32")
NEAR(lg2, "lg2.approx.f32")
NEAR(sine, "sin.approx.f32")
NEAR(cosine, "cos.approx.f32")
NEAR(tangent, "tanh.approx.f32")
NEAR(root, "sqrt.approx.f32")
NEAR(inverse_root, "rsqrt.approx.f32")
NEAR(inverse, "rcp.approx.ftz.f32")

extern "C" __global__ void near(const float *in, float *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const float f = in[t];
    out[t] = ex2(f), out[n + t] = lg2(f), out[2 * n + t] = sine(f), out[3 * n + t] = cosine(f);
    out[4 * n + t] = tangent(f), out[5 * n + t] = root(f), out[6 * n + t] = inverse_root(f);
    out[7 * n + t] = inverse(f), out[8 * n + t] = __fdividef(f, 3), out[9 * n + t] = expf(f);
    out[10 * n + t] = (float)pow((double)f, 1.5), out[11 * n + t] = erff(f);
}
