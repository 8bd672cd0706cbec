// SPDX-License-Identifier: Apache-2.0
//
// Numbers without rounding: fixed-point integers so wide that every sum of doubles fits, and
// rounding from them to a float format. No floating-point operation takes part: what is found out
// with them owes nothing to the processor.
#ifndef HEDDLE_BITS_EXACT_H
#define HEDDLE_BITS_EXACT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    EXACT_WORDS = 38, // of 64 bits
    EXACT_POINT =
        1152 // bits after the point: doubles end at 2^-1074, and 53 more for roundings of them
};

// Two's complement, the lowest word first.
typedef struct exact {
    uint64_t word[EXACT_WORDS];
} exact;

void exact_add(exact *x, const exact *y);
void exact_subtract(exact *x, const exact *y);
void exact_scale(exact *x, uint64_t factor); // x times factor, which is below 2^63
bool exact_is_negative(const exact *x);
void exact_absolute(exact *x);
bool exact_is_at_most(const exact *x, const exact *y);

// x plus, or minus, mantissa 2^exponent; and a finite double.
void exact_add_bits(exact *x, bool minus, uint64_t mantissa, int exponent);
void exact_add_double(exact *x, double y);

// A double as (-1)^minus mantissa 2^exponent.
typedef struct exact_parts {
    bool minus;
    uint64_t mantissa;
    int exponent;
} exact_parts;
exact_parts exact_split(double x);

// A float format: bits of its mantissa, exponent of its least number. Formats up to f64 are held in
// doubles.
typedef struct exact_format {
    int precision, least;
} exact_format;

// To nearest, ties to even; +0 for nothing.
double exact_round(const exact *x, exact_format format);

// The operations of IEEE 754, each rounded once; finite numbers, no overflow.
double exact_sum(double a, double b, exact_format format);
double exact_product(double a, double b, exact_format format);
double exact_quotient(double a, uint64_t n, exact_format format);

#endif
