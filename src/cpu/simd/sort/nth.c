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

// A function for each type: K keys of elements of bits U.
#define KEYS(name, U, K, TOP, KEY, IS_NAN)                                                         \
    static void keys_##name(const void *in, int64_t n, bool descending, void *keys)                \
    {                                                                                              \
        const U *x = in, turn = descending ? (U)-1 : 0;                                            \
        K *k = keys;                                                                               \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const U b = x[i];                                                                      \
            k[i] = IS_NAN(U, (U)TOP, b) ? (K)-1 : (K)(U)(KEY(U, (U)TOP, b) ^ turn);                \
        }                                                                                          \
    }

KEYS(i8, uint8_t, uint32_t, 0x80, OF_SIGNED, NEVER)
KEYS(i16, uint16_t, uint32_t, 0x8000, OF_SIGNED, NEVER)
KEYS(i32, uint32_t, uint32_t, 0x80000000u, OF_SIGNED, NEVER)
KEYS(i64, uint64_t, uint64_t, UINT64_C(0x8000000000000000), OF_SIGNED, NEVER)
KEYS(u8, uint8_t, uint32_t, 0x80, OF_UNSIGNED, NEVER)
KEYS(u16, uint16_t, uint32_t, 0x8000, OF_UNSIGNED, NEVER)
KEYS(u32, uint32_t, uint32_t, 0x80000000u, OF_UNSIGNED, NEVER)
KEYS(u64, uint64_t, uint64_t, UINT64_C(0x8000000000000000), OF_UNSIGNED, NEVER)
KEYS(f16, uint16_t, uint32_t, 0x8000, OF_FLOAT, NAN_F16)
KEYS(bf16, uint16_t, uint32_t, 0x8000, OF_FLOAT, NAN_BF16)
KEYS(f32, uint32_t, uint32_t, 0x80000000u, OF_FLOAT, NAN_F32)
KEYS(f64, uint64_t, uint64_t, UINT64_C(0x8000000000000000), OF_FLOAT, NAN_F64)
KEYS(truth, uint8_t, uint32_t, 0x80, OF_TRUTH, NEVER)

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
    .of_32 = {range_of_32, count_of_32, pack_of_32, equal_of_32},
    .of_64 = {range_of_64, count_of_64, pack_of_64, equal_of_64},
};
