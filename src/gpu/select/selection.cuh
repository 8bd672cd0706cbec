// SPDX-License-Identifier: Apache-2.0
//
// Which elements are selected: a warp reads rows of 32 x HK_K elements, tells those whose flag is
// set, or which begin a run, and ranks them by a scan over lanes of several rows' counts in one
// word.
#pragma once
#include "device/lanes.cuh"

#define HK_ROW      (HK_WARP * HK_K)
#define HK_CHUNK    (HK_ROWS * HK_ROW)
#define HK_TILE     (HK_WARPS * HK_CHUNK)
#define HK_MASKS    ((HK_ROWS * HK_K + 31) / 32)
#define HK_ROW_BITS ((uint32_t)((1ull << HK_K) - 1))
// A row's count in a field of a word; it is at most 32 x HK_K.
#define HK_FIELD        (HK_K <= 4 ? 8 : 16)
#define HK_FIELDS       (32 / HK_FIELD)
#define HK_COUNTS_WORDS ((HK_ROWS + HK_FIELDS - 1) / HK_FIELDS)

// ---- Which are selected ------------------------------------------------------------------------

struct hk_selection {
    uint32_t mask[HK_MASKS];          // bit r * HK_K + j: element j of row r is selected
    uint32_t before[HK_COUNTS_WORDS]; // in fields by row: of the lanes before
    uint32_t in_row[HK_COUNTS_WORDS]; // likewise: of all lanes
};

HK_FN bool hk_is_in(const hk_selection *c, int r, int j)
{
    return (c->mask[(r * HK_K + j) / 32] & 1u << (r * HK_K + j) % 32) != 0;
}

// Bits are requested anew after this. Predicates that live on while a block looks back cost
// registers, and ptxas 13.0 lost some of them (run lengths of u64 on sm_90, rows 6 and 7).
HK_FN void hk_forget_bits(hk_selection *c)
{
#pragma unroll
    for (int w = 0; w < HK_MASKS; w++) asm volatile("" : "+r"(c->mask[w]));
}

HK_FN uint32_t hk_field(const uint32_t *word, int r)
{
    return word[r / HK_FIELDS] >> (r % HK_FIELDS * HK_FIELD) & ((1u << HK_FIELD) - 1);
}

HK_FN hk_element hk_element_from(hk_element e, int lane)
{
    union {
        uint32_t w[(sizeof(hk_element) + 3) / 4];
        hk_element e;
    } x;
    x.w[(sizeof(hk_element) + 3) / 4 - 1] = 0;
    x.e = e;
#pragma unroll
    for (int k = 0; k < (int)(sizeof(hk_element) + 3) / 4; k++) x.w[k] = hk_word_from(x.w[k], lane);
    return x.e;
}

// A row's bits, where all its elements are there; `left` is the element before the lane's own.
HK_FN uint32_t hk_row_heads(const hk_element *e, hk_element left, int64_t at)
{
    uint32_t bits = 0;
#pragma unroll
    for (int j = 0; j < HK_K; j++)
        if (hk_differs(e[j], j > 0 ? e[j > 0 ? j - 1 : 0] : left)) bits |= 1u << j;
    return at == 0 ? bits | 1 : bits;
}

HK_FN uint32_t hk_row_flags(const hk_flag *l)
{
    uint32_t bits = 0;
#pragma unroll
    for (int j = 0; j < HK_K; j++)
        if (hk_is_set(l[j]) != HK_INVERT) bits |= 1u << j;
    return bits;
}

// The same as far as n goes; `e` is in shared memory.
HK_FN uint32_t hk_some_heads(const hk_element *e, hk_element left, int64_t at, int64_t n)
{
    uint32_t bits = 0;
#pragma unroll 1
    for (int j = 0; j < HK_K && at + j < n; j++) {
        if (at + j == 0 || hk_differs(e[j], left)) bits |= 1u << j;
        left = e[j];
    }
    return bits;
}

// Flags of HK_K elements from `at` on (`e`: in shared memory, or null), all requested before the
// first is looked at; past the end, of the last.
HK_FN void hk_some_flags(const hk_inputs *in, const hk_element *e, int64_t at, int64_t n,
                         hk_flag *l)
{
#pragma unroll
    for (int j = 0; j < HK_K; j++) {
        const int64_t i = at + j < n ? at + j : n - 1;
        l[j] = hk_flag_one(in, i, e != 0 ? e[j] : hk_one_0(in, i));
    }
}

HK_FN uint32_t hk_bits_before(uint32_t bits, int64_t at, int64_t n)
{
    return n - at >= HK_K ? bits : n > at ? bits & ((1u << (n - at)) - 1) : 0;
}

HK_FN uint32_t hk_some_bits(const hk_inputs *in, const hk_element *e, hk_element left, int64_t at,
                            int64_t n)
{
    hk_flag l[HK_K];
    if (HK_HEADS) return hk_some_heads(e, left, at, n);
    hk_some_flags(in, e, at, n, l);
    return hk_bits_before(hk_row_flags(l), at, n);
}

// Ranks of what is selected, whose bits are known. Gives how many there are.
HK_FN uint32_t hk_rank(hk_selection *c)
{
    uint32_t own[HK_COUNTS_WORDS], sum = 0;
#pragma unroll
    for (int k = 0; k < HK_COUNTS_WORDS; k++) own[k] = 0;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const uint32_t bits = c->mask[r * HK_K / 32] >> (r * HK_K % 32) & HK_ROW_BITS;
        own[r / HK_FIELDS] += (uint32_t)hk_popc((int)bits) << (r % HK_FIELDS * HK_FIELD);
    }
#pragma unroll
    for (int k = 0; k < HK_COUNTS_WORDS; k++) {
        const uint32_t to = hk_sum_to_lane(own[k]);
        c->before[k] = to - own[k];
        c->in_row[k] = hk_word_from(to, 31);
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) sum += hk_field(c->in_row, r);
    return sum;
}
