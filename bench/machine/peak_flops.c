// SPDX-License-Identifier: Apache-2.0
//
// The loop of peak_flops_body.h for each type and instruction set.
#include "peak_flops.h"

#include <math.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define REGISTER "x"
#elif defined(__aarch64__)
#include <arm_neon.h>
#define REGISTER "w"
#else
#define REGISTER "m"
#endif

#define AS_IS(x)         (x)
#define AS_FLOAT(x)      ((float)(x))
#define FMA_F32(a, b, c) vfmaq_f32(c, a, b)
#define FMA_F64(a, b, c) vfmaq_f64(c, a, b)

#if defined(__aarch64__)
#define NAME flops_f32
#define TARGET
#define VECTOR float32x4_t
#define LANES  4
#define FILL   vdupq_n_f32
#define FMA    FMA_F32
#include "peak_flops_body.h"
#define NAME flops_f64
#define TARGET
#define VECTOR float64x2_t
#define LANES  2
#define FILL   vdupq_n_f64
#define FMA    FMA_F64
#include "peak_flops_body.h"
#else
#define NAME flops_f32
#define TARGET
#define VECTOR float
#define LANES  1
#define FILL   AS_FLOAT
#define FMA    fmaf
#include "peak_flops_body.h"
#define NAME flops_f64
#define TARGET
#define VECTOR double
#define LANES  1
#define FILL   AS_IS
#define FMA    fma
#include "peak_flops_body.h"
#endif

#if defined(__x86_64__)
#define NAME   flops_f32_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR __m256
#define LANES  8
#define FILL   _mm256_set1_ps
#define FMA    _mm256_fmadd_ps
#include "peak_flops_body.h"
#define NAME   flops_f64_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR __m256d
#define LANES  4
#define FILL   _mm256_set1_pd
#define FMA    _mm256_fmadd_pd
#include "peak_flops_body.h"
#undef REGISTER
#define REGISTER "v"
#define NAME     flops_f32_avx512
#define TARGET   __attribute__((target("avx512f")))
#define VECTOR   __m512
#define LANES    16
#define FILL     _mm512_set1_ps
#define FMA      _mm512_fmadd_ps
#include "peak_flops_body.h"
#define NAME   flops_f64_avx512
#define TARGET __attribute__((target("avx512f")))
#define VECTOR __m512d
#define LANES  8
#define FILL   _mm512_set1_pd
#define FMA    _mm512_fmadd_pd
#include "peak_flops_body.h"
#endif

#define MIN_SHARED 1e6 // fewer operations are not worth a second thread

typedef void flops_kernel(int64_t operations);

static flops_kernel *best(bool wide)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return wide ? flops_f64_avx512 : flops_f32_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return wide ? flops_f64_avx2 : flops_f32_avx2;
#endif
    return wide ? flops_f64 : flops_f32;
}

void peak_flops_run(bool wide, double flops, int threads)
{
    flops_kernel *const run = best(wide);
    if (flops < MIN_SHARED) threads = 1;
    const int64_t share = (int64_t)(flops / threads) + 1;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int k = 0; k < threads; k++) run(share);
}
