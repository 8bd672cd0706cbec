// SPDX-License-Identifier: Apache-2.0
// Weighted sums over a mask for one instruction set: f32 and f64 of one text.
#include "cpu/simd/fma.h"
#include "cpu/simd/fma_lane.h"
#include "neighbours.h"

#define T           float
#define V           vec_f32
#define VM          vec_f32_memory
#define FMA         fma_f32
#define FMA_ONE     fmaf
#define FROM_LANE   FROM_LANE_F32
#define FMA_LANE    fma_lane_f32
#define NAMED(name) HD__NAME(name##_f32)
#include "convolve.inc"

#define T           double
#define V           vec_f64
#define VM          vec_f64_memory
#define FMA         fma_f64
#define FMA_ONE     fma
#define FROM_LANE   FROM_LANE_F64
#define FMA_LANE    fma_lane_f64
#define NAMED(name) HD__NAME(name##_f64)
#include "convolve.inc"
