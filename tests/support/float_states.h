// SPDX-License-Identifier: Apache-2.0
// Floating-point states that a caller may be in, in its thread and in those of the pool.
#ifndef HEDDLE_TESTS_SUPPORT_FLOAT_STATES_H
#define HEDDLE_TESTS_SUPPORT_FLOAT_STATES_H

#include <fenv.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

enum { MAX_THREADS = 8 };

typedef struct state {
    const char *name;
    int rounding;
    bool flushes;
} state;

static const state states[] = {{"upward", FE_UPWARD, false},
                               {"towards zero", FE_TOWARDZERO, false},
                               {"flushed", FE_TONEAREST, true},
                               {"downward, flushed", FE_DOWNWARD, true}};

static inline bool set_flush(bool on)
{
#if defined __x86_64__
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (on ? 0x8040u : 0));
    return true;
#elif defined __aarch64__
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    fpcr = (fpcr & ~(UINT64_C(1) << 24)) | (uint64_t)on << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
    return true;
#else
    return !on;
#endif
}

// Not inlined, where the comparison could move past a change of the state.
static __attribute__((noinline, unused)) bool flushes(void)
{
    volatile double small = 0x1p-1040;
    return small * 1.0 == 0;
}

static inline void set_here(const state *s)
{
    fesetround(s->rounding);
    set_flush(s->flushes);
}

static inline bool is_set_here(const state *s)
{
    return fegetround() == s->rounding && flushes() == s->flushes;
}

static inline void set_everywhere(const state *s)
{
#pragma omp parallel num_threads(MAX_THREADS)
    set_here(s);
    set_here(s);
}

static inline bool is_set_everywhere(const state *s)
{
    int others = 0;
#pragma omp parallel num_threads(MAX_THREADS) reduction(+ : others)
    others += !is_set_here(s);
    return others == 0 && is_set_here(s);
}

#endif
