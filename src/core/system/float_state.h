// SPDX-License-Identifier: Apache-2.0
// The floating-point state of a thread: rounding, and whether subnormal numbers are taken for zero.
// It is the caller's, or of a pool of threads that inherited it from whoever made them, and results
// may not depend on it: every call and every worker computes in the state that numerics.md is
// written for (round to nearest, subnormal numbers kept, nothing trapped) and leaves what it found.
//
//     HD__FLOAT_STATE; // first in a block: from here to its end
#ifndef HEDDLE_CORE_SYSTEM_FLOAT_STATE_H
#define HEDDLE_CORE_SYSTEM_FLOAT_STATE_H

#include <stdint.h>

#if defined __x86_64__
#include <xmmintrin.h>

#define HD__FLOAT_USUAL  UINT64_C(0x1f80) // MXCSR: every exception masked, to nearest
#define HD__FLOAT_RAISED UINT64_C(0x3f)   // the flags of exceptions that were met: no state
static inline uint64_t hd__float_get(void)
{
    return _mm_getcsr();
}
static inline void hd__float_set(uint64_t state)
{
    _mm_setcsr((unsigned)state);
}
#elif defined __aarch64__
#define HD__FLOAT_USUAL  UINT64_C(0) // FPCR
#define HD__FLOAT_RAISED UINT64_C(0) // they are in another register
static inline uint64_t hd__float_get(void)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
}
static inline void hd__float_set(uint64_t state)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(state));
}
#else
#define HD__FLOAT_USUAL  UINT64_C(0) // not known here: left as it is
#define HD__FLOAT_RAISED UINT64_C(0)
static inline uint64_t hd__float_get(void)
{
    return 0;
}
static inline void hd__float_set(uint64_t state)
{
    (void)state;
}
#endif

// Reading costs about a nanosecond; writing, some ten, only where it is needed.
static inline uint64_t hd__float_begin(void)
{
    const uint64_t found = hd__float_get() & ~HD__FLOAT_RAISED;
    if (__builtin_expect(found != HD__FLOAT_USUAL, 0)) hd__float_set(HD__FLOAT_USUAL);
    __asm__ volatile("" : : : "memory"); // what is read and computed from here on comes after it
    return found;
}

static inline void hd__float_end(const uint64_t *found)
{
    __asm__ volatile("" : : : "memory");
    if (__builtin_expect(*found != HD__FLOAT_USUAL, 0))
        hd__float_set(*found | (hd__float_get() & HD__FLOAT_RAISED));
}

#define HD__FLOAT_STATE                                                                            \
    const uint64_t hd__float_found __attribute__((cleanup(hd__float_end), unused)) =               \
        hd__float_begin()

#endif
