// SPDX-License-Identifier: Apache-2.0
// The index of the least or greatest element, for every number type.
#include "rows.h"

#define IS_NAN(x) 0 // an integer never is

#define NEAR 512 // elements whose extreme is looked for one by one

#define t u8
#define T uint8_t
#include "extreme_index.inc"
#undef t
#undef T

#define t u16
#define T uint16_t
#include "extreme_index.inc"
#undef t
#undef T

#define t u32
#define T uint32_t
#include "extreme_index.inc"
#undef t
#undef T

#define t u64
#define T uint64_t
#include "extreme_index.inc"
#undef t
#undef T

#define t i8
#define T int8_t
#include "extreme_index.inc"
#undef t
#undef T

#define t i16
#define T int16_t
#include "extreme_index.inc"
#undef t
#undef T

#define t i32
#define T int32_t
#include "extreme_index.inc"
#undef t
#undef T

#define t i64
#define T int64_t
#include "extreme_index.inc"
#undef t
#undef T

#undef IS_NAN
#define IS_NAN(x) ((x) != (x))

#define t f32
#define T float
#include "extreme_index.inc"
#undef t
#undef T

#define t f64
#define T double
#include "extreme_index.inc"
#undef t
#undef T
