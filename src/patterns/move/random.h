// SPDX-License-Identifier: Apache-2.0
// The job of hd_random, and the numbers themselves.
#ifndef HEDDLE_PATTERNS_MOVE_RANDOM_H
#define HEDDLE_PATTERNS_MOVE_RANDOM_H

#include "shuffle.h"

typedef struct hd__random_job {
    hd_view out; // collapsed
    int64_t n;
    uint64_t start;  // mix(seed)
    uint64_t offset; // of element 0
    bool normal;
    uint64_t low, count; // of a range: the least, sign-extended, and how many; 0: 2^64
} hd__random_job;

// What the numbers of one call have in common.
typedef struct hd__random_range {
    uint64_t low, count;
    uint64_t reject; // low halves below this are drawn again: 2^64 mod count
} hd__random_range;

// Number i of the stream: those of a shuffle.
static inline uint64_t hd__random_bits(uint64_t start, uint64_t i)
{
    return hd__shuffle_key(start, (int64_t)i);
}

static inline uint64_t hd__random_next(uint64_t r)
{
    return hd__mix(r + 0x9e3779b97f4a7c15u);
}

// A number below count without bias (Lemire 2019).
static inline uint64_t hd__random_below(uint64_t r, const hd__random_range *range)
{
    __extension__ typedef unsigned __int128 wide;
    if (range->count == 0) return r;
    wide m = (wide)r * range->count;
    while ((uint64_t)m < range->reject) {
        r = hd__random_next(r);
        m = (wide)r * range->count;
    }
    return (uint64_t)(m >> 64);
}

// The first 53 bits of r as a number. AVX2 has no instruction for it: then two parts, each set
// behind the bits of 2^52, are exact, and compilers make vectors of them.
static inline double hd__random_number(uint64_t r)
{
#if defined(__AVX2__) && !defined(__AVX512DQ__)
    const double high = hd__m_of_bits(0x4330000000000000u | r >> 32) - 0x1p52;
    const double low = hd__m_of_bits(0x4330000000000000u | (r >> 11 & 0x1fffff)) - 0x1p52;
    return high * 0x1p21 + low;
#else
    return (double)(int64_t)(r >> 11);
#endif
}

// hd_cos of an angle from 0 to 2 pi, without its branches, so that compilers make vectors of it.
static inline double hd__random_cosine(double angle)
{
    const hd__m_angle a = hd__m_angle_near(angle);
    const hd__m_pair s = hd__m_sine_pair(a.hi, a.lo), c = hd__m_cosine_pair(a.hi, a.lo);
    const uint64_t quarter = a.quarter + 1;
    const double y = hd__m_choose((int)(quarter & 1), c.hi + c.lo, s.hi + s.lo);
    return hd__m_of_bits(hd__m_bits_of(y) ^ (quarter & 2) << 62);
}

// Of the standard normal distribution (Box and Muller 1958).
static inline double hd__random_normal(uint64_t r)
{
    const double u = (hd__random_number(r) + 1) * 0x1p-53;
    const double v = hd__random_number(hd__random_next(r)) * 0x1p-53;
    return hd_sqrt(-2 * hd_log(u)) * hd__random_cosine(6.283185307179586 * v);
}

static inline hd__random_range hd__random_range_of(const hd__random_job *job)
{
    return (hd__random_range){job->low, job->count,
                              job->count == 0 ? 0 : (0 - job->count) % job->count};
}

#endif
