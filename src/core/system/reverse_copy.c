// SPDX-License-Identifier: Apache-2.0
// Elements copied in the opposite order: eight bytes at a time where several fit a word, else by
// loops that compilers make vectors of.
#include "reverse_copy.h"
#include "unaligned.h"

#include <string.h>

#define COPY(T)                                                                                    \
    do {                                                                                           \
        T *restrict t = to;                                                                        \
        const T *restrict f = from;                                                                \
        for (int64_t i = 0; i < n; i++) t[i] = f[n - 1 - i];                                       \
    } while (0)

// The bytes of a word, and its pairs of bytes, in the opposite order.
static inline uint64_t opposite_8(uint64_t x)
{
    return __builtin_bswap64(x);
}

static inline uint64_t opposite_16(uint64_t x)
{
    x = __builtin_bswap64(x);
    return (x & 0xff00ff00ff00ff00u) >> 8 | (x & 0x00ff00ff00ff00ffu) << 8;
}

static void copy_narrow(char *restrict to, const char *restrict from, int64_t n, size_t size)
{
    const int64_t bytes = n * (int64_t)size;
    int64_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
        uint64_t x;
        memcpy(&x, from + bytes - 8 - at, sizeof x);
        x = size == 1 ? opposite_8(x) : opposite_16(x);
        memcpy(to + at, &x, sizeof x);
    }
    for (; at < bytes; at += (int64_t)size)
        memcpy(to + at, from + bytes - (int64_t)size - at, size);
}

static void copy_any(char *restrict to, const char *restrict from, int64_t n, size_t size)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + (size_t)i * size, from + (size_t)(n - 1 - i) * size, size);
}

void hd__reverse_copy(void *to, const void *from, int64_t n, size_t size)
{
    switch (size) {
    case 1: copy_narrow(to, from, n, 1); break;
    case 2: copy_narrow(to, from, n, 2); break;
    case 4: COPY(hd__unaligned32); break;
    case 8: COPY(hd__unaligned64); break;
    case 12: copy_any(to, from, n, 12); break;
    case 16: copy_any(to, from, n, 16); break;
    default: copy_any(to, from, n, size);
    }
}
