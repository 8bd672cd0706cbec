// SPDX-License-Identifier: Apache-2.0
// Numbers of limbs along the last axis: what additions, subtractions and comparisons look at and
// lay out before they begin.
#ifndef HEDDLE_ALGORITHMS_NUMBERS_LIMBS_H
#define HEDDLE_ALGORITHMS_NUMBERS_LIMBS_H

#include "algorithms/support/frame.h"

typedef struct hd__limbs {
    hd__frame f;
    hd_view a, b, out; // out: of a comparison, empty
    int64_t m, n;      // numbers, and limbs of one
} hd__limbs;

// Checks the numbers, whose rows become `n` limbs long (copies where they are shorter): n is out's
// length, or the longer one's. close the frame in any case.
hd_status hd__limbs_open(hd__limbs *l, hd_context *ctx, const char *name, hd_view a, hd_view b,
                         const hd_view *out);
// One i64 for each number, or no view at all.
hd_status hd__limbs_check_numbers(hd__limbs *l, const char *what, hd_view v);
// Whether every limb is below the base.
hd_status hd__limbs_check_base(hd__limbs *l, const char *what, hd_view v, uint64_t base);
// Whether all of a view's elements lie one after another, so that (m, n / 16) structures of 16 are
// there; the last of them may miss if there is one number.
bool hd__limbs_in_blocks(const hd__limbs *l, const hd_view *v);
// Elements first .. first + count - 1 of every row; and as structures.
hd_view hd__limbs_part(hd_view v, int64_t first, int64_t count);
hd_view hd__limbs_blocks(const hd__limbs *l, hd_view v, hd_type block, int64_t first,
                         int64_t count);

#endif
