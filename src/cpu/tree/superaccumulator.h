// SPDX-License-Identifier: Apache-2.0
// Exact sums of many elements: gathered in tables by exponent, or in digits, before they become a
// node of limbs. Integer sums, so any order gives the same node.
#ifndef HEDDLE_CPU_TREE_SUPERACCUMULATOR_H
#define HEDDLE_CPU_TREE_SUPERACCUMULATOR_H

#include "cpu/runtime/micro.h"

// Bytes of the tables; hd__cpu_limbs_clear readies them, and every sum leaves them ready.
size_t hd__cpu_limbs_bytes(void);
void hd__cpu_limbs_clear(void *tables);

// *node = the sum of n >= 1 elements that lie one after another, of any number type; `number` is
// that of the node, HD_F32 or HD_F64. exact: of an instruction set.
void hd__cpu_limbs_sum(hd_type number, hd_type element, const void *in, int64_t n, void *node,
                       const hd__cpu_exact_kernels *exact, void *tables);

#endif
