// SPDX-License-Identifier: Apache-2.0
// hd_reverse and hd_rotate: elements in the opposite order, and moved round.
#ifndef HEDDLE_REVERSE_H
#define HEDDLE_REVERSE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_reverse_options {
    size_t size;  // sizeof(hd_reverse_options), or 0: its size in version 0.1
    int32_t axis; // HD_AXIS(k): every row along axis k by itself; 0: everything, row-major
    uint32_t reserved_32;
} hd_reverse_options;

// out[i] = in[n - 1 - i], over everything in row-major order, or along an axis. out has in's type
// and shape. A view of negative strides shows elements reversed without moving them; this call
// moves them.
//
//   Aliasing    out may be in; otherwise they may not overlap.
//   Exactness   elements are moved as they are.
//   Cost        reads and writes each element once; in place without memory but for a few tiles.
//   Returns     HD_ERROR_TYPE where out has not in's type, HD_ERROR_SHAPE where it has not its
//               shape, HD_ERROR_BACKEND on a GPU in place, and the usual ones.
HD_API HD__CHECKED hd_status hd_reverse(hd_context *ctx, hd_view in, hd_view out,
                                        const hd_reverse_options *options);

typedef struct hd_rotate_options {
    size_t size;  // sizeof(hd_rotate_options), or 0: its size in version 0.1
    int32_t axis; // HD_AXIS(k): every row along axis k by itself; 0: everything, row-major
    uint32_t reserved_32;
} hd_rotate_options;

// out[i] = in[(i + shift) mod n], over everything in row-major order, or along an axis of n
// elements: element `shift` becomes the first. A negative shift rotates the other way, and any
// number will do.
//
//   Aliasing    out may be in; otherwise they may not overlap.
//   Exactness   elements are moved as they are.
//   Cost        reads and writes each element once; in place twice (three reversals).
//   Returns     as hd_reverse.
HD_API HD__CHECKED hd_status hd_rotate(hd_context *ctx, hd_view in, int64_t shift, hd_view out,
                                       const hd_rotate_options *options);

#ifdef __cplusplus
}
#endif

#endif
