// SPDX-License-Identifier: Apache-2.0
// The functions and the operator of recurrences whose coefficients differ from element to element,
// for a type and an order: a row of recurrence_kernels.c. recurrence.c calls them.
#ifndef HEDDLE_ALGORITHMS_SIMD_RECURRENCE_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_RECURRENCE_KERNELS_H

#include "algorithms/support/isa.h"

enum { HD__RECURRENCE_BLOCK = 16 }; // elements of a block

typedef struct hd__recurrence_kernels {
    hd_type block, coefficients, state, node;
    int order;
    const hd_function *joined;  // (block, coefficients) -> the block as a map of states
    const hd_operator *compose; // of maps of states
    const hd_function *inner;   // (block, coefficients, map before it, first state) -> block
    const hd_function *after;   // (map before, map of the block, first state) -> state after it
    const hd_function *outputs; // (block, coefficients, state) -> block
} hd__recurrence_kernels;

// The row of the type and of the least order that is not below.
typedef const hd__recurrence_kernels *hd__recurrence_finder(hd_type real, int order);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__recurrence_finder, hd__recurrence_kernels)

// The same for the instruction set of a context.
static inline const hd__recurrence_kernels *hd__recurrence_kernels_of(const hd_context *ctx,
                                                                      hd_type real, int order)
{
    static hd__recurrence_finder *const find[] = {
        HD_ISAS_OF(HD__ISA_POINT, hd__recurrence_kernels)};
    return find[hd__isa_of(ctx)](real, order);
}
#else
hd__recurrence_finder HD__OF_ISA(hd__recurrence_kernels);
#endif

#endif
