// SPDX-License-Identifier: Apache-2.0
//
// What every kernel begins with: types without system headers, the views a kernel is given, and
// loads and stores by words. Names of a user's text cannot meet these, which all begin with hk_ or
// HK_.
#pragma once

#if !defined(CHAR_BIT) // the model machine brings its own
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#endif
#define _Bool bool

#if defined(__clang__)
#define HK_FN static __device__ __attribute__((always_inline)) inline
#undef __grid_constant__
#define __grid_constant__
#else
#define HK_FN static __device__ __forceinline__
#endif
#define HD_FN   HK_FN // of core/operators/sum_outputs.h, which the library compiles as well
#define HK_WARP 32
#define HK_ALL  0xffffffffu

// A view as kernels get it; of an implicit one the scalar.
struct hk_view {
    char *data;
    int64_t shape[8], stride[8];
    int64_t start, step;
    uint32_t constant[4];
};

struct hk_inputs {
    hk_view view[HK_INPUTS > 0 ? HK_INPUTS : 1];
};

// Nodes of the builtin operators that are no numbers, as src/core/operators/builtin.h has them.
struct hd__arg_signed {
    int64_t value, index;
};
struct hd__arg_unsigned {
    uint64_t value;
    int64_t index;
};
struct hd__arg_float {
    double value;
    int64_t index;
};
struct hd__moments {
    double count, mean, m2;
};
struct hd__wide_moments {
    double count, mean, low, m2;
};
struct hd__pair_f32 {
    float hi, lo;
};
struct hd__pair_f64 {
    double hi, lo;
};
struct hd__sized_f32 {
    float hi, size;
};
struct hd__sized_f64 {
    double hi, size;
};
struct hd__sized_pair_f32 {
    float hi, lo, size;
};
struct hd__sized_pair_f64 {
    double hi, lo, size;
};
struct hd__limbs_narrow {
    uint64_t limb[6], flags;
};
struct hd__limbs_wide {
    uint64_t limb[34], flags;
};
struct hd__norm {
    double small, middle, large;
};

// Element i of a view of ndim dimensions, in row-major order, as an offset in elements.
HK_FN int64_t hk_offset(const hk_view *v, int ndim, int64_t i)
{
    int64_t at = 0;
    for (int k = ndim - 1; k > 0; k--) {
        const int64_t rest = i / v->shape[k];
        at += (i - rest * v->shape[k]) * v->stride[k];
        i = rest;
    }
    return at + i * v->stride[0];
}

// A number that the compiler cannot see through: addresses made of it are one sum, and constants.
HK_FN int64_t hk_opaque(int64_t x)
{
    asm("" : "+l"(x));
    return x;
}

HK_FN int hk_popc(int x)
{
    int y;
    asm("popc.b32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

// ---- Words that pass through once: not kept in the caches ---------------------------------------
// HK_HINT: how the caches are told, as tuning.def measured it.
#if HK_HINT == 2
#define HK_LOAD  "ld.global.L1::no_allocate"
#define HK_STORE "st.global.cs"
#elif HK_HINT == 4
#define HK_LOAD  "ld.global.L1::no_allocate.L2::256B"
#define HK_STORE "st.global"
#elif HK_HINT == 8
#define HK_LOAD  "ld.global"
#define HK_STORE "st.global"
#else
#define HK_LOAD  "ld.global.cs"
#define HK_STORE "st.global.cs"
#endif

HK_FN void hk_read_16(const void *p, uint32_t *w)
{
    asm volatile(HK_LOAD ".v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "l"(p));
}

HK_FN void hk_read_8(const void *p, uint32_t *w)
{
    asm volatile(HK_LOAD ".v2.u32 {%0,%1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
}

HK_FN void hk_read_4(const void *p, uint32_t *w)
{
    asm volatile(HK_LOAD ".u32 %0, [%1];" : "=r"(w[0]) : "l"(p));
}

HK_FN void hk_write_16(void *p, const uint32_t *w)
{
    asm volatile(HK_STORE ".v4.u32 [%0], {%1,%2,%3,%4};"
                 :
                 : "l"(p), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])
                 : "memory");
}

HK_FN void hk_write_8(void *p, const uint32_t *w)
{
    asm volatile(HK_STORE ".v2.u32 [%0], {%1,%2};" : : "l"(p), "r"(w[0]), "r"(w[1]) : "memory");
}

HK_FN void hk_write_4(void *p, const uint32_t *w)
{
    asm volatile(HK_STORE ".u32 [%0], %1;" : : "l"(p), "r"(w[0]) : "memory");
}

// ---- Within a block -----------------------------------------------------------------------------

// The number before it was added to.
HK_FN uint32_t hk_add_in_block(uint32_t *p, uint32_t x)
{
    uint32_t old;
    asm volatile(
        "{ .reg .u64 q; cvta.to.shared.u64 q, %1; atom.relaxed.cta.shared.add.u32 %0, [q], %2; }"
        : "=r"(old)
        : "l"(p), "r"(x)
        : "memory");
    return old;
}

// ---- Between blocks -----------------------------------------------------------------------------

HK_FN uint32_t hk_add_to(uint32_t *p, uint32_t x)
{
    uint32_t old;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(x)
                 : "memory");
    return old;
}

HK_FN void hk_store_relaxed(uint32_t *p, uint32_t x)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(p), "r"(x) : "memory");
}

HK_FN uint32_t hk_load_relaxed(const uint32_t *p)
{
    uint32_t x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}

HK_FN void hk_store_relaxed_64(uint64_t *p, uint64_t x)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}

HK_FN uint64_t hk_load_relaxed_64(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}

HK_FN void hk_fence(void)
{
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}

HK_FN void hk_block_barrier(void)
{
    asm volatile("bar.sync 0;" : : : "memory");
}

// ---- After the work before ----------------------------------------------------------------------
// A kernel may be begun while the work before it on the stream still ends; of that nothing is there
// until this returns, so every kernel begins with it. Once all blocks are here, the kernel behind
// may be begun. The variable tells the device that a kernel does so (cuda/device.c).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
extern "C" __device__ uint32_t hk_begins_early = 1;
HK_FN void hk_begin(void)
{
    asm volatile("griddepcontrol.wait;" : : : "memory");
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
}
#else
HK_FN void hk_begin(void)
{
}
#endif

// ---- Within a warp ------------------------------------------------------------------------------

HK_FN int hk_lane(void)
{
    return (int)(threadIdx.x & 31);
}

HK_FN void hk_warp_barrier(void)
{
    asm volatile("bar.warp.sync 0xffffffff;" : : : "memory");
}

HK_FN uint32_t hk_word_from(uint32_t x, int lane)
{
    uint32_t y;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x), "r"(lane));
    return y;
}

HK_FN bool hk_all(bool yes)
{
    uint32_t all;
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.all.pred q, p, 0xffffffff;"
                 " selp.u32 %0, 1, 0, q; }"
                 : "=r"(all)
                 : "r"((uint32_t)yes));
    return all != 0;
}

HK_FN uint32_t hk_ballot(bool yes)
{
    uint32_t lanes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0;"
                 " vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(lanes)
                 : "r"((uint32_t)yes));
    return lanes;
}
