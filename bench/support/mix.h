// SPDX-License-Identifier: Apache-2.0
//
// Random bits by index (SplitMix64, Steele, Lea and Flood 2014).
#ifndef HEDDLE_BENCH_SUPPORT_MIX_H
#define HEDDLE_BENCH_SUPPORT_MIX_H

#include <stdint.h>

// 64 mixed bits of an index.
static inline uint64_t data_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
