// SPDX-License-Identifier: Apache-2.0
//
// What keeps the compiler's flags of a user's file out of the bits of its operators, functions and
// comparisons: pragmas around their texts. heddle_operator.h includes this file; do not include it
// alone. What pragmas cannot take back is for the probe to find (heddle_probe.h).
#ifndef HEDDLE_EXACT_H
#define HEDDLE_EXACT_H

// Attributes and built-ins of gcc and clang; other compilers of C11 do without.
#if defined(__GNUC__)
#define HD__UNUSED     __attribute__((unused))
#define HD__NOT_INLINE __attribute__((noinline))
#define HD__MEMCPY     __builtin_memcpy
#define HD__INFINITY   __builtin_inff()
#else
#include <string.h>
#define HD__UNUSED
#define HD__NOT_INLINE
#define HD__MEMCPY   memcpy
#define HD__INFINITY ((float)(1e300 * 1e300))
#endif
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define HD__TYPEOF typeof
#else
#define HD__TYPEOF __typeof__
#endif
#define HD__INLINE static inline HD__UNUSED

// gcc 11 to 15 see a complex product in a loop over structures that they vectorise, and make fused
// instructions of it whatever -ffp-contract says: vfmaddsub on x86-64 with FMA, FCMLA on Armv8.3
// and with SVE. It takes two members of a structure, one of them added, the other subtracted, so
// loops over numbers may still be vectorised.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11 && __GNUC__ <= 15 &&                \
    (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__) ||                              \
     defined(__ARM_FEATURE_COMPLEX) || defined(__ARM_FEATURE_SVE))
#define HD__FUSES_MEMBERS
#endif

// nvcc hands gcc's pragmas to gcc, and would warn that it does not know them itself.
#ifdef __NVCC__
#define HD__QUIET     _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 1675")
#define HD__QUIET_END _Pragma("nv_diagnostic pop")
#else
#define HD__QUIET
#define HD__QUIET_END
#endif

// HD__EXACT_BEGIN ... HD__EXACT_END, around texts: no contraction, whatever the flags of the file.
#if defined(__clang__)
// Where clang knows float_control, that takes most of -ffast-math's parts back as well, and what
// held before holds again afterwards. Elsewhere contraction stays off to the end of the file.
#if defined(__x86_64__) || (defined(__aarch64__) && __clang_major__ >= 16)
#define HD__EXACT_BEGIN                                                                            \
    _Pragma("float_control(push)") _Pragma("float_control(precise, on)")                           \
        _Pragma("clang fp contract(off)")
#define HD__EXACT_END _Pragma("float_control(pop)")
#else
#define HD__EXACT_BEGIN _Pragma("clang fp contract(off)")
#define HD__EXACT_END
#endif
#elif defined(__GNUC__)
// Stretches of code outside of loops (slp) can be fused, too, and are no faster vectorised here.
#define HD__PRAGMA(...) _Pragma(#__VA_ARGS__)
#define HD__OPTIMIZE(...)                                                                          \
    HD__QUIET HD__PRAGMA(GCC push_options) HD__PRAGMA(GCC optimize(__VA_ARGS__))
#ifdef __cplusplus
// C++ takes back what a pragma after #include <heddle.h> may have set; C refuses it, below. Traps,
// which go with unsafe-math-optimizations, stay as they are.
#ifdef __NO_TRAPPING_MATH__
#define HD__TRAPS "no-trapping-math"
#else
#define HD__TRAPS "trapping-math"
#endif
#define HD__EXACT_FLAGS                                                                            \
    "fp-contract=off", "no-tree-slp-vectorize", "no-finite-math-only",                             \
        "no-unsafe-math-optimizations", "signed-zeros", HD__TRAPS
#else
#define HD__EXACT_FLAGS "fp-contract=off", "no-tree-slp-vectorize"
#endif
#ifdef HD__FUSES_MEMBERS
#define HD__EXACT_BEGIN HD__OPTIMIZE(HD__EXACT_FLAGS, "no-tree-loop-vectorize")
#else
#define HD__EXACT_BEGIN HD__OPTIMIZE(HD__EXACT_FLAGS)
#endif
#define HD__EXACT_END _Pragma("GCC pop_options") HD__QUIET_END
#else
#define HD__EXACT_BEGIN
#define HD__EXACT_END
#endif

// A file with these flags may call the library; operators, functions and comparisons in it are
// refused. In C a pragma may set them after this header, and gcc's macros say so: HD__IS_ONE(m) is
// 1 where m is a macro whose value is 1, else 0.
#define HD__IS_ONE(m)           HD__IS_ONE_1(m)
#define HD__IS_ONE_1(value)     HD__IS_ONE_2(HD__ONE_##value, 0)
#define HD__IS_ONE_2(...)       HD__IS_ONE_3(__VA_ARGS__, 0, 0)
#define HD__IS_ONE_3(a, b, ...) b
#define HD__ONE_1               0, 1
#ifdef __cplusplus
#define HD__STATIC_ASSERT static_assert
#else
#define HD__STATIC_ASSERT _Static_assert
#endif
#define HD__NOTHING_LOOSE                                                                          \
    HD__STATIC_ASSERT(!HD__IS_ONE(__FAST_MATH__) && !HD__IS_ONE(__ASSOCIATIVE_MATH__) &&           \
                          !HD__IS_ONE(__RECIPROCAL_MATH__) && !HD__IS_ONE(__NO_SIGNED_ZEROS__) &&  \
                          !HD__IS_ONE(__FINITE_MATH_ONLY__),                                       \
                      "operators, functions and comparisons of Heddle may not be compiled with "   \
                      "-ffast-math or a part of it, nor after a pragma to that effect");

// HD__NUMBERS_BEGIN ... HD__EXACT_END, around texts that have numbers and no structures: there
// loops may be vectorised. gcc inlines a function only where the same pragmas hold, so loops over
// numbers come with a copy of the text: HD__OF_NUMBERS(...) are both, and HD__LOOP_OF(T, loop) is
// the loop for a type.
#ifdef HD__FUSES_MEMBERS
#define HD__NUMBERS_BEGIN    HD__OPTIMIZE(HD__EXACT_FLAGS)
#define HD__OF_NUMBERS(...)  HD__NUMBERS_BEGIN __VA_ARGS__ HD__EXACT_END
#define HD__LOOP_OF(T, loop) ((HD_TYPE(T) & 0xff) == HD_STRUCTURE ? loop : loop##_of_numbers)
#else
#define HD__NUMBERS_BEGIN HD__EXACT_BEGIN
#define HD__OF_NUMBERS(...)
#define HD__LOOP_OF(T, loop) loop
#endif

// What a probe has found, and the probe of a file: it runs once, when the library first meets an
// operator, function or comparison of the file, which all point at it.
enum {
    HD__FOUND_CONTRACTION = 1,
    HD__FOUND_WIDER = 2, // floats computed in more precision
    HD__FOUND_REGROUPING = 4,
    HD__FOUND_RECIPROCALS = 8,
    HD__FOUND_UNSIGNED_ZEROS = 16,
    HD__FOUND_FINITE_ONLY = 32,
    HD__FOUND_FLUSHING = 64,
    HD__FOUND_FLOAT_CONSTANTS = 128
};

typedef struct hd__probe {
    uint32_t (*run)(void); // gives what was found
    uint32_t state; // written by the library: 0 before the first run, HD__PROBE_CLEAN, or found
} hd__probe;

#define HD__PROBE_CLEAN UINT32_C(0x80000000)

#endif
