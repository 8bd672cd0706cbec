// SPDX-License-Identifier: Apache-2.0
//
// Structures on their way between device memory and a warp's part of shared memory: 32 of them,
// word after word, so that the warp's lanes read and write neighbouring words.
#pragma once
#include "kernel_config.h"
#include "device/base.cuh"

// Words are as large as members may be, and from one structure to the next is an odd number of
// them: lanes that read the same member of theirs meet in no bank.
#define HK_UNIT(type)  (alignof(type) >= 16 ? 16 : alignof(type) >= 8 ? 8 : 4)
#define HK_PITCH(type) hk_pitch((int)sizeof(type), HK_UNIT(type))

HK_FN int hk_pitch(int size, int unit)
{
    return (size / unit | 1) * unit;
}

// Word w of structures of so many words: where it is in shared memory.
HK_FN int hk_staged_at(int w, int words, int unit)
{
    return (w / words * (words | 1) + w % words) * unit;
}

HK_FN void hk_move_word(char *to, const char *from, int unit)
{
    if (unit == 4) *(uint32_t *)to = *(const uint32_t *)from;
    if (unit >= 8) *(uint64_t *)to = *(const uint64_t *)from;
    if (unit == 16) *(uint64_t *)(to + 8) = *(const uint64_t *)(from + 8);
}

// Begins to copy a word to shared memory; hk_await_words waits for those of a lane.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
HK_FN void hk_begin_word(char *to, const char *from, int unit)
{
    uint32_t at;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(to));
    if (unit == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(at), "l"(from) : "memory");
    if (unit == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(at), "l"(from) : "memory");
    if (unit == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(at), "l"(from) : "memory");
}

HK_FN void hk_await_words(void)
{
    asm volatile("cp.async.wait_all;" : : : "memory");
}
#else
HK_FN void hk_begin_word(char *to, const char *from, int unit)
{
    hk_move_word(to, from, unit);
}

HK_FN void hk_await_words(void)
{
}
#endif

// ---- A warp's structures ------------------------------------------------------------------------

HK_FN void hk_bring_structures(char *to, const char *from, int count, int size, int unit)
{
    const int words = size / unit;
    if (count == HK_WARP) {
#pragma unroll 16
        for (int k = 0; k < words; k++) {
            const int w = k * HK_WARP + hk_lane();
            hk_begin_word(to + hk_staged_at(w, words, unit), from + w * unit, unit);
        }
    } else {
#pragma unroll 1
        for (int w = hk_lane(); w < count * words; w += HK_WARP)
            hk_begin_word(to + hk_staged_at(w, words, unit), from + w * unit, unit);
    }
}

HK_FN void hk_take_structures(char *to, const char *from, int count, int size, int unit)
{
    const int words = size / unit;
    if (count == HK_WARP) {
#pragma unroll 16
        for (int k = 0; k < words; k++) {
            const int w = k * HK_WARP + hk_lane();
            hk_move_word(to + w * unit, from + hk_staged_at(w, words, unit), unit);
        }
    } else {
#pragma unroll 1
        for (int w = hk_lane(); w < count * words; w += HK_WARP)
            hk_move_word(to + w * unit, from + hk_staged_at(w, words, unit), unit);
    }
}
