// SPDX-License-Identifier: Apache-2.0
// The functions and operators of tridiagonal systems, for a type and a size of blocks: a row of
// tridiagonal_kernels.c. tridiagonal.c calls them.
#ifndef HEDDLE_ALGORITHMS_SIMD_TRIDIAGONAL_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_TRIDIAGONAL_KERNELS_H

#include "algorithms/support/isa.h"

// Most blocks of a system that is one of several side by side.
#define HD__TRIDIAGONAL_BLOCKS 32

// Systems of n unknowns in rows one behind the other, of so many blocks each: lower, diagonal,
// upper, right; the unknowns.
typedef struct hd__tridiagonal_rows {
    const void *in[4];
    int64_t n, blocks;
    void *x;
} hd__tridiagonal_rows;

typedef struct hd__tridiagonal_kernels {
    hd_type real, block, pair, border;
    int length;                                // rows of a block
    const hd_function *reduced;                // (lower, diagonal, upper, right) -> two equations
    const hd_operator *compose, *behind;       // two pairs of equations to one; the same backward
    const hd_function *left, *between, *right; // (pairs on either side) -> the unknowns at a border
    const hd_function *unknowns; // (lower, diagonal, upper, right, border, border) -> block
    const hd_function *singular; // (border, its number) -> the number, or the greatest i64
    const hd_function *inner;    // (lower, x, diagonal, x, upper, x, right) -> residual
    const hd_function *ahead;    // (diagonal, x, upper, x, right), or lower in upper's place
    const hd_function *alone;    // (diagonal, x, right)
    const hd_function *sum;      // (x, y)
    // The loops of reduced and unknowns over many blocks at a time, with the same bits.
    void (*reduced_lanes)(void *out, const void *const *in, int64_t n, const void *state);
    void (*unknowns_lanes)(void *out, const void *const *in, int64_t n, const void *state);
    // Systems from .. to - 1 of such rows, all steps at once, with the same bits. Gives the first
    // singular one that it meets, whose unknowns and those behind it are left out, or -1.
    int64_t (*systems)(const hd__tridiagonal_rows *r, int64_t from, int64_t to);
} hd__tridiagonal_kernels;

// The row of the type for systems of n unknowns.
typedef const hd__tridiagonal_kernels *hd__tridiagonal_finder(hd_type real, int64_t n);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__tridiagonal_finder, hd__tridiagonal_kernels)

// The same for the instruction set of a context.
static inline const hd__tridiagonal_kernels *hd__tridiagonal_kernels_of(const hd_context *ctx,
                                                                        hd_type real, int64_t n)
{
    static hd__tridiagonal_finder *const find[] = {
        HD_ISAS_OF(HD__ISA_POINT, hd__tridiagonal_kernels)};
    return find[hd__isa_of(ctx)](real, n);
}
#else
hd__tridiagonal_finder HD__OF_ISA(hd__tridiagonal_kernels);
#endif

#endif
