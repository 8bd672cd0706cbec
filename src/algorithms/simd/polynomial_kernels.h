// SPDX-License-Identifier: Apache-2.0
// The functions and the operator of polynomials, for a type: a row of polynomial_kernels.c.
// polynomial.c calls them.
#ifndef HEDDLE_ALGORITHMS_SIMD_POLYNOMIAL_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_POLYNOMIAL_KERNELS_H

#include "algorithms/support/isa.h"

enum {
    HD__POLYNOMIAL_TERMS = 120, // coefficients in a state: HD_MAX_STATE
    HD__POLYNOMIAL_BLOCK = 16   // points side by side
};

typedef struct hd__polynomial_kernels {
    hd_type real, block, part;
    size_t state_bytes;
    const hd_function *begin_block, *more_block, *begin, *more; // Horner's rule: points -> values
    const hd_function *part_of, *value_of;                      // of the tree
    const hd_operator *joined;                                  // two ranges of coefficients
    void (*fill)(void *state, const double *c, int64_t count);
} hd__polynomial_kernels;

// The row of the type.
typedef const hd__polynomial_kernels *hd__polynomial_finder(hd_type real);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__polynomial_finder, hd__polynomial_kernels)

// The same for the instruction set of a context.
static inline const hd__polynomial_kernels *hd__polynomial_kernels_of(const hd_context *ctx,
                                                                      hd_type real)
{
    static hd__polynomial_finder *const find[] = {
        HD_ISAS_OF(HD__ISA_POINT, hd__polynomial_kernels)};
    return find[hd__isa_of(ctx)](real);
}
#else
hd__polynomial_finder HD__OF_ISA(hd__polynomial_kernels);
#endif

#endif
