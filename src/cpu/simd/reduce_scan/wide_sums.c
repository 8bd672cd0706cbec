// SPDX-License-Identifier: Apache-2.0
// Sums of 8-, 16- and 32-bit integers in 64 bits, read as they lie.
#include "rows.h"

DECLARE_VECTOR(V8, V8M, uint8_t);
DECLARE_VECTOR(V16, V16M, uint16_t);
DECLARE_VECTOR(V32, V32M, uint32_t);
typedef uint64_t V64 __attribute__((vector_size(VECTOR_BYTES)));

#if defined(__ARM_NEON)
#define ADD_PAIRS_8(sum, v)  ((V16)vpadalq_u8((uint16x8_t)(sum), (uint8x16_t)(v)))
#define ADD_PAIRS_16(sum, v) ((V32)vpadalq_u16((uint32x4_t)(sum), (uint16x8_t)(v)))
#define ADD_PAIRS_32(sum, v) ((V64)vpadalq_u32((uint64x2_t)(sum), (uint32x4_t)(v)))
#else
#define ADD_PAIRS_8(sum, v)  ((sum) + ((V16)(v)&0xff) + ((V16)(v) >> 8))
#define ADD_PAIRS_16(sum, v) ((sum) + ((V32)(v)&0xffff) + ((V32)(v) >> 16))
#define ADD_PAIRS_32(sum, v) ((sum) + ((V64)(v)&0xffffffff) + ((V64)(v) >> 32))
#endif

#define T         uint8_t
#define V         V8
#define VM        V8M
#define VW        V16
#define ADD_PAIRS ADD_PAIRS_8
#define NAME      wide_u8
#define BIAS      0
#include "wide_sum.inc"
#undef NAME
#undef BIAS
#define NAME wide_i8
#define BIAS 0x80
#include "wide_sum.inc"
#undef NAME
#undef BIAS
#undef T
#undef V
#undef VM
#undef VW
#undef ADD_PAIRS

#define T         uint16_t
#define V         V16
#define VM        V16M
#define VW        V32
#define ADD_PAIRS ADD_PAIRS_16
#define NAME      wide_u16
#define BIAS      0
#include "wide_sum.inc"
#undef NAME
#undef BIAS
#define NAME wide_i16
#define BIAS 0x8000
#include "wide_sum.inc"
#undef NAME
#undef BIAS
#undef T
#undef V
#undef VM
#undef VW
#undef ADD_PAIRS

#define T         uint32_t
#define V         V32
#define VM        V32M
#define VW        V64
#define ADD_PAIRS ADD_PAIRS_32
#define NAME      wide_u32
#define BIAS      0
#include "wide_sum.inc"
#undef NAME
#undef BIAS
#define NAME wide_i32
#define BIAS 0x80000000u
#include "wide_sum.inc"
