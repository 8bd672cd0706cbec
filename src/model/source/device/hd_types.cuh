// SPDX-License-Identifier: Apache-2.0
//
// For clang: CUDA's words, vector types, and where a thread is.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __maxnreg__(n)
#define __restrict__ __restrict
#define __inline__ inline
#define __CUDACC__ 1
#define __NVCC_HEDDLE__ 1
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
// Lines of these functions are those of their callers.
#define HD_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
#define HD_BOTH static __host__ __device__ __forceinline__ __attribute__((nodebug)) constexpr

typedef decltype(sizeof 0) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
#ifndef NULL
#define NULL 0
#endif

// ---- Vectors ------------------------------------------------------------------------------------

// Copies of 16 bytes and more go element by element: clang then makes one access of them, and two
// of 8 bytes out of a plain copy from memory to memory.
#define HD_NO_COPY(name, ...)
#define HD_COPY_TWO(name, T)                                                                       \
    __host__ __device__ __attribute__((nodebug)) constexpr name &operator=(const name &o)                                   \
    {                                                                                              \
        const T a = o.x, b = o.y;                                                                  \
        x = a, y = b;                                                                              \
        return *this;                                                                              \
    }
#define HD_COPY_FOUR(name, T)                                                                      \
    __host__ __device__ __attribute__((nodebug)) constexpr name &operator=(const name &o)                                   \
    {                                                                                              \
        const T a = o.x, b = o.y, c = o.z, d = o.w;                                                \
        x = a, y = b, z = c, w = d;                                                                \
        return *this;                                                                              \
    }
#define HD_VECTORS(T, name, a2, a4, copy2, copy4)                                                  \
    struct name##1 { T x; };                                                                       \
    struct __align__(a2) name##2 { T x, y; copy2(name##2, T) };                                    \
    struct name##3 { T x, y, z; };                                                                 \
    struct __align__(a4) name##4 { T x, y, z, w; copy4(name##4, T) };                              \
    HD_BOTH name##1 make_##name##1(T x) { return name##1{x}; }                                     \
    HD_BOTH name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                             \
    HD_BOTH name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }                     \
    HD_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }
HD_VECTORS(signed char, char, 2, 4, HD_NO_COPY, HD_NO_COPY)
HD_VECTORS(unsigned char, uchar, 2, 4, HD_NO_COPY, HD_NO_COPY)
HD_VECTORS(short, short, 4, 8, HD_NO_COPY, HD_NO_COPY)
HD_VECTORS(unsigned short, ushort, 4, 8, HD_NO_COPY, HD_NO_COPY)
HD_VECTORS(int, int, 8, 16, HD_NO_COPY, HD_COPY_FOUR)
HD_VECTORS(unsigned int, uint, 8, 16, HD_NO_COPY, HD_COPY_FOUR)
HD_VECTORS(long, long, 16, 16, HD_COPY_TWO, HD_COPY_FOUR)
HD_VECTORS(unsigned long, ulong, 16, 16, HD_COPY_TWO, HD_COPY_FOUR)
HD_VECTORS(long long, longlong, 16, 16, HD_COPY_TWO, HD_COPY_FOUR)
HD_VECTORS(unsigned long long, ulonglong, 16, 16, HD_COPY_TWO, HD_COPY_FOUR)
HD_VECTORS(float, float, 8, 16, HD_NO_COPY, HD_COPY_FOUR)
HD_VECTORS(double, double, 16, 16, HD_COPY_TWO, HD_COPY_FOUR)
#undef HD_VECTORS
#undef HD_NO_COPY
#undef HD_COPY_TWO
#undef HD_COPY_FOUR

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ __attribute__((nodebug)) constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
        : x(a), y(b), z(c) {}
    __host__ __device__ __attribute__((nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ __attribute__((nodebug)) constexpr operator uint3() const { return uint3{x, y, z}; }
};

// ---- Where a thread is --------------------------------------------------------------------------

#define HD_PLACE(type, sreg)                                                                       \
    struct type {                                                                                  \
        __declspec(property(get = get_x)) unsigned int x;                                          \
        __declspec(property(get = get_y)) unsigned int y;                                          \
        __declspec(property(get = get_z)) unsigned int z;                                          \
        HD_DEVICE unsigned int get_x() { return __nvvm_read_ptx_sreg_##sreg##_x(); }               \
        HD_DEVICE unsigned int get_y() { return __nvvm_read_ptx_sreg_##sreg##_y(); }               \
        HD_DEVICE unsigned int get_z() { return __nvvm_read_ptx_sreg_##sreg##_z(); }               \
        __device__ __attribute__((nodebug)) operator uint3() const { return uint3{get_x(), get_y(), get_z()}; }             \
        __device__ __attribute__((nodebug)) operator dim3() const { return dim3(get_x(), get_y(), get_z()); }               \
    };
HD_PLACE(hd_thread_index, tid)
HD_PLACE(hd_block_index, ctaid)
HD_PLACE(hd_block_size, ntid)
HD_PLACE(hd_grid_size, nctaid)
#undef HD_PLACE
extern const __device__ __attribute__((weak)) hd_thread_index threadIdx;
extern const __device__ __attribute__((weak)) hd_block_index blockIdx;
extern const __device__ __attribute__((weak)) hd_block_size blockDim;
extern const __device__ __attribute__((weak)) hd_grid_size gridDim;
static constexpr int warpSize = 32;
