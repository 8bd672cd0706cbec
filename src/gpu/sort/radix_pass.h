// SPDX-License-Identifier: Apache-2.0
//
// LSD radix sort by onesweep passes (Adinets and Merrill 2022): elements in the stable order of
// digits of their keys, one pass a digit from the lowest on. Views are of the device. A key is the
// second view of a reader, or what its function makes of all.
#ifndef HEDDLE_GPU_SORT_RADIX_PASS_H
#define HEDDLE_GPU_SORT_RADIX_PASS_H

#include "gpu/codegen/emit_kernel.h"

// hk_destination_bitmap of destination_bitmap.cuh.
typedef struct hd__gpu_destination_bitmap {
    hd__gpu_address once, twice, found, last_writer;
    uint32_t way, wide, crowds, unused;
} hd__gpu_destination_bitmap;

typedef struct hd__gpu_radix_plan {
    int64_t n, ways;             // keys are 0 .. ways - 1
    int32_t bits, passes, shift; // of the first digit
    bool wide;                   // keys are of 64 bits
    bool out_of_range_last;      // keys out of range come behind all others
    hd__gpu_address begin, stop; // filled by hd__gpu_radix_histogram
    hd__gpu_address at_once; // a word: where it is not zero, nothing is sorted; 0: there is none
} hd__gpu_radix_plan;

// Chooses bits and passes.
hd__gpu_radix_plan hd__gpu_radix_plan_of(int64_t n, int64_t ways);

// The histograms of all digits. A key out of range stops the passes that follow, and is a fault;
// where those come last, ~i of the first is left at `bad` (0: nowhere). Where one digit is the
// whole key, writes counts and begins (each may be empty).
hd_status hd__gpu_radix_histogram(hd_context *ctx, hd__gpu *gpu, hd__gpu_radix_plan *plan,
                                  const hd__reader *in, const hd_view *counts,
                                  const hd_view *begins, hd__gpu_address bad);

// Keys and the indices of their elements in order: all passes. Both pairs of arrays are used on the
// way; the result is keys[0] and indices[0].
hd_status hd__gpu_radix_sort_indices(hd_context *ctx, hd__gpu *gpu, const hd__gpu_radix_plan *plan,
                                     const hd_view *given, hd_view *keys, hd_view *indices);

typedef struct hd__gpu_radix_out {
    hd_view out, indices, keys; // all but out may be empty
    // Where nothing is sorted: elements are scattered to the destinations in this view that are
    // their keys. Unless no key comes twice, destinations are test-and-set. ~i of the first key out
    // of range is left at `bad` (0: nowhere).
    hd_view destination;
    const hd__gpu_destination_bitmap *bitmap; // NULL: none comes twice
    hd__gpu_address bad;
} hd__gpu_radix_out;

hd_status hd__gpu_radix_pass(hd_context *ctx, hd__gpu *gpu, const hd__gpu_radix_plan *plan,
                             int32_t pass, const hd__reader *in, const hd__gpu_radix_out *to);

// Counts and begins of all buckets, from keys in order.
hd_status hd__gpu_radix_bounds(hd_context *ctx, hd__gpu *gpu, const hd__gpu_radix_plan *plan,
                               const hd_view *keys, const hd_view *counts, const hd_view *begins);

#endif
