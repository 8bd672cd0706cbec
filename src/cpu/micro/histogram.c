// SPDX-License-Identifier: Apache-2.0
// Histograms for one instruction set: bins of integers and floats, search among edges.
#include "histogram.h"

#define PASTED_(a, b) a##_##b
#define PASTED(a, b)  PASTED_(a, b)

// ---- Integers ---------------------------------------------------------------------------------

#define T    int8_t
#define W    int32_t
#define UW   uint32_t
#define NAME i8
#include "histogram_integers.inc"
#define T    int16_t
#define W    int32_t
#define UW   uint32_t
#define NAME i16
#include "histogram_integers.inc"
#define T    int32_t
#define W    int32_t
#define UW   uint32_t
#define NAME i32
#include "histogram_integers.inc"
#define T    int64_t
#define W    int64_t
#define UW   uint64_t
#define NAME i64
#include "histogram_integers.inc"
#define T    uint8_t
#define W    int32_t
#define UW   uint32_t
#define NAME u8
#include "histogram_integers.inc"
#define T    uint16_t
#define W    int32_t
#define UW   uint32_t
#define NAME u16
#include "histogram_integers.inc"
#define T    uint32_t
#define W    uint32_t
#define UW   uint32_t
#define NAME u32
#include "histogram_integers.inc"
#define T    uint64_t
#define W    uint64_t
#define UW   uint64_t
#define NAME u64
#include "histogram_integers.inc"

// ---- Even bins --------------------------------------------------------------------------------

#define T    float
#define NAME f32
#include "histogram_even.inc"
#define T    double
#define NAME f64
#include "histogram_even.inc"

// ---- Edges ------------------------------------------------------------------------------------

#define SIDE 8

#define T     double
#define EDGES f
#define NAME  f64
#include "histogram_edges.inc"
#define T     int64_t
#define EDGES i
#define NAME  i64
#include "histogram_edges.inc"

const hd__histogram_micro HD__NAME(histogram_kernels) = {
    .integers =
        {
            [HD_I8] = integers_i8,
            [HD_I16] = integers_i16,
            [HD_I32] = integers_i32,
            [HD_I64] = integers_i64,
            [HD_U8] = integers_u8,
            [HD_U16] = integers_u16,
            [HD_U32] = integers_u32,
            [HD_U64] = integers_u64,
        },
    .even_f32 = even_f32,
    .even_f64 = even_f64,
    .edges_f64 = edges_f64,
    .edges_i64 = edges_i64,
    .count = HD__NAME(count_bins),
    .count_bytes = HD__NAME(count_bytes),
    .count_words = HD__NAME(count_words),
};
