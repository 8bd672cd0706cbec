// SPDX-License-Identifier: Apache-2.0
// The contract of the micro-kernels that look whether neighbours are in order.
#ifndef HEDDLE_CPU_SELECT_ORDER_KERNELS_H
#define HEDDLE_CPU_SELECT_ORDER_KERNELS_H

#include "core/types.h"

// Whether any of n elements, which lie one after another from `in` on, may not follow the one
// before it (the first one's lies at in - 1).
typedef bool hd__cpu_disorder_kernel(const void *in, int64_t n);

typedef struct hd__cpu_order_kernels {
    hd__cpu_disorder_kernel *disorder[2][2][HD_TYPE_KINDS]; // descending, strict
} hd__cpu_order_kernels;

#endif
