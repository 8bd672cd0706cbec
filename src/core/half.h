// SPDX-License-Identifier: Apache-2.0
// The two 16-bit floats, f16 and bf16, to and from f32 and f64: rounded once, to nearest even, with
// subnormals, infinities and NaN. The only conversions of these types outside kernels.
#ifndef HEDDLE_CORE_HALF_H
#define HEDDLE_CORE_HALF_H

#include <stdint.h>
#include <string.h>

static inline float hd__float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t hd__bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// Shifting the half's fields into a float's leaves its exponent 112 too small; one exact multiply
// mends that, for subnormals too.
static inline float hd__f16_to_f32(uint16_t h)
{
    const uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
    const uint32_t special = magnitude >= 0x0f800000u ? 0x70000000u : 0; // infinity and NaN
    const float finite = hd__float_of_bits(magnitude) * 0x1p112f;
    const uint32_t bits = special ? (magnitude | 0x70000000u) : hd__bits_of_float(finite);
    return hd__float_of_bits(bits | (uint32_t)(h & 0x8000) << 16);
}

static inline uint16_t hd__f32_to_f16(float x)
{
    const uint32_t bits = hd__bits_of_float(x), magnitude = bits & 0x7fffffffu;
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (magnitude > 0x7f800000u) return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 0x477ff000u) return (uint16_t)(sign | 0x7c00); // rounds to infinity
    if (magnitude < 0x38800000u) { // subnormal: adding one half aligns the last place
        const float shifted = hd__float_of_bits(magnitude) + 0.5f;
        return (uint16_t)(sign | (hd__bits_of_float(shifted) - 0x3f000000u));
    }
    const uint32_t odd = magnitude >> 13 & 1;
    return (uint16_t)(sign | (magnitude - 0x38000000u + 0xfffu + odd) >> 13);
}

// A double as the float next to it towards zero with its last bit set if anything was cut off:
// rounding that to 16 bits is rounding the double, once.
static inline float hd__round_to_odd(double x)
{
    const float near = (float)x;
    if (x != x || (double)near == x) return near;
    uint32_t bits = hd__bits_of_float(near);
    const double magnitude = x < 0 ? -x : x;
    if ((double)hd__float_of_bits(bits & 0x7fffffffu) > magnitude) bits--;
    return hd__float_of_bits(bits | 1);
}

static inline float hd__bf16_to_f32(uint16_t b)
{
    return hd__float_of_bits((uint32_t)b << 16);
}

static inline uint16_t hd__f32_to_bf16(float x)
{
    const uint32_t bits = hd__bits_of_float(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

static inline uint16_t hd__f64_to_f16(double x)
{
    return hd__f32_to_f16(hd__round_to_odd(x));
}

static inline uint16_t hd__f64_to_bf16(double x)
{
    return hd__f32_to_bf16(hd__round_to_odd(x));
}

#endif
