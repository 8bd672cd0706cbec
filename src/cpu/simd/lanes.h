// SPDX-License-Identifier: Apache-2.0
// Lanes of two vectors taken apart and put together, for every number of lanes:
//   EVEN, ODD   every second lane of a then b, from lane 0 or 1
//   LOW, HIGH   a and b interleaved: the lower half, the upper half
//   NEXT        lanes 1, 2, ... of a, then lane 0 of b
#ifndef HEDDLE_CPU_SIMD_LANES_H
#define HEDDLE_CPU_SIMD_LANES_H

#define EVEN_2(a, b) __builtin_shufflevector(a, b, 0, 2)
#define ODD_2(a, b)  __builtin_shufflevector(a, b, 1, 3)
#define LOW_2(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH_2(a, b) __builtin_shufflevector(a, b, 1, 3)
#define NEXT_2(a, b) __builtin_shufflevector(a, b, 1, 2)
#define EVEN_4(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODD_4(a, b)  __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define LOW_4(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define NEXT_4(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4)
#define EVEN_8(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD_8(a, b)  __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define LOW_8(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define NEXT_8(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8)
#define EVEN_16(a, b)                                                                              \
    __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD_16(a, b)                                                                               \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define LOW_16(a, b)                                                                               \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_16(a, b)                                                                              \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define NEXT_16(a, b)                                                                              \
    __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

#endif
