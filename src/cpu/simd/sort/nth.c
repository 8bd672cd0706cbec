// SPDX-License-Identifier: Apache-2.0
// Selection by rank: elements to keys of their order, and loops over keys of 32 and of 64 bits.
#include "cpu/sort/nth_kernels.h"
#include "cpu/simd/vec.h"

// The key of an element's bits B, as an unsigned integer U with TOP for its sign.
#define OF_UNSIGNED(U, TOP, b)      ((U)(b))
#define OF_SIGNED(U, TOP, b)        ((U)((U)(b) ^ (TOP)))
#define OF_TRUTH(U, TOP, b)         ((U)((b) != 0))
#define OF_FLOAT(U, TOP, b)         ((U)((b) ^ ((b) & (TOP) ? (U)-1 : (TOP))))
#define NEVER(U, TOP, b)            0
#define BEYOND(U, TOP, b, INFINITE) ((U)((b) & (U) ~(TOP)) > (INFINITE))

#define NAN_F16(U, TOP, b)  BEYOND(U, TOP, b, 0x7c00)
#define NAN_BF16(U, TOP, b) BEYOND(U, TOP, b, 0x7f80)
#define NAN_F32(U, TOP, b)  BEYOND(U, TOP, b, 0x7f800000u)
#define NAN_F64(U, TOP, b)  BEYOND(U, TOP, b, UINT64_C(0x7ff0000000000000))

#define NAME   i8
#define U      uint8_t
#define K      uint32_t
#define TOP    ((U)0x80)
#define KEY    OF_SIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   i16
#define U      uint16_t
#define K      uint32_t
#define TOP    ((U)0x8000)
#define KEY    OF_SIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   i32
#define U      uint32_t
#define K      uint32_t
#define TOP    ((U)0x80000000u)
#define KEY    OF_SIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   i64
#define U      uint64_t
#define K      uint64_t
#define TOP    ((U)UINT64_C(0x8000000000000000))
#define KEY    OF_SIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   u8
#define U      uint8_t
#define K      uint32_t
#define TOP    ((U)0x80)
#define KEY    OF_UNSIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   u16
#define U      uint16_t
#define K      uint32_t
#define TOP    ((U)0x8000)
#define KEY    OF_UNSIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   u32
#define U      uint32_t
#define K      uint32_t
#define TOP    ((U)0x80000000u)
#define KEY    OF_UNSIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   u64
#define U      uint64_t
#define K      uint64_t
#define TOP    ((U)UINT64_C(0x8000000000000000))
#define KEY    OF_UNSIGNED
#define IS_NAN NEVER
#include "nth_keys.inc"
#define NAME   f16
#define U      uint16_t
#define K      uint32_t
#define TOP    ((U)0x8000)
#define KEY    OF_FLOAT
#define IS_NAN NAN_F16
#include "nth_keys.inc"
#define NAME   bf16
#define U      uint16_t
#define K      uint32_t
#define TOP    ((U)0x8000)
#define KEY    OF_FLOAT
#define IS_NAN NAN_BF16
#include "nth_keys.inc"
#define NAME   f32
#define U      uint32_t
#define K      uint32_t
#define TOP    ((U)0x80000000u)
#define KEY    OF_FLOAT
#define IS_NAN NAN_F32
#include "nth_keys.inc"
#define NAME   f64
#define U      uint64_t
#define K      uint64_t
#define TOP    ((U)UINT64_C(0x8000000000000000))
#define KEY    OF_FLOAT
#define IS_NAN NAN_F64
#include "nth_keys.inc"
#define NAME   truth
#define U      uint8_t
#define K      uint32_t
#define TOP    ((U)0x80)
#define KEY    OF_TRUTH
#define IS_NAN NEVER
#include "nth_keys.inc"

#define K    uint32_t
#define NAME of_32
#include "nth.inc"
#define K    uint64_t
#define NAME of_64
#include "nth.inc"

#define keys_bool keys_truth

extern const struct hd__cpu_nth_kernels HD__NAME(nth_kernels);
const hd__cpu_nth_kernels HD__NAME(nth_kernels) = {
    .keys =
        {
#define X(name, id, T, kind) [id] = keys_##name,
#include "core/types.def"
#undef X
        },
    .of_32 = {range_of_32, count_of_32, pack_of_32, within_of_32, equal_of_32},
    .of_64 = {range_of_64, count_of_64, pack_of_64, within_of_64, equal_of_64},
};
