// SPDX-License-Identifier: Apache-2.0
//
// Arguments for the functions of heddle/math.h, made of integers and exact arithmetic alone, so
// that every machine and compiler has the same; and the hash of results. Needs stdint.h.
#ifndef HEDDLE_TESTS_SUPPORT_MATH_ARGUMENTS_H
#define HEDDLE_TESTS_SUPPORT_MATH_ARGUMENTS_H

enum { MATH_ARGUMENTS = 6007 };

static inline uint64_t math_mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline double math_of_bits(uint64_t bits)
{
    union {
        uint64_t u;
        double d;
    } both;
    both.u = bits;
    return both.d;
}

static inline double math_special(uint64_t r)
{
    static const uint64_t bits[] = {
        0x0000000000000000u, 0x3ff0000000000000u, 0x7ff0000000000000u, 0x7ff8000000000000u,
        0x0000000000000001u, 0x000fffffffffffffu, 0x0010000000000000u, 0x7fefffffffffffffu,
        0x3fe0000000000000u, 0x4000000000000000u, 0x4008000000000000u, 0x3feffffffffffffeu,
        0x4086232bdd7abcd2u, 0x4090000000000000u, 0x40934413509f79ffu, 0x4340000000000000u,
        0x3fe62e42fefa39efu, 0x400921fb54442d18u, 0x40f86a0000000000u, 0x3e40000000000000u};
    const uint64_t k = r % (sizeof bits / sizeof *bits);
    return math_of_bits(bits[k] ^ (r >> 32 & 1) << 63);
}

// The k-th argument of a row of them; rows differ.
static inline double math_argument(int k, uint64_t row)
{
    const uint64_t r =
        math_mixed(row * 0x9e3779b97f4a7c15u + (uint64_t)k * 0xd1342543de82ef95u + 1);
    const uint64_t sign = r << 63, m = r >> 12;            // 52 bits
    const double unit = (double)m * 2.220446049250313e-16; // 0 .. 1
    switch (math_mixed(r) % 9) {
    case 0: return math_of_bits(r);
    case 1: return math_special(r);
    case 2: return math_of_bits((1023 + r % 120 - 60) << 52 | m | sign);
    case 3: return math_of_bits(0x3ff0000000000000u + (m >> r % 52)); // from 1 up
    case 4: return math_of_bits(0x3ff0000000000000u - (m >> r % 50) - 1);
    case 5: return (double)(m >> r % 52) * 1.5707963267948966; // near multiples of pi / 2
    case 6: return (unit - 0.5) * 1600.0;
    case 7: return (double)(r >> 8 & 63) * 0.5 - 16.0;
    default: return (unit - 0.5) * 4.0;
    }
}

static inline float math_float_argument(int k, uint64_t row)
{
    union {
        uint32_t u;
        float f;
    } both;
    both.u = (uint32_t)math_mixed(row + (uint64_t)k);
    return k % 4 == 0 ? both.f : (float)math_argument(k, row);
}

// Bits, but for NaN, which is any.
static inline uint64_t math_hash(uint64_t hash, double x)
{
    union {
        uint64_t u;
        double d;
    } both;
    both.d = x;
    return math_mixed(hash * 3 + (x != x ? 1 : both.u));
}

#endif
