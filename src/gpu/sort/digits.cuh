// SPDX-License-Identifier: Apache-2.0
//
// Keys by digits of HK_BITS bits, for radix passes. A key is the bucket of an element.
#pragma once

#define HK_DIGITS (1 << HK_BITS)

struct hk_radix_how {
    int64_t n, tiles;
    int64_t ways;   // keys are 0 .. ways - 1
    int32_t shift;  // of this pass's digit
    int32_t passes; // of all passes, a digit each from the lowest on
};

// Loose, a key out of range is greater than all that are good.
HK_FN hk_key hk_key_of(int64_t bucket, int64_t ways)
{
    return HK_OUT_OF_RANGE_LAST && (uint64_t)bucket >= (uint64_t)ways ? ~(hk_key)0 : (hk_key)bucket;
}

// What the passes of a call share: where each digit begins, HK_DIGITS numbers a pass; and before
// them whether there is nothing to do, for a key is bad.
struct hk_radix_state {
    uint64_t *count; // as begin, and zero between calls
    uint64_t *begin;
    uint64_t *stop;
    uint32_t *fault;
    const uint32_t *at_once; // HK_AT_ONCE: where it is not zero, nothing is sorted
};

enum { HK_BAD_BUCKET = 3 };
