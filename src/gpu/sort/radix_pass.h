// SPDX-License-Identifier: Apache-2.0
//
// LSD radix sort by onesweep passes (Adinets and Merrill 2022): elements in the stable order of
// digits of their keys, one pass a digit from the lowest on. Views are of the device. A key is the
// second view of a reader, or what its function makes of all.
#ifndef HEDDLE_GPU_SORT_RADIX_PASS_H
#define HEDDLE_GPU_SORT_RADIX_PASS_H

#include "gpu/codegen/emit_kernel.h"

// hk_claims of destination_bitmap.cuh.
typedef struct hd__claims {
    hd__address once, twice, found, winner;
    uint32_t way, wide, crowds, unused;
} hd__claims;

typedef struct hd__sweep {
    int64_t n, ways;             // keys are 0 .. ways - 1
    int32_t bits, passes, shift; // of the first digit
    bool wide;                   // keys are of 64 bits
    bool loose;                  // keys out of range are swept behind all others
    hd__address begin, stop;     // filled by hd__sweep_begin
    hd__address at_once;         // a word: where it is not zero, nothing is swept; 0: there is none
} hd__sweep;

// Chooses bits and passes.
hd__sweep hd__sweep_of(int64_t n, int64_t ways);

// Counts all digits. A key out of range stops the sweeps that follow, and is a fault; loose, ~i of
// the first is left at `bad` (0: nowhere). Where one digit is the whole key, writes counts and
// begins (each may be unset).
hd_status hd__sweep_begin(hd_context *ctx, hd__gpu *gpu, hd__sweep *sweep, const hd__reader *in,
                          const hd_view *counts, const hd_view *begins, hd__address bad);

// Keys and the indices of their elements in order: all sweeps. Both pairs of arrays are for the
// way; what comes out is keys[0] and indices[0].
hd_status hd__sweep_indices(hd_context *ctx, hd__gpu *gpu, const hd__sweep *sweep,
                            const hd_view *given, hd_view *keys, hd_view *indices);

typedef struct hd__sweep_out {
    hd_view out, indices, keys; // all but out may be unset
    // Where nothing is swept: elements go to the places of this view that are their keys. Unless no
    // key comes twice, places are claimed. ~i of the first key out of range is left at `bad` (0:
    // nowhere).
    hd_view place;
    const hd__claims *claims; // NULL: none comes twice
    hd__address bad;
} hd__sweep_out;

hd_status hd__sweep_pass(hd_context *ctx, hd__gpu *gpu, const hd__sweep *sweep, int32_t pass,
                         const hd__reader *in, const hd__sweep_out *to);

// Counts and begins of all buckets, from keys in order.
hd_status hd__sweep_parts(hd_context *ctx, hd__gpu *gpu, const hd__sweep *sweep,
                          const hd_view *keys, const hd_view *counts, const hd_view *begins);

#endif
