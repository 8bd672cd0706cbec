// SPDX-License-Identifier: Apache-2.0
// What reductions of everything have in common.
#ifndef HEDDLE_CPU_REDUCE_REDUCE_H
#define HEDDLE_CPU_REDUCE_REDUCE_H

#include "core/operators/fold.h"

// Whether the sum of narrow integers in 64 bits: any order will do.
static inline bool hd__cpu_sums_wide(const hd__fold *f)
{
    return f->op == HD__SUM && hd__is_integer(f->number) && f->node_size == 8 && !f->divides &&
           f->element_size < 8;
}

#endif
