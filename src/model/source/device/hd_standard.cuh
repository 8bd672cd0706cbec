// SPDX-License-Identifier: Apache-2.0
//
// What device code uses of the standard headers and of CUDA's host headers: sizes, limits, a small
// std, and names of host types that declarations may mention.
#pragma once

// ---- <stdint.h>, <limits.h>, <float.h>, <math.h> -----------------------------------------------

// Headers of CUDA's toolkit bring their own, in which 64 bits are long long.
#ifdef HD_TOOLKIT
#include <cuda/std/cstdint>
#include <cuda/std/climits>
#include <cuda/std/cfloat>
#else
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
#endif
typedef long ssize_t;
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615uL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615uLL
#endif
#ifndef INT32_MAX
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615uL
#define SIZE_MAX 18446744073709551615uL
#endif
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#endif
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF __int_as_float(0x7f800000)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef CUDART_INF_F
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffff)
#define CUDART_PI_F 3.141592654f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_L2E_F 1.442695041f
#define CUDART_LN2_F 0.693147181f
#define CUDART_INF __longlong_as_double(0x7ff0000000000000ll)
#define CUDART_NAN __longlong_as_double(0xfff8000000000000ll)
#define CUDART_PI 3.1415926535897931e+0
#endif
#ifndef __linux__
#define __linux__ 1
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

// ---- std ----------------------------------------------------------------------------------------

