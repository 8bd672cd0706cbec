// SPDX-License-Identifier: Apache-2.0
// Random numbers of every type: the table of one instruction set.
#include "core/convert.h"
#include "cpu/move/random_kernels.h"
#include "cpu/simd/vec.h"

#define T         double
#define NAME      uniform_f64
#define NUMBER(r) (hd__random_number(r) * 0x1p-53)
#include "random.inc"
#define T         float
#define NAME      uniform_f32
#define NUMBER(r) ((float)(int32_t)((r) >> 40) * 0x1p-24f)
#include "random.inc"
#define T         uint16_t
#define NAME      uniform_f16
#define NUMBER(r) hd__f32_to_f16((float)(int32_t)((r) >> 53) * 0x1p-11f)
#include "random.inc"
#define T         uint16_t
#define NAME      uniform_bf16
#define NUMBER(r) hd__f32_to_bf16((float)(int32_t)((r) >> 56) * 0x1p-8f)
#include "random.inc"

#define T         double
#define NAME      normal_f64
#define NUMBER(r) hd__random_normal(r)
#include "random.inc"
#define T         float
#define NAME      normal_f32
#define NUMBER(r) ((float)hd__random_normal(r))
#include "random.inc"
#define T         uint16_t
#define NAME      normal_f16
#define NUMBER(r) hd__f64_to_f16(hd__random_normal(r))
#include "random.inc"
#define T         uint16_t
#define NAME      normal_bf16
#define NUMBER(r) hd__f64_to_bf16(hd__random_normal(r))
#include "random.inc"

#define T    uint8_t
#define NAME range_8
#include "random_range.inc"
#define T    uint16_t
#define NAME range_16
#include "random_range.inc"
#define T    uint32_t
#define NAME range_32
#include "random_range.inc"
#define T    uint64_t
#define NAME range_64
#include "random_range.inc"

extern const struct hd__cpu_random_kernels HD__NAME(random_kernels);
const hd__cpu_random_kernels HD__NAME(random_kernels) = {
    .uniform = {[HD_I8] = range_8,
                [HD_I16] = range_16,
                [HD_I32] = range_32,
                [HD_I64] = range_64,
                [HD_U8] = range_8,
                [HD_U16] = range_16,
                [HD_U32] = range_32,
                [HD_U64] = range_64,
                [HD_F16] = uniform_f16,
                [HD_BF16] = uniform_bf16,
                [HD_F32] = uniform_f32,
                [HD_F64] = uniform_f64,
                [HD_BOOL] = range_8},
    .normal = {[HD_F16] = normal_f16,
               [HD_BF16] = normal_bf16,
               [HD_F32] = normal_f32,
               [HD_F64] = normal_f64},
};
