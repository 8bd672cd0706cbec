// SPDX-License-Identifier: Apache-2.0
// Whether neighbours are in order, by number type and direction: the table of one instruction set.
// Floats are compared as the integers of patterns/sort/number_orders.c.
#include "cpu/select/order_kernels.h"
#include "cpu/simd/vec.h"

#define AS_IT_IS(x, nan) (x)
#define IS_TRUE(x, nan)  ((x) != 0)
#define OF_FLOAT(x, nan, S, MAX, INFINITE)                                                         \
    ((S)((x) & (MAX)) > (INFINITE) ? (nan) : (S)((x) ^ ((x) < 0 ? (MAX) : 0)))

#define T     int8_t
#define U     uint8_t
#define NAME  i8
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     int16_t
#define U     uint16_t
#define NAME  i16
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     int32_t
#define U     uint32_t
#define NAME  i32
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     int64_t
#define U     uint64_t
#define NAME  i64
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     uint8_t
#define U     uint8_t
#define NAME  u8
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     uint16_t
#define U     uint16_t
#define NAME  u16
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     uint32_t
#define U     uint32_t
#define NAME  u32
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     uint64_t
#define U     uint64_t
#define NAME  u64
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T     uint8_t
#define U     uint8_t
#define NAME  truth // bool is a macro
#define KEY   IS_TRUE
#define LAST  0
#define FIRST 0
#include "disorder.inc"
#define T           int16_t
#define U           uint16_t
#define NAME        f16
#define KEY(x, nan) OF_FLOAT(x, nan, int16_t, INT16_MAX, 0x7c00)
#define LAST        INT16_MAX
#define FIRST       INT16_MIN
#include "disorder.inc"
#define T           int16_t
#define U           uint16_t
#define NAME        bf16
#define KEY(x, nan) OF_FLOAT(x, nan, int16_t, INT16_MAX, 0x7f80)
#define LAST        INT16_MAX
#define FIRST       INT16_MIN
#include "disorder.inc"
#define T           int32_t
#define U           uint32_t
#define NAME        f32
#define KEY(x, nan) OF_FLOAT(x, nan, int32_t, INT32_MAX, 0x7f800000)
#define LAST        INT32_MAX
#define FIRST       INT32_MIN
#include "disorder.inc"
#define T           int64_t
#define U           uint64_t
#define NAME        f64
#define KEY(x, nan) OF_FLOAT(x, nan, int64_t, INT64_MAX, 0x7ff0000000000000)
#define LAST        INT64_MAX
#define FIRST       INT64_MIN
#include "disorder.inc"

#define up_bool          up_truth
#define up_strict_bool   up_strict_truth
#define down_bool        down_truth
#define down_strict_bool down_strict_truth

extern const struct hd__cpu_order_kernels HD__NAME(order_kernels);
const hd__cpu_order_kernels HD__NAME(order_kernels) = {
    .disorder = {{{
#define X(name, id, T, kind) [id] = up_##name,
#include "core/types.def"
#undef X
                  },
                  {
#define X(name, id, T, kind) [id] = up_strict_##name,
#include "core/types.def"
#undef X
                  }},
                 {{
#define X(name, id, T, kind) [id] = down_##name,
#include "core/types.def"
#undef X
                  },
                  {
#define X(name, id, T, kind) [id] = down_strict_##name,
#include "core/types.def"
#undef X
                  }}},
};
