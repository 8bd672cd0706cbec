// SPDX-License-Identifier: Apache-2.0
// hd_tridiagonal: systems of equations with three diagonals.
#ifndef HEDDLE_ALGORITHMS_TRIDIAGONAL_H
#define HEDDLE_ALGORITHMS_TRIDIAGONAL_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// Most refinements.
#define HD_MAX_REFINEMENTS 16

typedef struct hd_tridiagonal_options {
    size_t size;             // sizeof(hd_tridiagonal_options), or 0: its size in version 0.1
    int32_t refinements;     // steps of iterative refinement; 0 to HD_MAX_REFINEMENTS
    uint32_t reserved_32;    // zero
    const hd_view *residual; // receives right - A out, in out's shape (f32 or f64)
} hd_tridiagonal_options;

// Solves lower[i] x[i - 1] + diagonal[i] x[i] + upper[i] x[i + 1] = right[i] for i = 0 .. n - 1,
// out being x. All five are of one shape; with more than one dimension every row along the last
// axis is a system of its own: one large system, or many small ones. lower[0] and upper[n - 1] are
// not used.
//
//   Method      a partition method with pivoting. Rows are cut into blocks of 32 (of 8 where n is
//               at most 8). (1) In every block the unknowns but its first and last one are
//               eliminated with partial pivoting, among the three rows that have one: two equations
//               stay, of the block's first and last unknown and their outer neighbours (a map; Wang
//               1981). (2) Two neighbours' four equations become two again, where the two unknowns
//               between them are eliminated with pivoting: an associative operator, whose scan from
//               each end gives at every border one equation of the two unknowns there from the left
//               and one from the right (products of transfer matrices, Stone 1973, without dividing
//               by what may be zero). (3) The two are solved, and every block finds its unknowns
//               between known ones (a map). Elimination takes place in columns that are whole
//               within the rows at hand, so a pivot of 0 is only met where the matrix is singular:
//               blocks on the diagonal may well be (SPIKE needs them not to be). No product grows
//               with n: equations keep the scale of the system's. Work O(n), steps O(log n).
//   Aliasing    out may be right itself (same address, type and strides), then not with residual or
//               refinements. Any other overlap of an output is an error.
//   Exactness   f32 where all five are f32, else f64. The same bits on every backend. With
//               kappa = |A| |inverse of A| (norms of row sums), |out - exact| is at most
//               64 (log2 n + 8) u kappa max |x|, as long as elimination makes no coefficient larger
//               than 8 times those of the system; it makes none larger than twice them where a
//               diagonal dominates. The residual may be as large as |A| times that; refined once or
//               twice it is a few roundings of |A| |x| + |right|.
//   Cost        reads the four arrays twice and writes out once, about 60 flops an unknown; each
//               refinement as much again. Other layouts than a row, types than the computation's,
//               and rows of many systems that are no multiple of the block are copied first. The
//               cores solve systems of up to 1,024 unknowns side by side, while in the cache,
//               without copies and scratch.
//   Returns     HD_ERROR_VALUE where a system is singular (a pivot is exactly 0; the text says
//               which system); out is unspecified then. A system that is nearly singular is solved,
//               with the error above. HD_ERROR_TYPE where an array is not f32 or f64;
//               HD_ERROR_SHAPE, and the usual ones.
HD_API HD__CHECKED hd_status hd_tridiagonal(hd_context *ctx, hd_view lower, hd_view diagonal,
                                            hd_view upper, hd_view right, hd_view out,
                                            const hd_tridiagonal_options *options);

#ifdef __cplusplus
}
#endif

#endif
