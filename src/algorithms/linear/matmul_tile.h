// SPDX-License-Identifier: Apache-2.0
// The inner loop of a dense product on the cores, for the instruction set of this machine. All of
// them multiply and add with one rounding, in the order of k, so they have the same bits.
#ifndef HEDDLE_ALGORITHMS_LINEAR_MATMUL_TILE_H
#define HEDDLE_ALGORITHMS_LINEAR_MATMUL_TILE_H

#include <stdbool.h>
#include <stdint.h>

// A tile has 1.5 KiB of either type: what 24 registers of 64 bytes or two times 12 of 32 hold.
enum { TILE_HEIGHT = 8, TILE_WIDTH_F32 = 48, TILE_WIDTH_F64 = 24 };

// c += a b: a has `depth` columns of a tile's height, b `depth` rows of its width; the rows of c
// begin `pitch` elements apart.
typedef void hd__tile_add(const void *a, const void *b, int64_t depth, void *c, int64_t pitch);

// Of f32 or, wide, of f64.
hd__tile_add *hd__tile_best(bool wide);

#endif
