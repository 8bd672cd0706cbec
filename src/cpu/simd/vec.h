// SPDX-License-Identifier: Apache-2.0
// The vector vocabulary of the micro-kernels, over GNU C's vectors: width of the instruction set,
// names that carry it, and what the language lacks (choosing lanes, minimum and maximum).
#ifndef HEDDLE_CPU_SIMD_VEC_H
#define HEDDLE_CPU_SIMD_VEC_H

#include "cpu/runtime/micro.h"

#include <string.h>

// HD__NAME(sum_f32) is hd__cpu_sum_f32_neon: every global name says its instruction set.
#define HD__PASTE(a, b)          a##_##b
#define HD__PASTE_EXPANDED(a, b) HD__PASTE(a, b)
#define HD__NAME(name)           HD__PASTE_EXPANDED(hd__cpu, HD__PASTE_EXPANDED(name, HD_ISA))

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#include <immintrin.h>
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#include <immintrin.h>
#elif defined(__ARM_NEON)
#define VECTOR_BYTES 16
#include <arm_neon.h>
#else
#define VECTOR_BYTES 16
#endif

// A vector of a type in registers, and the same in memory at any address.
#define DECLARE_VECTOR(V, VM, T)                                                                   \
    typedef T V __attribute__((vector_size(VECTOR_BYTES)));                                        \
    typedef T VM __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias))

// Streams far enough apart are read side by side: each brings its own prefetcher. Measured on a
// Neoverse V1 with two threads at 2^27 f32: one stream 50 GB/s, four 64, the machine's limit.
#define STREAMS      HD__STREAMS
#define STREAM_BYTES (256 * 1024) // nearer than this they get in each other's way

// x in every lane. Subtracting zero keeps the sign of a zero, which adding one would not.
#define SPLAT(x) ((x) - (V){0})

// A value whose making the compiler may not look into: keeps it from regrouping integer sums into
// one long chain.
#if defined(__aarch64__)
#define OPAQUE(v) __asm__("" : "+w"(v))
#elif defined(__x86_64__)
#define OPAQUE(v) __asm__("" : "+v"(v))
#else
#define OPAQUE(v) (void)(v)
#endif

#define INLINE static inline __attribute__((always_inline))

#endif
