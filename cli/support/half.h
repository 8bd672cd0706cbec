// SPDX-License-Identifier: Apache-2.0
//
// The two 16-bit floats as doubles and back, rounded to nearest even, for printing and checking.
#ifndef HEDDLE_CLI_SUPPORT_HALF_H
#define HEDDLE_CLI_SUPPORT_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double half_to_double(uint16_t h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    const double sign = h & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31) return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0) return sign * ldexp(fraction, -24);
    return sign * ldexp(1024 + fraction, exponent - 25);
}

static inline uint16_t half_from_double(double x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x)) return 0x7e00;
    x = fabs(x);
    if (x == 0.0) return sign;
    if (x >= 65520.0) return (uint16_t)(sign | 0x7c00); // half way to the number after the last
    int exponent;
    frexp(x, &exponent); // x is in 2^(exponent - 1) .. 2^exponent
    const int lowest = exponent - 11 < -24 ? -24 : exponent - 11; // the last bit's weight
    const int units = (int)rint(ldexp(x, -lowest));
    // A carry out of the fraction runs into the exponent, as it should.
    return (uint16_t)(sign | (lowest == -24 ? units : ((lowest + 25) << 10) + units - 1024));
}

static inline double brain_to_double(uint16_t b)
{
    const uint32_t bits = (uint32_t)b << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint16_t brain_from_double(double x)
{
    if (isnan(x)) return 0x7fc0;
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
