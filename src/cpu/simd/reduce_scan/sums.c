// SPDX-License-Identifier: Apache-2.0
// Float sums straight from their elements: in f64 of f32, compensated, with the sum of magnitudes.
#include "cpu/simd/lanes.h"
#include "widen.h"

// Sums of f64 in the lanes of two vectors that are so far from each other; those of the second
// change sides.
#define LANES_OF __builtin_shufflevector
#if VECTOR_BYTES == 16
#define MEET_1(a, b) (LANES_OF(a, b, 0, 3) + LANES_OF(a, b, 1, 2))
#elif VECTOR_BYTES == 32
#define MEET_1(a, b)                                                                               \
    ((twice)_mm256_blend_pd((__m256d)(a), (__m256d)(b), 0xa) + LANES_OF(a, b, 1, 4, 3, 6))
#define MEET_2(a, b)                                                                               \
    ((twice)_mm256_blend_pd((__m256d)(a), (__m256d)(b), 0xc) + LANES_OF(a, b, 2, 3, 4, 5))
#else
#define MEET_1(a, b)                                                                               \
    ((twice)_mm512_mask_blend_pd(0xaa, (__m512d)(a), (__m512d)(b)) +                               \
     LANES_OF(a, b, 1, 8, 3, 10, 5, 12, 7, 14))
#define MEET_2(a, b)                                                                               \
    (LANES_OF(a, b, 0, 1, 10, 11, 4, 5, 14, 15) + LANES_OF(a, b, 2, 3, 8, 9, 6, 7, 12, 13))
#define MEET_4(a, b)                                                                               \
    ((twice)_mm512_mask_blend_pd(0xf0, (__m512d)(a), (__m512d)(b)) +                               \
     LANES_OF(a, b, 4, 5, 6, 7, 8, 9, 10, 11))
#endif

// ---- f32 ----------------------------------------------------------------------------------------

#define T       float
#define E       float
#define LOAD(p) (*(const single_memory *)(p))
#define V       single
#define I       single_bits
#define SIGN    INT32_MIN
#define LANES   (VECTOR_BYTES / 4)
#define EVEN    OF_SINGLE(EVEN)
#define ODD     OF_SINGLE(ODD)
#define NAME    pair_f32
#define PAIRS   1
#define SIZES   0
#include "sums.inc"
#undef NAME
#undef SIZES
#define NAME  sized_pair_f32
#define SIZES 1
#include "sums.inc"
#undef NAME
#undef PAIRS
#define NAME  sized_f32
#define PAIRS 0
#include "sums.inc"
#undef NAME
#undef PAIRS
#undef SIZES
#undef T
#undef E
#undef LOAD
#undef V
#undef I
#undef SIGN
#undef LANES
#undef EVEN
#undef ODD

// ---- f64 ----------------------------------------------------------------------------------------

#define T       double
#define E       double
#define LOAD(p) (*(const twice_memory *)(p))
#define V       twice
#define I       twice_bits
#define SIGN    INT64_MIN
#define LANES   (VECTOR_BYTES / 8)
#define EVEN    OF_TWICE(EVEN)
#define ODD     OF_TWICE(ODD)
#define NAME    pair_f64
#define PAIRS   1
#define SIZES   0
#include "sums.inc"
#undef NAME
#undef SIZES
#define NAME  sized_pair_f64
#define SIZES 1
#include "sums.inc"
#undef NAME
#undef PAIRS
#define NAME  sized_f64
#define PAIRS 0
#define MEETS
#include "sums.inc"
#undef NAME
#undef SIZES
#undef PAIRS

// ---- f64 of f32 ---------------------------------------------------------------------------------

#undef E
#undef LOAD
#define E       float
#define LOAD(p) widen(p)
#define NAME    wide
#define PAIRS   0
#define SIZES   0
#include "sums.inc"
#undef NAME
#undef SIZES
#define NAME  wide_sized
#define SIZES 1
#include "sums.inc"
#undef NAME
#undef PAIRS
#undef MEETS
#define NAME  wide_sized_pair
#define PAIRS 1
#include "sums.inc"
#undef NAME
#undef SIZES
#define NAME  wide_pair
#define SIZES 0
#include "sums.inc"

#define OF(name) HD__NAME(HD__PASTE_EXPANDED(name, of))

extern const hd__cpu_tree_sums HD__NAME(tree_sums);
const hd__cpu_tree_sums HD__NAME(tree_sums) = {
    .f32 = {{NULL, OF(sized_f32)}, {OF(pair_f32), OF(sized_pair_f32)}},
    .f64 = {{NULL, OF(sized_f64)}, {OF(pair_f64), OF(sized_pair_f64)}},
    .wide = {{OF(wide), OF(wide_sized)}, {OF(wide_pair), OF(wide_sized_pair)}},
};
