// SPDX-License-Identifier: Apache-2.0
//
// Sums over neighbours, written a second time and as plainly as possible: borders one step at a
// time, every number a double, one point after another. It shares nothing with the library.
#ifndef HEDDLE_TESTS_SUPPORT_NEIGHBOURS_H
#define HEDDLE_TESTS_SUPPORT_NEIGHBOURS_H

#include <heddle.h>

typedef enum near_sum { NEAR_F32, NEAR_F64, NEAR_WHOLE } near_sum;

// batches of (z, y, x, channel), row-major.
typedef struct near_grid {
    int64_t batches, n[4];
    hd_border border;
    double beyond;
} near_grid;

int64_t near_count(const near_grid *g);

// Element (b, z, y, x, c), wherever it lies.
double near_fetch(const near_grid *g, const double *values, int64_t b, const int64_t at[4]);

// out[p] = sum of weight[t] * in[p + offset[t]], fused, from the first product on; whole numbers
// are summed as such. offset: z, y, x.
void near_weighted(const near_grid *g, near_sum sum, const double *in, int64_t count,
                   const int64_t (*offset)[3], const double *weight, double *out);

// Elements of a type from and to doubles; whole numbers are rounded to even and clamped.
double near_load(hd_type type, const void *element);
void near_store(hd_type type, void *element, double value);
void near_load_all(hd_type type, const void *elements, double *to, int64_t n);
void near_store_all(hd_type type, void *elements, const double *from, int64_t n);

// Which kind of sum hd_convolve and hd_stencil promise for these types.
near_sum near_sum_of(hd_type in, hd_type weights, hd_type out);

const char *near_border_name(hd_border border);

#endif
