// SPDX-License-Identifier: Apache-2.0
// The kernels of hd_sort, for every kind of record: sort_records.inc sorts them, sort_io.inc makes
// them of keys of every width and takes them apart again.
#include "vec.h"

#include "cpu/sort_kernels.h"

// ---- How a block is sorted ----------------------------------------------------------------------

#define FEW        32 // up to so many are inserted one by one
#define MEND_BLOCK 32

typedef uint64_t copied __attribute__((vector_size(16), aligned(16), may_alias));

typedef struct block_plan {
    int shift, width, passes; // passes by digits of a width, from bit `shift` up
} block_plan;

static inline int bit_length(uint64_t x)
{
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

// Digits are at most HD__DIGIT_BITS wide, less where counting them would take longer than moving
// the records. Of many bits only the upper ones are sorted by digits: a few more than tell n
// numbers apart, so that ties are rare; what ties is sorted again.
static block_plan plan_block(uint64_t varies, int64_t n)
{
    const int spare_bits = 4;
    block_plan p;
    const int high = bit_length(varies), bits = high - __builtin_ctzll(varies);
    const int size = bit_length((uint64_t)(n - 1));
    int widest = size - 2 < 5 ? 5 : size - 2 > HD__DIGIT_BITS ? HD__DIGIT_BITS : size - 2;
    if (bits == HD__DIGIT_BITS + 1 && size > bits) widest = bits; // one wider pass instead of two
    const int wanted = bits < size + spare_bits ? bits : size + spare_bits;
    p.passes = (wanted + widest - 1) / widest;
    if (p.passes > 3) p.passes = 3;
    const int window = bits < p.passes * widest ? bits : p.passes * widest;
    p.width = (window + p.passes - 1) / p.passes;
    p.shift = high > p.passes * p.width ? high - p.passes * p.width : 0;
    if (p.shift < high - bits) p.shift = high - bits;
    return p;
}

// ---- Kinds of records ---------------------------------------------------------------------------

typedef struct two_words {
    uint64_t key, value;
} two_words;

#define REC          uint32_t
#define W            uint32_t
#define WORD(r)      (r)
#define FROM_WORD(w) ((uint32_t)(w))
#define NAME         word
#include "sort_records.inc"

#define REC          uint64_t
#define W            uint64_t
#define WORD(r)      (r)
#define FROM_WORD(w) (w)
#define NAME         long
#include "sort_records.inc"

#define REC          two_words
#define W            uint64_t
#define WORD(r)      ((r).key)
#define FROM_WORD(w) ((two_words){(w), 0})
#define NAME         double
#include "sort_records.inc"

// ---- Keys and values ----------------------------------------------------------------------------

#define REC           uint32_t
#define MAKE(word, v) (word)
#define KEY_OF(r)     (r)
#define K             uint8_t
#define KS            int8_t
#define NAME          word_1
#include "sort_io.inc"
#define K    uint16_t
#define KS   int16_t
#define NAME word_2
#include "sort_io.inc"
#define K    uint32_t
#define KS   int32_t
#define NAME word_4
#include "sort_io.inc"
#undef REC
#define REC  uint64_t
#define K    uint64_t
#define KS   int64_t
#define NAME long_8
#include "sort_io.inc"
#undef MAKE
#undef KEY_OF

#define VALUES
#define MAKE(word, v) ((uint64_t)(word) << 32 | (uint32_t)(v))
#define KEY_OF(r)     ((r) >> 32)
#define VALUE_OF(r)   ((uint32_t)(r))
#define K             uint8_t
#define KS            int8_t
#define NAME          pair_1
#include "sort_io.inc"
#define K    uint16_t
#define KS   int16_t
#define NAME pair_2
#include "sort_io.inc"
#define K    uint32_t
#define KS   int32_t
#define NAME pair_4
#include "sort_io.inc"
#undef REC
#undef MAKE
#undef KEY_OF
#undef VALUE_OF

#define REC           two_words
#define MAKE(word, v) ((two_words){(word), (v)})
#define KEY_OF(r)     ((r).key)
#define VALUE_OF(r)   ((r).value)
#define K             uint8_t
#define KS            int8_t
#define NAME          double_1
#include "sort_io.inc"
#define K    uint16_t
#define KS   int16_t
#define NAME double_2
#include "sort_io.inc"
#define K    uint32_t
#define KS   int32_t
#define NAME double_4
#include "sort_io.inc"
#define K    uint64_t
#define KS   int64_t
#define NAME double_8
#include "sort_io.inc"

extern const hd__sort_kernels HD__NAME(sort_kernels);
const hd__sort_kernels HD__NAME(sort_kernels) = {
    .records = {[HD__WORD] = &kernels_word,
                [HD__LONG] = &kernels_long,
                [HD__PAIR] = &kernels_long,
                [HD__DOUBLE] = &kernels_double},
    .load = {[HD__WORD] = {load_word_1, load_word_2, load_word_4, NULL},
             [HD__LONG] = {NULL, NULL, NULL, load_long_8},
             [HD__PAIR] = {load_pair_1, load_pair_2, load_pair_4, NULL},
             [HD__DOUBLE] = {load_double_1, load_double_2, load_double_4, load_double_8}},
    .store = {[HD__WORD] = {store_word_1, store_word_2, store_word_4, NULL},
              [HD__LONG] = {NULL, NULL, NULL, store_long_8},
              [HD__PAIR] = {store_pair_1, store_pair_2, store_pair_4, NULL},
              [HD__DOUBLE] = {store_double_1, store_double_2, store_double_4, store_double_8}},
};
