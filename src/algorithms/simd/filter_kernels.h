// SPDX-License-Identifier: Apache-2.0
// The functions and the operator of one filter, for a type and an order: what a table row of
// filter_kernels.c has, and the numbers that its states are filled with. filter_rows.c calls them.
#ifndef HEDDLE_ALGORITHMS_SIMD_FILTER_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_FILTER_KERNELS_H

#include "algorithms/support/isa.h"

enum {
    HD__FILTER_ORDER = 8,  // HD_MAX_FILTER_ORDER, HD_MAX_RECURRENCE_ORDER
    HD__FILTER_BLOCK = 128 // elements of a block
};

// One filter, a[0] = 1; coefficients beyond its order are 0.
typedef struct hd__section {
    int order;
    double b[HD__FILTER_ORDER + 1], a[HD__FILTER_ORDER + 1];
} hd__section;

typedef struct hd__filter_kernels {
    hd_type real, block, state, parts, node;
    int order;
    const hd_function *ends;       // (block) -> the parts' states at their ends, from zeros
    const hd_function *joined;     // (parts) -> the block as a map of states; of matrices
    const hd_operator *compose;    // of maps of states
    const hd_function *outputs;    // (block, parts, map before it, first state) -> block
    const hd_function *after;      // (parts, map before, first state) -> the state after the block
    const hd_function *tail;       // (block, state) -> block, one loop
    const hd_function *tail_after; // (block, state) -> the state after .count elements
    const hd_function *scaled;     // (element) -> a state: that of .zero times the element
    const hd_function *history;    // (last outputs, latest first) -> the state they leave
    // The loops of ends and outputs over a few blocks at a time, with the same bits.
    void (*ends_lanes)(void *out, const void *const *in, int64_t n, const void *state);
    void (*outputs_lanes)(void *out, const void *const *in, int64_t n, const void *state);
    // The bytes of what they read: coefficients, with the number of elements of the tail and the
    // state for an element of 1; the matrices of 16 steps and of a block.
    void (*fill)(const hd__section *section, int64_t count, const double *unit, void *coefficients,
                 void *matrices);
    size_t coefficient_bytes, matrix_bytes;
} hd__filter_kernels;

// The row of the type and of the least order that is not below.
typedef const hd__filter_kernels *hd__filter_finder(hd_type real, int order);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__filter_finder, hd__filter_kernels)

// The same for the instruction set of a context.
static inline const hd__filter_kernels *hd__filter_kernels_of(const hd_context *ctx, hd_type real,
                                                              int order)
{
    static hd__filter_finder *const find[] = {HD_ISAS_OF(HD__ISA_POINT, hd__filter_kernels)};
    return find[hd__isa_of(ctx)](real, order);
}
#else
hd__filter_finder HD__OF_ISA(hd__filter_kernels);
#endif

#endif
