// SPDX-License-Identifier: Apache-2.0
// Dense matrices: hd_matmul, products; hd_triangular_inverse and hd_inverse.
#ifndef HEDDLE_DENSE_H
#define HEDDLE_DENSE_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// A matrix is a view of two dimensions, rows and columns, with any strides (a transposed one has
// them exchanged), of f32 or f64.

// The order of the additions in a product.
typedef enum hd_matmul_method {
    HD_MATMUL_CHAIN = 0, // fma(a[i][k], b[k][j], sum) for k = 0, 1, ..., from +0 on
    HD_MATMUL_TREE       // the one tree over the products, each rounded: hd_reduce with HD_DOT
} hd_matmul_method;

typedef struct hd_matmul_options {
    size_t size;    // sizeof(hd_matmul_options), or 0: its size in version 0.1
    int32_t method; // hd_matmul_method
    bool add;       // to what out holds: the chain begins with it
    bool negate;    // the product is subtracted, not added: fma(-a, b, sum)
    bool reserved_flags[2];
} hd_matmul_options;

// out[i][j] = the sum over k of a[i][k] * b[k][j]. With more than two dimensions, the same in all
// three views, the last two are the matrices and the ones before them count them.
//
//   Method      chain: on the cores, tiles of out in registers over packed rows and columns;
//               elsewhere a rank-three update by hd_map a step. Work 2 m n k, steps k. Tree: a
//               reduction along k of all products; steps 1 + log2 k. By tree, .add and .negate are
//               not taken.
//   Aliasing    out may overlap neither a nor b.
//   Exactness   the order of HD_MATMUL_CHAIN or HD_MATMUL_TREE, as stated, for every element: the
//               same bits on every backend, instruction set and number of threads. The error of a
//               chain is at most k roundings of the sum of magnitudes, of a tree 1 + log2 k.
//   Cost        chain: a and b are copied once; on a device reads and writes out k / 3 times. Tree:
//               2 reads a product.
//   Returns     HD_ERROR_SHAPE where the sizes do not fit, HD_ERROR_TYPE for other types than f32
//               or f64 or different ones, and the usual ones.
HD_API HD__CHECKED hd_status hd_matmul(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                       const hd_matmul_options *options);

// How an inverse is found.
typedef enum hd_inverse_method {
    HD_INVERSE_BLOCKED = 0, // for use
    HD_INVERSE_LOG          // in O(log^2 n) steps, for teaching
} hd_inverse_method;

typedef struct hd_triangular_inverse_options {
    size_t size;         // sizeof(hd_triangular_inverse_options), or 0: its size in version 0.1
    int32_t method;      // hd_inverse_method
    bool upper_triangle; // default: the lower one
    bool unit;           // ones on the diagonal, whatever is there
    bool reserved_flags[2];
    const hd_view *steps;    // one i64, receives the parallel steps
    const hd_view *residual; // one f64, receives the greatest |element| of identity - in * out
} hd_triangular_inverse_options;

// out = the inverse of a triangular matrix; the other triangle of in is not looked at, that of out
// is +0.
//
//   Method      halves: the inverse of (A 0; C B) is (A' 0; -B'CA' B') with A' and B' the inverses
//               of A and B. All pairs of blocks of 1, 2, 4, ... rows are put together at the same
//               time (Heller 1978, "A survey of parallel algorithms in numerical linear algebra").
//               Both methods do the same products, HD_INVERSE_LOG by trees, so that a product of
//               depth k takes 1 + ceil(log2 k) steps, HD_INVERSE_BLOCKED by chains: k. Work n^3/3
//               products; steps by trees (1 + ceil(log2 n))^2, or less where n is no power of two.
//   Aliasing    out may be in itself; any other overlap is an error.
//   Exactness   the same bits on every backend.
//   Cost        as hd_matmul; two matrices of scratch, three with .residual.
//   Returns     HD_ERROR_VALUE for a zero on the diagonal (the text names it), HD_ERROR_SHAPE for a
//               matrix that is not square, HD_ERROR_TYPE as hd_matmul.
HD_API HD__CHECKED hd_status hd_triangular_inverse(hd_context *ctx, hd_view in, hd_view out,
                                                   const hd_triangular_inverse_options *options);

// The most rows that hd_inverse takes by HD_INVERSE_LOG.
#define HD_INVERSE_LOG_MAX 64

typedef struct hd_inverse_options {
    size_t size;    // sizeof(hd_inverse_options), or 0: its size in version 0.1
    int32_t method; // hd_inverse_method
    int32_t reserved_32;
    const hd_view *steps;    // one i64, receives the parallel steps; of HD_INVERSE_LOG
    const hd_view *residual; // one f64, receives the greatest |element| of identity - in * out
} hd_inverse_options;

// out = the inverse of a square matrix.
//
//   Method      HD_INVERSE_BLOCKED: Gauss-Jordan elimination with partial pivoting in panels of 64
//               columns, each applied to the others by one product (Quintana-Orti and others 2001,
//               "A note on parallel matrix inversion"). Work 2 n^3, steps O(n).
//               HD_INVERSE_LOG: Csanky 1976, "Fast parallel matrix inversion algorithms": the
//               powers of the matrix by doubling, their traces, Newton's identities as a triangular
//               system, and the theorem of Cayley and Hamilton. Work O(n^4), steps at most
//               2 L^2 + 6 L + 5 with L = ceil(log2 n). It loses digits fast as n grows: look at the
//               residual.
//   Aliasing    out may overlap in as it likes.
//   Exactness   the same bits on every backend.
//   Cost        blocked: for each column a few passes over a panel, for each eight on the cores,
//               and it waits for a device; two matrices of scratch, three with .residual. By
//               Csanky's n + 2 matrices.
//   Returns     HD_ERROR_VALUE for a matrix that is singular (a column without a pivot but zeros;
//               the text names it) or not finite, HD_ERROR_SHAPE for one that is not square, or
//               has more than HD_INVERSE_LOG_MAX rows for that method, HD_ERROR_TYPE as hd_matmul.
HD_API HD__CHECKED hd_status hd_inverse(hd_context *ctx, hd_view in, hd_view out,
                                        const hd_inverse_options *options);

#ifdef __cplusplus
}
#endif

#endif
