// SPDX-License-Identifier: Apache-2.0
//
// What the functions of math.h are made of: the bits of a double, sums and products with what their
// rounding lost, and the exponent apart from the rest. Only + - * /, the IEEE square root, integers
// and comparisons; no fma. heddle.h includes this file behind math.h; the library gives the same
// text to the compilers of kernels.
#ifndef HEDDLE_MATH_PARTS_H
#define HEDDLE_MATH_PARTS_H

// No contraction in here. gcc: around the file. clang: in each function, since at the top of a file
// it would last to the file's end. Kernels: by the compiler's flag, --fmad=false.
#if !defined(HD__EXACT_BEGIN) || !defined(__GNUC__) // a kernel, or a compiler without such pragmas
#define HD__M_BEGIN
#define HD__M_END
#elif defined(__clang__)
#define HD__M_BEGIN HD__M_QUIET
#define HD__M_END   _Pragma("GCC diagnostic pop")
#else
#define HD__M_BEGIN HD__M_QUIET HD__NUMBERS_BEGIN
#define HD__M_END   HD__EXACT_END _Pragma("GCC diagnostic pop")
#endif
// Comparisons for equality are meant.
#define HD__M_QUIET                                                                                \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wfloat-equal\"")
#if defined(__clang__)
#define HD__M_UNFUSED _Pragma("clang fp contract(off)")
#else
#define HD__M_UNFUSED
#endif
#if defined(__CUDACC__) || defined(__CUDA__)
#define HD__MATH static __host__ __device__ inline
#else
#define HD__MATH HD__INLINE
#endif
HD__M_BEGIN

// The sum of two numbers, not rounded.
typedef struct hd__m_pair {
    double hi, lo;
} hd__m_pair;

// ---- Bits ---------------------------------------------------------------------------------------

HD__MATH uint64_t hd__m_bits_of(double x)
{
    union {
        double d;
        uint64_t u;
    } both;
    both.d = x;
    return both.u;
}

HD__MATH double hd__m_of_bits(uint64_t bits)
{
    union {
        uint64_t u;
        double d;
    } both;
    both.u = bits;
    return both.d;
}

#define HD__M_INFINITY (hd__m_of_bits(0x7ff0000000000000u))
#define HD__M_NAN      (hd__m_of_bits(0x7ff8000000000000u))

HD__MATH double hd__m_magnitude(double x)
{
    return hd__m_of_bits(hd__m_bits_of(x) & 0x7fffffffffffffffu);
}

HD__MATH double hd__m_signed_as(double x, double sign)
{
    return hd__m_of_bits((hd__m_bits_of(x) & 0x7fffffffffffffffu) |
                         (hd__m_bits_of(sign) & 0x8000000000000000u));
}

// yes ? a : b. gcc makes a branch of that, moves the arithmetic of a and b into it, and no vectors
// of the loop any more.
HD__MATH double hd__m_choose(int yes, double a, double b)
{
#if defined(__clang__) || defined(__CUDACC__)
    return yes ? a : b;
#else
    const uint64_t mask = 0 - (uint64_t)yes;
    return hd__m_of_bits((hd__m_bits_of(a) & mask) | (hd__m_bits_of(b) & ~mask));
#endif
}

// The first 26 bits: products of two such numbers are exact.
HD__MATH double hd__m_head(double x)
{
    return hd__m_of_bits(hd__m_bits_of(x) & 0xfffffffff8000000u);
}

// The nearest whole number, ties to even, for |x| < 2^51: in the sum with 1.5 2^52 the last bit is
// 1.
HD__MATH double hd__m_nearest(double x)
{
    return (x + 6755399441055744.0) - 6755399441055744.0;
}

// 2^k for a whole number k from -1022 to 1023: the exponent is where that sum has its last bits.
HD__MATH double hd__m_two_to(double k)
{
    return hd__m_of_bits(hd__m_bits_of(k + (6755399441055744.0 + 1023.0)) << 52);
}

// ---- Pairs --------------------------------------------------------------------------------------

HD__MATH hd__m_pair hd__m_pair_of(double hi, double lo)
{
    hd__m_pair p;
    p.hi = hi;
    p.lo = lo;
    return p;
}

