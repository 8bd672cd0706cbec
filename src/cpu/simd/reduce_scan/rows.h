// SPDX-License-Identifier: Apache-2.0
// What the files of one instruction set offer each other and its table: the rows by name.
#ifndef HEDDLE_CPU_SIMD_REDUCE_SCAN_ROWS_H
#define HEDDLE_CPU_SIMD_REDUCE_SCAN_ROWS_H

#include "cpu/simd/vec.h"

#define DECLARE_ROW(op, t) extern const hd__cpu_micro HD__NAME(op##_##t);
#define DECLARE_WRAPPING(t)                                                                        \
    DECLARE_ROW(sum, t)                                                                            \
    DECLARE_ROW(product, t) DECLARE_ROW(and, t) DECLARE_ROW(or, t) DECLARE_ROW(xor, t)
#define DECLARE_ORDERED(t) DECLARE_ROW(min, t) DECLARE_ROW(max, t)
#define DECLARE_INDEX(t)                                                                           \
    int64_t HD__NAME(argmin_##t)(const void *in, int64_t n);                                       \
    int64_t HD__NAME(argmax_##t)(const void *in, int64_t n);
#define DECLARE_WIDE(t) void HD__NAME(wide_##t##_sum)(uint64_t * out, const void *in, int64_t n);

#define DECLARE_BEFORE(t)                                                                          \
    int64_t HD__NAME(greater_##t)(const void *in, int64_t n, const void *bound, int64_t *at);      \
    int64_t HD__NAME(less_##t)(const void *in, int64_t n, const void *bound, int64_t *at);

// The types that have rows: X(t) for each.
#define EACH_UNSIGNED(X) X(u8) X(u16) X(u32) X(u64)
#define EACH_INTEGER(X)  EACH_UNSIGNED(X) X(i8) X(i16) X(i32) X(i64)
#define EACH_NUMBER(X)   EACH_INTEGER(X) X(f32) X(f64)
#define EACH_NARROW(X)   X(u8) X(u16) X(u32) X(i8) X(i16) X(i32)

EACH_UNSIGNED(DECLARE_WRAPPING)
EACH_NUMBER(DECLARE_ORDERED)
EACH_NUMBER(DECLARE_INDEX)
EACH_NUMBER(DECLARE_BEFORE)
EACH_NARROW(DECLARE_WIDE)
extern const hd__cpu_layout_kernels HD__NAME(layout_kernels);
DECLARE_ROW(sum, f32)
DECLARE_ROW(sum, f64)
DECLARE_ROW(product, f32)
DECLARE_ROW(product, f64)
DECLARE_ROW(sum_compensated, f32)
DECLARE_ROW(sum_compensated, f64)

#endif