namespace std {
typedef decltype(sizeof 0) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t;
using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;

template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    typedef integral_constant type;
    __host__ __device__ constexpr operator T() const { return v; }
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool v> using bool_constant = integral_constant<bool, v>;
template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool b, class T, class F> using conditional_t = typename conditional<b, T, F>::type;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_const<typename remove_volatile<T>::type>::type type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using decay_t = remove_cv_t<remove_reference_t<T>>;
template <class T> struct hd_integral : false_type {};
template <class T> struct is_floating_point : false_type {};
template <> struct is_floating_point<float> : true_type {};
template <> struct is_floating_point<double> : true_type {};
template <class T> struct is_unsigned : bool_constant<((T)-1 > (T)0)> {};
template <class T> struct is_signed : bool_constant<!((T)-1 > (T)0)> {};
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T *> : true_type {};
template <class T> __host__ __device__ T &&declval() noexcept;

template <class T> struct numeric_limits;
#define HD_INTEGRAL(T, least, most)                                                                \
    template <> struct hd_integral<T> : true_type {};                                              \
    template <> struct numeric_limits<T> {                                                         \
        static constexpr bool is_specialized = true, is_integer = true, is_signed = (T)-1 < (T)0;  \
        static constexpr bool has_infinity = false;                                                \
        static constexpr int digits = 8 * sizeof(T) - is_signed;                                   \
        __host__ __device__ static constexpr T min() { return least; }                             \
        __host__ __device__ static constexpr T lowest() { return least; }                          \
        __host__ __device__ static constexpr T max() { return most; }                              \
    };
template <> struct hd_integral<bool> : true_type {};
HD_INTEGRAL(char, (char)CHAR_MIN, CHAR_MAX)
HD_INTEGRAL(signed char, SCHAR_MIN, SCHAR_MAX)
HD_INTEGRAL(unsigned char, 0, UCHAR_MAX)
HD_INTEGRAL(short, SHRT_MIN, SHRT_MAX)
HD_INTEGRAL(unsigned short, 0, USHRT_MAX)
HD_INTEGRAL(int, INT_MIN, INT_MAX)
HD_INTEGRAL(unsigned int, 0, UINT_MAX)
HD_INTEGRAL(long, LONG_MIN, LONG_MAX)
HD_INTEGRAL(unsigned long, 0, ULONG_MAX)
HD_INTEGRAL(long long, LLONG_MIN, LLONG_MAX)
HD_INTEGRAL(unsigned long long, 0, ULLONG_MAX)
#undef HD_INTEGRAL
// NVRTC has these as functions only.
#ifdef __CUDACC_RTC__
#define HD_FOLDED
#define HD_WHERE __device__
#define HD_INF_F __int_as_float(0x7f800000)
#define HD_NAN_F __int_as_float(0x7fffffff)
#define HD_INF __longlong_as_double(0x7ff0000000000000ll)
#define HD_NAN __longlong_as_double(0x7fffffffffffffffll)
#else
#define HD_FOLDED constexpr
#define HD_WHERE __host__ __device__
#define HD_INF_F __builtin_huge_valf()
#define HD_NAN_F __builtin_nanf("")
#define HD_INF __builtin_huge_val()
#define HD_NAN __builtin_nan("")
#endif
#define HD_FLOATING(T, least, most, eps, bits, inf, nan_)                                             \
    template <> struct numeric_limits<T> {                                                         \
        static constexpr bool is_specialized = true, is_integer = false, is_signed = true;         \
        static constexpr bool has_infinity = true;                                                 \
        static constexpr int digits = bits;                                                        \
        __host__ __device__ static constexpr T min() { return least; }                             \
        __host__ __device__ static constexpr T lowest() { return -most; }                          \
        __host__ __device__ static constexpr T max() { return most; }                              \
        __host__ __device__ static constexpr T epsilon() { return eps; }                           \
        HD_WHERE static HD_FOLDED T infinity() { return inf; }                          \
        HD_WHERE static HD_FOLDED T quiet_NaN() { return nan_; }                   \
    };
HD_FLOATING(float, FLT_MIN, FLT_MAX, FLT_EPSILON, 24, HD_INF_F, HD_NAN_F)
HD_FLOATING(double, DBL_MIN, DBL_MAX, DBL_EPSILON, 53, HD_INF, HD_NAN)
#undef HD_FLOATING
template <class T> struct is_integral : hd_integral<remove_cv_t<T>> {};
template <class T> struct is_arithmetic
    : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;

template <class T> __host__ __device__ constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> __host__ __device__ inline void swap(T &a, T &b)
{
    T c = a;
    a = b;
    b = c;
}
#ifndef __CUDACC_RTC__
template <class T> __host__ __device__ constexpr remove_reference_t<T> &&move(T &&x) noexcept
{
    return static_cast<remove_reference_t<T> &&>(x);
}
template <class T> __host__ __device__ constexpr T &&forward(remove_reference_t<T> &x) noexcept
{
    return static_cast<T &&>(x);
}
#endif
#define HD_USE(name) using ::name;
HD_USE(sqrt) HD_USE(exp) HD_USE(log) HD_USE(pow) HD_USE(sin) HD_USE(cos) HD_USE(tan) HD_USE(abs)
HD_USE(fabs) HD_USE(floor) HD_USE(ceil) HD_USE(round) HD_USE(trunc) HD_USE(tanh) HD_USE(atan)
HD_USE(atan2) HD_USE(fmin) HD_USE(fmax) HD_USE(fma) HD_USE(log2) HD_USE(log10) HD_USE(exp2)
HD_USE(erf) HD_USE(isnan) HD_USE(isinf) HD_USE(isfinite) HD_USE(printf)
#undef HD_USE

// Of the host: whatever holds them compiles.
template <class...> class vector {};
template <class...> class function {};
template <class...> class map {};
template <class...> class unordered_map {};
template <class...> class set {};
template <class...> class list {};
template <class...> class unique_ptr {};
template <class...> class shared_ptr {};
class string {};
class ofstream {};
class ifstream {};
class mt19937 {};
} // namespace std

// ---- CUDA's host types --------------------------------------------------------------------------

#ifndef __CUDACC_RTC__
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
enum cudaError_t { cudaSuccess = 0 };
typedef cudaError_t cudaError;
struct cudaDeviceProp { int major, minor, multiProcessorCount; };
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
#endif
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef struct cublasContext *cublasHandle_t;
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct curandGenerator_st *curandGenerator_t;
