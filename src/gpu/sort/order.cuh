// SPDX-License-Identifier: Apache-2.0
//
// Keys of hd_sort: they are moved as the bits they are, hk_bits, and an unsigned integer of as many
// bits has their order. Digits of HK_DIGIT_BITS bits are those of that integer.
#pragma once

#define HK_DIGIT_BITS 8
#define HK_RADIX      (1 << HK_DIGIT_BITS)
#define HK_SIGN       ((hk_bits)((hk_bits)1 << (8 * sizeof(hk_bits) - 1)))
#define HK_FLOAT      (HK_INFINITY != 0)

HK_FN bool hk_is_nan(hk_bits x)
{
    if (sizeof(hk_bits) == 4) { // one instruction
        uint32_t nan;
        asm("{ .reg .pred p; .reg .f32 f; mov.b32 f, %1; setp.nan.f32 p, f, f;"
            " selp.u32 %0, 1, 0, p; }"
            : "=r"(nan)
            : "r"((uint32_t)x));
        return nan != 0;
    }
    return (hk_bits)(x & (hk_bits)~HK_SIGN) > (hk_bits)HK_INFINITY;
}

// Up: integers by value, floats by value with -0 before +0; down: the other way. NaN last.
HK_FN hk_bits hk_order(hk_bits x)
{
    hk_bits y = x;
    if (HK_FLOAT)
        y = (hk_bits)(x ^ ((x & HK_SIGN) != 0 ? (hk_bits) ~(hk_bits)0 : HK_SIGN));
    else if (HK_SIGNED)
        y = (hk_bits)(x ^ HK_SIGN);
    if (HK_DESCENDING) y = (hk_bits)~y;
    if (HK_FLOAT && hk_is_nan(x)) y = (hk_bits) ~(hk_bits)0;
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

// Digits are bytes.
HK_FN uint32_t hk_digit(hk_bits x, int shift)
{
    const hk_bits y = hk_order(x);
    if (sizeof(hk_bits) != 4) return (uint32_t)(y >> shift) & (HK_RADIX - 1);
    uint32_t digit;
    asm("prmt.b32 %0, %1, 0, %2;"
        : "=r"(digit)
        : "r"((uint32_t)y), "r"(0x4440 | (uint32_t)shift / HK_DIGIT_BITS));
    return digit;
}

// ---- What launches of one call share ------------------------------------------------------------

#define HK_PASSES_MOST 8
#define HK_AGAIN       (HK_PASSES_MOST + 2)        // the first pass of those that sort all digits
#define HK_ALL_PASSES  (HK_AGAIN + HK_PASSES_MOST) // launches of sort_pass at most

// What a pass does, as sort_histogram plans it; of the passes that sort all digits, after those of
// the top digits, whether they are needed is known when they begin.
enum { HK_PASS_SKIPPED, HK_PASS_SORTS, HK_PASS_COPIES };
enum { HK_FROM_IN, HK_IN_OUT, HK_IN_SPARE };

struct hk_sort_pass {
    uint8_t does, digit, from, to, last, unused[3];
};

// In device memory, kept between calls.
struct hk_sort_control {
    uint32_t done;  // blocks of sort_histogram: zero between launches
    uint32_t epoch; // before the first pass; epochs tag the words that tiles publish
    uint32_t unsorted;
    uint32_t rest;  // bits below those digits that passes sort, which sort_rest sorts; 0: none
    uint32_t again; // all digits are to be sorted: sort_rest met too many equal in the top ones
    hk_sort_pass pass[HK_ALL_PASSES];
    uint32_t ticket[HK_ALL_PASSES]; // tiles that are taken
    uint32_t unused[5];
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
    float together;     // keys that may be equal in the top digits on average; 0: sort all digits
};

// ---- Words that tiles publish -------------------------------------------------------------------
// From the top: the epoch, two bits of state, a count. Words of epochs before are less.

#define HK_COUNT_BITS      40
#define HK_EPOCH_BITS      22
#define HK_COUNT_AGGREGATE (1ull << HK_COUNT_BITS) // the tile's own
#define HK_COUNT_PREFIX    (2ull << HK_COUNT_BITS) // of everything up to the tile

HK_FN uint64_t hk_tag_of(uint32_t epoch)
{
    return (uint64_t)epoch << (HK_COUNT_BITS + 2);
}
