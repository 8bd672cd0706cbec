// SPDX-License-Identifier: Apache-2.0
//
// For clang: barriers, fences, what a warp does together, loads with hints, printf, assert, clocks.
#pragma once

// ---- Barriers and fences ------------------------------------------------------------------------

// Assembly that says it touches memory: clang 14 moves accesses to shared variables over the
// builtin.
HD_DEVICE void hd_barrier() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() hd_barrier()
HD_DEVICE int __syncthreads_count(int p)
{
    int r;
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; bar.red.popc.u32 %0, 0, q; }"
                 : "=r"(r) : "r"(p) : "memory");
    return r;
}
HD_DEVICE int __syncthreads_and(int p)
{
    int r;
    asm volatile("{ .reg .pred q, s; setp.ne.u32 q, %1, 0; bar.red.and.pred s, 0, q; "
                 "selp.u32 %0, 1, 0, s; }" : "=r"(r) : "r"(p) : "memory");
    return r;
}
HD_DEVICE int __syncthreads_or(int p)
{
    int r;
    asm volatile("{ .reg .pred q, s; setp.ne.u32 q, %1, 0; bar.red.or.pred s, 0, q; "
                 "selp.u32 %0, 1, 0, s; }" : "=r"(r) : "r"(p) : "memory");
    return r;
}
HD_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
HD_DEVICE void __barrier_sync(unsigned int id) { asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); }
HD_DEVICE void __barrier_sync_count(unsigned int id, unsigned int n)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(n) : "memory");
}
HD_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
HD_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
HD_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

// ---- Warps --------------------------------------------------------------------------------------

HD_DEVICE unsigned int __activemask()
{
    unsigned int r;
    asm volatile("activemask.b32 %0;" : "=r"(r));
    return r;
}
HD_DEVICE unsigned int __ballot_sync(unsigned int mask, int p)
{
    unsigned int r;
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, %2; }"
                 : "=r"(r) : "r"(p), "r"(mask));
    return r;
}
#define HD_VOTE(name, what)                                                                        \
    HD_DEVICE int name(unsigned int mask, int p)                                                   \
    {                                                                                              \
        int r;                                                                                     \
        asm volatile("{ .reg .pred q, s; setp.ne.u32 q, %1, 0; vote.sync." what ".pred s, q, %2; " \
                     "selp.u32 %0, 1, 0, s; }" : "=r"(r) : "r"(p), "r"(mask));                     \
        return r;                                                                                  \
    }
HD_VOTE(__all_sync, "all")
HD_VOTE(__any_sync, "any")
HD_VOTE(__uni_sync, "uni")
#undef HD_VOTE

#define HD_SHUFFLE_WORD(name, what, clamp)                                                         \
    HD_DEVICE unsigned int hd_word_##name(unsigned int mask, unsigned int v, unsigned int by, int w) \
    {                                                                                              \
        unsigned int r;                                                                            \
        asm volatile("shfl.sync." what ".b32 %0, %1, %2, %3, %4;"                                  \
                     : "=r"(r) : "r"(v), "r"(by), "r"(((32 - w) << 8) | clamp), "r"(mask));        \
        return r;                                                                                  \
    }                                                                                              \
    template <class T> HD_DEVICE T name(unsigned int mask, T v, unsigned int by, int w = 32)       \
    {                                                                                              \
        constexpr int n = (sizeof(T) + 3) / 4;                                                     \
        unsigned int words[n] = {0};                                                               \
        __builtin_memcpy(words, &v, sizeof v);                                                     \
        _Pragma("unroll") for (int k = 0; k < n; k++) words[k] = hd_word_##name(mask, words[k], by, w); \
        __builtin_memcpy(&v, words, sizeof v);                                                     \
        return v;                                                                                  \
    }
HD_SHUFFLE_WORD(__shfl_sync, "idx", 31)
HD_SHUFFLE_WORD(__shfl_up_sync, "up", 0)
HD_SHUFFLE_WORD(__shfl_down_sync, "down", 31)
HD_SHUFFLE_WORD(__shfl_xor_sync, "bfly", 31)
#undef HD_SHUFFLE_WORD

