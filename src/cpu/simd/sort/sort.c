// SPDX-License-Identifier: Apache-2.0
// The kernels of hd_sort, for every kind of record: sort_records.inc sorts them, sort_io.inc makes
// them of keys of every width and takes them apart again.
#include "cpu/simd/lanes.h"
#include "cpu/simd/vec.h"

#include "cpu/runtime/tuning.h"
#include "cpu/sort/sort_kernels.h"

// ---- How a block is sorted ----------------------------------------------------------------------

#define MEND_BLOCK 32

typedef uint64_t copied __attribute__((vector_size(16), aligned(16), may_alias));

typedef struct block_plan {
    int shift, width, passes; // passes by digits of a width, from bit `shift` up
} block_plan;

static inline int bit_length(uint64_t x)
{
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

// Digits are at most HD__CPU_DIGIT_BITS wide, less where counting them would take longer than
// moving the records. Of many bits only the upper ones are sorted by digits: a few more than tell n
// numbers apart, so that ties are rare; what ties is sorted again.
static block_plan plan_block(uint64_t varies, int64_t n)
{
    const int spare_bits = 4;
    block_plan p;
    const int high = bit_length(varies), bits = high - __builtin_ctzll(varies);
    const int size = bit_length((uint64_t)(n - 1));
    int widest = size - 2 < 5 ? 5 : size - 2 > HD__CPU_DIGIT_BITS ? HD__CPU_DIGIT_BITS : size - 2;
    if (bits == HD__CPU_DIGIT_BITS + 1 && size > bits)
        widest = bits; // one wider pass instead of two
    const int wanted = bits < size + spare_bits ? bits : size + spare_bits;
    p.passes = (wanted + widest - 1) / widest;
    if (p.passes > 3) p.passes = 3;
    const int window = bits < p.passes * widest ? bits : p.passes * widest;
    p.width = (window + p.passes - 1) / p.passes;
    p.shift = high > p.passes * p.width ? high - p.passes * p.width : 0;
    if (p.shift < high - bits) p.shift = high - bits;
    return p;
}

// ---- How a bucket is distributed and spread -----------------------------------------------------

// A chunk for bucket b, which has none or whose last one is full.
static __attribute__((noinline)) void *open_chunk(hd__cpu_distributor *d, uint32_t b)
{
    const uint32_t chunk = d->used++;
    if (d->count[b]++ == 0)
        d->first[b] = chunk;
    else
        d->after[d->last[b]] = chunk;
    d->last[b] = chunk;
    return d->pool + (size_t)chunk * d->chunk_bytes;
}

#define ROW_BYTES 16
typedef uint32_t row_word __attribute__((vector_size(ROW_BYTES), may_alias));
typedef uint64_t row_long;

// Where the records of each digit begin: those of digit d at row bases[d] / lanes of their column,
// which the first or first two bits of d tell. Returns how many records the fullest digit has;
// lengths: of the columns. Only up to 31 of a digit are counted right.
INLINE uint32_t bases_of(const uint8_t *counts, int width, uint32_t lanes, uint16_t *bases,
                         uint32_t *lengths)
{
    typedef uint8_t bytes __attribute__((vector_size(8)));
    typedef uint16_t halves __attribute__((vector_size(16)));
    const uint64_t column = ((uint64_t)1 << width) / lanes, ones = 0x0101010101010101u;
    bytes most = {0};
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint64_t before = 0;
        for (uint64_t d = lane * column; d < (lane + 1) * column; d += 8) {
            uint64_t eight;
            bytes b, sums;
            memcpy(&eight, counts + d, 8);
            const uint64_t upto = eight * ones; // byte k: the sum of bytes 0 .. k
            const uint64_t ahead = upto << 8;
            memcpy(&b, &eight, 8);
            memcpy(&sums, &ahead, 8);
            const bytes more = (bytes)(b > most);
            most = (b & more) | (most & ~more);
            const halves at = __builtin_convertvector(sums, halves) * (uint16_t)lanes +
                              (uint16_t)(before * lanes + lane);
            memcpy(bases + d, &at, sizeof at);
            before += upto >> 56;
        }
        lengths[lane] = (uint32_t)before;
    }
    uint32_t greatest = 0;
    for (int k = 0; k < 8; k++) greatest = most[k] > greatest ? most[k] : greatest;
    return greatest;
}

// Neighbours whose keys are in the wrong order change places; keys: the bits of the key.
INLINE void exchange_word(row_word *a, row_word *b, row_word keys)
{
    (void)keys; // all of them
#if defined(__ARM_NEON)
    const row_word lesser = (row_word)vminq_u32((uint32x4_t)*a, (uint32x4_t)*b);
    *b = (row_word)vmaxq_u32((uint32x4_t)*a, (uint32x4_t)*b);
    *a = lesser;
#elif defined(__SSE4_1__)
    const row_word lesser = (row_word)_mm_min_epu32((__m128i)*a, (__m128i)*b);
    *b = (row_word)_mm_max_epu32((__m128i)*a, (__m128i)*b);
    *a = lesser;
#else
    const row_word change = (*a ^ *b) & (row_word)(*a > *b);
    *a ^= change, *b ^= change;
#endif
}

// Conditional moves: gcc would rather guess, and vectors of two are slower.
INLINE void exchange_long(row_long *a, row_long *b, row_long keys)
{
    const uint64_t x = *a, y = *b, most = y | ~keys; // x is above y if it is above all with y's key
#if defined(__aarch64__)
    __asm__("cmp %2, %4\n\tcsel %0, %3, %2, hi\n\tcsel %1, %2, %3, hi"
            : "=&r"(*a), "=r"(*b)
            : "r"(x), "r"(y), "r"(most)
            : "cc");
#elif defined(__x86_64__)
    __asm__("cmpq %2, %3\n\tcmovbq %4, %0\n\tcmovbq %5, %1"
            : "=&r"(*a), "=&r"(*b)
            : "r"(x), "r"(most), "r"(y), "r"(x), "0"(x), "1"(y)
            : "cc");
#else
    *a = x > most ? y : x;
    *b = x > most ? x : y;
#endif
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
#define LANES        4
#include "sort_records.inc"

#define REC          uint64_t
#define W            uint64_t
#define WORD(r)      (r)
#define FROM_WORD(w) (w)
#define NAME         long
#define LANES        1
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

extern const hd__cpu_sort_kernels HD__NAME(sort_kernels);
const hd__cpu_sort_kernels HD__NAME(sort_kernels) = {
    .records = {[HD__CPU_KEY32] = &kernels_word,
                [HD__CPU_KEY64] = &kernels_long,
                [HD__CPU_KEY32_VALUE32] = &kernels_long,
                [HD__CPU_KEY64_VALUE64] = &kernels_double},
    .load = {[HD__CPU_KEY32] = {load_word_1, load_word_2, load_word_4, NULL},
             [HD__CPU_KEY64] = {NULL, NULL, NULL, load_long_8},
             [HD__CPU_KEY32_VALUE32] = {load_pair_1, load_pair_2, load_pair_4, NULL},
             [HD__CPU_KEY64_VALUE64] = {load_double_1, load_double_2, load_double_4,
                                        load_double_8}},
    .store = {[HD__CPU_KEY32] = {store_word_1, store_word_2, store_word_4, NULL},
              [HD__CPU_KEY64] = {NULL, NULL, NULL, store_long_8},
              [HD__CPU_KEY32_VALUE32] = {store_pair_1, store_pair_2, store_pair_4, NULL},
              [HD__CPU_KEY64_VALUE64] = {store_double_1, store_double_2, store_double_4,
                                         store_double_8}},
};
