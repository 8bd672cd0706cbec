// SPDX-License-Identifier: Apache-2.0
//
// Merge path (Odeh, Green, Mwassi, Shmueli and Birk 2012): of the first d elements of the merged
// row so many are a's as a search along diagonal d finds.
#pragma once

#define HK_BACKWARDS HK_BOTH
#define HK_TILE      (HK_ROWS * HK_THREADS)

struct hk_merge_how {
    int64_t na, nb, rows; // elements of a row
    int64_t tiles;        // of a row
    int64_t *split;       // a's elements before each tile of each row, tiles + 1 a row; or 0:
                          // tiles search themselves
    uint32_t *unsorted;   // set where a or b, or the order, turns out to be none; where tiles
                          // search themselves a word of each tile
};

HK_FN bool hk_before(const hk_in_0 &a, const hk_in_0 &b)
{
    return HK_BACKWARDS ? hk_function(b, a) : hk_function(a, b);
}