HD_DEVICE unsigned int hd_match_any(unsigned int mask, unsigned int v)
{
    unsigned int r;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));
    return r;
}
HD_DEVICE unsigned int hd_match_any(unsigned int mask, unsigned long long v)
{
    unsigned int r;
    asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(r) : "l"(v), "r"(mask));
    return r;
}
HD_DEVICE unsigned int hd_match_all(unsigned int mask, unsigned int v, int *pred)
{
    unsigned int r;
    asm volatile("{ .reg .pred q; match.all.sync.b32 %0|q, %2, %3; selp.u32 %1, 1, 0, q; }"
                 : "=r"(r), "=r"(*pred) : "r"(v), "r"(mask));
    return r;
}
HD_DEVICE unsigned int hd_match_all(unsigned int mask, unsigned long long v, int *pred)
{
    unsigned int r;
    asm volatile("{ .reg .pred q; match.all.sync.b64 %0|q, %2, %3; selp.u32 %1, 1, 0, q; }"
                 : "=r"(r), "=r"(*pred) : "l"(v), "r"(mask));
    return r;
}
template <int bytes> struct hd_word_of { typedef unsigned int type; };
template <> struct hd_word_of<8> { typedef unsigned long long type; };
template <class T> HD_DEVICE unsigned int __match_any_sync(unsigned int mask, T v)
{
    typename hd_word_of<sizeof(T)>::type word = 0;
    __builtin_memcpy(&word, &v, sizeof v);
    return hd_match_any(mask, word);
}
template <class T> HD_DEVICE unsigned int __match_all_sync(unsigned int mask, T v, int *pred)
{
    typename hd_word_of<sizeof(T)>::type word = 0;
    __builtin_memcpy(&word, &v, sizeof v);
    return hd_match_all(mask, word, pred);
}

