// SPDX-License-Identifier: Apache-2.0
// The table that joins operators and types to the micro-kernels of one instruction set.
#include "cpu/simd/histogram/histogram.h"
#include "cpu/simd/reduce_scan/rows.h"
#include "cpu/sort/merge_kernels.h"
#include "cpu/sort/sort_kernels.h"

#define WRAPPING(op)                                                                               \
    {                                                                                              \
        [HD_I8] = &HD__NAME(op##_u8), [HD_I16] = &HD__NAME(op##_u16),                              \
        [HD_I32] = &HD__NAME(op##_u32), [HD_I64] = &HD__NAME(op##_u64),                            \
        [HD_U8] = &HD__NAME(op##_u8), [HD_U16] = &HD__NAME(op##_u16),                              \
        [HD_U32] = &HD__NAME(op##_u32), [HD_U64] = &HD__NAME(op##_u64),                            \
    }
#define ARITHMETIC(op)                                                                             \
    {                                                                                              \
        [HD_I8] = &HD__NAME(op##_u8), [HD_I16] = &HD__NAME(op##_u16),                              \
        [HD_I32] = &HD__NAME(op##_u32), [HD_I64] = &HD__NAME(op##_u64),                            \
        [HD_U8] = &HD__NAME(op##_u8), [HD_U16] = &HD__NAME(op##_u16),                              \
        [HD_U32] = &HD__NAME(op##_u32), [HD_U64] = &HD__NAME(op##_u64),                            \
        [HD_F32] = &HD__NAME(op##_f32), [HD_F64] = &HD__NAME(op##_f64),                            \
    }
#define OF_EVERY(prefix, name)                                                                     \
    {                                                                                              \
        [HD_I8] = prefix HD__NAME(name##_i8), [HD_I16] = prefix HD__NAME(name##_i16),              \
        [HD_I32] = prefix HD__NAME(name##_i32), [HD_I64] = prefix HD__NAME(name##_i64),            \
        [HD_U8] = prefix HD__NAME(name##_u8), [HD_U16] = prefix HD__NAME(name##_u16),              \
        [HD_U32] = prefix HD__NAME(name##_u32), [HD_U64] = prefix HD__NAME(name##_u64),            \
        [HD_F32] = prefix HD__NAME(name##_f32), [HD_F64] = prefix HD__NAME(name##_f64),            \
    }

extern hd__cpu_moments_of HD__NAME(moments_f32), HD__NAME(moments_f64), HD__NAME(moments_i32),
    HD__NAME(moments_u32), HD__NAME(moments_i64), HD__NAME(moments_u64);
extern const hd__cpu_tree_sums HD__NAME(tree_sums);
extern hd__cpu_expansion_of HD__NAME(expansion_f32), HD__NAME(expansion_f64);
extern hd__cpu_bin_sum HD__NAME(bins_f64);
extern hd__cpu_squares_of HD__NAME(squares_f32), HD__NAME(squares_f64);

// Weak: NULL in a static program that has nothing which brings them (HD__CPU_BRINGS).
#define WEAK extern __attribute__((weak))
WEAK const hd__cpu_fused_scans HD__NAME(fused_scans);
WEAK const hd__cpu_sort_kernels HD__NAME(sort_kernels);
WEAK const hd__cpu_merge_kernels HD__NAME(merge_kernels);
WEAK const hd__cpu_layout_kernels HD__NAME(layout_kernels);
WEAK const hd__cpu_histogram_kernels HD__NAME(histogram_kernels);
WEAK const struct hd__cpu_select_kernels HD__NAME(select_micro);
WEAK const struct hd__cpu_order_kernels HD__NAME(order_kernels);
WEAK const struct hd__cpu_nth_kernels HD__NAME(nth_kernels);
WEAK const struct hd__cpu_random_kernels HD__NAME(random_kernels);
WEAK const struct hd__cpu_neighbour_table HD__NAME(neighbour_table);
#define WEAK_BEFORE(t) WEAK hd__cpu_find_beyond HD__NAME(greater_##t), HD__NAME(less_##t);
EACH_NUMBER(WEAK_BEFORE)

extern const hd__cpu_isa_kernels HD__NAME(micro_table);
const hd__cpu_isa_kernels HD__NAME(micro_table) = {
    .row =
        {
            [HD__SUM] = ARITHMETIC(sum),
            [HD__PRODUCT] = ARITHMETIC(product),
            [HD__SUM_COMPENSATED] = {[HD_F32] = &HD__NAME(sum_compensated_f32),
                                     [HD_F64] = &HD__NAME(sum_compensated_f64)},
            [HD__MIN] = OF_EVERY(&, min),
            [HD__MAX] = OF_EVERY(&, max),
            [HD__AND] = WRAPPING(and),
            [HD__OR] = WRAPPING(or),
            [HD__XOR] = WRAPPING(xor),
        },
    .wide_sum =
        {
            [HD_I8] = HD__NAME(wide_i8_sum),
            [HD_I16] = HD__NAME(wide_i16_sum),
            [HD_I32] = HD__NAME(wide_i32_sum),
            [HD_U8] = HD__NAME(wide_u8_sum),
            [HD_U16] = HD__NAME(wide_u16_sum),
            [HD_U32] = HD__NAME(wide_u32_sum),
        },
    .sums = &HD__NAME(tree_sums),
    .fused_scans = &HD__NAME(fused_scans),
    .moments = {[HD_F32] = HD__NAME(moments_f32),
                [HD_F64] = HD__NAME(moments_f64),
                [HD_I32] = HD__NAME(moments_i32),
                [HD_U32] = HD__NAME(moments_u32),
                [HD_I64] = HD__NAME(moments_i64),
                [HD_U64] = HD__NAME(moments_u64)},
    .squares = {[HD_F32] = HD__NAME(squares_f32), [HD_F64] = HD__NAME(squares_f64)},
    .exact = {.expansion = {[HD_F32] = HD__NAME(expansion_f32), [HD_F64] = HD__NAME(expansion_f64)},
              .bins = HD__NAME(bins_f64)},
    .argmin = OF_EVERY(, argmin),
    .argmax = OF_EVERY(, argmax),
    .sort = &HD__NAME(sort_kernels),
    .merge = &HD__NAME(merge_kernels),
    .layout = &HD__NAME(layout_kernels),
    .greater = OF_EVERY(, greater),
    .less = OF_EVERY(, less),
    .histogram = &HD__NAME(histogram_kernels),
    .select = &HD__NAME(select_micro),
    .order = &HD__NAME(order_kernels),
    .nth = &HD__NAME(nth_kernels),
    .random = &HD__NAME(random_kernels),
    .neighbours = &HD__NAME(neighbour_table),
};
