// SPDX-License-Identifier: Apache-2.0
// hd_shuffle: a random order, the same for the same seed everywhere.
#ifndef HEDDLE_SHUFFLE_H
#define HEDDLE_SHUFFLE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_shuffle_options {
    size_t size;   // sizeof(hd_shuffle_options), or 0: its size in version 0.1
    uint64_t seed; // another order for each seed
} hd_shuffle_options;

// out = the elements of in (row-major) in a random order: that of the keys
//
//     key(i) = mix(mix(seed) + (i + 1) * 0x9e3779b97f4a7c15)                     modulo 2^64
//     mix(x):  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
//              x = (x ^ x >> 27) * 0x94d049bb133111eb;   return x ^ x >> 31;
//
// (the numbers of splitmix64), lowest first, equal ones by i. The order depends on the seed and on
// how many elements there are, on nothing else. There are 2^64 seeds, so no more than 2^64 orders
// of n elements: from n = 21 on, where n! is greater, most orders never come. Where n! is far below
// 2^64 (n up to 12 or so) all are equally likely, as far as tests can tell. hd_shuffle of
// hd_iota(n) into i64 gives the order itself: out[k] is the index in `in` that element k came from.
// This is no cryptography.
//
//   Aliasing    out may not overlap in.
//   Exactness   elements are moved as they are.
//   Cost        reads and writes each element twice, with keys of 8 bytes; memory for both.
//   Returns     HD_ERROR_TYPE where out has not in's type, HD_ERROR_SHAPE where it has not its
//               shape, and the usual ones.
HD_API HD__CHECKED hd_status hd_shuffle(hd_context *ctx, hd_view in, hd_view out,
                                        const hd_shuffle_options *options);

#ifdef __cplusplus
}
#endif

#endif
