// SPDX-License-Identifier: Apache-2.0
// The index of the least or greatest element, for every number type.
#include "extremes.h"
#include "rows.h"

#define IS_NAN(x)  0 // an integer never is
#define NUMBERS(v) (~(I){0})

#define NEAR        512  // elements whose extreme is looked for one by one
#define BLOCK_BYTES 1024 // a block whose lanes are looked at together: 16 vectors or more

#define t u8
#define T uint8_t
#define S int8_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t u16
#define T uint16_t
#define S int16_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t u32
#define T uint32_t
#define S int32_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t u64
#define T uint64_t
#define S int64_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t i8
#define T int8_t
#define S int8_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t i16
#define T int16_t
#define S int16_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t i32
#define T int32_t
#define S int32_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t i64
#define T int64_t
#define S int64_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#undef IS_NAN
#undef NUMBERS
#define IS_NAN(x)  ((x) != (x))
#define NUMBERS(v) ((v) == (v))

#define t f32
#define T float
#define S int32_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S

#define t f64
#define T double
#define S int64_t
#include "extreme_index.inc"
#undef t
#undef T
#undef S
