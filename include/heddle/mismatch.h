// SPDX-License-Identifier: Apache-2.0
// hd_mismatch: the first position where two arrays differ.
#ifndef HEDDLE_MISMATCH_H
#define HEDDLE_MISMATCH_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_mismatch_options {
    size_t size; // sizeof(hd_mismatch_options), or 0: its size in version 0.1
    bool bits;   // floats: compare their bits instead of their values
    bool reserved_flags[7];
} hd_mismatch_options;

// position, a view of one i64, of the host or of the device, receives the lowest i (row-major) with
// a[i] != b[i], or -1 if there is none. a and b have one type and one shape.
//
// Numbers are compared by value: -0 is equal to +0, NaN to nothing, a bool of any byte but 0 to
// every other such. With .bits floats are compared bit by bit: NaN is equal to the same NaN, and -0
// is not +0. Structures are always compared byte by byte, padding included.
//
//   Aliasing    nothing is written but position, which may overlap no input. a may overlap b.
//   Exactness   exact.
//   Cost        reads both up to the position, and per thread at most about 256 KiB more of each.
//   Returns     HD_ERROR_TYPE where b has not a's type, HD_ERROR_SHAPE where it has not its shape,
//               and the usual ones; finding nothing is no error.
HD_API HD__CHECKED hd_status hd_mismatch(hd_context *ctx, hd_view a, hd_view b, hd_view position,
                                         const hd_mismatch_options *options);

#ifdef __cplusplus
}
#endif

#endif
