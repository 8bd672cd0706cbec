// SPDX-License-Identifier: Apache-2.0
//
// Keys by digits of HD_BITS bits, for sweeps. A key is the label of an element.
#pragma once

#define HD_DIGITS (1 << HD_BITS)

struct hd_sweep_how {
    int64_t n, tiles;
    int64_t ways;   // keys are 0 .. ways - 1
    int32_t shift;  // of this sweep's digit
    int32_t passes; // of all sweeps, a digit each from the lowest on
};

// Loose, a key out of range is greater than all that are good.
HD_FN hd_key hd_key_of(int64_t label, int64_t ways)
{
    return HD_LOOSE && (uint64_t)label >= (uint64_t)ways ? ~(hd_key)0 : (hd_key)label;
}

// What the sweeps of a call share: where each digit begins, HD_DIGITS numbers a sweep; and before them
// whether there is nothing to do, for a key is bad.
struct hd_sweep_state {
    uint64_t *count; // as begin, and zero between calls
    uint64_t *begin;
    uint64_t *stop;
    uint32_t *fault;
    const uint32_t *at_once; // HD_AT_ONCE: where it is not zero, nothing is swept
};

enum { HD_BAD_BUCKET = 3 };
