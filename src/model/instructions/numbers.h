// SPDX-License-Identifier: Apache-2.0
//
// Numbers as bits: what the instructions and the conversions share.
#ifndef HEDDLE_MODEL_INSTRUCTIONS_NUMBERS_H
#define HEDDLE_MODEL_INSTRUCTIONS_NUMBERS_H

#include "core/convert.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float f32_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t bits_of_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double f64_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bits_of_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#endif
