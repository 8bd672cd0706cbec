// SPDX-License-Identifier: Apache-2.0
//
// Shadow valid bits: one bit for each byte that was written, in words of 64. Threads of the host
// may set bits of one word together.
#ifndef HEDDLE_MODEL_EXEC_VALID_BITS_H
#define HEDDLE_MODEL_EXEC_VALID_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define VALID_WORDS(bytes) (((bytes) + 63) / 64)

// The bits of a word that stand for bytes first .. last of all; both in the word.
static inline uint64_t valid_mask(uint64_t first, uint64_t last)
{
    return ~(uint64_t)0 << (first & 63) & ~(uint64_t)0 >> (63 - (last & 63));
}

static inline void valid_set(uint64_t *bits, uint64_t at, uint64_t bytes)
{
    const uint64_t end = at + bytes;
    while (at < end) {
        const uint64_t last = (at | 63) < end - 1 ? (at | 63) : end - 1;
        const uint64_t mask = valid_mask(at, last);
        uint64_t *word = &bits[at / 64];
        if ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != mask)
            __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
        at = last + 1;
    }
}

static inline void valid_clear(uint64_t *bits, uint64_t at, uint64_t bytes)
{
    for (uint64_t k = at; k < at + bytes; k++)
        __atomic_fetch_and(&bits[k / 64], ~((uint64_t)1 << (k & 63)), __ATOMIC_RELAXED);
}

// The first byte of a range that was not written, or its end.
static inline uint64_t valid_until(const uint64_t *bits, uint64_t at, uint64_t bytes)
{
    const uint64_t end = at + bytes;
    while (at < end) {
        const uint64_t last = (at | 63) < end - 1 ? (at | 63) : end - 1;
        const uint64_t missing =
            ~__atomic_load_n(&bits[at / 64], __ATOMIC_RELAXED) & valid_mask(at, last);
        if (missing != 0) return (at & ~(uint64_t)63) + (uint64_t)__builtin_ctzll(missing);
        at = last + 1;
    }
    return end;
}

// Whether none of at most 64 bytes was written.
static inline bool valid_none(const uint64_t *bits, uint64_t at, uint64_t bytes)
{
    for (uint64_t k = at; k < at + bytes; k++)
        if (__atomic_load_n(&bits[k / 64], __ATOMIC_RELAXED) >> (k & 63) & 1) return false;
    return true;
}

#endif
