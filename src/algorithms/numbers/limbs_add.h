// SPDX-License-Identifier: Apache-2.0
// Sums, differences and comparisons of two long numbers on the cores: each part of the limbs is one
// loop with a carry, and carries between parts are put in behind.
#ifndef HEDDLE_ALGORITHMS_NUMBERS_LIMBS_ADD_H
#define HEDDLE_ALGORITHMS_NUMBERS_LIMBS_ADD_H

#include <heddle.h>

// out = a + b, or a - b, of n limbs of the base (0: 2^64), by so many threads; returns what is
// carried (borrowed) out of the last limb. out may be a or b, or apart from both.
int hd__limbs_add(int32_t threads, const uint64_t *a, const uint64_t *b, uint64_t *out, int64_t n,
                  uint64_t base, bool subtract);

// -1, 0 or 1: the order of a and b; looks no further down than it has to.
int hd__limbs_compare(int32_t threads, const uint64_t *a, const uint64_t *b, int64_t n);

#endif
