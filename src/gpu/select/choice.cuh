// SPDX-License-Identifier: Apache-2.0
//
// Which elements are chosen: a warp reads rows of 32 x HD_K elements, tells those whose label is set, or
// which begin a run, and ranks them by a scan over lanes of several rows' counts in one word.
#pragma once
#include "device/lanes.cuh"

#define HD_ROW      (HD_WARP * HD_K)
#define HD_CHUNK    (HD_ROWS * HD_ROW)
#define HD_TILE     (HD_WARPS * HD_CHUNK)
#define HD_MASKS    ((HD_ROWS * HD_K + 31) / 32)
#define HD_ROW_BITS ((uint32_t)((1ull << HD_K) - 1))
// A row's count in a field of a word; it is at most 32 x HD_K.
#define HD_FIELD        (HD_K <= 4 ? 8 : 16)
#define HD_FIELDS       (32 / HD_FIELD)
#define HD_COUNTS_WORDS ((HD_ROWS + HD_FIELDS - 1) / HD_FIELDS)

// ---- Which are chosen ----------------------------------------------------------------------------

struct hd_choice {
    uint32_t mask[HD_MASKS];          // bit r * HD_K + j: element j of row r is chosen
    uint32_t before[HD_COUNTS_WORDS]; // in fields by row: of the lanes before
    uint32_t in_row[HD_COUNTS_WORDS]; // likewise: of all lanes
};

HD_FN bool hd_is_in(const hd_choice *c, int r, int j)
{
    return (c->mask[(r * HD_K + j) / 32] & 1u << (r * HD_K + j) % 32) != 0;
}

// Bits are asked for anew after this. Predicates that live on while a block looks back cost registers, and ptxas
// 13.0 lost some of them (run lengths of u64 on sm_90, rows 6 and 7).
HD_FN void hd_forget_bits(hd_choice *c)
{
#pragma unroll
    for (int w = 0; w < HD_MASKS; w++) asm volatile("" : "+r"(c->mask[w]));
}

HD_FN uint32_t hd_field(const uint32_t *word, int r)
{
    return word[r / HD_FIELDS] >> (r % HD_FIELDS * HD_FIELD) & ((1u << HD_FIELD) - 1);
}

HD_FN hd_element hd_element_from(hd_element e, int lane)
{
    union {
        uint32_t w[(sizeof(hd_element) + 3) / 4];
        hd_element e;
    } x;
    x.w[(sizeof(hd_element) + 3) / 4 - 1] = 0;
    x.e = e;
#pragma unroll
    for (int k = 0; k < (int)(sizeof(hd_element) + 3) / 4; k++) x.w[k] = hd_word_from(x.w[k], lane);
    return x.e;
}

// A row's bits, where all its elements are there; `left` is the element before the lane's own.
HD_FN uint32_t hd_row_heads(const hd_element *e, hd_element left, int64_t at)
{
    uint32_t bits = 0;
#pragma unroll
    for (int j = 0; j < HD_K; j++)
        if (hd_differs(e[j], j > 0 ? e[j > 0 ? j - 1 : 0] : left)) bits |= 1u << j;
    return at == 0 ? bits | 1 : bits;
}

HD_FN uint32_t hd_row_labels(const hd_label *l)
{
    uint32_t bits = 0;
#pragma unroll
    for (int j = 0; j < HD_K; j++)
        if (hd_is_set(l[j]) != HD_INVERT) bits |= 1u << j;
    return bits;
}

// The same as far as n goes; `e` is in shared memory.
HD_FN uint32_t hd_some_heads(const hd_element *e, hd_element left, int64_t at, int64_t n)
{
    uint32_t bits = 0;
#pragma unroll 1
    for (int j = 0; j < HD_K && at + j < n; j++) {
        if (at + j == 0 || hd_differs(e[j], left)) bits |= 1u << j;
        left = e[j];
    }
    return bits;
}

// Labels of HD_K elements from `at` on (`e`: in shared memory, or null), all asked for before the first is looked at; past the end, of the last.
HD_FN void hd_some_labels(const hd_inputs *in, const hd_element *e, int64_t at, int64_t n,
                          hd_label *l)
{
#pragma unroll
    for (int j = 0; j < HD_K; j++) {
        const int64_t i = at + j < n ? at + j : n - 1;
        l[j] = hd_label_one(in, i, e != 0 ? e[j] : hd_one_0(in, i));
    }
}

HD_FN uint32_t hd_bits_before(uint32_t bits, int64_t at, int64_t n)
{
    return n - at >= HD_K ? bits : n > at ? bits & ((1u << (n - at)) - 1) : 0;
}

HD_FN uint32_t hd_some_bits(const hd_inputs *in, const hd_element *e, hd_element left, int64_t at,
                            int64_t n)
{
    hd_label l[HD_K];
    if (HD_HEADS) return hd_some_heads(e, left, at, n);
    hd_some_labels(in, e, at, n, l);
    return hd_bits_before(hd_row_labels(l), at, n);
}

// Ranks of what is chosen, whose bits are known. Gives how many there are.
HD_FN uint32_t hd_rank(hd_choice *c)
{
    uint32_t own[HD_COUNTS_WORDS], sum = 0;
#pragma unroll
    for (int k = 0; k < HD_COUNTS_WORDS; k++) own[k] = 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const uint32_t bits = c->mask[r * HD_K / 32] >> (r * HD_K % 32) & HD_ROW_BITS;
        own[r / HD_FIELDS] += (uint32_t)hd_popc((int)bits) << (r % HD_FIELDS * HD_FIELD);
    }
#pragma unroll
    for (int k = 0; k < HD_COUNTS_WORDS; k++) {
        const uint32_t to = hd_sum_to_lane(own[k]);
        c->before[k] = to - own[k];
        c->in_row[k] = hd_word_from(to, 31);
    }
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) sum += hd_field(c->in_row, r);
    return sum;
}
