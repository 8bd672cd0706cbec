// SPDX-License-Identifier: Apache-2.0
//
// Numbers from one type to another, with the bits of src/core/convert.c. emit_kernel.c writes the
// calls.
#pragma once

HK_FN float hk_float_of_bits(uint32_t bits)
{
    union {
        uint32_t u;
        float f;
    } x;
    x.u = bits;
    return x.f;
}

HK_FN uint32_t hk_bits_of_float(float f)
{
    union {
        float f;
        uint32_t u;
    } x;
    x.f = f;
    return x.u;
}

// Named as core/operators/sum_outputs.h calls it.
HK_FN double hd_double_of_bits(uint64_t bits)
{
    union {
        uint64_t u;
        double f;
    } x;
    x.u = bits;
    return x.f;
}

HK_FN float hk_f16_to_f32(uint16_t h)
{
    const uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
    const uint32_t special = magnitude >= 0x0f800000u ? 0x70000000u : 0;
    const float finite = hk_float_of_bits(magnitude) * hk_float_of_bits(0x77800000u); // 2^112
    const uint32_t bits = special ? (magnitude | 0x70000000u) : hk_bits_of_float(finite);
    return hk_float_of_bits(bits | (uint32_t)(h & 0x8000) << 16);
}

HK_FN uint16_t hk_f32_to_f16(float x)
{
    const uint32_t bits = hk_bits_of_float(x), magnitude = bits & 0x7fffffffu;
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (magnitude > 0x7f800000u) return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 0x477ff000u) return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000u) {
        const float shifted = hk_float_of_bits(magnitude) + 0.5f;
        return (uint16_t)(sign | (hk_bits_of_float(shifted) - 0x3f000000u));
    }
    const uint32_t odd = magnitude >> 13 & 1;
    return (uint16_t)(sign | (magnitude - 0x38000000u + 0xfffu + odd) >> 13);
}

HK_FN float hk_bf16_to_f32(uint16_t b)
{
    return hk_float_of_bits((uint32_t)b << 16);
}

HK_FN uint16_t hk_f32_to_bf16(float x)
{
    const uint32_t bits = hk_bits_of_float(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

HK_FN float hk_round_to_odd(double x)
{
    const float near = (float)x;
    if (x != x || (double)near == x) return near;
    uint32_t bits = hk_bits_of_float(near);
    const double magnitude = x < 0 ? -x : x;
    if ((double)hk_float_of_bits(bits & 0x7fffffffu) > magnitude) bits--;
    return hk_float_of_bits(bits | 1);
}

HK_FN uint16_t hk_u64_to_bf16(uint64_t magnitude, bool negative)
{
    if (magnitude >> 53 != 0)
        magnitude = (magnitude & ~(uint64_t)0xfff) | (magnitude & 0xfff ? 0x800 : 0);
    const double value = (double)magnitude;
    return hk_f32_to_bf16(hk_round_to_odd(negative ? -value : value));
}

HK_FN uint16_t hk_i64_to_bf16(int64_t x)
{
    return hk_u64_to_bf16(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, x < 0);
}

// Towards zero, within least .. most; NaN is 0. `above` is the first double that is too large.
HK_FN int64_t hk_f64_to_signed(double x, int64_t least, int64_t most, double above)
{
    return x != x ? 0 : x <= (double)least ? least : x >= above ? most : (int64_t)x;
}

HK_FN uint64_t hk_f64_to_unsigned(double x, uint64_t most, double above)
{
    return x != x ? 0 : x <= 0 ? 0 : x >= above ? most : (uint64_t)x;
}
