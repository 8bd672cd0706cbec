// SPDX-License-Identifier: Apache-2.0
// Write-combining buffers: a cache line is collected and then written whole, by non-temporal stores
// where the output is larger than the caches. With plain stores, x86_64 reads each line before it
// is written.
#ifndef HEDDLE_CPU_RUNTIME_WRITE_COMBINING_H
#define HEDDLE_CPU_RUNTIME_WRITE_COMBINING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#define HD__CPU_STREAMS true
#else
#define HD__CPU_STREAMS false
#endif

#define HD__CPU_LINE 64

// Both are at the start of a line.
static inline void hd__cpu_flush_line(void *to, const void *line, bool far)
{
#if defined(__x86_64__)
    if (far) {
        for (int k = 0; k < HD__CPU_LINE / 16; k++)
            _mm_stream_si128((__m128i *)to + k, _mm_load_si128((const __m128i *)line + k));
        return;
    }
#else
    (void)far;
#endif
    memcpy(to, line, HD__CPU_LINE);
}

// By the thread that put lines, before others may read them.
static inline void hd__cpu_stream_fence(void)
{
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

#endif
