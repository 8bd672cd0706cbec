// SPDX-License-Identifier: Apache-2.0
//
// Inputs by formula. Integer arithmetic makes the bits of every element, so that each machine has
// the same ones; the head of archive.txt says how.
#ifndef HEDDLE_BITS_VALUES_H
#define HEDDLE_BITS_VALUES_H

#include <heddle.h>
#include <string.h>

typedef enum bits_values {
    BITS_ORDINARY, // floats: full mantissas in 2^-8 .. 1, both signs; integers: their whole range
    BITS_WIDE,     // floats: exponents from the subnormals to the square root of the greatest or so
    BITS_SPECIAL,  // ordinary ones, one in 32 of them NaN, infinite, zero, least, greatest
    BITS_CANCEL,   // element i + 8 is nearly -(element i)
    BITS_UNITS,    // 1/2 .. 2: products stay finite; integers: odd
    BITS_TIES,     // seven different values, both zeros among them; integers: -3 .. 3 or 0 .. 6
    BITS_TINY,     // zeros and subnormals
    BITS_OFFSET,   // near to each other and far from zero
    BITS_POSITIVE, // as ordinary, without signs
    BITS_VALUES_COUNT
} bits_values;

const char *bits_values_name(bits_values values);

// The numbers of splitmix64 that hd_shuffle uses, too: number i of array a.
uint64_t bits_random(int64_t array, int64_t i);

// n elements of array `array` of a case (1 is its first input, 2 its next, ...).
void bits_fill(hd_type type, bits_values values, int64_t array, int64_t n, void *out);

bool bits_is_float(hd_type type);

// What makes an element count: a float whose magnitude is above `infinite` is NaN.
typedef struct bits_form {
    size_t size;
    uint64_t magnitude, infinite; // of floats: the bits but the sign, those of infinity
    uint64_t nan;                 // all ones
} bits_form;
bits_form bits_form_of(hd_type type);

// An element as a whole number of its size, every NaN as all ones.
static inline uint64_t bits_of(const bits_form *form, const void *at)
{
    uint64_t bits = 0;
    switch (form->size) {
    case 1: memcpy(&bits, at, 1); break;
    case 2: memcpy(&bits, at, 2); break;
    case 4: memcpy(&bits, at, 4); break;
    default: memcpy(&bits, at, 8); break;
    }
    return (bits & form->magnitude) > form->infinite ? form->nan : bits;
}

#endif
