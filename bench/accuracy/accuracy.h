// SPDX-License-Identifier: Apache-2.0
//
// heddle bench --accuracy: how far sums of hard data are from the exact ones, by Heddle's operators
// and by methods that others use. Data come from formulas, so that the table is the same
// everywhere.
#ifndef HEDDLE_BENCH_ACCURACY_ACCURACY_H
#define HEDDLE_BENCH_ACCURACY_ACCURACY_H

#include <heddle.h>
#include <stdio.h>

// Prints the tables. A failure of the library's is returned, its text in the context.
hd_status accuracy_print(FILE *out, hd_context *ctx);

// ---- Data (accuracy_data.c) ---------------------------------------------------------------------

typedef enum accuracy_set {
    ACCURACY_UNIFORM,     // evenly in 0 .. 1
    ACCURACY_TENTHS,      // 0.1 again and again
    ACCURACY_ALTERNATING, // 1/7, -2/7, 3/7, -4/7, ...
    ACCURACY_CANCELLING,  // condition 1e16: numbers, their negatives in another order, and a little
    ACCURACY_FALLING,     // both signs, exponents from 20 down to -20
    ACCURACY_HARMONIC,    // 1, 1/2, 1/3, ...
    ACCURACY_OVERFLOW,    // the greatest number twice, then its negative twice
    ACCURACY_SETS
} accuracy_set;

enum { ACCURACY_MAX = 1000003 };

extern const char *const accuracy_names[ACCURACY_SETS];

// Fills up to ACCURACY_MAX elements; returns how many.
int64_t accuracy_fill_f32(accuracy_set set, float *x);
int64_t accuracy_fill_f64(accuracy_set set, double *x);

// ---- Methods of others (accuracy_sums.c) --------------------------------------------------------

typedef struct accuracy_method {
    const char *name;
    float (*f32)(const float *x, int64_t n);
    double (*f64)(const double *x, int64_t n);
} accuracy_method;

extern const accuracy_method accuracy_methods[]; // ends with a NULL name

#endif
