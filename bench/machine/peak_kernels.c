// SPDX-License-Identifier: Apache-2.0
//
// The kernels of peak bandwidth: the body of peak_body.h for each instruction set, the C library's
// memcpy and memset, and copies through non-temporal stores; and the table of them all.
#include "peak_kernels.h"

#include <string.h>

#if defined(__aarch64__)
#define USE(v)   "w"(v)
#define USE_CODE "w"
#elif defined(__x86_64__)
#include <emmintrin.h>
#define USE(v)   "x"(v)
#define USE_CODE "x"
#else
#define USE(v)   "m"(v)
#define USE_CODE "m"
#endif

#define ISA    base
#define TARGET __attribute__((unused))
#define WIDTH  16
#include "peak_body.h"

#if defined(__x86_64__)
#define ISA    avx2
#define TARGET __attribute__((target("avx2")))
#define WIDTH  32
#include "peak_body.h"
#define ISA    avx512
#define TARGET __attribute__((target("avx512f")))
#define WIDTH  64
#include "peak_body.h"
#endif

static void copy_libc(char *out, const char *in, const char *other, size_t bytes)
{
    (void)other;
    memcpy(out, in, bytes);
}

static void fill_libc(char *out, const char *in, const char *other, size_t bytes)
{
    (void)in, (void)other;
    memset(out, 0, bytes);
}

// Stores that do not read the line they overwrite: they save a third of a large copy's traffic
// where the caches do not find out by themselves that a line is wholly written.
#if defined(__x86_64__)
#define HAVE_STREAM 1
static inline void stream_step(char *out, __m128i a, __m128i b, __m128i c, __m128i d)
{
    __m128i *o = (__m128i *)(void *)out;
    _mm_stream_si128(o, a), _mm_stream_si128(o + 1, b);
    _mm_stream_si128(o + 2, c), _mm_stream_si128(o + 3, d);
}
typedef __m128i stream_vector;
#define stream_fence() _mm_sfence()
#elif defined(__aarch64__)
#define HAVE_STREAM    1
typedef vector_base stream_vector;
static inline void stream_step(char *out, stream_vector a, stream_vector b, stream_vector c,
                               stream_vector d)
{
    __asm__ volatile("stnp %q1, %q2, [%0]\n\tstnp %q3, %q4, [%0, 32]"
                     :
                     : "r"(out), "w"(a), "w"(b), "w"(c), "w"(d)
                     : "memory");
}
#define stream_fence() ((void)0)
#endif

#ifdef HAVE_STREAM
static void copy_stream(char *out, const char *in, const char *other, size_t bytes)
{
    (void)other;
    for (size_t i = 0; i + 64 <= bytes; i += 64) {
        const stream_vector *x = (const stream_vector *)(const void *)(in + i);
        stream_step(out + i, x[0], x[1], x[2], x[3]);
    }
    stream_fence();
}

static void fill_stream(char *out, const char *in, const char *other, size_t bytes)
{
    (void)in, (void)other;
    const stream_vector zero = {0};
    for (size_t i = 0; i + 64 <= bytes; i += 64) stream_step(out + i, zero, zero, zero, zero);
    stream_fence();
}
#endif

#define ROWS(isa, name)                                                                            \
    {PEAK_READ, "1 stream" name, #isa, read1_##isa},                                               \
        {PEAK_READ, "2 streams" name, #isa, read2_##isa},                                          \
        {PEAK_READ, "4 streams" name, #isa, read4_##isa},                                          \
        {PEAK_READ, "8 streams" name, #isa, read8_##isa},                                          \
        {PEAK_FILL, "1 stream" name, #isa, fill1_##isa},                                           \
        {PEAK_FILL, "4 streams" name, #isa, fill4_##isa},                                          \
        {PEAK_COPY, "1 stream" name, #isa, copy1_##isa},                                           \
        {PEAK_COPY, "2 streams" name, #isa, copy2_##isa},                                          \
        {PEAK_COPY, "4 streams" name, #isa, copy4_##isa},                                          \
        {PEAK_UPDATE, "1 stream" name, #isa, update1_##isa},                                       \
        {PEAK_UPDATE, "2 streams" name, #isa, update2_##isa},                                      \
        {PEAK_UPDATE, "4 streams" name, #isa, update4_##isa},                                      \
        {PEAK_TRIAD, "1 stream" name, #isa, triad1_##isa},                                         \
        {PEAK_TRIAD, "2 streams" name, #isa, triad2_##isa},                                        \
    {                                                                                              \
        PEAK_TRIAD, "4 streams" name, #isa, triad4_##isa                                           \
    }

const peak_variant peak_variants[] = {
    ROWS(base, ""),
#if defined(__x86_64__)
    ROWS(avx2, ", AVX2"),
    ROWS(avx512, ", AVX-512"),
#endif
#ifdef HAVE_STREAM
    {PEAK_COPY, "non-temporal stores", "base", copy_stream},
    {PEAK_FILL, "non-temporal stores", "base", fill_stream},
#endif
    {PEAK_COPY, "memcpy", "base", copy_libc},
    {PEAK_FILL, "memset", "base", fill_libc},
};
const int peak_variant_count = sizeof peak_variants / sizeof *peak_variants;

int peak_isa_runs(const char *isa)
{
#if defined(__x86_64__)
    if (strcmp(isa, "avx2") == 0) return __builtin_cpu_supports("avx2");
    if (strcmp(isa, "avx512") == 0) return __builtin_cpu_supports("avx512f");
#endif
    return strcmp(isa, "base") == 0;
}