HD__MATH hd__m_pair hd__m_pair_choose(int yes, hd__m_pair a, hd__m_pair b)
{
    return hd__m_pair_of(hd__m_choose(yes, a.hi, b.hi), hd__m_choose(yes, a.lo, b.lo));
}

// a + b and what rounding lost of it; |a| >= |b|, or a is 0.
HD__MATH hd__m_pair hd__m_ordered_sum(double a, double b)
{
    HD__M_UNFUSED const double s = a + b;
    return hd__m_pair_of(s, b - (s - a));
}

// The same for any a and b.
HD__MATH hd__m_pair hd__m_sum(double a, double b)
{
    HD__M_UNFUSED const double s = a + b, t = s - a;
    return hd__m_pair_of(s, (a - (s - t)) + (b - t));
}

// a * b and what rounding lost of it, up to 2^-106 of the product.
HD__MATH hd__m_pair hd__m_product(double a, double b)
{
    HD__M_UNFUSED const double p = a * b, a1 = hd__m_head(a), b1 = hd__m_head(b), a2 = a - a1,
                               b2 = b - b1;
    return hd__m_pair_of(p, ((a1 * b1 - p) + (a1 * b2 + a2 * b1)) + a2 * b2);
}

HD__MATH hd__m_pair hd__m_pair_product(hd__m_pair a, hd__m_pair b)
{
    HD__M_UNFUSED const hd__m_pair p = hd__m_product(a.hi, b.hi);
    return hd__m_pair_of(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

HD__MATH hd__m_pair hd__m_pair_quotient(hd__m_pair a, hd__m_pair b)
{
    HD__M_UNFUSED const double q = a.hi / b.hi;
    const hd__m_pair p = hd__m_product(q, b.hi);
    return hd__m_pair_of(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

// ---- Roots and exponents ------------------------------------------------------------------------

// The IEEE square root, without errno and what a program would have to be linked with for it.
HD__MATH double hd_sqrt(double x)
{
#if defined(__CUDA_ARCH__)
    double y;
    asm("sqrt.rn.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
#elif !defined(__GNUC__)
    return sqrt(x);
#elif defined(__x86_64__) && !defined(__NO_MATH_ERRNO__) && defined(__AVX__)
    double y;
    __asm__("vsqrtsd {%1, %1, %0|%0, %1, %1}" : "=x"(y) : "x"(x));
    return y;
#elif defined(__x86_64__) && !defined(__NO_MATH_ERRNO__)
    double y;
    __asm__("sqrtsd {%1, %0|%0, %1}" : "=x"(y) : "x"(x));
    return y;
#elif defined(__aarch64__) && !defined(__NO_MATH_ERRNO__)
    double y;
    __asm__("fsqrt %d0, %d1" : "=w"(y) : "w"(x));
    return y;
#else
    return __builtin_sqrt(x);
#endif
}

// x = 2^k m with m from sqrt(1/2) to sqrt(2), for x above 0, finite and not subnormal; hi is k, lo
// is m.
HD__MATH hd__m_pair hd__m_normal_exponent_of(double x)
{
    HD__M_UNFUSED const uint64_t root = 0x3fe6a09e667f3bcdu; // sqrt(1/2)
    const uint64_t u = hd__m_bits_of(x) + (0x3ff0000000000000u - root);
    // The exponent as the last bits of a number from 2^52 on.
    const double e = hd__m_of_bits(0x4330000000000000u | (u >> 52));
    return hd__m_pair_of(e - (4503599627370496.0 + 1023.0),
                         hd__m_of_bits((u & 0x000fffffffffffffu) + root));
}

// The same also for subnormal x.
HD__MATH hd__m_pair hd__m_exponent_of(double x)
{
    HD__M_UNFUSED const int tiny = x < 2.2250738585072014e-308;      // 2^-1022
    const double y = hd__m_choose(tiny, x * 18014398509481984.0, x); // 2^54
    const hd__m_pair e = hd__m_normal_exponent_of(y);
    return hd__m_pair_of(e.hi - hd__m_choose(tiny, 54.0, 0.0), e.lo);
}

HD__M_END

#endif
