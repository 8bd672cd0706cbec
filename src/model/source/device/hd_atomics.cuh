// SPDX-License-Identifier: Apache-2.0
//
// For clang: atomics, as assembly that says it touches memory. _block and _system differ in scope.
#pragma once

#define HD_ATOMIC(name, T, what, c)                                                                \
    HD_DEVICE T name(T *p, T v)                                                                    \
    {                                                                                              \
        T r;                                                                                       \
        asm volatile("atom." what " %0, [%1], %2;" : "=" c(r) : "l"(p), c(v) : "memory");          \
        return r;                                                                                  \
    }
#define HD_ATOMIC_SCOPES(name, T, what, c)                                                         \
    HD_ATOMIC(name, T, what, c)                                                                    \
    HD_ATOMIC(name##_block, T, "cta." what, c)                                                     \
    HD_ATOMIC(name##_system, T, "sys." what, c)
HD_ATOMIC_SCOPES(atomicAdd, int, "add.s32", "r")
HD_ATOMIC_SCOPES(atomicAdd, unsigned int, "add.u32", "r")
HD_ATOMIC_SCOPES(atomicAdd, unsigned long long, "add.u64", "l")
HD_ATOMIC_SCOPES(atomicAdd, float, "add.f32", "f")
HD_ATOMIC_SCOPES(atomicAdd, double, "add.f64", "d")
HD_ATOMIC_SCOPES(atomicMin, int, "min.s32", "r")
HD_ATOMIC_SCOPES(atomicMin, unsigned int, "min.u32", "r")
HD_ATOMIC_SCOPES(atomicMin, long long, "min.s64", "l")
HD_ATOMIC_SCOPES(atomicMin, unsigned long long, "min.u64", "l")
HD_ATOMIC_SCOPES(atomicMax, int, "max.s32", "r")
HD_ATOMIC_SCOPES(atomicMax, unsigned int, "max.u32", "r")
HD_ATOMIC_SCOPES(atomicMax, long long, "max.s64", "l")
HD_ATOMIC_SCOPES(atomicMax, unsigned long long, "max.u64", "l")
HD_ATOMIC_SCOPES(atomicAnd, int, "and.b32", "r")
HD_ATOMIC_SCOPES(atomicAnd, unsigned int, "and.b32", "r")
HD_ATOMIC_SCOPES(atomicAnd, unsigned long long, "and.b64", "l")
HD_ATOMIC_SCOPES(atomicOr, int, "or.b32", "r")
HD_ATOMIC_SCOPES(atomicOr, unsigned int, "or.b32", "r")
HD_ATOMIC_SCOPES(atomicOr, unsigned long long, "or.b64", "l")
HD_ATOMIC_SCOPES(atomicXor, int, "xor.b32", "r")
HD_ATOMIC_SCOPES(atomicXor, unsigned int, "xor.b32", "r")
HD_ATOMIC_SCOPES(atomicXor, unsigned long long, "xor.b64", "l")
HD_ATOMIC_SCOPES(atomicInc, unsigned int, "inc.u32", "r")
HD_ATOMIC_SCOPES(atomicDec, unsigned int, "dec.u32", "r")
HD_ATOMIC_SCOPES(atomicExch, int, "exch.b32", "r")
HD_ATOMIC_SCOPES(atomicExch, unsigned int, "exch.b32", "r")
HD_ATOMIC_SCOPES(atomicExch, unsigned long long, "exch.b64", "l")
HD_ATOMIC_SCOPES(atomicExch, float, "exch.b32", "f")
#undef HD_ATOMIC_SCOPES
#undef HD_ATOMIC
HD_DEVICE int atomicSub(int *p, int v) { return atomicAdd(p, -v); }
HD_DEVICE unsigned int atomicSub(unsigned int *p, unsigned int v) { return atomicAdd(p, 0u - v); }

#define HD_CAS(name, T, what, c)                                                                   \
    HD_DEVICE T name(T *p, T compare, T v)                                                         \
    {                                                                                              \
        T r;                                                                                       \
        asm volatile("atom." what " %0, [%1], %2, %3;"                                             \
                     : "=" c(r) : "l"(p), c(compare), c(v) : "memory");                            \
        return r;                                                                                  \
    }
#define HD_CAS_SCOPES(name, T, what, c)                                                            \
    HD_CAS(name, T, what, c)                                                                       \
    HD_CAS(name##_block, T, "cta." what, c)                                                        \
    HD_CAS(name##_system, T, "sys." what, c)
HD_CAS_SCOPES(atomicCAS, int, "cas.b32", "r")
HD_CAS_SCOPES(atomicCAS, unsigned int, "cas.b32", "r")
HD_CAS_SCOPES(atomicCAS, unsigned long long, "cas.b64", "l")
HD_CAS_SCOPES(atomicCAS, unsigned short, "cas.b16", "h")
#undef HD_CAS_SCOPES
#undef HD_CAS
