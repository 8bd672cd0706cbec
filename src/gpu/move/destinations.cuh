// SPDX-License-Identifier: Apache-2.0
//
// Destinations of an output as kernels that scatter hold them: of 32 bits unless
// HK_WIDE_DESTINATIONS.
#pragma once
#include "device/lanes.cuh"

#if HK_WIDE_DESTINATIONS
typedef uint64_t hk_destination;
#else
typedef uint32_t hk_destination;
#endif
#define HK_NONE (~(hk_destination)0)

HK_FN hk_destination hk_destination_of(int64_t index, int64_t limit)
{
    return (uint64_t)index < (uint64_t)limit ? (hk_destination)index : HK_NONE;
}

HK_FN hk_destination hk_destination_from(hk_destination at, int lane)
{
    return HK_WIDE_DESTINATIONS ? (hk_destination)hk_long_from(at, lane)
                                : (hk_destination)hk_word_from((uint32_t)at, lane);
}

// Whether the next lane's source goes to the same destination: then this one is not its last. Warps
// call.
HK_FN bool hk_is_followed(hk_destination at)
{
    const hk_destination beside = hk_destination_from(at, hk_lane() + 1);
    return hk_lane() < HK_WARP - 1 && beside == at;
}
