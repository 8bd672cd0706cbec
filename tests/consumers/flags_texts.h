// SPDX-License-Identifier: Apache-2.0
// What flags_texts.c gives to flags.c: its operators, a function and a comparison, compiled with
// the flags of one row of flags.sh.
#ifndef HEDDLE_TESTS_CONSUMERS_FLAGS_TEXTS_H
#define HEDDLE_TESTS_CONSUMERS_FLAGS_TEXTS_H

#include <heddle.h>

typedef struct {
    float re, im;
} complex_number;
typedef struct {
    double w, x, y, z;
} quaternion;
typedef struct {
    float v[16]; // eight complex numbers
} complex_row;

typedef struct {
    const hd_operator *times, *turn, *rows; // of complex_number, quaternion, complex_row
    const hd_operator *either;              // of float
    const hd_function *shift;               // float of float, float, float
    const hd_comparison *nearer;            // of complex_number, or NULL
} texts;

#ifdef __cplusplus
extern "C"
#else
extern
#endif
    const texts TEXTS; // a name for each row

#endif
