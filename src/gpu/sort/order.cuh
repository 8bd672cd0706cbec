// SPDX-License-Identifier: Apache-2.0
//
// Keys of hd_sort: they are moved as the bits they are, hk_bits, and an unsigned integer of as many
// bits has their order. Digits of HK_DIGIT_BITS bits are those of that integer.
#pragma once

#define HK_DIGIT_BITS 8
#define HK_RADIX      (1 << HK_DIGIT_BITS)
#define HK_SIGN       ((hk_bits)((hk_bits)1 << (8 * sizeof(hk_bits) - 1)))
#define HK_FLOAT      (HK_INFINITY != 0)

// Up: integers by value, floats by value with -0 before +0; down: the other way. NaN last.
HK_FN hk_bits hk_order(hk_bits x)
{
    hk_bits y = x;
    if (HK_FLOAT)
        y = (hk_bits)(x ^ ((x & HK_SIGN) != 0 ? (hk_bits) ~(hk_bits)0 : HK_SIGN));
    else if (HK_SIGNED)
        y = (hk_bits)(x ^ HK_SIGN);
    if (HK_DESCENDING) y = (hk_bits)~y;
    if (HK_FLOAT && (hk_bits)(x & (hk_bits)~HK_SIGN) > (hk_bits)HK_INFINITY)
        y = (hk_bits) ~(hk_bits)0;
    return y;
}

// Bits of which no key comes behind.
HK_FN hk_bits hk_last_key(void)
{
    const hk_bits all = (hk_bits) ~(hk_bits)0;
    if (HK_FLOAT) return all;
    return (hk_bits)((HK_DESCENDING ? 0 : all) ^ (HK_SIGNED ? HK_SIGN : 0));
}

// A bool is 0 or 1 from the first load on.
HK_FN hk_bits hk_key_from(hk_bits x)
{
    return HK_BOOL ? (hk_bits)(x != 0) : x;
}

HK_FN uint32_t hk_digit(hk_bits x, int shift)
{
    return (uint32_t)(hk_order(x) >> shift) & (HK_RADIX - 1);
}

// ---- What launches of one call share ------------------------------------------------------------

#define HK_PASSES_MOST 8

// What a pass does, as sort_histogram plans it.
enum { HK_PASS_SKIPPED, HK_PASS_SORTS, HK_PASS_COPIES };
enum { HK_FROM_IN, HK_IN_OUT, HK_IN_SPARE };

struct hk_sort_pass {
    uint8_t does, from, to, last;
};

// In device memory, kept between calls.
struct hk_sort_control {
    uint32_t done;  // blocks of sort_histogram: zero between launches
    uint32_t epoch; // of the last pass, which tags the words that tiles publish
    uint32_t unsorted;
    uint32_t unused;
    hk_sort_pass pass[HK_PASSES_MOST + 2];
    uint32_t unused_too[2];
    uint64_t count[HK_PASSES_MOST * HK_RADIX]; // zero between launches
    uint64_t begin[HK_PASSES_MOST * HK_RADIX];
};

struct hk_sort_how {
    int64_t n;
    const hk_bits *key_in;
    hk_bits *key_out, *key_spare;
    const hk_value *value_in; // 0: the values are indices
    hk_value *value_out, *value_spare;
    hk_sort_control *control;
    uint64_t *word;     // of tiles, HK_RADIX each
    int64_t words;      // of all
    int32_t pass;       // of this launch
    int32_t passes;     // of all launches, which may be one more than the key has digits
    int32_t in_place;   // an even number of passes moves the elements
    int32_t keeps_keys; // otherwise the last pass writes values alone
    int64_t keep;       // of sort_block: elements of a row that are written
};

// ---- Words that tiles publish -------------------------------------------------------------------
// From the top: the epoch, two bits of state, a count. Words of epochs before are less.

#define HK_COUNT_BITS 40
#define HK_EPOCH_BITS 22
#define HK_OWN        (1ull << HK_COUNT_BITS) // the tile's own
#define HK_UP_TO      (2ull << HK_COUNT_BITS) // of everything up to the tile

HK_FN uint64_t hk_tag_of(uint32_t epoch)
{
    return (uint64_t)epoch << (HK_COUNT_BITS + 2);
}