#define HD_REDUX(name, T, what)                                                                    \
    HD_DEVICE T name(unsigned int mask, T v)                                                       \
    {                                                                                              \
        T r;                                                                                       \
        asm volatile("redux.sync." what " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));             \
        return r;                                                                                  \
    }
HD_REDUX(__reduce_add_sync, unsigned int, "add.u32")
HD_REDUX(__reduce_add_sync, int, "add.s32")
HD_REDUX(__reduce_min_sync, unsigned int, "min.u32")
HD_REDUX(__reduce_min_sync, int, "min.s32")
HD_REDUX(__reduce_max_sync, unsigned int, "max.u32")
HD_REDUX(__reduce_max_sync, int, "max.s32")
HD_REDUX(__reduce_and_sync, unsigned int, "and.b32")
HD_REDUX(__reduce_or_sync, unsigned int, "or.b32")
HD_REDUX(__reduce_xor_sync, unsigned int, "xor.b32")
#undef HD_REDUX

// ---- Loads and stores with hints ----------------------------------------------------------------

template <int bytes> struct hd_piece;
template <> struct hd_piece<1> { unsigned short a; };
template <> struct hd_piece<2> { unsigned short a; };
template <> struct hd_piece<4> { unsigned int a; };
template <> struct hd_piece<8> { unsigned long long a; };
template <> struct hd_piece<16> { unsigned long long a, b; };

#define HD_LOAD(name, hint)                                                                        \
    HD_DEVICE void hd_get_##name(hd_piece<1> &r, const void *p) { asm volatile("ld." hint ".u8 %0, [%1];" : "=h"(r.a) : "l"(p)); } \
    HD_DEVICE void hd_get_##name(hd_piece<2> &r, const void *p) { asm volatile("ld." hint ".u16 %0, [%1];" : "=h"(r.a) : "l"(p)); } \
    HD_DEVICE void hd_get_##name(hd_piece<4> &r, const void *p) { asm volatile("ld." hint ".u32 %0, [%1];" : "=r"(r.a) : "l"(p)); } \
    HD_DEVICE void hd_get_##name(hd_piece<8> &r, const void *p) { asm volatile("ld." hint ".u64 %0, [%1];" : "=l"(r.a) : "l"(p)); } \
    HD_DEVICE void hd_get_##name(hd_piece<16> &r, const void *p) { asm volatile("ld." hint ".v2.u64 {%0, %1}, [%2];" : "=l"(r.a), "=l"(r.b) : "l"(p)); } \
    template <class T> HD_DEVICE T name(const T *p)                                                \
    {                                                                                              \
        hd_piece<sizeof(T)> r;                                                                     \
        T v;                                                                                       \
        hd_get_##name(r, p);                                                                       \
        __builtin_memcpy(&v, &r, sizeof v);                                                        \
        return v;                                                                                  \
    }
HD_LOAD(__ldg, "global.nc")
HD_LOAD(__ldca, "global.ca")
HD_LOAD(__ldcg, "global.cg")
HD_LOAD(__ldcs, "global.cs")
HD_LOAD(__ldlu, "global.lu")
HD_LOAD(__ldcv, "global.cv")
#undef HD_LOAD

#define HD_STORE(name, hint)                                                                       \
    HD_DEVICE void hd_put_##name(const hd_piece<1> &r, void *p) { asm volatile("st." hint ".u8 [%1], %0;" ::"h"(r.a), "l"(p) : "memory"); } \
    HD_DEVICE void hd_put_##name(const hd_piece<2> &r, void *p) { asm volatile("st." hint ".u16 [%1], %0;" ::"h"(r.a), "l"(p) : "memory"); } \
    HD_DEVICE void hd_put_##name(const hd_piece<4> &r, void *p) { asm volatile("st." hint ".u32 [%1], %0;" ::"r"(r.a), "l"(p) : "memory"); } \
    HD_DEVICE void hd_put_##name(const hd_piece<8> &r, void *p) { asm volatile("st." hint ".u64 [%1], %0;" ::"l"(r.a), "l"(p) : "memory"); } \
    HD_DEVICE void hd_put_##name(const hd_piece<16> &r, void *p) { asm volatile("st." hint ".v2.u64 [%2], {%0, %1};" ::"l"(r.a), "l"(r.b), "l"(p) : "memory"); } \
    template <class T> HD_DEVICE void name(T *p, T v)                                              \
    {                                                                                              \
        hd_piece<sizeof(T)> r;                                                                     \
        __builtin_memcpy(&r, &v, sizeof v);                                                        \
        hd_put_##name(r, p);                                                                       \
    }
HD_STORE(__stwb, "global.wb")
HD_STORE(__stcg, "global.cg")
HD_STORE(__stcs, "global.cs")
HD_STORE(__stwt, "global.wt")
#undef HD_STORE

// ---- Where a pointer points ---------------------------------------------------------------------

#define HD_IS(name, space)                                                                         \
    HD_DEVICE unsigned int name(const void *p)                                                     \
    {                                                                                              \
        unsigned int r;                                                                            \
        asm("{ .reg .pred q; isspacep." space " q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "l"(p)); \
        return r;                                                                                  \
    }
HD_IS(__isGlobal, "global")
HD_IS(__isShared, "shared")
HD_IS(__isLocal, "local")
HD_IS(__isConstant, "const")
#undef HD_IS
HD_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    unsigned long long r;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(r) : "l"(p));
    return r;
}
HD_DEVICE size_t __cvta_generic_to_global(const void *p)
{
    unsigned long long r;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(r) : "l"(p));
    return r;
}

// ---- Printing, assertions, clocks, ends ---------------------------------------------------------

extern "C" {
__device__ int printf(const char *, ...);
__device__ int vprintf(const char *, const char *);
__device__ void __assertfail(const char *, const char *, unsigned int, const char *, size_t)
    __attribute__((noreturn));
__device__ void *malloc(size_t);
__device__ void free(void *);
}
__device__ inline void *operator new(size_t n) { return malloc(n); }
__device__ inline void *operator new[](size_t n) { return malloc(n); }
__device__ inline void operator delete(void *p) noexcept { free(p); }
__device__ inline void operator delete[](void *p) noexcept { free(p); }
__device__ inline void operator delete(void *p, size_t) noexcept { free(p); }
__device__ inline void operator delete[](void *p, size_t) noexcept { free(p); }
HD_DEVICE void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
HD_DEVICE void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
HD_DEVICE void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#endif
typedef long clock_t;
HD_DEVICE clock_t clock()
{
    int r;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(r)::"memory");
    return (clock_t)r;
}
HD_DEVICE long long clock64()
{
    long long r;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(r)::"memory");
    return r;
}
HD_DEVICE void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory"); }
HD_DEVICE void __trap() { asm volatile("trap;"); }
HD_DEVICE void __brkpt() { asm volatile("brkpt;"); }
