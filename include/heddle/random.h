// SPDX-License-Identifier: Apache-2.0
// hd_random: numbers of a counter-based generator, the same on every backend.
#ifndef HEDDLE_RANDOM_H
#define HEDDLE_RANDOM_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hd_distribution {
    HD_UNIFORM = 0, // integers of a range, floats of [0, 1)
    HD_NORMAL       // floats: mean 0, variance 1
} hd_distribution;

typedef struct hd_random_options {
    size_t size;          // sizeof(hd_random_options), or 0: its size in version 0.1
    uint64_t seed;        // another stream of numbers for each seed
    uint64_t offset;      // element i is number offset + i of the stream (modulo 2^64)
    int32_t distribution; // hd_distribution
    uint32_t reserved_32;
    const void *low;  // integers: the least number and the greatest, each one element of out's
    const void *high; // type; both, or neither: all that the type has
} hd_random_options;

// out[i] (row-major) = a random number that depends on the seed and on offset + i, and on nothing
// else. A call that fills 1000 elements gives what two of 500 give, the second with offset 500: so
// streams are divided between calls, threads and processes. With r, 64 random bits (those of
// hd_shuffle, splitmix64's numbers from a mixed seed on),
//
//     r = mix(mix(seed) + (offset + i + 1) * 0x9e3779b97f4a7c15)                 modulo 2^64
//     mix(x):  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
//              x = (x ^ x >> 27) * 0x94d049bb133111eb;   return x ^ x >> 31;
//
//     integers    low + floor(r * m / 2^64), of m = high - low + 1 numbers, each as likely as any
//     and bool    other: where r * m mod 2^64 < 2^64 mod m, r is replaced by mix(r +
//                 0x9e3779b97f4a7c15) until it is not (Lemire 2019)
//     floats      the first 53 bits of r over 2^53; f32: 24 over 2^24, f16: 11, bf16: 8
//     HD_NORMAL   sqrt(-2 log(u)) cos(2 pi v), by hd_log and hd_cos in double and rounded once to
//                 the type (Box and Muller 1958): u is the first 53 bits of r plus 1 over 2^53, v
//                 the first 53 bits of mix(r + 0x9e3779b97f4a7c15) over 2^53
//
// This is no cryptography.
//
//   Aliasing    out is all there is.
//   Exactness   the same bits on every backend, instruction set and number of threads.
//   Cost        writes each element once.
//   Returns     HD_ERROR_TYPE for structures, HD_NORMAL of integers and a range of floats,
//               HD_ERROR_ARGUMENT for one end of a range alone or high below low, and the usual
//               ones.
HD_API HD__CHECKED hd_status hd_random(hd_context *ctx, hd_view out,
                                       const hd_random_options *options);

#ifdef __cplusplus
}
#endif

#endif
