// SPDX-License-Identifier: Apache-2.0
// What comes before a bound, for the top k: greater than it, or less. NaN never does; a bound of
// zero or NaN, about which these comparisons know too little, is not for these kernels.
#include "cpu/simd/reduce_scan/rows.h"

#define t    i8
#define T    int8_t
#define FLAG int8_t
#include "before.inc"

#define t    i16
#define T    int16_t
#define FLAG int16_t
#include "before.inc"

#define t    i32
#define T    int32_t
#define FLAG int32_t
#include "before.inc"

#define t    i64
#define T    int64_t
#define FLAG int64_t
#include "before.inc"

#define t    u8
#define T    uint8_t
#define FLAG int8_t
#include "before.inc"

#define t    u16
#define T    uint16_t
#define FLAG int16_t
#include "before.inc"

#define t    u32
#define T    uint32_t
#define FLAG int32_t
#include "before.inc"

#define t    u64
#define T    uint64_t
#define FLAG int64_t
#include "before.inc"

#define t    f32
#define T    float
#define FLAG int32_t
#include "before.inc"

#define t    f64
#define T    double
#define FLAG int64_t
#include "before.inc"
