// SPDX-License-Identifier: Apache-2.0
// What calls make of a carry that does not begin at the sequence's first element.
#ifndef HEDDLE_PATTERNS_CARRY_CARRY_H
#define HEDDLE_PATTERNS_CARRY_CARRY_H

#include "core/arguments.h"

// The index of the next element.
static inline int64_t hd__carry_end(const hd_carry *carry)
{
    return carry->start + carry->tree.count;
}

// How many elements its tree takes before its nodes join the head.
int64_t hd__carry_room(const hd_carry *carry);
// After elements were added to the tree, no more than there was room for.
void hd__carry_settle(hd_carry *carry);

#endif
