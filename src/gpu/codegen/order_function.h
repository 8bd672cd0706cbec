// SPDX-License-Identifier: Apache-2.0
// An order as a function of two elements in a kernel: a user's comparison, or the numbers' own.
#ifndef HEDDLE_GPU_CODEGEN_ORDER_FUNCTION_H
#define HEDDLE_GPU_CODEGEN_ORDER_FUNCTION_H

#include "patterns/sort/comparisons.h"

// Whether a comes before b. Floats are read as integers of their size: views get this type.
typedef struct hd__gpu_order {
    hd_function precedes; // points into what follows: not to be copied
    hd_type type;
    hd_source keys; // of floats: what the kernels know of their order beside it
    char inputs[512], body[512], keys_text[256];
} hd__gpu_order;

// HD__DECLINED: the name of the elements' type is too long.
hd_status hd__gpu_order_of(hd__gpu_order *order, const hd_comparison *comparison, hd_type type,
                           const char **why);

#endif
