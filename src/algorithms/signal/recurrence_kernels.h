// SPDX-License-Identifier: Apache-2.0
// The functions and the operator of recurrences whose coefficients differ from element to element,
// for a type and an order: a row of recurrence_kernels.c. recurrence.c calls them.
#ifndef HEDDLE_ALGORITHMS_SIGNAL_RECURRENCE_KERNELS_H
#define HEDDLE_ALGORITHMS_SIGNAL_RECURRENCE_KERNELS_H

#include <heddle.h>

enum { HD__RECURRENCE_BLOCK = 16 }; // elements of a block

typedef struct hd__recurrence_kernels {
    hd_type block, coefficients, state, node;
    int order;
    const hd_function *joined;  // (block, coefficients) -> the block as a map of states
    const hd_operator *compose; // of maps of states
    const hd_function *start;   // (map before a block, first state) -> the block's first state
    const hd_function *after;   // (map before, map of the block, first state) -> state after it
    const hd_function *outputs; // (block, coefficients, state) -> block
} hd__recurrence_kernels;

// The row of the type and of the least order that is not below.
const hd__recurrence_kernels *hd__recurrence_kernels_of(hd_type real, int order);

#endif
