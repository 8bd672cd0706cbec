// SPDX-License-Identifier: Apache-2.0
// The loop of matmul_tile.inc for each type and instruction set, and the best one of this machine.
#include "matmul_tile.h"

#include <math.h>

#define FILL_SCALAR(x)     (x)
#define LOAD_SCALAR(p)     (*(p))
#define STORE_SCALAR(p, x) (*(p) = (x))

// ---- Any machine --------------------------------------------------------------------------------

#define NAME tile_f32
#define TARGET
#define T       float
#define WIDTH   TILE_WIDTH_F32
#define VECTOR  float
#define LANES   1
#define LOAD    LOAD_SCALAR
#define STORE   STORE_SCALAR
#define FILL    FILL_SCALAR
#define FMA     fmaf
#define ROWS    2
#define COLUMNS 4
#include "matmul_tile.inc"

#define NAME tile_f64
#define TARGET
#define T       double
#define WIDTH   TILE_WIDTH_F64
#define VECTOR  double
#define LANES   1
#define LOAD    LOAD_SCALAR
#define STORE   STORE_SCALAR
#define FILL    FILL_SCALAR
#define FMA     fma
#define ROWS    2
#define COLUMNS 4
#include "matmul_tile.inc"

// ---- x86_64 -------------------------------------------------------------------------------------

#if defined(__x86_64__)
#include <immintrin.h>

#define NAME    tile_f32_avx2
#define TARGET  __attribute__((target("avx2,fma")))
#define T       float
#define WIDTH   TILE_WIDTH_F32
#define VECTOR  __m256
#define LANES   8
#define LOAD    _mm256_loadu_ps
#define STORE   _mm256_storeu_ps
#define FILL    _mm256_set1_ps
#define FMA     _mm256_fmadd_ps
#define ROWS    4
#define COLUMNS 3
#include "matmul_tile.inc"

#define NAME    tile_f64_avx2
#define TARGET  __attribute__((target("avx2,fma")))
#define T       double
#define WIDTH   TILE_WIDTH_F64
#define VECTOR  __m256d
#define LANES   4
#define LOAD    _mm256_loadu_pd
#define STORE   _mm256_storeu_pd
#define FILL    _mm256_set1_pd
#define FMA     _mm256_fmadd_pd
#define ROWS    4
#define COLUMNS 3
#include "matmul_tile.inc"

#define NAME    tile_f32_avx512
#define TARGET  __attribute__((target("avx512f")))
#define T       float
#define WIDTH   TILE_WIDTH_F32
#define VECTOR  __m512
#define LANES   16
#define LOAD    _mm512_loadu_ps
#define STORE   _mm512_storeu_ps
#define FILL    _mm512_set1_ps
#define FMA     _mm512_fmadd_ps
#define ROWS    8
#define COLUMNS 3
#include "matmul_tile.inc"

#define NAME    tile_f64_avx512
#define TARGET  __attribute__((target("avx512f")))
#define T       double
#define WIDTH   TILE_WIDTH_F64
#define VECTOR  __m512d
#define LANES   8
#define LOAD    _mm512_loadu_pd
#define STORE   _mm512_storeu_pd
#define FILL    _mm512_set1_pd
#define FMA     _mm512_fmadd_pd
#define ROWS    8
#define COLUMNS 3
#include "matmul_tile.inc"

hd__tile_add *hd__tile_best(bool wide)
{
    if (__builtin_cpu_supports("avx512f")) return wide ? tile_f64_avx512 : tile_f32_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return wide ? tile_f64_avx2 : tile_f32_avx2;
    return wide ? tile_f64 : tile_f32;
}

// ---- aarch64 ------------------------------------------------------------------------------------

#elif defined(__aarch64__)
#include <arm_neon.h>

#define FMA_F32(a, b, c) vfmaq_f32(c, a, b)
#define FMA_F64(a, b, c) vfmaq_f64(c, a, b)

#define NAME tile_f32_neon
#define TARGET
#define T       float
#define WIDTH   TILE_WIDTH_F32
#define VECTOR  float32x4_t
#define LANES   4
#define LOAD    vld1q_f32
#define STORE   vst1q_f32
#define FILL    vdupq_n_f32
#define FMA     FMA_F32
#define ROWS    4
#define COLUMNS 4
#include "matmul_tile.inc"

#define NAME tile_f64_neon
#define TARGET
#define T       double
#define WIDTH   TILE_WIDTH_F64
#define VECTOR  float64x2_t
#define LANES   2
#define LOAD    vld1q_f64
#define STORE   vst1q_f64
#define FILL    vdupq_n_f64
#define FMA     FMA_F64
#define ROWS    4
#define COLUMNS 4
#include "matmul_tile.inc"

hd__tile_add *hd__tile_best(bool wide)
{
    (void)tile_f32;
    (void)tile_f64;
    return wide ? tile_f64_neon : tile_f32_neon;
}

#else

hd__tile_add *hd__tile_best(bool wide)
{
    return wide ? tile_f64 : tile_f32;
}

#endif
