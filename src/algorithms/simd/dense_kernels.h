// SPDX-License-Identifier: Apache-2.0
// Loops of inverses over host memory, for a type: a row of dense_kernels.c. panel_cores.c and
// triangular_inverse.c call them.
#ifndef HEDDLE_ALGORITHMS_SIMD_DENSE_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_DENSE_KERNELS_H

#include "algorithms/support/isa.h"

enum {
    HD__PANEL_STEP = 8,     // columns that are eliminated before the others see any of it
    HD__TRIANGLE_BLOCK = 64 // rows of a triangle that are inverted at once
};

// Columns of a matrix of n rows that Gauss-Jordan elimination goes through; column 0 has its pivot
// on row `diagonal` or below.
typedef struct hd__panel {
    void *x; // n rows of `width` columns, without gaps
    int64_t n, width, diagonal;
    void *step;     // scratch: n rows of HD__PANEL_STEP columns
    void *factor;   // scratch: HD__PANEL_STEP columns of n factors
    void *column;   // scratch: n
    void *row;      // scratch: HD__PANEL_STEP rows of `width`: the pivots', before they are scaled
    int64_t *other; // [c]: the row that row diagonal + c was exchanged with, at its time
    int64_t first, taken; // of the columns of this step, HD__PANEL_STEP or fewer
    double size;          // of the pivot last looked at
} hd__panel;

typedef struct hd__dense_kernels {
    // The columns of a step by themselves, and the rows of their pivots in all columns. Where a
    // pivot is 0 or not finite, `taken` is less and `size` is that pivot's.
    void (*eliminate)(hd__panel *p);
    // Rows begin .. end - 1 of the other columns.
    void (*follow)(const hd__panel *p, int64_t begin, int64_t end);
    // A lower triangle of at most HD__TRIANGLE_BLOCK rows, with inverses on its diagonal, in place,
    // by halves.
    void (*invert_triangle)(void *x, int64_t pitch, int64_t n);
} hd__dense_kernels;

// The row of the type.
typedef const hd__dense_kernels *hd__dense_finder(hd_type real);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__dense_finder, hd__dense_kernels)

// The same for the instruction set of a context.
static inline const hd__dense_kernels *hd__dense_kernels_of(const hd_context *ctx, hd_type real)
{
    static hd__dense_finder *const find[] = {HD_ISAS_OF(HD__ISA_POINT, hd__dense_kernels)};
    return find[hd__isa_of(ctx)](real);
}
#else
hd__dense_finder HD__OF_ISA(hd__dense_kernels);
#endif

#endif
