// SPDX-License-Identifier: Apache-2.0
// Whether a thread's arithmetic overflowed or was invalid (infinity times 0, infinity less
// infinity) since it was last asked: the processor keeps a record, for scalars and vectors alike,
// at no cost.
#ifndef HEDDLE_CORE_OPERATORS_FLOAT_FLAGS_H
#define HEDDLE_CORE_OPERATORS_FLOAT_FLAGS_H

#include <stdbool.h>

#if defined __x86_64__
#include <xmmintrin.h>

#define HD__RAISED (1u | 8u) // MXCSR: invalid, overflow
static inline unsigned hd__flags_get(void)
{
    return _mm_getcsr() & HD__RAISED;
}
static inline void hd__flags_set(unsigned flags)
{
    _mm_setcsr((_mm_getcsr() & ~HD__RAISED) | flags);
}
#elif defined __aarch64__
#include <stdint.h>

#define HD__RAISED (1u | 4u) // FPSR
static inline unsigned hd__flags_get(void)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpsr" : "=r"(state));
    return (unsigned)state & HD__RAISED;
}
static inline void hd__flags_set(unsigned flags)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpsr" : "=r"(state));
    state = (state & ~(uint64_t)HD__RAISED) | flags;
    __asm__ volatile("msr fpsr, %0" : : "r"(state));
}
#else
#define HD__RAISED 1u
static inline unsigned hd__flags_get(void)
{
    return HD__RAISED; // not known here: it may have
}
static inline void hd__flags_set(unsigned flags)
{
    (void)flags;
}
#endif

// Forgets what was raised. What is computed from here on comes after it.
static inline void hd__flags_clear(void)
{
    if (hd__flags_get() != 0) hd__flags_set(0);
    __asm__ volatile("" : : : "memory");
}

static inline bool hd__flags_raised(void)
{
    __asm__ volatile("" : : : "memory");
    return hd__flags_get() != 0;
}

#endif
