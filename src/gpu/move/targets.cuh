// SPDX-License-Identifier: Apache-2.0
//
// Places of an output as kernels that scatter hold them: of 32 bits unless HD_FAR.
#pragma once
#include "device/lanes.cuh"

#if HD_FAR
typedef uint64_t hd_memory_space;
#else
typedef uint32_t hd_memory_space;
#endif
#define HD_NONE (~(hd_memory_space)0)

HD_FN hd_memory_space hd_place_of(int64_t index, int64_t limit)
{
    return (uint64_t)index < (uint64_t)limit ? (hd_memory_space)index : HD_NONE;
}

HD_FN hd_memory_space hd_place_from(hd_memory_space at, int lane)
{
#if HD_FAR
    return hd_long_from(at, lane);
#else
    return hd_word_from(at, lane);
#endif
}

// Whether the next lane's source goes to the same place: then this one is not its last. Warps call.
HD_FN bool hd_is_followed(hd_memory_space at)
{
    const hd_memory_space beside = hd_place_from(at, hd_lane() + 1);
    return hd_lane() < HD_WARP - 1 && beside == at;
}
