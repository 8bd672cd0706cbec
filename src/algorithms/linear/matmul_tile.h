// SPDX-License-Identifier: Apache-2.0
// The inner loop of a dense product on the cores, for the instruction set of this machine. All of
// them multiply and add with one rounding, in the order of k, so they have the same bits.
#ifndef HEDDLE_ALGORITHMS_LINEAR_MATMUL_TILE_H
#define HEDDLE_ALGORITHMS_LINEAR_MATMUL_TILE_H

#include <stdint.h>

// A tile has as many bytes as an element of the library's may have.
enum { TILE_WIDTH = 16, TILE_HEIGHT_F32 = 16, TILE_HEIGHT_F64 = 8 };

typedef struct hd__tile_f32 {
    float c[TILE_HEIGHT_F32 * TILE_WIDTH];
} hd__tile_f32;
typedef struct hd__tile_f64 {
    double c[TILE_HEIGHT_F64 * TILE_WIDTH];
} hd__tile_f64;

// c += a b: a has `depth` columns of a tile's height, b `depth` rows of its width.
typedef void hd__tile_add_f32(const float *a, const float *b, int64_t depth, float *c);
typedef void hd__tile_add_f64(const double *a, const double *b, int64_t depth, double *c);
hd__tile_add_f32 *hd__tile_best_f32(void);
hd__tile_add_f64 *hd__tile_best_f64(void);

#endif
